package io.praline.worker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/** Batches without TensorFlow, for the simulation: each element is a number, the ticket that it carries or would. */
public final class NumberBatches {
    /** TensorFlow's number of int64. */
    private static final int INT64 = 9;

    private NumberBatches() {}

    /**
     * A batch of these.
     *
     * @param tickets that they carry; none where elements are not tracked
     * @param freed told when its memory is freed
     */
    public static EngineBatch of(long[] numbers, long[] tickets, Runnable freed) {
        return of(numbers, tickets, 0, freed);
    }

    /** So many single elements in a pack. */
    public static EngineBatch packed(long[] numbers, long[] tickets, Runnable freed) {
        return of(numbers, tickets, numbers.length, freed);
    }

    private static EngineBatch of(long[] numbers, long[] tickets, int packed, Runnable freed) {
        ByteBuf body = Unpooled.buffer(numbers.length * Long.BYTES);
        for (long number : numbers) {
            body.writeLongLE(number);
        }
        return new EngineBatch(
                tickets, packed, List.of(new EngineTensor(INT64, List.of((long) numbers.length), body)), freed);
    }
}
