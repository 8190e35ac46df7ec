package io.praline.deploy.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;

/**
 * A Kafka broker and controller in this process, on the loopback address. It, {@link CombinedServer} and {@link LeaderlessPartitions} alone know what of Kafka is not
 * public API. Where Kafka would end the process it is {@link #failure()} instead, and the process stays.
 */
final class EmbeddedBroker implements Brokers {
    private static final Duration LAST_MOMENT = Duration.ofSeconds(3);

    /** With less a broker cannot write its next records. */
    private static final long LEAST_ROOM_BYTES = 1 << 20;

    /** Kafka's ways out are the process's, not a broker's: told is the one whose thread took it, and where that is none's, all. */
    private static final Set<EmbeddedBroker> OPEN = ConcurrentHashMap.newKeySet();

    private static final ThreadGroup BROKERS = new ThreadGroup("brokers");

    /** Of all threads that it has: each is in the group of the one that made it. */
    private final ThreadGroup threads;

    private final CombinedServer server;
    private final BrokerPlace place;
    private final CompletableFuture<String> failure = new CompletableFuture<>();

    private EmbeddedBroker(ThreadGroup threads, CombinedServer server, BrokerPlace place) {
        this.threads = threads;
        this.server = server;
        this.place = place;
    }

    /**
     * Starts it on its directory, which is formatted if it is new, and returns when it serves.
     *
     * @throws ClusterRefused if it cannot be started
     */
    static EmbeddedBroker start(BrokerPlace place) {
        ThreadGroup threads = new ThreadGroup(BROKERS, "broker in " + place.dir());
        return Undisturbed.make(threads, "start of the broker", () -> begin(threads, place));
    }

    private static EmbeddedBroker begin(ThreadGroup threads, BrokerPlace place) {
        Exit.setExitProcedure(EmbeddedBroker::halted);
        Exit.setHaltProcedure(EmbeddedBroker::halted);
        EmbeddedBroker broker = null;
        try {
            format(place);
            KafkaConfig config = KafkaConfig.fromProps(properties(place), false);
            broker = new EmbeddedBroker(threads, new CombinedServer(config), place);
            OPEN.add(broker);
            broker.startup();
            return broker;
        } catch (Exception | Halted failed) {
            if (broker != null) {
                broker.close();
            }
            throw new ClusterRefused("the broker in " + place.dir() + " did not start: " + rootMessage(failed), failed);
        }
    }

    /** Not on this thread: where one of its others takes Kafka's way out, it may wait for that one for ever. */
    private void startup() throws Exception {
        CompletableFuture<Void> served =
                CompletableFuture.runAsync(server::startup, task -> new Thread(task, "startup of the broker").start());
        try {
            CompletableFuture.anyOf(served, failure).get();
        } catch (ExecutionException thrown) {
            if (!failure.isDone()) {
                throw new IllegalStateException(thrown.getCause());
            }
        }
        if (failure.isDone()) {
            throw new IllegalStateException(failure.join());
        }
    }

    @Override
    public String bootstrap() {
        return place.address();
    }

    @Override
    public CompletionStage<String> failure() {
        return failure;
    }

    @Override
    public CompletionStage<String> firstEnd() {
        return failure;
    }

    @Override
    public List<ServerProcess> processes() {
        return List.of();
    }

    /** None: it ends with this process. */
    @Override
    public List<String> replaceDead() {
        return List.of();
    }

    private static void format(BrokerPlace place) throws Exception {
        Path dir = place.dir();
        if (Files.exists(dir.resolve(BrokerFolder.META))) {
            return;
        }
        Files.createDirectories(dir);
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setClusterId(place.clusterId())
                .setNodeId(place.node())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(dir.toString())
                .addDirectory(dir.toString())
                .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                .run();
    }

    static Properties properties(BrokerPlace place) {
        Properties properties = new Properties();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", Integer.toString(place.node()));
        properties.put("controller.quorum.voters", place.voters());
        properties.put("listeners", "PLAINTEXT://" + place.address() + ",CONTROLLER://" + place.controllerAddress());
        properties.put("advertised.listeners", "PLAINTEXT://" + place.advertised());
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("inter.broker.listener.name", "PLAINTEXT");
        properties.put("log.dirs", place.dir().toString());

        String copies = Integer.toString(place.copies());
        String acknowledged = Integer.toString(place.copiesToAcknowledge());
        properties.put("default.replication.factor", copies);
        properties.put("min.insync.replicas", acknowledged);
        properties.put("offsets.topic.replication.factor", copies);
        properties.put("transaction.state.log.replication.factor", copies);
        properties.put("transaction.state.log.min.isr", acknowledged);
        properties.put("share.coordinator.state.topic.replication.factor", copies);
        properties.put("share.coordinator.state.topic.min.isr", acknowledged);
        if (!place.alone()) {
            // who is lost is missed soon
            properties.put("controller.quorum.election.timeout.ms", "500");
            properties.put("controller.quorum.fetch.timeout.ms", "1000");
            properties.put("replica.lag.time.max.ms", "2000");
            // they end together: the last would wait for the leave of those that are gone
            properties.put("controlled.shutdown.enable", "false");
        }
        properties.put("offsets.topic.num.partitions", "4");
        properties.put("transaction.state.log.num.partitions", "4");
        properties.put("share.coordinator.state.topic.num.partitions", "1");
        properties.put("auto.create.topics.enable", "false");

        // small: one machine, few clients
        properties.put("num.network.threads", "2");
        properties.put("num.io.threads", "4");
        properties.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));

        // A controller that starts takes a broker that was not ended in order for alive for one session, and refuses
        // its
        // successor until then; that asks again after 0.1, 0.2, 0.4, 0.8 and 1.6 s. So three seconds are over just when
        // it asks for the sixth time; with any longer session a restart after kill -9 takes another 3.2 s. A shorter
        // one
        // fences the broker on a machine that is too busy to let it beat, and its clients' writes fail for a moment.
        properties.put("broker.session.timeout.ms", "3000");
        properties.put("broker.heartbeat.interval.ms", "500");

        // A dispatcher's next transaction begins while the one before is still being written off; the broker tries
        // again
        // after this, and by default so late that a tenth of all scaling commands waits for it.
        properties.put("add.partitions.to.txn.retry.backoff.ms", "2");

        // who dies is replaced soon, and what it had open is aborted soon
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("group.min.session.timeout.ms", "500");
        properties.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");
        properties.put("group.streams.min.session.timeout.ms", "1000");
        properties.put("group.streams.session.timeout.ms", "1500");
        properties.put("group.streams.min.heartbeat.interval.ms", "200");
        properties.put("group.streams.heartbeat.interval.ms", "500");
        properties.put("group.streams.initial.rebalance.delay.ms", "0");
        return properties;
    }

    /** What it knows of the cluster. */
    KRaftMetadataCache metadata() {
        return server.metadata();
    }

    private static void halted(int status, String message) {
        String reason = message == null || message.isBlank()
                ? "Kafka ended itself with status " + status
                : message.lines().findFirst().orElseThrow();
        OPEN.stream()
                .filter(EmbeddedBroker::tookThisWayOut)
                .forEach(broker -> broker.failure.complete(reason + broker.why()));
        throw new Halted(reason);
    }

    /** Not where another one's thread did, perhaps of one that is closed: what that waits for gives up minutes later. */
    private boolean tookThisWayOut() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        return threads.parentOf(group) || !BROKERS.parentOf(group);
    }

    /** What is known of why; Kafka itself tells it to its log alone. */
    private String why() {
        Path dir = place.dir();
        // not the folder: a partition that is created meanwhile makes the folders above it again
        if (!Files.exists(dir.resolve(BrokerFolder.META))) {
            return ": its data in " + dir + " was deleted";
        }
        try {
            return Files.getFileStore(dir).getUsableSpace() < LEAST_ROOM_BYTES
                    ? ": the disk with " + dir + " is full; make room and start it again"
                    : "";
        } catch (IOException unknown) {
            return "";
        }
    }

    static String rootMessage(Throwable failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return message.lines().findFirst().orElse(root.getClass().getSimpleName());
    }

    /** One that has ended itself may wait for parts that do not answer any more: it gets a moment, and ends with this process. */
    @Override
    public void close() {
        OPEN.remove(this);
        if (!failure.isDone()) {
            Undisturbed.run("end of the broker", server::shutdown);
            return;
        }
        Thread ending = new Thread(server::shutdown, "ending of a broken broker");
        ending.setDaemon(true);
        ending.start();
        try {
            ending.join(LAST_MOMENT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the thread that would have ended the process. An error, so that Kafka's own handlers let it through. */
    private static final class Halted extends Error {
        private static final long serialVersionUID = 1;

        Halted(String reason) {
            super(reason);
        }
    }
}
