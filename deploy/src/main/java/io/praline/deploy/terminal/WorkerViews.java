package io.praline.deploy.terminal;

import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The workers that are there, by what their topic told so far. One thread at a time. */
public final class WorkerViews {
    /** A step between two stamps of a partition that is longer is one of its broker's clock, or nobody could write. */
    private static final long LONGEST_STEP_MILLIS = 2_000;

    private final SortedMap<String, Seen> workers = new TreeMap<>();
    private final Map<Integer, Passed> times = new HashMap<>();
    private final long silenceMillis;

    /** @param silence whoever was not heard of for so long, by log time, is lost */
    public WorkerViews(Duration silence) {
        this.silenceMillis = silence.toMillis();
    }

    /**
     * A worker.
     *
     * @param partition in which it beats
     * @param at how much time had passed there by its last beat
     */
    private record Seen(WorkerView view, int partition, long at) {}

    /**
     * How much time has passed in a partition. Only its own stamps are compared: another broker's clock may be an hour off, and
     * each may be set.
     */
    private record Passed(long stamp, long millis) {
        private Passed to(long next) {
            return new Passed(next, millis + Math.max(0, Math.min(LONGEST_STEP_MILLIS, next - stamp)));
        }
    }

    /**
     * Takes a record.
     *
     * @param partition in which it came
     * @param millis its log time, in milliseconds since 1970
     */
    public void take(int partition, WorkerEvent event, long millis) {
        Passed passed = times.getOrDefault(partition, new Passed(millis, 0)).to(millis);
        times.put(partition, passed);
        if (!(event.getBody() instanceof WorkerHeartbeat beat)) {
            return;
        }
        if (beat.getLeaving()) {
            workers.remove(beat.getWorker());
            return;
        }
        Seen before = workers.get(beat.getWorker());
        WorkerView now = before == null
                ? WorkerView.first(event.getPool(), beat, millis)
                : before.view().then(beat, millis);
        workers.put(beat.getWorker(), new Seen(now, partition, passed.millis()));
    }

    /** Those that were heard of lately, by name: silence is log time, measured by the records of anyone in their partition. */
    public List<WorkerView> present() {
        workers.values().removeIf(seen -> times.get(seen.partition()).millis() - seen.at() > silenceMillis);
        return workers.values().stream().map(Seen::view).toList();
    }
}
