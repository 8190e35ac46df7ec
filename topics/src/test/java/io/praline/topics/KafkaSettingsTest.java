package io.praline.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaSettingsTest {
    private static final String REGISTRY = "http://localhost:8081";

    @Test
    void theUsersFileWinsAndReachesTheClientItIsFor(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("kafka.properties"), """
                security.protocol=SASL_SSL
                linger.ms=7
                schema.registry.basic.auth.credentials.source=USER_INFO
                schema.registry.basic.auth.user.info=ada:secret
                """);

        KafkaSettings settings = KafkaSettings.load("broker:9093", REGISTRY, Optional.of(file));

        assertThat(settings.producer())
                .containsEntry("bootstrap.servers", "broker:9093")
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("linger.ms", "7")
                .containsEntry("acks", "all")
                .doesNotContainKey("schema.registry.basic.auth.user.info");
        assertThat(settings.registry())
                .isEqualTo(Map.of("basic.auth.credentials.source", "USER_INFO", "basic.auth.user.info", "ada:secret"));
        assertThat(settings.toString()).doesNotContain("secret");
    }

    // the clock does not hold this where a machine does much else
    @Test
    void nobodyWaitsForTenSecondsToHearThatKafkaIsNotThere() {
        Properties admin = KafkaSettings.of("broker:9092", REGISTRY).admin();

        assertThat(Integer.parseInt(admin.getProperty("default.api.timeout.ms")))
                .isLessThan(10_000);
        assertThat(TopicAdmin.CONNECT_TIMEOUT_MS).isLessThan(10_000);
    }

    @Test
    void consumersSeeOnlyWhatIsCommitted() {
        assertThat(KafkaSettings.of("broker:9092", REGISTRY).consumer())
                .containsEntry("isolation.level", "read_committed")
                .containsEntry("enable.auto.commit", "false");
    }

    @Test
    void wrongAddressesAndMissingFilesAreSaidInALine(@TempDir Path dir) {
        assertThatThrownBy(() -> KafkaSettings.of("broker", REGISTRY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bootstrap must be HOST:PORT, is 'broker'");
        assertThatThrownBy(() -> KafkaSettings.of("broker:9092", "localhost:8081"))
                .hasMessage("registry must be http(s)://HOST:PORT, is 'localhost:8081'");
        assertThatThrownBy(() -> KafkaSettings.load("broker:9092", REGISTRY, Optional.of(dir.resolve("none"))))
                .hasMessage("kafka config file " + dir.resolve("none") + " does not exist; check the path");
    }
}
