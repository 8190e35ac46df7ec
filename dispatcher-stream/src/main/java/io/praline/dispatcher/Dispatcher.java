package io.praline.dispatcher;

import io.praline.topics.Agreements;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.TopicAdmin;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.status.StatusServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running dispatcher. */
public final class Dispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** Kafka Streams adds it to the time of day. */
    private static final Duration FOR_EVER = Duration.ofDays(3_650);

    private static final Duration ORDERLY_END = Duration.ofSeconds(10);

    /** What Kafka Streams adds to an instance's name for its only thread. */
    private static final String FIRST_THREAD = "-1";

    private final DispatcherConfig config;
    private final KafkaStreams streams;
    private final AvroCodec codec;
    private final Optional<StatusServer> status;
    private final StartWatch watch;
    private final CountDownLatch running;
    private final CompletableFuture<Void> ended;

    private Dispatcher(
            DispatcherConfig config,
            KafkaStreams streams,
            AvroCodec codec,
            Optional<StatusServer> status,
            StartWatch watch,
            CountDownLatch running,
            CompletableFuture<Void> ended) {
        this.config = config;
        this.streams = streams;
        this.codec = codec;
        this.status = status;
        this.watch = watch;
        this.running = running;
        this.ended = ended;
    }

    /**
     * Creates topics that are missing, where it may, and starts; gives the dispatcher before it is ready.
     *
     * @throws ServiceUnreachable if Kafka or the registry does not answer within ten seconds, or its topics are missing, or
     *     it may not read and write them
     * @throws IllegalStateException if the inputs' numbers of partitions differ
     * @throws java.io.UncheckedIOException if it cannot listen on its HTTP port
     */
    public static Dispatcher start(DispatcherConfig config) {
        int partitions;
        try (TopicAdmin admin = TopicAdmin.connect(config.kafka())) {
            admin.createAllowed();
            admin.require(DispatchTopology.access());
            partitions = admin.inputPartitions();
        }
        AvroCodec codec = new AvroCodec(config.kafka());
        DispatcherMetrics metrics = new DispatcherMetrics();
        Optional<StatusServer> status = Optional.empty();
        try {
            codec.requireReachable();
            codec.register(DispatchTopology.outputs());
            Topology topology = DispatchTopology.of(codec, partitions, config.rules(), metrics);
            CountDownLatch running = new CountDownLatch(1);
            CompletableFuture<Void> ended = new CompletableFuture<>();
            StreamsConfig settings = new StreamsConfig(properties(config));
            KafkaStreams streams = new KafkaStreams(
                    topology, settings, new WatchedClients(settings.getKafkaClientSupplier(), why -> died(why, ended)));
            streams.setStateListener((now, before) -> {
                if (now == KafkaStreams.State.RUNNING) {
                    running.countDown();
                } else if (now == KafkaStreams.State.ERROR) {
                    ended.completeExceptionally(new IllegalStateException("the dispatcher's stream has failed"));
                } else if (now == KafkaStreams.State.NOT_RUNNING) {
                    ended.complete(null);
                }
            });
            streams.setUncaughtExceptionHandler(failed -> answer(config.kafka(), failed, ended));
            if (config.httpPort() >= 0) {
                status = Optional.of(StatusServer.start(
                        new InetSocketAddress(config.httpHost(), config.httpPort()),
                        metrics::scrape,
                        () -> streams.state() == KafkaStreams.State.RUNNING));
            }
            RestoreWatch restore = new RestoreWatch(System::nanoTime);
            streams.setGlobalStateRestoreListener(restore);
            streams.start();
            StartWatch watch = new StartWatch(
                    config.kafka(),
                    config.changelog(),
                    () -> streams.state() == KafkaStreams.State.RUNNING,
                    () -> answers(streams),
                    restore);
            return new Dispatcher(config, streams, codec, status, watch, running, ended);
        } catch (RuntimeException failed) {
            status.ifPresent(StatusServer::close);
            codec.close();
            throw failed;
        }
    }

    /** What reaches no service is tried again by a new thread; whatever else goes wrong stops the dispatcher, loudly. */
    static StreamThreadExceptionResponse answer(KafkaSettings kafka, Throwable failed, CompletableFuture<Void> ended) {
        if (ServiceUnreachable.isRefusal(failed)) {
            ended.completeExceptionally(ServiceUnreachable.kafka(kafka, failed));
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        Optional<Throwable> away = away(failed);
        if (away.isPresent()) {
            LOG.warn("trying again: {}", ServiceUnreachable.oneLine(away.get()));
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        if (failed instanceof MissingSourceTopicException) {
            ended.completeExceptionally(new ServiceUnreachable(
                    "Kafka at " + kafka.bootstrap() + " has lost topics: " + ServiceUnreachable.oneLine(failed)
                            + "; start it again, which makes them anew, and empty",
                    failed));
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        LOG.error("the dispatcher stops", failed);
        ended.completeExceptionally(failed);
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    /** The stream thread would wait for its producer for ever. */
    static void died(Throwable why, CompletableFuture<Void> ended) {
        ended.completeExceptionally(
                new IllegalStateException("the thread that sends to Kafka died: " + why + "; start it again", why));
    }

    /** How many answers of brokers its consumers have had. */
    private static double answers(KafkaStreams streams) {
        return streams.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals("response-total")
                        && metric.metricName().group().equals("consumer-metrics"))
                .mapToDouble(metric -> ((Number) metric.metricValue()).doubleValue())
                .sum();
    }

    /** What in this is about a service that does not answer, and may later. */
    private static Optional<Throwable> away(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof ServiceUnreachable || cause instanceof RetriableException || isOfProducer(cause)) {
                return Optional.of(cause);
            }
        }
        return Optional.empty();
    }

    /** Whether a producer cannot go on, as when a broker dies in its commit: a new thread has a new one. */
    private static boolean isOfProducer(Throwable cause) {
        // what it says of itself once it is in that state has no type of its own
        return cause.getClass() == KafkaException.class
                || cause instanceof InvalidTxnStateException
                || cause instanceof InvalidPidMappingException
                || cause instanceof OutOfOrderSequenceException
                || cause instanceof CommitFailedException;
    }

    static Properties properties(DispatcherConfig config) {
        Properties properties = config.kafka().common();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
        properties.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        // the processor asks for a commit every second, and whenever somebody waits for one; this is for none besides
        properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 3_000);
        // nothing that came before a pause waits for a commit for longer than this, and each time costs 0.4 ms
        properties.put(StreamsConfig.POLL_MS_CONFIG, CommitPace.MANY_TOGETHER.toMillis());
        properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.standbys());
        properties.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, -1);
        // what is sent is seen when it is committed, and a commit sends at once whatever waits: until then it is
        // gathered, so that a transaction is told of its partitions once and a broker gets one request
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 2_000);
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
        // a transaction that begins while the one before is still being written off is told to try again
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 10);
        // one that was killed within a transaction: whoever comes after it waits so long for the broker to end that
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 6_000);
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), Agreements.RECORD_BYTES);
        // a restart within the session finds its partitions waiting; a crash is noticed after it
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), config.instanceId());
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 2_000);
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 500);
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        // a dispatcher waits for brokers that are away, and says so
        properties.put(StreamsConfig.TASK_TIMEOUT_MS_CONFIG, FOR_EVER.toMillis());
        return properties;
    }

    /**
     * Waits until it takes records.
     *
     * @return false if it does not within this time
     */
    public boolean awaitReady(Duration within) throws InterruptedException {
        return running.await(within.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether it takes records now. */
    public boolean ready() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    /** What it waits for while it takes no records; empty where it does, or has not waited for five seconds. */
    public Optional<String> waitsFor() {
        return watch.reason();
    }

    /** Where {@code /metrics} and {@code /ready} listen; empty where they do not. */
    public OptionalInt httpPort() {
        return status.map(server -> OptionalInt.of(server.port())).orElse(OptionalInt.empty());
    }

    /** Ends when the dispatcher was closed, exceptionally when it failed. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Commits and stops; another instance, or the next one with this instance's id, goes on. */
    @Override
    public void close() {
        close(ORDERLY_END);
    }

    /**
     * As {@link #close()}, within another time.
     *
     * @param within how long what is not committed may take to be; no more than a moment where Kafka is known not to come back
     */
    public void close(Duration within) {
        watch.close();
        status.ifPresent(StatusServer::close);
        streams.close(within);
        if (topicsAreLost()) {
            letGo();
        }
        codec.close();
    }

    private boolean topicsAreLost() {
        return ended.handle((none, failed) -> failed instanceof ServiceUnreachable
                        && failed.getCause() instanceof MissingSourceTopicException)
                .getNow(false);
    }

    /** Its group would give the next one of this name what it gave this one: nothing, since topics are missing. */
    private void letGo() {
        try (TopicAdmin admin = TopicAdmin.connect(config.kafka())) {
            admin.letGo(config.applicationId(), config.instanceId() + FIRST_THREAD);
        } catch (ServiceUnreachable away) {
            LOG.debug("not let go from its group", away);
        }
    }
}
