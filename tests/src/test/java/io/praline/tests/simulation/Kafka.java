package io.praline.tests.simulation;

import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.log.PagedValue;
import io.praline.topics.log.PendingPages;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.FakeRegistry;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Logs, one partition each: what a process sends arrives late, in its order for each log; single records may be lost or come
 * twice. Who is cut off from {@value #NAME} waits.
 */
final class Kafka {
    static final String NAME = "kafka";

    /** Shared, since a registry's first answers take longer than a thousand schedules. */
    static final AvroCodec CODEC = new AvroCodec(new FakeRegistry().settings());

    private static final long RETRY_MICROS = 250_000;

    private static final long LATE_MICROS = 3_000_000;

    /** Of so many records one is lost where some are, and one comes twice. */
    private static final int ONE_IN = 25;

    /** How long a producer tries. */
    private static final long GIVEN_UP_MILLIS = 8_000;

    private final World world;
    private final Map<String, Log> logs = new HashMap<>();
    private final Map<Route, Producer> producers = new HashMap<>();
    private Runnable appended = () -> {};
    private Rewriting rewriting = (topic, value) -> Optional.of(value);
    private final int partitions;
    private boolean uncertain;
    private boolean lossy;

    /** @param partitions of the dispatcher's inputs */
    Kafka(World world, int partitions) {
        this.world = world;
        this.partitions = partitions;
    }

    /** Changes what is sent, or loses it: how a test takes a mending out again. */
    @FunctionalInterface
    interface Rewriting {
        Optional<SpecificRecord> of(String topic, SpecificRecord value);
    }

    /** From a process to a log. */
    private record Route(Host process, Log log) {}

    /** Told whenever there is more to read. */
    void appended(Runnable told) {
        appended = told;
    }

    /** From now on who sends may hear late that a record is in its log, or that it is not though it is. */
    void uncertain() {
        uncertain = true;
    }

    /** Whether from now on some of all records are lost, and others come twice. */
    void lossy(boolean some) {
        lossy = some;
    }

    private boolean happens() {
        return lossy && world.random().nextInt(ONE_IN) == 0;
    }

    /** Whether this time a record is in its log of which its sender hears that it failed. */
    boolean deceives() {
        return uncertain && world.random().nextInt(3) == 0;
    }

    void rewrite(Rewriting by) {
        rewriting = by;
    }

    /** A record as it lies in a log. */
    @SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
    record Entry(byte[] key, byte[] value, Headers headers, long stampMillis) {
        String keyText() {
            return new String(key, StandardCharsets.UTF_8);
        }

        /** The bytes of the key's value, where with this all of it has come. */
        Optional<byte[]> whole(PendingPages pages, String of) {
            byte[] wanted = of.getBytes(StandardCharsets.UTF_8);
            if (!Arrays.equals(wanted, PagedValue.owner(key)) || value == null) {
                return Optional.empty();
            }
            if (PagedValue.isPage(key)) {
                pages.add(key, value);
                return Optional.empty();
            }
            Optional<byte[]> whole = pages.whole(headers, key, value);
            whole.ifPresent(taken -> pages.taken(key));
            return whole;
        }
    }

    /** One topic. */
    final class Log {
        private final List<Entry> entries = new ArrayList<>();
        private final List<Reader> readers = new ArrayList<>();
        private long skewMillis;
        private long lagMicros;
        private int losing;
        private int doubling;

        int end() {
            return entries.size();
        }

        Entry entry(int offset) {
            return entries.get(offset);
        }

        /** Writes it, unless it is lost. */
        void append(byte[] key, byte[] value) {
            append(key, value, new RecordHeaders());
        }

        /** The same, of one that has headers; where its value is null the key's is gone. */
        void append(byte[] key, byte[] value, Headers headers) {
            if (losing > 0) {
                losing--;
                return;
            }
            if (happens()) {
                return;
            }
            entries.add(new Entry(key, value, headers, world.millis() + skewMillis));
            if (doubling > 0 || happens()) {
                doubling = Math.max(0, doubling - 1);
                entries.add(new Entry(key, value, headers, world.millis() + skewMillis));
            }
            appended.run();
            readers.removeIf(reader -> reader.process.isDead());
            readers.forEach(Reader::wake);
        }

        /** The clock of the broker that leads it. */
        void skew(long millis) {
            skewMillis = millis;
        }

        /** Those who read it are so much behind. */
        void lag(long micros) {
            lagMicros = micros;
        }

        void forgetFaults() {
            losing = 0;
            doubling = 0;
        }

        void loseNext(int records) {
            losing += records;
        }

        void doubleNext(int records) {
            doubling += records;
        }

        long lagMicros() {
            return lagMicros;
        }
    }

    int partitions() {
        return partitions;
    }

    /** The first partition of a topic, which is the only one of most. */
    Log log(Topic<?> topic) {
        return log(topic, 0);
    }

    /** A partition of a topic. */
    Log log(Topic<?> topic, int partition) {
        return log(partition == 0 ? topic.name() : topic.name() + "/" + partition);
    }

    /** Where records of a key go. */
    Log log(Topic<?> topic, String key) {
        return log(topic, topic.dispatcherInput() ? Topics.partitionOf(key, partitions) : 0);
    }

    /** All partitions of a topic. */
    List<Log> logs(Topic<?> topic) {
        return topic.dispatcherInput()
                ? IntStream.range(0, partitions)
                        .mapToObj(partition -> log(topic, partition))
                        .toList()
                : List.of(log(topic));
    }

    Log log(String name) {
        return logs.computeIfAbsent(name, none -> new Log());
    }

    // ---- reading

    /** One process that reads a log from an offset on. */
    final class Reader {
        private final Host process;
        private final Log log;
        private final long mostMicros;
        private final Consumer<Entry> taker;
        private int offset;
        private boolean scheduled;

        private Reader(Host process, Log log, int offset, long mostMicros, Consumer<Entry> taker) {
            this.process = process;
            this.log = log;
            this.offset = offset;
            this.mostMicros = mostMicros;
            this.taker = taker;
        }

        private void wake() {
            if (!scheduled && offset < log.end()) {
                scheduled = true;
                process.after(world.micros(1_000, mostMicros) + log.lagMicros, this::poll);
            }
        }

        private void poll() {
            if (world.isCut(process.name(), NAME)) {
                process.after(RETRY_MICROS, this::poll);
                return;
            }
            scheduled = false;
            while (offset < log.end()) {
                taker.accept(log.entry(offset++));
            }
        }
    }

    /** Reads what there is from this offset on, each record at most so late. */
    void read(Host process, Topic<?> topic, int offset, long mostMicros, Consumer<Entry> taker) {
        Reader reader = new Reader(process, log(topic), offset, mostMicros, taker);
        reader.log.readers.add(reader);
        reader.wake();
    }

    // ---- writing

    /** What one process sends to one log. */
    private final class Producer {
        private final Host process;
        private final Log log;
        private final Deque<Underway> underway = new ArrayDeque<>();
        private boolean scheduled;

        @SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
        private record Underway(byte[] key, byte[] value, long sentMillis, Runnable written, Runnable failed) {}

        private Producer(Host process, Log log) {
            this.process = process;
            this.log = log;
        }

        private void send(byte[] key, byte[] value, Runnable written, Runnable failed) {
            underway.add(new Underway(key, value, world.millis(), written, failed));
            schedule(world.micros(500, 15_000));
        }

        private void schedule(long micros) {
            if (!scheduled && !underway.isEmpty()) {
                scheduled = true;
                process.after(micros, this::arrive);
            }
        }

        private void arrive() {
            scheduled = false;
            boolean cut = world.isCut(process.name(), NAME);
            while (!underway.isEmpty()) {
                Underway next = underway.peek();
                if (!cut) {
                    underway.remove();
                    log.append(next.key, next.value);
                    if (deceives()) {
                        process.after(world.micros(1_000, LATE_MICROS), next.written);
                    } else {
                        next.written.run();
                    }
                } else if (world.millis() - next.sentMillis > GIVEN_UP_MILLIS) {
                    underway.remove();
                    if (deceives()) {
                        log.append(next.key, next.value);
                    }
                    next.failed.run();
                } else {
                    break;
                }
            }
            schedule(RETRY_MICROS);
        }
    }

    /** Sends the record. */
    <V extends SpecificRecord> void send(Host process, Topic<V> topic, String key, V value) {
        send(process, topic, key, value, () -> {}, () -> {});
    }

    /** Sends the record; who wants to know is told when it is in the log, or cannot be. */
    <V extends SpecificRecord> void send(
            Host process, Topic<V> topic, String key, V value, Runnable written, Runnable failed) {
        // what is lost behind the producer is written for it
        rewritten(topic, value)
                .ifPresentOrElse(
                        bytes -> producers
                                .computeIfAbsent(
                                        new Route(process, log(topic, key)),
                                        route -> new Producer(process, route.log()))
                                .send(key.getBytes(StandardCharsets.UTF_8), bytes, written, failed),
                        written);
    }

    /** The bytes of the record, as it is sent; empty where it is to be lost. */
    <V extends SpecificRecord> Optional<byte[]> rewritten(Topic<V> topic, SpecificRecord value) {
        return rewriting
                .of(topic.name(), value)
                .map(sent -> CODEC.write(topic, topic.type().cast(sent)));
    }

    /** What lies in an entry of a log that no one spoils. */
    static <V extends SpecificRecord> V value(Topic<V> topic, Entry entry) {
        return value(topic, entry.value());
    }

    static <V extends SpecificRecord> V value(Topic<V> topic, byte[] bytes) {
        try {
            return CODEC.read(topic, bytes);
        } catch (UnreadableRecord unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }
}
