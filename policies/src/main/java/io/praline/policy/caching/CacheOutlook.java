package io.praline.policy.caching;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is to come, as far as one may know.
 *
 * @param epochsLeft of the job, what is left of the current one included: 2.4 where 0.4 of it and two more are
 * @param usesByOthers epochs that other jobs of the tenant are still to read behind a point, by its prefix; none: absent
 * @param sourceBytesPerEpoch that lie at the job's source for an epoch
 * @param recordsPerEpoch that the job reads, estimated from what was read where they are not counted; 0: not known yet
 * @param workers that serve the job, or will once it has begun
 * @param threads that a worker computes with, which are its cores
 * @param trainerRecordsPerSecond that its trainer would take if it never waited; infinite where that is not known
 * @param roomBytes that one group of entries may have, with what it has; infinite where nobody limits it
 */
public record CacheOutlook(
        double epochsLeft,
        SortedMap<String, Double> usesByOthers,
        double sourceBytesPerEpoch,
        double recordsPerEpoch,
        int workers,
        double threads,
        double trainerRecordsPerSecond,
        double roomBytes) {
    public CacheOutlook {
        usesByOthers = Collections.unmodifiableSortedMap(new TreeMap<>(usesByOthers));
        notNegative("epochsLeft", epochsLeft);
        notNegative("sourceBytesPerEpoch", sourceBytesPerEpoch);
        notNegative("recordsPerEpoch", recordsPerEpoch);
        notNegative("roomBytes", roomBytes);
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be at least 1, are " + workers);
        }
        if (!(threads >= 1 && threads < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("threads must be at least 1, are " + threads);
        }
        if (!(trainerRecordsPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "trainerRecordsPerSecond must be above 0, is " + trainerRecordsPerSecond);
        }
        for (Map.Entry<String, Double> other : usesByOthers.entrySet()) {
            notNegative("uses of " + other.getKey() + " by others", other.getValue());
        }
    }

    /** Of a job that is alone with what it reads, whose source costs nothing, whose trainer takes all and whose store has room. */
    public static CacheOutlook alone(double epochsLeft, double recordsPerEpoch, int workers, double threads) {
        return new CacheOutlook(
                epochsLeft,
                Collections.emptySortedMap(),
                0,
                recordsPerEpoch,
                workers,
                threads,
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY);
    }

    /** Epochs that other jobs are still to read behind this point. */
    public double others(CachePoint point) {
        return usesByOthers.getOrDefault(point.prefix(), 0.0);
    }

    private static void notNegative(String name, double value) {
        if (!(value >= 0)) {
            throw new IllegalArgumentException(name + " must not be negative, is " + value);
        }
    }
}
