package io.praline.deploy.bench;

import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.policy.Counted;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerCommand;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.log.TopicWriter;
import io.praline.topics.log.WriterWaits;
import io.praline.topics.registry.AvroCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/**
 * The beats of a {@link PretendPool} through a real Kafka, and what comes back: its own threads send and read, one thread
 * asks.
 */
public final class PretendTraffic implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** How often a training loop closes a window where nothing changes. */
    private static final long STEADY_WINDOW_NANOS = Duration.ofSeconds(10).toNanos();

    /** Beats that may wait for the dispatcher: it never runs dry, and is never further behind than this. */
    private static final long MOST_BEHIND = 20_000;

    private static final byte[] KEY = PretendPool.POOL.getBytes(StandardCharsets.UTF_8);

    /** Which windows clients close. */
    enum Windows {
        NONE,
        /** One with each beat. */
        EACH_BEAT,
        /** One in ten seconds, and none for jobs that move. */
        STEADY
    }

    private final KafkaSettings kafka;
    private final PretendPool pool;
    private final int beatsPerSecond;
    private final AvroCodec codec;
    private final TopicWriter writer;
    private final TopicReader<ScalingTarget> targets;
    private final TopicReader<WorkerCommand> commands;
    private final Admin admin;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicReference<Latencies> latencies = new AtomicReference<>(new Latencies());
    private volatile Windows windows = Windows.NONE;
    private volatile boolean closing;

    public PretendTraffic(KafkaSettings kafka, PretendPool pool, int beatsPerSecond) {
        this.kafka = kafka;
        this.pool = pool;
        this.beatsPerSecond = beatsPerSecond;
        this.codec = new AvroCodec(kafka);
        this.targets = LiveTopics.all(kafka, codec, Topics.SCALING_COMMANDS);
        this.commands = LiveTopics.all(kafka, codec, Topics.WORKER_COMMANDS);
        this.writer = TopicWriter.open(kafka, codec, WriterWaits.usual(Duration.ofSeconds(2)));
        this.admin = Admin.create(kafka.admin());
    }

    /** Begins with the beats, and submits the jobs; returns when every job has a worker. */
    public void start(Duration within) throws InterruptedException {
        run("pretend-targets", this::readTargets);
        run("pretend-commands", this::readCommands);
        for (int worker = 0; worker < pool.jobs(); worker++) {
            send(Topics.WORKER_HEARTBEATS, pool.workerBeat(worker));
        }
        run("pretend-beats", this::beat);
        for (int job = 0; job < pool.jobs(); job++) {
            send(Topics.JOB_REQUESTS, pool.submission(job));
        }
        long deadline = System.nanoTime() + within.toNanos();
        while (pool.attempts() < pool.jobs()) {
            pause(Duration.ofMillis(50));
            if (System.nanoTime() - deadline > 0) {
                throw new CommandFailed(
                        ExitCode.BROKEN,
                        "only " + pool.attempts() + " of " + Counted.of(pool.jobs(), "job") + " got a worker within "
                                + within.toSeconds() + " s; try fewer --jobs");
            }
        }
    }

    private interface Loop {
        void run() throws InterruptedException;
    }

    private void run(String name, Loop loop) {
        Thread thread = new Thread(
                () -> {
                    try {
                        loop.run();
                    } catch (RuntimeException | InterruptedException failed) {
                        failure.compareAndSet(null, failed);
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void readTargets() {
        while (!closing) {
            List<TopicReader.Entry<ScalingTarget>> found = targets.poll(POLL);
            long now = System.nanoTime();
            for (TopicReader.Entry<ScalingTarget> entry : found) {
                entry.value().ifPresent(target -> pool.told(target, now).ifPresent(latencies.get()::add));
            }
        }
        targets.close();
    }

    private void readCommands() {
        while (!closing) {
            for (TopicReader.Entry<WorkerCommand> entry : commands.poll(POLL)) {
                entry.value().ifPresent(command -> pool.obey(command).forEach(answer -> send(Topics.SPLITS, answer)));
            }
        }
        commands.close();
    }

    /** A worker's beat and a client's in turn, evenly spaced. */
    private void beat() {
        long start = System.nanoTime();
        long[] windowAt = new long[pool.jobs()];
        for (int client = 0; client < windowAt.length; client++) {
            windowAt[client] = start + STEADY_WINDOW_NANOS * client / windowAt.length;
        }
        for (long beat = 0; !closing; beat++) {
            long due = start + beat * TimeUnit.SECONDS.toNanos(1) / beatsPerSecond;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            int number = (int) (beat / 2 % pool.jobs());
            if (beat % 2 == 0) {
                send(Topics.WORKER_HEARTBEATS, pool.workerBeat(number));
            } else {
                long now = System.nanoTime();
                boolean window =
                        switch (windows) {
                            case NONE -> false;
                            case EACH_BEAT -> true;
                            case STEADY -> !pool.moves(number) && now - windowAt[number] >= 0;
                        };
                // each keeps its own time, so that they come evenly
                while (now - windowAt[number] >= 0) {
                    windowAt[number] += STEADY_WINDOW_NANOS;
                }
                send(Topics.CLIENT_HEARTBEATS, pool.clientBeat(number, window, now));
            }
            sent.incrementAndGet();
        }
    }

    private <V extends SpecificRecord> void send(Topic<V> topic, V value) {
        writer.send(topic, PretendPool.POOL, value, failed -> failure.compareAndSet(null, failed));
    }

    /** Which windows clients close from now on. */
    void windows(Windows which) {
        windows = which;
    }

    /** Lets time pass, and rises with what went wrong meanwhile. */
    void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        Exception failed = failure.get();
        if (failed != null) {
            throw new CommandFailed(ExitCode.BROKEN, "the beats stopped: " + failed.getMessage(), failed);
        }
    }

    /**
     * What was measured.
     *
     * @param beatsPerSecond that were sent
     * @param latencies from a window to its command
     */
    public record Answers(double beatsPerSecond, Latencies latencies) {}

    /** Every client's beat carries a window for so long, of which only the end is measured. */
    public Answers answers(Duration warmUp, Duration measured) throws InterruptedException {
        windows(Windows.EACH_BEAT);
        pause(warmUp);
        Latencies counted = new Latencies();
        latencies.set(counted);
        long beats = sent.get();
        long start = System.nanoTime();
        pause(measured);
        double rate = (sent.get() - beats) * 1e9 / (System.nanoTime() - start);
        windows(Windows.NONE);
        for (long left = ANSWER.toMillis(); pool.unanswered() > 0; left -= POLL.toMillis()) {
            if (left <= 0) {
                throw new CommandFailed(
                        ExitCode.BROKEN,
                        Counted.of(pool.unanswered(), "window was", "windows were") + " not answered within "
                                + ANSWER.toSeconds() + " s");
            }
            pause(POLL);
        }
        latencies.set(new Latencies());
        return new Answers(rate, counted);
    }

    /** Workers' beats that the dispatcher commits in a second, while as many are offered as it takes. */
    public double sustained(Duration warmUp, Duration measured) throws InterruptedException {
        List<byte[]> beats = new ArrayList<>();
        for (int worker = 0; worker < pool.jobs(); worker++) {
            beats.add(codec.write(Topics.WORKER_HEARTBEATS, pool.workerBeat(worker)));
        }
        TopicPartition partition = partition();
        AtomicLong committed = new AtomicLong(committed(partition));
        AtomicLong end = new AtomicLong(end(partition));
        AtomicBoolean over = new AtomicBoolean();
        run("pretend-flood", () -> flood(beats, committed, end, over));
        try {
            long deadline = System.nanoTime() + warmUp.toNanos();
            while (System.nanoTime() - deadline < 0) {
                next(partition, committed);
            }
            long from = committed.get();
            long start = System.nanoTime();
            while (System.nanoTime() - start < measured.toNanos()) {
                next(partition, committed);
            }
            return (committed.get() - from) * 1e9 / (System.nanoTime() - start);
        } finally {
            over.set(true);
        }
    }

    /** Waits for the dispatcher to commit. */
    private void next(TopicPartition partition, AtomicLong committed) throws InterruptedException {
        long before = committed.get();
        for (long left = ANSWER.toMillis(); committed.get() == before; left -= 10) {
            if (left <= 0) {
                throw new CommandFailed(
                        ExitCode.BROKEN, "the dispatcher took no beat for " + ANSWER.toSeconds() + " s");
            }
            pause(Duration.ofMillis(10));
            committed.set(committed(partition));
        }
    }

    /** By a producer of its own, of beats that are encoded once: the dispatcher is measured, not this. */
    private void flood(List<byte[]> beats, AtomicLong committed, AtomicLong end, AtomicBoolean over) {
        Properties many = kafka.producer();
        many.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        many.put(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(64 << 10));
        try (KafkaProducer<byte[], byte[]> by = new KafkaProducer<>(many)) {
            for (int next = 0; !closing && !over.get(); next = (next + 1) % beats.size()) {
                while (end.get() - committed.get() >= MOST_BEHIND && !over.get()) {
                    LockSupport.parkNanos(1_000_000);
                }
                var unused = by.send(
                        new ProducerRecord<>(Topics.WORKER_HEARTBEATS.name(), KEY, beats.get(next)),
                        (metadata, failed) -> {
                            if (failed != null) {
                                failure.compareAndSet(null, failed);
                            }
                        });
                end.incrementAndGet();
            }
        }
    }

    private TopicPartition partition() throws InterruptedException {
        String topic = Topics.WORKER_HEARTBEATS.name();
        TopicDescription described =
                await(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
        int partitions = described.partitions().size();
        return new TopicPartition(topic, Topics.partitionOf(KEY, partitions));
    }

    private long committed(TopicPartition partition) throws InterruptedException {
        OffsetAndMetadata offset = await(admin.listConsumerGroupOffsets(DispatcherConfig.USUAL_APPLICATION)
                        .partitionsToOffsetAndMetadata())
                .get(partition);
        return offset == null ? 0 : offset.offset();
    }

    private long end(TopicPartition partition) throws InterruptedException {
        return await(admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition))
                .offset();
    }

    /** Bytes that the journal grows by in an hour if it goes on as it did for so long. */
    public double journalBytesPerHour(Duration measured) throws InterruptedException {
        windows(Windows.STEADY);
        pause(Duration.ofSeconds(5));
        long before = journalBytes();
        long start = System.nanoTime();
        pause(measured);
        double perSecond = (journalBytes() - before) * 1e9 / (System.nanoTime() - start);
        windows(Windows.NONE);
        return perSecond * 3_600 * pool.jobs() / (pool.jobs() - pool.moving());
    }

    /** As they lie on the broker's disk. */
    private long journalBytes() throws InterruptedException {
        List<Integer> brokers =
                await(admin.describeCluster().nodes()).stream().map(Node::id).toList();
        long bytes = 0;
        for (var dirs : await(admin.describeLogDirs(brokers).allDescriptions()).values()) {
            for (LogDirDescription dir : dirs.values()) {
                bytes += dir.replicaInfos().entrySet().stream()
                        .filter(replica -> replica.getKey().topic().equals(Topics.PLACEMENT_DECISIONS.name()))
                        .mapToLong(replica -> replica.getValue().size())
                        .sum();
            }
        }
        return bytes;
    }

    private static <V> V await(KafkaFuture<V> answer) throws InterruptedException {
        try {
            return answer.get(ANSWER.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new CommandFailed(ExitCode.UNREACHABLE, "Kafka does not answer: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        closing = true;
        try {
            for (Thread thread : threads) {
                thread.join(ANSWER.toMillis());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        writer.close();
        admin.close(Duration.ofSeconds(2));
        codec.close();
    }
}
