package io.praline.client.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.identity.AttemptKey;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerAddressTest {
    private static List<WorkerAddress> of(String... addresses) {
        return WorkerAddress.reachable(List.of(addresses));
    }

    private static InetSocketAddress tcp(String address) {
        return (InetSocketAddress) of(address).get(0).socketAddress();
    }

    // names that no URI may have are those of hosts nevertheless: of containers, for one
    @Test
    void aHostIsCalledAsItIs() {
        assertThat(tcp("tcp://praline_worker_1:7101"))
                .isEqualTo(InetSocketAddress.createUnresolved("praline_worker_1", 7101));
        assertThat(tcp("tcp://127.0.0.1:80")).isEqualTo(InetSocketAddress.createUnresolved("127.0.0.1", 80));
        assertThat(tcp("tcp://[::1]:7101")).isEqualTo(InetSocketAddress.createUnresolved("::1", 7101));
    }

    @Test
    void aSocketThatIsThereGoesFirst(@TempDir Path folder) throws Exception {
        Path socket = Files.createFile(folder.resolve("w.sock"));

        List<WorkerAddress> addresses = of("tcp://h:1", "unix://" + socket, "unix://" + folder.resolve("none"));

        assertThat(addresses).extracting(WorkerAddress::text).containsExactly("unix://" + socket, "tcp://h:1");
        assertThat(addresses.get(0).socketAddress()).isEqualTo(UnixDomainSocketAddress.of(socket));
    }

    // a newer worker may have ways that this client does not know
    @Test
    void whatIsNoAddressHereIsPassedOver() {
        assertThat(of("quic://h:1", "tcp://h", "tcp://:1", "tcp://h:70000", "tcp://h:x", "unix://\0", "tcp://h:1"))
                .extracting(WorkerAddress::text)
                .containsExactly("tcp://h:1");
    }

    @Test
    void aWorkerWithoutAnAddressThatIsOneCannotBeReached() {
        CompletableFuture<String> down = new CompletableFuture<>();
        ChannelRequest request = new ChannelRequest(
                new AttemptKey("j", 0, 0),
                new ChannelRequest.Worker("w-1", List.of("tcp://h:none", "quic://h:1"), false),
                new ChannelRequest.Consumer(0, 0, "c", () -> new byte[0]),
                1 << 20);
        try (ChannelPool pool = new ChannelPool()) {
            AttemptChannel channel = pool.connect(request, new Down(down));
            await().atMost(Duration.ofSeconds(90)).until(down::isDone);
            channel.close();
        }
        assertThat(down)
                .isCompletedWithValue("cannot reach the worker of attempt j/0/0: none of its addresses can be used on"
                        + " this host: tcp://h:none, quic://h:1");
    }

    /** Hears that nothing more comes. */
    private record Down(CompletableFuture<String> why) implements ChannelListener {
        @Override
        public void batch(ReceivedBatch batch) {
            batch.close();
        }

        @Override
        public void end(AttemptKey attempt, long lastSequence, EndOf of) {}

        @Override
        public void down(AttemptKey attempt, String reason) {
            why.complete(reason);
        }

        @Override
        public void refused(AttemptKey attempt, RefusalCode code, String reason) {}
    }
}
