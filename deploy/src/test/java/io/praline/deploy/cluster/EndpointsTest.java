package io.praline.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.deploy.terminal.CommandFailed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointsTest {

    @TempDir
    Path folder;

    private Endpoints ofProcess(long pid) {
        return new Endpoints(
                "127.0.0.1:9092",
                "http://127.0.0.1:8081",
                folder.resolve("secret"),
                folder,
                pid,
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void isReadAsItWasWritten() {
        Endpoints written = ofProcess(ProcessHandle.current().pid());
        written.write(folder.resolve("endpoints"));

        assertThat(Endpoints.read(folder.resolve("endpoints"))).contains(written);
        assertThat(written.alive(folder.resolve("endpoints"))).isTrue();
        Endpoints shown =
                written.shownBy(Optional.of("http://127.0.0.1:8465/")).keepingIn(Optional.of("s3://bucket/kept"));
        shown.write(folder.resolve("endpoints"));
        assertThat(Endpoints.read(folder.resolve("endpoints"))).contains(shown);
        written.erase(folder.resolve("endpoints"));
        assertThat(folder.resolve("endpoints")).doesNotExist();
    }

    // the machine was started again, and this process has the number of one before
    @Test
    void aProcessThatBeganBehindTheFileDoesNotHoldThatCluster() throws Exception {
        Path file = folder.resolve("endpoints");
        Endpoints written = ofProcess(ProcessHandle.current().pid());
        written.write(file);
        Files.setLastModifiedTime(
                file,
                FileTime.from(ProcessHandle.current()
                        .info()
                        .startInstant()
                        .orElseThrow()
                        .minusSeconds(60)));

        assertThat(written.alive(file)).isFalse();
    }

    @Test
    void isNoneWhereNoClusterWasStarted() {
        assertThat(Endpoints.read(folder.resolve("endpoints"))).isEmpty();
    }

    @Test
    void doesNotEraseThoseOfAnotherCluster() {
        Path file = folder.resolve("endpoints");
        ofProcess(2).write(file);
        ofProcess(1).erase(file);
        assertThat(file).exists();
        ofProcess(2).erase(file);
        assertThat(file).doesNotExist();
    }

    // of two clusters of one home the second is noted; when it has ended, the first is there again
    @Test
    void isKeptWhereNoOtherClusterRuns() throws Exception {
        Path file = folder.resolve("endpoints");
        Endpoints first = ofProcess(ProcessHandle.current().pid());
        Endpoints second = ofProcess(1);
        second.write(file);
        first.keep(file);
        assertThat(Endpoints.read(file)).contains(second);

        second.erase(file);
        first.keep(file);
        assertThat(Endpoints.read(file)).contains(first);

        Files.writeString(file, "pid=x\n");
        first.keep(file);
        assertThat(Endpoints.read(file)).contains(first);
        Files.delete(file);
        Files.createDirectories(file.resolve("in the way"));
        first.keep(file);
        assertThat(file).isDirectory();
    }

    @Test
    void aFileThatIsNoneIsToldWithWhatToDo() throws Exception {
        Path file = Files.writeString(folder.resolve("endpoints"), "pid=x\n");
        assertThatThrownBy(() -> Endpoints.read(file))
                .isInstanceOf(CommandFailed.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("praline up");
    }
}
