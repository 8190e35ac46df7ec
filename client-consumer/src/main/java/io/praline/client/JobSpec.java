package io.praline.client;

import io.praline.client.pipeline.Pipeline;
import io.praline.schema.Guarantee;
import io.praline.topics.Agreements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What a job shall do. Made by {@link #of} and refined: each method gives a new one.
 *
 * <pre>{@code
 * JobSpec.of(pipeline).named("train").data("/data/train-*.tfrecord").epochs(2).seed(7)
 * }</pre>
 *
 * @param id the job's id; empty: one is made
 * @param graph what its pipeline is
 * @param dataGlobs globs of the files to read, relative ones within the graph's directory; empty: the files that the graph names
 * @param keeping which of its elements are kept
 */
public record JobSpec(
        Optional<String> id,
        PipelineGraph graph,
        List<String> dataGlobs,
        Visits visits,
        Promise promise,
        TenantShare share,
        Scaling scaling,
        Keeping keeping) {

    /**
     * How the data is visited.
     *
     * @param epochs how often; at least 1
     * @param seed decides the order of splits and every random draw that has no seed of its own
     * @param consumers how many training processes share the job; 1 to 10,000
     * @param consumerPatience how long the job waits for a consumer when it has none; then it fails
     */
    public record Visits(int epochs, long seed, int consumers, Duration consumerPatience) {
        public Visits {
            if (epochs < 1) {
                throw new IllegalArgumentException("epochs must be at least 1, is " + epochs);
            }
            if (consumers < 1) {
                throw new IllegalArgumentException("consumers must be at least 1, is " + consumers);
            }
            if (consumers > Agreements.MOST_CONSUMERS) {
                throw new IllegalArgumentException(
                        "consumers must be at most " + Agreements.MOST_CONSUMERS + ", is " + consumers);
            }
            if (consumerPatience.toSeconds() < 1 || consumerPatience.toSeconds() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "consumerPatience must be at least a second, and below 68 years, is " + consumerPatience);
            }
        }
    }

    /** How equal results must be: bit for bit, up to rounding, whatever the published order makes of them; or as written. */
    public enum Order {
        EXACT,
        TOLERANT,
        PECAN,
        OFF
    }

    /**
     * What is expected of the batches.
     *
     * @param guarantee the least that is accepted, where {@code strict}
     * @param strict whether a pipeline that cannot keep the guarantee is refused; else it runs with what it can keep
     * @param skipBad how many records that cannot be processed are tolerated; 0: the first one fails the job
     * @param batchLimitBytes the largest batch that can be taken; 0: no limit but the channel's
     * @param manualAcknowledge whether the loop acknowledges each batch itself, instead of by asking for the next
     * @param order how equal results must be where steps run in another order; empty: the dispatcher's usual one, exact
     */
    public record Promise(
            Guarantee guarantee,
            boolean strict,
            int skipBad,
            long batchLimitBytes,
            boolean manualAcknowledge,
            Optional<Order> order) {
        public Promise {
            if (skipBad < 0) {
                throw new IllegalArgumentException("skipBad must not be negative, is " + skipBad);
            }
            if (batchLimitBytes < 0) {
                throw new IllegalArgumentException("batchLimitBytes must not be negative, is " + batchLimitBytes);
            }
        }
    }

    /** What a policy makes small. */
    public enum Goal {
        COST,
        TIME,
        BALANCED
    }

    /**
     * How many workers it gets, and what they may cost.
     *
     * @param policy which one scales and places it
     * @param goal what that makes small
     * @param cap the most that the job may spend, in the currency of its prices; empty: no cap
     */
    public record Scaling(PolicyChoice policy, Goal goal, Prices prices, Limits limits, OptionalDouble cap) {
        /** The dispatcher's usual policy and prices, the pool's limits, and no worker on the trainer's host. */
        static final Scaling USUAL = new Scaling(
                new PolicyChoice("", Map.of(), ""),
                Goal.COST,
                new Prices(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty()),
                new Limits(OptionalInt.empty(), 0),
                OptionalDouble.empty());

        public Scaling {
            cap.ifPresent(most -> {
                if (!(most > 0) || Double.isInfinite(most)) {
                    throw new IllegalArgumentException("the cap must be above 0 and finite, is " + most);
                }
            });
        }
    }

    /**
     * A policy by name; whether there is one, the dispatcher knows.
     *
     * @param name empty: the dispatcher's usual one
     * @param settings its parameters that differ from their usual values
     * @param shadow a second policy, whose decisions are journaled without being carried out; empty: none
     */
    public record PolicyChoice(String name, Map<String, String> settings, String shadow) {
        public PolicyChoice {
            settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        }
    }

    /**
     * Prices in one currency; what is empty is what the dispatcher takes for usual.
     *
     * @param clientPerHour of the trainer's host
     * @param remotePerHour of a remote worker
     * @param egressPerGb of 10^9 bytes from a remote worker to the trainer
     */
    public record Prices(OptionalDouble clientPerHour, OptionalDouble remotePerHour, OptionalDouble egressPerGb) {
        public Prices {
            clientPerHour.ifPresent(price -> Keeping.requirePrice("of the client's host", price));
            remotePerHour.ifPresent(price -> Keeping.requirePrice("of a remote worker", price));
            egressPerGb.ifPresent(price -> Keeping.requirePrice("of a GB of egress", price));
        }
    }

    /**
     * How many workers it may have.
     *
     * @param maxRemote of its pool; empty: no limit but the pool's
     * @param maxLocal on the trainer's own host
     */
    public record Limits(OptionalInt maxRemote, int maxLocal) {
        public Limits {
            if (maxRemote.isPresent() && maxRemote.getAsInt() < 0) {
                throw new IllegalArgumentException("maxRemote must not be negative, is " + maxRemote.getAsInt());
            }
            if (maxLocal < 0) {
                throw new IllegalArgumentException("maxLocal must not be negative, is " + maxLocal);
            }
            if (maxLocal == 0 && maxRemote.isPresent() && maxRemote.getAsInt() == 0) {
                throw new IllegalArgumentException(
                        "maxRemote and maxLocal are both 0, so that no worker could ever serve the job: allow some of either");
            }
        }
    }

    public JobSpec {
        id.ifPresent(given -> {
            if (!given.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
                throw new IllegalArgumentException(
                        "a job id must be 1 to 100 letters, digits, '.', '_' or '-', is '" + given + "'");
            }
        });
        dataGlobs = List.copyOf(dataGlobs);
    }

    /** One epoch of a serialised GraphDef over the files that it names, for one consumer, each element exactly once. */
    public static JobSpec of(byte[] graph) {
        return new JobSpec(
                Optional.empty(),
                new PipelineGraph("", graph, List.of(), Path.of("")),
                List.of(),
                new Visits(1, 0, 1, Duration.ofMinutes(10)),
                new Promise(Guarantee.EXACTLY_ONCE, false, 0, 0, false, Optional.empty()),
                new TenantShare(Agreements.USUAL_TENANT, 1, OptionalDouble.empty()),
                Scaling.USUAL,
                Keeping.USUAL);
    }

    /** As {@link #of(byte[])}, for a pipeline built here, whose components have names. */
    public static JobSpec of(Pipeline pipeline) {
        return of(pipeline.graph()).components(pipeline.componentNames());
    }

    public JobSpec id(String given) {
        return new JobSpec(Optional.of(given), graph, dataGlobs, visits, promise, share, scaling, keeping);
    }

    /** What people call the pipeline. */
    public JobSpec named(String name) {
        return with(new PipelineGraph(name, graph.bytes(), graph.componentNames(), graph.directory()));
    }

    /** Names of the components of its elements, in the graph's order. */
    public JobSpec components(List<String> names) {
        return with(new PipelineGraph(graph.name(), graph.bytes(), names, graph.directory()));
    }

    /**
     * The folder against which relative names of files are read, those of the data and those in the graph; this process's own,
     * where nobody says.
     */
    public JobSpec directory(Path directory) {
        return with(new PipelineGraph(graph.name(), graph.bytes(), graph.componentNames(), directory));
    }

    /** Globs of the files to read, where workers see them; relative ones are within {@link #directory}. */
    public JobSpec data(String... globs) {
        return new JobSpec(id, graph, List.of(globs), visits, promise, share, scaling, keeping);
    }

    public JobSpec epochs(int epochs) {
        return with(new Visits(epochs, visits.seed(), visits.consumers(), visits.consumerPatience()));
    }

    public JobSpec seed(long seed) {
        return with(new Visits(visits.epochs(), seed, visits.consumers(), visits.consumerPatience()));
    }

    /** How many training processes share the job: this one is number 0, the others attach. */
    public JobSpec consumers(int consumers) {
        return with(new Visits(visits.epochs(), visits.seed(), consumers, visits.consumerPatience()));
    }

    /** How long the job waits for a consumer when it has none, in whole seconds; ten minutes where nobody says. */
    public JobSpec consumerPatience(Duration patience) {
        return with(new Visits(visits.epochs(), visits.seed(), visits.consumers(), patience));
    }

    /**
     * What is expected of each element.
     *
     * @param strict whether a pipeline that cannot keep it is refused
     */
    public JobSpec guarantee(Guarantee guarantee, boolean strict) {
        Promise old = promise;
        return with(new Promise(
                guarantee, strict, old.skipBad(), old.batchLimitBytes(), old.manualAcknowledge(), old.order()));
    }

    /** How many records that cannot be processed are tolerated. */
    public JobSpec skipBad(int records) {
        Promise old = promise;
        return with(new Promise(
                old.guarantee(), old.strict(), records, old.batchLimitBytes(), old.manualAcknowledge(), old.order()));
    }

    public JobSpec batchLimitBytes(long bytes) {
        Promise old = promise;
        return with(
                new Promise(old.guarantee(), old.strict(), old.skipBad(), bytes, old.manualAcknowledge(), old.order()));
    }

    /** The loop calls {@link Batch#acknowledge} for each batch. */
    public JobSpec manualAcknowledge() {
        Promise old = promise;
        return with(
                new Promise(old.guarantee(), old.strict(), old.skipBad(), old.batchLimitBytes(), true, old.order()));
    }

    /** How equal results must be where steps run in another order than they were written; exact, where nobody says. */
    public JobSpec order(Order order) {
        Promise old = promise;
        Optional<Order> given = Optional.of(order);
        return with(new Promise(
                old.guarantee(), old.strict(), old.skipBad(), old.batchLimitBytes(), old.manualAcknowledge(), given));
    }

    public JobSpec tenant(String tenant) {
        return with(new TenantShare(tenant, share.weight(), share.tenantCap()));
    }

    public JobSpec weight(double weight) {
        return with(new TenantShare(share.tenant(), weight, share.tenantCap()));
    }

    /** As {@link TenantShare#tenantCap()}. */
    public JobSpec tenantCap(double amount) {
        return with(new TenantShare(share.tenant(), share.weight(), OptionalDouble.of(amount)));
    }

    /** What its policy makes small; cost, where nobody says. */
    public JobSpec goal(Goal goal) {
        return with(new Scaling(scaling.policy(), goal, scaling.prices(), scaling.limits(), scaling.cap()));
    }

    /** Which policy scales and places it. */
    public JobSpec policy(PolicyChoice policy) {
        return with(new Scaling(policy, scaling.goal(), scaling.prices(), scaling.limits(), scaling.cap()));
    }

    /** As {@link #policy(PolicyChoice)}, with the parameters that are usual. */
    public JobSpec policy(String name) {
        return policy(new PolicyChoice(name, Map.of(), ""));
    }

    public JobSpec prices(Prices prices) {
        return with(new Scaling(scaling.policy(), scaling.goal(), prices, scaling.limits(), scaling.cap()));
    }

    /**
     * Prices for an hour.
     *
     * @param client of the trainer's host
     * @param remote of a remote worker
     */
    public JobSpec prices(double client, double remote) {
        return prices(new Prices(
                OptionalDouble.of(client),
                OptionalDouble.of(remote),
                scaling.prices().egressPerGb()));
    }

    public JobSpec limits(Limits limits) {
        return with(new Scaling(scaling.policy(), scaling.goal(), scaling.prices(), limits, scaling.cap()));
    }

    /** The most workers of its pool; 0, where local ones are allowed already: only the trainer's own host works for it. */
    public JobSpec maxRemote(int workers) {
        return limits(new Limits(OptionalInt.of(workers), scaling.limits().maxLocal()));
    }

    /** The most workers on the trainer's own host: a client that was connected with a launcher starts them. */
    public JobSpec maxLocal(int workers) {
        return limits(new Limits(scaling.limits().maxRemote(), workers));
    }

    /** The most that the job may spend, in the currency of its prices. */
    public JobSpec cap(double amount) {
        return with(new Scaling(
                scaling.policy(), scaling.goal(), scaling.prices(), scaling.limits(), OptionalDouble.of(amount)));
    }

    /** Which elements are kept and read again; what pays, where nobody says. */
    public JobSpec cache(CacheMode cache) {
        return with(new Keeping(cache, keeping.storagePerGbHour(), keeping.fetchedPerGb()));
    }

    /** Price of keeping 10^9 bytes for an hour, in the currency of the other prices; nothing, where nobody says. */
    public JobSpec priceStorage(double price) {
        return with(new Keeping(keeping.cache(), price, keeping.fetchedPerGb()));
    }

    /**
     * Price of reading 10^9 bytes of the data where they lie, such as a bucket's in another region, in the currency of the other
     * prices; nothing, where nobody says.
     */
    public JobSpec priceFetch(double price) {
        return with(new Keeping(keeping.cache(), keeping.storagePerGbHour(), price));
    }

    private JobSpec with(Keeping other) {
        return new JobSpec(id, graph, dataGlobs, visits, promise, share, scaling, other);
    }

    private JobSpec with(Scaling other) {
        return new JobSpec(id, graph, dataGlobs, visits, promise, share, other, keeping);
    }

    private JobSpec with(PipelineGraph other) {
        return new JobSpec(id, other, dataGlobs, visits, promise, share, scaling, keeping);
    }

    private JobSpec with(Visits other) {
        return new JobSpec(id, graph, dataGlobs, other, promise, share, scaling, keeping);
    }

    private JobSpec with(TenantShare other) {
        return new JobSpec(id, graph, dataGlobs, visits, promise, other, scaling, keeping);
    }

    private JobSpec with(Promise other) {
        return new JobSpec(id, graph, dataGlobs, visits, other, share, scaling, keeping);
    }
}
