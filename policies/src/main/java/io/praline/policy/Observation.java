package io.praline.policy;

import java.time.Instant;
import java.util.Optional;

/** Something a policy may see about one job, in the order the dispatcher saw it; heartbeats and reports are accounting. */
public sealed interface Observation {

    /** When it happened, by the record's own timestamp; never the time at which it is read. */
    Instant at();

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R planned(Planned plan);

        R poolChanged(PoolChanged pool);

        R termsSet(TermsSet set);

        R pinned(Pinned pin);

        R granted(Granted grant);

        R rateMeasured(RateMeasured rate);

        R windowClosed(WindowClosed window);

        R orderChanged(OrderChanged order);

        R tenantSpent(TenantSpent tenant);

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

    /** What matters to the job: told with its submission, and again when it is changed. */
    record TermsSet(Instant at, Terms terms) implements Observation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.termsSet(this);
        }
    }

    /**
     * Somebody took the decision out of the policy's hands, or gave it back.
     *
     * @param target empty: the policy decides again
     */
    record Pinned(Instant at, Optional<Target> target) implements Observation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.pinned(this);
        }
    }

    /**
     * These workers serve the job from now on.
     *
     * @param workers may be fewer than the job asked for, and for a while more
     */
    record Granted(Instant at, Target workers) implements Observation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.granted(this);
        }
    }

    /**
     * What one task can make, by its worker's own clock: known from its first seconds on, long before a window closes.
     *
     * @param worker the worker's id
     * @param local whether it runs on a trainer's own host
     * @param beside how many local tasks of the job run there at the same time, itself included; 1 for a remote one
     * @param elementsPerSecond elements for each second in which it was not held back by a full outbox; above 0
     */
    record RateMeasured(Instant at, String worker, boolean local, int beside, double elementsPerSecond)
            implements Observation {
        public RateMeasured {
            if (!(elementsPerSecond > 0 && elementsPerSecond < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "elementsPerSecond must be above 0 and finite, is " + elementsPerSecond);
            }
            if (beside < 1) {
                throw new IllegalArgumentException("beside must be at least 1, is " + beside);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rateMeasured(this);
        }
    }

    /**
     * A training loop measured a number of batches. Times that cannot be are refused here, so that no policy meets them.
     *
     * @param consumer which of the job's consumers
     * @param batches taken in the window
     * @param elements in those batches
     * @param bytes in them; 0 where unknown
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
            long elements,
            long bytes,
            double seconds,
            double waitShare,
            double queueDepth,
            int localTasks,
            int remoteTasks,
            boolean straddles)
            implements Observation {
        /** Nobody's window is a day long. */
        private static final double LONGEST_SECONDS = 86_400;

        /** One of whose bytes nothing is known. */
        public WindowClosed(
                Instant at,
                int consumer,
                long batches,
                long elements,
                double seconds,
                double waitShare,
                double queueDepth,
                int localTasks,
                int remoteTasks,
                boolean straddles) {
            this(
                    at,
                    consumer,
                    batches,
                    elements,
                    0,
                    seconds,
                    waitShare,
                    queueDepth,
                    localTasks,
                    remoteTasks,
                    straddles);
        }

        public WindowClosed {
            if (batches < 1 || elements < 0) {
                throw new IllegalArgumentException(
                        "batches must be at least 1 and elements not negative, are " + batches + " and " + elements);
            }
            if (bytes < 0) {
                throw new IllegalArgumentException("bytes must not be negative, are " + bytes);
            }
            if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
                throw new IllegalArgumentException("seconds must be above 0 and at most a day, is " + seconds);
            }
            if (!(waitShare >= 0 && waitShare <= 1)) {
                throw new IllegalArgumentException("waitShare must be from 0 to 1, is " + waitShare);
            }
            if (!(queueDepth >= 0 && queueDepth < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("queueDepth must not be negative, is " + queueDepth);
            }
            if (localTasks < 0 || remoteTasks < 0) {
                throw new IllegalArgumentException(
                        "tasks must not be negative, are " + localTasks + " local and " + remoteTasks + " remote");
            }
        }

        /** Seconds from one batch to the next. */
        public double batchSeconds() {
            return seconds / batches;
        }

        public Target tasks() {
            return new Target(remoteTasks, localTasks);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.windowClosed(this);
        }
    }

    /**
     * New tasks run the job's steps in another order.
     *
     * @param gain how many times as many elements one of them is expected to make; 1 where nobody knows
     */
    record OrderChanged(Instant at, double gain) implements Observation {
        public OrderChanged {
            if (!(gain > 0 && gain < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("a gain must be above 0 and finite, is " + gain);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.orderChanged(this);
        }
    }

    /**
     * What all jobs of its tenant have spent together has reached the tenant's cap, or the cap was raised above it.
     *
     * @param spent by all of them, ended ones included
     * @param cap of the tenant, in the same currency; infinite where it has none any more
     */
    record TenantSpent(Instant at, double spent, double cap) implements Observation {
        public TenantSpent {
            if (!(spent >= 0 && spent < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("what a tenant spent must not be negative, is " + spent);
            }
            if (!(cap > 0)) {
                throw new IllegalArgumentException("a tenant's cap must be above 0, is " + cap);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.tenantSpent(this);
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
