package io.praline.client.channel;

import io.praline.identity.AttemptKey;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;

/**
 * What happens on a channel. Called on its event loop, so it must not block. After {@code down} or {@code refused} nothing
 * more comes from that channel; after {@link AttemptChannel#close} has returned, at most what was on its way already.
 */
public interface ChannelListener {
    /** A batch came, each sequence once and in order. The listener owns it and closes it. */
    void batch(ReceivedBatch batch);

    /**
     * No batch of this attempt follows, and all have come.
     *
     * @param lastSequence of the last batch for this consumer; -1: there was none
     * @param of what is over with this attempt
     */
    void end(AttemptKey attempt, long lastSequence, EndOf of);

    /** The worker cannot be reached, and redialling did not help. */
    void down(AttemptKey attempt, String reason);

    /** The worker does not want this channel, or its attempt failed. */
    void refused(AttemptKey attempt, RefusalCode code, String reason);
}
