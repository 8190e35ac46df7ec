package io.praline.dispatcher.turn.rules;

import io.praline.dispatcher.convert.JobTerms;
import io.praline.policy.Policy;
import io.praline.policy.Terms;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolSize;
import io.praline.policy.scaling.Policies;
import io.praline.schema.Submit;
import java.util.Map;
import java.util.Optional;

/**
 * What the dispatcher decides by.
 *
 * @param policy the name of the policy of jobs that name none
 * @param policies that there are
 * @param division who gets which worker
 * @param poolSize how many workers a pool should have
 * @param limits the numbers of the protocol
 */
public record Rules(String policy, Catalog policies, FairShare division, PoolSize poolSize, ProtocolLimits limits) {
    public Rules {
        policies.named(policy, Map.of());
    }

    /** With the policies that everybody has. */
    public Rules(String policy, FairShare division, PoolSize poolSize, ProtocolLimits limits) {
        this(policy, Policies::named, division, poolSize, limits);
    }

    /** Policies by their names. */
    @FunctionalInterface
    public interface Catalog {
        /** As {@link Policies#named}. */
        Policy named(String name, Map<String, String> settings);
    }

    /**
     * The job's policy.
     *
     * @throws IllegalArgumentException naming the policy or parameter that there is not
     */
    public Policy policy(Submit submit) {
        return policies.named(submit.getPolicy().isEmpty() ? policy : submit.getPolicy(), submit.getPolicySettings());
    }

    /**
     * The policy that only looks on, with its usual parameters.
     *
     * @throws IllegalArgumentException naming the policy that there is not
     */
    public Optional<Policy> shadow(Submit submit) {
        return submit.getShadow().isEmpty()
                ? Optional.empty()
                : Optional.of(policies.named(submit.getShadow(), Map.of()));
    }

    /** As {@link JobTerms#of}, in a pool of this size. */
    public Terms terms(Submit submit, PoolSize pool) {
        return JobTerms.of(submit, pool.maximum());
    }

    /** Of a job that was refused or is over: nobody asks it any more. */
    public Policy nobodys() {
        return policies.named(policy, Map.of());
    }
}
