package io.praline.dispatcher.turn.progress;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Processes of workers that were replaced, so that a late beat of one does not bring it back: the newest ten thousand. Those in
 * whose place a worker is that is there are in its row, all others in memory only. A process that left, or was silent, is
 * replaced once another comes by its worker's name: it may come back before. Owned by the stream thread.
 */
public final class Buried {
    private static final int MOST = 10_000;

    private final Set<String> incarnations = Collections.newSetFromMap(new Newest<>());

    /** By pool and worker that is not there: the processes that it had, the last one last. */
    private final Map<String, List<String>> gone = new Newest<>();

    private static final class Newest<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MOST;
        }
    }

    /** The process is never to be taken for a live one again. */
    public void add(String incarnation) {
        incarnations.add(incarnation);
    }

    /**
     * A worker is not there any more.
     *
     * @param replaced the processes in whose place its last one came
     */
    public void gone(String worker, List<String> replaced, String last) {
        List<String> all = new ArrayList<>(replaced);
        all.add(last);
        gone.remove(worker); // the newest are those that went last
        gone.put(worker, all);
    }

    /** A worker comes that was not there: gives the processes that its name had before, and that are replaced by this one. */
    public List<String> comes(String worker, String incarnation) {
        List<String> before = new ArrayList<>(gone.getOrDefault(worker, List.of()));
        gone.remove(worker);
        before.remove(incarnation);
        incarnations.addAll(before);
        return before;
    }

    public boolean has(String incarnation) {
        return incarnations.contains(incarnation);
    }
}
