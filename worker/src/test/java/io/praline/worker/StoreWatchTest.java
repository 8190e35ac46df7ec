package io.praline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.CacheReport;
import io.praline.worker.storage.S3Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreWatchTest {
    @TempDir
    private Path folder;

    private void entry(int group, int bytes) throws IOException {
        String name = String.format("%064x", group);
        Path file = folder.resolve("entries").resolve("t-team").resolve(name).resolve("00");
        Files.createDirectories(file);
        Files.write(file.resolve(name), new byte[bytes]);
    }

    // the dispatcher takes no beat with more than ten thousand, and hears nothing of its worker then
    @Test
    void ofMoreGroupsThanAreTakenTheLargestAreToldAndTheBytesOfAll() throws IOException {
        for (int group = 0; group < 5_010; group++) {
            entry(group, group < 5 ? 100 : group < 5_000 ? 10 : 1);
        }
        try (StoreWatch watch =
                StoreWatch.open(CacheSettings.folder(folder, true, 1 << 20), S3Settings.USUAL, "w1-1")) {
            CacheReport told = watch.news().orElseThrow();
            assertThat(told.getGroups()).hasSize(5_000).allMatch(group -> group.getBytes() > 1);
            assertThat(told.getGroups().subList(0, 5)).allMatch(group -> group.getBytes() == 100);
            assertThat(told.getUsedBytes()).isEqualTo(5 * 100 + 4_995 * 10 + 10);
        }
    }
}
