package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.JobResult;
import io.praline.schema.JobState;
import io.praline.tests.rig.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the README shows is what runs. */
class ReadmeTest {
    private static final Path SOURCE =
            Path.of("src", "test", "java", "io", "praline", "tests", "flow", "ReadmeProgram.java");

    @Test
    void theProgramOfTheReadmeIsTheOneThatIsTested() throws IOException {
        String program = Files.readString(SOURCE)
                .lines()
                .dropWhile(line -> !line.contains("[README"))
                .skip(1)
                .takeWhile(line -> !line.contains("README]"))
                .map(line -> line.isEmpty() ? line : line.substring(8))
                .collect(Collectors.joining("\n"));

        assertThat(Files.readString(Path.of("..", "README.md"))).contains("```java\n" + program + "\n```");
    }

    // every image once an epoch
    @Test
    void theProgramOfTheReadmeRuns() {
        Cluster cluster = Cluster.shared();
        Path data = Path.of("..", "worker", "src", "test", "resources", "pipelines", "data")
                .toAbsolutePath()
                .normalize();
        Map<Integer, Long> images = new TreeMap<>();

        JobResult result = ReadmeProgram.run(
                cluster.kafka().bootstrap(),
                cluster.kafka().registryUrl(),
                cluster.secretFile(),
                data.resolve("jpegs-*.tfrecord").toString(),
                (epoch, shape, pixels) -> {
                    assertThat(pixels.remaining()).isEqualTo((int) (shape[0] * 224 * 224 * 3));
                    images.merge(epoch, shape[0], Long::sum);
                });

        assertThat(result.state()).isEqualTo(JobState.COMPLETED);
        assertThat(images.keySet()).containsExactly(0, 1);
        assertThat(images.get(0))
                .isEqualTo(images.get(1))
                .isEqualTo(result.taken().elements() / 2);
        assertThat(result.missing()).hasValue(0);
        assertThat(result.duplicates()).hasValue(0);
    }
}
