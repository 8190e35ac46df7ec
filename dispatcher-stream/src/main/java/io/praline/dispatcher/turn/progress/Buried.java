package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.ledger.row.Place;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Processes of workers that were replaced, so that a late beat of one does not bring it back: the newest thousand. In memory
 * only. Owned by the stream thread.
 */
public final class Buried {
    private static final int MOST = 1_000;

    private final Map<String, String> workers = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    /** The process is never to be taken for a live one again. */
    public void add(Place place) {
        workers.put(place.incarnation(), place.worker());
    }

    public boolean has(String incarnation) {
        return workers.containsKey(incarnation);
    }
}
