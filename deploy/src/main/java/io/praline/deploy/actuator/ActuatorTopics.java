package io.praline.deploy.actuator;

import io.praline.client.local.TargetReports;
import io.praline.client.local.TargetWatch;
import io.praline.schema.ActuatorReport;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerEvent;
import io.praline.topics.Agreements;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.TopicAccess;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.Quarantine;
import io.praline.topics.log.TopicWriter;
import io.praline.topics.log.WriterWaits;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** An actuator's two topics: a pool's targets, and what came of them. One thread. */
public final class ActuatorTopics implements ScalingActuator.Targets, AutoCloseable {
    private static final WriterWaits WAITS =
            WriterWaits.usual(Duration.ofSeconds(2)).withRoom(Duration.ofSeconds(8));

    private static final TopicAccess ACCESS =
            new TopicAccess(List.of(Topics.SCALING_COMMANDS), List.of(Topics.WORKER_HEARTBEATS, Topics.QUARANTINE));

    private final String pool;
    private final Deque<Runnable> open = new ArrayDeque<>();
    private final TopicWriter writer;
    private final TargetWatch targets;

    /**
     * Opens them.
     *
     * @throws ServiceUnreachable if Kafka or the registry does not answer within ten seconds, or its topics are missing, or
     *     it may not read and write them
     */
    public ActuatorTopics(KafkaSettings kafka, String pool) {
        this.pool = Agreements.requireName("pool", pool);
        try {
            try (TopicAdmin admin = TopicAdmin.connect(kafka)) {
                admin.require(ACCESS);
            }
            AvroCodec codec = new AvroCodec(kafka);
            open.push(codec::close);
            codec.requireReachable();
            codec.register(List.of(Topics.WORKER_HEARTBEATS));
            Quarantine quarantine = new Quarantine(kafka, codec, "actuator of pool " + pool);
            open.push(quarantine::close);
            writer = TopicWriter.open(kafka, codec, WAITS);
            open.push(writer::close);
            targets = new TargetWatch(new LogSource(kafka, codec, quarantine::take), Topics.scalingSubject(pool));
            open.push(targets::close);
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** Follows the pool's targets with this one, which stays the caller's. */
    public ScalingActuator actuator(WorkerPool workers, ScalingActuator.Bounds bounds) {
        TargetReports reports =
                new TargetReports(Topics.scalingSubject(pool), UUID.randomUUID().toString(), bounds.most());
        return new ScalingActuator(this, workers, bounds, reports, this::tell, System::nanoTime);
    }

    @Override
    public Optional<ScalingTarget> poll(Duration wait) {
        return targets.poll(wait);
    }

    private void tell(ActuatorReport report) {
        // one that is lost is followed by another while workers are missing
        writer.send(Topics.WORKER_HEARTBEATS, pool, new WorkerEvent(pool, report), failed -> {});
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
