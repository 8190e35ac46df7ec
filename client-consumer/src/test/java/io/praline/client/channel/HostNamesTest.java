package io.praline.client.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostNamesTest {
    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop loop = (EventLoop) loops.next();
    private final CountDownLatch answers = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final HostNames names = new HostNames(this::look, Duration.ofMillis(300));

    @AfterEach
    void close() throws InterruptedException {
        answers.countDown();
        names.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    private InetAddress[] look(String name) throws UnknownHostException {
        asked.incrementAndGet();
        if (name.equals("slow")) {
            try {
                answers.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
        if (name.equals("none")) {
            throw new UnknownHostException(name);
        }
        return new InetAddress[] {InetAddress.getByAddress(name, new byte[] {127, 0, 0, 1})};
    }

    private static InetSocketAddress loopback() throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 7);
    }

    private InetSocketAddress resolved(String host) throws Exception {
        return names.getResolver(loop)
                .resolve(InetSocketAddress.createUnresolved(host, 7))
                .get(90, TimeUnit.SECONDS);
    }

    // as many try again as there are channels, each second
    @Test
    void aNameServerThatDoesNotAnswerHoldsNobodyUp() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> resolved("slow"))
                    .hasRootCauseMessage("slow: no name server answered within 300 ms");
        }
        assertThat(asked).hasValue(1);
        assertThat(loop.submit(() -> "goes on").get(90, TimeUnit.SECONDS)).isEqualTo("goes on");
        assertThat(resolved("quick")).isEqualTo(loopback());
    }

    @Test
    void aNameThatNobodyHasIsToldAtOnceAndAnAddressNeedsNoAnswer() throws Exception {
        assertThatThrownBy(() -> resolved("none")).hasRootCauseInstanceOf(UnknownHostException.class);
        assertThat(asked).hasValue(1);
        assertThat(resolved("127.0.0.1")).isEqualTo(loopback());
        assertThat(resolved("::1").getPort()).isEqualTo(7);
        assertThat(asked).hasValue(1);
    }
}
