package io.praline.worker.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** Batches of known elements, and how often each was released. */
final class CountedBatches {
    private static final int UINT8 = 4;

    private final List<ByteBuf> bodies = new ArrayList<>();
    private final List<Integer> released = new ArrayList<>();

    synchronized OutgoingBatch make(int bytes, long... tickets) {
        int number = bodies.size();
        ByteBuf body = Unpooled.directBuffer(Math.max(1, bytes)).writeZero(bytes);
        bodies.add(body);
        released.add(0);
        return new OutgoingBatch(
                tickets, 0, List.of(new OutgoingTensor(UINT8, new long[] {bytes}, body)), () -> release(number));
    }

    private synchronized void release(int number) {
        bodies.get(number).release();
        released.set(number, released.get(number) + 1);
    }

    /** How often each was released, in the order in which they were made. */
    synchronized List<Integer> released() {
        return List.copyOf(released);
    }

    /** Batches whose memory somebody still has. */
    synchronized long held() {
        return bodies.stream().filter(body -> body.refCnt() > 0).count();
    }
}
