package io.praline.policy;

import java.time.Instant;

/** Something a policy may see about one job, in the order the dispatcher saw it. Beats and reports are accounting, not this. */
public sealed interface Observation {

    /** When it happened, by the record's own timestamp; never the time at which it is read. */
    Instant at();

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R planned(Planned plan);

        R poolChanged(PoolChanged pool);

        R granted(Granted grant);

        R windowClosed(WindowClosed window);

        R clock(Clock clock);
    }

    /**
     * The job's splits are known.
     *
     * @param splits in one epoch
     * @param bytes to read in one epoch; 0 where unknown
     * @param singleTask whether only one task may run at a time
     */
    record Planned(Instant at, long splits, long bytes, boolean singleTask) implements Observation {
        public Planned {
            if (splits < 1) {
                throw new IllegalArgumentException("splits must be at least 1, is " + splits);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.planned(this);
        }
    }

    /**
     * A worker came, left, or is about to leave.
     *
     * @param workers that take new work
     * @param slots of those workers together
     */
    record PoolChanged(Instant at, int workers, int slots) implements Observation {
        public PoolChanged {
            if (workers < 0 || slots < workers) {
                throw new IllegalArgumentException(
                        "slots must be at least one a worker, is " + slots + " for " + workers);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.poolChanged(this);
        }
    }

    /**
     * The pool's turn gave the job this many workers.
     *
     * @param workers may be fewer than the job asked for
     */
    record Granted(Instant at, int workers) implements Observation {
        public Granted {
            if (workers < 0) {
                throw new IllegalArgumentException("workers must not be negative, is " + workers);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.granted(this);
        }
    }

    /**
     * A training loop measured a number of batches.
     *
     * @param consumer which of the job's consumers
     * @param batches taken in the window
     * @param seconds that it lasted
     * @param waitShare share of that time spent waiting for a batch, 0 to 1
     * @param queueDepth mean number of batches that lay ready
     * @param localTasks local attempts that served it
     * @param remoteTasks remote attempts that served it
     * @param straddles whether the number of tasks changed in it
     */
    record WindowClosed(
            Instant at,
            int consumer,
            long batches,
            double seconds,
            double waitShare,
            double queueDepth,
            int localTasks,
            int remoteTasks,
            boolean straddles)
            implements Observation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.windowClosed(this);
        }
    }

    /** Log time passed and nothing else did. Journaled only when it changed something. */
    record Clock(Instant at) implements Observation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.clock(this);
        }
    }
}
