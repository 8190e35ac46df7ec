package io.praline.deploy.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir
    private Path folder;

    private static void refused(Path file, String why) {
        assertThatThrownBy(() -> OutputFile.check(file))
                .isInstanceOfSatisfying(
                        CommandFailed.class, failed -> assertThat(failed.code()).isEqualTo(ExitCode.REFUSED))
                .hasMessage(file + " cannot be written: " + why + "; name a file in a folder that may be written to");
    }

    @Test
    void whatCannotBeWrittenIsToldBeforeAnythingIs() throws IOException {
        refused(folder.resolve("nowhere/out.pb"), "its folder is not there");
        refused(folder, "Is a directory");
        refused(Files.writeString(folder.resolve("file"), "").resolve("out.pb"), "Not a directory");
        refused(folder.resolve("x".repeat(300)), "File name too long");
    }

    @Test
    void whatMayNotBeWrittenIsToldToo() throws IOException {
        Path kept = Files.writeString(folder.resolve("kept.pb"), "mine");
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("r--r--r--"));
        assumeFalse(Files.isWritable(kept), "root may write everything");

        refused(kept, "permission denied");
    }

    @Test
    void whatIsThereStaysAndWhatIsNotDoesNotCome() throws IOException {
        Path kept = Files.writeString(folder.resolve("kept.pb"), "mine");
        OutputFile.check(kept);
        assertThat(kept).hasContent("mine");

        Path link = Files.createSymbolicLink(folder.resolve("link.pb"), folder.resolve("target.pb"));
        OutputFile.check(folder.resolve("new.pb"));
        OutputFile.check(link);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("kept.pb", "link.pb");
    }

    // as bash names a process that reads: >(gzip > out.gz)
    @Test
    void aDeviceIsLeftAlone() {
        OutputFile.check(Path.of("/dev/null"));
    }

    @Test
    void whatIsWrittenIsInPlaceOfWhatWasThere() throws IOException {
        Path kept = Files.writeString(folder.resolve("kept.pb"), "mine");
        OutputFile.write(kept, new byte[] {'i', 't', 's'});

        assertThat(kept).hasContent("its");
        assertThatThrownBy(() -> OutputFile.write(folder, new byte[0])).isInstanceOf(CommandFailed.class);
    }
}
