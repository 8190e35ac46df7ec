package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.convert.StatusWriter;
import io.praline.schema.AttemptProgress;
import io.praline.schema.TransformationMetrics;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What beats said of a job's attempts. In memory only: the next ones say it again. Owned by the stream thread. */
public final class Beats {
    private final SortedMap<Long, LastBeat> last = new TreeMap<>();
    private final SortedMap<Long, Waiting> waiting = new TreeMap<>();
    private final SortedMap<String, TransformationMetrics> finishedMetrics = new TreeMap<>();
    private final Set<String> metricOrder = new LinkedHashSet<>();
    private final Map<String, RateMeter.Rest> untold = new HashMap<>();

    /**
     * An attempt that a store keeps waiting.
     *
     * @param why in a line
     */
    public record Waiting(int epoch, int attempt, String why) {}

    /** A beat told of an attempt. */
    public void told(int epoch, int attempt, Instant at, AttemptProgress told) {
        of(epoch, attempt, at).beat(at, told);
        if (told.getWaitsFor().isEmpty()) {
            waiting.remove(key(epoch, attempt));
        } else {
            waiting.put(key(epoch, attempt), new Waiting(epoch, attempt, told.getWaitsFor()));
        }
    }

    /** Those that stores keep waiting, as their last beats said. */
    public Collection<Waiting> waiting() {
        return Collections.unmodifiableCollection(waiting.values());
    }

    /** What the last ones said of an attempt. */
    public LastBeat of(int epoch, int attempt, Instant now) {
        return last.computeIfAbsent(key(epoch, attempt), none -> new LastBeat(now));
    }

    /** What an attempt can make: where those before it on its worker were over too soon to tell, it goes on from there. */
    public RateMeter rate(int epoch, int attempt, String worker, Instant now) {
        LastBeat beat = of(epoch, attempt, now);
        beat.worker(worker);
        RateMeter.Rest rest = beat.rate().told() ? null : untold.remove(worker);
        if (rest != null) {
            beat.rate().goesOn(rest);
        }
        return beat.rate();
    }

    private static long key(int epoch, int attempt) {
        return (long) epoch << Integer.SIZE | attempt;
    }

    /** An attempt is closed: its times are added to those of the ones before. */
    public void forget(int epoch, int attempt) {
        waiting.remove(key(epoch, attempt));
        LastBeat closed = last.remove(key(epoch, attempt));
        if (closed == null) {
            return;
        }
        closed.worker()
                .ifPresent(worker ->
                        closed.rate().rest().ifPresent(rest -> untold.merge(worker, rest, RateMeter.Rest::and)));
        for (TransformationMetrics one : closed.metrics()) {
            metricOrder.add(one.getName());
            finishedMetrics.merge(one.getName(), one, StatusWriter::sum);
        }
    }

    /** How many of so many elements that loops took of an attempt came from entries, as far as was told. */
    public long fromEntries(int epoch, int attempt, long taken) {
        LastBeat known = last.get(key(epoch, attempt));
        return known == null ? 0 : known.fromEntries(taken);
    }

    /** Steps have other names from now on: what attempts told until now, and will tell that run already, counts no more. */
    public void anew() {
        finishedMetrics.clear();
        metricOrder.clear();
        untold.clear();
        last.values().forEach(LastBeat::leaveOutMetrics);
    }

    /** Where the time went, over all attempts, in the order in which transformations were first reported. */
    public List<TransformationMetrics> metrics() {
        Map<String, TransformationMetrics> sums = new TreeMap<>(finishedMetrics);
        for (LastBeat one : last.values()) {
            for (TransformationMetrics metrics : one.metrics()) {
                metricOrder.add(metrics.getName());
                sums.merge(metrics.getName(), metrics, StatusWriter::sum);
            }
        }
        return metricOrder.stream().filter(sums::containsKey).map(sums::get).toList();
    }
}
