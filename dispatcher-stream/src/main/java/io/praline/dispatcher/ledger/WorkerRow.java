package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A worker of a pool, or of a single job. When it was last heard of is not here: that would write a row a second for each.
 *
 * @param place its process and where it can be reached
 * @param slots tasks that it runs at the same time
 * @param draining whether it is about to leave and takes no new work
 * @param onlyFor the job on whose trainer's host it runs and that alone it works for; empty: any job of its pool
 * @param joined when its process was first heard of
 * @param replaced the processes in whose place it came, the newest 16: what they tell late is nobody's
 */
public record WorkerRow(
        Place place, int slots, boolean draining, Optional<String> onlyFor, Instant joined, List<String> replaced) {
    private static final int REPLACED = 16;

    public WorkerRow {
        replaced = List.copyOf(replaced.subList(Math.max(0, replaced.size() - REPLACED), replaced.size()));
    }

    public byte[] encode() {
        RowWriter out = new RowWriter();
        place.write(out);
        return out.number(slots)
                .flag(draining)
                .text(onlyFor.orElse(""))
                .number(joined.toEpochMilli())
                .texts(replaced)
                .bytes();
    }

    public static WorkerRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        Place place = Place.read(in);
        int slots = in.small();
        boolean draining = in.flag();
        String job = in.text();
        return new WorkerRow(
                place,
                slots,
                draining,
                job.isEmpty() ? Optional.empty() : Optional.of(job),
                Instant.ofEpochMilli(in.number()),
                in.hasMore() ? in.texts() : List.of());
    }
}
