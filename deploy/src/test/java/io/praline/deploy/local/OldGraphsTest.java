package io.praline.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OldGraphsTest {
    private static final Instant NOW = Instant.parse("2026-11-24T00:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void onlyGraphsThatNoJobWasSubmittedWithForAMonthGo() throws IOException {
        Path kept = aged("graph-1.pb", 29);
        Path notAGraph = aged("notes.txt", 400);
        aged("graph-2.pb", 31);
        aged(".graph123", 31);

        OldGraphs.delete(folder, NOW);

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(kept, notAGraph);
        }
    }

    @Test
    void aFolderThatIsNotThereIsTidy() {
        OldGraphs.delete(folder.resolve("none"), NOW);

        assertThat(folder.resolve("none")).doesNotExist();
    }

    private Path aged(String name, int days) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "x");
        return Files.setLastModifiedTime(file, FileTime.from(NOW.minus(Duration.ofDays(days))));
    }
}
