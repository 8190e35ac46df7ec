package io.praline.worker.attempt.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.graph.caching.CachePoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SplitKeyTest {
    private static final CachePoint STEADY = point(false, List.of());

    @TempDir
    private Path folder;

    private static CachePoint point(boolean drawn, List<List<String>> opened) {
        return new CachePoint(1, "node", "map_1", "0".repeat(64), drawn, opened);
    }

    private static Split.Builder split(SplitKind kind, String... paths) {
        return Split.newBuilder()
                .setKind(kind)
                .setSource(0)
                .setPaths(List.of(paths))
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(0);
    }

    private static Optional<String> key(CachePoint point, long ordinal, Split.Builder split) {
        return SplitKey.of(assigned(ordinal, split), point, false).map(SplitKey::digest);
    }

    private static AssignedSplit assigned(long ordinal, Split.Builder split) {
        return new AssignedSplit(ordinal, split.build(), ByteBuffer.allocate(0));
    }

    private static Optional<String> key(Split.Builder split) {
        return key(STEADY, 0, split);
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    /** Another content of the same length, by the same time, in the same place. */
    private void writeOver(String path, String content) throws IOException, InterruptedException {
        FileTime time = Files.getLastModifiedTime(Path.of(path));
        Object changed = Files.getAttribute(Path.of(path), "unix:ctime");
        do {
            Files.writeString(Path.of(path), content);
            Files.setLastModifiedTime(Path.of(path), time);
            // the clock of a file system goes by some milliseconds at a time
        } while (Files.getAttribute(Path.of(path), "unix:ctime").equals(changed));
    }

    @Test
    void aFileThatIsWrittenOverAndGivenItsFormerTimeIsAnotherOne() throws Exception {
        String path = file("a", "one");
        Optional<String> before = key(split(SplitKind.FILE, path));
        assertThat(before).isPresent().isEqualTo(key(split(SplitKind.FILE, path)));
        writeOver(path, "two");
        assertThat(key(split(SplitKind.FILE, path))).isPresent().isNotEqualTo(before);
    }

    // what is read may be another content by the time that it has been read, and have the same time
    @Test
    void aFileThatChangedAMomentAgoMayChangeWithoutAnybodysSeeing() throws Exception {
        Path file = Path.of(file("a", "one"));
        Instant changed = ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
        SplitKey key = SplitKey.of(assigned(0, split(SplitKind.FILE, file.toString())), STEADY, false)
                .orElseThrow();
        assertThat(key.lasts(changed.plusMillis(10))).isFalse();
        assertThat(key.lasts(changed.plusSeconds(3))).isTrue();
        SplitKey elsewhere = SplitKey.of(
                        assigned(0, split(SplitKind.FILE, "s3://a/b").setVersions(List.of("etag 3 x"))), STEADY, false)
                .orElseThrow();
        assertThat(elsewhere.lasts(changed)).isTrue();
    }

    @Test
    void filesThatAConstantNamesAreTold() throws Exception {
        String first = file("a", "one");
        String second = file("b", "two");
        CachePoint point = point(false, List.of(List.of("away", first, second)));
        Split.Builder range = split(SplitKind.INDEXES).setFrom(1).setUntil(3);
        Optional<String> before = key(point, 0, range);
        assertThat(before).isPresent().isNotEqualTo(key(range));
        Optional<String> other =
                key(point, 0, split(SplitKind.INDEXES).setFrom(1).setUntil(2));
        writeOver(second, "too");
        assertThat(key(point, 0, range)).isPresent().isNotEqualTo(before);
        assertThat(key(point, 0, split(SplitKind.INDEXES).setFrom(1).setUntil(2)))
                .isEqualTo(other);
        assertThat(key(point, 0, split(SplitKind.INDEXES).setFrom(0).setUntil(2)))
                .isEmpty();
        assertThat(key(point, 0, split(SplitKind.INDEXES).setFrom(1).setUntil(4)))
                .isEmpty();
    }

    @Test
    void ofNamesThatLeadHereAndElsewhereEachHasItsVersion() throws Exception {
        String path = file("a", "one");
        Split.Builder names = split(SplitKind.NAMES, "s3://bucket/b", path).setVersions(List.of("etag 3 x", ""));
        Optional<String> before = key(names);
        assertThat(before).isPresent();
        writeOver(path, "two");
        assertThat(key(names)).isPresent().isNotEqualTo(before);
        assertThat(key(names.setVersions(List.of("etag 3 y", "")))).isNotEqualTo(before);
        assertThat(key(names.setVersions(List.of("length 3 ", "")))).isEmpty();
        assertThat(key(names.setVersions(List.of("just_modified 3 now", "")))).isEmpty();
    }

    @Test
    void whatIsDrawnFollowsFromTheSplitsPlaceInItsPlan() throws Exception {
        Split.Builder split = split(SplitKind.FILE, file("a", "one"));
        assertThat(key(STEADY, 1, split)).isEqualTo(key(STEADY, 2, split));
        CachePoint drawn = point(true, List.of());
        assertThat(key(drawn, 1, split)).isPresent().isNotEqualTo(key(drawn, 2, split));
    }

    @Test
    void namesMayHoldAnyCharacter() {
        Split.Builder one =
                split(SplitKind.NAMES, "s3://a/b\n8:etag 3 x\n6:s3://c").setVersions(List.of("etag 3 x"));
        Split.Builder two = split(SplitKind.NAMES, "s3://a/b", "s3://c").setVersions(List.of("etag 3 x", "etag 3 x"));
        assertThat(key(one)).isPresent().isNotEqualTo(key(two));
        assertThat(key(split(SplitKind.FILE, "a\0b"))).isEmpty();
    }
}
