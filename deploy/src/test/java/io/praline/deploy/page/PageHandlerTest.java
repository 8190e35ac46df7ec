package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.praline.deploy.terminal.JobFiles;
import io.praline.schema.JobStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageHandlerTest {
    private final Board board = new Board(Pictures.of(Statuses.running("j")));

    private PageHandler handler() {
        Api api = new Api(board, job -> List.of(), job -> new JobFiles(job.getJob()), Runnable::run);
        return new PageHandler(new Access(true, Optional.empty()), Assets.load(), board, api, "cookie");
    }

    private static FullHttpRequest get(String path) {
        FullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
        request.headers().set(HttpHeaderNames.HOST, "localhost");
        return request;
    }

    /** Whoever is at the other end has gone: each write fails, and by that the connection is closed. */
    private static final class Gone extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
            promise.setFailure(new IOException("broken pipe"));
        }
    }

    // as many as may listen at a time would else be used up by those, and topics be read for nobody
    @Test
    void aBrowserThatGoesBeforeItIsToldAnythingIsForgotten() {
        EmbeddedChannel channel = new EmbeddedChannel(new Gone());
        channel.pipeline().addLast(PageHandler.TIMEOUT, PageHandler.timeout(30)).addLast(handler());
        channel.writeInbound(get(Api.EVENTS));
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
        assertThat(board.listening()).isZero();
    }

    // a status without a state is none that is read from a topic: it stands for what nobody thought of
    @Test
    void whatCannotBeAnsweredIsSaid() {
        JobStatus broken = Statuses.running("j");
        broken.put("state", null);
        board.show(Pictures.of(broken));
        EmbeddedChannel channel = new EmbeddedChannel(handler());
        channel.writeInbound(get("/api/v1/jobs"));
        FullHttpResponse answer = channel.readOutbound();
        assertThat(answer.status()).isEqualTo(HttpResponseStatus.INTERNAL_SERVER_ERROR);
        answer.release();
    }
}
