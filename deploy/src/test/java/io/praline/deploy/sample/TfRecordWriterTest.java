package io.praline.deploy.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TfRecordWriterTest {

    // a record of no bytes: crc32c(00 x 8) = 8c28b28a, rotated right by 15 = 65151851, + a282ead8 = 07980329;
    // crc32c of nothing = 0, so the mask alone
    @Test
    void framesARecordAsTensorFlowReadsIt(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("one");
        try (TfRecordWriter out = new TfRecordWriter(file)) {
            out.write("".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(file)))
                .isEqualTo("0000000000000000290398 07d8ea82a2".replace(" ", ""));
    }
}
