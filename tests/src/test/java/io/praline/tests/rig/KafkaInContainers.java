package io.praline.tests.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Kafka and a registry in containers, for {@code mvn verify -Pcontainers}: gives the flows the two properties of
 * {@link ExternalKafka} and nothing else. Where no Docker is, it says so and gives none.
 */
final class KafkaInContainers {
    /** The image of Kafka; empty: no containers are wanted. */
    private static final String KAFKA_IMAGE = "praline.tests.kafka-image";

    private static final String REGISTRY_IMAGE = "praline.tests.registry-image";

    /** When the build began. */
    private static final String BUILD = "praline.tests.build";

    /** Where the registry finds Kafka, on the network of the containers. */
    private static final String INSIDE = "kafka:19092";

    private static final int REGISTRY_PORT = 8081;

    private static boolean asked;

    private KafkaInContainers() {}

    /** Starts them for the first flow that asks, where they are wanted; they end with the JVM. */
    static synchronized void supply() {
        if (asked || System.getProperty(KAFKA_IMAGE, "").isEmpty()) {
            return;
        }
        asked = true;
        if (DockerClientFactory.instance().isDockerAvailable()) {
            start(System.getProperty(KAFKA_IMAGE), System.getProperty(REGISTRY_IMAGE));
        } else if (firstOfBuild()) {
            System.out.println("no Docker here that answers: the flows run on the embedded Kafka, not on "
                    + System.getProperty(KAFKA_IMAGE) + " in a container");
        }
    }

    /** Whether no other process of tests of this build has asked; the build's time is the same for all. */
    private static boolean firstOfBuild() {
        try {
            Files.createFile(Path.of("target", "no-docker-" + System.getProperty(BUILD)));
            return true;
        } catch (FileAlreadyExistsException said) {
            return false;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    // Testcontainers removes them when this JVM is gone, however it ends
    @SuppressWarnings("resource")
    private static void start(String kafkaImage, String registryImage) {
        Network network = Network.newNetwork();
        KafkaContainer kafka = new KafkaContainer(DockerImageName.parse(kafkaImage))
                .withNetwork(network)
                .withListener(INSIDE)
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
        kafka.start();
        GenericContainer<?> registry = new GenericContainer<>(DockerImageName.parse(registryImage))
                .withNetwork(network)
                .withExposedPorts(REGISTRY_PORT)
                .withEnv("SCHEMA_REGISTRY_HOST_NAME", "registry")
                .withEnv("SCHEMA_REGISTRY_LISTENERS", "http://0.0.0.0:" + REGISTRY_PORT)
                .withEnv("SCHEMA_REGISTRY_KAFKASTORE_BOOTSTRAP_SERVERS", "PLAINTEXT://" + INSIDE);
        registry.start();
        System.setProperty(ExternalKafka.BOOTSTRAP, kafka.getBootstrapServers());
        System.setProperty(
                ExternalKafka.REGISTRY, "http://" + registry.getHost() + ":" + registry.getMappedPort(REGISTRY_PORT));
        System.out.println("the flows run on " + kafkaImage + " and " + registryImage + " in containers");
    }
}
