package io.praline.tests.flow;

import static io.praline.tests.rig.ChannelEnds.ATTEMPT;
import static io.praline.tests.rig.ChannelEnds.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.praline.client.channel.AttemptChannel;
import io.praline.client.channel.ReceivedBatch;
import io.praline.tests.rig.ChannelEnds;
import io.praline.wire.ConsumerToken;
import io.praline.wire.EndOf;
import io.praline.wire.FrameEncoder;
import io.praline.wire.FrameLimits;
import io.praline.wire.HelloFrame;
import io.praline.worker.delivery.DeliveryConfig;
import io.praline.worker.delivery.DeliveryServer;
import io.praline.worker.delivery.LastSequence;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.OutboxClosed;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import io.praline.worker.delivery.Placed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelFlowTest {
    @TempDir
    private Path folder;

    private ChannelEnds ends = new ChannelEnds(Optional.empty(), 8);
    private final ChannelEnds.Log log = new ChannelEnds.Log();

    @AfterEach
    void everythingIsFreed() {
        ends.close();
        assertThat(ends.unreleased()).isZero();
        log.takeAll().forEach(ReceivedBatch::close);
        assertThat(ends.pool().bufferBytes()).isZero();
    }

    // once for all tests: in a JVM that has had a cluster, each collection takes half a second
    @AfterAll
    static void nothingHasLeaked() {
        assertThat(ChannelEnds.leaks()).isZero();
    }

    private void putAll(Outbox outbox, int from, int until, int mostBytes) throws InterruptedException {
        Random random = new Random(from);
        for (int number = from; number < until; number++) {
            int bytes = random.nextInt(10) == 0 ? random.nextInt(mostBytes) : random.nextInt(mostBytes / 100);
            outbox.put(ends.batch(number, bytes));
        }
    }

    private CompletableFuture<Void> inBackground(ThrowingRunnable task) {
        return CompletableFuture.runAsync(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void everyBatchComesOnceInOrderAndThenTheEnd(String path) throws Exception {
        ends.close();
        ends = new ChannelEnds(Optional.of(folder.resolve("channel")), 8);
        List<String> addresses = ends.server().addresses().stream()
                .filter(a -> a.startsWith(path))
                .toList();
        Outbox outbox = ends.server().open(ATTEMPT, 1, 1_000_000);
        ends.connect(addresses, 0, 600_000, log);
        CompletableFuture<Void> putting = inBackground(() -> {
            putAll(outbox, 0, 500, 300_000);
            outbox.end(EndOf.JOB);
        });
        assertThat(log.numbers(500)).isEqualTo(IntStream.range(0, 500).boxed().toList());
        putting.get();
        assertThat(log.ending()).isEqualTo("end 499 of JOB");
        eventually(outbox::delivered);
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(0, 0, 499));
        assertThat(outbox.bytes()).isZero();
        assertThat(ends.server().counters().batchesSent()).isEqualTo(500);
        assertThat(ends.server().counters().batchesSentAgain()).isZero();
    }

    // a window of 1 byte: two batches are out all the same
    @Test
    @EnabledOnOs(OS.LINUX)
    void largeBatchesForThisHostComeInSharedMemory() throws Exception {
        sharing();
        Outbox outbox = ends.server().open(ATTEMPT, 1, 4_000_000);
        AttemptChannel channel = ends.connect(ends.server().addresses(), 0, 900_000, log);
        CompletableFuture<Void> putting = inBackground(() -> {
            for (int number = 0; number < 100; number++) {
                outbox.put(ends.batch(number, number % 10 == 0 ? 100 : 100_000));
            }
            outbox.end(EndOf.JOB);
        });
        List<ReceivedBatch> held = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            held.add(log.next());
            assertThat(ChannelEnds.check(held.get(held.size() - 1))).isEqualTo(number);
            if (held.size() == 3) { // not in the order in which they came
                ChannelEnds.check(held.get(0));
                held.remove(1).close();
            }
        }
        putting.get();
        assertThat(log.ending()).isEqualTo("end 99 of JOB");
        Set<Path> segments = mapped();
        assertThat(segments).isNotEmpty();
        for (ReceivedBatch batch : held) { // the channel is over, its memory is not
            ChannelEnds.check(batch);
            batch.close();
        }
        assertThat(ends.server().counters().batchesShared()).isEqualTo(90);
        assertThat(channel.heldBytes()).isZero();
        assertThat(segments).allSatisfy(segment -> assertThat(segment).doesNotExist());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aBatchThatTheSharedMemoryHasNoRoomForComesThroughTheSocket() throws Exception {
        sharing();
        Outbox outbox = ends.server().open(ATTEMPT, 1, 1_000_000);
        ends.connect(ends.server().addresses(), 0, 300_000, log);
        CompletableFuture<Void> putting = inBackground(() -> {
            for (int number = 0; number < 20; number++) {
                outbox.put(ends.batch(number, number % 2 == 0 ? 400_000 : 50_000));
            }
        });
        assertThat(log.numbers(20)).isEqualTo(IntStream.range(0, 20).boxed().toList());
        putting.get();
        assertThat(ends.server().counters().batchesShared()).isEqualTo(10);
    }

    private void sharing() {
        ends.close();
        ends = new ChannelEnds(Optional.of(folder.resolve("channel")), 8);
    }

    /** The files of shared memory that this process has mapped, unlinked or not. */
    private static Set<Path> mapped() throws IOException {
        return Pattern.compile("/dev/shm/praline-[0-9a-f-]{36}")
                .matcher(Files.readString(Path.of("/proc/self/maps")))
                .results()
                .map(found -> Path.of(found.group()))
                .collect(Collectors.toSet());
    }

    @Test
    void aBatchLargerThanTheWindowComesThrough() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 1);
        ends.connect(ends.tcp(), 0, 1, log);
        CompletableFuture<Void> putting = inBackground(() -> putAll(outbox, 0, 40, 500_000));
        assertThat(log.numbers(40)).hasSize(40);
        putting.get();
    }

    // a batch has two tensors of 100,000 bytes, each padded to 64, and its header: four fit a window of 900,000
    @Test
    void aClientHoldsNoMoreThanItsWindow() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 400_000);
        AttemptChannel channel = ends.connect(ends.tcp(), 0, 900_000, log);
        CompletableFuture<Void> putting = inBackground(() -> {
            for (int number = 0; number < 20; number++) {
                outbox.put(ends.batch(number, 100_000));
            }
        });
        List<ReceivedBatch> held = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            held.add(log.next());
        }
        // full again: the next one is ready and stays where it is, for as long as sending all of them would take ten
        // times
        eventually(() -> outbox.bytes() > 300_000);
        await().atMost(Duration.ofSeconds(90)).during(Duration.ofMillis(500)).until(() -> log.waiting() == 0);
        assertThat(ends.server().counters().batchesSent()).isEqualTo(4);
        assertThat(channel.heldBytes()).isBetween(600_000L, 900_000L);
        assertThat(ends.pool().bufferBytes()).isLessThan(1_100_000);
        assertThat(putting).isNotDone();
        held.forEach(ReceivedBatch::close);
        assertThat(log.numbers(16)).isEqualTo(IntStream.range(4, 20).boxed().toList());
        putting.get();
        eventually(() -> channel.heldBytes() == 0);
    }

    @Test
    void consumersGetBatchesAsFastAsTheyTakeThem() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 2, 1_000_000);
        ChannelEnds.Log slow = new ChannelEnds.Log();
        ends.connect(ends.tcp(), 0, 300_000, log);
        ends.connect(ends.tcp(), 1, 300_000, slow);
        eventually(() -> ends.server().counters().connections() == 2);
        List<Placed> placed = new ArrayList<>();
        CompletableFuture<Void> putting = inBackground(() -> {
            for (int number = 0; number < 60; number++) {
                placed.add(outbox.put(ends.batch(number, 50_000)));
            }
            outbox.end(EndOf.ATTEMPT);
        });
        ReceivedBatch kept = slow.next(); // and no other, until the end
        int taken = 0;
        while (taken < 40) {
            log.next().close();
            taken++;
        }
        kept.close();
        eventually(() -> {
            slow.takeAll().forEach(ReceivedBatch::close);
            log.takeAll().forEach(ReceivedBatch::close);
            return outbox.delivered();
        });
        putting.get();
        // the last may have come between the two questions
        slow.takeAll().forEach(ReceivedBatch::close);
        log.takeAll().forEach(ReceivedBatch::close);
        long ofSlow = placed.stream().filter(where -> where.consumer() == 1).count();
        assertThat(ofSlow).isBetween(1L, 20L);
        assertThat(outbox.lastSequences())
                .containsExactly(new LastSequence(0, 0, 59 - ofSlow), new LastSequence(1, 1, ofSlow - 1));
        assertThat(log.ending()).isEqualTo("end " + (59 - ofSlow) + " of ATTEMPT");
        assertThat(slow.ending()).isEqualTo("end " + (ofSlow - 1) + " of ATTEMPT");
    }

    @Test
    void batchesAreKeptForAClientThatIsNotThereYet() throws Exception {
        AttemptChannel early = ends.connect(ends.tcp(), 0, 100_000, log); // before the attempt is opened
        eventually(() -> ends.server().counters().unknownAttempts() > 2);
        Outbox outbox = ends.server().open(ATTEMPT, 1, 100_000);
        outbox.put(ends.batch(0, 10));
        outbox.end(EndOf.ATTEMPT);
        assertThat(log.numbers(1)).containsExactly(0);
        assertThat(log.ending()).isEqualTo("end 0 of ATTEMPT");
        early.close();
    }

    /** Of a try that was given up, as a worker with too much to do comes to it behind the one that followed. */
    private void lateHello() throws IOException {
        byte[] token = ConsumerToken.mint(
                ChannelEnds.SECRET, ATTEMPT.job(), 0, 0, Instant.now().plusSeconds(3_600));
        EmbeddedChannel encoder = new EmbeddedChannel(FrameEncoder.INSTANCE);
        encoder.writeOutbound(new HelloFrame(
                FrameLimits.VERSION, ATTEMPT, 0, 0, "client-1", "worker-1", token, 0, 100_000, 0, 0, ""));
        ByteBuf hello = encoder.readOutbound();
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(ends.tcp().get(0)).getPort())) {
            socket.getOutputStream().write(ByteBufUtil.getBytes(hello));
            assertThat(socket.getInputStream().readNBytes(8)).hasSize(8);
        } finally {
            hello.release();
            encoder.finishAndReleaseAll();
        }
    }

    @Test
    void aHelloOfAnEarlierTryThatComesLateDoesNotEndTheChannel() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 100_000);
        ends.connect(ends.tcp(), 0, 100_000, log);
        outbox.put(ends.batch(0, 10));
        assertThat(log.numbers(1)).containsExactly(0);
        lateHello();
        outbox.put(ends.batch(1, 10));
        outbox.end(EndOf.ATTEMPT);
        assertThat(log.numbers(1)).containsExactly(1);
        assertThat(log.ending()).isEqualTo("end 1 of ATTEMPT");
    }

    @Test
    void anAttemptThatWasDeliveredStillGivesItsEnd() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 100_000);
        outbox.end(EndOf.JOB);
        assertThat(outbox.delivered()).isTrue(); // nothing to deliver, nobody connected
        ends.server().close(ATTEMPT);
        ends.connect(ends.tcp(), 0, 100_000, log);
        assertThat(log.ending()).isEqualTo("end -1 of JOB");
    }

    @Test
    void closingAnAttemptReleasesItsBatchesAndWakesWhoWaits() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 1);
        outbox.put(ends.batch(0, 1_000));
        outbox.put(ends.batch(1, 1_000));
        CompletableFuture<Void> waiting = inBackground(
                () -> assertThatThrownBy(() -> outbox.put(ends.batch(2, 1_000))).isInstanceOf(OutboxClosed.class));
        eventually(() -> ends.unreleased() == 3);
        ends.server().close(ATTEMPT);
        waiting.get(90, TimeUnit.SECONDS);
        assertThat(ends.unreleased()).isZero();
        assertThat(outbox.delivered()).isFalse();
    }

    @Test
    void aFailureReachesTheClientWithItsReason() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 100_000);
        ends.connect(ends.tcp(), 0, 100_000, log);
        outbox.put(ends.batch(0, 10));
        assertThat(log.numbers(1)).containsExactly(0);
        outbox.fail("file a.tfrecord: wrong CRC at 17\nsecond line");
        assertThat(log.ending()).isEqualTo("refused FAILED file a.tfrecord: wrong CRC at 17 second line");
        ChannelEnds.Log later = new ChannelEnds.Log();
        ends.connect(ends.tcp(), 0, 100_000, later);
        assertThat(later.ending()).startsWith("refused FAILED");
    }

    @Test
    void anotherIncarnationIsNotTakenForTheWorker() throws Exception {
        ends.server().open(ATTEMPT, 1, 100_000);
        ends.connect(ATTEMPT, "worker-0", () -> new byte[0], 1, log);
        assertThat(log.ending()).startsWith("refused TOKEN");
        byte[] token = ConsumerToken.mint(
                ChannelEnds.SECRET, ATTEMPT.job(), 0, 0, Instant.now().plusSeconds(3_600));
        ends.connect(ATTEMPT, "worker-0", () -> token, 1, log);
        assertThat(log.ending()).startsWith("down ").contains("this worker is worker-1");
    }

    @Test
    void aBatchThatNoFrameCanHoldIsRefusedAndReleased() {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 100_000);
        ByteBuf mebibyte = Unpooled.buffer(1 << 20).writeZero(1 << 20);
        ByteBuf[] thousand = new ByteBuf[1_024];
        Arrays.fill(thousand, mebibyte);
        ByteBuf huge = Unpooled.wrappedBuffer(1_024, thousand); // one mebibyte, 1,024 times
        boolean[] released = new boolean[1];
        OutgoingTensor tensor = new OutgoingTensor(4, new long[] {1 << 30}, huge);
        assertThatThrownBy(
                        () -> outbox.put(new OutgoingBatch(new long[0], 0, List.of(tensor), () -> released[0] = true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1073741888")
                .hasMessageContaining("1073741824");
        assertThat(released[0]).isTrue();
    }

    @Test
    void aPortOrASocketInUseIsSaidSo() throws Exception {
        Path socket = folder.resolve("channel");
        int port = URI.create(ends.tcp().get(0)).getPort();
        assertThatThrownBy(() -> DeliveryServer.start(
                        new DeliveryConfig("127.0.0.1", port, Optional.empty(), ChannelEnds.SECRET, 8)))
                .hasMessageContaining("tcp://127.0.0.1:" + port);
        DeliveryConfig config = new DeliveryConfig("127.0.0.1", 0, Optional.of(socket), ChannelEnds.SECRET, 8);
        try (DeliveryServer first = DeliveryServer.start(config)) {
            assertThat(first.addresses()).contains("unix://" + socket);
            assertThatThrownBy(() -> DeliveryServer.start(config)).hasMessageContaining("unix://" + socket);
            assertThat(socket).exists();
        }
        assertThat(socket).doesNotExist();
        // a worker that was killed leaves its socket
        ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        left.bind(UnixDomainSocketAddress.of(socket)).close();
        assertThat(Files.exists(socket)).isTrue();
        DeliveryServer.start(config).close();
    }
}
