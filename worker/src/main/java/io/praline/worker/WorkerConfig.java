package io.praline.worker;

import io.praline.topics.Agreements;
import io.praline.topics.KafkaSettings;
import io.praline.worker.attempt.Watchdog;
import io.praline.worker.storage.ObjectFolder;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import io.praline.worker.storage.StorageSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A worker's settings.
 *
 * @param id unique among workers; the same after a restart, if commands are to find it
 * @param pool the group of workers and jobs it belongs to
 * @param slots how many tasks it runs at the same time
 * @param cores processor cores it may use
 * @param memoryBytes memory it may use for TensorFlow's buffers
 * @param host the address its channel listens on
 * @param port of the channel; 0: any that is free
 * @param unixSocket where clients of the same host find the channel
 * @param secretFile what clients make their tokens with
 * @param httpHost the address on which {@code /metrics} and {@code /ready} are answered
 * @param httpPort their port; 0: any that is free; -1: none
 * @param servesJob the only job it works for, on the host of that job's trainer; empty: any job of its pool
 * @param stuckAfter how long an attempt may bring nothing forth, though it has splits and nobody holds it back
 * @param storage how it comes to data that lies elsewhere
 * @param cache where it keeps elements that are to be read again; empty: nowhere
 */
public record WorkerConfig(
        KafkaSettings kafka,
        String id,
        String pool,
        int slots,
        int cores,
        long memoryBytes,
        String host,
        int port,
        Optional<Path> unixSocket,
        Path secretFile,
        String httpHost,
        int httpPort,
        Optional<String> servesJob,
        Duration stuckAfter,
        StorageSettings storage,
        Optional<CacheSettings> cache) {
    private static final int HIGHEST_PORT = 65_535;

    /** Where nobody says how much may be kept. */
    private static final long USUAL_CACHE_BYTES = 10L << 30;

    private static final Set<String> NAMES = new TreeSet<>(Set.of(
            "bootstrap",
            "registry",
            "kafka-config",
            "id",
            "pool",
            "slots",
            "cores",
            "memory",
            "host",
            "port",
            "unix-socket",
            "secret-file",
            "http-host",
            "http-port",
            "serves-job",
            "stuck-after",
            "s3-endpoint",
            "s3-region",
            "s3-path-style",
            "stage-dir",
            "stage-bytes",
            "cache-dir",
            "cache-shared",
            "cache-near",
            "cache-near-bytes",
            "cache-bytes"));

    public WorkerConfig {
        Agreements.requireName("id", id);
        Agreements.requireName("pool", pool);
        if (slots < 1 || slots > Agreements.MOST_SLOTS) {
            throw new IllegalArgumentException("slots must be in 1.." + Agreements.MOST_SLOTS + ", is " + slots);
        }
        if (cores < 1) {
            throw new IllegalArgumentException("cores must be at least 1, is " + cores);
        }
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("memory must not be negative, is " + memoryBytes);
        }
        if (port < 0 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("port must be in 0.." + HIGHEST_PORT + ", is " + port);
        }
        servesJob.ifPresent(job -> Agreements.requireName("serves-job", job));
        if (stuckAfter.isNegative() || stuckAfter.isZero()) {
            throw new IllegalArgumentException("stuck-after must be positive, is " + stuckAfter.toMinutes());
        }
        if (httpHost.isBlank()) {
            throw new IllegalArgumentException("http-host must not be empty");
        }
        if (httpPort < -1 || httpPort > HIGHEST_PORT) {
            throw new IllegalArgumentException("http-port must be in -1.." + HIGHEST_PORT + ", is " + httpPort);
        }
    }

    /** The names of the settings that {@link #from} knows. */
    static Set<String> names() {
        return NAMES;
    }

    /**
     * Settings from their names, with what they are where nobody says.
     *
     * @param settings by name, as on the command line without the dashes
     * @param host what this machine is called
     * @param cores how many cores it has
     * @param memory bytes of memory it has
     */
    static WorkerConfig from(Map<String, String> settings, String host, int cores, long memory) {
        Map<String, String> left = new HashMap<>(settings);
        left.keySet().removeAll(NAMES);
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("there is no setting " + new TreeSet<>(left.keySet()).first()
                    + "; there are " + String.join(", ", NAMES));
        }
        KafkaSettings kafka = KafkaSettings.load(
                required(settings, "bootstrap"),
                required(settings, "registry"),
                Optional.ofNullable(settings.get("kafka-config")).map(Path::of));
        return new WorkerConfig(
                kafka,
                settings.getOrDefault(
                        "id", host + "-" + UUID.randomUUID().toString().substring(0, 8)),
                settings.getOrDefault("pool", Agreements.USUAL_POOL),
                whole(settings, "slots", 1),
                whole(settings, "cores", cores),
                wholeLong(settings, "memory", memory / 2),
                settings.getOrDefault("host", "127.0.0.1"),
                whole(settings, "port", 0),
                Optional.ofNullable(settings.get("unix-socket")).map(Path::of),
                Path.of(required(settings, "secret-file")),
                settings.getOrDefault("http-host", "127.0.0.1"),
                whole(settings, "http-port", 0),
                Optional.ofNullable(settings.get("serves-job")),
                Duration.ofMinutes(whole(settings, "stuck-after", (int) Watchdog.PATIENCE.toMinutes())),
                storage(settings),
                cache(settings));
    }

    private static Optional<CacheSettings> cache(Map<String, String> settings) {
        return Optional.ofNullable(settings.get("cache-dir"))
                .map(dir ->
                        new CacheSettings(place(settings, dir), wholeLong(settings, "cache-bytes", USUAL_CACHE_BYTES)));
    }

    private static CacheSettings.Place place(Map<String, String> settings, String dir) {
        return ObjectFolder.isOne(dir)
                ? new CacheSettings.Objects(
                        ObjectFolder.checked(dir),
                        new StageSettings(
                                Optional.ofNullable(settings.get("cache-near"))
                                        .map(Path::of)
                                        .orElseGet(CacheSettings.Objects::usualNear),
                                bytes(settings, "cache-near-bytes")))
                : new CacheSettings.Folder(Path.of(dir), flag(settings, "cache-shared"));
    }

    private static OptionalLong bytes(Map<String, String> settings, String name) {
        return settings.containsKey(name) ? OptionalLong.of(wholeLong(settings, name, 0)) : OptionalLong.empty();
    }

    private static StorageSettings storage(Map<String, String> settings) {
        S3Settings s3 = S3Settings.of(
                Optional.ofNullable(settings.get("s3-endpoint")),
                Optional.ofNullable(settings.get("s3-region")),
                flag(settings, "s3-path-style"));
        StageSettings stage = new StageSettings(
                Optional.ofNullable(settings.get("stage-dir")).map(Path::of).orElseGet(StageSettings::usualFolder),
                bytes(settings, "stage-bytes"));
        return new StorageSettings(s3, stage);
    }

    private static boolean flag(Map<String, String> settings, String name) {
        String value = settings.getOrDefault(name, "false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + " must be true or false, is '" + value + "'");
        }
        return value.equals("true");
    }

    private static String required(Map<String, String> settings, String name) {
        String value = settings.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("the setting --" + name + " is missing");
        }
        return value;
    }

    private static int whole(Map<String, String> settings, String name, int otherwise) {
        return Math.toIntExact(wholeLong(settings, name, otherwise));
    }

    private static long wholeLong(Map<String, String> settings, String name, long otherwise) {
        String value = settings.get(name);
        try {
            return value == null ? otherwise : Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a number, is '" + value + "'", e);
        }
    }
}
