package io.praline.tests.rig;

import io.praline.deploy.embedded.EmbeddedCluster;
import io.praline.deploy.embedded.EmbeddedClusterConfig;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Kafka and registry without any of Praline's topics, for a test that brings its own dispatcher: embedded ones, or the
 * {@linkplain ExternalKafka external} ones, which the {@linkplain Cluster shared cluster} leaves.
 */
public final class EmptyKafka implements AutoCloseable {
    private final KafkaSettings settings;
    private final Runnable end;

    private EmptyKafka(KafkaSettings settings, Runnable end) {
        this.settings = settings;
        this.end = end;
    }

    /**
     * Starts an embedded one, or empties the external one.
     *
     * @param folder where an embedded one keeps its data
     */
    public static EmptyKafka in(Path folder) {
        Optional<ExternalKafka> external = ExternalKafka.told();
        if (external.isPresent()) {
            Cluster.end();
            external.get().empty();
            return new EmptyKafka(external.get().settings(), () -> {});
        }
        EmbeddedCluster embedded = EmbeddedCluster.start(EmbeddedClusterConfig.in(folder));
        return new EmptyKafka(embedded.settings(), embedded::close);
    }

    public KafkaSettings settings() {
        return settings;
    }

    @Override
    public void close() {
        end.run();
    }
}
