package io.praline.policy.ordering.course;

import io.praline.policy.ordering.Step;
import io.praline.policy.ordering.StepMeasure;
import io.praline.policy.ordering.verification.GainBound;
import io.praline.policy.ordering.verification.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Something that matters to a job's order. */
public sealed interface OrderEvent {

    /** When it happened. */
    Instant at();

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R passed(Passed time);

        R profiled(Profiled profile);

        R verified(Verified sample);

        R failed(Failed trial);

        R unanswered(Unanswered trial);

        R known(Known order);

        R broke(Broke attempt);

        R crashed(Crashed worker);

        R rate(Rate task);
    }

    /**
     * Time passed.
     *
     * @param worked since the job began to be read, or went on after a time in which nobody read for it
     * @param opened splits that attempts began to read since then, over all epochs
     * @param assigned splits that were given to attempts since then, over all epochs
     * @param all that there were to be read then, over all epochs
     */
    record Passed(Instant at, Duration worked, long opened, long assigned, long all) implements OrderEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.passed(this);
        }
    }

    /**
     * The steps were measured on a sample.
     *
     * @param trial of the request
     * @param callNanos of one call of a step's function
     * @param records that were read
     * @param nanos how long that took
     */
    record Profiled(
            Instant at,
            int trial,
            List<Step> steps,
            List<StepMeasure> measures,
            double callNanos,
            long records,
            long nanos)
            implements OrderEvent {
        public Profiled {
            steps = List.copyOf(steps);
            measures = List.copyOf(measures);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.profiled(this);
        }
    }

    /**
     * A variant was held against the user's order on a sample.
     *
     * @param trial of the request
     * @param digest of the variant
     * @param frontEpoch the newest epoch that was read of; -1 where none was
     */
    record Verified(
            Instant at,
            int trial,
            String digest,
            int frontEpoch,
            Verdict.Comparison results,
            List<GainBound.Pair> pairs)
            implements OrderEvent {
        public Verified {
            pairs = List.copyOf(pairs);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.verified(this);
        }
    }

    /** Whoever was asked cannot measure. */
    record Failed(Instant at, int trial, String why) implements OrderEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.failed(this);
        }
    }

    /** Whoever was asked is gone. */
    record Unanswered(Instant at, String why) implements OrderEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.unanswered(this);
        }
    }

    /** Another job on the same data has shown this variant to be better. */
    record Known(Instant at, Variant variant, String job) implements OrderEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.known(this);
        }
    }

    /** An attempt that ran the variant failed. */
    record Broke(Instant at, String why) implements OrderEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.broke(this);
        }
    }

    /** A worker was lost that ran the variant, without a word before. */
    record Crashed(Instant at, String worker) implements OrderEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.crashed(this);
        }
    }

    /**
     * What a task makes is news.
     *
     * @param variant whether it runs the variant
     */
    record Rate(Instant at, boolean variant, double elementsPerSecond) implements OrderEvent {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rate(this);
        }
    }
}
