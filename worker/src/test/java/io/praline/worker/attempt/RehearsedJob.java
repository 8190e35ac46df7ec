package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.ExclusionReason;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.FinishAttempt;
import io.praline.schema.OpenedSplit;
import io.praline.schema.Split;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.input.KnownPipeline;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.roaringbitmap.RoaringBitmap;

/**
 * A job without a cluster: its tasks read their splits in one attempt after another, as the dispatcher would have it, and some
 * of the attempts die. What has arrived by then is consumed; the next one reads the same splits without it.
 */
final class RehearsedJob {
    private static final long SECONDS_90 = 90_000;

    /** More than a split of ours has: where all that is skipped, it is read for nothing but how many it has. */
    private static final long MORE_THAN_ALL = 1L << 12;

    private final KnownPipeline known;
    private final List<Split> splits;
    private final Course course;
    private final Queue<Integer> deaths;
    private final int skipBad;
    private final List<Long> values = new ArrayList<>();
    private long bad;
    private int attempts;

    /**
     * What befalls it.
     *
     * @param tasks that share the splits, where there may be several
     * @param deaths of the first attempts, one each: after how many batches; the others live
     * @param tailApart whether the only task leaves its short last batch to an attempt of its own, as one of several does
     */
    record Course(int tasks, List<Integer> deaths, boolean tailApart) {
        Course {
            deaths = List.copyOf(deaths);
        }
    }

    /**
     * What it came to.
     *
     * @param values that arrived in all epochs, in their order
     * @param bad elements that were passed over because they failed
     */
    record Outcome(List<Long> values, long bad) {}

    private RehearsedJob(KnownPipeline known, List<Split> splits, Course course, int skipBad) {
        this.known = known;
        this.splits = splits;
        this.course = course;
        this.deaths = new ArrayDeque<>(course.deaths());
        this.skipBad = skipBad;
    }

    /** What arrives in all epochs, in its order; fails where the attempts' accounts do not add up. */
    static List<Long> run(KnownPipeline known, List<Split> splits, Course course) {
        return run(known, splits, course, 0).values();
    }

    /** The same where elements that fail are passed over, if {@code skipBad} is above 0. */
    static Outcome run(KnownPipeline known, List<Split> splits, Course course, int skipBad) {
        RehearsedJob job = new RehearsedJob(known, splits, course, skipBad);
        for (int epoch = 0; epoch < known.analysis().epochs(); epoch++) {
            if (known.analysis().exactlyOnce()) {
                job.tracked(epoch);
            } else {
                job.untracked(epoch);
            }
        }
        return new Outcome(job.values, job.bad);
    }

    /** How many tasks there may be of those that the course has. */
    static int tasks(KnownPipeline known, Course course) {
        return known.analysis().singleTask() ? 1 : course.tasks();
    }

    private List<AssignedSplit> share(int task, TicketSet accounted) {
        List<AssignedSplit> share = new ArrayList<>();
        for (int ordinal = task; ordinal < splits.size(); ordinal += tasks(known, course)) {
            share.add(assigned(ordinal, accounted));
        }
        return share;
    }

    private AssignedSplit assigned(int ordinal, TicketSet accounted) {
        return assigned(ordinal, accounted.recordsOf(ordinal));
    }

    private AssignedSplit assigned(int ordinal, RoaringBitmap skip) {
        ByteBuffer bytes = ByteBuffer.allocate(skip.isEmpty() ? 0 : skip.serializedSizeInBytes());
        if (!skip.isEmpty()) {
            skip.serialize(bytes);
            bytes.flip();
        }
        return new AssignedSplit((long) ordinal, splits.get(ordinal), bytes);
    }

    /** Nobody knows what has arrived of a split: the next attempt reads all of it again. */
    private void untracked(int epoch) {
        for (int task = 0; task < tasks(known, course); task++) {
            boolean lived = false;
            while (!lived) {
                lived = attempt(epoch, share(task, TicketSet.NONE), false).lived;
            }
        }
    }

    private void tracked(int epoch) {
        Ledger ledger = new Ledger();
        if (epoch == 0) {
            ledger.add(counted(epoch));
        }
        boolean alone = tasks(known, course) == 1 && !course.tailApart();
        boolean last = false;
        for (int task = 0; task < tasks(known, course); task++) {
            boolean lived = false;
            while (!lived) {
                Attempt attempt = attempt(epoch, share(task, ledger.accounted), alone);
                ledger.add(attempt);
                lived = attempt.lived;
                last = alone && attempt.isLast();
            }
        }
        while (!ledger.owed().isEmpty()) {
            assertThat(last).as("the last attempt owes nothing").isFalse();
            List<AssignedSplit> all = new ArrayList<>();
            for (int ordinal = 0; ordinal < splits.size(); ordinal++) {
                all.add(assigned(ordinal, ledger.accounted));
            }
            Attempt attempt = attempt(epoch, all, true);
            ledger.add(attempt);
            last = attempt.isLast();
        }
    }

    /** Nothing is wanted but how many elements there are, as of splits that crashed whoever read them. */
    private Attempt counted(int epoch) {
        List<AssignedSplit> all = new ArrayList<>();
        for (int ordinal = 0; ordinal < splits.size(); ordinal++) {
            all.add(assigned(ordinal, RoaringBitmap.bitmapOfRange(0, MORE_THAN_ALL)));
        }
        Attempt attempt = attempt(epoch, all, false, Integer.MAX_VALUE);
        assertThat(attempt.loop().tickets()).as("elements that nobody wanted").isEmpty();
        return attempt;
    }

    /** What arrived of an attempt, and what it told. */
    private record Attempt(MortalLoop loop, AttemptProgress told, boolean lived) {
        /** Whether it owes nothing where it delivers the tail: what was lost with a bad element it gives back. */
        boolean isLast() {
            return lived && bad() == 0;
        }

        long bad() {
            return told.getExcluded().stream()
                    .filter(exclusion -> exclusion.getReason().equals(ExclusionReason.BAD.word()))
                    .mapToLong(Exclusion::getElements)
                    .sum();
        }
    }

    private Attempt attempt(int epoch, List<AssignedSplit> share, boolean deliverTail) {
        return attempt(epoch, share, deliverTail, deaths.isEmpty() ? Integer.MAX_VALUE : deaths.remove());
    }

    /** @param batches after which it dies; {@link Integer#MAX_VALUE}: it lives */
    private Attempt attempt(int epoch, List<AssignedSplit> share, boolean deliverTail, int batches) {
        MortalLoop loop = new MortalLoop(batches);
        int number = attempts++;
        AttemptRun run = new AttemptRun(
                Starts.of(known)
                        .setEpoch(epoch)
                        .setAttempt(number)
                        .setSkipBad(skipBad)
                        .build(),
                new Surroundings("w1", new TaskShare(2, 0), digest -> known, Runnable::run, () -> {}),
                loop);
        loop.dying(run::fence);
        run.start();
        run.assign(new AssignSplits("j", epoch, number, 1, share));
        run.finish(new FinishAttempt("j", epoch, number, 1, deliverTail, false));
        try {
            assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        AttemptProgress told = run.report().take(1 << 20, 0);
        assertThat(told.getFailure()).as("failure of the attempt").isEmpty();
        values.addAll(loop.values());
        Attempt attempt = new Attempt(loop, told, batches == Integer.MAX_VALUE);
        bad += attempt.bad();
        return attempt;
    }

    /** Which elements of an epoch there are, and what became of them. */
    private static final class Ledger {
        private final Map<Long, Long> records = new TreeMap<>();
        private TicketSet accounted = TicketSet.NONE;
        private TicketSet remainder = TicketSet.NONE;

        void add(Attempt attempt) {
            TicketSet delivered = TicketSet.of(attempt.loop.tickets());
            assertThat(delivered.count())
                    .as("elements that arrive, each once")
                    .isEqualTo(attempt.loop.tickets().size());
            account(delivered);
            for (Exclusion exclusion : attempt.told.getExcluded()) {
                account(TicketSet.of(TicketRuns.decode(exclusion.getTickets())));
            }
            if (attempt.lived) {
                for (OpenedSplit split : attempt.told.getOpened()) {
                    Long before = records.put(split.getOrdinal(), split.getRecords());
                    assertThat(before).as("elements of a split").isIn(null, split.getRecords());
                }
                remainder = remainder.plus(TicketSet.of(
                        TicketRuns.decode(attempt.told.getEnd().orElseThrow().getRemainder())));
            }
        }

        private void account(TicketSet tickets) {
            assertThat(accounted.and(tickets))
                    .as("elements that are accounted for twice")
                    .isEqualTo(TicketSet.NONE);
            accounted = accounted.plus(tickets);
            remainder = remainder.minus(tickets);
        }

        /** What all attempts that lived were to read, and is neither delivered nor excluded: they say the same. */
        TicketSet owed() {
            TicketSet all = TicketSet.NONE;
            for (Map.Entry<Long, Long> split : records.entrySet()) {
                all = all.plus(TicketSet.of(LongStream.range(0, split.getValue())
                        .map(record -> Ticket.of(split.getKey(), record))
                        .toArray()));
            }
            assertThat(accounted.minus(all))
                    .as("accounted elements that there are not")
                    .isEqualTo(TicketSet.NONE);
            assertThat(all.minus(accounted))
                    .as("elements that are not accounted for")
                    .isEqualTo(remainder);
            return remainder;
        }
    }
}
