package io.praline.dispatcher.turn.rules;

import io.praline.policy.splits.Renewal;
import io.praline.policy.splits.SplitsAhead;
import java.time.Duration;

/**
 * How long, how often, how much: the numbers of the protocol, in log time.
 *
 * @param workerSilence after which a worker is lost
 * @param consumerSilence after which a consumer is lost
 * @param lease how long a consumer hands out batches after it sent the newest beat that was echoed
 * @param repeatAfter time after which a command is sent again that was not seen to arrive
 * @param endedKept time for which an ended job's header is kept
 * @param pastKept time after that for which its id stays taken: as long as the log keeps a record of it
 * @param engineFailures of a job within an hour that are tried again; one more fails it
 * @param room splits that lie ahead of a task
 * @param renewal when an attempt without tickets ends and another goes on
 */
public record ProtocolLimits(
        Duration workerSilence,
        Duration consumerSilence,
        Duration lease,
        Duration repeatAfter,
        Duration endedKept,
        Duration pastKept,
        int engineFailures,
        SplitsAhead room,
        Renewal renewal) {
    /** How much later than it should a process may see that its lease is over. */
    private static final Duration LATE = Duration.ofSeconds(10);

    /** As the protocol has them. */
    public static final ProtocolLimits USUAL = new ProtocolLimits(
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            Duration.ofSeconds(3),
            Duration.ofHours(1),
            Duration.ofDays(31),
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
        if (consumerSilence.compareTo(lease.plus(LATE)) < 0) {
            throw new IllegalArgumentException(
                    "consumerSilence must be longer than the lease by " + LATE + ", is " + consumerSilence);
        }
    }

    /** Time after which a process whose beats are echoed no more can train on nothing that it is given. */
    public Duration formerHeld() {
        return lease.plus(LATE);
    }
}
