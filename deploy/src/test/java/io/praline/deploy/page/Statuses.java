package io.praline.deploy.page;

import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.TransformationMetrics;
import java.util.List;

/** Statuses and what they are made of, for tests. */
public final class Statuses {
    private Statuses() {}

    public static JobStatus of(String job, JobState state, String waitingFor, String reason) {
        return JobStatus.newBuilder()
                .setJob(job)
                .setPool("default")
                .setTenant("vision")
                .setRequester("r")
                .setPipelineName("images")
                .setPipelineDigest("d")
                .setState(state)
                .setReason(reason)
                .setWaitingFor(waitingFor)
                .setFailure(FailureKind.NONE)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of())
                .setPlan(1)
                .setSplits(8)
                .setEpochs(2)
                .setConsumers(1)
                .setSeed(7)
                .setComponents(List.of())
                .setAttempts(List.of())
                .setProgress(List.of())
                .setConfirmed(List.of())
                .setBadRecords(List.of())
                .setTransformations(List.of())
                .setSubmittedAtMillis(1_000)
                .setChangedAtMillis(2_000)
                .build();
    }

    static JobStatus running(String job) {
        return of(job, JobState.RUNNING, "", "");
    }

    static EpochProgress epoch(int epoch, long elements, long consumed, long closed, boolean complete) {
        return new EpochProgress(epoch, elements, consumed, List.of(), closed, complete, complete, 0L, 0L);
    }

    static TransformationMetrics step(String name, long nanos) {
        return new TransformationMetrics(name, "ParallelMapV2", 100L, 1_000L, nanos);
    }
}
