package io.praline.policy.caching;

import java.util.Optional;

/**
 * What all that is to come would take, one way; sums over the epochs of the job and over those of others behind the point.
 *
 * @param point from which elements are read; empty: they are computed
 * @param put whether entries are written that are not there
 * @param seconds that the epochs last
 * @param workerSeconds that workers are busy
 * @param fetchedBytes that are read at the source
 * @param money for client, workers, storage and what is read at the source
 * @param storedBytes behind the point, in the end
 * @param coveredShare of splits that have an entry in the end
 * @param gain records that a task makes from entries in the time in which it computes one
 */
public record CacheForecast(
        Optional<CachePoint> point,
        boolean put,
        double seconds,
        double workerSeconds,
        double fetchedBytes,
        double money,
        double storedBytes,
        double coveredShare,
        double gain) {
    /** What it does, for people. */
    public String said() {
        return point.map(at -> "to keep " + at.kept()).orElse("to compute");
    }
}
