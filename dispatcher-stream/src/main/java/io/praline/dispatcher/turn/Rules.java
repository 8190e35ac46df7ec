package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.JobTerms;
import io.praline.policy.Policy;
import io.praline.policy.Terms;
import io.praline.policy.placement.FairShare;
import io.praline.policy.placement.PoolSize;
import io.praline.policy.scaling.Policies;
import io.praline.schema.Submit;
import java.util.Map;
import java.util.Optional;

/**
 * What the dispatcher decides by.
 *
 * @param policy the name of the policy of jobs that name none
 * @param division who gets which worker
 * @param poolSize how many workers a pool should have
 * @param limits the numbers of the protocol
 */
public record Rules(String policy, FairShare division, PoolSize poolSize, Limits limits) {
    public Rules {
        Policies.named(policy, Map.of());
    }

    /**
     * The job's policy.
     *
     * @throws IllegalArgumentException naming the policy or parameter that there is not
     */
    Policy policy(Submit submit) {
        return Policies.named(submit.getPolicy().isEmpty() ? policy : submit.getPolicy(), submit.getPolicySettings());
    }

    /**
     * The policy that only looks on, with its usual parameters.
     *
     * @throws IllegalArgumentException naming the policy that there is not
     */
    Optional<Policy> shadow(Submit submit) {
        return submit.getShadow().isEmpty()
                ? Optional.empty()
                : Optional.of(Policies.named(submit.getShadow(), Map.of()));
    }

    /** As {@link JobTerms#of}. */
    Terms terms(Submit submit) {
        return JobTerms.of(submit, poolSize.maximum());
    }

    /** Of a job that was refused or is over: nobody asks it any more. */
    Policy nobodys() {
        return Policies.named(policy, Map.of());
    }
}
