package io.praline.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.topics.KafkaSettings;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StorageSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerConfigTest {
    private static final Map<String, String> LEAST =
            Map.of("bootstrap", "localhost:9092", "registry", "http://localhost:8081", "secret-file", "secret");

    private static WorkerConfig with(String name, String value) {
        Map<String, String> settings = new HashMap<>(LEAST);
        settings.put(name, value);
        return WorkerConfig.from(settings, "host", 4, 1_000);
    }

    @Test
    void fewSettingsAreNeeded() {
        assertThat(with("id", "w1"))
                .isEqualTo(new WorkerConfig(
                        KafkaSettings.of("localhost:9092", "http://localhost:8081"),
                        "w1",
                        "default",
                        1,
                        4,
                        500,
                        "127.0.0.1",
                        0,
                        Optional.empty(),
                        Path.of("secret"),
                        "127.0.0.1",
                        0,
                        Optional.empty(),
                        Duration.ofMinutes(10),
                        StorageSettings.usual(),
                        Optional.empty()));
        assertThat(with("http-host", "0.0.0.0").httpHost()).isEqualTo("0.0.0.0");
        assertThat(with("stuck-after", "3").stuckAfter()).isEqualTo(Duration.ofMinutes(3));
        assertThat(with("serves-job", "j1").servesJob()).contains("j1");
        assertThat(with("slots", "2").id()).startsWith("host-");
        assertThat(with("s3-endpoint", "http://localhost:9000").storage().s3())
                .isEqualTo(S3Settings.of(Optional.of("http://localhost:9000"), Optional.empty(), false));
        assertThat(with("s3-path-style", "true").storage().s3().pathStyle()).isTrue();
        assertThat(with("stage-bytes", "9").storage().stage().bytes()).hasValue(9);
        assertThat(with("cache-dir", "/entries").cache())
                .contains(CacheSettings.folder(Path.of("/entries"), false, 10L << 30));
    }

    @Test
    void aWrongSettingIsNamed() {
        assertThatThrownBy(() -> with("slots", "none")).hasMessage("slots must be a number, is 'none'");
        assertThatThrownBy(() -> with("slots", "0")).hasMessage("slots must be in 1..1000, is 0");
        assertThatThrownBy(() -> with("port", "70000")).hasMessage("port must be in 0..65535, is 70000");
        assertThatThrownBy(() -> with("stuck-after", "0")).hasMessage("stuck-after must be positive, is 0");
        assertThatThrownBy(() -> with("s3-endpoint", "localhost:9000"))
                .hasMessage("s3-endpoint must be like http://host:port, is 'localhost:9000'");
        assertThatThrownBy(() -> with("s3-region", " ")).hasMessage("s3-region must not be empty");
        assertThatThrownBy(() -> with("s3-path-style", "yes"))
                .hasMessage("s3-path-style must be true or false, is 'yes'");
        assertThatThrownBy(() -> with("stage-bytes", "0")).hasMessage("stage-bytes must be at least 1, is 0");
        assertThatThrownBy(() -> with("serves-job", " "))
                .hasMessage("serves-job must be 1 to 200 bytes of UTF-8 without control characters, is ' '");
        assertThatThrownBy(() -> with("id", "w".repeat(201)))
                .hasMessage("id must be 1 to 200 bytes of UTF-8 without control characters, is '" + "w".repeat(80)
                        + "...'");
        assertThatThrownBy(() -> with("pool", "a\nb"))
                .hasMessage("pool must be 1 to 200 bytes of UTF-8 without control characters, is 'a?b'");
        assertThatThrownBy(() -> with("slot", "1")).hasMessageStartingWith("there is no setting slot; there are ");
        assertThatThrownBy(() -> WorkerConfig.from(Map.of(), "host", 1, 1))
                .hasMessage("the setting --bootstrap is missing");
    }

    @Test
    void theCommandLineWinsOverTheFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("worker.properties"), "slots=3\npool=a\n");
        assertThat(WorkerMain.settings(new String[] {"--config", file.toString(), "--pool", "b"}))
                .isEqualTo(Map.of("slots", "3", "pool", "b"));
        assertThatThrownBy(() -> WorkerMain.settings(new String[] {"--pool"}))
                .hasMessage("settings are --name value, not --pool");
    }
}
