package io.praline.worker.assignment;

import io.praline.schema.AssignSplits;
import io.praline.schema.CacheTargets;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.PlanSplits;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.ServeConsumers;
import io.praline.schema.StartAttempt;
import io.praline.schema.VerifyVariant;

/** What the dispatcher may want of this worker. Called by one thread, in the order of the log; must not block. */
public interface WorkerOrders {
    void plan(PlanSplits plan);

    void start(StartAttempt start);

    void assign(AssignSplits assign);

    void finish(FinishAttempt finish);

    void fence(FenceAttempt fence);

    void confirm(ConfirmFacts confirm);

    void serve(ServeConsumers serve);

    void profile(ProfilePipeline request);

    void verify(VerifyVariant request);

    void divide(CacheTargets targets);
}
