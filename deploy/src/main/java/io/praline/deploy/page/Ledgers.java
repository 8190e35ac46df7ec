package io.praline.deploy.page;

import io.praline.deploy.terminal.JobFiles;
import io.praline.schema.JobStatus;

/** Where it is read which splits of a job's files are closed. */
interface Ledgers {
    /**
     * What is told of it. May take seconds, and is asked by one thread at a time.
     *
     * @throws io.praline.topics.ServiceUnreachable if the cluster does not answer
     */
    JobFiles of(JobStatus job);
}
