package io.praline.tests.rig;

import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.praline.client.channel.AttemptChannel;
import io.praline.client.channel.ChannelListener;
import io.praline.client.channel.ChannelPool;
import io.praline.client.channel.ChannelRequest;
import io.praline.client.channel.ReceivedBatch;
import io.praline.identity.AttemptKey;
import io.praline.identity.TicketRuns;
import io.praline.wire.ConsumerToken;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import io.praline.worker.delivery.DeliveryConfig;
import io.praline.worker.delivery.DeliveryServer;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A worker's and a client's end of the channel in one process, and batches whose every byte is known. */
public final class ChannelEnds implements AutoCloseable {
    public static final AttemptKey ATTEMPT = new AttemptKey("job", 1, 2);
    public static final byte[] SECRET = "a secret for these tests".getBytes(StandardCharsets.US_ASCII);
    private static final int UINT8 = 4;
    private static final AtomicInteger LEAKS = new AtomicInteger();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((kind, records) -> LEAKS.incrementAndGet());
    }

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final DeliveryServer server;
    private final ChannelPool pool = new ChannelPool();
    private final AtomicInteger unreleased = new AtomicInteger();

    public ChannelEnds(Optional<Path> unixSocket, int maxConnections) {
        server = DeliveryServer.start(
                new DeliveryConfig("127.0.0.1", 0, unixSocket, SECRET, maxConnections), "worker-1");
    }

    public DeliveryServer server() {
        return server;
    }

    public ChannelPool pool() {
        return pool;
    }

    /** Buffers that were collected as garbage without having been released, in this process until now. */
    public static int leaks() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release(); // leaks are told of at the next allocation
            UnpooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        return LEAKS.get();
    }

    /** Batches that were put and not released. */
    public int unreleased() {
        return unreleased.get();
    }

    /** A batch of two tensors, one of them empty, of bytes that follow from the number. */
    public OutgoingBatch batch(int number, int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = expected(number, i);
        }
        ByteBuf body = Unpooled.directBuffer(Math.max(1, bytes)).writeBytes(content);
        OutgoingTensor empty = new OutgoingTensor(UINT8, new long[] {0, 3}, Unpooled.EMPTY_BUFFER);
        OutgoingTensor full = new OutgoingTensor(UINT8, new long[] {bytes}, body);
        unreleased.incrementAndGet();
        return new OutgoingBatch(new long[] {number}, 0, List.of(full, empty, full), () -> {
            body.release();
            unreleased.decrementAndGet();
        });
    }

    private static byte expected(int number, int index) {
        return (byte) (number * 31L + index * 7L);
    }

    /** The number of the batch; throws if any byte is not as it was put, or any tensor is not aligned. */
    public static int check(ReceivedBatch batch) {
        int number = (int) TicketRuns.decode(batch.tickets())[0];
        for (int tensor : new int[] {0, 2}) {
            ByteBuffer data = batch.data(tensor);
            if (data.alignmentOffset(0, 64) != 0) {
                throw new AssertionError("tensor " + tensor + " of batch " + number + " is not aligned");
            }
            for (int i = 0; i < data.limit(); i++) {
                if (data.get(i) != expected(number, i)) {
                    throw new AssertionError("byte " + i + " of batch " + number + " is wrong");
                }
            }
        }
        return number;
    }

    public AttemptChannel connect(List<String> addresses, int consumer, long window, ChannelListener listener) {
        byte[] token = ConsumerToken.mint(
                SECRET, ATTEMPT.job(), consumer, consumer, Instant.now().plusSeconds(3_600));
        return pool.connect(
                new ChannelRequest(
                        ATTEMPT,
                        new ChannelRequest.Worker("worker-1", addresses, true),
                        new ChannelRequest.Consumer(consumer, consumer, "client-1", () -> token),
                        window),
                listener);
    }

    /** Consumer 0 by TCP, with what may be wrong. */
    public AttemptChannel connect(
            AttemptKey attempt,
            String workerIncarnation,
            Supplier<byte[]> token,
            long window,
            ChannelListener listener) {
        return pool.connect(
                new ChannelRequest(
                        attempt,
                        new ChannelRequest.Worker(workerIncarnation, tcp(), true),
                        new ChannelRequest.Consumer(0, 0, "client-1", token),
                        window),
                listener);
    }

    public List<String> tcp() {
        return server.addresses().subList(0, 1);
    }

    /** Waits until it is so. */
    public static void eventually(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(condition);
    }

    @Override
    public void close() {
        server.close();
        pool.close();
    }

    /** What happened on a channel, in order: batches, and what ended it. */
    public static final class Log implements ChannelListener {
        private final BlockingQueue<ReceivedBatch> batches = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

        @Override
        public void batch(ReceivedBatch batch) {
            batches.add(batch);
        }

        @Override
        public void end(AttemptKey attempt, long lastSequence, EndOf of) {
            ends.add("end " + lastSequence + " of " + of);
        }

        @Override
        public void down(AttemptKey attempt, String reason) {
            ends.add("down " + reason);
        }

        @Override
        public void refused(AttemptKey attempt, RefusalCode code, String reason) {
            ends.add("refused " + code + " " + reason);
        }

        /** The next batch, which the caller closes. */
        public ReceivedBatch next() throws InterruptedException {
            ReceivedBatch batch = batches.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (batch == null) {
                throw new AssertionError("no batch came; " + ends);
            }
            return batch;
        }

        /** Numbers of as many batches, each checked and closed. */
        public List<Integer> numbers(int count) throws InterruptedException {
            List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                try (ReceivedBatch batch = next()) {
                    numbers.add(check(batch));
                }
            }
            return numbers;
        }

        public int waiting() {
            return batches.size();
        }

        public List<ReceivedBatch> takeAll() {
            List<ReceivedBatch> all = new ArrayList<>();
            batches.drainTo(all);
            return all;
        }

        /** How the channel ended. */
        public String ending() throws InterruptedException {
            String end = ends.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return end == null ? "nothing within " + PATIENCE : end;
        }
    }
}
