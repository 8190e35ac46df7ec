package io.praline.client.channel;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * What hosts are called, looked up on threads of its own: a name server that does not answer lets Java wait for many seconds,
 * and an event loop that waits loses every channel that it has. Whoever asks is answered in time, and asks again; each name is
 * looked up by one thread at a time.
 */
final class HostNames extends AddressResolverGroup<InetSocketAddress> {
    private final Lookup lookup;
    private final Duration within;
    private final Map<String, CompletableFuture<InetAddress[]>> asked = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "praline-names");
        thread.setDaemon(true);
        return thread;
    });

    /** Gives the addresses of a name; may block. */
    @FunctionalInterface
    interface Lookup {
        InetAddress[] of(String name) throws UnknownHostException;
    }

    /** @param within how long whoever asks waits at most */
    HostNames(Lookup lookup, Duration within) {
        this.lookup = lookup;
        this.within = within;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Names(executor).asAddressResolver();
    }

    private CompletableFuture<InetAddress[]> ask(String name) {
        CompletableFuture<InetAddress[]> mine = new CompletableFuture<>();
        CompletableFuture<InetAddress[]> other = asked.putIfAbsent(name, mine);
        if (other != null) {
            return other;
        }
        threads.execute(() -> {
            try {
                mine.complete(lookup.of(name));
            } catch (UnknownHostException | RuntimeException unknown) {
                mine.completeExceptionally(unknown);
            } finally {
                asked.remove(name);
            }
        });
        return mine;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        super.close();
    }

    private final class Names extends InetNameResolver {
        Names(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) throws UnknownHostException {
            byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
            if (literal == null) {
                answer(host, promise, all -> promise.trySuccess(all[0]));
            } else {
                promise.setSuccess(InetAddress.getByAddress(host, literal));
            }
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            answer(host, promise, all -> promise.trySuccess(List.of(all)));
        }

        private void answer(String host, Promise<?> promise, Answered answered) {
            Future<?> late = executor()
                    .schedule(
                            () -> promise.tryFailure(new UnknownHostException(
                                    host + ": no name server answered within " + within.toMillis() + " ms")),
                            within.toMillis(),
                            TimeUnit.MILLISECONDS);
            var unused = ask(host).whenComplete((all, unknown) -> {
                late.cancel(false);
                if (unknown == null) {
                    answered.with(all);
                } else {
                    promise.tryFailure(unknown);
                }
            });
        }
    }

    @FunctionalInterface
    private interface Answered {
        void with(InetAddress[] all);
    }
}
