package io.praline.dispatcher.turn.progress;

import io.praline.identity.AttemptKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one worker told that is in the accounts, and that it need not tell again. In memory only: what is forgotten is told
 * once more, and confirmed then. Owned by the stream thread.
 */
public final class Confirmations {
    /** A command for all that came meanwhile; a worker waits for it for longer before it tells again. */
    private static final Duration EVERY = Duration.ofSeconds(2);

    private final SortedMap<AttemptKey, Integer> due = new TreeMap<>();
    private Instant sent = Instant.EPOCH;

    /** Facts of an attempt came, new ones or such as were confirmed before; all up to and with this number are known. */
    public void due(AttemptKey attempt, int through) {
        due.put(attempt, through);
    }

    /** What is to be confirmed now; nothing while it is not time. */
    public SortedMap<AttemptKey, Integer> take(Instant at) {
        if (due.isEmpty() || at.isBefore(sent.plus(EVERY))) {
            return Collections.emptySortedMap();
        }
        SortedMap<AttemptKey, Integer> now = new TreeMap<>(due);
        due.clear();
        sent = at;
        return now;
    }
}
