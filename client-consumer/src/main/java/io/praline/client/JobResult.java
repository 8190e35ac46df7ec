package io.praline.client;

import io.praline.schema.EpochProgress;
import io.praline.schema.Guarantee;
import io.praline.schema.JobOrder;
import io.praline.schema.JobState;
import io.praline.schema.TransformationMetrics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What became of a job, as one of its consumers saw it, with the ledger's numbers at its end.
 *
 * @param consumers how many places for consumers the job has
 * @param inDoubt elements that were sent to a consumer that is gone, which others wait for until it came back or is given up
 * @param guaranteeReasons why the job does not promise more
 * @param notes what a distributed run does not keep of what one process yields, and what was found on planning, a line each
 * @param epochs how far each epoch is in the ledger
 * @param missing elements that were neither handed to a loop in this process nor excluded, counted from tickets; empty
 *     where elements are not tracked, or other processes share the job
 * @param duplicates elements handed out more than once, counted from tickets; empty where they are not tracked
 * @param badRecords tolerated bad records, a line each; at most the first 100
 * @param transformations where the time went, in pipeline order
 * @param order in which order steps ran, and why; empty where an older dispatcher does not tell
 * @param cache what was kept of it and read again
 */
public record JobResult(
        String job,
        JobState state,
        int consumers,
        long inDoubt,
        Guarantee guarantee,
        List<String> guaranteeReasons,
        List<String> notes,
        Taken taken,
        Workers workers,
        List<EpochProgress> epochs,
        OptionalLong missing,
        OptionalLong duplicates,
        List<String> badRecords,
        List<TransformationMetrics> transformations,
        Optional<JobOrder> order,
        Cache cache) {

    /**
     * What this consumer's loop took.
     *
     * @param elements over all epochs
     * @param batches what {@code next()} handed out
     * @param bytes as they came over the channel
     * @param seconds from the first batch to the last
     * @param firstBatchMs from the submission to the first batch; 0 where there was none
     * @param endWaitMs from the loop's question after the last batch to the news that the stream is over
     */
    public record Taken(
            long elements, long batches, long bytes, double seconds, double firstBatchMs, double endWaitMs) {}

    /**
     * What was kept and read again.
     *
     * @param hits elements that consumers are done with, all of them, and that came from entries
     * @param why in a sentence; empty where there is nothing to say
     */
    public record Cache(long hits, String why) {}

    /** How many workers served it. */
    public record Workers(int local, int remote) {}

    /**
     * Elements that were given again though a consumer that was lost may have trained on them, over all epochs: no more than
     * so many came twice. Of splits whose records nobody has counted there may be more, which a job's status tells.
     */
    public long possiblyTwice() {
        return epochs.stream().mapToLong(EpochProgress::getPossiblyTwice).sum();
    }

    /** Elements over the time from the first batch to the last; 0 where there was no such time. */
    public double elementsPerSecond() {
        return taken.seconds() > 0 ? taken.elements() / taken.seconds() : 0;
    }

    /** Millions of bytes over the time from the first batch to the last; 0 where there was no such time. */
    public double mbPerSecond() {
        return taken.seconds() > 0 ? taken.bytes() / 1e6 / taken.seconds() : 0;
    }
}
