package io.praline.tests.simulation;

import io.praline.dispatcher.StatusPages;
import io.praline.dispatcher.VirtualCommits;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.EventReader;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.dispatcher.turn.whole.Containment;
import io.praline.dispatcher.turn.whole.Effect;
import io.praline.dispatcher.turn.whole.Partition;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolSize;
import io.praline.schema.Clock;
import io.praline.schema.JobRequest;
import io.praline.schema.JobStatus;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import io.praline.topics.Agreements;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.log.PagedValue;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * A partition: its rows, how far its inputs are read, and the dispatcher that has it just now. What a
 * dispatcher reads and writes becomes one with a commit; one that dies leaves what it had not committed to the next one.
 */
final class Dispatching {
    static final String NAME = "dispatcher";

    /** Of statuses that are told in pages: most take more than one, and none as many as there may be. */
    private static final int A_PAGE = 400;

    private static final long FORMERLY_NANOS = 400_000_000;

    /** How often rows are looked into. */
    private static final long CHECKED_NANOS = 1_000_000_000;

    private static final Rules RULES = new Rules(
            "every-worker",
            new FairShare(Duration.ofSeconds(30)),
            new PoolSize(0, 20, Duration.ofMinutes(1)),
            ProtocolLimits.USUAL);

    private final World world;
    private final Kafka kafka;
    private final StoredRows rows = new StoredRows();
    private final Map<String, Integer> committed = new HashMap<>();
    /** How far inputs were read at which time, some twice a second. */
    private final TreeMap<Long, Map<String, Integer>> formerly = new TreeMap<>();

    private final Schedule.Course course;
    private final Consumer<JobRequest> again;
    private final List<Topic<?>> inputs;
    private final int number;
    private final EventReader reader;
    private final Consumer<JobStatus> told;
    private final Books books;
    private final boolean contained;
    private final BooleanSupplier forgets;
    private long checkedAt;
    private Optional<Instance> instance = Optional.empty();
    private Optional<String> poison = Optional.empty();
    private boolean woken;
    private int quarantined;
    private int deaths;

    /**
     * Nobody has it yet.
     *
     * @param number of the partition
     * @param told hears of every status that is committed
     * @param books what must hold of rows
     * @param contained false: an event that throws ends the dispatcher
     * @param forgets whether a turn throws for once, behind which is known what the rows tell
     * @param course how it writes
     * @param again hears of every request that is read again
     */
    Dispatching(
            World world,
            Kafka kafka,
            int number,
            Consumer<JobStatus> told,
            Books books,
            boolean contained,
            BooleanSupplier forgets,
            Schedule.Course course,
            Consumer<JobRequest> again) {
        this.again = again;
        this.books = books;
        this.course = course;
        this.forgets = forgets;
        this.world = world;
        this.number = number;
        this.reader = new EventReader(Kafka.CODEC, kafka.partitions());
        this.kafka = kafka;
        this.told = told;
        this.contained = contained;
        this.inputs = Topics.all().stream().filter(Topic::dispatcherInput).toList();
        kafka.appended(this::wake);
        world.after(Host.seconds(1), this::second);
    }

    StoredRows rows() {
        return rows;
    }

    /** Looks into the rows as they are committed. */
    void check(boolean ended) {
        books.check(rows, ended);
    }

    /** Records that could not be taken. */
    int quarantined() {
        return quarantined;
    }

    /** How often a dispatcher ended of a record. */
    int deaths() {
        return deaths;
    }

    Optional<Host> process() {
        return instance.map(one -> one);
    }

    /** A turn throws from now on where it is about this job. */
    void poison(String job) {
        poison = Optional.of(job);
    }

    /** A dispatcher takes it over, if it is nobody's. */
    void start() {
        if (instance.isEmpty()) {
            instance = Optional.of(new Instance());
        }
    }

    /** The dispatcher that has it is gone; what it did since its last commit never was. */
    void kill() {
        instance.ifPresent(Instance::kill);
        instance = Optional.empty();
        rows.abort();
    }

    /** As {@link #kill}; and whoever goes on reads again what came in so long before. */
    void lose(long millis) {
        kill();
        int until = committed.getOrDefault(Topics.JOB_REQUESTS.name(), 0);
        Optional.ofNullable(formerly.floorEntry(world.nanos() - TimeUnit.MILLISECONDS.toNanos(millis)))
                .ifPresent(before -> {
                    committed.clear();
                    committed.putAll(before.getValue());
                });
        formerly.clear();
        Kafka.Log requests = kafka.log(Topics.JOB_REQUESTS, number);
        for (int offset = committed.getOrDefault(Topics.JOB_REQUESTS.name(), 0); offset < until; offset++) {
            try {
                again.accept(Kafka.CODEC.read(
                        Topics.JOB_REQUESTS, requests.entry(offset).value()));
            } catch (UnreadableRecord nobodys) {
                // it is read again as it was
            }
        }
    }

    /** Another one takes it over at once, in order: what was done is committed. */
    void handOver() {
        instance.ifPresent(Instance::commit);
        kill();
        start();
    }

    private void wake() {
        if (!woken) {
            woken = true;
            world.after(world.micros(1_000, 10_000), this::poll);
        }
    }

    private void poll() {
        woken = false;
        instance.filter(Host::runs).ifPresent(one -> one.run(one::poll));
    }

    private void second() {
        wake();
        instance.filter(Host::runs).ifPresent(one -> one.run(one::writeClock));
        world.after(Host.seconds(1), this::second);
    }

    /** One dispatcher process. */
    private final class Instance extends Host {
        private final Map<String, Integer> read = new HashMap<>(committed);
        private final List<Output> outputs = new ArrayList<>();
        private final Partition partition;
        private final Containment containment;
        private boolean uncommitted;
        private boolean commitNow;
        private boolean again;
        private Optional<Event> taking = Optional.empty();
        private final StatusPages pages = new StatusPages(course.paged() ? A_PAGE : PagedValue.MOST_BYTES);
        private final VirtualCommits commits = new VirtualCommits(world::nanos);
        private boolean committing;

        private record Output(Topic<?> topic, String key, SpecificRecord value) {}

        private Instance() {
            super(Dispatching.this.world, NAME);
            partition = new Partition(
                    rows,
                    (buffered, out, steps) -> new io.praline.dispatcher.turn.Dispatching(
                            new Ledger(buffered), new RowRecords(Kafka.CODEC), RULES, out, steps),
                    this::write);
            containment = new Containment(partition, thrown -> false);
        }

        private void poll() {
            if (world().isCut(NAME, Kafka.NAME)) {
                return;
            }
            List<Topic<?>> unread = new ArrayList<>(inputs);
            while (!unread.isEmpty() && !isDead()) {
                Topic<?> topic = unread.get(world().random().nextInt(unread.size()));
                Kafka.Log log = kafka.log(topic, number);
                int next = read.getOrDefault(topic.name(), 0);
                if (next >= log.end() || late(log)) {
                    unread.remove(topic);
                    continue;
                }
                read.put(topic.name(), next + 1);
                take(topic, next, log.entry(next));
            }
        }

        /** A log that lags is read now and then. */
        private boolean late(Kafka.Log log) {
            return log.lagMicros() > 0 && world().random().nextDouble() * log.lagMicros() > 20_000;
        }

        private void take(Topic<?> topic, int offset, Kafka.Entry entry) {
            commitNow = false;
            uncommitted = true;
            try {
                Event event = reader.read(
                        topic.name(), number, entry.key(), entry.value(), Instant.ofEpochMilli(entry.stampMillis()));
                taking = Optional.of(event);
                if (contained) {
                    if (containment
                            .take(event, topic.name() + "/" + number + "/" + offset)
                            .isPresent()) {
                        quarantined++;
                    }
                } else {
                    partition.take(event);
                }
            } catch (UnreadableRecord unreadable) {
                quarantined++;
            } catch (RuntimeException thrown) {
                deaths++;
                Dispatching.this.kill();
                Dispatching.this.world.after(seconds(1), Dispatching.this::start);
                return;
            }
            commits.wrote(commitNow);
            if (course.grouped()) {
                commitIfDue();
            } else if (commitNow) {
                commit();
            }
        }

        private void commitIfDue() {
            commits.due().ifPresent(wait -> {
                if (wait.isZero()) {
                    commit();
                } else if (!committing) {
                    committing = true;
                    after(TimeUnit.NANOSECONDS.toMicros(wait.toNanos()) + 1_000, () -> {
                        committing = false;
                        commitIfDue();
                    });
                }
            });
        }

        private void write(Effect effect) {
            if (poison.isPresent() && taking.flatMap(Event::job).equals(poison)) {
                throw new IllegalStateException("this record is poison");
            }
            if (!again && contained && forgets.getAsBoolean()) {
                again = true;
                throw new IllegalStateException("this turn throws for once");
            }
            again = false;
            List<Output> sent = new ArrayList<>();
            for (WorkerCommand command : effect.commands()) {
                sent.add(new Output(Topics.WORKER_COMMANDS, command.getWorker(), command));
            }
            for (JobStatus status : effect.statuses()) {
                sent.add(new Output(Topics.JOBS, status.getJob(), status));
            }
            effect.writeRows(Agreements.RECORD_BYTES);
            outputs.addAll(sent);
            commitNow = effect.urgent();
        }

        private void writeClock() {
            if (world().isCut(NAME, Kafka.NAME)) {
                return;
            }
            partition.anyPool().ifPresent(pool -> {
                outputs.add(
                        new Output(Topics.WORKER_HEARTBEATS, pool, new WorkerEvent(pool, new Clock(world().millis()))));
                uncommitted = true;
            });
            if (uncommitted) {
                commit();
            }
        }

        private void commit() {
            uncommitted = false;
            commits.committed();
            rows.commit();
            if (world().nanos() - checkedAt > CHECKED_NANOS) {
                checkedAt = world().nanos();
                check(false);
            }
            committed.putAll(read);
            if (formerly.isEmpty() || world().nanos() - formerly.lastKey() > FORMERLY_NANOS) {
                formerly.put(world().nanos(), Map.copyOf(committed));
            }
            List<Output> leaving = List.copyOf(outputs);
            outputs.clear();
            for (Output output : leaving) {
                append(output);
            }
        }

        private void append(Output output) {
            Kafka.Log log = kafka.log(output.topic(), output.key());
            byte[] key = output.key().getBytes(StandardCharsets.UTF_8);
            kafka.rewritten(output.topic(), output.value()).ifPresent(bytes -> {
                if (output.topic().equals(Topics.JOBS)) {
                    pages.records(output.key(), bytes)
                            .forEach(record -> log.append(record.key(), record.value(), record.headers()));
                } else {
                    log.append(key, bytes);
                }
            });
            if (output.value() instanceof JobStatus status) {
                told.accept(status);
            }
        }
    }
}
