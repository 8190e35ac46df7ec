package io.praline.worker.delivery;

import io.praline.identity.AttemptKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The attempts that can be asked for. Any thread. */
final class Outboxes {
    /** A late client still gets END from an attempt that was delivered; each costs some hundred bytes. */
    private static final int FINISHED_KEPT = 1_024;

    private final Map<AttemptKey, Outbox> open = new HashMap<>();
    private final LinkedHashMap<AttemptKey, Outbox> finished = new LinkedHashMap<>();

    synchronized void open(AttemptKey attempt, Outbox outbox) {
        if (open.putIfAbsent(attempt, outbox) != null) {
            throw new IllegalArgumentException("attempt " + attempt + " is open already");
        }
        finished.remove(attempt);
    }

    synchronized Optional<Outbox> find(AttemptKey attempt) {
        Outbox outbox = open.get(attempt);
        return Optional.ofNullable(outbox == null ? finished.get(attempt) : outbox);
    }

    /** Takes an attempt out; gives the outbox that must be closed, if what it holds is not wanted any more. */
    synchronized Optional<Outbox> close(AttemptKey attempt) {
        Outbox outbox = open.remove(attempt);
        if (outbox == null || !outbox.delivered()) {
            return Optional.ofNullable(outbox);
        }
        outbox.forgetClosed();
        finished.put(attempt, outbox);
        if (finished.size() > FINISHED_KEPT) {
            finished.remove(finished.keySet().iterator().next());
        }
        return Optional.empty();
    }

    synchronized List<AttemptKey> openAttempts() {
        return List.copyOf(open.keySet());
    }
}
