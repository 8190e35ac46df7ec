package io.praline.client;

import io.praline.schema.Submit;
import io.praline.topics.Agreements;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.OptionalDouble;

/** Says to the dispatcher what a job shall do. What is left open there is for the dispatcher to fill in. */
record SubmitWriter(GraphFolder graphs) {
    /**
     * The request for a job, with its digest.
     *
     * @param pool in which it runs
     * @throws JobFailed if its graph is too large for a record, and there is no folder for it
     */
    Submit write(String pool, String job, JobSpec spec) {
        Submit submit = request(job, spec);
        String digest = SubmissionDigest.of(pool, submit, spec.graph().bytes());
        return Submit.newBuilder(submit).setDigest(digest).build();
    }

    private Submit request(String job, JobSpec spec) {
        ProgramDirectory directory = new ProgramDirectory(spec.graph().directory());
        byte[] graph = directory.in(spec.graph().bytes(), !spec.dataGlobs().isEmpty());
        int bytes = spec.graph().bytes().length;
        boolean inline = bytes <= Agreements.INLINE_GRAPH_BYTES;
        return Submit.newBuilder()
                .setTenant(spec.share().tenant())
                .setWeight(spec.share().weight())
                .setPipelineName(spec.graph().name())
                .setGraph(inline ? ByteBuffer.wrap(graph) : ByteBuffer.allocate(0))
                .setGraphAddress(inline ? null : graphs.put(job, bytes, graph))
                .setComponentNames(spec.graph().componentNames())
                .setDataGlobs(directory.absolute(spec.dataGlobs()))
                .setEpochs(spec.visits().epochs())
                .setSeed(spec.visits().seed())
                .setConsumers(spec.visits().consumers())
                .setConsumerPatienceSeconds(
                        (int) spec.visits().consumerPatience().toSeconds())
                .setGuarantee(spec.promise().guarantee())
                .setStrict(spec.promise().strict())
                .setSkipBad(spec.promise().skipBad())
                .setBatchLimitBytes(spec.promise().batchLimitBytes())
                .setPolicy(spec.scaling().policy().name())
                .setPolicySettings(spec.scaling().policy().settings())
                .setShadow(spec.scaling().policy().shadow())
                .setGoal(spec.scaling().goal().name())
                .setClientPerHour(orMinusOne(spec.scaling().prices().clientPerHour()))
                .setRemotePerHour(orMinusOne(spec.scaling().prices().remotePerHour()))
                .setEgressPerGb(orMinusOne(spec.scaling().prices().egressPerGb()))
                .setCap(spec.scaling().cap().orElse(0))
                .setTenantCap(spec.share().tenantCap().orElse(0))
                .setMaxRemote(spec.scaling().limits().maxRemote().orElse(-1))
                .setMaxLocal(spec.scaling().limits().maxLocal())
                .setOrder(spec.promise()
                        .order()
                        .map(order -> order.name().toLowerCase(Locale.ROOT))
                        .orElse(""))
                .setCache(cache(spec.keeping().cache()))
                .setPriceStorage(spec.keeping().storagePerGbHour())
                .setPriceFetch(spec.keeping().fetchedPerGb())
                .build();
    }

    /** Nothing for what is usual, as a client of before there was a word says it. */
    private static String cache(CacheMode mode) {
        return mode == CacheMode.AUTO ? "" : mode.name().toLowerCase(Locale.ROOT);
    }

    /** The schema's word for a price that is not given. */
    private static double orMinusOne(OptionalDouble price) {
        return price.orElse(-1);
    }
}
