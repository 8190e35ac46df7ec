package io.praline.deploy.page;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.praline.topics.ServiceUnreachable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One connection: who asks, for what, and the answer. On its event loop, but for what a {@link Api} reads elsewhere. */
final class PageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    static final String TIMEOUT = "timeout";

    private static final long ALIVE_SECONDS = 10;
    private static final int MOST_STREAMS = 64;

    private final Access access;
    private final Assets assets;
    private final Board board;
    private final Api api;
    private final String cookieName;

    /** @param cookieName of this port: cookies are shared among the ports of a host */
    PageHandler(Access access, Assets assets, Board board, Api api, String cookieName) {
        this.access = access;
        this.assets = assets;
        this.board = board;
        this.api = api;
        this.cookieName = cookieName;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        boolean alive = HttpUtil.isKeepAlive(request);
        Optional<Answer> refused = refused(request);
        if (refused.isPresent()) {
            send(context, refused.get(), alive && request.decoderResult().isSuccess());
            return;
        }
        QueryStringDecoder asked = new QueryStringDecoder(request.uri());
        String path;
        Map<String, List<String>> query;
        try {
            path = asked.path();
            query = asked.parameters();
        } catch (IllegalArgumentException unreadable) {
            send(context, Answer.line(HttpResponseStatus.BAD_REQUEST, "the address cannot be read"), alive);
            return;
        }
        Optional<String> shown = Optional.ofNullable(query.get("token")).map(values -> values.get(0));
        if (path.equals("/") && shown.isPresent() && access.token().isPresent()) {
            send(context, exchanged(shown.get()), alive);
        } else if (!access.isLetIn(header(request, HttpHeaderNames.AUTHORIZATION), cookie(request))) {
            send(context, stranger(), alive);
        } else if (path.equals(Api.EVENTS)) {
            stream(context, request.method().equals(HttpMethod.HEAD));
        } else if (assets.get(path).isPresent()) {
            send(context, Answer.of(assets.get(path).get()), alive);
        } else if (api.isSlow(path)) {
            later(context, () -> api.fresh(path, query), alive);
        } else {
            board.ask();
            send(context, told(() -> api.answer(path, query)), alive);
        }
    }

    private Optional<Answer> refused(FullHttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return Optional.of(Answer.line(HttpResponseStatus.BAD_REQUEST, "the request cannot be read"));
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return Optional.of(Answer.line(
                    HttpResponseStatus.METHOD_NOT_ALLOWED,
                    "this page changes nothing: only GET and HEAD are answered",
                    Map.of("Allow", "GET, HEAD")));
        }
        if (!access.isForUs(header(request, HttpHeaderNames.HOST))) {
            return Optional.of(Answer.line(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "this page is localhost's: ask for it as localhost or 127.0.0.1"));
        }
        return Optional.empty();
    }

    private static Optional<String> header(FullHttpRequest request, CharSequence name) {
        List<String> all = request.headers().getAll(name);
        return all.size() == 1 ? Optional.of(all.get(0)) : Optional.empty();
    }

    private Optional<String> cookie(FullHttpRequest request) {
        return header(request, HttpHeaderNames.COOKIE).flatMap(line -> ServerCookieDecoder.STRICT.decode(line).stream()
                .filter(cookie -> cookie.name().equals(cookieName))
                .map(Cookie::value)
                .findFirst());
    }

    /** The token leaves the address, where it would be seen and kept. */
    private Answer exchanged(String shown) {
        if (!access.isToken(shown)) {
            return stranger();
        }
        String cookie = cookieName + "=" + access.cookie().orElseThrow() + "; Path=/; HttpOnly; SameSite=Strict";
        return Answer.line(
                HttpResponseStatus.SEE_OTHER, "the page is at /", Map.of("Location", "/", "Set-Cookie", cookie));
    }

    private static Answer stranger() {
        return Answer.line(
                HttpResponseStatus.UNAUTHORIZED,
                "a token is needed: open /?token=TOKEN, or send it as 'Authorization: Bearer TOKEN'",
                Map.of("WWW-Authenticate", "Bearer"));
    }

    /** The next request of this connection waits until the answer has gone. */
    private void later(ChannelHandlerContext context, Supplier<Answer> asked, boolean alive) {
        context.channel().config().setAutoRead(false);
        try {
            api.execute(() -> {
                Answer answer = told(asked);
                context.executor().execute(() -> {
                    send(context, answer, alive);
                    context.channel().config().setAutoRead(true);
                });
            });
        } catch (RejectedExecutionException full) {
            context.channel().config().setAutoRead(true);
            send(
                    context,
                    Answer.line(
                            HttpResponseStatus.SERVICE_UNAVAILABLE,
                            "too many journals and ledgers are being read; ask again"),
                    alive);
        }
    }

    private static Answer told(Supplier<Answer> asked) {
        try {
            return asked.get();
        } catch (ServiceUnreachable away) {
            return Answer.line(HttpResponseStatus.SERVICE_UNAVAILABLE, away.getMessage());
        } catch (RuntimeException broken) {
            return Answer.line(
                    HttpResponseStatus.INTERNAL_SERVER_ERROR, "it broke: " + ServiceUnreachable.oneLine(broken));
        }
    }

    private static void send(ChannelHandlerContext context, Answer answer, boolean alive) {
        FullHttpResponse response = answer.response();
        HttpUtil.setKeepAlive(response, alive);
        context.writeAndFlush(response)
                .addListener(alive ? ChannelFutureListener.CLOSE_ON_FAILURE : ChannelFutureListener.CLOSE);
    }

    private void stream(ChannelHandlerContext context, boolean onlyHead) {
        if (board.listening() >= MOST_STREAMS) {
            send(context, Answer.line(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many pages are open"), false);
            return;
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        Answer.strict(response.headers(), "text/event-stream; charset=utf-8");
        response.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        context.write(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        if (onlyHead) {
            context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        // it has nothing more to say: only its going is heard of
        context.pipeline().remove(TIMEOUT);
        Stream stream = new Stream(context.channel());
        ScheduledFuture<?> beat =
                context.executor().scheduleAtFixedRate(stream::alive, ALIVE_SECONDS, ALIVE_SECONDS, TimeUnit.SECONDS);
        board.listen(stream);
        // behind that: who is gone already is forgotten at once
        context.channel().closeFuture().addListener(gone -> {
            beat.cancel(false);
            board.forget(stream);
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    static ReadTimeoutHandler timeout(long seconds) {
        return new ReadTimeoutHandler(seconds, TimeUnit.SECONDS);
    }
}
