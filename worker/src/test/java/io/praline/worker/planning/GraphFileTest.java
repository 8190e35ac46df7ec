package io.praline.worker.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GraphFileTest {
    @TempDir
    private Path root;

    @Test
    void aFileIsReadAsItIs() throws IOException {
        Path file = Files.write(root.resolve("graph.pb"), new byte[] {1, 2, 3});
        assertThat(GraphFile.read(file).toByteArray()).containsExactly(1, 2, 3);
    }

    @Test
    void whatIsNoFileIsNotWaitedFor() {
        assertThatThrownBy(() -> GraphFile.read(Path.of("/dev/zero")))
                .isInstanceOf(IOException.class)
                .hasMessage("it is no file");
        assertThatThrownBy(() -> GraphFile.read(root)).hasMessage("it is no file");
        assertThatThrownBy(() -> GraphFile.read(root.resolve("gone"))).hasMessage("it is not there");
    }
}
