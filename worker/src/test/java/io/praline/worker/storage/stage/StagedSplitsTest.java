package io.praline.worker.storage.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class StagedSplitsTest {
    // what is thrown where splits are counted ends the worker, with all of its attempts; nobody can delete what the
    // kernel shows of this process
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFolderThatCannotBeDeletedIsNoReasonToFail() {
        Path kernels = Path.of("/proc/self/fdinfo");
        StagedSplits splits = new StagedSplits(Staging.none(), Optional.of(kernels));

        assertThatCode(splits::close).doesNotThrowAnyException();
        assertThat(kernels).isNotEmptyDirectory();
    }

    @Test
    void itsFolderGoesWithTheLastThatHeldIt(@TempDir Path folder) throws Exception {
        Path root = Files.createDirectories(folder.resolve("0/a")).getParent();
        StagedSplits splits = new StagedSplits(Staging.none(), Optional.of(root));
        splits.hold();
        splits.close();
        assertThat(root).exists();
        splits.close();
        assertThat(root).doesNotExist();
    }
}
