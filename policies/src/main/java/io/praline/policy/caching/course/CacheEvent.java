package io.praline.policy.caching.course;

import io.praline.policy.caching.CacheOutlook;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.PointMeasure;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Something that matters to what a job keeps. */
public sealed interface CacheEvent {

    /** When it happened. */
    Instant at();

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R planned(Planned job);

        R stored(Stored entries);

        R orderSettled(OrderSettled order);

        R profiled(Profiled profile);

        R failed(Failed trial);

        R unanswered(Unanswered trial);

        R passed(Passed time);

        R broke(Broke entry);

        R rate(Rate task);

        R doubted(Doubted points);
    }

    /**
     * The job is planned.
     *
     * @param points of the pipeline as its author wrote it, in their order
     * @param blocked why there is no later point, in a line; empty where nothing is in the way
     * @param epochs of the job
     * @param splits of an epoch
     */
    record Planned(Instant at, List<CachePoint> points, String blocked, int epochs, long splits) implements CacheEvent {
        public Planned {
            points = List.copyOf(points);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.planned(this);
        }
    }

    /**
     * What the stores have that the job's workers reach is news.
     *
     * @param shares of the job's splits that have an entry, 0 to 1, by the point's prefix; none: absent
     */
    record Stored(Instant at, SortedMap<String, Double> shares) implements CacheEvent {
        public Stored {
            shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.stored(this);
        }
    }

    /**
     * The order of the job's steps is no longer to be measured, or it changed.
     *
     * @param points of what runs now
     * @param blocked why there is no later point, in a line; empty where nothing is in the way
     */
    record OrderSettled(Instant at, List<CachePoint> points, String blocked) implements CacheEvent {
        public OrderSettled {
            points = List.copyOf(points);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.orderSettled(this);
        }
    }

    /**
     * The points were measured on a sample, for whatever reason.
     *
     * @param points of what was measured: measures are of these
     * @param allNanos of one thread, to compute a record to the pipeline's end
     * @param records that were read
     */
    record Profiled(Instant at, List<CachePoint> points, List<PointMeasure> measures, double allNanos, long records)
            implements CacheEvent {
        public Profiled {
            points = List.copyOf(points);
            measures = List.copyOf(measures);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.profiled(this);
        }
    }

    /** Whoever was asked cannot measure. */
    record Failed(Instant at, int trial, String why) implements CacheEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.failed(this);
        }
    }

    /** Whoever was asked is gone. */
    record Unanswered(Instant at, String why) implements CacheEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.unanswered(this);
        }
    }

    /** Time passed. */
    record Passed(Instant at, CacheOutlook outlook) implements CacheEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.passed(this);
        }
    }

    /** An attempt read an entry that is no good; it is dropped. */
    record Broke(Instant at, String why) implements CacheEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.broke(this);
        }
    }

    /**
     * What a task makes is news.
     *
     * @param cached whether what it made came from entries, all of it; false: all of it was computed, and nothing written
     */
    record Rate(Instant at, boolean cached, double elementsPerSecond) implements CacheEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rate(this);
        }
    }

    /** The points are those of a job of another seed: whether they are the job's own a worker is to say, who measures them. */
    record Doubted(Instant at) implements CacheEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.doubted(this);
        }
    }
}
