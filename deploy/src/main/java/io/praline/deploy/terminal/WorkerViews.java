package io.praline.deploy.terminal;

import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The workers that are there, by what their topic told so far. One thread at a time. */
public final class WorkerViews {
    private final SortedMap<String, WorkerView> workers = new TreeMap<>();
    private final long silenceMillis;
    private long newest;

    /** @param silence whoever was not heard of for so long, by log time, is lost */
    public WorkerViews(Duration silence) {
        this.silenceMillis = silence.toMillis();
    }

    /**
     * Takes a record.
     *
     * @param millis its log time, in milliseconds since 1970
     */
    public void take(WorkerEvent event, long millis) {
        newest = Math.max(newest, millis);
        if (!(event.getBody() instanceof WorkerHeartbeat beat)) {
            return;
        }
        if (beat.getLeaving()) {
            workers.remove(beat.getWorker());
            return;
        }
        WorkerView before = workers.get(beat.getWorker());
        workers.put(
                beat.getWorker(),
                before == null ? WorkerView.first(event.getPool(), beat, millis) : before.then(beat, millis));
    }

    /** Those that were heard of lately, by name: silence is log time, measured by the newest record of anyone. */
    public List<WorkerView> present() {
        Collection<WorkerView> all = workers.values();
        all.removeIf(seen -> newest - seen.millis() > silenceMillis);
        return List.copyOf(all);
    }
}
