package io.praline.deploy.embedded;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/**
 * The directory of one cluster, held by this process until it is closed or the process ends, however it ends. Closing
 * keeps what is in it.
 */
final class DataDirectory implements AutoCloseable {
    private static final String IDENTITY = "cluster.properties";
    private static final String LOCK = "lock";
    private static final String PID = "pid";
    private static final String KAFKA = "kafka";
    private static final Set<String> OURS = Set.of(IDENTITY, IDENTITY + ".new", LOCK, PID, KAFKA);

    private static final Duration DYING = Duration.ofSeconds(1);

    /** Directories this process holds: the operating system's lock is the process's, and gone when any handle closes. */
    private static final Set<Path> HELD_HERE = new HashSet<>();

    private final Path path;
    private final FileChannel lockChannel;
    private final FileLock lock;
    private final String clusterId;

    private DataDirectory(Path path, FileChannel lockChannel, FileLock lock) {
        this.path = path;
        this.lockChannel = lockChannel;
        this.lock = lock;
        this.clusterId = read(path).map(Identity::clusterId).orElseGet(() -> Uuid.randomUuid()
                .toString());
    }

    /**
     * Takes hold of the directory, which is made if it is not there.
     *
     * @throws ClusterRefused if another process holds it, or it holds something else
     */
    static DataDirectory hold(Path dataDir) {
        Path path = make(dataDir);
        synchronized (HELD_HERE) {
            if (!HELD_HERE.add(path)) {
                throw heldByAnother(path, Long.toString(ProcessHandle.current().pid()));
            }
        }
        boolean held = false;
        try {
            refuseForeign(path);
            FileChannel channel =
                    FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw heldByAnother(path, pid(path).map(Object::toString).orElse("unknown"));
            }
            Files.writeString(path.resolve(PID), ProcessHandle.current().pid() + System.lineSeparator());
            DataDirectory directory = new DataDirectory(path, channel, lock);
            held = true;
            return directory;
        } catch (IOException failed) {
            throw new ClusterRefused(
                    "data directory " + path + " cannot be used: " + failed.getMessage() + "; choose another directory",
                    failed);
        } finally {
            if (!held) {
                letGo(path);
            }
        }
    }

    /** What the directory says about its cluster, if it holds one. */
    static Optional<Identity> read(Path dataDir) {
        Path file = dataDir.resolve(IDENTITY);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return Optional.of(new Identity(
                    properties.getProperty("cluster.id"),
                    ports(properties, "broker.port"),
                    ports(properties, "controller.port"),
                    port(properties.getProperty("registry.port", ""), "registry.port")));
        } catch (IOException | IllegalArgumentException unreadable) {
            throw damaged(dataDir, IDENTITY + " cannot be read (" + unreadable.getMessage() + ")");
        }
    }

    /** The process that has the cluster in this directory, if one is running. */
    static Optional<Long> pid(Path dataDir) {
        try {
            long pid = Long.parseLong(Files.readString(dataDir.resolve(PID)).strip());
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).map(ProcessHandle::pid);
        } catch (IOException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    /** The cluster's id: the one it has, or a new one. */
    String clusterId() {
        return clusterId;
    }

    /** A broker's own directory. */
    private static Path kafka(Path dataDir, int node) {
        return dataDir.resolve(node == 1 ? KAFKA : KAFKA + "-" + node);
    }

    Path path() {
        return path;
    }

    /** Writes down what the cluster is, at once and whole. */
    void keep(Identity identity) {
        Properties properties = new Properties();
        properties.setProperty("cluster.id", identity.clusterId());
        properties.setProperty("broker.port", words(identity.brokerPorts()));
        properties.setProperty("controller.port", words(identity.controllerPorts()));
        properties.setProperty("registry.port", Integer.toString(identity.registryPort()));
        Path fresh = path.resolve(IDENTITY + ".new");
        try {
            try (Writer writer = Files.newBufferedWriter(fresh)) {
                properties.store(writer, "An embedded Praline cluster. Its data goes with its id.");
            }
            move(fresh, path.resolve(IDENTITY));
        } catch (IOException failed) {
            throw new ClusterRefused(
                    "data directory " + path + " cannot be written: " + failed.getMessage()
                            + "; make room there, or choose another directory",
                    failed);
        }
    }

    /** A process that was killed holds its lock until the last of it is gone, which takes a moment. */
    private static FileLock tryLock(FileChannel channel) throws IOException {
        long deadline = System.nanoTime() + DYING.toNanos();
        FileLock lock = channel.tryLock();
        while (lock == null && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(50_000_000);
            lock = channel.tryLock();
        }
        return lock;
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException plain) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Path make(Path dataDir) {
        try {
            Path path = Files.createDirectories(dataDir).toRealPath();
            if (path.toString().contains(",")) {
                throw new ClusterRefused(
                        "data directory " + path
                                + " cannot be used: Kafka takes what follows a comma for another directory; choose one without");
            }
            return path;
        } catch (FileAlreadyExistsException file) {
            throw new ClusterRefused(
                    "data directory " + dataDir + " cannot be made: " + file.getFile()
                            + " is a file; choose another directory",
                    file);
        } catch (IOException failed) {
            throw new ClusterRefused(
                    "data directory " + dataDir + " cannot be made: "
                            + (failed instanceof AccessDeniedException
                                    ? "permission denied"
                                    : "no folder can be made there")
                            + "; choose another directory",
                    failed);
        }
    }

    private static void refuseForeign(Path path) throws IOException {
        List<String> names;
        try (Stream<Path> entries = Files.list(path)) {
            names = entries.map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
        }
        Path meta = path.resolve(KAFKA).resolve(BrokerFolder.META);
        if (!names.contains(IDENTITY) && Files.exists(meta)) {
            throw damaged(path, IDENTITY + " is missing");
        }
        Optional<String> foreign =
                names.stream().filter(name -> !OURS.contains(name)).findFirst();
        if (foreign.isPresent() && !names.contains(IDENTITY)) {
            throw new ClusterRefused("data directory " + path + " is not a cluster's, it holds " + foreign.get()
                    + ": choose an empty or a new one");
        }
        Optional<Identity> identity = read(path);
        if (Files.exists(meta)) {
            String known = identity.map(Identity::clusterId).orElse("none");
            String found = kafkaClusterId(meta).orElseThrow(() -> damaged(path, meta + " names no cluster"));
            if (!known.equals(found)) {
                throw new ClusterRefused("data directory " + path + " holds the data of another Kafka cluster (" + found
                        + ", expected " + known + "): choose an empty or a new one");
            }
        }
    }

    /** A part of what the directory held is gone, and only who has a copy can say what it was. */
    static ClusterRefused damaged(Path path, String what) {
        return new ClusterRefused("data directory " + path + " is damaged: " + what
                + "; put it back from a copy, or choose a new one with --data-dir");
    }

    private static Optional<String> kafkaClusterId(Path meta) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(meta)) {
            properties.load(reader);
        }
        return Optional.ofNullable(properties.getProperty("cluster.id"));
    }

    private static List<Integer> ports(Properties properties, String name) {
        return Arrays.stream(properties.getProperty(name, "").split(",", -1))
                .map(value -> port(value, name))
                .toList();
    }

    private static int port(String value, String name) {
        if (!value.matches("\\d{1,5}")) {
            throw new IllegalArgumentException(name + " must be a port, is '" + value + "'");
        }
        return Integer.parseInt(value);
    }

    private static String words(List<Integer> ports) {
        return ports.stream().map(port -> Integer.toString(port)).collect(Collectors.joining(","));
    }

    private static ClusterRefused heldByAnother(Path path, String pid) {
        return new ClusterRefused("data directory " + path + " is held by another cluster (pid " + pid
                + "); end that one, or choose another directory");
    }

    private static void letGo(Path path) {
        synchronized (HELD_HERE) {
            HELD_HERE.remove(path);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path.resolve(PID));
            lock.release();
            lockChannel.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            letGo(path);
        }
    }

    /**
     * What makes a directory a certain cluster's.
     *
     * @param clusterId Kafka's, 22 characters
     * @param brokerPorts of each broker, the first one's first
     * @param controllerPorts likewise
     */
    record Identity(String clusterId, List<Integer> brokerPorts, List<Integer> controllerPorts, int registryPort) {
        Identity {
            if (clusterId == null || clusterId.isBlank()) {
                throw new IllegalArgumentException("cluster.id must be given");
            }
            if (brokerPorts.size() != controllerPorts.size()) {
                throw new IllegalArgumentException("broker.port and controller.port must be equally many, are "
                        + brokerPorts.size() + " and " + controllerPorts.size());
            }
            brokerPorts = List.copyOf(brokerPorts);
            controllerPorts = List.copyOf(controllerPorts);
        }

        int brokers() {
            return brokerPorts.size();
        }

        /** Where a node of it has its place, in this directory. */
        BrokerPlace place(Path dataDir, int node) {
            return new BrokerPlace(
                    node, kafka(dataDir, node), clusterId, brokerPorts, controllerPorts, BrokerPlace.LOOPBACK);
        }
    }
}
