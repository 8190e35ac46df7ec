package io.praline.policy.ordering.course;

import java.util.List;

/** What must now be done for a job's order. */
public sealed interface OrderCommand {

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R profile(Profile sample);

        R verify(Verify variant);

        R run(Run variant);

        R keep(Keep usual);
    }

    /** A worker is to measure the steps. */
    record Profile(int trial) implements OrderCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.profile(this);
        }
    }

    /**
     * The worker that measured is to make a variant and hold it against the user's order.
     *
     * @param sections for each that changes the names of its steps in their new order
     * @param records that were read when it was profiled
     * @param nanos how long that took
     */
    record Verify(int trial, List<List<String>> sections, long records, long nanos) implements OrderCommand {
        public Verify {
            sections = sections.stream().map(List::copyOf).toList();
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.verify(this);
        }
    }

    /**
     * Attempts are to run this variant.
     *
     * @param gain how much faster it is expected to be
     */
    record Run(Variant variant, int fromEpoch, double gain) implements OrderCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.run(this);
        }
    }

    /** Attempts are to run the user's order, from now on and for good. */
    record Keep() implements OrderCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.keep(this);
        }
    }
}
