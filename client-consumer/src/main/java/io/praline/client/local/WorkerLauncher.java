package io.praline.client.local;

/** Starts workers on this host: the edge to the operating system. */
public interface WorkerLauncher {
    /**
     * Starts a worker that works for this job alone, and returns without waiting until it is ready.
     *
     * @param number which of the job's workers on this host, counted from 1; a number is used again when its worker has
     *     ended
     * @throws RuntimeException if it cannot be started; the message says why
     */
    LaunchedWorker start(String job, int number);
}
