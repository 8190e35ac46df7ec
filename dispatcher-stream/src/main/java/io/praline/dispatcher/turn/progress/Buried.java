package io.praline.dispatcher.turn.progress;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Processes of workers that were replaced, so that a late beat of one does not bring it back: the newest thousand. Those in
 * whose place a worker is that is there are in its row, all others in memory only. Owned by the stream thread.
 */
public final class Buried {
    private static final int MOST = 1_000;

    private final Set<String> incarnations = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    });

    /** The process is never to be taken for a live one again. */
    public void add(String incarnation) {
        incarnations.add(incarnation);
    }

    public boolean has(String incarnation) {
        return incarnations.contains(incarnation);
    }
}
