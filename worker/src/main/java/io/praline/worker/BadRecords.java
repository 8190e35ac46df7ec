package io.praline.worker;

import io.praline.schema.Exclusion;
import io.praline.worker.assignment.TicketSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Records that could not be processed, where that is tolerated.
 *
 * @param lines for each ticket one line that names file, record and cause
 */
record BadRecords(NavigableMap<Long, String> lines) {
    /** None. */
    static final BadRecords NONE = new BadRecords(new TreeMap<>());

    /** Details are read by people, and a beat must stay below the size of a record. */
    private static final int PER_EXCLUSION = 100;

    TicketSet tickets() {
        return TicketSet.of(lines.keySet().stream().mapToLong(Long::longValue).toArray());
    }

    /** As they are told. */
    List<Exclusion> exclusions() {
        List<Exclusion> exclusions = new ArrayList<>();
        List<Long> tickets = new ArrayList<>(lines.keySet());
        for (int from = 0; from < tickets.size(); from += PER_EXCLUSION) {
            List<Long> some = tickets.subList(from, Math.min(tickets.size(), from + PER_EXCLUSION));
            ByteBuffer runs = TicketSet.of(
                            some.stream().mapToLong(Long::longValue).toArray())
                    .runs();
            exclusions.add(new Exclusion(
                    "bad",
                    (long) some.size(),
                    runs,
                    some.stream().map(lines::get).toList()));
        }
        return exclusions;
    }
}
