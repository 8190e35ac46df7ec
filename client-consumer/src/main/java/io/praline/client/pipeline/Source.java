package io.praline.client.pipeline;

/** What a pipeline begins with. */
enum Source {
    /** Names of files, which a job's data glob replaces. */
    FILES,
    /** Integers, which the job cuts into ranges. */
    INTEGERS
}
