package io.praline.deploy.page;

import io.praline.deploy.terminal.JobView;
import io.praline.deploy.terminal.WorkerView;
import io.praline.deploy.terminal.WorkerViews;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.schema.CacheStatus;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.PoolStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerEvent;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the topics told so far, in bounded memory. One thread. */
final class Gathered {
    /** Of those that ended the newest; those that go on are all kept. */
    private static final int MOST_ENDED = 1_000;

    /** A journal may be read before the status of its job: so many are kept of which nothing is known. */
    private static final int MOST_UNKNOWN = 1_000;

    private static final int MOST_QUARANTINED = 200;

    private final SortedMap<String, JobStatus> jobs = new TreeMap<>();
    private final SortedMap<String, JobFigures> figures = new TreeMap<>();
    private final WorkerViews workers = new WorkerViews(ProtocolLimits.USUAL.workerSilence());
    private final SortedMap<String, ScalingTarget> targets = new TreeMap<>();
    private final SortedMap<String, PoolStatus> pools = new TreeMap<>();
    private final SortedMap<String, CacheStatus> caches = new TreeMap<>();
    private final Deque<QuarantinedRecord> quarantine = new ArrayDeque<>();

    void job(String key, Optional<JobStatus> status) {
        put(jobs, key, status);
    }

    void journal(JournalEntry entry) {
        if (!Follower.isOfAPool(entry)) {
            figures.put(
                    entry.getJob(),
                    figures.getOrDefault(entry.getJob(), JobFigures.NONE).then(entry));
        }
    }

    void worker(int partition, WorkerEvent event, long millis) {
        workers.take(partition, event, millis);
    }

    void target(String key, Optional<ScalingTarget> target) {
        put(targets, key, target);
    }

    void pool(String key, Optional<PoolStatus> pool) {
        put(pools, key, pool);
    }

    void cache(String key, Optional<CacheStatus> cache) {
        put(caches, key, cache);
    }

    void quarantined(QuarantinedRecord record) {
        quarantine.addFirst(record);
        if (quarantine.size() > MOST_QUARANTINED) {
            quarantine.removeLast();
        }
    }

    private static <V> void put(SortedMap<String, V> all, String key, Optional<V> value) {
        value.ifPresentOrElse(one -> all.put(key, one), () -> all.remove(key));
    }

    Picture picture(Picture.Source source, List<WorkerView> present, Picture.Lags lags) {
        forget();
        return new Picture(source, jobs, figures, present, targets, pools, caches, lags, List.copyOf(quarantine));
    }

    List<WorkerView> present() {
        return workers.present();
    }

    private void forget() {
        List<String> ended = jobs.values().stream()
                .filter(job -> new JobView(job).ended())
                .sorted(Comparator.comparingLong(JobStatus::getChangedAtMillis).reversed())
                .skip(MOST_ENDED)
                .map(JobStatus::getJob)
                .toList();
        ended.forEach(job -> {
            jobs.remove(job);
            figures.remove(job);
        });
        List<String> unknown =
                figures.keySet().stream().filter(job -> !jobs.containsKey(job)).toList();
        unknown.stream()
                .limit(Math.max(0, unknown.size() - MOST_UNKNOWN))
                .toList()
                .forEach(job -> figures.remove(job));
    }
}
