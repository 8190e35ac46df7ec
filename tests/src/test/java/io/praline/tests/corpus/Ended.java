package io.praline.tests.corpus;

import io.praline.client.JobFailed;
import io.praline.client.JobResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a loop saw of a job.
 *
 * @param batches how many it took
 * @param failure why the job failed; empty where it did not
 * @param planned whether it had been found to be fit to run
 * @param result what became of it; empty where it failed or was given up
 * @param tasks the most that served one epoch at a time
 * @param epochs how many it ran, as far as is known
 * @param lost whether a worker was killed that served it, and the attempt was seen to be lost
 * @param remarks what else is worth telling, such as a batch of another shape than the job says
 */
record Ended(
        List<ReadRow> rows,
        int batches,
        Optional<JobFailed> failure,
        boolean planned,
        Optional<JobResult> result,
        int tasks,
        int epochs,
        boolean lost,
        Duration time,
        List<String> remarks) {
    Ended {
        rows = List.copyOf(rows);
        remarks = List.copyOf(remarks);
    }
}
