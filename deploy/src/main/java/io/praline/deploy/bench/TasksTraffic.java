package io.praline.deploy.bench;

import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.policy.Counted;
import io.praline.schema.WorkerCommand;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.log.TopicWriter;
import io.praline.topics.log.WriterWaits;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** The beats of {@link PretendTasks}, one a second of each, through a real Kafka, and the commands that come back. */
public final class TasksTraffic implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final PretendTasks tasks;
    private final int partitions;
    private final AvroCodec codec;
    private final TopicWriter writer;
    private final TopicReader<WorkerCommand> commands;
    private final Admin admin;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final AtomicLong sent = new AtomicLong();
    private volatile boolean closing;

    /** @param partitions of the dispatcher's inputs */
    public TasksTraffic(KafkaSettings kafka, PretendTasks tasks, int partitions) {
        this.tasks = tasks;
        this.partitions = partitions;
        this.codec = new AvroCodec(kafka);
        this.commands = LiveTopics.all(kafka, codec, Topics.WORKER_COMMANDS);
        this.writer = TopicWriter.open(gathering(kafka), codec, WriterWaits.usual(Duration.ofSeconds(2)));
        this.admin = Admin.create(kafka.admin());
    }

    /**
     * For what all workers tell, by one producer: a request for each beat would keep broker and this process busy, and the
     * dispatchers are measured.
     */
    private static KafkaSettings gathering(KafkaSettings kafka) {
        Map<String, String> properties = new TreeMap<>(kafka.properties());
        properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(64 << 10));
        return new KafkaSettings(kafka.bootstrap(), kafka.registryUrl(), properties);
    }

    /** Begins with the beats, and submits the jobs; gives how long it took until every worker had its task. */
    public Duration start(Duration within) throws InterruptedException {
        run("pretend-commands", this::readCommands);
        run("pretend-beats", this::beat);
        pause(Duration.ofSeconds(2));
        long start = System.nanoTime();
        for (String pool : tasks.pools()) {
            send(Topics.JOB_REQUESTS, pool, tasks.submission(pool));
        }
        while (tasks.running() < tasks.tasks()) {
            pause(POLL);
            if (System.nanoTime() - start > within.toNanos()) {
                throw new CommandFailed(
                        ExitCode.BROKEN,
                        "only " + tasks.running() + " of " + Counted.of(tasks.tasks(), "task") + " began within "
                                + within.toSeconds() + " s; try fewer --tasks");
            }
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private void run(String name, Runnable loop) {
        Thread thread = new Thread(
                () -> {
                    try {
                        loop.run();
                    } catch (RuntimeException failed) {
                        failure.compareAndSet(null, failed);
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void readCommands() {
        while (!closing) {
            for (TopicReader.Entry<WorkerCommand> entry : commands.poll(POLL)) {
                entry.value().ifPresent(command -> tasks.obey(command)
                        .forEach(answer -> send(Topics.SPLITS, answer.getPool(), answer)));
            }
        }
        commands.close();
    }

    /** Each worker once a second, evenly spaced, and each client too. */
    private void beat() {
        long start = System.nanoTime();
        for (long beat = 0; !closing; beat++) {
            long due = start + (long) ((double) beat * TimeUnit.SECONDS.toNanos(1) / tasks.tasks());
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            int worker = (int) (beat % tasks.tasks());
            if (worker == 0) {
                long second = beat / tasks.tasks() + 1;
                tasks.pools().forEach(pool -> send(Topics.CLIENT_HEARTBEATS, pool, tasks.clientBeat(pool, second)));
            }
            send(Topics.WORKER_HEARTBEATS, tasks.pool(worker), tasks.beat(worker));
            sent.incrementAndGet();
        }
    }

    private <V extends SpecificRecord> void send(Topic<V> topic, String pool, V value) {
        writer.send(topic, pool, value, failed -> failure.compareAndSet(null, failed));
    }

    private void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        Exception failed = failure.get();
        if (failed != null) {
            throw new CommandFailed(ExitCode.BROKEN, "the beats stopped: " + failed.getMessage(), failed);
        }
    }

    /**
     * What was measured.
     *
     * @param sentPerSecond beats that were sent
     * @param takenPerSecond beats of which the dispatchers committed what came of them
     * @param behind beats that waited for them at the end
     * @param splitsPerMinute that were assigned
     * @param cores that each dispatcher used
     */
    public record Measured(
            double sentPerSecond, double takenPerSecond, long behind, double splitsPerMinute, List<Double> cores) {}

    /**
     * Measures for so long.
     *
     * @param cpuNanos processor time of each dispatcher so far
     */
    public Measured measure(Duration time, Supplier<List<Long>> cpuNanos) throws InterruptedException {
        long committed = committed();
        long beats = sent.get();
        long splits = tasks.assigned();
        List<Long> cpu = cpuNanos.get();
        long start = System.nanoTime();
        pause(time);
        double seconds = (System.nanoTime() - start) / 1e9;
        List<Long> cpuNow = cpuNanos.get();
        long committedNow = committed();
        return new Measured(
                (sent.get() - beats) / seconds,
                (committedNow - committed) / seconds,
                Math.max(0, end() - committedNow),
                (tasks.assigned() - splits) / seconds * 60,
                IntStream.range(0, cpu.size())
                        .mapToObj(i -> (cpuNow.get(i) - cpu.get(i)) / 1e9 / seconds)
                        .toList());
    }

    private List<TopicPartition> inputs() {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(Topics.WORKER_HEARTBEATS.name(), partition))
                .toList();
    }

    private long committed() throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets =
                await(admin.listConsumerGroupOffsets(DispatcherConfig.USUAL_APPLICATION)
                        .partitionsToOffsetAndMetadata());
        return inputs().stream()
                .map(offsets::get)
                .filter(offset -> offset != null)
                .mapToLong(OffsetAndMetadata::offset)
                .sum();
    }

    private long end() throws InterruptedException {
        return await(admin.listOffsets(inputs().stream()
                                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest())))
                        .all())
                .values()
                .stream()
                .mapToLong(found -> found.offset())
                .sum();
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
