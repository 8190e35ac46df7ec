package io.praline.tests.flow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.praline.identity.AttemptKey;
import io.praline.schema.Attach;
import io.praline.schema.AttemptPlace;
import io.praline.schema.BatchUse;
import io.praline.schema.Cancel;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Component;
import io.praline.schema.Confirmation;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.Submit;
import io.praline.schema.Use;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import io.praline.wire.EndOf;
import io.praline.worker.delivery.DeliveryServer;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.OutboxClosed;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * A dispatcher and a worker of the simplest kind, to test a client with: each job is one attempt that delivers the
 * integers below the job's seed, as packed frames of up to eight; it is complete when all of them are acknowledged. It has
 * one place for a consumer, which the newest to attach gets; each beat of that one is echoed.
 */
final class ScriptedDispatcher implements AutoCloseable {
    private static final int PACK = 8;

    private final AvroCodec codec;
    private final DeliveryServer worker;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread thread = new Thread(this::run, "scripted-dispatcher");
    private final Map<String, Job> jobs = new TreeMap<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final AtomicInteger lostSubmissions = new AtomicInteger();
    private final AtomicInteger lostAttachments = new AtomicInteger();

    private static final class Job {
        private final String requester;
        private final String submission;
        private final long elements;
        private JobState state = JobState.RUNNING;
        private String reason = "";
        private long acked;
        private final Map<String, Confirmation> confirmed = new TreeMap<>();
        private ConsumerSlot slot =
                new ConsumerSlot(0, 0, ConsumerState.EXPECTED, "", "", 0L, 0L, 0L, null, List.of(), 0L);

        private Job(String requester, Submit submit) {
            this.requester = requester;
            this.submission = submit.getDigest();
            this.elements = submit.getSeed();
        }
    }

    ScriptedDispatcher(KafkaSettings settings, DeliveryServer worker) {
        this.codec = new AvroCodec(settings);
        this.worker = worker;
        this.consumer = new KafkaConsumer<>(settings.consumer());
        this.producer = new KafkaProducer<>(settings.producer());
        List<TopicPartition> inputs = new ArrayList<>();
        for (var topic : List.of(Topics.JOB_REQUESTS, Topics.CONSUMPTION, Topics.CLIENT_HEARTBEATS)) {
            for (int i = 0; i < topic.partitions(); i++) {
                inputs.add(new TopicPartition(topic.name(), i));
            }
        }
        consumer.assign(inputs);
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMinutes(1))) {
                    if (record.topic().equals(Topics.JOB_REQUESTS.name())) {
                        asked(codec.read(Topics.JOB_REQUESTS, record.value()));
                    } else if (record.topic().equals(Topics.CLIENT_HEARTBEATS.name())) {
                        beaten(codec.read(Topics.CLIENT_HEARTBEATS, record.value()));
                    } else {
                        consumed(codec.read(Topics.CONSUMPTION, record.value()));
                    }
                }
            }
        } catch (WakeupException closed) {
            // close() asked for it
        } catch (UnreadableRecord unexpected) {
            throw new IllegalStateException(unexpected);
        } finally {
            consumer.close();
        }
    }

    /** The next one who asks for a place is not heard. */
    void losesAnAttachment() {
        lostAttachments.set(1);
    }

    /** The next one who submits is not heard. */
    void losesASubmission() {
        lostSubmissions.set(1);
    }

    private static boolean isLost(AtomicInteger lost) {
        return lost.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    private void asked(JobRequest request) {
        String id = request.getJob();
        if (request.getBody() instanceof Submit && isLost(lostSubmissions)) {
            return;
        }
        if (request.getBody() instanceof Submit submit && !jobs.containsKey(id)) {
            Job job = new Job(request.getRequester(), submit);
            jobs.put(id, job);
            Outbox outbox = worker.open(new AttemptKey(id, 0, 0), submit.getConsumers(), 64 << 20);
            tell(id, job);
            Thread feeder = new Thread(() -> feed(outbox, job.elements), "scripted-worker");
            feeder.setDaemon(true);
            feeder.start();
        } else if (request.getBody() instanceof Attach && jobs.containsKey(id) && isLost(lostAttachments)) {
            tell(id, jobs.get(id));
        } else if (request.getBody() instanceof Attach attach && jobs.containsKey(id)) {
            Job job = jobs.get(id);
            int generation =
                    job.slot.getGeneration() + (job.slot.getIncarnation().isEmpty() ? 0 : 1);
            job.slot = new ConsumerSlot(
                    0,
                    generation,
                    ConsumerState.HERE,
                    attach.getIncarnation(),
                    attach.getHost(),
                    0L,
                    0L,
                    1L,
                    null,
                    List.of(),
                    0L);
            tell(id, job);
        } else if (request.getBody() instanceof Cancel cancel && jobs.containsKey(id)) {
            Job job = jobs.get(id);
            job.state = JobState.CANCELLED;
            job.reason = cancel.getReason();
            worker.close(new AttemptKey(id, 0, 0));
            tell(id, job);
        }
    }

    private static void feed(Outbox outbox, long elements) {
        try {
            for (long from = 0; from < elements; from += PACK) {
                outbox.put(frame(from, Math.min(elements, from + PACK)));
            }
            outbox.end(EndOf.JOB);
        } catch (InterruptedException | OutboxClosed closed) {
            // the job was cancelled
        }
    }

    private static OutgoingBatch frame(long from, long until) {
        int size = (int) (until - from);
        long[] tickets = new long[size];
        ByteBuf body = Unpooled.directBuffer(size * Long.BYTES);
        for (int i = 0; i < size; i++) {
            tickets[i] = from + i;
            body.writeLongLE(10 * (from + i));
        }
        return new OutgoingBatch(tickets, size, List.of(new OutgoingTensor(9, new long[] {size}, body)), body::release);
    }

    private void beaten(ClientHeartbeat beat) {
        Job job = jobs.get(beat.getJob());
        if (job != null && job.slot.getIncarnation().equals(beat.getIncarnation())) {
            job.slot = ConsumerSlot.newBuilder(job.slot).setBeat(beat.getBeat()).build();
            tell(beat.getJob(), job);
        }
    }

    private void consumed(ConsumptionReport report) {
        Job job = jobs.get(report.getJob());
        String key = report.getConsumer() + "/" + report.getIncarnation();
        long applied = job.confirmed.containsKey(key) ? job.confirmed.get(key).getReportSequence() : -1;
        if (report.getReportSequence() != applied + 1) {
            return;
        }
        job.confirmed.put(
                key, new Confirmation(report.getConsumer(), report.getIncarnation(), report.getReportSequence()));
        for (BatchUse use : report.getBatches()) {
            job.acked += use.getUse() == Use.ACKED ? use.getElements() : 0;
        }
        if (report.getLeft() && job.slot.getIncarnation().equals(report.getIncarnation())) {
            job.slot = ConsumerSlot.newBuilder(job.slot)
                    .setState(ConsumerState.LEFT)
                    .build();
        }
        if (job.acked == job.elements && job.state == JobState.RUNNING) {
            job.state = JobState.COMPLETED;
            worker.close(new AttemptKey(report.getJob(), 0, 0));
        }
        tell(report.getJob(), job);
    }

    private void tell(String id, Job job) {
        boolean running = job.state == JobState.RUNNING;
        JobStatus status = JobStatus.newBuilder()
                .setJob(id)
                .setPool("default")
                .setTenant("default")
                .setRequester(job.requester)
                .setSubmission(job.submission)
                .setPipelineName("integers")
                .setPipelineDigest("d")
                .setState(job.state)
                .setReason(job.reason)
                .setFailure(FailureKind.NONE)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of())
                .setPlan(1)
                .setSplits(1)
                .setEpochs(1)
                .setConsumers(1)
                .setSeed(job.elements)
                .setComponents(List.of(new Component("number", "int64", List.of(), true)))
                .setAttempts(
                        running
                                ? List.of(new AttemptPlace(
                                        0, 0, "w", "w-1", "elsewhere", worker.addresses(), false, false))
                                : List.of())
                .setProgress(List.of(
                        new EpochProgress(0, job.elements, job.acked, List.of(), 1L, !running, !running, 0L, 0L)))
                .setConfirmed(List.copyOf(job.confirmed.values()))
                .setSlots(List.of(job.slot))
                .setBadRecords(List.of())
                .setTransformations(List.of())
                .setSubmittedAtMillis(1)
                .setChangedAtMillis(1)
                .build();
        Future<RecordMetadata> unused = producer.send(
                new ProducerRecord<>(
                        Topics.JOBS.name(), id.getBytes(StandardCharsets.UTF_8), codec.write(Topics.JOBS, status)),
                (metadata, failed) -> failure.compareAndSet(null, failed));
    }

    @Override
    public void close() {
        consumer.wakeup();
        producer.close(Duration.ofSeconds(2));
        codec.close();
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
    }
}
