package io.praline.dispatcher.turn;

import io.praline.policy.splits.Renewal;
import io.praline.policy.splits.SplitsAhead;
import java.time.Duration;

/**
 * How long, how often, how much: the numbers of the protocol, in log time.
 *
 * @param workerSilence after which a worker is lost
 * @param consumerSilence after which a consumer is given up
 * @param repeatAfter time after which a command is sent again that was not seen to arrive
 * @param endedKept time for which an ended job's header is kept
 * @param engineFailures of a job that are tried again; one more fails it
 * @param room splits that lie ahead of a task
 * @param renewal when an attempt without tickets ends and another goes on
 */
public record ProtocolLimits(
        Duration workerSilence,
        Duration consumerSilence,
        Duration repeatAfter,
        Duration endedKept,
        int engineFailures,
        SplitsAhead room,
        Renewal renewal) {
    /** As the protocol has them. */
    public static final ProtocolLimits USUAL = new ProtocolLimits(
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(3),
            Duration.ofHours(1),
            3,
            SplitsAhead.USUAL,
            Renewal.USUAL);

    public ProtocolLimits {
        if (workerSilence.compareTo(Duration.ofSeconds(2)) < 0) {
            throw new IllegalArgumentException(
                    "workerSilence must be at least two beats of a second, is " + workerSilence);
        }
        if (consumerSilence.compareTo(workerSilence) < 0) {
            throw new IllegalArgumentException("consumerSilence must be at least workerSilence, is " + consumerSilence);
        }
    }
}
