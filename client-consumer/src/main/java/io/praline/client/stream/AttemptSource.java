package io.praline.client.stream;

import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.schema.AttemptPlace;
import java.util.OptionalLong;

/**
 * One attempt, as this stream reads from it. Owned by the stream's lock.
 *
 * <pre>
 *   delivers --END--&gt; ended --the loop claimed its last frame--&gt; drained
 *   delivers --its channel is lost--&gt; down
 *   delivers --its worker knows a newer generation--&gt; stale, until a status says what that means
 *   any but drained --the job's status fences it--&gt; fenced, for good
 * </pre>
 */
final class AttemptSource {
    private final LaneKey lane;
    private final AttemptPlace place;
    private final long knownSince;

    private long windowBytes;
    private boolean open;
    private long nextSequence;
    private int waitingFrames;
    private boolean ended;
    private boolean fenced;
    private boolean down;
    private boolean stale;
    private OptionalLong staleSinceNanos = OptionalLong.empty();

    /** @param knownSince the number of the status that listed it first */
    AttemptSource(LaneKey lane, AttemptPlace place, long knownSince) {
        this.lane = lane;
        this.place = place;
        this.knownSince = knownSince;
    }

    LaneKey lane() {
        return lane;
    }

    AttemptKey key() {
        return lane.attempt();
    }

    AttemptPlace place() {
        return place;
    }

    long knownSince() {
        return knownSince;
    }

    int epoch() {
        return lane.attempt().epoch();
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

    void fence() {
        fenced = true;
    }

    boolean isFenced() {
        return fenced;
    }

    void down() {
        down = true;
    }

    /** Its worker calls this generation an older one. */
    void refuseAsStale() {
        stale = true;
    }

    /** A status still lists it and says nothing of a newer generation; gives for how long that has been so. */
    long staleNanos(long nowNanos) {
        if (!stale) {
            return 0;
        }
        if (staleSinceNanos.isEmpty()) {
            staleSinceNanos = OptionalLong.of(nowNanos);
        }
        return nowNanos - staleSinceNanos.getAsLong();
    }

    /** Whether more of it is wanted. */
    boolean delivers() {
        return !ended && !fenced && !down;
    }

    /** Whether all that it had for this consumer came, and something of that waits for the loop. */
    boolean hasWaiting() {
        return ended && !fenced && waitingFrames > 0;
    }

    /** Whether all that it had for this consumer came and was claimed. */
    boolean isDrained() {
        return ended && !fenced && waitingFrames == 0;
    }
}
