package io.praline.worker.attempt;

import io.netty.buffer.ByteBuf;
import io.praline.wire.EndOf;
import io.praline.worker.delivery.LaneClosed;
import io.praline.worker.delivery.LastSequence;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import io.praline.worker.delivery.Placed;
import java.util.ArrayList;
import java.util.List;

/** Takes batches of int64 until the worker dies: what comes then has not arrived. */
final class MortalLoop implements BatchSink {
    private final int batches;
    private final List<Long> tickets = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();
    private Runnable death = () -> {};
    private int taken;

    /** @param batches that arrive */
    MortalLoop(int batches) {
        this.batches = batches;
    }

    /** What ends the attempt. */
    void dying(Runnable how) {
        death = how;
    }

    @Override
    public Placed put(OutgoingBatch batch) {
        if (taken == batches) {
            batch.release().run();
            death.run();
            return new Placed(0, taken);
        }
        for (long ticket : batch.tickets()) {
            tickets.add(ticket);
        }
        for (OutgoingTensor tensor : batch.tensors()) {
            ByteBuf body = tensor.body().duplicate();
            while (body.isReadable()) {
                values.add(body.readLongLE());
            }
        }
        batch.release().run();
        taken++;
        return new Placed(0, taken - 1L);
    }

    @Override
    public void end(EndOf of) {}

    @Override
    public void seal() {}

    @Override
    public void fail(String reason) {}

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public void serve(Membership membership) {}

    @Override
    public int membership() {
        return 0;
    }

    @Override
    public List<LaneClosed> takeClosed() {
        return List.of();
    }

    @Override
    public List<LastSequence> lastSequences() {
        return List.of(new LastSequence(0, 0, taken - 1L));
    }

    @Override
    public boolean delivered() {
        return true;
    }

    @Override
    public void close() {}

    /** In the order in which they came. */
    List<Long> tickets() {
        return tickets;
    }

    /** In the order in which they came. */
    List<Long> values() {
        return values;
    }
}
