package io.praline.worker.attempt;

import io.praline.wire.EndOf;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.delivery.LaneClosed;
import io.praline.worker.delivery.LastSequence;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.Placed;
import java.util.ArrayList;
import java.util.List;

/** Takes every batch at once, and gives its memory back. */
final class TakenBatches implements BatchSink {
    private final List<Long> tickets = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private boolean closed;

    @Override
    public synchronized Placed put(OutgoingBatch batch) {
        for (long ticket : batch.tickets()) {
            tickets.add(ticket);
        }
        sizes.add(batch.tickets().length);
        batch.release().run();
        return new Placed(0, sizes.size() - 1);
    }

    @Override
    public synchronized void end(EndOf of) {
        ends.add("end of " + of);
    }

    @Override
    public void seal() {}

    @Override
    public synchronized void fail(String reason) {
        ends.add("failed: " + reason);
    }

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
    public synchronized List<LastSequence> lastSequences() {
        return List.of(new LastSequence(0, 0, sizes.size() - 1L));
    }

    @Override
    public boolean delivered() {
        return true;
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    synchronized void clear() {
        tickets.clear();
        sizes.clear();
        ends.clear();
    }

    synchronized List<Long> tickets() {
        return List.copyOf(tickets);
    }

    synchronized List<String> ends() {
        return List.copyOf(ends);
    }

    synchronized boolean closed() {
        return closed;
    }

    synchronized TicketSet set() {
        return TicketSet.of(tickets.stream().mapToLong(Long::longValue).toArray());
    }

    synchronized List<Integer> sizes() {
        return List.copyOf(sizes);
    }
}
