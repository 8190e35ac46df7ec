package io.praline.policy.caching.course;

import io.praline.policy.caching.CachePoint;

/** What must now be done for what a job keeps. */
public sealed interface CacheCommand {

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R profile(Profile sample);

        R use(Use point);

        R stop(Stop computing);
    }

    /**
     * A worker is to measure the points of what runs.
     *
     * @param trial of the request, counted from 1
     */
    record Profile(int trial) implements CacheCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.profile(this);
        }
    }

    /**
     * Attempts are to read splits from entries behind this point, where there are any, and compute the others.
     *
     * @param put whether they write entries of those
     * @param gain records that a task is expected to make from entries in the time in which it computes one; 1: not known
     */
    record Use(CachePoint point, boolean put, double gain) implements CacheCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.use(this);
        }
    }

    /** Attempts are to compute, neither reading entries nor writing them. */
    record Stop() implements CacheCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.stop(this);
        }
    }
}
