package io.praline.worker.attempt;

import io.praline.schema.Guarantee;
import io.praline.schema.StartAttempt;
import io.praline.worker.attempt.input.KnownPipeline;
import java.util.List;

/** The dispatcher's word to begin, as tests need it: they say what is special in it. */
final class Starts {
    private Starts() {}

    /** The first attempt at the first epoch of job {@code j}, for one consumer and without limits. */
    static StartAttempt.Builder of(KnownPipeline known) {
        return of(known.analysis().exactlyOnce() ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE);
    }

    /** The same with this promise. */
    static StartAttempt.Builder of(Guarantee guarantee) {
        return StartAttempt.newBuilder()
                .setJob("j")
                .setEpoch(0)
                .setAttempt(0)
                .setPlan(1)
                .setPipelineDigest("d")
                .setGuarantee(guarantee)
                .setSeed(7)
                .setConsumers(1)
                .setComponentNames(List.of())
                .setOrder(List.of())
                .setSkipBad(0)
                .setBatchLimitBytes(0)
                .setThreads(0)
                .setRamBytes(0);
    }
}
