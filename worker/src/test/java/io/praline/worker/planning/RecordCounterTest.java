package io.praline.worker.planning;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RecordCounterTest {
    private static final RecordFormat.TfRecords PLAIN = new RecordFormat.TfRecords(Compression.NONE);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(Compression.class)
    void countsTheRecordsOfATfRecordFile(Compression compression) throws IOException {
        Path file = directory.resolve("a");
        Files.write(file, TfRecordFiles.compressed(compression, TfRecordFiles.bytes(TfRecordFiles.records(700, 40))));
        assertThat(RecordCounter.count(file.toString(), new RecordFormat.TfRecords(compression), () -> true))
                .isEqualTo(700);
    }

    @Test
    void countsRecordsOfAllSizesInOneFile() throws IOException {
        byte[][] records = {
            new byte[0], new byte[300_000], new byte[1], new byte[70_000], new byte[10], new byte[20_000]
        };
        Path file = TfRecordFiles.write(directory.resolve("a"), records);
        assertThat(RecordCounter.count(file.toString(), PLAIN, () -> true)).isEqualTo(6);
        RecordCounter.check(DataFile.of(file.toString()), PLAIN, () -> true);
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void aFileOfLengthZeroHoldsNoRecord(Compression compression) throws IOException {
        Path file = Files.createFile(directory.resolve("empty"));
        assertThat(RecordCounter.count(file.toString(), new RecordFormat.TfRecords(compression), () -> true))
                .isZero();
    }

    // a record of 40 bytes takes 56: the third begins at byte 112
    @Test
    void saysWhereAFileIsCutOff() throws IOException {
        byte[] whole = TfRecordFiles.bytes(TfRecordFiles.records(5, 40));
        Path within = Files.write(directory.resolve("within"), Arrays.copyOf(whole, 130));
        assertThatThrownBy(() -> RecordCounter.count(within.toString(), PLAIN, () -> true))
                .isInstanceOf(CorruptFile.class)
                .hasMessage(within + ": record 2 at byte 112 is cut off: it has 40 bytes, the file ends at 130");
        Path length = Files.write(directory.resolve("length"), Arrays.copyOf(whole, 115));
        assertThatThrownBy(() -> RecordCounter.count(length.toString(), PLAIN, () -> true))
                .hasMessage(length + ": record 2 at byte 112 is cut off: the file ends within its length");
    }

    @Test
    void saysWhereACompressedFileIsCutOff() throws IOException {
        byte[] cut = Arrays.copyOf(TfRecordFiles.bytes(TfRecordFiles.records(5, 40)), 130);
        Path file = Files.write(directory.resolve("a"), TfRecordFiles.compressed(Compression.GZIP, cut));
        assertThatThrownBy(() ->
                        RecordCounter.count(file.toString(), new RecordFormat.TfRecords(Compression.GZIP), () -> true))
                .hasMessage(file + ": record 2 at byte 112 is cut off");
    }

    @Test
    void saysWhichLengthHasAWrongChecksum() throws IOException {
        byte[] bytes = TfRecordFiles.bytes(TfRecordFiles.records(5, 40));
        bytes[56] ^= 1;
        Path file = Files.write(directory.resolve("a"), bytes);
        assertThatThrownBy(() -> RecordCounter.count(file.toString(), PLAIN, () -> true))
                .hasMessage(file + ": record 1 at byte 56 has a wrong checksum of its length");
    }

    // the content of record 3 begins at 3 * 56 + 12
    @Test
    void looksAtContentsOnlyWhereItChecks() throws IOException {
        byte[] bytes = TfRecordFiles.bytes(TfRecordFiles.records(5, 40));
        bytes[3 * 56 + 12 + 20] ^= 1;
        Path file = Files.write(directory.resolve("a"), bytes);
        assertThat(RecordCounter.count(file.toString(), PLAIN, () -> true)).isEqualTo(5);
        assertThatThrownBy(() -> RecordCounter.check(DataFile.of(file.toString()), PLAIN, () -> true))
                .hasMessage(file + ": record 3 at byte 168 has a wrong checksum of its 40 bytes");
    }

    @Test
    void tellsWhereRecordsBegin() throws IOException {
        Path file = TfRecordFiles.write(directory.resolve("a"), new byte[10], new byte[20], new byte[30]);
        List<String> seen = new ArrayList<>();
        TfRecordScanner.scan(
                DataFile.of(file.toString()),
                26,
                Long.MAX_VALUE,
                TfRecordScanner.Check.CONTENT,
                (index, offset, end) -> {
                    seen.add(index + ": " + offset + ".." + end);
                    return true;
                });
        assertThat(seen).containsExactly("0: 26..62", "1: 62..108");
    }

    @ParameterizedTest
    @CsvSource({
        "'a\nb\n', 2",
        "'a\nb', 2",
        "'\n', 1",
        "'\n\nx', 3",
        "'x', 1",
        "'a\r\nb\r', 2",
        "'a\n\r', 1",
        "'a\n\r\rb', 2"
    })
    void countsLinesAsTensorFlowDoes(String text, long lines) throws IOException {
        for (Compression compression : Compression.values()) {
            Path file =
                    Files.write(directory.resolve("a"), TfRecordFiles.compressed(compression, text.getBytes(UTF_8)));
            assertThat(RecordCounter.count(file.toString(), new RecordFormat.TextLines(compression), () -> true))
                    .isEqualTo(lines);
        }
    }

    @Test
    void countsRecordsOfEqualLengthBetweenHeaderAndFooter() throws IOException {
        Path file = Files.write(directory.resolve("a"), new byte[4 + 7 * 10 + 2]);
        assertThat(RecordCounter.count(
                        file.toString(), new RecordFormat.FixedLength(Compression.NONE, 4, 10, 2), () -> true))
                .isEqualTo(7);
        assertThatThrownBy(() -> RecordCounter.count(
                        file.toString(), new RecordFormat.FixedLength(Compression.NONE, 4, 10, 0), () -> true))
                .hasMessage(file
                        + ": record 7 at byte 74 is cut off: 72 bytes between header and footer are no multiple of 10");
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void stopsWhenNobodyWaitsForIt(Compression compression) throws IOException {
        Path file = Files.write(
                directory.resolve("a"),
                TfRecordFiles.compressed(compression, TfRecordFiles.bytes(TfRecordFiles.records(5, 40))));
        for (RecordFormat format :
                List.of(new RecordFormat.TfRecords(compression), new RecordFormat.TextLines(compression))) {
            assertThatThrownBy(() -> RecordCounter.count(file.toString(), format, () -> false))
                    .isInstanceOf(CancellationException.class)
                    .hasMessage("nobody waits for the records of " + file + " to be counted");
        }
    }
}
