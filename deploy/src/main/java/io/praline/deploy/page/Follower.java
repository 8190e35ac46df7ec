package io.praline.deploy.page;

import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.WorkerView;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.schema.JournalEntry;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.WorkerEvent;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.TopicAccess;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.Waiting;
import io.praline.topics.health.Installation;
import io.praline.topics.health.LogHealth;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads the topics on a thread of its own, and shows what they tell on a {@link Board}. A cluster that is away is waited for,
 * and said. A second thread asks for the dispatchers' lag.
 */
final class Follower implements AutoCloseable {
    /** How long each topic in turn may keep the others waiting: all of them together stay far below a second. */
    private static final Duration TURN = Duration.ofMillis(40);

    /** A picture costs about as much as all that is open: so seldom it is not felt. */
    private static final Duration SHOWN = Duration.ofMillis(200);

    /** Each worker beats once a second. */
    private static final Duration WORKERS_SHOWN = Duration.ofSeconds(1);

    /** Between rounds over all topics while nobody looks. */
    private static final Duration REST = Duration.ofSeconds(2);

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
    private final Board board;
    private final Gathered gathered = new Gathered();
    private final AvroCodec codec;
    private final Deque<Followed<?>> followed = new ArrayDeque<>();
    private final Thread thread;
    private final Thread asking;
    private volatile Picture.Lags lags = Picture.Lags.UNKNOWN;
    private volatile boolean closed;

    /** A topic, and what is done with its records. */
    private record Followed<V extends SpecificRecord>(TopicReader<V> reader, Consumer<TopicReader.Entry<V>> taken) {

        boolean follow(Duration wait) {
            List<TopicReader.Entry<V>> came = reader.poll(wait);
            came.forEach(taken);
            return !came.isEmpty();
        }
    }

    private Follower(KafkaSettings kafka, String application, Board board) {
        this.kafka = kafka;
        this.board = board;
        try (TopicAdmin admin = TopicAdmin.connect(kafka)) {
            admin.require(ACCESS);
        }
        this.codec = new AvroCodec(kafka);
        long now = System.currentTimeMillis();
        try {
            all(Topics.JOBS, entry -> gathered.job(entry.key(), entry.value()));
            since(Topics.PLACEMENT_DECISIONS, now - JOURNAL.toMillis(), this::journal);
            since(Topics.WORKER_HEARTBEATS, now - WORKERS_SHOWN.multipliedBy(5).toMillis(), this::beat);
            all(Topics.SCALING_COMMANDS, entry -> gathered.target(entry.key(), entry.value()));
            all(Topics.POOLS, entry -> gathered.pool(entry.key(), entry.value()));
            all(Topics.CACHES, entry -> gathered.cache(entry.key(), entry.value()));
            all(Topics.QUARANTINE, this::quarantined);
        } catch (RuntimeException failed) {
            release();
            throw failed;
        }
        this.thread = daemon("page-topics", this::follow);
        this.asking = daemon("page-lag", () -> ask(application));
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
        return entry.getJob().startsWith("pool:");
    }

    /** A job's journal, from the topic; on the thread of who asks. */
    List<JournalEntry> read(String job) {
        try (AvroCodec own = new AvroCodec(kafka);
                TopicReader<JournalEntry> reader = LiveTopics.ofKey(kafka, own, Topics.PLACEMENT_DECISIONS, job)) {
            return LiveTopics.values(reader.drain());
        }
    }

    private <V extends SpecificRecord> void all(Topic<V> topic, Consumer<TopicReader.Entry<V>> taken) {
        followed.add(new Followed<>(LiveTopics.all(kafka, codec, topic), taken));
    }

    private <V extends SpecificRecord> void since(Topic<V> topic, long millis, Consumer<TopicReader.Entry<V>> taken) {
        followed.add(new Followed<>(LiveTopics.since(kafka, codec, topic, millis), taken));
    }

    private void journal(TopicReader.Entry<JournalEntry> entry) {
        entry.value().ifPresent(gathered::journal);
    }

    private void beat(TopicReader.Entry<WorkerEvent> entry) {
        entry.value().ifPresent(event -> gathered.worker(event, entry.timestampMillis()));
    }

    private void quarantined(TopicReader.Entry<QuarantinedRecord> entry) {
        entry.value().ifPresent(gathered::quarantined);
    }

    private static Thread daemon(String name, Runnable task) {
        Thread made = new Thread(task, name);
        made.setDaemon(true);
        return made;
    }

    private void follow() {
        boolean news = true;
        long shown = System.nanoTime() - SHOWN.toNanos();
        long workersShown = System.nanoTime() - WORKERS_SHOWN.toNanos();
        List<WorkerView> workers = List.of();
        Picture.Lags lagsShown = lags;
        try {
            while (!closed) {
                Optional<String> trouble = Optional.empty();
                for (Followed<?> one : followed) {
                    try {
                        news |= one.follow(TURN);
                    } catch (ServiceUnreachable away) {
                        trouble = Optional.of(away.getMessage());
                    }
                }
                trouble = trouble.or(this::silence);
                long now = System.nanoTime();
                boolean beats = now - workersShown >= WORKERS_SHOWN.toNanos();
                boolean told = news
                        || beats
                        || !lags.equals(lagsShown)
                        || !trouble.equals(board.picture().source().trouble());
                if (told && now - shown >= SHOWN.toNanos()) {
                    if (beats) {
                        workers = gathered.present();
                        workersShown = now;
                    }
                    lagsShown = lags;
                    board.show(
                            gathered.picture(new Picture.Source(kafka.bootstrap(), true, trouble), workers, lagsShown));
                    news = false;
                    shown = now;
                }
                if (!news) {
                    board.rest(REST);
                }
            }
        } catch (InterruptException | InterruptedException closing) {
            // whoever interrupts it wants it closed
        } finally {
            release();
        }
    }

    /** By whole seconds, of which each is news. */
    private Optional<String> silence() {
        Duration silent = followed.stream()
                .map(one -> one.reader().silent())
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
        return silent.compareTo(Waiting.SAID_AFTER) < 0
                ? Optional.empty()
                : Optional.of("Kafka at " + kafka.bootstrap() + " has not answered for " + silent.toSeconds()
                        + " s: what is shown is as old");
    }

    private void ask(String application) {
        Installation installation = new Installation(application, DispatcherConfig.changelog(application));
        while (!closed) {
            try (LogHealth health = LogHealth.connect(kafka, installation)) {
                while (!closed) {
                    lags = new Picture.Lags(health.lag(), Optional.empty());
                    Thread.sleep(LAG_ASKED.toMillis());
                }
            } catch (InterruptedException | IllegalStateException closing) {
                return;
            } catch (RuntimeException away) {
                lags = new Picture.Lags(new TreeMap<>(), Optional.of(ServiceUnreachable.oneLine(away)));
                try {
                    Thread.sleep(LAG_ASKED.toMillis());
                } catch (InterruptedException closing) {
                    return;
                }
            }
        }
    }

    private void release() {
        while (!followed.isEmpty()) {
            followed.pop().reader().close();
        }
        codec.close();
    }

    @Override
    public void close() {
        closed = true;
        asking.interrupt();
        // wakes its thread where that rests
        board.ask();
        try {
            // a turn over all topics is short; a reader is closed by the thread that has it
            thread.join(Duration.ofSeconds(3).toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
