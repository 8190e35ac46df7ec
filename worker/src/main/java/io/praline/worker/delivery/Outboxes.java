package io.praline.worker.delivery;

import io.praline.identity.AttemptKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The attempts that can be asked for. Any thread. */
public final class Outboxes {
    /** A late client still gets END from an attempt that was delivered; each costs some hundred bytes. */
    private static final int FINISHED_KEPT = 1_024;

    private final Map<AttemptKey, Outbox> open = new HashMap<>();
    private final LinkedHashMap<AttemptKey, Outbox> finished = new LinkedHashMap<>();

    /**
     * Opens an attempt: HELLOs for it are answered from now on; before, they are refused as unknown and the client asks again.
     *
     * @param membership who shares its batches at first
     * @param capacityBytes how much the outbox holds before {@link Outbox#put} waits; never less than two batches
     */
    public Outbox open(AttemptKey attempt, Membership membership, long capacityBytes) {
        Outbox outbox = new Outbox(attempt, membership, capacityBytes);
        open(attempt, outbox);
        return outbox;
    }

    synchronized void open(AttemptKey attempt, Outbox outbox) {
        if (open.putIfAbsent(attempt, outbox) != null) {
            throw new IllegalArgumentException("attempt " + attempt + " is open already");
        }
        finished.remove(attempt);
    }

    public synchronized Optional<Outbox> find(AttemptKey attempt) {
        Outbox outbox = open.get(attempt);
        return Optional.ofNullable(outbox == null ? finished.get(attempt) : outbox);
    }

    /** Takes an attempt out; gives the outbox that must be closed, if what it holds is not wanted any more. */
    synchronized Optional<Outbox> close(AttemptKey attempt) {
        Outbox outbox = open.remove(attempt);
        if (outbox == null || !outbox.delivered()) {
            return Optional.ofNullable(outbox);
        }
        finished.put(attempt, outbox);
        if (finished.size() > FINISHED_KEPT) {
            finished.remove(finished.keySet().iterator().next());
        }
        return Optional.empty();
    }

    /**
     * Fenced, or done: releases all that the attempt holds and ends its channels. An attempt that was delivered still
     * gives END to a client that comes late; what was sent is remembered until {@link Outbox#forgetSent}. Closing twice, or
     * what was never open, is normal.
     */
    public void end(AttemptKey attempt) {
        close(attempt).ifPresent(Outbox::close);
    }

    public synchronized List<AttemptKey> openAttempts() {
        return List.copyOf(open.keySet());
    }
}
