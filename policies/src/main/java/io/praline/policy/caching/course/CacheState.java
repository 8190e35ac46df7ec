package io.praline.policy.caching.course;

import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.PointMeasure;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of what a job keeps.
 *
 * @param phase where it is
 * @param since when it got there
 * @param settled whether the order of its steps is no longer to be measured: before, nothing is written
 * @param trial the newest request to measure, counted from 1; 0 before the first
 * @param asked when somebody was asked who has not answered; empty: nobody
 * @param unanswered requests that nobody answered
 * @param broken entries that were no good
 * @param slow rates in a row that were lower from entries than computed
 * @param points behind which elements may be kept, in their order
 * @param blocked why there is no later point; empty where nothing is in the way
 * @param measures of these points; none before they are measured
 * @param allNanos of one thread, to compute a record to the pipeline's end; 0 before it is measured
 * @param stored share of the job's splits that have an entry, by the point's prefix; none: absent
 * @param used the point that is in use, one of these points; empty in all other phases
 * @param put whether entries are written
 * @param expectedGain records that a task is expected to make from entries while it computes one; 0 before it is known
 * @param computedRate elements/s of a task that computes, late ones weighing more; 0 before
 * @param cachedRate elements/s of a task from entries since the point is in use, late ones weighing more; 0 before
 * @param reason why it is there, in a sentence
 */
public record CacheState(
        Phase phase,
        Instant since,
        boolean settled,
        int trial,
        Optional<Instant> asked,
        int unanswered,
        int broken,
        int slow,
        List<CachePoint> points,
        String blocked,
        List<PointMeasure> measures,
        double allNanos,
        SortedMap<String, Double> stored,
        Optional<CachePoint> used,
        boolean put,
        double expectedGain,
        double computedRate,
        double cachedRate,
        String reason) {
    /** Where it is. */
    public enum Phase {
        /** Nothing is decided yet: it computes. */
        WAITING,
        /** It computes, as long as nothing changes. */
        COMPUTING,
        /** Splits that have an entry are read from it. */
        USING,
        /** It computes, for good. */
        OFF
    }

    public CacheState {
        points = List.copyOf(points);
        measures = List.copyOf(measures);
        stored = Collections.unmodifiableSortedMap(new TreeMap<>(stored));
        if (used.isPresent() != (phase == Phase.USING)) {
            throw new IllegalArgumentException("a point is used in phase USING and in no other, is " + phase);
        }
        if (used.isPresent() && !points.contains(used.get())) {
            throw new IllegalArgumentException("the point in use must be one of the job's, is " + used.get());
        }
    }

    /** Before anything is known. */
    public static CacheState waiting(Instant at) {
        return new CacheState(
                Phase.WAITING,
                at,
                false,
                0,
                Optional.empty(),
                0,
                0,
                0,
                List.of(),
                "",
                List.of(),
                0,
                Collections.emptySortedMap(),
                Optional.empty(),
                false,
                0,
                0,
                0,
                "nothing is decided yet: it computes");
    }

    /** Whether anything may still change. */
    public boolean open() {
        return phase != Phase.OFF;
    }

    /** Whether the points of what runs are measured. */
    public boolean measured() {
        return allNanos > 0;
    }

    /** What was measured of the point in use; empty where none is, or it was not measured. */
    public Optional<PointMeasure> usedMeasure() {
        return used.flatMap(point -> measures.stream()
                .filter(measure -> measure.number() == point.number())
                .findFirst());
    }

    CacheState to(Phase next, String why, Instant at) {
        return new CacheState(
                next,
                at,
                settled,
                trial,
                next == Phase.OFF ? Optional.empty() : asked,
                unanswered,
                broken,
                0,
                points,
                blocked,
                measures,
                allNanos,
                stored,
                Optional.empty(),
                false,
                0,
                computedRate,
                0,
                why);
    }

    CacheState using(CachePoint point, boolean writes, double gain, String why, Instant at) {
        boolean same = used.equals(Optional.of(point));
        return new CacheState(
                Phase.USING,
                at,
                settled,
                trial,
                asked,
                unanswered,
                broken,
                same ? slow : 0,
                points,
                blocked,
                measures,
                allNanos,
                stored,
                Optional.of(point),
                writes,
                gain,
                computedRate,
                same ? cachedRate : 0,
                why);
    }

    /**
     * Other points, of which nothing is measured.
     *
     * @param goesOn whether what is in use stays so
     */
    CacheState withPoints(List<CachePoint> those, String why, boolean settledNow, boolean goesOn) {
        return new CacheState(
                goesOn ? phase : Phase.WAITING,
                since,
                settledNow,
                trial,
                Optional.empty(),
                unanswered,
                broken,
                slow,
                those,
                why,
                List.of(),
                0,
                stored,
                goesOn ? used : Optional.empty(),
                goesOn && put,
                0,
                computedRate,
                goesOn ? cachedRate : 0,
                reason);
    }

    CacheState withSettled() {
        return new CacheState(
                phase,
                since,
                true,
                trial,
                asked,
                unanswered,
                broken,
                slow,
                points,
                blocked,
                measures,
                allNanos,
                stored,
                used,
                put,
                expectedGain,
                computedRate,
                cachedRate,
                reason);
    }

    CacheState withStored(SortedMap<String, Double> shares) {
        return new CacheState(
                phase,
                since,
                settled,
                trial,
                asked,
                unanswered,
                broken,
                slow,
                points,
                blocked,
                measures,
                allNanos,
                shares,
                used,
                put,
                expectedGain,
                computedRate,
                cachedRate,
                reason);
    }

    CacheState asking(Instant at) {
        return new CacheState(
                phase,
                since,
                settled,
                trial + 1,
                Optional.of(at),
                unanswered,
                broken,
                slow,
                points,
                blocked,
                measures,
                allNanos,
                stored,
                used,
                put,
                expectedGain,
                computedRate,
                cachedRate,
                reason);
    }

    CacheState unanswered(int times) {
        return new CacheState(
                phase,
                since,
                settled,
                trial,
                Optional.empty(),
                times,
                broken,
                slow,
                points,
                blocked,
                measures,
                allNanos,
                stored,
                used,
                put,
                expectedGain,
                computedRate,
                cachedRate,
                reason);
    }

    /** What was decided without measures is to be decided anew. */
    CacheState withMeasures(List<PointMeasure> those, double nanos) {
        return new CacheState(
                phase == Phase.COMPUTING ? Phase.WAITING : phase,
                since,
                settled,
                trial,
                Optional.empty(),
                unanswered,
                broken,
                slow,
                points,
                blocked,
                those,
                nanos,
                stored,
                used,
                put,
                expectedGain,
                computedRate,
                cachedRate,
                reason);
    }

    CacheState withExpected(double gain) {
        return new CacheState(
                phase,
                since,
                settled,
                trial,
                asked,
                unanswered,
                broken,
                slow,
                points,
                blocked,
                measures,
                allNanos,
                stored,
                used,
                put,
                gain,
                computedRate,
                cachedRate,
                reason);
    }

    CacheState withBroken() {
        return new CacheState(
                phase,
                since,
                settled,
                trial,
                asked,
                unanswered,
                broken + 1,
                slow,
                points,
                blocked,
                measures,
                allNanos,
                stored,
                used,
                put,
                expectedGain,
                computedRate,
                cachedRate,
                reason);
    }

    CacheState withRates(double computed, double cached, int slowInARow) {
        return new CacheState(
                phase,
                since,
                settled,
                trial,
                asked,
                unanswered,
                broken,
                slowInARow,
                points,
                blocked,
                measures,
                allNanos,
                stored,
                used,
                put,
                expectedGain,
                computed,
                cached,
                reason);
    }
}
