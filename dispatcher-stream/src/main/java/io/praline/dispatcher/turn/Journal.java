package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.WallTime;
import io.praline.dispatcher.turn.fault.PoolSteps;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.JobPolicy;
import io.praline.policy.Turn;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import io.praline.schema.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes every decision down with its reason, numbered for each job and for the pool. Which splits go to an attempt that
 * runs is none: it follows from the order and the room, which are fixed, and would be most of the journal.
 */
final class Journal {
    /** What one entry tells of a pool is bounded: its stores times what they hold may be more than a record takes. */
    private static final int MOST_OF_A_POOL = 1_000;

    private final WallTime wall;
    private final Outgoing out;

    Journal(WallTime wall, Outgoing out) {
        this.wall = wall;
        this.out = out;
    }

    /** One decision of the dispatcher's own rules. */
    record Entry(Observed seen, List<Decided> decided, String reason, Map<String, Double> numbers) {
        Entry(Observed seen, Decided decided, String reason) {
            this(seen, List.of(decided), reason, Map.of());
        }

        Entry(Observed seen, String reason) {
            this(seen, List.of(), reason, Map.of());
        }
    }

    void write(Job job, Instant at, Entry entry) {
        long sequence = job.row().nextJournal();
        job.changed();
        JobPolicy leading = job.leading();
        Optional<Snapshot> snapshot = sequence % DecisionWriter.ENTRIES_A_SNAPSHOT == 0
                ? Optional.of(DecisionWriter.snapshot(leading.policy(), leading.state()))
                : Optional.empty();
        out.journal(written(job.id(), job.pool(), sequence, at, entry, snapshot));
    }

    void write(Pool pool, Instant at, Entry entry) {
        long sequence = pool.row().journal();
        pool.row(pool.row().withJournal(sequence + 1));
        List<Decided> decided = entry.decided();
        Entry bounded = new Entry(
                entry.seen(),
                decided.subList(0, Math.min(MOST_OF_A_POOL, decided.size())),
                entry.reason(),
                entry.numbers());
        out.journal(written(DecisionWriter.key(pool.name()), pool.name(), sequence, at, bounded, Optional.empty()));
    }

    /** What became of a step of the pool. */
    void write(Pool pool, Instant at, PoolSteps.News news) {
        JournalKind kind = news.why().isPresent() ? JournalKind.STEP_LEFT_OUT : JournalKind.STEP_DONE_AGAIN;
        String became = news.why()
                .map(why -> " is left out, and tried again within minutes, since it throws: " + Turn.inALine(why))
                .orElse(" is done again");
        write(pool, at, new Entry(DecisionWriter.observed(kind, pool.name(), Map.of()), news.step() + became));
    }

    private JournalEntry written(
            String key, String pool, long sequence, Instant at, Entry entry, Optional<Snapshot> snapshot) {
        return DecisionWriter.entry(
                new DecisionWriter.Line(key, pool, sequence, at, wall.of(at)),
                entry.seen(),
                entry.decided(),
                entry.reason(),
                entry.numbers(),
                snapshot);
    }
}
