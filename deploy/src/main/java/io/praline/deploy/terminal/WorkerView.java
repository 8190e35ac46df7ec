package io.praline.deploy.terminal;

import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.WorkerHeartbeat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A worker's beat and what it did since the one before, as a line for people and as an object for programs.
 *
 * @param millis log time of the beat, in milliseconds since 1970
 * @param elementsPerSecond what its attempts made between the two; 0 until there are two
 */
public record WorkerView(String pool, WorkerHeartbeat beat, long millis, double elementsPerSecond, double mbPerSecond) {
    /** Beats that are sent at once for an event are too close together for a rate. */
    private static final double SHORTEST_SECONDS = 0.5;

    /** Of the first beat that is seen. */
    public static WorkerView first(String pool, WorkerHeartbeat beat, long millis) {
        return new WorkerView(pool, beat, millis, 0, 0);
    }

    /** With the next beat of the same worker. */
    public WorkerView then(WorkerHeartbeat next, long nextMillis) {
        double seconds = (nextMillis - millis) / 1e3;
        if (!next.getIncarnation().equals(beat.getIncarnation())) {
            return first(pool, next, nextMillis);
        }
        if (seconds < SHORTEST_SECONDS) {
            return new WorkerView(pool, next, nextMillis, elementsPerSecond, mbPerSecond);
        }
        double elements = 0;
        double bytes = 0;
        for (AttemptProgress now : next.getAttempts()) {
            for (AttemptProgress then : beat.getAttempts()) {
                if (now.getJob().equals(then.getJob())
                        && now.getEpoch() == then.getEpoch()
                        && now.getAttempt() == then.getAttempt()) {
                    elements += now.getElements() - then.getElements();
                    bytes += now.getBytes() - then.getBytes();
                }
            }
        }
        return new WorkerView(pool, next, nextMillis, elements / seconds, bytes / 1e6 / seconds);
    }

    public static String header() {
        return String.format(
                Locale.ROOT,
                "%-28s %-10s %-9s %-8s %5s %12s %8s  %s",
                "WORKER",
                "POOL",
                "TASKS",
                "STATE",
                "LOAD",
                "ELEMENTS/S",
                "MB/S",
                "JOBS");
    }

    public String row() {
        return String.format(
                Locale.ROOT,
                "%-28s %-10s %-9s %-8s %5.1f %12.0f %8.1f  %s",
                beat.getWorker(),
                pool,
                tasks() + "/" + beat.getSlots(),
                beat.getDraining() ? "draining" : beat.getLocal() ? "local" : "ready",
                beat.getLoad(),
                elementsPerSecond,
                mbPerSecond,
                String.join(", ", jobs()));
    }

    /** Attempts that it runs. */
    public int tasks() {
        return running().size();
    }

    private List<AttemptProgress> running() {
        return beat.getAttempts().stream()
                .filter(attempt ->
                        attempt.getPhase() != AttemptPhase.ENDED && attempt.getPhase() != AttemptPhase.FAILED)
                .toList();
    }

    private List<String> jobs() {
        return running().stream().map(AttemptProgress::getJob).distinct().toList();
    }

    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("worker", beat.getWorker());
        object.put("pool", pool);
        object.put("host", beat.getHost());
        object.put("addresses", List.copyOf(beat.getAddresses()));
        object.put("slots", beat.getSlots());
        object.put("tasks", tasks());
        object.put("cores", beat.getCores());
        object.put("load", beat.getLoad());
        object.put("draining", beat.getDraining());
        object.put("local", beat.getLocal());
        object.put("elementsPerSecond", elementsPerSecond);
        object.put("mbPerSecond", mbPerSecond);
        object.put("jobs", jobs());
        object.put(
                "outboxBytes",
                beat.getAttempts().stream()
                        .mapToLong(AttemptProgress::getOutboxBytes)
                        .sum());
        object.put("beatAtMillis", millis);
        return object;
    }
}
