package io.praline.client;

import io.praline.schema.AttemptPlace;
import io.praline.schema.Component;
import io.praline.schema.Confirmation;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Statuses of a job, as a dispatcher would write them. */
public final class StatusOf {
    public static final String JOB = "j";
    public static final String CLIENT = "client-1";
    public static final String SUBMISSION = "digest of what was submitted";

    private JobState state = JobState.RUNNING;
    private String reason = "";
    private FailureKind failure = FailureKind.NONE;
    private String requester = CLIENT;
    private String submission = SUBMISSION;
    private int consumers = 1;
    private Duration lease = Duration.ofSeconds(30);
    private final List<AttemptPlace> attempts = new ArrayList<>();
    private final List<EpochProgress> progress = new ArrayList<>();
    private final List<Confirmation> confirmed = new ArrayList<>();
    private final List<ConsumerSlot> slots = new ArrayList<>();

    public static StatusOf running() {
        return new StatusOf();
    }

    public static StatusOf ended(JobState state, String reason) {
        StatusOf status = new StatusOf();
        status.state = state;
        status.reason = reason;
        return status;
    }

    public StatusOf failure(FailureKind kind) {
        failure = kind;
        return this;
    }

    public StatusOf requester(String other) {
        requester = other;
        return this;
    }

    public StatusOf submission(String digest) {
        submission = digest;
        return this;
    }

    public StatusOf consumers(int number) {
        consumers = number;
        return this;
    }

    public StatusOf attempt(int epoch, int attempt) {
        return place(epoch, attempt, false);
    }

    /** An attempt of a worker on the trainer's own host. */
    public StatusOf local(int epoch, int attempt) {
        attempts.add(new AttemptPlace(
                epoch, attempt, "w" + attempt, "inc-w" + attempt, "host", List.of("tcp://host:1"), true, false));
        return this;
    }

    public StatusOf fenced(int epoch, int attempt) {
        return place(epoch, attempt, true);
    }

    public StatusOf complete(int epoch, long elements) {
        progress.add(new EpochProgress(epoch, elements, elements, List.of(), 1L, true, true, 0L, 0L));
        return this;
    }

    /** An epoch that is not complete. */
    public StatusOf progress(int epoch, boolean delivered) {
        progress.add(new EpochProgress(epoch, 10L, 1L, List.of(), 0L, false, delivered, 0L, 0L));
        return this;
    }

    /** The process of the tests holds this place in the generation of its number, and all its beats are echoed. */
    public StatusOf here(int consumer) {
        return slot(consumer, consumer, ConsumerState.HERE, CLIENT, Long.MAX_VALUE);
    }

    public StatusOf lease(Duration length) {
        lease = length;
        return this;
    }

    /** The process of the tests holds place 0. */
    public StatusOf here(int generation, long beat) {
        return slot(0, generation, ConsumerState.HERE, CLIENT, beat);
    }

    /** The process of the tests holds place 0, and is told whether it is given nothing more. */
    public StatusOf finished(boolean nothingMore) {
        slots.add(new ConsumerSlot(
                0, 0, ConsumerState.HERE, CLIENT, "host", Long.MAX_VALUE, 0L, 0L, nothingMore, List.of(), 0L));
        return this;
    }

    /** Another process than that of the tests holds place 0. */
    public StatusOf taken(int generation) {
        return slot(0, generation, ConsumerState.HERE, "another", 1);
    }

    /** Another process holds place 0, and that of the tests did before it. */
    public StatusOf succeeded(int generation) {
        slots.add(new ConsumerSlot(
                0,
                generation,
                ConsumerState.HERE,
                "another",
                "host-another",
                1L,
                0L,
                0L,
                null,
                List.of("first", CLIENT),
                0L));
        return this;
    }

    public StatusOf slot(int consumer, int generation, ConsumerState state, String incarnation, long beat) {
        slots.add(new ConsumerSlot(
                consumer, generation, state, incarnation, "host-" + incarnation, beat, 0L, 0L, null, List.of(), 0L));
        return this;
    }

    /** So many elements wait for the process of this place, which is gone. */
    public StatusOf inDoubt(int consumer, long elements) {
        slots.add(new ConsumerSlot(
                consumer, consumer, ConsumerState.IN_DOUBT, "gone", "", 1L, elements, 0L, null, List.of(), 0L));
        return this;
    }

    public StatusOf confirmed(long report) {
        confirmed.add(new Confirmation(0, CLIENT, report));
        return this;
    }

    public JobStatus build() {
        return JobStatus.newBuilder()
                .setJob(JOB)
                .setPool("default")
                .setTenant("default")
                .setRequester(requester)
                .setSubmission(submission)
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
                .setSlots(slots)
                .setLeaseMillis((int) lease.toMillis())
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
