package io.praline.client;

import io.praline.schema.AttemptPlace;
import io.praline.schema.Component;
import io.praline.schema.Confirmation;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.util.ArrayList;
import java.util.List;

/** Statuses of a job, as a dispatcher would write them. */
final class StatusOf {
    static final String JOB = "j";
    static final String CLIENT = "client-1";

    private JobState state = JobState.RUNNING;
    private String reason = "";
    private FailureKind failure = FailureKind.NONE;
    private String requester = CLIENT;
    private int consumers = 1;
    private final List<AttemptPlace> attempts = new ArrayList<>();
    private final List<EpochProgress> progress = new ArrayList<>();
    private final List<Confirmation> confirmed = new ArrayList<>();

    static StatusOf running() {
        return new StatusOf();
    }

    static StatusOf ended(JobState state, String reason) {
        StatusOf status = new StatusOf();
        status.state = state;
        status.reason = reason;
        return status;
    }

    StatusOf failure(FailureKind kind) {
        failure = kind;
        return this;
    }

    StatusOf requester(String other) {
        requester = other;
        return this;
    }

    StatusOf consumers(int number) {
        consumers = number;
        return this;
    }

    StatusOf attempt(int epoch, int attempt) {
        return place(epoch, attempt, false);
    }

    /** An attempt of a worker on the trainer's own host. */
    StatusOf local(int epoch, int attempt) {
        attempts.add(new AttemptPlace(
                epoch, attempt, "w" + attempt, "inc-w" + attempt, "host", List.of("tcp://host:1"), true, false));
        return this;
    }

    StatusOf fenced(int epoch, int attempt) {
        return place(epoch, attempt, true);
    }

    StatusOf complete(int epoch, long elements) {
        progress.add(new EpochProgress(epoch, elements, elements, List.of(), 1L, true));
        return this;
    }

    StatusOf confirmed(long report) {
        confirmed.add(new Confirmation(0, CLIENT, report));
        return this;
    }

    JobStatus build() {
        return JobStatus.newBuilder()
                .setJob(JOB)
                .setPool("default")
                .setTenant("default")
                .setRequester(requester)
                .setPipelineName("")
                .setPipelineDigest("d")
                .setState(state)
                .setReason(reason)
                .setFailure(failure)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of())
                .setPlan(1)
                .setSplits(1)
                .setEpochs(2)
                .setConsumers(consumers)
                .setSeed(0)
                .setComponents(List.of(new Component("x", "float32", List.of(), true)))
                .setAttempts(attempts)
                .setProgress(progress)
                .setConfirmed(confirmed)
                .setBadRecords(List.of())
                .setTransformations(List.of())
                .setSubmittedAtMillis(0)
                .setChangedAtMillis(0)
                .build();
    }

    private StatusOf place(int epoch, int attempt, boolean fenced) {
        attempts.add(new AttemptPlace(
                epoch, attempt, "w" + attempt, "inc-w" + attempt, "host", List.of("tcp://host:1"), false, fenced));
        return this;
    }
}
