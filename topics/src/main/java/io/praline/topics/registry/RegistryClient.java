package io.praline.topics.registry;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParser;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.ParsedSchema;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.avro.AvroSchema;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.SchemaRegistryClientConfig;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.RestService;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.entities.SchemaString;
import org.apache.flink.avro.registry.confluent.shaded.io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;

/**
 * The genuine Confluent client, under the name that its relocated copy has: the one class that knows that name. Thread
 * safe; every call answers or fails within ten seconds for one URL.
 */
final class RegistryClient implements AutoCloseable {
    private static final int CACHED_SCHEMAS = 1_000;
    private static final int SUBJECT_LEVEL_CONFIG_NOT_FOUND = 40408;

    private final String url;
    private final RestService rest;
    private final SchemaRegistryClient client;

    RegistryClient(KafkaSettings settings) {
        this.url = settings.registryUrl();
        Map<String, String> configs = new HashMap<>();
        configs.put(SchemaRegistryClientConfig.HTTP_CONNECT_TIMEOUT_MS, "3000");
        configs.put(SchemaRegistryClientConfig.HTTP_READ_TIMEOUT_MS, "5000");
        // it looks for some by their short name, for TLS by the prefixed one
        settings.registry().forEach((name, value) -> {
            configs.put(name, value);
            configs.put(KafkaSettings.REGISTRY_PREFIX + name, value);
        });
        List<String> urls = Arrays.stream(url.split(",", -1)).map(String::strip).toList();
        this.rest = new RestService(urls);
        this.client = new CachedSchemaRegistryClient(rest, CACHED_SCHEMAS, configs);
    }

    /**
     * The id of this schema under this subject; registers it if it is not there, under BACKWARD compatibility unless the
     * subject or the registry has a rule already.
     *
     * @throws ServiceUnreachable if the registry does not answer, or not to us
     * @throws IllegalStateException if it refuses the schema
     */
    int idOf(String subject, Schema schema) {
        ParsedSchema parsed = new AvroSchema(schema.toString());
        try {
            try {
                return client.getId(subject, parsed);
            } catch (RestClientException absent) {
                if (absent.getStatus() != 404) {
                    throw absent;
                }
            }
            if (rule(subject).filter(rule -> !rule.equals("NONE")).isEmpty()) {
                client.updateCompatibility(subject, "BACKWARD");
            }
            return client.register(subject, parsed);
        } catch (IOException failed) {
            throw unreachable(failed);
        } catch (RestClientException refused) {
            if (refused.getStatus() == 409 || refused.getStatus() == 422) {
                throw new IllegalStateException(
                        "the registry at " + url + " refuses the schema of " + subject + ": "
                                + ServiceUnreachable.oneLine(refused),
                        refused);
            }
            throw unreachable(refused);
        }
    }

    private Optional<String> rule(String subject) throws IOException, RestClientException {
        try {
            return Optional.ofNullable(client.getCompatibility(subject));
        } catch (RestClientException none) {
            if (none.getErrorCode() == SUBJECT_LEVEL_CONFIG_NOT_FOUND || none.getStatus() == 404) {
                return Optional.empty();
            }
            throw none;
        }
    }

    /**
     * The schema with this id.
     *
     * @throws UnreadableRecord if the registry does not have it
     * @throws ServiceUnreachable if the registry does not answer, or not to us
     */
    Schema byId(int id) throws UnreadableRecord {
        SchemaString found;
        try {
            found = rest.getId(id);
        } catch (IOException failed) {
            throw unreachable(failed);
        } catch (RestClientException refused) {
            if (refused.getStatus() == 404) {
                throw new UnreadableRecord("the registry does not know its schema id " + id, refused);
            }
            throw unreachable(refused);
        }
        if (!Optional.ofNullable(found.getSchemaType()).orElse("AVRO").equals("AVRO")) {
            throw new UnreadableRecord("its schema, id " + id + ", is " + found.getSchemaType() + ", not AVRO");
        }
        try {
            return new SchemaParser().parse(found.getSchemaString()).mainSchema();
        } catch (RuntimeException unreadable) {
            // whatever a foreign text makes Avro throw: it is the text that is wrong
            throw new UnreadableRecord(
                    "its schema, id " + id + ", cannot be read: " + ServiceUnreachable.oneLine(unreadable), unreadable);
        }
    }

    /** @throws ServiceUnreachable if the registry does not answer, or not to us */
    void requireReachable() {
        try {
            client.getAllSubjects();
        } catch (IOException | RestClientException failed) {
            throw unreachable(failed);
        }
    }

    private ServiceUnreachable unreachable(Exception cause) {
        if (cause instanceof RestClientException refused
                && (refused.getStatus() == 401 || refused.getStatus() == 403)) {
            return ServiceUnreachable.refused(
                    "registry at " + url + " does not let this user in: " + ServiceUnreachable.oneLine(cause)
                            + "; check the properties that begin with schema.registry. in the file of --kafka-config",
                    cause);
        }
        return new ServiceUnreachable(
                "registry at " + url + " cannot be reached: "
                        + (cause instanceof UnknownHostException ? "no such host" : ServiceUnreachable.oneLine(cause))
                        + "; check that it runs and the address is right",
                cause);
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException failed) {
            throw unreachable(failed);
        }
    }
}
