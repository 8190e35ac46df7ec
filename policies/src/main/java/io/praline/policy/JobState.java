package io.praline.policy;

import java.time.Instant;

/**
 * What policies know of one job. What a policy must remember is here, never in the policy.
 *
 * @param splits in one epoch; 0 until it is planned
 * @param singleTask whether only one task may run at a time
 * @param poolWorkers workers of its pool that take new work
 * @param poolSlots their slots together
 * @param wanted workers that the policy last asked for
 * @param granted workers that the pool last gave
 * @param scaledAt when {@code wanted} last changed; {@link Instant#EPOCH} where it never did
 */
public record JobState(
        long splits, boolean singleTask, int poolWorkers, int poolSlots, int wanted, int granted, Instant scaledAt) {
    /** A job of which nothing is known yet. */
    public static final JobState UNKNOWN = new JobState(0, false, 0, 0, 0, 0, Instant.EPOCH);

    public JobState {
        if (splits < 0) {
            throw new IllegalArgumentException("splits must not be negative, is " + splits);
        }
    }

    public boolean planned() {
        return splits > 0;
    }

    /** What is known once this has been seen. Late and repeated observations are normal. */
    public JobState apply(Observation seen) {
        return seen.match(new Observation.Cases<>() {
            @Override
            public JobState planned(Observation.Planned plan) {
                return new JobState(
                        plan.splits(), plan.singleTask(), poolWorkers, poolSlots, wanted, granted, scaledAt);
            }

            @Override
            public JobState poolChanged(Observation.PoolChanged pool) {
                return new JobState(splits, singleTask, pool.workers(), pool.slots(), wanted, granted, scaledAt);
            }

            @Override
            public JobState granted(Observation.Granted grant) {
                return new JobState(splits, singleTask, poolWorkers, poolSlots, wanted, grant.workers(), scaledAt);
            }

            @Override
            public JobState windowClosed(Observation.WindowClosed window) {
                return JobState.this;
            }

            @Override
            public JobState clock(Observation.Clock clock) {
                return JobState.this;
            }
        });
    }

    /** What is known once this has been decided. */
    public JobState apply(Decision decision) {
        JobState state = this;
        for (Command command : decision.commands()) {
            JobState before = state;
            state = command.match(target -> target.workers() == before.wanted
                    ? before
                    : new JobState(
                            splits,
                            singleTask,
                            poolWorkers,
                            poolSlots,
                            target.workers(),
                            before.granted,
                            decision.at()));
        }
        return state;
    }
}
