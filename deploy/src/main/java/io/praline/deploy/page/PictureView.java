package io.praline.deploy.page;

import io.praline.deploy.terminal.JobView;
import io.praline.deploy.terminal.KeptView;
import io.praline.deploy.terminal.PoolView;
import io.praline.deploy.terminal.WorkerView;
import io.praline.dispatcher.convert.WaitingFor;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.schema.CacheStatus;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.JobStatus;
import io.praline.schema.PoolStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import io.praline.topics.Topics;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** A picture as objects for JSON: what {@code --json} commands print of the same things, and what the page needs besides. */
record PictureView(Picture picture) {

    /** What is shown, and whether news come. */
    Map<String, Object> source() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("what", picture.source().what());
        object.put("live", picture.source().live());
        object.put("trouble", picture.source().trouble().orElse(null));
        return object;
    }

    List<Map<String, Object>> jobs() {
        return picture.jobs().values().stream().map(this::job).toList();
    }

    /** A job, by its id; empty where there is none. */
    Optional<Map<String, Object>> job(String id) {
        return Optional.ofNullable(picture.jobs().get(id)).map(this::job);
    }

    private Map<String, Object> job(JobStatus status) {
        JobFigures figures = picture.figures().getOrDefault(status.getJob(), JobFigures.NONE);
        Map<String, Object> object = new LinkedHashMap<>(new JobView(status).object());
        object.put("ended", new JobView(status).ended());
        object.put("share", share(status));
        object.put("now", now(status, figures));
        return object;
    }

    /** How much of it is done, 0 to 1: by elements where an epoch is complete, else by splits. */
    static double share(JobStatus status) {
        Optional<EpochProgress> complete =
                status.getProgress().stream().filter(EpochProgress::getComplete).findFirst();
        double all;
        double done;
        if (complete.isPresent() && complete.get().getElements() > 0) {
            all = (double) complete.get().getElements() * status.getEpochs();
            done = status.getProgress().stream()
                    .mapToLong(epoch -> epoch.getConsumed()
                            + epoch.getExcluded().stream()
                                    .mapToLong(Exclusion::getElements)
                                    .sum())
                    .sum();
        } else {
            all = (double) status.getSplits() * status.getEpochs();
            done = status.getProgress().stream()
                    .mapToLong(EpochProgress::getSplitsClosed)
                    .sum();
        }
        return all > 0 ? Math.min(1, done / all) : 0;
    }

    private static Map<String, Object> now(JobStatus status, JobFigures figures) {
        Limit limit = Limit.of(status, figures);
        PolicyState state = figures.state();
        boolean measured = figures.measuredAt().isPresent();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("urgency", limit.urgency().name().toLowerCase(Locale.ROOT));
        object.put("sentence", limit.sentence());
        object.put("advice", limit.advice());
        object.put("commands", limit.commands());
        object.put("change", change(status, state));
        object.put("elementsPerSecond", measured ? figures.elementsPerSecond() : null);
        object.put("waitShare", measured ? figures.waitShare() : null);
        object.put("batchMillis", measured ? figures.batchSeconds() * 1e3 : null);
        object.put(
                "measuredAtMillis",
                figures.measuredAt().map(at -> at.toEpochMilli()).orElse(null));
        object.put("remote", state.granted().remote());
        object.put("local", state.granted().local());
        object.put("wantedRemote", state.wanted().remote());
        object.put("wantedLocal", state.wanted().local());
        object.put("pinned", state.pinned().isPresent());
        object.put("spent", figures.whole() ? state.spending().amount() : null);
        object.put("cap", figures.whole() ? finite(state.terms().cap()) : null);
        object.put("costPerHour", figures.whole() ? state.terms().prices().cost(state.granted(), 3600) : null);
        object.put("goal", figures.whole() ? state.terms().goal().name() : null);
        object.put("decisions", figures.sequence() + 1);
        return object;
    }

    /** What a user may do about it, as the commands to type. */
    private static List<String> change(JobStatus status, PolicyState state) {
        String job = Limit.word(status.getJob());
        String explain = "praline explain " + job;
        if (new JobView(status).ended()) {
            return List.of(explain);
        }
        boolean paused = WaitingFor.PAUSED.is(status.getWaitingFor());
        return List.of(
                explain,
                "praline job " + (paused ? "resume " : "pause ") + job,
                state.pinned().isPresent() ? "praline job unpin " + job : Limit.pin(job, pinnable(state.granted())),
                "praline job cancel " + job);
    }

    private static Target pinnable(Target has) {
        return has.workers() == 0 ? new Target(1, 0) : has;
    }

    private static Double finite(double cap) {
        return cap < Double.POSITIVE_INFINITY ? cap : null;
    }

    List<Map<String, Object>> workers() {
        return picture.workers().stream().map(WorkerView::object).toList();
    }

    List<Map<String, Object>> pools() {
        return picture.pools().values().stream().map(this::pool).toList();
    }

    private Map<String, Object> pool(PoolStatus pool) {
        List<WorkerView> workers = picture.workers().stream()
                .filter(worker ->
                        worker.pool().equals(pool.getPool()) && !worker.beat().getLocal())
                .toList();
        Optional<ScalingTarget> target =
                Optional.ofNullable(picture.targets().get(Topics.scalingSubject(pool.getPool())));
        Map<String, Object> object = new LinkedHashMap<>(new PoolView(pool).object());
        object.put("reason", target.map(ScalingTarget::getReason).orElse(null));
        object.put(
                "decidedAtMillis", target.map(ScalingTarget::getDecidedAtMillis).orElse(null));
        object.put("tasks", workers.stream().mapToInt(WorkerView::tasks).sum());
        object.put(
                "elementsPerSecond",
                workers.stream().mapToDouble(WorkerView::elementsPerSecond).sum());
        return object;
    }

    List<Map<String, Object>> cache() {
        return picture.caches().values().stream()
                .sorted(Comparator.comparingDouble(CacheStatus::getSecondsSaved).reversed())
                .map(group -> new KeptView(group).object())
                .toList();
    }

    Map<String, Object> topics() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("lag", new TreeMap<>(picture.lags().records()));
        object.put("lagUnknown", picture.lags().unknown().orElse(null));
        object.put(
                "quarantine",
                picture.quarantine().stream().map(PictureView::quarantined).toList());
        return object;
    }

    private static Map<String, Object> quarantined(QuarantinedRecord record) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("topic", record.getTopic());
        object.put("partition", record.getPartition());
        object.put("offset", record.getOffset());
        object.put("reason", record.getReason());
        object.put("by", record.getBy());
        object.put("atMillis", record.getAtMillis());
        object.put("bytes", record.getValue().remaining());
        return object;
    }

    /** All of it. */
    Map<String, Object> all() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("source", source());
        object.put("jobs", jobs());
        object.put("workers", workers());
        object.put("pools", pools());
        object.put("topics", topics());
        object.put("cache", cache());
        return object;
    }

    /** What another picture shows that this one, the one before, does not: by the event that tells it. */
    Map<String, Object> changes(Picture next) {
        PictureView now = new PictureView(next);
        Map<String, Object> events = new LinkedHashMap<>();
        if (!picture.source().equals(next.source())) {
            events.put("source", now.source());
        }
        List<Map<String, Object>> changed = next.jobs().values().stream()
                .filter(job -> !job.equals(picture.jobs().get(job.getJob()))
                        || !Objects.equals(
                                picture.figures().get(job.getJob()),
                                next.figures().get(job.getJob())))
                .map(now::job)
                .toList();
        if (!changed.isEmpty()) {
            events.put("jobs", changed);
        }
        List<String> gone = picture.jobs().keySet().stream()
                .filter(job -> !next.jobs().containsKey(job))
                .toList();
        if (!gone.isEmpty()) {
            events.put("gone", gone);
        }
        boolean workers = !picture.workers().equals(next.workers());
        if (workers) {
            events.put("workers", now.workers());
        }
        if (workers
                || !picture.pools().equals(next.pools())
                || !picture.targets().equals(next.targets())) {
            events.put("pools", now.pools());
        }
        if (!picture.caches().equals(next.caches())) {
            events.put("cache", now.cache());
        }
        if (!picture.lags().equals(next.lags()) || !picture.quarantine().equals(next.quarantine())) {
            events.put("topics", now.topics());
        }
        return events;
    }
}
