package io.praline.worker;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Patience;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.TopicAccess;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.Quarantine;
import io.praline.topics.log.TopicWriter;
import io.praline.topics.log.WriterWaits;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.status.StatusServer;
import io.praline.wire.ConsumerToken;
import io.praline.wire.trace.BatchTraces;
import io.praline.worker.assignment.CommandConsumer;
import io.praline.worker.attempt.Attempts;
import io.praline.worker.attempt.Surroundings;
import io.praline.worker.attempt.TaskShare;
import io.praline.worker.attempt.Watchdog;
import io.praline.worker.delivery.DeliveryConfig;
import io.praline.worker.delivery.DeliveryServer;
import io.praline.worker.engine.TensorFlowInference;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.metrics.WorkerReporter;
import io.praline.worker.planning.Planner;
import io.praline.worker.profile.OrderTrials;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.patience.PatientThreads;
import io.praline.worker.storage.stage.Staging;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker: takes commands, plans, runs attempts, delivers batches, beats. */
public final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    /** How long a worker that was asked to leave waits for its clients. */
    private static final Duration DRAIN = Duration.ofSeconds(30);

    private static final Duration LOOK = Duration.ofMillis(50);

    // what else waits in the accept queue costs a few KiB each
    private static final int MAX_CONNECTIONS = 1_024;

    /** Two count, and as many more wait for file systems that do not answer. */
    private static final int MOST_COUNTING = 16;

    /** A beat is worth little when it is late: better to make a new one. */
    private static final WriterWaits WAITS =
            new WriterWaits(Duration.ofSeconds(3), Duration.ofSeconds(3), Duration.ofSeconds(6), Duration.ofSeconds(2));

    private static final TopicAccess ACCESS = new TopicAccess(
            List.of(Topics.WORKER_COMMANDS, Topics.PIPELINES),
            List.of(Topics.WORKER_HEARTBEATS, Topics.SPLITS, Topics.PIPELINES, Topics.QUARANTINE));

    private final String incarnation = UUID.randomUUID().toString();
    private final String host = hostName();
    private final WorkerConfig config;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final CompletableFuture<RuntimeException> failed = new CompletableFuture<>();
    private final DeliveryServer delivery;
    private final WorkerReporter reporter;
    private final Attempts attempts;
    private final Optional<StatusServer> http;
    private Optional<StoreWatch> entries = Optional.empty();
    private volatile boolean ready;
    private boolean closed;

    private Worker(WorkerConfig config, Optional<BatchTraces> traces, CompletableFuture<TensorFlowOps> engine) {
        this.config = config;
        byte[] secret = ConsumerToken.readSecret(config.secretFile());
        try {
            try (TopicAdmin admin = TopicAdmin.connect(config.kafka())) {
                admin.require(ACCESS);
            }
            AvroCodec codec = opened(new AvroCodec(config.kafka()));
            codec.requireReachable();
            codec.register(List.of(Topics.WORKER_HEARTBEATS, Topics.SPLITS, Topics.PIPELINES));
            Quarantine quarantine = opened(new Quarantine(config.kafka(), codec, "worker " + config.id()));
            String name = "praline-worker-" + config.id();
            TopicWriter beats = opened(TopicWriter.open(config.kafka().named(name), codec, WAITS));
            TopicWriter plans = opened(TopicWriter.open(config.kafka().named(name + "-plans"), codec, WAITS));
            delivery = opened(DeliveryServer.start(
                    new DeliveryConfig(config.host(), config.port(), config.unixSocket(), secret, MAX_CONNECTIONS),
                    incarnation));
            PatientThreads counting = opened(new PatientThreads("counting", 2, MOST_COUNTING, System::nanoTime));
            reporter = new WorkerReporter(
                    config.pool(), this::self, beat -> beats.write(Topics.WORKER_HEARTBEATS, config.pool(), beat));
            FileStores stores = new FileStores(config.storage().s3());
            Staging staging = opened(Staging.open(stores, config.storage().stage()));
            entries = config.cache()
                    .map(settings ->
                            opened(StoreWatch.open(settings, config.storage().s3(), incarnation)));
            TensorFlowOps ops = engine.join();
            PipelineLibrary library = new PipelineLibrary(config.pool(), config.kafka(), codec, ops);
            Planner.Identity identity = new Planner.Identity(config.pool(), config.id(), incarnation);
            Planner planner = new Planner(identity, ops, Path.of("").toAbsolutePath(), stores, staging.indexes());
            PlanWork planning = opened(new PlanWork(planner, new PlanWork.ToTopics(library, plans), reporter));
            TaskShare share = TaskShare.of(config.cores(), config.memoryBytes(), config.slots());
            OrderTrials trials = new OrderTrials(
                    identity,
                    ops,
                    new TensorFlowInference(),
                    share.threads(),
                    library,
                    staging,
                    entries.map(StoreWatch::store));
            OrderWork ordering = opened(new OrderWork(config.pool(), trials, new OrderWork.ToTopics(library, plans)));
            attempts = new Attempts(
                    delivery.attempts(),
                    new Surroundings(
                            config.id(),
                            share,
                            library::of,
                            entries.map(StoreWatch::store),
                            counting,
                            reporter::urgent,
                            Surroundings.Graphs.TENSORFLOW,
                            System::nanoTime,
                            staging,
                            traces),
                    reporter,
                    new Attempts.Aside(
                            planning::take,
                            ordering::take,
                            ordering::take,
                            targets -> entries.ifPresent(store -> store.divide(targets))));
            opened(attempts::stop);
            Watchdog watchdog =
                    opened(new Watchdog(attempts, config.stuckAfter(), why -> failed.complete(new WorkerDied(why))));
            CommandConsumer commands = opened(new CommandConsumer(
                    new LogSource(config.kafka().named(name + "-commands"), codec, quarantine::take),
                    new CommandConsumer.CommandFilter(config.id(), incarnation, attempts),
                    failed::complete));
            http = config.httpPort() < 0 ? Optional.empty() : Optional.of(opened(metrics(staging)));
            commands.start();
            reporter.start();
            watchdog.start();
            ready = true;
        } catch (RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    /**
     * Starts, and returns once the first heartbeat is on its way.
     *
     * @throws ServiceUnreachable if Kafka or the registry does not answer within ten seconds, or its topics are missing, or
     *     it may not read and write them
     * @throws IllegalArgumentException if a port is in use
     */
    public static Worker start(WorkerConfig config) {
        return new Worker(config, Optional.empty(), engine());
    }

    /**
     * The same, whose batches' ways are told, and for which a cluster is waited that does not answer.
     *
     * @param traces where to; empty: nowhere
     */
    public static Worker start(WorkerConfig config, Optional<BatchTraces> traces, Patience patience)
            throws InterruptedException {
        CompletableFuture<TensorFlowOps> engine = engine();
        return patience.with(() -> new Worker(config, traces, engine));
    }

    private static CompletableFuture<TensorFlowOps> engine() {
        return CompletableFuture.supplyAsync(EngineStart::warm);
    }

    public String id() {
        return config.id();
    }

    /** UUID of this start. */
    public String incarnation() {
        return incarnation;
    }

    /** Where the channel listens. */
    public List<String> addresses() {
        return delivery.addresses();
    }

    /** Where {@code /metrics} and {@code /ready} are. */
    public OptionalInt httpPort() {
        return http.map(server -> OptionalInt.of(server.port())).orElse(OptionalInt.empty());
    }

    /** Completed with the reason when the worker cannot go on. */
    public CompletableFuture<RuntimeException> failed() {
        return failed.copy();
    }

    /**
     * Leaves in order: tells that it drains, waits until its attempts are finished and delivered (30 s at most), says
     * goodbye, closes.
     */
    public void drain() throws InterruptedException {
        reporter.drain();
        long until = System.nanoTime() + DRAIN.toNanos();
        while (System.nanoTime() < until && !(attempts.delivered() && reporter.allTold()) && !failed.isDone()) {
            Thread.sleep(LOOK.toMillis());
        }
        close();
    }

    /** Leaves at once, with a last beat that says so. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        ready = false;
        reporter.close();
        closeAll();
    }

    private void closeAll() {
        while (!open.isEmpty()) {
            AutoCloseable next = open.pop();
            try {
                next.close();
            } catch (Exception e) {
                LOG.warn("{} did not close in order", next.getClass().getSimpleName(), e);
            }
        }
    }

    private <C extends AutoCloseable> C opened(C closeable) {
        open.push(closeable);
        return closeable;
    }

    private WorkerHeartbeat.Builder self() {
        return WorkerHeartbeat.newBuilder()
                .setWorker(config.id())
                .setIncarnation(incarnation)
                .setCache(entries.flatMap(StoreWatch::news).orElse(null))
                .setHost(host)
                .setAddresses(delivery.addresses())
                .setSlots(config.slots())
                .setCores(config.cores())
                .setMemoryBytes(config.memoryBytes())
                .setLoad(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage())
                .setLocal(config.servesJob().isPresent())
                .setServesJob(config.servesJob().orElse(""));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private StatusServer metrics(Staging staging) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Gauge.builder("praline_worker_attempts", attempts, runs -> runs.all().size())
                .description("Attempts that were started and not fenced")
                .register(registry);
        Gauge.builder("praline_worker_outbox_bytes", attempts, Attempts::outboxBytes)
                .description("Bytes made and not yet taken by a client")
                .register(registry);
        counter(registry, "praline_worker_batches", "Batches made", a -> a.totals()
                .batches());
        counter(registry, "praline_worker_elements", "Elements in them", a -> a.totals()
                .elements());
        counter(registry, "praline_worker_made_bytes", "Bytes in them", a -> a.totals()
                .bytes());
        Gauge.builder("praline_worker_connections", delivery, d -> d.counters().connections())
                .description("Open connections of the channel")
                .register(registry);
        FunctionCounter.builder(
                        "praline_worker_sent_bytes", delivery, d -> d.counters().bytesSent())
                .description("Bytes of frames sent to clients")
                .register(registry);
        FunctionCounter.builder("praline_worker_refused_tokens", delivery, d -> d.counters()
                        .refusedTokens())
                .description("Clients that did not know the secret")
                .register(registry);
        FunctionCounter.builder("praline_worker_malformed_frames", delivery, d -> d.counters()
                        .malformedFrames())
                .description("Connections closed because their bytes were no frames")
                .register(registry);
        Gauge.builder("praline_worker_staged_bytes", staging, Staging::usedBytes)
                .description("Bytes of objects on this worker's disk, or on their way there")
                .register(registry);
        FunctionCounter.builder("praline_worker_fetched_bytes", staging, Staging::fetchedBytes)
                .description("Bytes that came from stores")
                .register(registry);
        FunctionCounter.builder("praline_worker_store_retries", staging, Staging::retries)
                .description("Times that a store was asked again, since it did not answer or broke off")
                .register(registry);
        return StatusServer.start(
                new InetSocketAddress(config.httpHost(), config.httpPort()), registry::scrape, () -> ready);
    }

    private void counter(
            PrometheusMeterRegistry registry, String name, String description, ToDoubleFunction<Attempts> value) {
        FunctionCounter.builder(name, attempts, value).description(description).register(registry);
    }
}
