package io.praline.dispatcher.convert;

import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.PlanCompleted;
import io.praline.schema.Submit;
import io.praline.topics.Agreements;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A job as it was asked for, and as its plan turned out: what stays as it is while the job runs.
 *
 * @param requester who submitted it
 * @param plan how its plan was completed; empty before
 */
public record JobOutline(String id, String pool, String requester, Submit submit, Optional<PlanCompleted> plan) {

    /** The job of a submission. */
    public static JobOutline of(JobRequest submission, Optional<PlanCompleted> plan) {
        return new JobOutline(
                submission.getJob(),
                submission.getPool(),
                submission.getRequester(),
                (Submit) submission.getBody(),
                plan);
    }

    public JobOutline planned(PlanCompleted completed) {
        return new JobOutline(id, pool, requester, submit, Optional.of(completed));
    }

    /** Where the graph is not needed any more. */
    public JobOutline withoutGraph() {
        Submit without =
                Submit.newBuilder(submit).setGraph(ByteBuffer.allocate(0)).build();
        return new JobOutline(id, pool, requester, without, plan);
    }

    /** The submission as its requester would send it. */
    public JobRequest submission() {
        return JobRequest.newBuilder()
                .setPool(pool)
                .setJob(id)
                .setRequester(requester)
                .setBody(submit)
                .build();
    }

    /** What it promises: what its pipeline can keep, once that is known. */
    public Guarantee guarantee() {
        return plan.map(PlanCompleted::getGuarantee).orElse(submit.getGuarantee());
    }

    /** Whether its elements carry tickets. */
    public boolean tracked() {
        return guarantee() == Guarantee.EXACTLY_ONCE;
    }

    /** Whose entries its are; a client that says no tenant is one with all that do not. */
    public String tenant() {
        return submit.getTenant().isEmpty() ? Agreements.USUAL_TENANT : submit.getTenant();
    }

    /** Whether only one task may run at a time. */
    public boolean singleTask() {
        return plan.filter(PlanCompleted::getSingleTask).isPresent();
    }

    /** Whether an attempt may end behind any split and another go on, so that a death repeats less. */
    public boolean renewable() {
        return !tracked() && plan.filter(PlanCompleted::getRenewable).isPresent();
    }

    /** Splits in an epoch; 0 until it is planned. */
    public long splits() {
        return plan.map(PlanCompleted::getSplits).orElse(0L);
    }

    /** How many epochs it has: those it asked for, each as often as its pipeline repeats itself. */
    public int epochs() {
        long all =
                (long) submit.getEpochs() * plan.map(PlanCompleted::getEpochs).orElse(1);
        return (int) Math.min(Integer.MAX_VALUE, all);
    }
}
