package io.praline.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.praline.identity.TicketRuns;
import io.praline.wire.BatchFrame;
import io.praline.wire.TensorLayout;
import io.praline.wire.memory.LandedBatch;
import io.praline.wire.memory.SharedSegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A client's segment of 256 KiB: rooms of 100,000 bytes, and 4,096 for a header each, of which it takes two. */
@EnabledOnOs(OS.LINUX)
final class ClientMemoryTest {
    private static final int SEGMENT = 256 << 10;
    private static final int BYTES = 100_000;
    private static final int UINT8 = 4;

    private final AtomicInteger released = new AtomicInteger();
    private SharedSegment clients;
    private SharedSegment workers;
    private ClientMemory memory;

    @BeforeEach
    void open() {
        clients = SharedSegment.create(SEGMENT).orElseThrow();
        workers = SharedSegment.open(clients.name()).orElseThrow();
        memory = new ClientMemory(workers);
    }

    @AfterEach
    void discard() {
        clients.discard();
    }

    private static ByteBuffer filled(ByteBuffer bytes, int with) {
        for (int at = 0; at < bytes.limit(); at++) {
            bytes.put(at, (byte) with);
        }
        return bytes;
    }

    private static byte[] all(int bytes, int value) {
        byte[] all = new byte[bytes];
        Arrays.fill(all, (byte) value);
        return all;
    }

    /** A batch whose tensors lie here; the reference is the caller's. */
    private HeldBatch batch(Runnable release, ByteBuffer... tensors) {
        List<OutgoingTensor> bodies = new ArrayList<>();
        List<TensorLayout> layouts = new ArrayList<>();
        for (ByteBuffer each : tensors) {
            long[] shape = {each.remaining()};
            bodies.add(new OutgoingTensor(UINT8, shape, Unpooled.wrappedBuffer(each)));
            layouts.add(new TensorLayout(UINT8, shape, each.remaining()));
        }
        BatchFrame frame =
                new BatchFrame(0, 0, 0, 0, layouts, ByteBuffer.wrap(TicketRuns.encode(new long[] {1, 2, 3})));
        ByteBuf header = Unpooled.directBuffer();
        frame.writeHeader(header);
        OutgoingBatch batch = new OutgoingBatch(new long[] {1, 2, 3}, 0, bodies, () -> {
            released.incrementAndGet();
            release.run();
        });
        return new HeldBatch(frame.payloadBytes(), frame.ticketRuns(), header, batch);
    }

    private HeldBatch copied(int value) {
        return batch(() -> {}, filled(ByteBuffer.allocateDirect(BYTES), value));
    }

    private HeldBatch made(BatchRoom room, int value) {
        return batch(room::giveBack, filled(room.memory(), value));
    }

    /** What the client sees there, tensor by tensor. */
    private List<byte[]> seen(OptionalLong at, HeldBatch batch) {
        LandedBatch landed = clients.batch(at.orElseThrow(), (int) batch.weightBytes(), () -> {});
        List<byte[]> tensors = new ArrayList<>();
        for (ByteBuffer bytes : landed.bodies()) {
            byte[] its = new byte[bytes.remaining()];
            bytes.get(its);
            tensors.add(its);
        }
        landed.memory().free();
        return tensors;
    }

    @Test
    void aBatchThatIsMadeInARoomIsSeenWhereItLies() {
        BatchRoom room = memory.room(BYTES).orElseThrow();
        HeldBatch batch = made(room, 7);
        OptionalLong at = memory.send(batch);

        assertThat(at).isEqualTo(OptionalLong.of(room.at() - batch.headerBytes()));
        assertThat(seen(at, batch)).containsExactly(all(BYTES, 7));
    }

    @Test
    void aRoomIsUsedAgainWhenBothAreDoneWithIt() {
        for (boolean clientFirst : new boolean[] {true, false}) {
            BatchRoom first = memory.room(BYTES).orElseThrow();
            BatchRoom second = memory.room(BYTES).orElseThrow();
            HeldBatch batch = made(first, 7);
            long at = memory.send(batch).orElseThrow();
            assertThat(memory.room(BYTES)).isEmpty();
            if (clientFirst) {
                assertThat(memory.free(at)).isTrue();
            } else {
                batch.release();
            }
            assertThat(memory.room(BYTES)).isEmpty();
            if (clientFirst) {
                batch.release();
            } else {
                assertThat(memory.free(at)).isTrue();
            }
            BatchRoom again = memory.room(BYTES).orElseThrow();
            assertThat(again.at()).isEqualTo(first.at());
            again.giveBack();
            second.giveBack();
        }
        assertThat(released).hasValue(2);
        // all of it is one gap again
        assertThat(memory.room(SEGMENT - 4_096)).isPresent();
    }

    @Test
    void aClientFreesOnlyWhatItWasSent() {
        BatchRoom room = memory.room(BYTES).orElseThrow();
        assertThat(memory.free(room.from())).isFalse();
        assertThat(memory.free(room.at())).isFalse();
        long at = memory.send(made(room, 1)).orElseThrow();
        assertThat(memory.free(at)).isTrue();
        assertThat(memory.free(at)).isFalse();
    }

    @Test
    void roomsHarmNothingThatLiesBesideThem() {
        HeldBatch before = copied(1);
        OptionalLong first = memory.send(before);
        BatchRoom room = memory.room(BYTES).orElseThrow();
        HeldBatch made = made(room, 2);
        OptionalLong second = memory.send(made);
        HeldBatch behind = batch(() -> {}, filled(ByteBuffer.allocateDirect(40_000), 3));
        OptionalLong third = memory.send(behind);

        assertThat(seen(first, before)).containsExactly(all(BYTES, 1));
        assertThat(seen(second, made)).containsExactly(all(BYTES, 2));
        assertThat(seen(third, behind)).containsExactly(all(40_000, 3));
    }

    // 1,000 bytes, 24 zeroes, 500 bytes: as a frame has them; what was there before is not shown
    @Test
    void betweenTensorsAreZeroes() {
        BatchRoom room = memory.room(BYTES).orElseThrow();
        ByteBuffer bytes = filled(room.memory(), 9);
        HeldBatch batch = batch(room::giveBack, bytes.slice(0, 1_000), bytes.slice(1_024, 500));
        OptionalLong at = memory.send(batch);

        assertThat(at).isEqualTo(OptionalLong.of(room.at() - batch.headerBytes()));
        assertThat(seen(at, batch)).containsExactly(all(1_000, 9), all(500, 9));
        ByteBuf between = clients.part(room.at() + 1_000, 24).writerIndex(24);
        assertThat(between.equals(Unpooled.wrappedBuffer(new byte[24]))).isTrue();
    }

    // as of a short batch, whose second tensor lies where that of a whole one does
    @Test
    void aBatchThatDoesNotLieAsAFrameHasItIsCopied() {
        BatchRoom room = memory.room(BYTES).orElseThrow();
        ByteBuffer bytes = filled(room.memory(), 9);
        HeldBatch batch = batch(room::giveBack, bytes.slice(0, 1_000), bytes.slice(2_048, 500));
        OptionalLong at = memory.send(batch);

        assertThat(at.orElseThrow()).isGreaterThanOrEqualTo(room.at() + BYTES);
        assertThat(seen(at, batch)).containsExactly(all(1_000, 9), all(500, 9));
        batch.release();
        assertThat(memory.room(BYTES).orElseThrow().at()).isEqualTo(room.at());
    }

    @Test
    void aBatchThatIsMadeForOneClientGoesToAnotherByACopy() {
        SharedSegment theirs = SharedSegment.create(SEGMENT).orElseThrow();
        ClientMemory other = new ClientMemory(theirs);
        BatchRoom room = other.room(BYTES).orElseThrow();
        HeldBatch batch = made(room, 5);
        OptionalLong at = memory.send(batch);

        assertThat(at).isEqualTo(OptionalLong.of(0));
        assertThat(seen(at, batch)).containsExactly(all(BYTES, 5));
        other.close();
        assertThat(theirs.refCnt()).as("as long as the batch is held").isEqualTo(1);
        batch.release();
        assertThat(theirs.refCnt()).isZero();
    }

    // the connection broke; the client may still look at what it was sent, and nothing is made there any more
    @Test
    void whatAClientHadWhenItWentStaysAsItIs() {
        BatchRoom sent = memory.room(BYTES).orElseThrow();
        HeldBatch batch = made(sent, 6);
        OptionalLong at = memory.send(batch);
        BatchRoom open = memory.room(BYTES).orElseThrow();
        memory.close();
        batch.release();

        assertThat(memory.room(10)).isEmpty();
        filled(open.memory(), 8);
        assertThat(seen(at, batch)).containsExactly(all(BYTES, 6));
        assertThat(workers.refCnt()).isEqualTo(1);
        open.giveBack();
        assertThat(workers.refCnt()).isZero();
    }
}
