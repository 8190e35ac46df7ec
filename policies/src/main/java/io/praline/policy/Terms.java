package io.praline.policy;

/**
 * What matters to a job.
 *
 * @param goal what its policy should make small
 * @param prices what it pays
 * @param limits that no target exceeds
 * @param cap the most that it may spend, in the prices' currency; infinite where nobody said
 */
public record Terms(Goal goal, Prices prices, Limits limits, double cap) {
    /** Prices as published for a TPUv2-8 host and an n2-standard-8 worker; local workers only where asked for. */
    public static final Terms USUAL =
            new Terms(Goal.COST, new Prices(4.96, 0.427319, 0), new Limits(100, 0), Double.POSITIVE_INFINITY);

    public Terms {
        if (!(cap > 0)) {
            throw new IllegalArgumentException("cap must be above 0, is " + cap);
        }
    }

    /** What a policy should make small. */
    public enum Goal {
        /** Money for an epoch. */
        COST,
        /** Time for an epoch; of equally fast targets the cheapest. */
        TIME,
        /** Money times time. */
        BALANCED
    }

    /**
     * In one currency.
     *
     * @param clientPerHour the trainer's host, accelerator included
     * @param remotePerHour one remote worker
     * @param egressPerGb 10^9 bytes from a remote worker to the trainer
     */
    public record Prices(double clientPerHour, double remotePerHour, double egressPerGb) {
        private static final double BYTES_PER_GB = 1e9;

        public Prices {
            notNegative("clientPerHour", clientPerHour);
            notNegative("remotePerHour", remotePerHour);
            notNegative("egressPerGb", egressPerGb);
        }

        private static void notNegative(String name, double price) {
            if (!(price >= 0 && price < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(name + " must not be negative, is " + price);
            }
        }

        /** Running with these workers for so long. Egress is apart. */
        public double cost(Target workers, double seconds) {
            return seconds / 3600 * (clientPerHour + workers.remote() * remotePerHour);
        }

        /** So many bytes from remote workers. */
        public double egress(double bytes) {
            return bytes / BYTES_PER_GB * egressPerGb;
        }
    }

    /**
     * Workers at most.
     *
     * @param maxRemote of the pool
     * @param maxLocal on the trainer's host
     */
    public record Limits(int maxRemote, int maxLocal) {
        public Limits {
            if (maxRemote < 0 || maxLocal < 0) {
                throw new IllegalArgumentException(
                        "limits must not be negative, are maxRemote " + maxRemote + " and maxLocal " + maxLocal);
            }
            if (maxRemote == 0 && maxLocal == 0) {
                throw new IllegalArgumentException("maxRemote and maxLocal are both 0: nobody could serve the job");
            }
        }

        public Target cut(Target wanted) {
            return new Target(Math.min(wanted.remote(), maxRemote), Math.min(wanted.local(), maxLocal));
        }
    }
}
