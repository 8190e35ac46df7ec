package io.praline.dispatcher.turn.progress;

import io.praline.dispatcher.convert.StatusWriter;
import io.praline.schema.TransformationMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What beats said of a job's attempts. In memory only: the next ones say it again. Owned by the stream thread. */
public final class Beats {
    private final SortedMap<Long, LastBeat> last = new TreeMap<>();
    private final SortedMap<String, TransformationMetrics> finishedMetrics = new TreeMap<>();
    private final List<String> metricOrder = new ArrayList<>();

    /** What the last ones said of an attempt. */
    public LastBeat of(int epoch, int attempt, Instant now) {
        return last.computeIfAbsent(key(epoch, attempt), none -> new LastBeat(now));
    }

    private static long key(int epoch, int attempt) {
        return (long) epoch << Integer.SIZE | attempt;
    }

    /** An attempt is closed: its times are added to those of the ones before. */
    public void forget(int epoch, int attempt) {
        LastBeat closed = last.remove(key(epoch, attempt));
        if (closed != null) {
            for (TransformationMetrics one : closed.metrics()) {
                noteOrder(one);
                finishedMetrics.merge(one.getName(), one, StatusWriter::sum);
            }
        }
    }

    /** Steps have other names from now on: what attempts told until now, and will tell that run already, counts no more. */
    public void anew() {
        finishedMetrics.clear();
        metricOrder.clear();
        last.values().forEach(LastBeat::leaveOutMetrics);
    }

    /** Where the time went, over all attempts, in the order in which transformations were first reported. */
    public List<TransformationMetrics> metrics() {
        Map<String, TransformationMetrics> sums = new TreeMap<>(finishedMetrics);
        for (LastBeat one : last.values()) {
            for (TransformationMetrics metrics : one.metrics()) {
                noteOrder(metrics);
                sums.merge(metrics.getName(), metrics, StatusWriter::sum);
            }
        }
        return metricOrder.stream().filter(sums::containsKey).map(sums::get).toList();
    }

    private void noteOrder(TransformationMetrics metrics) {
        if (!metricOrder.contains(metrics.getName())) {
            metricOrder.add(metrics.getName());
        }
    }
}
