package io.praline.dispatcher;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.EventReader;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.StoreRows;
import io.praline.dispatcher.turn.Dispatching;
import io.praline.dispatcher.turn.Ignored;
import io.praline.dispatcher.turn.Outgoing;
import io.praline.dispatcher.turn.Rules;
import io.praline.schema.Clock;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.Quarantine;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shell: reads a record, has it taken, forwards what comes of it. Owned by the stream thread. */
final class DispatchProcessor implements Processor<byte[], byte[], byte[], byte[]>, Outgoing {
    private static final Logger LOG = LoggerFactory.getLogger(DispatchProcessor.class);
    private static final Duration CLOCK = Duration.ofSeconds(1);

    private final AvroCodec codec;
    private final EventReader reader;
    private final Rules rules;
    private final DispatcherMetrics metrics;
    private ProcessorContext<byte[], byte[]> context;
    private Dispatching dispatching;
    private boolean commitNow;
    private boolean uncommitted;
    private long now;

    DispatchProcessor(AvroCodec codec, int partitions, Rules rules, DispatcherMetrics metrics) {
        this.codec = codec;
        this.reader = new EventReader(codec, partitions);
        this.rules = rules;
        this.metrics = metrics;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> given) {
        context = given;
        KeyValueStore<Bytes, byte[]> store = given.getStateStore(DispatchTopology.LEDGER);
        dispatching = new Dispatching(new Ledger(new StoreRows(store)), new RowRecords(codec), rules, this);
        dispatching.restore();
        count();
        given.schedule(CLOCK, PunctuationType.WALL_CLOCK_TIME, this::writeClock);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata origin = context.recordMetadata()
                .orElseThrow(() -> new IllegalStateException("a record of an input must have an origin"));
        metrics.record(origin.topic());
        now = record.timestamp();
        commitNow = false;
        try {
            Event event = reader.read(
                    origin.topic(), origin.partition(), record.key(), record.value(), Instant.ofEpochMilli(now));
            dispatching.take(event);
        } catch (UnreadableRecord unreadable) {
            quarantine(origin, record, unreadable.reason());
        }
        uncommitted = true;
        if (commitNow) {
            commit();
        }
    }

    private void commit() {
        uncommitted = false;
        context.commit();
    }

    /** Time that passes while nothing else happens, for the log to say when it was; and the commit of every second. */
    private void writeClock(long wallClockMillis) {
        count();
        dispatching.anyPool().ifPresent(pool -> {
            now = wallClockMillis;
            WorkerEvent clock = WorkerEvent.newBuilder()
                    .setPool(pool)
                    .setBody(Clock.newBuilder()
                            .setWrittenAtMillis(wallClockMillis)
                            .build())
                    .build();
            forward(Topics.WORKER_HEARTBEATS, pool, clock);
            uncommitted = true;
        });
        if (uncommitted) {
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
                record.timestamp());
        forward(Topics.QUARANTINE, Quarantine.key(quarantined), quarantined);
    }

    @Override
    public void command(WorkerCommand command) {
        metrics.command();
        commitNow = true;
        forward(Topics.WORKER_COMMANDS, command.getWorker(), command);
    }

    @Override
    public void status(JobStatus status, boolean urgent) {
        commitNow |= urgent;
        forward(Topics.JOBS, status.getJob(), status);
    }

    @Override
    public void journal(JournalEntry entry) {
        metrics.decision();
        LOG.info("{}: {}", entry.getJob(), entry.getReason());
        forward(Topics.PLACEMENT_DECISIONS, entry.getJob(), entry);
    }

    @Override
    public void target(ScalingTarget target) {
        commitNow = true;
        forward(Topics.SCALING_COMMANDS, target.getSubject(), target);
    }

    @Override
    public void broken(String job, String policy, RuntimeException why) {
        metrics.policyBroke();
        LOG.error("job {}: policy {} broke", job, policy, why);
    }

    @Override
    public void ignored(Ignored why) {
        metrics.ignored(why);
    }

    private <V extends SpecificRecord> void forward(Topic<V> topic, String key, V value) {
        byte[] bytes = codec.write(topic, value);
        context.forward(new Record<>(key.getBytes(StandardCharsets.UTF_8), bytes, now), DispatchTopology.sink(topic));
    }

    private void count() {
        metrics.counts(
                context.taskId().partition(),
                new DispatcherMetrics.Counts(dispatching.workers(), dispatching.jobsByState()));
    }

    @Override
    public void close() {
        metrics.forget(context.taskId().partition());
    }
}
