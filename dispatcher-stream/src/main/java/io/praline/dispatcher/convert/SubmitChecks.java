package io.praline.dispatcher.convert;

import static io.praline.dispatcher.convert.Bounds.require;

import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.Submit;
import io.praline.topics.Agreements;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What must hold of a submission. One that breaks a bound is a job that fails with the reason: somebody waits for it. */
final class SubmitChecks {
    /** A graph that lies in the record; larger ones travel by address. It goes on to the planner in a command. */
    private static final int MOST_GRAPH_BYTES = 1 << 20;

    /** Names, globs and settings together; they go with the graph. */
    private static final int MOST_NAMED_BYTES = 512 << 10;

    /** Settings of its policy, which each snapshot in the journal repeats. */
    private static final int MOST_SETTINGS_BYTES = 16 << 10;

    /** Weights are added up and divided by each other. */
    private static final double HEAVIEST = 1e6;

    /** In any currency: what is spent is such a price times workers and hours, and added up. */
    private static final double HIGHEST_PRICE = 1e12;

    /** A price that is not told, as the schema has it. */
    private static final double UNTOLD = -1;

    private SubmitChecks() {}

    static Event.Request event(Instant at, JobRequest request, Submit submit) {
        try {
            check(submit);
            return new Event.Request(at, request.getPool(), request, Optional.empty());
        } catch (IllegalArgumentException wrong) {
            return refused(at, request, submit, wrong.getMessage());
        }
    }

    static Event.Request refused(Instant at, JobRequest request, Submit submit, String why) {
        JobRequest bare = JobRequest.newBuilder(request).setBody(bare(submit)).build();
        return new Event.Request(at, request.getPool(), bare, Optional.of(why));
    }

    private static void check(Submit submit) {
        if (!submit.getTenant().isEmpty()) {
            Bounds.name("tenant", submit.getTenant());
        }
        Bounds.text("pipelineName", submit.getPipelineName());
        Bounds.text("digest", submit.getDigest());
        require(submit.getEpochs() >= 1, "epochs must be at least 1, is " + submit.getEpochs());
        require(
                submit.getConsumers() >= 1 && submit.getConsumers() <= Agreements.MOST_CONSUMERS,
                "consumers must be in 1.." + Agreements.MOST_CONSUMERS + ", is " + submit.getConsumers());
        require(
                submit.getConsumerPatienceSeconds() >= 1,
                "consumerPatienceSeconds must be at least 1, is " + submit.getConsumerPatienceSeconds());
        require(
                submit.getWeight() > 0 && !Double.isInfinite(submit.getWeight()),
                "weight must be above 0, is " + submit.getWeight());
        require(
                submit.getWeight() <= HEAVIEST && submit.getWeight() >= 1 / HEAVIEST,
                "weight must be in 0.000001..1000000, is " + submit.getWeight());
        price("priceStorage", submit.getPriceStorage(), 0);
        price("priceFetch", submit.getPriceFetch(), 0);
        price("clientPerHour", submit.getClientPerHour(), UNTOLD);
        price("remotePerHour", submit.getRemotePerHour(), UNTOLD);
        price("egressPerGb", submit.getEgressPerGb(), UNTOLD);
        require(submit.getTenantCap() >= 0, "tenantCap must be above 0, is " + submit.getTenantCap());
        require(submit.getSkipBad() >= 0, "skipBad must not be negative, is " + submit.getSkipBad());
        require(
                submit.getBatchLimitBytes() >= 0,
                "batchLimitBytes must not be negative, is " + submit.getBatchLimitBytes());
        require(
                submit.getMaxLocal() <= Agreements.MOST_LOCAL_WORKERS,
                "maxLocal must be at most " + Agreements.MOST_LOCAL_WORKERS + ", is " + submit.getMaxLocal());
        require(
                submit.getGraph().remaining() <= MOST_GRAPH_BYTES,
                "a graph of " + submit.getGraph().remaining() + " bytes must travel by address: at most "
                        + MOST_GRAPH_BYTES + " fit");
        Stream<String> named = Stream.concat(
                Stream.of(submit.getGraphAddress().orElse("")),
                Stream.concat(submit.getComponentNames().stream(), submit.getDataGlobs().stream()));
        long bytes = bytes(named);
        require(
                bytes <= MOST_NAMED_BYTES,
                "the names and globs of a job must have at most " + MOST_NAMED_BYTES + " bytes, have " + bytes);
        Stream<String> settings = Stream.concat(
                Stream.of(submit.getPolicy(), submit.getShadow(), submit.getGoal()),
                submit.getPolicySettings().entrySet().stream()
                        .flatMap(setting -> Stream.of(setting.getKey(), setting.getValue())));
        long set = bytes(settings);
        require(
                set <= MOST_SETTINGS_BYTES,
                "a policy's settings must have at most " + MOST_SETTINGS_BYTES + " bytes, have " + set);
    }

    /** What a job cost stays with its tenant, beside what others cost. */
    private static void price(String what, double price, double untold) {
        require(
                price == untold || (price >= 0 && price < Double.POSITIVE_INFINITY),
                what + " must not be negative, is " + price);
        require(price <= HIGHEST_PRICE, what + " must be at most 1000000000000, is " + price);
    }

    private static long bytes(Stream<String> texts) {
        return texts.mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length + 4L)
                .sum();
    }

    /** One of which nothing is known. */
    static Submit unknown() {
        return Submit.newBuilder()
                .setTenant("")
                .setWeight(1)
                .setPipelineName("")
                .setGraph(ByteBuffer.allocate(0))
                .setComponentNames(List.of())
                .setDataGlobs(List.of())
                .setEpochs(1)
                .setSeed(0)
                .setConsumers(1)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .setSkipBad(0)
                .setBatchLimitBytes(0)
                .build();
    }

    /** What is kept of one that is refused. */
    static Submit bare(Submit submit) {
        return Submit.newBuilder(submit)
                .setTenant(Agreements.printable(submit.getTenant()))
                .setPipelineName(Agreements.printable(submit.getPipelineName()))
                .setDigest(Agreements.printable(submit.getDigest()))
                .setGraph(ByteBuffer.allocate(0))
                .setGraphAddress(null)
                .setComponentNames(List.of())
                .setDataGlobs(List.of())
                .setPolicy("")
                .setPolicySettings(Map.of())
                .setShadow("")
                .setGoal("")
                .setConsumers(1)
                .setEpochs(1)
                .build();
    }
}
