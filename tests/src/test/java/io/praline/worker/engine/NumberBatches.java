package io.praline.worker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/** Batches without TensorFlow, for the simulation: of each element its ticket is what it consists of. */
public final class NumberBatches {
    /** TensorFlow's number of int64. */
    private static final int INT64 = 9;

    private NumberBatches() {}

    public static EngineBatch of(long[] tickets) {
        ByteBuf body = Unpooled.buffer(tickets.length * Long.BYTES);
        for (long ticket : tickets) {
            body.writeLongLE(ticket);
        }
        return new EngineBatch(
                tickets, 0, List.of(new EngineTensor(INT64, List.of((long) tickets.length), body)), () -> {});
    }
}
