package io.praline.tests.faults;

import static io.praline.tests.rig.ChannelEnds.ATTEMPT;
import static io.praline.tests.rig.ChannelEnds.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.praline.client.channel.ReceivedBatch;
import io.praline.identity.AttemptKey;
import io.praline.tests.rig.ChannelEnds;
import io.praline.wire.ConsumerToken;
import io.praline.wire.EndOf;
import io.praline.wire.FrameLimits;
import io.praline.worker.delivery.Outbox;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class ChannelFaultsTest {
    private static final int MAX_CONNECTIONS = 40;

    private final ChannelEnds ends = new ChannelEnds(Optional.empty(), MAX_CONNECTIONS);
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

    private CompletableFuture<Void> putInBackground(Outbox outbox, int count, int bytes) {
        return CompletableFuture.runAsync(() -> {
            try {
                for (int number = 0; number < count; number++) {
                    outbox.put(ends.batch(number, bytes));
                }
                outbox.end(EndOf.JOB);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    // 100 batches of 80 kB, the connection reset at every 300 kB: more than 20 connections, each in the middle of a
    // batch
    @Test
    void everyBatchComesOnceWhereverTheConnectionIsCut() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(ends.tcp().get(0))) {
            proxy.cutEvery(300_000);
            Outbox outbox = ends.server().open(ATTEMPT, 1, 500_000);
            ends.connect(proxy.addresses(), 0, 400_000, log);
            CompletableFuture<Void> putting = putInBackground(outbox, 100, 40_000);
            assertThat(log.numbers(100))
                    .isEqualTo(IntStream.range(0, 100).boxed().toList());
            assertThat(log.ending()).isEqualTo("end 99 of JOB");
            putting.get();
            assertThat(ends.server().counters().batchesSentAgain()).isPositive();
            eventually(outbox::delivered);
        }
    }

    // the client hears nothing for 3 s, dials again and goes on
    @Test
    void aHalfOpenConnectionIsLeftForANewOne() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(ends.tcp().get(0))) {
            Outbox outbox = ends.server().open(ATTEMPT, 1, 500_000);
            ends.connect(proxy.addresses(), 0, 400_000, log);
            outbox.put(ends.batch(0, 1_000));
            assertThat(log.numbers(1)).containsExactly(0);
            proxy.stallOpenOnes();
            outbox.put(ends.batch(1, 1_000));
            outbox.end(EndOf.JOB);
            assertThat(log.numbers(1)).containsExactly(1);
            assertThat(log.ending()).isEqualTo("end 1 of JOB");
        }
    }

    @Test
    void aWorkerThatIsGoneIsDownAtOnce() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 500_000);
        CuttingProxy proxy = new CuttingProxy(ends.tcp().get(0));
        ends.connect(proxy.addresses(), 0, 400_000, log);
        outbox.put(ends.batch(0, 1_000));
        assertThat(log.numbers(1)).containsExactly(0);
        long start = System.nanoTime();
        proxy.close();
        // by what the operating system says, and not because nothing came for three seconds
        assertThat(log.ending())
                .startsWith("down cannot reach the worker of attempt job/1/2: tcp://127.0.0.1:")
                .contains("Connection refused");
        assertThat((System.nanoTime() - start) / 1_000_000).isGreaterThanOrEqualTo(250L);
    }

    @Test
    void aWrongTokenIsRefusedAndCounted() throws Exception {
        ends.server().open(ATTEMPT, 1, 500_000);
        byte[] forOther = ConsumerToken.mint(
                ChannelEnds.SECRET, "another job", 0, 0, Instant.now().plusSeconds(3_600));
        ends.connect(ATTEMPT, "", () -> forOther, 1_000, log);
        assertThat(log.ending())
                .isEqualTo("refused TOKEN the token is not good for consumer 0 of job job: give the client the secret"
                        + " that the workers have");
        assertThat(ends.server().counters().refusedTokens()).isEqualTo(1);
    }

    @Test
    void anAttemptThatNeverComesIsRefusedAfterAWhile() throws Exception {
        byte[] token = ConsumerToken.mint(
                ChannelEnds.SECRET, "job", 0, 0, Instant.now().plusSeconds(3_600));
        AttemptKey never = new AttemptKey("job", 9, 9);
        ends.connect(never, "", () -> token, 1_000, log);
        assertThat(log.ending()).startsWith("refused UNKNOWN_ATTEMPT");
    }

    @Test
    void garbageIsClosedAndCountedAndTheOthersGoOn() throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 500_000);
        ends.connect(ends.tcp(), 0, 400_000, log);
        CompletableFuture<Void> putting = putInBackground(outbox, 200, 20_000);
        Random random = new Random(7);
        for (int i = 0; i < 30; i++) {
            byte[] garbage = new byte[8_192];
            random.nextBytes(garbage);
            garbage[3] = (byte) (garbage[3] | 1); // at least 16 MiB long, or negative
            send(garbage);
        }
        assertThat(log.numbers(200)).hasSize(200);
        putting.get();
        eventually(() -> ends.server().counters().malformedFrames() == 30);
    }

    /** Bytes that are no frame: a length that is negative, huge, or a little too large, or content of no known kind. */
    private static byte[] rubbish(int which, Random random) {
        byte[] bytes = new byte[64 << 10];
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(
                        switch (which % 4) {
                            case 0 -> -1 - random.nextInt(1_000);
                            case 1 -> Integer.MAX_VALUE - random.nextInt(1_000);
                            case 2 -> FrameLimits.MAX_CLIENT_PAYLOAD_BYTES + 1;
                            default -> 1_000;
                        })
                .put((byte) 0xFF);
        return bytes;
    }

    /** Bytes of the heap that are reachable, of direct buffers, and of what Netty holds for its own. */
    private static long bytesInUse() {
        System.gc();
        System.gc();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        long netty = ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider told
                ? told.metric().usedDirectMemory()
                : 0;
        Runtime heap = Runtime.getRuntime();
        return heap.totalMemory() - heap.freeMemory() + direct + netty;
    }

    // 64 MiB of rubbish from a thousand strangers; the pool of buffers may take another chunk of 4 MiB now and then,
    // but not
    // with every thousand
    @Test
    void garbageLeavesNoMemoryBehind() throws Exception {
        Random random = new Random(7);
        strangers(100, random);
        long grown = Long.MAX_VALUE;
        for (int round = 0; round < 4 && grown >= 4 << 20; round++) {
            long before = bytesInUse();
            strangers(1_000, random);
            grown = bytesInUse() - before;
        }
        assertThat(grown).isLessThan(4 << 20);

        serves(100);
    }

    private void strangers(int number, Random random) throws Exception {
        for (int i = 0; i < number; i++) {
            send(rubbish(i, random));
        }
        eventually(() -> ends.server().counters().connections() == 0);
    }

    // a stranger may make the worker hold a frame of two kilobytes; here are as many as may connect, but for one; the
    // pool
    // may take a chunk or two meanwhile, but not each time that they come
    @Test
    void framesThatNeverEndHoldLittleMemory() throws Exception {
        send(rubbish(0, new Random(7)));
        List<Socket> strangers = List.of();
        long held = Long.MAX_VALUE;
        int rounds = 0;
        while (rounds < 4 && held >= 4 << 20) {
            seesOff(strangers);
            eventually(() -> ends.server().counters().connections() == 0);
            long before = bytesInUse();
            strangers = strangersThatSayHalf();
            eventually(() -> ends.server().counters().connections() == MAX_CONNECTIONS - 1);
            held = bytesInUse() - before;
            rounds++;
        }
        assertThat(held).isLessThan(4 << 20);

        serves(100);
        seesOff(strangers);
        assertThat(ends.server().counters().silentConnections()).isEqualTo((long) rounds * (MAX_CONNECTIONS - 1));
    }

    private List<Socket> strangersThatSayHalf() throws IOException {
        byte[] unended = new byte[Integer.BYTES + FrameLimits.MAX_CLIENT_PAYLOAD_BYTES - 1];
        ByteBuffer.wrap(unended).order(ByteOrder.LITTLE_ENDIAN).putInt(FrameLimits.MAX_CLIENT_PAYLOAD_BYTES);
        List<Socket> strangers = new ArrayList<>();
        for (int i = 1; i < MAX_CONNECTIONS; i++) {
            Socket stranger = connect();
            stranger.getOutputStream().write(unended);
            strangers.add(stranger);
        }
        return strangers;
    }

    /** The worker closes what says nothing for long. */
    private static void seesOff(List<Socket> strangers) throws IOException {
        for (Socket stranger : strangers) {
            stranger.setSoTimeout(90_000);
            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
            stranger.close();
        }
    }

    /** A client that keeps to the protocol gets so many batches, and their end. */
    private void serves(int batches) throws Exception {
        Outbox outbox = ends.server().open(ATTEMPT, 1, 500_000);
        ends.connect(ends.tcp(), 0, 400_000, log);
        CompletableFuture<Void> putting = putInBackground(outbox, batches, 20_000);
        assertThat(log.numbers(batches))
                .isEqualTo(IntStream.range(0, batches).boxed().toList());
        assertThat(log.ending()).isEqualTo("end " + (batches - 1) + " of JOB");
        putting.get();
    }

    /** Sends until the worker closes. */
    private void send(byte[] bytes) throws IOException {
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            socket.setSoTimeout(90_000);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException reset) {
            // closed while it was written
        }
    }

    private Socket connect() throws IOException {
        return new Socket(
                InetAddress.getLoopbackAddress(), URI.create(ends.tcp().get(0)).getPort());
    }

    @Test
    void aStrangerThatSaysNothingIsClosed() throws Exception {
        try (Socket socket = connect()) {
            socket.setSoTimeout(90_000);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(ends.server().counters().silentConnections()).isEqualTo(1);
    }

    @Test
    void moreConnectionsThanAllowedAreRefused() throws Exception {
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < MAX_CONNECTIONS; i++) {
            strangers.add(connect());
        }
        eventually(() -> ends.server().counters().connections() == MAX_CONNECTIONS);
        ends.server().open(ATTEMPT, 1, 1_000).end(EndOf.JOB);
        ends.connect(ends.tcp(), 0, 1_000, log);
        eventually(() -> ends.server().counters().refusedConnections() > 0);
        for (Socket stranger : strangers) {
            stranger.close();
        }
        assertThat(log.ending()).isEqualTo("end -1 of JOB"); // it asked again
    }
}
