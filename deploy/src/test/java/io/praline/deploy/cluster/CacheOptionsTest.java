package io.praline.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.CacheSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
        CacheSettings settings = said().settings(usual, true).orElseThrow();
        assertThat(settings.folder()).isEqualTo(usual);
        assertThat(settings.shared()).isTrue();
        double free = Files.getFileStore(dir).getUsableSpace();
        assertThat(settings.bytes() / free).isBetween(0.08, 0.12);
        assertThat(said().settings(usual, false).orElseThrow().shared()).isFalse();
    }

    @Test
    void aFolderThatIsNamedIsShared() {
        CacheSettings named = CacheSettings.folder(Path.of("/entries"), true, 7);
        assertThat(said("--cache-dir", "/entries", "--cache-bytes", "7").settings(dir, false))
                .contains(named);
        assertThat(said("--cache-dir", "file:///entries", "--cache-bytes", "7").settings(dir, false))
                .contains(named);
        assertThat(CacheOptions.arguments(Optional.of(named)))
                .containsExactly("--cache-dir", "/entries", "--cache-shared", "true", "--cache-bytes", "7");
    }

    @Test
    void nothingIsKeptWhereThatIsAskedFor() {
        assertThat(said("--cache-bytes", "0").settings(dir, true)).isEmpty();
        assertThat(CacheOptions.arguments(Optional.empty())).isEmpty();
    }

    @Test
    void whatCannotBeIsToldInALine() {
        assertThatThrownBy(() -> said("--cache-bytes", "-1").settings(dir, true))
                .hasMessage("--cache-bytes must not be negative, is -1");
        assertThatThrownBy(() -> said("--cache-dir", "s3://bucket/cache").settings(dir, true))
                .hasMessage("--cache-dir must be a folder that workers see, as /path or file:///path, is"
                        + " 's3://bucket/cache'");
    }
}
