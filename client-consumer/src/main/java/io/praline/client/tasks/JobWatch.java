package io.praline.client.tasks;

import io.praline.schema.JobStatus;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * The statuses of one job, or of all, as they are written: no group, the partitions are assigned, and the position is
 * taken before the constructor returns, so that nothing written after it is missed. One thread of its own.
 */
public final class JobWatch implements AutoCloseable {
    private static final Duration FETCH_WAIT = Duration.ofMillis(50);
    private static final String API_TIMEOUT_MS = "8000";
    private static final Duration REGISTRY_RETRY = Duration.ofMillis(500);
    private static final Duration GOODBYE = Duration.ofSeconds(2);

    private final KafkaSettings settings;
    private final AvroCodec codec;
    private final Optional<byte[]> key;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final BiConsumer<ConsumerRecord<byte[], byte[]>, String> unreadable;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private Optional<Thread> thread = Optional.empty();

    /** Where Kafka is, how records are read, and where those go that cannot be. */
    public record Source(
            KafkaSettings settings, AvroCodec codec, BiConsumer<ConsumerRecord<byte[], byte[]>, String> unreadable) {}

    private JobWatch(Source source, Optional<String> job) {
        this.settings = source.settings();
        this.codec = source.codec();
        this.unreadable = source.unreadable();
        this.key = job.map(id -> id.getBytes(StandardCharsets.UTF_8));
        Properties properties = settings.consumer();
        properties.putIfAbsent("fetch.max.wait.ms", Long.toString(FETCH_WAIT.toMillis()));
        properties.putIfAbsent("default.api.timeout.ms", API_TIMEOUT_MS);
        this.consumer = new KafkaConsumer<>(properties);
    }

    /**
     * What is written of this job from now on.
     *
     * @throws ServiceUnreachable if Kafka does not answer within ten seconds
     */
    public static JobWatch fromNow(Source source, String job, JobListener listener) {
        JobWatch watch = new JobWatch(source, Optional.of(job));
        watch.positioned(() -> {
            List<TopicPartition> partitions = watch.assign();
            watch.consumer.seekToEnd(partitions);
            partitions.forEach(watch.consumer::position);
        });
        watch.start(listener, Map.of());
        return watch;
    }

    /**
     * The newest status of this job, or of each where none is named, and what is written from then on. The listener hears
     * the newest ones on the watch's thread as well.
     *
     * @throws ServiceUnreachable if Kafka does not answer within ten seconds
     */
    public static JobWatch fromNewest(Source source, Optional<String> job, JobListener listener) {
        JobWatch watch = new JobWatch(source, job);
        Map<String, JobStatus> newest = new LinkedHashMap<>();
        watch.positioned(() -> newest.putAll(watch.readToEnd()));
        watch.start(listener, newest);
        return watch;
    }

    /**
     * The newest status of this job, or of each where none is named, oldest first.
     *
     * @throws ServiceUnreachable if Kafka does not answer within ten seconds
     */
    public static List<JobStatus> newest(Source source, Optional<String> job) {
        try (JobWatch watch = new JobWatch(source, job)) {
            Map<String, JobStatus> newest = new LinkedHashMap<>();
            watch.positioned(() -> newest.putAll(watch.readToEnd()));
            return newest.values().stream()
                    .sorted((one, other) -> Long.compare(one.getSubmittedAtMillis(), other.getSubmittedAtMillis()))
                    .toList();
        }
    }

    private void positioned(Runnable position) {
        try {
            position.run();
        } catch (KafkaException failed) {
            consumer.close();
            throw ServiceUnreachable.kafka(settings, failed);
        } catch (RuntimeException failed) {
            consumer.close();
            throw failed;
        }
    }

    private List<TopicPartition> assign() {
        List<PartitionInfo> known = consumer.partitionsFor(Topics.JOBS.name());
        if (known == null || known.isEmpty()) {
            throw ServiceUnreachable.noTopic(settings, List.of(Topics.JOBS.name()));
        }
        List<TopicPartition> partitions = key
                .map(bytes -> List.of(Topics.partitionOf(bytes, known.size())))
                .orElseGet(() -> known.stream().map(PartitionInfo::partition).toList())
                .stream()
                .map(number -> new TopicPartition(Topics.JOBS.name(), number))
                .toList();
        consumer.assign(partitions);
        return partitions;
    }

    private Map<String, JobStatus> readToEnd() {
        Map<String, ConsumerRecord<byte[], byte[]>> records = new LinkedHashMap<>();
        Collection<TopicPartition> partitions = assign();
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                if (isMine(record)) {
                    records.put(new String(record.key(), StandardCharsets.UTF_8), record);
                }
            }
        }
        Map<String, JobStatus> newest = new LinkedHashMap<>();
        records.forEach((job, record) -> read(record).ifPresent(status -> newest.put(job, status)));
        return newest;
    }

    private boolean isMine(ConsumerRecord<byte[], byte[]> record) {
        return record.key() != null
                && key.map(mine -> Arrays.equals(mine, record.key())).orElse(true);
    }

    private Optional<JobStatus> read(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(codec.read(Topics.JOBS, record.value()));
        } catch (UnreadableRecord bad) {
            unreadable.accept(record, bad.reason());
            return Optional.empty();
        }
    }

    private void start(JobListener listener, Map<String, JobStatus> newest) {
        Thread watching = new Thread(() -> watch(listener, newest), "praline-job-watch");
        watching.setDaemon(true);
        thread = Optional.of(watching);
        watching.start();
    }

    private void watch(JobListener listener, Map<String, JobStatus> newest) {
        try {
            newest.values().forEach(listener::status);
            while (stopping.getCount() > 0) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(FETCH_WAIT);
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    if (isMine(record)) {
                        readPatiently(record).ifPresent(listener::status);
                    }
                }
                listener.rest();
            }
        } catch (WakeupException stopped) {
            // close() asked for it
        } catch (RuntimeException failed) {
            listener.failed(ServiceUnreachable.isRefusal(failed) ? ServiceUnreachable.kafka(settings, failed) : failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            listener.failed(new IllegalStateException("the watch was interrupted", interrupted));
        } finally {
            consumer.close();
        }
    }

    // a registry that is away for a moment must not end a running job
    private Optional<JobStatus> readPatiently(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        while (true) {
            try {
                return read(record);
            } catch (ServiceUnreachable away) {
                if (stopping.await(REGISTRY_RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return Optional.empty();
                }
            }
        }
    }

    /** Stops it; the listener is not called any more when it returns. Not to be called by the listener. */
    @Override
    public void close() {
        stopping.countDown();
        if (thread.isEmpty()) {
            consumer.close();
            return;
        }
        consumer.wakeup();
        try {
            thread.get().join(GOODBYE.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
