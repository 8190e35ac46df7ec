package io.praline.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
    private static final String ENDS_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";

    // children and local workers, whoever uses the script, the image and with it the manifests
    @Test
    void everyProcessEndsWhereItsMemoryRunsOut() throws IOException {
        assertThat(JvmFlags.of(17)).contains(ENDS_WITHOUT_MEMORY);
        for (Path file : List.of(Path.of("..", "praline"), Path.of("images", "Dockerfile"))) {
            assertThat(Files.readString(file)).as(file.toString()).contains(" " + ENDS_WITHOUT_MEMORY + " ");
        }
    }
}
