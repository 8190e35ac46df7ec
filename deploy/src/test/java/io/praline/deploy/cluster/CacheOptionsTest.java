package io.praline.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.deploy.terminal.CommandFailed;
import io.praline.worker.CacheSettings;
import io.praline.worker.storage.StageSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class CacheOptionsTest {
    @TempDir
    Path dir;

    @Command
    private static final class Some implements Runnable {
        @Mixin
        private CacheOptions cache;

        @Override
        public void run() {
            throw new AssertionError("it is only parsed");
        }
    }

    private static CacheOptions said(String... options) {
        Some command = new Some();
        new CommandLine(command).parseArgs(options);
        return command.cache;
    }

    @Test
    void withoutAnythingATenthOfWhatIsFreeIsKeptInTheUsualFolder() throws IOException {
        Path usual = dir.resolve("not yet there").resolve("cache");
        CacheSettings settings = said().settings(usual, true, dir).orElseThrow();
        assertThat(settings.place()).isEqualTo(new CacheSettings.Folder(usual, true));
        double free = Files.getFileStore(dir).getUsableSpace();
        assertThat(settings.bytes() / free).isBetween(0.08, 0.12);
        assertThat(said().settings(usual, false, dir).orElseThrow().place())
                .isEqualTo(new CacheSettings.Folder(usual, false));
    }

    // with a byte a worker would keep nothing, and have all go that others keep in the same folder
    @Test
    void aTenthOfWhatIsFreeStaysOneWhileOthersMakeEntriesAndTakeThemAway() throws Exception {
        Path entries = Files.createDirectories(dir.resolve("shared").resolve("entries"));
        for (int i = 0; i < 500; i++) {
            Files.createFile(entries.resolve("entry" + i));
        }
        AtomicBoolean over = new AtomicBoolean();
        Thread others = new Thread(() -> {
            while (!over.get()) {
                try {
                    for (int i = 0; i < 500; i++) {
                        Files.createFile(entries.resolve("made" + i));
                    }
                    for (int i = 0; i < 500; i++) {
                        Files.delete(entries.resolve("made" + i));
                    }
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            }
        });
        others.start();
        try {
            for (int i = 0; i < 200; i++) {
                assertThat(said("--cache-dir", dir.resolve("shared").toString())
                                .settings(dir, false, dir)
                                .orElseThrow()
                                .bytes())
                        .isGreaterThan(1);
            }
        } finally {
            over.set(true);
            others.join();
        }
    }

    @Test
    void aFolderThatIsNamedIsShared() {
        CacheSettings named = CacheSettings.folder(Path.of("/entries"), true, 7);
        assertThat(said("--cache-dir", "/entries", "--cache-bytes", "7").settings(dir, false, dir))
                .contains(named);
        assertThat(said("--cache-dir", "file:///entries", "--cache-bytes", "7").settings(dir, false, dir))
                .contains(named);
        assertThat(CacheOptions.arguments(Optional.of(named)))
                .containsExactly("--cache-dir", "/entries", "--cache-shared", "true", "--cache-bytes", "7");
    }

    @Test
    void nothingIsKeptWhereThatIsAskedFor() {
        assertThat(said("--cache-bytes", "0").settings(dir, true, dir)).isEmpty();
        assertThat(CacheOptions.arguments(Optional.empty())).isEmpty();
    }

    @Test
    void whatCannotBeIsToldInALine() {
        assertThatThrownBy(() -> said("--cache-dir", "gs://bucket/cache").settings(dir, true, dir))
                .hasMessage("--cache-dir must be a folder that workers see, as /path or file:///path, or"
                        + " s3://bucket/prefix, is 'gs://bucket/cache'");
        for (String wrong : List.of("s3://", "s3:///cache", "s3://bucket//cache", "s3://bucket/*")) {
            assertThatThrownBy(() -> said("--cache-dir", wrong).settings(dir, true, dir))
                    .hasMessage(
                            "--cache-dir: '" + wrong + "' is no address of a folder of objects: s3://bucket/prefix");
        }
        for (String wrong : List.of("file://host/cache", "file:///my cache")) {
            assertThatThrownBy(() -> said("--cache-dir", wrong).settings(dir, true, dir))
                    .isInstanceOf(CommandFailed.class)
                    .hasMessageStartingWith("--cache-dir: '" + wrong + "' is no address of a folder (");
        }
        assertThatThrownBy(() -> said("--cache-near", "/near").settings(dir, true, dir))
                .hasMessage("--cache-near and --cache-near-bytes are for copies of objects: they need --cache-dir"
                        + " s3://bucket/prefix");
    }

    @Test
    void objectsHaveCopiesOnTheWorkersDisk() {
        Path near = dir.resolve("near");
        CacheSettings usual = new CacheSettings(
                new CacheSettings.Objects("s3://bucket/cache", new StageSettings(near, OptionalLong.empty())),
                100L << 30);
        assertThat(said("--cache-dir", "s3://bucket/cache/").settings(dir, false, near))
                .contains(usual);
        assertThat(CacheOptions.arguments(Optional.of(usual)))
                .containsExactly(
                        "--cache-dir",
                        "s3://bucket/cache",
                        "--cache-near",
                        near.toString(),
                        "--cache-bytes",
                        Long.toString(100L << 30));
        CacheSettings said = new CacheSettings(
                new CacheSettings.Objects("s3://bucket", new StageSettings(Path.of("/near"), OptionalLong.of(5))), 7);
        assertThat(said(
                                "--cache-dir",
                                "s3://bucket",
                                "--cache-bytes",
                                "7",
                                "--cache-near",
                                "/near",
                                "--cache-near-bytes",
                                "5")
                        .settings(dir, false, near))
                .contains(said);
        assertThat(CacheOptions.arguments(Optional.of(said)))
                .containsExactly(
                        "--cache-dir",
                        "s3://bucket",
                        "--cache-near",
                        "/near",
                        "--cache-near-bytes",
                        "5",
                        "--cache-bytes",
                        "7");
    }
}
