package io.praline.client;

import io.praline.client.stream.ComponentNames;
import io.praline.client.stream.StreamSettings;
import io.praline.schema.Component;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.util.List;
import java.util.Optional;

/**
 * How the job stands by its newest status, and whether its stream goes on.
 *
 * <pre>
 *   goes on --COMPLETED, or CANCELLED as this process asked--&gt; completed: what is promised to the loop still comes
 *   goes on --FAILED, CANCELLED by others, refused--&gt; failed: the loop's next question says why; it may still leave
 *   goes on --the loop wants nothing more--&gt; left: its next question says that nothing follows
 *   goes on --another process has its place--&gt; superseded: as failed, but the job is not its own to cancel any more
 *   any --the stream is closed--&gt; closed
 * </pre>
 *
 * <p>A stream that does not go on never does again. Owned by the stream's lock.
 */
final class JobFate {
    private final String job;
    private final StreamSettings settings;
    private Optional<JobStatus> status = Optional.empty();
    private Optional<JobFailed> failure = Optional.empty();
    private ComponentNames names = new ComponentNames(List.of());
    private boolean cancelling;
    private boolean completed;
    private boolean over;
    private boolean left;
    private Optional<JobFailed> superseded = Optional.empty();
    private boolean lost;
    private boolean closed;

    JobFate(String job, StreamSettings settings) {
        this.job = job;
        this.settings = settings;
    }

    /** The newest status; empty where none came. */
    Optional<JobStatus> status() {
        return status;
    }

    /** Names of the components of its batches. */
    ComponentNames names() {
        return names;
    }

    boolean goesOn() {
        return !closed && !completed && !left && superseded.isEmpty() && failure.isEmpty();
    }

    boolean isCompleted() {
        return completed;
    }

    boolean isFailed() {
        return failure.isPresent();
    }

    /** Whether the job has ended, and with it its ledger is final. */
    boolean isFinal() {
        return status.map(known -> isFinal(known.getState())).orElse(false);
    }

    /** Whether the job may still be running, and is this process's own. */
    boolean isCancellable() {
        return settings.owner()
                && superseded.isEmpty()
                && !isFinal()
                && status.map(this::isOwn).orElse(failure.isEmpty());
    }

    /** @throws JobFailed if it failed */
    void requireNotFailed() {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /**
     * @throws JobFailed if it failed
     * @throws IllegalStateException if the stream is closed
     */
    void requireOpen() {
        requireNotFailed();
        if (closed) {
            throw new IllegalStateException("the stream of job " + job + " is closed");
        }
    }

    /** Whether it is of this process's job, or of one that was submitted by another with the same spec. */
    private boolean isOwn(JobStatus known) {
        return known.getRequester().equals(settings.incarnation())
                || settings.submission().filter(known.getSubmission()::equals).isPresent();
    }

    /** Takes note of a status; false if it is of a job with another spec by the same id, which is a failure. */
    boolean accepts(JobStatus newest) {
        if (settings.owner() && !isOwn(newest)) {
            fail(FailureKind.REFUSED, SubmissionDigest.otherSpec(job));
            return false;
        }
        status = Optional.of(newest);
        return true;
    }

    /** Goes on, completes or fails as this status says. */
    void follow(JobStatus newest) {
        if (!newest.getComponents().isEmpty()) {
            names = new ComponentNames(
                    newest.getComponents().stream().map(Component::getName).toList());
        }
        // a newer dispatcher makes a place where there is none
        if (newest.getSlots().isEmpty() && newest.getPlan() > 0 && settings.consumer() >= newest.getConsumers()) {
            fail(
                    FailureKind.REFUSED,
                    "it has no consumer " + settings.consumer() + "; it has " + newest.getConsumers()
                            + ", counted from 0");
            return;
        }
        switch (newest.getState()) {
            case PLANNING, WAITING, RUNNING -> {}
            case COMPLETED -> completed = true;
            case FAILED ->
                fail(
                        newest.getFailure() == FailureKind.NONE ? FailureKind.FAILED : newest.getFailure(),
                        newest.getReason());
            case CANCELLED -> {
                if (cancelling) {
                    completed = true;
                } else {
                    fail(FailureKind.NONE, newest.getReason());
                }
            }
        }
    }

    void fail(FailureKind kind, String reason) {
        failure = Optional.of(new JobFailed(job, kind, reason));
    }

    /** Nothing can be learned of the job any more. */
    void lose(RuntimeException cause) {
        lost = true;
        fail(FailureKind.FAILED, String.valueOf(cause.getMessage()));
        failure.get().initCause(cause);
    }

    /** From here on CANCELLED is what was asked for. */
    void cancelling() {
        cancelling = true;
    }

    /** The loop is given nothing more, and others get what it did not take. */
    void leave() {
        left = true;
    }

    boolean hasLeft() {
        return left;
    }

    /** Another process is given this one's share. A loop that was told that nothing follows has had all of it. */
    void supersede(String reason) {
        superseded = Optional.of(JobFailed.superseded(job, reason));
        if (!over) {
            failure = superseded;
        }
    }

    /** @throws JobFailed if another process is given this one's share, also where the loop was told that nothing follows */
    void requireNotSuperseded() {
        if (superseded.isPresent()) {
            throw superseded.get();
        }
    }

    /** Whether others have this process's share, by its own wish or not: it has nothing to say any more. */
    boolean isGone() {
        return left || superseded.isPresent();
    }

    /** Whether it has left, and statuses come that may say so. */
    boolean awaitsConfirmation() {
        return isGone() && !isFinal() && status.isPresent() && !lost;
    }

    /** Whether it failed while the job goes on, as far as is known: what it was given is to go to others. */
    boolean hasFailedAlone() {
        return isFailed() && !isGone() && !isFinal();
    }

    /** The loop is told that nothing follows. */
    void over() {
        over = true;
    }

    /** Whether the loop was told that nothing follows. */
    boolean isOver() {
        return over;
    }

    void close() {
        closed = true;
    }

    private static boolean isFinal(JobState state) {
        return switch (state) {
            case PLANNING, WAITING, RUNNING -> false;
            case COMPLETED, FAILED, CANCELLED -> true;
        };
    }
}
