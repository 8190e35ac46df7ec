package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.dispatcher.ledger.row.Sums;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.topics.Agreements;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What changes in a job and belongs to no epoch of it: a few hundred bytes. Owned by the stream thread. */
public final class JobRow {
    private final Instant submittedAt;
    private Standing standing;
    private Planning planning = Planning.NONE;
    private LocalTarget localTarget = LocalTarget.NONE;
    private boolean paused;
    private final List<Instant> enginesFailed = new ArrayList<>();
    private final List<Instant> plannersLost = new ArrayList<>();
    private long bad;
    private long journal;
    private Instant servedSince;
    private boolean shadowDropped;
    private int generations;
    private int membership = 1;
    private final List<String> givenUp = new ArrayList<>();

    /**
     * Where the job is.
     *
     * @param state as it is shown
     * @param waitingFor what it lacks, in a word; empty unless it waits
     * @param reason why it is there; empty where the state says it all
     * @param failure whose fault it is; NONE unless it failed
     * @param since when it got there
     */
    public record Standing(JobState state, String waitingFor, String reason, FailureKind failure, Instant since) {
        public static Standing at(JobState state, Instant since) {
            return new Standing(state, "", "", FailureKind.NONE, since);
        }

        public static Standing waiting(String what, String reason, Instant since) {
            return new Standing(JobState.WAITING, what, reason, FailureKind.NONE, since);
        }

        public static Standing ended(JobState state, String reason, FailureKind failure, Instant since) {
            return new Standing(state, "", reason, failure, since);
        }

        /** The same since then. */
        public Standing since(Instant earlier) {
            return new Standing(state, waitingFor, reason, failure, earlier);
        }

        public boolean ended() {
            return switch (state) {
                case PLANNING, WAITING, RUNNING -> false;
                case COMPLETED, FAILED, CANCELLED -> true;
            };
        }
    }

    /**
     * The plan as far as it is there.
     *
     * @param plan its number; 0 before the first
     * @param planner who makes it; empty once it is complete, and where there is no worker to make it
     * @param pages that came so far
     * @param splits on them
     * @param sources of the graph that they read
     * @param complete whether all pages are there
     */
    public record Planning(int plan, Optional<Place> planner, int pages, long splits, int sources, boolean complete) {
        /** Before any plan. */
        public static final Planning NONE = new Planning(0, Optional.empty(), 0, 0, 0, false);

        /** Whether no page is short, so that another one may come. */
        public boolean full() {
            return splits == (long) pages * Agreements.SPLITS_A_PAGE;
        }
    }

    /**
     * What was last told to whoever starts workers on the trainer's host.
     *
     * @param host the host that was told; empty: none was
     * @param workers that there should be
     */
    public record LocalTarget(Optional<String> host, int workers) {
        /** Before any. */
        public static final LocalTarget NONE = new LocalTarget(Optional.empty(), 0);
    }

    public JobRow(Instant submittedAt, Standing standing) {
        this.submittedAt = submittedAt;
        this.standing = standing;
        this.servedSince = submittedAt;
    }

    public Instant submittedAt() {
        return submittedAt;
    }

    public Standing standing() {
        return standing;
    }

    public void standing(Standing changed) {
        standing = changed;
    }

    public Planning planning() {
        return planning;
    }

    public void planning(Planning changed) {
        planning = changed;
    }

    public LocalTarget localTarget() {
        return localTarget;
    }

    public void localTarget(LocalTarget told) {
        localTarget = told;
    }

    public boolean paused() {
        return paused;
    }

    public void paused(boolean held) {
        paused = held;
    }

    /** An attempt broke by no fault of pipeline or data; how many did within this time, up to now. */
    public int engineFailed(Instant at, Duration within) {
        return counted(enginesFailed, at, within);
    }

    /**
     * An attempt brought nothing forth for so long, up to now, and breaks by that: the time is none in which it could break
     * otherwise, and one that waits longer before it says so may not break more often.
     */
    public void stoodStill(Duration time, Instant at) {
        enginesFailed.replaceAll(before -> {
            Instant later = before.plus(time);
            return later.isBefore(at) ? later : at;
        });
    }

    /** A worker was lost while it planned; how many were within this time, up to now. */
    public int plannerLost(Instant at, Duration within) {
        return counted(plannersLost, at, within);
    }

    private static int counted(List<Instant> times, Instant at, Duration within) {
        times.removeIf(before -> !before.isAfter(at.minus(within)));
        times.add(at);
        return times.size();
    }

    /** Bad records that were tolerated. */
    public long bad() {
        return bad;
    }

    public void addBad(long records) {
        bad = Sums.plus(bad, records);
    }

    /** The number of its next journal entry, counted from 0. */
    public long nextJournal() {
        return journal++;
    }

    /** Since when it holds a slot, or waits for one; a new epoch's first slot is another one. */
    public Instant servedSince() {
        return servedSince;
    }

    public void servedSince(Instant since) {
        servedSince = since;
    }

    /** Whether the policy that was to look on broke. */
    public boolean shadowDropped() {
        return shadowDropped;
    }

    public void dropShadow() {
        shadowDropped = true;
    }

    /**
     * A generation for one of its consumers, unique within the job.
     *
     * @param consumers that it was submitted with, whose first generations are their numbers
     */
    public int mintGeneration(int consumers) {
        generations = Math.max(generations, consumers) + 1;
        return generations - 1;
    }

    /** Counts the changes of its consumers, from 1. */
    public int membership() {
        return membership;
    }

    /** Its consumers changed. */
    public void nextMembership() {
        membership++;
    }

    /** Why it promises less than it did, a line each: what was given again though somebody may have trained on it. */
    public List<String> givenUp() {
        return Collections.unmodifiableList(givenUp);
    }

    public void addGivenUp(String reason) {
        givenUp.add(reason);
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .number(submittedAt.toEpochMilli())
                .text(standing.state.name())
                .text(standing.waitingFor)
                .text(standing.reason)
                .text(standing.failure.name())
                .number(standing.since.toEpochMilli())
                .number(planning.plan)
                .flag(planning.planner.isPresent());
        planning.planner.ifPresent(place -> place.write(out));
        out.number(planning.pages)
                .number(planning.splits)
                .number(planning.sources)
                .flag(planning.complete);
        out.text(localTarget.host.orElse("")).number(localTarget.workers);
        out.flag(paused)
                .number(enginesFailed.size())
                .number(bad)
                .number(journal)
                .number(servedSince.toEpochMilli());
        out.flag(shadowDropped).number(generations).number(membership).texts(givenUp);
        write(enginesFailed, out);
        write(plannersLost, out);
        return out.bytes();
    }

    public static JobRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        Instant submitted = Instant.ofEpochMilli(in.number());
        JobRow job = new JobRow(
                submitted,
                new Standing(
                        JobState.valueOf(in.text()),
                        in.text(),
                        in.text(),
                        FailureKind.valueOf(in.text()),
                        Instant.ofEpochMilli(in.number())));
        int plan = in.small();
        Optional<Place> planner = in.flag() ? Optional.of(Place.read(in)) : Optional.empty();
        job.planning = new Planning(plan, planner, in.small(), in.number(), in.small(), in.flag());
        String host = in.text();
        job.localTarget = new LocalTarget(host.isEmpty() ? Optional.empty() : Optional.of(host), in.small());
        job.paused = in.flag();
        in.small(); // what older dispatchers counted over a job's whole life
        job.bad = in.number();
        job.journal = in.number();
        job.servedSince = Instant.ofEpochMilli(in.number());
        // rows of older dispatchers end here
        job.shadowDropped = in.hasMore() && in.flag();
        if (in.hasMore()) {
            job.generations = in.small();
            job.membership = in.small();
            job.givenUp.addAll(in.texts());
        }
        read(job.enginesFailed, in);
        read(job.plannersLost, in);
        return job;
    }

    private static void write(List<Instant> times, RowWriter out) {
        out.number(times.size());
        times.forEach(at -> out.number(at.toEpochMilli()));
    }

    private static void read(List<Instant> times, RowReader in) {
        int count = in.hasMore() ? in.small() : 0;
        for (int i = 0; i < count; i++) {
            times.add(Instant.ofEpochMilli(in.number()));
        }
    }
}
