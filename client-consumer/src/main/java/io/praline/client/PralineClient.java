package io.praline.client;

import io.praline.client.channel.ChannelPool;
import io.praline.client.local.Incarnations;
import io.praline.client.local.LocalWorkers;
import io.praline.client.local.TargetReports;
import io.praline.client.local.TargetWatch;
import io.praline.client.local.WorkerLauncher;
import io.praline.client.local.WorkerSet;
import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.metrics.ReportLimits;
import io.praline.client.stream.SharedJob;
import io.praline.client.stream.StreamSettings;
import io.praline.client.tasks.ClusterTopics;
import io.praline.client.tasks.JobListener;
import io.praline.client.tasks.JobWatch;
import io.praline.schema.Attach;
import io.praline.schema.Cancel;
import io.praline.schema.FailureKind;
import io.praline.schema.JobRequest;
import io.praline.schema.JobStatus;
import io.praline.schema.Submit;
import io.praline.topics.Agreements;
import io.praline.topics.BoundedText;
import io.praline.topics.Patience;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.wire.ConsumerToken;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A training process's way to Praline: submits jobs, attaches to them, watches them. One is enough for a process. Any
 * thread; its streams are for one thread each.
 */
public final class PralineClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PralineClient.class);

    /** A record that Kafka has not taken by then is written again, which changes nothing where it comes twice. */
    private static final Duration TAKEN_WITHIN = Duration.ofSeconds(10);

    private final ClientConfig config;
    private final byte[] secret;
    private final ClusterTopics topics;
    private final ChannelPool channels = new ChannelPool();
    private final String incarnation = Incarnations.HERE.next();
    private final Optional<WorkerLauncher> launcher;
    private final JobIds ids = new JobIds();
    private final Map<String, SharedJob> shared = new ConcurrentHashMap<>();

    private PralineClient(ClientConfig config, byte[] secret, ClusterTopics topics, Optional<WorkerLauncher> launcher) {
        this.config = config;
        this.secret = secret;
        this.topics = topics;
        this.launcher = launcher;
    }

    /**
     * Connects. A cluster that does not answer is waited for as long as the config has patience, which is said after five
     * seconds.
     *
     * @throws ServiceUnreachable if Kafka or the registry does not answer until then, or topics are missing, or the user may
     *     not read and write them
     * @throws IllegalArgumentException if the secret cannot be read
     */
    public static PralineClient connect(ClientConfig config) {
        return connect(config, Optional.empty(), Patience.of(config.patience()));
    }

    /** As {@link #connect(ClientConfig)}, with a way to start workers on this host ({@link JobSpec#maxLocal}). */
    public static PralineClient connect(ClientConfig config, WorkerLauncher launcher) {
        return connect(config, Optional.of(launcher), Patience.of(config.patience()));
    }

    /** As {@link #connect(ClientConfig, WorkerLauncher)}, with another patience until it is connected. */
    public static PralineClient connect(ClientConfig config, Optional<WorkerLauncher> launcher, Patience patience) {
        byte[] secret = ConsumerToken.readSecret(config.secretFile());
        ClusterTopics topics =
                patiently(patience, () -> ClusterTopics.reach(config.kafka(), config.host(), launcher.isPresent()));
        return new PralineClient(config, secret, topics, launcher);
    }

    private static <T> T patiently(Patience patience, Supplier<T> attempt) {
        try {
            return patience.with(attempt);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private <T> T patiently(Supplier<T> attempt) {
        return patiently(Patience.of(config.patience()), attempt);
    }

    private static IllegalStateException interrupted(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for Kafka", interrupted);
    }

    /**
     * Submits a job and gives the stream of its first consumer at once: what there is to say against the job comes out
     * of {@code hasNext()}. Where the job allows workers on this host, they live as long as the stream does.
     *
     * <p>A job that is there by this id already and was submitted with the same spec is gone on with, in its first consumer's
     * place: what was consumed does not come again. So a program that submits may be started again.
     *
     * @throws JobFailed if the job's id is that of a job that has ended or that was submitted with another spec, or its graph
     *     is too large
     * @throws IllegalArgumentException if it allows local workers and this client has no way to start any
     * @throws ServiceUnreachable if Kafka does not take the request as long as the config has patience
     */
    public BatchStream submit(JobSpec spec) {
        int maxLocal = spec.scaling().limits().maxLocal();
        if (maxLocal > 0 && launcher.isEmpty()) {
            throw new IllegalArgumentException("maxLocal is " + maxLocal
                    + ", but this client cannot start workers: connect it with a launcher, or leave maxLocal 0");
        }
        long submittedNanos = System.nanoTime();
        String job = spec.id().orElseGet(ids::next);
        Submit submit = new SubmitWriter(new GraphFolder(config.sharedDir())).write(config.pool(), job, spec);
        Optional<JobStatus> there = spec.id().flatMap(id -> patiently(() -> status(id)));
        there.ifPresent(known -> SubmissionDigest.requireSame(known, submit));
        // a consumer that comes back, also in the same process, counts its reports from 0 again
        String comer = there.isPresent() ? Incarnations.HERE.next() : incarnation;
        boolean manual = spec.promise().manualAcknowledge();
        StreamSettings settings = new StreamSettings(
                0, comer, Optional.of(submit.getDigest()), manual, config.memoryBytes(), config.lease());
        BatchStream stream = patiently(() -> open(
                job,
                config.pool(),
                settings,
                maxLocal,
                listener -> there.isPresent()
                        ? JobWatch.fromNewest(topics.source(), Optional.of(job), listener)
                        : JobWatch.fromNow(topics.source(), job, listener),
                submittedNanos));
        try {
            List<Object> before = there.isPresent() ? List.of() : List.of(submit);
            Optional<String> dead = Incarnations.HERE.deadHolder(there, 0);
            ask(stream, config.pool(), before, attach(0, comer, submit.getDigest(), dead));
        } catch (RuntimeException failed) {
            stream.leave();
            stream.close();
            throw failed;
        }
        return stream;
    }

    /**
     * As {@link #attach(String, int, boolean)}, where nobody says whether the process that had the place before is alive: what
     * it has and did not acknowledge comes at once where this host shows it dead, else when it can train on it no more.
     */
    public BatchStream attach(String job, int consumer) {
        return attach(job, consumer, false);
    }

    /**
     * Takes a place among a job's consumers: one that nobody has taken yet, one that another process had, which is given
     * nothing more from then on, or a new one by a number that the job does not have.
     *
     * @param consumer counted from 0, below 10,000
     * @param replace whether the process that has the place by the job's newest status is known to be dead: what it had and did
     *     not acknowledge comes at once. One that takes the place in the meantime is not meant
     * @throws JobFailed if there is no such job; if it has ended, that comes out of {@code hasNext()}
     */
    public BatchStream attach(String job, int consumer, boolean replace) {
        return attach(job, consumer, replace, false);
    }

    /** As {@link #attach(String, int)}, for a loop that calls {@link Batch#acknowledge} for each batch. */
    public BatchStream attachManually(String job, int consumer) {
        return attach(job, consumer, false, true);
    }

    private BatchStream attach(String job, int consumer, boolean replace, boolean manual) {
        Agreements.requireConsumer(consumer);
        long submittedNanos = System.nanoTime();
        // the dispatcher may not have said anything yet of a job that was submitted a moment ago
        Optional<JobStatus> known = patiently(() -> status(job));
        if (known.isEmpty() && !shared.containsKey(job)) {
            throw new JobFailed(job, FailureKind.REFUSED, "no job has this id");
        }
        String pool = known.map(JobStatus::getPool).orElse(config.pool());
        String comer = Incarnations.HERE.next();
        StreamSettings settings =
                new StreamSettings(consumer, comer, Optional.empty(), manual, config.memoryBytes(), config.lease());
        BatchStream stream = patiently(() -> open(
                job,
                pool,
                settings,
                0,
                listener -> JobWatch.fromNewest(topics.source(), Optional.of(job), listener),
                submittedNanos));
        try {
            Optional<String> dead =
                    replace ? Incarnations.holder(known, consumer) : Incarnations.HERE.deadHolder(known, consumer);
            ask(stream, pool, List.of(), attach(consumer, comer, "", dead));
        } catch (RuntimeException failed) {
            stream.close();
            throw failed;
        }
        return stream;
    }

    /** @param dead whoever has the place, of whom that is known; another may have it by the time that this is read */
    private Attach attach(int consumer, String comer, String digest, Optional<String> dead) {
        return new Attach(consumer, comer, config.host(), dead.isPresent(), digest, dead.orElse(""));
    }

    /**
     * Cancels a job.
     *
     * @throws JobFailed if there is no such job
     */
    public void cancel(String job, String reason) {
        JobStatus known = status(job).orElseThrow(() -> new JobFailed(job, FailureKind.REFUSED, "no job has this id"));
        ask(known.getPool(), job, new Cancel(BoundedText.reason(reason)), TAKEN_WITHIN);
    }

    /** The job's newest status; empty where no job has this id. */
    public Optional<JobStatus> status(String job) {
        return JobWatch.newest(topics.source(), Optional.of(job)).stream().findFirst();
    }

    /** The newest status of every job that is known, oldest job first. */
    public List<JobStatus> jobs() {
        return JobWatch.newest(topics.source(), Optional.empty());
    }

    /** The newest status of a job and each that follows, on a thread of its own until it is closed. */
    public JobWatch watch(String job, JobListener listener) {
        return JobWatch.fromNewest(topics.source(), Optional.of(job), listener);
    }

    private interface WatchOpening {
        JobWatch open(JobListener listener);
    }

    private BatchStream open(
            String job,
            String pool,
            StreamSettings settings,
            int maxLocal,
            WatchOpening watching,
            long submittedNanos) {
        SharedJob common = shared.computeIfAbsent(job, id -> new SharedJob());
        ConsumerIdentity identity =
                new ConsumerIdentity(pool, job, settings.consumer(), settings.incarnation(), config.host());
        ClusterWait wait = new ClusterWait(
                config.kafka().bootstrap(), job, config.patience(), ZoneId.systemDefault(), System.nanoTime());
        StreamLinks links = new StreamLinks(config, identity, secret, channels, topics.records(), wait);
        ReportLimits limits = new ReportLimits(
                config.reportInterval(),
                ReportLimits.DEFAULT.resendAfter(),
                config.lease(),
                ReportLimits.DEFAULT.reportBytes());
        StreamCore core = new StreamCore(
                job,
                settings,
                new ConsumptionReporter(identity, limits),
                new DemandReporter(identity, config.windows()),
                common.coverage(),
                links);
        // nothing that the loop does would be told any more
        var unused = topics.records().died().thenAccept(core::failed);
        Optional<LocalWorkers> local = Optional.empty();
        JobWatch watch;
        try {
            if (maxLocal > 0) {
                WorkerSet workers =
                        new WorkerSet(maxLocal, number -> launcher.orElseThrow().start(job, number));
                TargetWatch targets = new TargetWatch(topics.source(), Topics.scalingSubject(job, config.host()));
                TargetReports reports = new TargetReports(targets.subject(), incarnation);
                local = Optional.of(
                        new LocalWorkers(targets, workers, reports, came -> topics.report(pool, came), core::failed));
            }
            links.start(core);
            watch = watching.open(new JobListener() {
                @Override
                public void status(JobStatus status) {
                    core.status(status, StreamLinks.now());
                }

                @Override
                public void heard() {
                    wait.heard();
                }

                @Override
                public void silent(Duration time) {
                    wait.look(time, System.nanoTime(), Instant.now()).ifPresent(LOG::warn);
                }

                @Override
                public void failed(RuntimeException cause) {
                    core.failed(cause);
                }

                @Override
                public void rest() throws InterruptedException {
                    links.rest();
                }
            });
        } catch (RuntimeException failed) {
            core.close();
            links.close();
            local.ifPresent(LocalWorkers::close);
            throw failed;
        }
        Runnable stopLocal = local.<Runnable>map(workers -> workers::close).orElse(() -> {});
        common.incarnations().add(settings.incarnation());
        return new BatchStream(
                new BatchStream.Parts(
                        job,
                        settings.consumer(),
                        settings.owner(),
                        core,
                        links,
                        watch,
                        common.coverage(),
                        () -> core.status().filter(common::holdsAll).isPresent(),
                        (reason, within) -> ask(pool, job, new Cancel(reason), within),
                        stopLocal),
                submittedNanos);
    }

    /** Asks for a stream's job, where it is new, and its place; both are asked for again where that is lost. */
    private void ask(BatchStream stream, String pool, List<Object> before, Attach attach) {
        before.forEach(body -> ask(pool, stream.job(), body));
        stream.attaching();
        ask(pool, stream.job(), attach);
        stream.asked(Stream.concat(before.stream(), Stream.of(attach))
                .map(body -> new JobRequest(pool, stream.job(), incarnation, body))
                .toList());
    }

    /** Waits as long as there is patience: that it waits is said by the watch of the job. */
    private void ask(String pool, String job, Object body) {
        try {
            Patience.of(config.patience())
                    .with(
                            () -> {
                                ask(pool, job, body, TAKEN_WITHIN);
                                return job;
                            },
                            said -> {});
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private void ask(String pool, String job, Object body, Duration within) {
        try {
            topics.ask(new JobRequest(pool, job, incarnation, body), within);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    /** Closes what its streams share; streams are closed before it. */
    @Override
    public void close() {
        // what is on its way to Kafka gets its moment, also where the thread was interrupted before
        boolean interrupted = Thread.interrupted();
        try {
            channels.close();
            topics.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
