package io.praline.deploy.cli.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.deploy.cluster.Endpoints;
import io.praline.deploy.cluster.Home;
import io.praline.deploy.terminal.CommandFailed;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyEntriesTest {
    @TempDir
    private Path folder;

    private void aClusterRuns(Optional<String> cache) {
        new Endpoints(
                        "127.0.0.1:9092",
                        "http://127.0.0.1:8081",
                        folder.resolve("secret"),
                        folder.resolve("elsewhere"),
                        ProcessHandle.current().pid(),
                        Optional.empty(),
                        cache)
                .write(new Home(folder).endpoints());
    }

    @Test
    void looksWhereTheRunningClusterKeepsEntries() {
        aClusterRuns(Optional.of("s3://bucket/kept"));
        assertThat(VerifyEntries.ofTheCluster(new Home(folder))).isEqualTo("s3://bucket/kept");
    }

    @Test
    void aClusterThatKeepsNothingIsNamed() {
        aClusterRuns(Optional.empty());
        assertThatThrownBy(() -> VerifyEntries.ofTheCluster(new Home(folder)))
                .isInstanceOf(CommandFailed.class)
                .hasMessageContaining("keeps nothing")
                .hasMessageContaining("--cache-dir");
    }

    @Test
    void looksWhereTheNextClusterWouldKeepThemWhereNoneRuns() {
        assertThat(VerifyEntries.ofTheCluster(new Home(folder)))
                .isEqualTo(folder.resolve("data/cache").toString());
    }
}
