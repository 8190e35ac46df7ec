package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.util.Optional;

/**
 * What an attempt runs, from its start to its end.
 *
 * @param variant the digest of the graph; empty: the user's own
 * @param cache where it reads entries; empty: it computes all
 */
public record AttemptGraph(String variant, Optional<CacheUse> cache) {
    /** The user's own graph, all of which is computed. */
    public static final AttemptGraph AS_WRITTEN = new AttemptGraph("", Optional.empty());

    /** At the end of a row, which is where older dispatchers' ends. */
    void write(RowWriter out) {
        if (equals(AS_WRITTEN)) {
            return;
        }
        out.text(variant);
        cache.ifPresent(use -> out.number(use.point()).text(use.prefix()).flag(use.put()));
    }

    static AttemptGraph read(RowReader in) {
        String variant = in.hasMore() ? in.text() : "";
        Optional<CacheUse> cache =
                in.hasMore() ? Optional.of(new CacheUse(in.small(), in.text(), in.flag())) : Optional.empty();
        return new AttemptGraph(variant, cache);
    }
}
