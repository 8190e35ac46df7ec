package io.praline.dispatcher;

import io.praline.dispatcher.convert.CacheRecords;
import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.EventReader;
import io.praline.dispatcher.convert.LedgerRecords;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.row.StoreRows;
import io.praline.dispatcher.turn.Dispatching;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.dispatcher.turn.whole.Containment;
import io.praline.dispatcher.turn.whole.Effect;
import io.praline.dispatcher.turn.whole.Partition;
import io.praline.schema.CacheStatus;
import io.praline.schema.Clock;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.PoolStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.log.PagedValue;
import io.praline.topics.log.Quarantine;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shell: reads a record, has it taken, writes what comes of it. Owned by the stream thread. */
final class DispatchProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(DispatchProcessor.class);
    private static final Duration CLOCK = Duration.ofSeconds(1);

    /** A value that Kafka takes. */
    private static final int MOST_BYTES = PagedValue.MOST_BYTES;

    private final PagedStatuses statuses = new PagedStatuses();
    private final AvroCodec codec;
    private final EventReader reader;
    private final TakenFirst first;
    private final Rules rules;
    private final DispatcherMetrics metrics;
    private ProcessorContext<byte[], byte[]> context;
    private Partition partition;
    private Containment containment;
    private final CommitPace commits;
    private Optional<Cancellable> clock = Optional.empty();
    private Optional<Cancellable> later = Optional.empty();
    private boolean urgent;
    private long now;

    DispatchProcessor(AvroCodec codec, int partitions, Rules rules, DispatcherMetrics metrics, CommitPace commits) {
        this.codec = codec;
        this.reader = new EventReader(codec, partitions);
        this.first = new TakenFirst(codec);
        this.rules = rules;
        this.metrics = metrics;
        this.commits = commits;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> given) {
        context = given;
        KeyValueStore<Bytes, byte[]> store = given.getStateStore(DispatchTopology.LEDGER);
        partition = new Partition(
                new StoreRows(store),
                (rows, out, steps) -> new Dispatching(new Ledger(rows), new RowRecords(codec), rules, out, steps),
                this::write);
        containment = new Containment(partition, DispatchProcessor::outside);
        count();
        clock = Optional.of(given.schedule(CLOCK, PunctuationType.WALL_CLOCK_TIME, this::writeClock));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata origin = context.recordMetadata()
                .orElseThrow(() -> new IllegalStateException("a record of an input must have an origin"));
        metrics.record(origin.topic());
        now = first.stamp(origin.topic(), record.value(), record.timestamp());
        urgent = false;
        try {
            Event event = reader.read(
                    origin.topic(), origin.partition(), record.key(), record.value(), Instant.ofEpochMilli(now));
            containment
                    .take(event, Quarantine.key(origin.topic(), origin.partition(), origin.offset()))
                    .ifPresent(why -> quarantine(origin, record, why));
        } catch (UnreadableRecord unreadable) {
            quarantine(origin, record, unreadable.reason());
        }
        commits.wrote(urgent);
        commitIfDue();
    }

    /** Whether no record is to blame: Kafka or the registry does not answer, or the partition is another instance's now. */
    private static boolean outside(RuntimeException thrown) {
        return thrown instanceof KafkaException || thrown instanceof ServiceUnreachable;
    }

    private void commitIfDue() {
        commits.due().ifPresent(wait -> {
            if (wait.isZero()) {
                commit();
            } else if (later.isEmpty()) {
                // a timer that always runs is one in each partition, and most of what an idle dispatcher does
                later = Optional.of(context.schedule(
                        atLeastAMilli(wait), PunctuationType.WALL_CLOCK_TIME, wallClockMillis -> commitLater()));
            }
        });
    }

    private void commitLater() {
        later.ifPresent(Cancellable::cancel);
        later = Optional.empty();
        commitIfDue();
    }

    /** Timers know no shorter time. */
    private static Duration atLeastAMilli(Duration wait) {
        return Duration.ofMillis(wait.toMillis() + 1);
    }

    private void commit() {
        commits.committed();
        context.commit();
    }

    /** Time that passes while nothing else happens, for the log to say when it was; and the commit of every second. */
    private void writeClock(long wallClockMillis) {
        count();
        Optional<String> anyPool = partition.anyPool();
        anyPool.ifPresent(pool -> {
            now = wallClockMillis;
            WorkerEvent clock = WorkerEvent.newBuilder()
                    .setPool(pool)
                    .setBody(Clock.newBuilder()
                            .setWrittenAtMillis(wallClockMillis)
                            .build())
                    .build();
            forward(encoded(Topics.WORKER_HEARTBEATS, pool, clock));
            commits.wrote(false);
        });
        // a commit is one for all partitions: one that has no pool leaves it to those that have
        if (anyPool.isPresent() || commits.isLate()) {
            commit();
        }
    }

    private void quarantine(RecordMetadata origin, Record<byte[], byte[]> record, String reason) {
        metrics.quarantined();
        LOG.warn("{}/{}/{} is put into quarantine: {}", origin.topic(), origin.partition(), origin.offset(), reason);
        QuarantinedRecord quarantined = Quarantine.quarantined(
                origin.topic(),
                origin.partition(),
                origin.offset(),
                record.key(),
                record.value(),
                reason,
                "dispatcher",
                now);
        forward(encoded(Topics.QUARANTINE, Quarantine.key(quarantined), quarantined));
    }

    /** What came of an event leaves: first all of it is encoded, so that what cannot be is found before any is written. */
    private void write(Effect effect) {
        List<Encoded> encoded = new ArrayList<>();
        for (WorkerCommand command : effect.commands()) {
            add(encoded, CommandWriter.job(command), encoded(Topics.WORKER_COMMANDS, command.getWorker(), command));
        }
        for (JobStatus status : effect.statuses()) {
            byte[] whole = codec.write(Topics.JOBS, status);
            statuses.records(status.getJob(), whole, now).forEach(record -> encoded.add(ofJobs(record)));
        }
        for (JournalEntry entry : effect.journal()) {
            add(encoded, DecisionWriter.job(entry), encoded(Topics.PLACEMENT_DECISIONS, entry.getJob(), entry));
        }
        effect.forgotten().forEach(job -> statuses.none(job, now).forEach(record -> encoded.add(ofJobs(record))));
        for (PoolStatus pool : effect.pools()) {
            add(encoded, Optional.empty(), encoded(Topics.POOLS, pool.getPool(), pool));
        }
        effect.poolsGone().forEach(pool -> encoded.add(tombstone(Topics.POOLS, pool)));
        for (CacheStatus entries : effect.entries()) {
            add(encoded, Optional.empty(), encoded(Topics.CACHES, CacheRecords.key(entries), entries));
        }
        effect.entriesGone().forEach(key -> encoded.add(tombstone(Topics.CACHES, key)));
        for (LedgerPage page : effect.ledgerPages()) {
            add(encoded, Optional.of(page.getJob()), encoded(Topics.LEDGERS, LedgerRecords.key(page), page));
        }
        effect.ledgerPagesGone().forEach(key -> encoded.add(tombstone(Topics.LEDGERS, key)));
        effect.graphsGone().forEach(key -> encoded.add(tombstone(Topics.PIPELINES, key)));
        effect.nobodys().forEach(subject -> encoded.add(tombstone(Topics.SCALING_COMMANDS, subject)));
        effect.targets().forEach(target -> encoded.add(encoded(Topics.SCALING_COMMANDS, target.getSubject(), target)));
        effect.writeRows(MOST_BYTES);
        encoded.forEach(this::forward);
        urgent = effect.urgent();
        effect.commands().forEach(command -> metrics.command());
        for (JournalEntry entry : effect.journal()) {
            metrics.decision();
            LOG.info("{}: {}", entry.getJob(), entry.getReason());
        }
        for (Effect.SetAside aside : effect.setAside()) {
            metrics.setAside();
            LOG.error("{} is set aside", aside.what(), aside.why());
        }
        for (Effect.Broken broken : effect.broken()) {
            metrics.policyBroke();
            LOG.error("job {}: policy {} broke", broken.job(), broken.policy(), broken.why());
        }
        effect.ignored().forEach(metrics::ignored);
    }

    /** A record that is ready to leave. */
    private record Encoded(String sink, Record<byte[], byte[]> record) {}

    private <V extends SpecificRecord> Encoded encoded(Topic<V> topic, String key, V value) {
        byte[] bytes = codec.write(topic, value);
        return new Encoded(
                DispatchTopology.sink(topic), new Record<>(key.getBytes(StandardCharsets.UTF_8), bytes, now));
    }

    private static Encoded ofJobs(Record<byte[], byte[]> record) {
        return new Encoded(DispatchTopology.sink(Topics.JOBS), record);
    }

    /** Nothing is kept of the key any more. */
    private Encoded tombstone(Topic<?> topic, String key) {
        return new Encoded(DispatchTopology.sink(topic), new Record<>(key.getBytes(StandardCharsets.UTF_8), null, now));
    }

    /**
     * Adds one that Kafka takes. The job that it is about is to blame for one that Kafka would refuse; what is about none grows
     * with a pool and must not stop it: it is left out, and that is said.
     */
    private void add(List<Encoded> all, Optional<String> job, Encoded ready) {
        int bytes = ready.record().value().length;
        if (bytes <= MOST_BYTES) {
            all.add(ready);
            return;
        }
        IllegalStateException large = new IllegalStateException(
                "a record " + ready.sink() + " takes " + bytes + " bytes, more than " + MOST_BYTES);
        if (job.isPresent()) {
            throw new JobFault(job.get(), large);
        }
        metrics.setAside();
        LOG.error("{} is left out", new String(ready.record().key(), StandardCharsets.UTF_8), large);
    }

    private void forward(Encoded ready) {
        context.forward(ready.record(), ready.sink());
    }

    private void count() {
        metrics.counts(
                context.taskId().partition(),
                new DispatcherMetrics.Counts(
                        partition.workers(), partition.stuckJobs(), partition.stepsLeftOut(), partition.jobsByState()));
    }

    /** The partition may be given back to it before another instance had it: then it begins anew, and so do its timers. */
    @Override
    public void close() {
        Stream.concat(clock.stream(), later.stream()).forEach(Cancellable::cancel);
        clock = Optional.empty();
        later = Optional.empty();
        metrics.forget(context.taskId().partition());
    }
}
