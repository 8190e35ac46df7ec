package io.praline.deploy.page;

import io.praline.deploy.cluster.LiveTopics;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.schema.JournalEntry;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.TopicAccess;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.health.Installation;
import io.praline.topics.health.LogHealth;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Follows a cluster's topics on a thread of its own, and asks for the dispatchers' lag on another one, for a {@link Board}. */
final class Follower implements AutoCloseable {
    /** What is read anew waits this long: what broke may just be coming back. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** Of beats none older than this are read: each worker beats once a second. */
    private static final Duration BEATS = Duration.ofSeconds(5);

    private static final Duration LAG_ASKED = Duration.ofSeconds(10);

    /** As far back as figures are looked for; a job that has measured nothing since has none. */
    private static final Duration JOURNAL = Duration.ofHours(24);

    private static final TopicAccess ACCESS = new TopicAccess(
            List.of(
                    Topics.JOBS,
                    Topics.PLACEMENT_DECISIONS,
                    Topics.WORKER_HEARTBEATS,
                    Topics.SCALING_COMMANDS,
                    Topics.POOLS,
                    Topics.CACHES,
                    Topics.LEDGERS,
                    Topics.QUARANTINE),
            List.of());

    private final KafkaSettings kafka;
    private final Rounds rounds;
    private final Thread thread;
    private final Thread asking;

    /** A topic, and what is done with its records. */
    private record Topical<V extends SpecificRecord>(TopicReader<V> reader, Consumer<TopicReader.Entry<V>> taken)
            implements Rounds.Followed {

        @Override
        public boolean follow(Duration wait) {
            List<TopicReader.Entry<V>> came = reader.poll(wait);
            came.forEach(taken);
            return !came.isEmpty();
        }

        @Override
        public Duration silent() {
            return reader.silent();
        }
    }

    private Follower(KafkaSettings kafka, String application, Board board) {
        this.kafka = kafka;
        try (TopicAdmin admin = TopicAdmin.connect(kafka)) {
            admin.require(ACCESS);
        }
        LagWatch lag = new LagWatch(() -> health(kafka, application), LAG_ASKED);
        this.rounds = new Rounds(board, kafka.bootstrap(), this::open, lag::lags, PAUSE);
        this.rounds.open();
        this.thread = daemon("page-topics", rounds);
        this.asking = daemon("page-lag", lag);
    }

    /**
     * Follows from now on.
     *
     * @throws ServiceUnreachable if Kafka or the registry does not answer, or its topics are missing or may not be read
     */
    static Follower start(KafkaSettings kafka, String application, Board board) {
        Follower follower = new Follower(kafka, application, board);
        follower.thread.start();
        follower.asking.start();
        return follower;
    }

    static Picture.Source source(KafkaSettings kafka) {
        return new Picture.Source(kafka.bootstrap(), true, Optional.empty());
    }

    /** Pools have journals beside those of jobs. */
    static boolean isOfAPool(JournalEntry entry) {
        return DecisionWriter.job(entry).isEmpty();
    }

    /** A job's journal, from the topic; on the thread of who asks. */
    List<JournalEntry> read(String job) {
        try (AvroCodec own = new AvroCodec(kafka);
                TopicReader<JournalEntry> reader = LiveTopics.ofKey(kafka, own, Topics.PLACEMENT_DECISIONS, job)) {
            return LiveTopics.values(reader.drain());
        }
    }

    private Rounds.Reading open(Gathered into) {
        List<Topical<?>> opened = new ArrayList<>();
        AvroCodec codec = new AvroCodec(kafka);
        Runnable close = () -> {
            opened.forEach(topical -> topical.reader().close());
            codec.close();
        };
        long now = System.currentTimeMillis();
        try {
            opened.add(all(codec, Topics.JOBS, entry -> into.job(entry.key(), entry.value())));
            opened.add(since(codec, Topics.PLACEMENT_DECISIONS, now - JOURNAL.toMillis(), told(into::journal)));
            opened.add(since(codec, Topics.WORKER_HEARTBEATS, now - BEATS.toMillis(), entry -> entry.value()
                    .ifPresent(event -> into.worker(entry.came().partition(), event, entry.timestampMillis()))));
            opened.add(all(codec, Topics.SCALING_COMMANDS, entry -> into.target(entry.key(), entry.value())));
            opened.add(all(codec, Topics.POOLS, entry -> into.pool(entry.key(), entry.value())));
            opened.add(all(codec, Topics.CACHES, entry -> into.cache(entry.key(), entry.value())));
            opened.add(all(codec, Topics.QUARANTINE, told(into::quarantined)));
        } catch (RuntimeException failed) {
            close.run();
            throw failed;
        }
        return new Rounds.Reading(List.copyOf(opened), close);
    }

    private static <V> Consumer<TopicReader.Entry<V>> told(Consumer<V> taken) {
        return entry -> entry.value().ifPresent(taken);
    }

    private <V extends SpecificRecord> Topical<V> all(
            AvroCodec codec, Topic<V> topic, Consumer<TopicReader.Entry<V>> taken) {
        return new Topical<>(LiveTopics.all(kafka, codec, topic), taken);
    }

    private <V extends SpecificRecord> Topical<V> since(
            AvroCodec codec, Topic<V> topic, long millis, Consumer<TopicReader.Entry<V>> taken) {
        return new Topical<>(LiveTopics.since(kafka, codec, topic, millis), taken);
    }

    private static Thread daemon(String name, Runnable task) {
        Thread made = new Thread(task, name);
        made.setDaemon(true);
        return made;
    }

    private static LagWatch.Health health(KafkaSettings kafka, String application) {
        LogHealth health =
                LogHealth.connect(kafka, new Installation(application, DispatcherConfig.changelog(application)));
        return new LagWatch.Health() {
            @Override
            public SortedMap<String, Long> lag() {
                return health.lag();
            }

            @Override
            public void close() {
                health.close();
            }
        };
    }

    @Override
    public void close() {
        asking.interrupt();
        rounds.close();
        try {
            // a turn over all topics is short; a reader is closed by the thread that has it
            thread.join(Duration.ofSeconds(3).toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
