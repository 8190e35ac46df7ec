package io.praline.client.stream;

import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptPlace;

/**
 * One attempt, as this stream reads from it. Owned by the stream's lock.
 *
 * <pre>
 *   delivers --END--&gt; ended --the loop claimed its last frame--&gt; drained
 *   delivers --its channel is lost--&gt; down
 *   any but drained --the job's status fences it--&gt; fenced, for good
 * </pre>
 */
final class AttemptSource {
    private final AttemptKey key;
    private final AttemptPlace place;
    private final long knownSince;

    private long windowBytes;
    private boolean open;
    private long nextSequence;
    private int waitingFrames;
    private boolean ended;
    private boolean fenced;
    private boolean down;

    /** @param knownSince the number of the status that listed it first */
    AttemptSource(AttemptKey key, AttemptPlace place, long knownSince) {
        this.key = key;
        this.place = place;
        this.knownSince = knownSince;
    }

    AttemptKey key() {
        return key;
    }

    AttemptPlace place() {
        return place;
    }

    long knownSince() {
        return knownSince;
    }

    int epoch() {
        return key.epoch();
    }

    /** Its channel is opened with this window. */
    void open(long bytes) {
        open = true;
        windowBytes = bytes;
    }

    /** Its channel is closed; false if none was open. */
    boolean close() {
        boolean wasOpen = open;
        open = false;
        return wasOpen;
    }

    long windowBytes() {
        return windowBytes;
    }

    /** The number of the frame that is due. */
    long nextSequence() {
        return nextSequence;
    }

    /** The frame that is due came, and waits for the loop. */
    void received() {
        nextSequence++;
        waitingFrames++;
    }

    /** The loop claimed all of a frame. */
    void claimed() {
        waitingFrames--;
    }

    /** What of it waits for the loop is discarded. */
    void discarded() {
        waitingFrames = 0;
    }

    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    void fence() {
        fenced = true;
    }

    boolean isFenced() {
        return fenced;
    }

    void down() {
        down = true;
    }

    /** Whether more of it is wanted. */
    boolean delivers() {
        return !ended && !fenced && !down;
    }

    /** Whether all that it had for this consumer came and was claimed. */
    boolean isDrained() {
        return ended && !fenced && waitingFrames == 0;
    }
}
