package io.praline.worker.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.StoredFile;
import io.praline.worker.storage.stage.ObjectIndexes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SplitPlannerTest {
    private static final RecordFormat.TfRecords PLAIN = new RecordFormat.TfRecords(Compression.NONE);

    @TempDir
    private Path directory;

    private final List<Split> splits = new ArrayList<>();
    private final SplitPlanner planner = new SplitPlanner("w1", 1_000, ObjectIndexes.none(), splits::add);

    private static Iterator<StoredFile> paths(Path... files) {
        return Stream.of(files).map(file -> StoredFile.local(file.toString())).iterator();
    }

    // 40 records of 84 + 16 bytes are 4,000: four ranges of ten records
    @Test
    void aLargeFileIsCutBetweenRecords() {
        Path large = TfRecordFiles.write(directory.resolve("large"), TfRecordFiles.records(40, 84));
        planner.files(0, paths(large), PLAIN, true, true);
        assertThat(splits)
                .extracting(Split::getKind, Split::getFrom, Split::getUntil, split -> split.getRecords()
                        .orElseThrow())
                .containsExactly(
                        tuple(SplitKind.RECORD_RANGE, 0L, 1_000L, 10L),
                        tuple(SplitKind.RECORD_RANGE, 1_000L, 2_000L, 10L),
                        tuple(SplitKind.RECORD_RANGE, 2_000L, 3_000L, 10L),
                        tuple(SplitKind.RECORD_RANGE, 3_000L, 4_000L, 10L));
        assertThat(planner.bytes()).isEqualTo(4_000);
    }

    // a header of 100 bytes, 100 records of 40, a footer of 7: 4,107 bytes are five ranges of at most 822, of 20
    // records each
    @Test
    void aLargeObjectOfRecordsOfOneLengthIsCutWithoutLookingAtIt() {
        RecordFormat.FixedLength fixed = new RecordFormat.FixedLength(Compression.NONE, 100, 40, 7);
        FileVersion version = new FileVersion(FileVersion.Kind.ETAG, 4_107, "\"1\"");
        planner.files(0, List.of(StoredFile.of("s3://bucket/a", version)).iterator(), fixed, true, true);
        assertThat(splits)
                .extracting(Split::getKind, Split::getFrom, Split::getUntil, split -> split.getRecords()
                        .orElseThrow())
                .containsExactly(
                        tuple(SplitKind.RECORD_RANGE, 100L, 900L, 20L),
                        tuple(SplitKind.RECORD_RANGE, 900L, 1_700L, 20L),
                        tuple(SplitKind.RECORD_RANGE, 1_700L, 2_500L, 20L),
                        tuple(SplitKind.RECORD_RANGE, 2_500L, 3_300L, 20L),
                        tuple(SplitKind.RECORD_RANGE, 3_300L, 4_100L, 20L));
        assertThat(splits).extracting(Split::getVersions).containsOnly(List.of(version.text()));
    }

    // cut off, of a store that may give no ranges, where other bytes of it are read too, of which nobody knows,
    // compressed
    @Test
    void anObjectStaysWholeWhereItCannotBeCut() {
        RecordFormat.FixedLength fixed = new RecordFormat.FixedLength(Compression.NONE, 0, 40, 0);
        StoredFile whole = StoredFile.of("s3://bucket/a", new FileVersion(FileVersion.Kind.ETAG, 4_000, "\"1\""));
        StoredFile cutOff = StoredFile.of("s3://bucket/a", new FileVersion(FileVersion.Kind.ETAG, 4_001, "\"1\""));
        StoredFile far = StoredFile.of("http://host/a", whole.version().orElseThrow());
        planner.files(0, List.of(cutOff).iterator(), fixed, true, true);
        planner.files(0, List.of(far).iterator(), fixed, true, true);
        planner.files(0, List.of(whole).iterator(), fixed, true, false);
        planner.files(0, List.of(whole).iterator(), fixed, false, true);
        planner.files(0, List.of(whole).iterator(), PLAIN, true, true);
        planner.files(
                0, List.of(whole).iterator(), new RecordFormat.FixedLength(Compression.GZIP, 0, 40, 0), true, true);
        assertThat(splits)
                .extracting(Split::getKind)
                .containsOnly(SplitKind.FILE)
                .hasSize(6);
    }

    // whoever opened it would wait for a writer for ever, and one worker after the other would end itself
    @Test
    @EnabledOnOs(OS.LINUX)
    void aPipeIsRefused() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> planner.files(0, paths(pipe), PLAIN, true, true))
                .isInstanceOf(UnseenPath.class)
                .hasMessage(
                        "worker w1 sees a pipe or a device at " + pipe + ", which cannot be read again; name a file");
        assertThatThrownBy(() -> planner.names(0, paths(pipe), false)).isInstanceOf(UnseenPath.class);
    }

    @Test
    void aFileStaysWholeWhereRangesWouldChangeTheResult() {
        Path large = TfRecordFiles.write(directory.resolve("large"), TfRecordFiles.records(40, 84));
        planner.files(0, paths(large), PLAIN, false, true);
        planner.files(0, paths(large), new RecordFormat.TfRecords(Compression.GZIP), true, true);
        planner.files(0, paths(large), new RecordFormat.TextLines(Compression.NONE), true, true);
        assertThat(splits)
                .extracting(Split::getKind)
                .containsOnly(SplitKind.FILE)
                .hasSize(3);
        assertThat(splits).extracting(Split::getRecords).containsOnly(java.util.Optional.empty());
    }

    @Test
    void aDamagedFileStaysWholeAndIsToldWhenItIsRead() throws IOException {
        byte[] bytes = TfRecordFiles.bytes(TfRecordFiles.records(40, 84));
        bytes[2_500] ^= 1;
        bytes[2_400] ^= 1;
        Path damaged = Files.write(directory.resolve("damaged"), bytes);
        planner.files(0, paths(damaged), PLAIN, true, true);
        assertThat(splits).extracting(Split::getKind).containsExactly(SplitKind.FILE);
    }

    @Test
    void aFileThatIsNotThereIsToldWithWorkerAndPath() {
        Path gone = directory.resolve("gone");
        assertThatThrownBy(() -> planner.files(0, paths(gone), PLAIN, true, true))
                .isInstanceOf(UnseenPath.class)
                .hasMessage("worker w1 sees no file " + gone + "; check that the path is right and mounted there");
    }

    @Test
    void aNameOfNoFileIsHandedOnWhereThePipelineLeavesOutWhatIsMadeOfIt() throws IOException {
        Path file = Files.write(directory.resolve("x"), new byte[3]);
        Path gone = directory.resolve("gone");

        planner.names(0, paths(file, gone), true);

        assertThat(splits.stream().flatMap(split -> split.getPaths().stream()))
                .containsExactly(file.toString(), gone.toString());
        assertThat(planner.bytes()).isEqualTo(3);
        assertThat(planner.missing()).containsExactly(gone.toString());
        assertThatThrownBy(() -> planner.names(0, paths(gone), false))
                .isInstanceOf(UnseenPath.class)
                .hasMessageContaining("sees no file " + gone);
    }

    // 600 names in about 256 splits: three each
    @Test
    void namesGoInRuns() throws IOException {
        Path file = Files.write(directory.resolve("x"), new byte[3]);
        planner.names(
                0,
                IntStream.range(0, 600)
                        .mapToObj(i -> StoredFile.local(file.toString()))
                        .iterator(),
                false);
        assertThat(splits).hasSize(200).allMatch(split -> split.getPaths().size() == 3);
        assertThat(splits.get(0).getRecords()).contains(3L);
        assertThat(planner.bytes()).isEqualTo(1_800);
    }

    // a page of 1,000 splits must stay below 2 MiB
    @Test
    void runsOfLongNamesAreShort() throws IOException {
        Path file = Files.write(directory.resolve("x".repeat(200)), new byte[3]);
        planner.names(
                0,
                IntStream.range(0, 20_000)
                        .mapToObj(i -> StoredFile.local(file.toString()))
                        .iterator(),
                false);
        assertThat(splits)
                .allMatch(split ->
                        split.getPaths().stream().mapToInt(String::length).sum() <= 1_200);
        assertThat(splits.stream().mapToInt(split -> split.getPaths().size()).sum())
                .isEqualTo(20_000);
    }

    // names of 40 and versions of 45 characters: 14 pairs are 1,190
    @Test
    void whatObjectsWereIsInTheirSplitsAndCountsAsLength() {
        FileVersion version = new FileVersion(FileVersion.Kind.ETAG, 7, "\"" + "e".repeat(36) + "\"");
        String name = "s3://bucket/" + "k".repeat(28);
        planner.names(
                0,
                IntStream.range(0, 20_000)
                        .mapToObj(i -> StoredFile.of(name, version))
                        .iterator(),
                false);

        assertThat(version.text()).hasSize(45);
        assertThat(splits.get(0).getPaths()).hasSize(14).containsOnly(name);
        assertThat(splits.get(0).getVersions()).hasSize(14).containsOnly(version.text());
        assertThat(planner.bytes()).isEqualTo(140_000);
        assertThat(planner.uncertain()).isZero();
    }

    @Test
    void anObjectIsOneSplitHoweverLong() {
        FileVersion version = new FileVersion(FileVersion.Kind.MODIFIED, 5_000, "2026-11-22T10:00:00Z");
        planner.files(0, List.of(StoredFile.of("s3://bucket/a", version)).iterator(), PLAIN, true, true);

        assertThat(splits).singleElement().satisfies(split -> {
            assertThat(split.getKind()).isEqualTo(SplitKind.FILE);
            assertThat(split.getVersions()).containsExactly("modified 5000 2026-11-22T10:00:00Z");
        });
        assertThat(planner.uncertain()).isEqualTo(1);
    }

    @Test
    void anObjectThatCanHaveNoNameOnDiskIsRefusedByName() {
        FileVersion version = new FileVersion(FileVersion.Kind.ETAG, 1, "\"e\"");
        for (String key : List.of("a//b", "a/../b", "a/=", "x".repeat(256))) {
            assertThatThrownBy(() -> planner.files(
                            0,
                            List.of(StoredFile.of("s3://bucket/" + key, version))
                                    .iterator(),
                            PLAIN,
                            true,
                            true))
                    .isInstanceOf(StoreFailed.class)
                    .hasMessageStartingWith("s3://bucket/" + key + " cannot be read: the part '");
        }
    }

    // 10 million in 256 splits: 39,063 each
    @Test
    void integersAreCutIntoSomeHundredRanges() {
        planner.integers(0, 0, 10_000_000, 1, false);
        assertThat(splits).hasSize(256);
        assertThat(splits.stream()
                        .mapToLong(split -> split.getRecords().orElseThrow())
                        .sum())
                .isEqualTo(10_000_000);
    }

    @Test
    void aRangeOfIntegersHoldsAtLeastSixteen() {
        planner.integers(0, 5, -35, -1, false);
        assertThat(splits)
                .extracting(Split::getFrom, Split::getUntil, split -> split.getRecords()
                        .orElseThrow())
                .containsExactly(tuple(5L, -11L, 16L), tuple(-11L, -27L, 16L), tuple(-27L, -35L, 8L));
    }

    // two tasks get some of a constant of 60 slices, which each of them holds
    @Test
    void aConstantIsCutForSeveralTasks() {
        planner.indexes(0, 60, false);
        assertThat(splits)
                .extracting(Split::getKind, Split::getFrom, Split::getUntil)
                .containsExactly(
                        tuple(SplitKind.INDEXES, 0L, 16L),
                        tuple(SplitKind.INDEXES, 16L, 32L),
                        tuple(SplitKind.INDEXES, 32L, 48L),
                        tuple(SplitKind.INDEXES, 48L, 60L));
    }

    // 256 times 64 are 16,384: twice as many come by two
    @Test
    void whatFilesAreOpenedByIsReadOneByOneWhereThereAreFew() {
        planner.indexes(0, 3, true);
        assertThat(splits)
                .extracting(Split::getFrom, Split::getUntil)
                .containsExactly(tuple(0L, 1L), tuple(1L, 2L), tuple(2L, 3L));
        splits.clear();
        planner.integers(0, 0, 32_768, 1, true);
        assertThat(splits).hasSize(16_384);
    }

    @Test
    void integersAreCountedAsRangesCount() {
        assertThat(SplitPlanner.count(0, 10, 3)).isEqualTo(4);
        assertThat(SplitPlanner.count(0, 9, 3)).isEqualTo(3);
        assertThat(SplitPlanner.count(10, 0, -4)).isEqualTo(3);
        assertThat(SplitPlanner.count(5, 5, 1)).isZero();
        assertThat(SplitPlanner.count(5, 0, 1)).isZero();
    }
}
