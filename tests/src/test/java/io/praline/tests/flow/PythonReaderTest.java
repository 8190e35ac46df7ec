package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.praline.identity.AttemptKey;
import io.praline.identity.Ticket;
import io.praline.tests.rig.Ended;
import io.praline.tests.rig.Python;
import io.praline.wire.ConsumerToken;
import io.praline.wire.EndOf;
import io.praline.wire.StringTensor;
import io.praline.worker.delivery.DeliveryConfig;
import io.praline.worker.delivery.DeliveryServer;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reader in Python proves that the wire format is what its drawing says. */
class PythonReaderTest {

    private static final byte[] SECRET = "a secret that only tests know".getBytes(StandardCharsets.UTF_8);
    private static final AttemptKey ATTEMPT = new AttemptKey("flowers", 0, 1);
    private static final Path READER = Path.of("..", "client-consumer", "python", "praline_reader.py");

    @TempDir
    Path folder;

    @BeforeAll
    static void findPython() throws InterruptedException {
        Python.require("numpy", "numpy");
    }

    private static Ended read(String address, byte[] secret) throws IOException, InterruptedException {
        byte[] token =
                ConsumerToken.mint(secret, ATTEMPT.job(), 0, 0, Instant.now().plusSeconds(3_600));
        return Python.run(
                READER.toString(),
                "--address",
                address,
                "--token",
                HexFormat.of().formatHex(token),
                "--job",
                ATTEMPT.job(),
                "--epoch",
                Integer.toString(ATTEMPT.epoch()),
                "--attempt",
                Integer.toString(ATTEMPT.attempt()));
    }

    private DeliveryServer worker() {
        return DeliveryServer.start(
                new DeliveryConfig("127.0.0.1", 0, Optional.of(folder.resolve("worker.sock")), SECRET, 8));
    }

    private static OutgoingBatch batch(long[] tickets, int packed, OutgoingTensor... tensors) {
        List<OutgoingTensor> all = List.of(tensors);
        return new OutgoingBatch(
                tickets, packed, all, () -> all.forEach(tensor -> tensor.body().release()));
    }

    private static OutgoingTensor floats(float... values) {
        // at once: other tests in this JVM have Netty write down each access to a buffer
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        ByteBuf body = Unpooled.directBuffer(bytes.capacity()).writeBytes(bytes);
        return new OutgoingTensor(1, new long[] {values.length}, body);
    }

    private static OutgoingTensor texts(String... values) {
        List<byte[]> bytes = new ArrayList<>();
        for (String value : values) {
            bytes.add(value.getBytes(StandardCharsets.UTF_8));
        }
        ByteBuf body = StringTensor.encode(bytes, UnpooledByteBufAllocator.DEFAULT);
        return new OutgoingTensor(7, new long[] {values.length}, body);
    }

    // tickets of split 3 begin at 3 x 2^36 = 206158430208
    @Test
    void readsBatchesOfNumbersAndTextsToTheEnd() throws Exception {
        try (DeliveryServer worker = worker()) {
            Outbox outbox = worker.open(ATTEMPT, 1, 1 << 20);
            long first = Ticket.of(3, 0);
            outbox.put(batch(new long[] {first + 1, first, 5}, 0, floats(1, 2, 3.5f), texts("one", "", "three")));
            outbox.put(batch(new long[] {7, 8}, 2, floats(10, 20)));
            outbox.end(EndOf.JOB);
            Ended run = read(worker.addresses().get(0), SECRET);
            assertThat(run.lines()).hasSize(4);
            assertThat(run.lines().subList(0, 3))
                    .containsExactly(
                            "{\"sequence\": 0, \"tickets\": [206158430209, 206158430208, 5], \"tensors\": ["
                                    + "{\"dtype\": \"float32\", \"shape\": [3], \"sum\": 6.5}, "
                                    + "{\"dtype\": \"string\", \"shape\": [3], \"bytes\": 8}]}",
                            "{\"sequence\": 1, \"tickets\": [7], \"tensors\": [{\"dtype\": \"float32\", \"shape\": [], \"sum\": 10.0}]}",
                            "{\"sequence\": 1, \"tickets\": [8], \"tensors\": [{\"dtype\": \"float32\", \"shape\": [], \"sum\": 20.0}]}");
            assertThat(run.lines().get(3))
                    .startsWith("{\"batches\": 3, \"elements\": 5, ")
                    .contains("\"last\": true");
            assertThat(run.code()).isZero();
        }
    }

    // 40 batches of 4 MB against a window of 64 MB: none comes beyond it without credit
    @Test
    void givesCreditBackOverAUnixSocket() throws Exception {
        try (DeliveryServer worker = worker()) {
            Outbox outbox = worker.open(ATTEMPT, 1, 400 << 20);
            for (int number = 0; number < 40; number++) {
                outbox.put(batch(new long[] {number}, 0, floats(new float[1_000_000])));
            }
            outbox.end(EndOf.ATTEMPT);
            Ended run = read(worker.addresses().get(1), SECRET);
            assertThat(run.lines()).hasSize(41);
            assertThat(run.lines().get(40)).startsWith("{\"batches\": 40, \"elements\": 40, ");
            // the reader may have ended before the worker reads what it acknowledged last
            await().atMost(Duration.ofSeconds(90)).until(outbox::delivered);
        }
    }

    @Test
    void isRefusedWithATokenOfAnotherSecret() throws Exception {
        try (DeliveryServer worker = worker()) {
            worker.open(ATTEMPT, 1, 1 << 20);
            Ended run = read(worker.addresses().get(0), "a secret of somebody else".getBytes(StandardCharsets.UTF_8));
            assertThat(run.code()).isEqualTo(3);
            assertThat(run.lines()).singleElement().asString().startsWith("refused by tcp://127.0.0.1:");
        }
    }
}
