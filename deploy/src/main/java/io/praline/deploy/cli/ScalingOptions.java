package io.praline.deploy.cli;

import io.praline.client.JobSpec;
import io.praline.deploy.terminal.Within;
import io.praline.policy.scaling.Policies;
import io.praline.topics.Agreements;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** How many workers a job gets, and what they may cost. */
final class ScalingOptions {

    @Option(
            names = "--target",
            paramLabel = "GOAL",
            description = "What the policy makes small: cost, time or balanced (${DEFAULT-VALUE}).")
    private Goal target = Goal.cost;

    @Option(
            names = "--policy",
            paramLabel = "P",
            completionCandidates = PolicyNames.class,
            description = "Which policy scales and places the job (${COMPLETION-CANDIDATES}, or another that the"
                    + " dispatcher has); without it the dispatcher's usual one.")
    private String policy = "";

    @Option(
            names = "--set",
            paramLabel = "K=V",
            description = "A parameter of that policy; can be given several times.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--shadow",
            paramLabel = "P",
            description = "A second policy that sees the same; its decisions are journaled and not carried out.")
    private String shadow = "";

    @Option(names = "--price-client", paramLabel = "P", description = "Price of the trainer's host for an hour.")
    @Within(least = 0)
    private Double clientPrice;

    @Option(
            names = "--price-remote",
            paramLabel = "P",
            description = "Price of a remote worker for an hour, in the same currency.")
    @Within(least = 0)
    private Double remotePrice;

    @Option(
            names = "--price-egress",
            paramLabel = "P",
            description = "Price of a GB (10^9 bytes) from a remote worker to the trainer.")
    @Within(least = 0)
    private Double egressPrice;

    @Option(
            names = "--price-storage",
            paramLabel = "P",
            description = "Price of keeping a GB (10^9 bytes) for an hour, in the same currency (${DEFAULT-VALUE}).")
    @Within(least = 0)
    private double storagePrice;

    @Option(
            names = "--price-fetch",
            paramLabel = "P",
            description = "Price of reading a GB (10^9 bytes) of the data where it lies, such as a bucket's in another"
                    + " region (${DEFAULT-VALUE}).")
    @Within(least = 0)
    private double fetchPrice;

    @Option(names = "--cap", paramLabel = "AMOUNT", description = "The most that the job may spend.")
    @Within(least = 0, more = true)
    private Double cap;

    @Option(
            names = "--max-remote",
            paramLabel = "N",
            description = "The most remote workers; 0: none; without it what the pool has.")
    @Within(least = 0)
    private Integer maxRemote;

    @Option(
            names = "--max-local",
            paramLabel = "N",
            description = "The most workers on this host, started as they are wanted (${DEFAULT-VALUE}).")
    @Within(least = 0, most = Agreements.MOST_LOCAL_WORKERS)
    private int maxLocal;

    /** Those of this build. */
    static final class PolicyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Policies.names().iterator();
        }
    }

    /** As the user says it. */
    enum Goal {
        cost,
        time,
        balanced
    }

    int maxLocal() {
        return maxLocal;
    }

    JobSpec on(JobSpec spec) {
        JobSpec scaled = spec.policy(new JobSpec.PolicyChoice(policy, settings, shadow))
                .goal(
                        switch (target) {
                            case cost -> JobSpec.Goal.COST;
                            case time -> JobSpec.Goal.TIME;
                            case balanced -> JobSpec.Goal.BALANCED;
                        })
                .prices(new JobSpec.Prices(optional(clientPrice), optional(remotePrice), optional(egressPrice)))
                .limits(new JobSpec.Limits(
                        maxRemote == null ? OptionalInt.empty() : OptionalInt.of(maxRemote), maxLocal))
                .priceStorage(storagePrice)
                .priceFetch(fetchPrice);
        return cap == null ? scaled : scaled.cap(cap);
    }

    private static OptionalDouble optional(Double given) {
        return Optional.ofNullable(given).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }
}
