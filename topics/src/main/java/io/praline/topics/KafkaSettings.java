package io.praline.topics;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How to reach Kafka and the registry. What the user's file says wins over what is set here.
 *
 * @param bootstrap {@code HOST:PORT}, several separated by commas
 * @param registryUrl {@code http(s)://HOST:PORT[/PATH]}, several separated by commas
 * @param properties properties of any Kafka client (SASL, TLS, timeouts); those that begin with
 *     {@value #REGISTRY_PREFIX} are for the registry's client, such as
 *     {@code schema.registry.basic.auth.credentials.source} or {@code schema.registry.ssl.truststore.location}
 */
public record KafkaSettings(String bootstrap, String registryUrl, Map<String, String> properties) {
    /** What the names of the registry client's properties begin with. */
    public static final String REGISTRY_PREFIX = "schema.registry.";

    /** Nobody waits longer than this to hear that Kafka is not there: five seconds for an answer, ten in all. */
    private static final String REQUEST_TIMEOUT_MS = "5000";

    private static final String API_TIMEOUT_MS = "8000";

    public KafkaSettings {
        for (String server : bootstrap.split(",", -1)) {
            if (!server.strip().matches("\\S+:\\d{1,5}")) {
                throw new IllegalArgumentException("bootstrap must be HOST:PORT, is '" + bootstrap + "'");
            }
        }
        for (String url : registryUrl.split(",", -1)) {
            if (!url.strip().matches("https?://\\S+")) {
                throw new IllegalArgumentException("registry must be http(s)://HOST:PORT, is '" + registryUrl + "'");
            }
        }
        properties = Map.copyOf(properties);
    }

    /** Settings without any property beyond the defaults. */
    public static KafkaSettings of(String bootstrap, String registryUrl) {
        return new KafkaSettings(bootstrap, registryUrl, Map.of());
    }

    /**
     * Settings with the properties of a file in Java's format.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static KafkaSettings load(String bootstrap, String registryUrl, Optional<Path> configFile) {
        Properties read = new Properties();
        if (configFile.isPresent()) {
            Path file = configFile.get();
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                read.load(reader);
            } catch (NoSuchFileException missing) {
                throw new IllegalArgumentException(
                        "kafka config file " + file + " does not exist; check the path", missing);
            } catch (IOException | IllegalArgumentException unreadable) {
                throw new IllegalArgumentException(
                        "kafka config file " + file + " cannot be read: " + unreadable.getMessage(), unreadable);
            }
        }
        Map<String, String> properties = new TreeMap<>();
        read.stringPropertyNames().forEach(name -> properties.put(name, read.getProperty(name)));
        return new KafkaSettings(bootstrap, registryUrl, properties);
    }

    /** For an admin client; answers or fails within ten seconds. */
    public Properties admin() {
        Properties admin = new Properties();
        admin.put("request.timeout.ms", REQUEST_TIMEOUT_MS);
        admin.put("default.api.timeout.ms", API_TIMEOUT_MS);
        admin.put("socket.connection.setup.timeout.ms", "2000");
        admin.put("socket.connection.setup.timeout.max.ms", "4000");
        return withKafkaProperties(admin);
    }

    /** For a producer of byte keys and values: idempotent, each record sent at once. */
    public Properties producer() {
        Properties producer = new Properties();
        producer.put("key.serializer", ByteArraySerializer.class.getName());
        producer.put("value.serializer", ByteArraySerializer.class.getName());
        producer.put("acks", "all");
        producer.put("enable.idempotence", "true");
        producer.put("linger.ms", "0");
        producer.put("max.request.size", Integer.toString(Agreements.RECORD_BYTES));
        return withKafkaProperties(producer);
    }

    /** For a consumer of byte keys and values that sees only what is committed and commits nothing by itself. */
    public Properties consumer() {
        Properties consumer = new Properties();
        consumer.put("key.deserializer", ByteArrayDeserializer.class.getName());
        consumer.put("value.deserializer", ByteArrayDeserializer.class.getName());
        consumer.put("isolation.level", "read_committed");
        consumer.put("enable.auto.commit", "false");
        consumer.put("allow.auto.create.topics", "false");
        consumer.put("auto.offset.reset", "earliest");
        return withKafkaProperties(consumer);
    }

    /** The same for a client that says who it is, which brokers' logs and quotas go by. */
    public KafkaSettings named(String clientId) {
        Map<String, String> named = new TreeMap<>(properties);
        named.put("client.id", clientId);
        return new KafkaSettings(bootstrap, registryUrl, named);
    }

    /** Only what every client needs: where Kafka is, and what the user's file says. */
    public Properties common() {
        return withKafkaProperties(new Properties());
    }

    /** The registry client's properties, without their prefix. */
    public Map<String, String> registry() {
        Map<String, String> registry = new TreeMap<>();
        properties.forEach((name, value) -> {
            if (name.startsWith(REGISTRY_PREFIX)) {
                registry.put(name.substring(REGISTRY_PREFIX.length()), value);
            }
        });
        return registry;
    }

    /** What to tell when one of Kafka's clients cannot even be made with these settings. */
    public RuntimeException unusable(KafkaException failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof ConfigException && String.valueOf(root.getMessage()).contains("bootstrap")) {
            return ServiceUnreachable.kafka(this, root);
        }
        String reason = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return new IllegalArgumentException(
                "kafka settings: " + reason.lines().findFirst().orElse("") + "; check the file of --kafka-config",
                failed);
    }

    private Properties withKafkaProperties(Properties client) {
        properties.forEach((name, value) -> {
            if (!name.startsWith(REGISTRY_PREFIX)) {
                client.put(name, value);
            }
        });
        client.put("bootstrap.servers", bootstrap);
        return client;
    }

    /** Without the properties: they may hold passwords. */
    @Override
    public String toString() {
        return "Kafka at " + bootstrap + ", registry at " + registryUrl;
    }
}
