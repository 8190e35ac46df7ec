package io.praline.client.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerProcessesTest {
    @TempDir
    Path folder;

    private LaunchedWorker shell(String script) {
        return new WorkerProcesses(List.of("/bin/sh", "-c", script), "host", folder).start("job", 2);
    }

    private static void awaitEnd(LaunchedWorker worker) {
        await().atMost(Duration.ofSeconds(90)).until(() -> !worker.running());
    }

    @Test
    void tellsAWorkerWhomItServesAndWhereItIsFound() {
        LaunchedWorker worker = shell("echo \"$0 $*\"");
        awaitEnd(worker);

        assertThat(worker.lastWords())
                .isEqualTo("code 0, --local --job job --id job-local-host-2 --slots 1 --unix-socket "
                        + folder.resolve("job-local-host-2.sock") + " (see " + folder.resolve("job-local-host-2.log")
                        + ")");
    }

    // cat ends where its input does: the pipe from this process is open until it is killed
    @Test
    void holdsAPipeOpenToItsWorkers() {
        LaunchedWorker worker = shell("exec cat");
        assertThat(worker.running()).isTrue();

        worker.drain();
        awaitEnd(worker);
        assertThat(worker.lastWords()).startsWith("code 143, without a word");
    }

    @Test
    void saysWhatCannotBeStarted() {
        WorkerProcesses none = new WorkerProcesses(List.of("/nowhere/praline", "worker"), "host", folder);
        assertThatThrownBy(() -> none.start("job", 1))
                .hasMessageStartingWith("cannot start local worker job-local-host-1: ")
                .hasMessageContaining("/nowhere/praline");
    }
}
