package io.praline.dispatcher.convert;

import io.praline.policy.Observation;
import io.praline.schema.ActuatorReport;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Clock;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobRequest;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PlanMessage;
import io.praline.schema.Submit;
import io.praline.schema.VariantVerified;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * Bytes to events. What is wrong with a record is found here, so that nothing behind it can stumble over one.
 *
 * @param partitions of each of the dispatcher's inputs
 */
public record EventReader(AvroCodec codec, int partitions) {
    /**
     * The event in a record.
     *
     * @param key null for none
     * @param value null for none
     * @throws UnreadableRecord if it cannot be taken, with the reason
     */
    public Event read(String topic, int partition, byte[] key, byte[] value, Instant at) throws UnreadableRecord {
        if (key == null) {
            throw new UnreadableRecord("it has no key");
        }
        int right = Topics.partitionOf(key, partitions);
        if (right != partition) {
            throw new UnreadableRecord("its key belongs into partition " + right + ", not " + partition
                    + ": its producer does not partition by murmur2");
        }
        if (at.isBefore(Instant.EPOCH)) {
            throw new UnreadableRecord("its log time is before 1970");
        }
        try {
            Event event = event(topic, value, at);
            String pool = new String(key, StandardCharsets.UTF_8);
            Bounds.require(
                    pool.equals(event.pool()), "its key is '" + pool + "', but its pool is '" + event.pool() + "'");
            Bounds.name("pool", pool);
            return event;
        } catch (IllegalArgumentException wrong) {
            throw new UnreadableRecord(wrong.getMessage(), wrong);
        }
    }

    private Event event(String topic, byte[] value, Instant at) throws UnreadableRecord {
        if (topic.equals(Topics.WORKER_HEARTBEATS.name())) {
            WorkerEvent event = codec.read(Topics.WORKER_HEARTBEATS, value);
            if (event.getBody() instanceof WorkerHeartbeat beat) {
                EventChecks.check(beat);
                return new Event.Beat(at, event.getPool(), beat);
            }
            if (event.getBody() instanceof ActuatorReport report) {
                EventChecks.check(report);
                return new Event.Actuator(at, event.getPool(), report);
            }
            if (event.getBody() instanceof PipelineProfiled told) {
                CacheAnswer answer = CacheRecords.answer(told);
                return order(new Event.Order(
                        at,
                        event.getPool(),
                        told.getJob(),
                        told.getIncarnation(),
                        answer.trial().isPresent()
                                ? Optional.empty()
                                : Optional.of((time, front) -> OrderRecords.event(told, time)),
                        answer));
            }
            if (event.getBody() instanceof VariantVerified told) {
                return order(new Event.Order(
                        at,
                        event.getPool(),
                        told.getJob(),
                        told.getIncarnation(),
                        Optional.of((time, front) -> OrderRecords.event(told, front, time)),
                        CacheRecords.answer(told)));
            }
            if (event.getBody() instanceof Clock) {
                return new Event.Tick(at, event.getPool());
            }
            throw new UnreadableRecord("its body is of a kind that is not known here");
        }
        if (topic.equals(Topics.CONSUMPTION.name())) {
            ConsumptionReport report = codec.read(Topics.CONSUMPTION, value);
            return new Event.Report(at, report.getPool(), report, EventChecks.elements(report));
        }
        if (topic.equals(Topics.CLIENT_HEARTBEATS.name())) {
            ClientHeartbeat beat = codec.read(Topics.CLIENT_HEARTBEATS, value);
            EventChecks.check(beat);
            return new Event.Client(at, beat.getPool(), beat);
        }
        if (topic.equals(Topics.JOB_REQUESTS.name())) {
            JobRequest request = codec.read(Topics.JOB_REQUESTS, value);
            EventChecks.check(request);
            return request.getBody() instanceof Submit submit
                    ? SubmitChecks.event(at, request, submit)
                    : new Event.Request(at, request.getPool(), request, Optional.empty());
        }
        if (topic.equals(Topics.SPLITS.name())) {
            PlanMessage message = codec.read(Topics.SPLITS, value);
            EventChecks.check(message);
            return new Event.Plan(at, message.getPool(), message);
        }
        throw new IllegalStateException("the dispatcher does not read " + topic);
    }

    /** What a worker measured; read once here, so that what is wrong with it is found here. */
    private static Event order(Event.Order order) {
        Bounds.name("job", order.about());
        Bounds.name("incarnation", order.incarnation());
        order.told(0);
        return order;
    }

    /**
     * The submission as one that is refused, so that whoever waits for it is told.
     *
     * @param event empty is given for any that is no submission
     */
    public static Optional<Event> refused(Event event, String why) {
        return event instanceof Event.Request request && request.request().getBody() instanceof Submit submit
                ? Optional.of(SubmitChecks.refused(request.at(), request.request(), submit, why))
                : Optional.empty();
    }

    /**
     * A client's window as policies see it.
     *
     * @throws IllegalArgumentException naming what it measured that cannot be
     */
    public static Observation.WindowClosed window(Instant at, int consumer, MeasurementWindow window) {
        return new Observation.WindowClosed(
                at,
                consumer,
                window.getBatches(),
                window.getElements(),
                window.getBytes(),
                window.getSeconds(),
                window.getWaitShare(),
                window.getQueueDepth(),
                window.getLocalTasks(),
                window.getRemoteTasks(),
                window.getStraddles());
    }
}
