package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.CacheTargets;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.ConsumerLane;
import io.praline.schema.FactsConfirmed;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.PlanSplits;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.ServeConsumers;
import io.praline.schema.StartAttempt;
import io.praline.schema.VerifyVariant;
import io.praline.worker.assignment.WorkerOrders;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.Outboxes;
import io.praline.worker.metrics.AttemptReport.Totals;
import io.praline.worker.metrics.WorkerReporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/** The attempts of this worker, and what the dispatcher wants of them. Commands come by one thread; others may look. */
public final class Attempts implements WorkerOrders {
    /** What a full outbox holds at least; TensorFlow's own buffers lie before it, the client's credits behind it. */
    private static final long OUTBOX_BYTES = 64L << 20;

    private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

    /** Attempts that were fenced are not started again by a command that comes late. */
    private static final int FENCED_REMEMBERED = 10_000;

    private final Outboxes delivery;
    private final Surroundings around;
    private final WorkerReporter reporter;
    private final Aside aside;
    private final Consumer<AttemptRun> starter;
    private final long outboxBytes;
    private final Map<AttemptKey, AttemptRun> runs = new ConcurrentSkipListMap<>();
    private final FencedAttempts remembered;
    private final Map<AttemptKey, Boolean> fenced = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<AttemptKey, Boolean> eldest) {
            return size() > FENCED_REMEMBERED;
        }
    };

    // guarded by this: what attempts made that are not listed any more, and those of them whose threads have not ended
    // yet
    private Totals gone = Totals.NONE;
    private final List<AttemptRun> leaving = new ArrayList<>();

    /**
     * Where commands go that are about no attempt; none of it may block.
     *
     * @param plans to be made
     * @param profiles of pipelines, to be measured
     * @param variants of pipelines, to be tried
     * @param stores how the store of entries is to be divided
     */
    public record Aside(
            Consumer<PlanSplits> plans,
            Consumer<ProfilePipeline> profiles,
            Consumer<VerifyVariant> variants,
            Consumer<CacheTargets> stores) {}

    /** Each attempt works on a thread of its own. */
    public Attempts(Outboxes delivery, Surroundings around, WorkerReporter reporter, Aside aside) {
        this(delivery, around, reporter, aside, AttemptRun::start, OUTBOX_BYTES);
    }

    /**
     * By other means.
     *
     * @param starter has the work of an attempt done that was just made
     * @param outboxBytes what a full outbox holds at least
     */
    Attempts(
            Outboxes delivery,
            Surroundings around,
            WorkerReporter reporter,
            Aside aside,
            Consumer<AttemptRun> starter,
            long outboxBytes) {
        this.starter = starter;
        this.outboxBytes = outboxBytes;
        this.delivery = delivery;
        this.around = around;
        this.reporter = reporter;
        this.remembered = new FencedAttempts(reporter);
        this.aside = aside;
    }

    @Override
    public void plan(PlanSplits plan) {
        aside.plans().accept(plan);
    }

    @Override
    public void profile(ProfilePipeline request) {
        aside.profiles().accept(request);
    }

    @Override
    public void verify(VerifyVariant request) {
        aside.variants().accept(request);
    }

    @Override
    public void divide(CacheTargets targets) {
        aside.stores().accept(targets);
    }

    @Override
    public void start(StartAttempt start) {
        AttemptKey key = new AttemptKey(start.getJob(), start.getEpoch(), start.getAttempt());
        if (runs.containsKey(key) || fenced.containsKey(key)) {
            return;
        }
        Outbox outbox = delivery.open(key, membership(start), outboxBytes);
        AttemptRun run = new AttemptRun(start, around, BatchSink.of(outbox, () -> delivery.end(key)));
        runs.put(key, run);
        reporter.add(run.report());
        starter.accept(run);
    }

    @Override
    public void assign(AssignSplits assign) {
        run(assign.getJob(), assign.getEpoch(), assign.getAttempt()).ifPresent(run -> run.assign(assign));
    }

    @Override
    public void finish(FinishAttempt finish) {
        run(finish.getJob(), finish.getEpoch(), finish.getAttempt()).ifPresent(run -> run.finish(finish));
    }

    @Override
    public void serve(ServeConsumers serve) {
        AttemptKey key = new AttemptKey(serve.getJob(), serve.getEpoch(), serve.getAttempt());
        Membership membership = membership(serve.getMembership(), serve.getLanes());
        Optional.ofNullable(runs.get(key))
                .ifPresentOrElse(run -> run.serve(membership), () -> remembered.serve(key, membership));
    }

    /** For whom an attempt makes batches at first: an older dispatcher only says how many there are. */
    static Membership membership(StartAttempt start) {
        return start.getLanes().isEmpty()
                ? Membership.of(start.getConsumers())
                : membership(start.getMembership(), start.getLanes());
    }

    private static Membership membership(int number, List<ConsumerLane> lanes) {
        return new Membership(
                number,
                lanes.stream()
                        .map(lane -> new Membership.Place(lane.getConsumer(), lane.getGeneration(), lane.getOpen()))
                        .toList());
    }

    @Override
    public void fence(FenceAttempt fence) {
        AttemptKey key = new AttemptKey(fence.getJob(), fence.getEpoch(), fence.getAttempt());
        fenced.put(key, true);
        AttemptRun run = runs.get(key);
        if (run != null) {
            Optional<Outbox> outbox = delivery.find(key);
            run.fence();
            if (fence.getKeepSent() && outbox.isPresent()) {
                remembered.keep(run.report(), outbox.get());
            } else {
                reporter.remove(key);
                outbox.ifPresent(Outbox::forgetSent);
            }
            forget(run);
        } else if (!fence.getKeepSent()) {
            remembered.forget(key);
        }
    }

    @Override
    public void confirm(ConfirmFacts confirm) {
        for (FactsConfirmed each : confirm.getConfirmed()) {
            AttemptKey key = new AttemptKey(each.getJob(), each.getEpoch(), each.getAttempt());
            Optional.ofNullable(runs.get(key))
                    .map(AttemptRun::report)
                    .or(() -> remembered.report(key))
                    .ifPresent(report -> report.confirmed(
                            each.getThrough(), around.nanoTime().getAsLong()));
        }
    }

    private synchronized void forget(AttemptRun run) {
        runs.remove(run.key());
        gone = gone.plus(run.report().totals());
        leaving.removeIf(AttemptRun::isOver);
        leaving.add(run);
    }

    private Optional<AttemptRun> run(String job, int epoch, int attempt) {
        return Optional.ofNullable(runs.get(new AttemptKey(job, epoch, attempt)));
    }

    /** Those that were not fenced. */
    public List<AttemptRun> all() {
        return new ArrayList<>(runs.values());
    }

    /** Those that were fenced and of which it is remembered what they sent. */
    int remembered() {
        return remembered.size();
    }

    /** Whether every attempt has ended, and clients have what it made. */
    public boolean delivered() {
        return runs.values().stream().allMatch(AttemptRun::delivered);
    }

    /** What all attempts made since the start. */
    public synchronized Totals totals() {
        return runs.values().stream().map(run -> run.report().totals()).reduce(gone, Totals::plus);
    }

    /** Bytes made and not yet taken by a client. */
    public long outboxBytes() {
        return runs.values().stream().mapToLong(AttemptRun::outboxBytes).sum();
    }

    /** Stops all of them at once, and waits a moment for their sessions to be closed; those too that were fenced just before. */
    public void stop() {
        runs.values().forEach(AttemptRun::fence);
        long until = System.nanoTime() + STOP_WITHIN.toNanos();
        try {
            for (AttemptRun run : unended()) {
                run.awaitOver(Math.max(0, (until - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All that are listed, and those that were fenced and whose threads have not ended yet. */
    synchronized List<AttemptRun> unended() {
        leaving.removeIf(AttemptRun::isOver);
        List<AttemptRun> unended = new ArrayList<>(leaving);
        unended.addAll(runs.values());
        return unended;
    }
}
