package io.praline.client.stream;

import io.praline.client.StatusOf;
import io.praline.client.channel.ReceivedBatch;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.identity.TicketRuns;
import io.praline.wire.BatchFrame;
import io.praline.wire.ElementType;
import io.praline.wire.TensorLayout;
import io.praline.wire.memory.BatchMemory;
import io.praline.wire.memory.LandedBatch;
import io.praline.wire.trace.TakenBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Frames of one tensor, its tickets as floats, which remember by their first ticket that they were freed. */
public final class Frames {
    /** First tickets of what was freed, in that order. */
    public final List<Long> freed = new ArrayList<>();

    /** Where the only tensor of a frame lies; it weighs what its tensor does. */
    private record Body(ByteBuffer data, Runnable freed) implements BatchMemory {
        @Override
        public int length() {
            return data.remaining();
        }

        @Override
        public ByteBuffer slice(long from, long bytes) {
            return data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public void free() {
            freed.run();
        }
    }

    /** Is told how they go. */
    public Optional<TakenBatch> way = Optional.empty();

    /** The generation that all of them are made for. */
    public int generation;

    public static AttemptKey key(int epoch, int attempt) {
        return new AttemptKey(StatusOf.JOB, epoch, attempt);
    }

    public LaneKey lane(int epoch, int attempt) {
        return new LaneKey(key(epoch, attempt), generation);
    }

    /** One batch. */
    public Frame batch(int epoch, int attempt, long sequence, long... tickets) {
        return floats(lane(epoch, attempt), sequence, 0, tickets);
    }

    /** A batch an element. */
    public Frame packed(int epoch, int attempt, long sequence, long... tickets) {
        return floats(lane(epoch, attempt), sequence, tickets.length, tickets);
    }

    /** A batch of so many elements that nobody tracks. */
    public Frame untracked(int epoch, int attempt, long sequence, int elements) {
        ByteBuffer data = ByteBuffer.allocateDirect(elements * Float.BYTES);
        return frame(lane(epoch, attempt), sequence, 0, new long[0], layout(elements), data, () -> {}, way);
    }

    /** A batch of this tensor. */
    public static Frame of(AttemptKey attempt, ElementType type, long[] shape, ByteBuffer data, long... tickets) {
        TensorLayout layout = new TensorLayout(type.number(), shape, data.remaining());
        return frame(new LaneKey(attempt, 0), 0, 0, tickets, layout, data, () -> {}, Optional.empty());
    }

    private Frame floats(LaneKey lane, long sequence, int packed, long... tickets) {
        ByteBuffer data =
                ByteBuffer.allocateDirect(tickets.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < tickets.length; i++) {
            data.putFloat(i * Float.BYTES, (float) tickets[i]);
        }
        return frame(lane, sequence, packed, tickets, layout(tickets.length), data, () -> freed.add(tickets[0]), way);
    }

    private static TensorLayout layout(int floats) {
        return new TensorLayout(ElementType.FLOAT32.number(), new long[] {floats}, (long) floats * Float.BYTES);
    }

    private static Frame frame(
            LaneKey lane,
            long sequence,
            int packed,
            long[] tickets,
            TensorLayout layout,
            ByteBuffer data,
            Runnable onFree,
            Optional<TakenBatch> way) {
        BatchFrame header = new BatchFrame(
                lane.attempt().epoch(),
                lane.attempt().attempt(),
                sequence,
                packed,
                List.of(layout),
                ByteBuffer.wrap(TicketRuns.encode(tickets)));
        return new Frame(
                new ReceivedBatch(lane.attempt(), new LandedBatch(header, new Body(data, onFree)), bytes -> {}),
                lane.generation(),
                way);
    }
}
