package io.praline.deploy.page;

import io.praline.deploy.terminal.WorkerView;
import io.praline.schema.CacheStatus;
import io.praline.schema.JobStatus;
import io.praline.schema.PoolStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that is known at a moment. Jobs and figures by job, targets by subject, pools by name, caches by key.
 *
 * @param source what is shown
 * @param lags of the dispatcher's inputs
 */
record Picture(
        Source source,
        SortedMap<String, JobStatus> jobs,
        SortedMap<String, JobFigures> figures,
        List<WorkerView> workers,
        SortedMap<String, ScalingTarget> targets,
        SortedMap<String, PoolStatus> pools,
        SortedMap<String, CacheStatus> caches,
        Lags lags,
        List<QuarantinedRecord> quarantine) {

    Picture {
        jobs = Collections.unmodifiableSortedMap(new TreeMap<>(jobs));
        figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
        workers = List.copyOf(workers);
        targets = Collections.unmodifiableSortedMap(new TreeMap<>(targets));
        pools = Collections.unmodifiableSortedMap(new TreeMap<>(pools));
        caches = Collections.unmodifiableSortedMap(new TreeMap<>(caches));
        quarantine = List.copyOf(quarantine);
    }

    static Picture empty(Source source) {
        return new Picture(
                source,
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                List.of(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                Lags.UNKNOWN,
                List.of());
    }

    /** The same, of another source. */
    Picture of(Source other) {
        return new Picture(other, jobs, figures, workers, targets, pools, caches, lags, quarantine);
    }

    /**
     * Where all comes from.
     *
     * @param what a cluster's address, or a file's name
     * @param live whether it changes
     * @param trouble what keeps news away; empty: nothing
     */
    record Source(String what, boolean live, Optional<String> trouble) {}

    /**
     * How far the dispatchers are behind.
     *
     * @param records by topic; of transactions a marker counts as a record
     * @param unknown why nothing is known; empty: it is
     */
    record Lags(SortedMap<String, Long> records, Optional<String> unknown) {
        static final Lags UNKNOWN = new Lags(Collections.emptySortedMap(), Optional.of("not asked yet"));

        Lags {
            records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
        }
    }
}
