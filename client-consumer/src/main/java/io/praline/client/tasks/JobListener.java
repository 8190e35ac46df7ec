package io.praline.client.tasks;

import io.praline.schema.JobStatus;
import java.time.Duration;

/** Hears of a job's changes, on the watch's thread, in the order in which the dispatcher wrote them. */
public interface JobListener {
    /** The newest status. */
    void status(JobStatus status);

    /** The watch has ended: nothing more will be heard. */
    void failed(RuntimeException cause);

    /** Called after a look at which something came. */
    default void heard() {}

    /** Called at each look: how long Kafka has not answered. */
    default void silent(Duration time) {}

    /** Called between two looks: whoever can wait for the next one waits here. */
    default void rest() throws InterruptedException {}
}
