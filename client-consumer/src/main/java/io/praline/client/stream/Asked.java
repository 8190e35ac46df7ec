package io.praline.client.stream;

import io.praline.schema.JobRequest;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What a stream asked of the dispatcher for its job and its place, asked again as long as nothing shows that it was heard: a
 * record of a log that lost its end is gone though Kafka took it. A second one of the same process changes nothing.
 */
public final class Asked {
    /** As often as an open job's status is told again. */
    static final long AFTER_NANOS = 5_000_000_000L;

    /** A dispatcher that is away finds a few of them when it comes back, not one for each five seconds. */
    static final long AT_MOST_NANOS = 60_000_000_000L;

    private final List<JobRequest> requests;
    private final JobRequest place;
    private long pauseNanos = AFTER_NANOS;
    private long dueNanos;

    /**
     * @param requests in the order in which they were asked; the last one asks for the place, any other one for the job
     * @param nowNanos when the last of them was
     */
    public Asked(List<JobRequest> requests, long nowNanos) {
        this.requests = List.copyOf(requests);
        this.place = requests.get(requests.size() - 1);
        this.dueNanos = nowNanos + pauseNanos;
    }

    /**
     * What is to be asked again now; how it stands is looked at only when something may be due.
     *
     * @param untold whether nothing at all was told of the job
     * @param outside whether it is told, and knows nothing of this process
     */
    public List<JobRequest> due(BooleanSupplier untold, BooleanSupplier outside, long nowNanos) {
        if (nowNanos < dueNanos) {
            return List.of();
        }
        if (outside.getAsBoolean()) {
            pauseNanos = AFTER_NANOS;
            dueNanos = nowNanos + pauseNanos;
            return List.of(place);
        }
        if (requests.size() > 1 && untold.getAsBoolean()) {
            pauseNanos = Math.min(2 * pauseNanos, AT_MOST_NANOS);
            dueNanos = nowNanos + pauseNanos;
            return requests;
        }
        return List.of();
    }
}
