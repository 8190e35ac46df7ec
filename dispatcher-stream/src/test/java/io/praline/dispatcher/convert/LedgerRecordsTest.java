package io.praline.dispatcher.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.FileRun;
import io.praline.schema.LedgerPage;
import io.praline.schema.PlannedFiles;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.topics.Agreements;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.junit.jupiter.api.Test;

class LedgerRecordsTest {
    private static Split split(SplitKind kind, long bytes, String... paths) {
        return Split.newBuilder()
                .setKind(kind)
                .setSource(0)
                .setPaths(List.of(paths))
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(bytes)
                .build();
    }

    private static List<FileRun> runs(LedgerPage page) {
        return ((PlannedFiles) page.getBody()).getRuns();
    }

    @Test
    void splitsOfOneFileThatFollowEachOtherAreARun() {
        assertThat(runs(LedgerRecords.files(
                        "job",
                        1,
                        0,
                        List.of(
                                split(SplitKind.RECORD_RANGE, 10, "/a"),
                                split(SplitKind.RECORD_RANGE, 20, "/a"),
                                split(SplitKind.FILE, 5, "/b"),
                                split(SplitKind.RECORD_RANGE, 30, "/a"),
                                split(SplitKind.NAMES, 0, "/c", "/d", "/e"),
                                split(SplitKind.INTEGERS, 0),
                                split(SplitKind.INTEGERS, 0)))))
                .containsExactly(
                        new FileRun("/a", 2, 30L),
                        new FileRun("/b", 1, 5L),
                        new FileRun("/a", 1, 30L),
                        new FileRun("/c and 2 more", 1, 0L),
                        new FileRun("", 2, 0L));
    }

    @Test
    void whatTwoSplitsHoldIsNoNegativeNumber() {
        assertThat(runs(LedgerRecords.files(
                        "job",
                        1,
                        0,
                        List.of(split(SplitKind.FILE, Long.MAX_VALUE, "/a"), split(SplitKind.FILE, 1, "/a")))))
                .containsExactly(new FileRun("/a", 2, Long.MAX_VALUE));
    }

    // of a name of 4,000 bytes 500 are told: a thousand of them are about 0.5 MB
    @Test
    void aPageOfNothingButLongNamesIsFarFromWhatARecordHolds() throws IOException {
        String folder = "/" + "d".repeat(4_000) + "/";
        List<Split> splits = IntStream.range(0, Agreements.SPLITS_A_PAGE)
                .mapToObj(file -> split(SplitKind.NAMES, Long.MAX_VALUE, folder + file, folder))
                .toList();
        LedgerPage page = LedgerRecords.files("j".repeat(200), Integer.MAX_VALUE, Integer.MAX_VALUE, splits);
        assertThat(runs(page)).hasSize(Agreements.SPLITS_A_PAGE);
        assertThat(runs(page).get(17).getFile()).startsWith("...d").endsWith("d/17 and 1 more");
        assertThat(bytes(page)).isLessThan(Agreements.RECORD_BYTES / 2);
    }

    private static int bytes(LedgerPage page) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new SpecificDatumWriter<>(LedgerPage.class).write(page, encoder);
        encoder.flush();
        return out.size();
    }

    @Test
    void keysTellFilesAndEpochsApartAlsoOfJobsWithSlashes() {
        BitSet closed = new BitSet();
        closed.set(9);
        assertThat(LedgerRecords.key(LedgerRecords.files("a", 1, 2, List.of()))).isEqualTo("a/files/2");
        assertThat(LedgerRecords.key(LedgerRecords.closed("a", 1, 2, closed))).isEqualTo("a/1/2");
        assertThat(LedgerRecords.key(LedgerRecords.closed("a/1", 2, 3, closed))).isEqualTo("a/1/2/3");
        assertThat(LedgerRecords.filesKeys("a", 2)).containsExactly("a/files/0", "a/files/1");
        assertThat(LedgerRecords.closedKeys("a", 5, 1)).containsExactly("a/5/0");
    }
}
