package io.praline.worker.storage.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.storage.FileStore;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.RangeBuffer;
import io.praline.worker.storage.Retries;
import io.praline.worker.storage.StageSettings;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.StoredFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects on their way to disk, kept there, and let go. */
class StagingTest {
    private static final int RANGE = (int) RangeBuffer.RANGE_BYTES;

    @TempDir
    Path folder;

    private final FakeStore store = new FakeStore();
    private final List<Staging> open = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Long> pauses = new ArrayList<>();
    private volatile Runnable eachPause = () -> {};

    private final Retries.Times times = new Retries.Times() {
        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public synchronized void pause(long mostMillis) {
            eachPause.run();
            pauses.add(mostMillis);
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(mostMillis));
        }
    };

    @AfterEach
    void close() {
        open.forEach(Staging::close);
    }

    private Staging staging(long bytes) {
        Staging staging =
                Staging.open(new FileStores(store, store), new StageSettings(folder, OptionalLong.of(bytes)), times);
        open.add(staging);
        return staging;
    }

    private static AssignedSplit split(long ordinal, StoredFile... files) {
        List<StoredFile> all = List.of(files);
        Split split = Split.newBuilder()
                .setKind(all.size() == 1 ? SplitKind.FILE : SplitKind.NAMES)
                .setSource(0)
                .setPaths(all.stream().map(StoredFile::name).toList())
                .setVersions(all.stream()
                        .map(file -> file.version().orElseThrow().text())
                        .toList())
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(0)
                .build();
        return new AssignedSplit(ordinal, split, ByteBuffer.allocate(0));
    }

    private static AssignedSplit range(long ordinal, StoredFile file, long from, long until) {
        Split split = Split.newBuilder(split(ordinal, file).getSplit())
                .setKind(SplitKind.RECORD_RANGE)
                .setFrom(from)
                .setUntil(until)
                .setRecords(1L)
                .build();
        return new AssignedSplit(ordinal, split, ByteBuffer.allocate(0));
    }

    private static byte[] read(StagedSplits staged, StoredFile file) throws IOException {
        return Files.readAllBytes(staged.path(split(0, file).getSplit(), file.name()));
    }

    private int onDisk() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return (int) all.filter(Files::isRegularFile)
                    .filter(file -> file.getParent().endsWith("objects"))
                    .count();
        }
    }

    // of 100 bytes two ranges of 30 are read at the same time: each lies at its place, and no other byte was asked for
    @Test
    void rangesOfAnObjectLieApartAndTakeTheirOwnBytesAlone() throws Exception {
        byte[] bytes = new byte[100];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        StoredFile file = store.put("s3://b/cut", bytes);
        Staging staging = staging(1 << 30);
        StagedSplits staged = staging.reading();
        AssignedSplit one = range(0, file, 0, 30);
        AssignedSplit other = range(1, file, 40, 70);
        staged.await(one);
        staged.await(other);

        byte[] first = Files.readAllBytes(staged.path(one.getSplit(), file.name()));
        byte[] second = Files.readAllBytes(staged.path(other.getSplit(), file.name()));
        assertThat(first).hasSize(100).startsWith(Arrays.copyOfRange(bytes, 0, 30));
        assertThat(second).hasSize(100);
        assertThat(Arrays.copyOfRange(second, 40, 70)).isEqualTo(Arrays.copyOfRange(bytes, 40, 70));
        assertThat(store.asked()).containsExactlyInAnyOrder("s3://b/cut@0", "s3://b/cut@40");
        assertThat(staging.fetchedBytes()).isEqualTo(60);
        assertThat(staging.usedBytes()).isEqualTo(60);
        assertThat(staged.told("cannot read "
                        + staged.path(other.getSplit(), file.name()).toAbsolutePath()))
                .isEqualTo("cannot read s3://b/cut");
        staged.close();
        close();
        open.clear();
        assertThat(staging(1 << 30).usedBytes()).isEqualTo(60);
    }

    @Test
    void aRangeOfAnObjectThatLiesThereWholeIsNotFetched() throws Exception {
        byte[] bytes = "a whole object".getBytes(StandardCharsets.UTF_8);
        StoredFile file = store.put("s3://b/whole", bytes);
        Staging staging = staging(1 << 30);
        StagedSplits before = staging.reading();
        before.await(split(0, file));
        before.close();

        StagedSplits staged = staging.reading();
        AssignedSplit range = range(0, file, 2, 7);
        staged.await(range);
        assertThat(Files.readAllBytes(staged.path(range.getSplit(), file.name())))
                .isEqualTo(bytes);
        assertThat(staging.fetchedBytes()).isEqualTo(bytes.length);
    }

    // 8 MiB, 8 MiB and five bytes; one ends early, and goes on where it ended
    @Test
    void aLargeObjectComesInRangesAndGoesOnWhereItBrokeOff() throws Exception {
        byte[] bytes = new byte[2 * RANGE + 5];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7 + i / 1000);
        }
        StoredFile file = store.put("s3://b/large", bytes);
        store.spoil(1, in -> new Cut(in, 1_000));
        StagedSplits staged = staging(1 << 30).reading();

        staged.await(split(0, file));
        assertThat(read(staged, file)).isEqualTo(bytes);
        assertThat(store.asked())
                .containsExactlyInAnyOrder(
                        "s3://b/large@0", "s3://b/large@1000", "s3://b/large@" + RANGE, "s3://b/large@" + 2 * RANGE);
        assertThat(staged.progress()).isEqualTo(bytes.length);
    }

    // laid down where it was asked for, what came would stand in the place of other bytes
    @Test
    void bytesFromBehindThoseThatWereAskedForAreNotTakenForThem() throws Exception {
        StoredFile file = store.put("s3://b/a", 40);
        byte[] bytes = readWhole(file);
        store.giveLater();
        StagedSplits staged = staging(1 << 30).reading();

        staged.await(split(0, file));
        assertThat(read(staged, file)).isEqualTo(bytes);
        assertThat(store.asked().subList(1, 3)).containsExactly("s3://b/a@0", "s3://b/a@0");
    }

    private byte[] readWhole(StoredFile file) throws IOException {
        try (FileStore.Content content = store.open(file.name(), file.version().orElseThrow(), 0, 40)) {
            return content.in().readAllBytes();
        }
    }

    @Test
    void aStoreWithoutRangesIsAskedOnce() throws Exception {
        StoredFile file = store.put("http://h/large", RANGE + 5);
        store.giveWhole();
        StagedSplits staged = staging(1 << 30).reading();

        staged.await(split(0, file));
        assertThat(read(staged, file)).hasSize(RANGE + 5);
        assertThat(store.asked()).containsExactly("http://h/large@0");
    }

    // a byte a second: after eleven seconds another answer is asked for
    @Test
    void anAnswerThatTricklesIsGivenUp() throws Exception {
        StoredFile file = store.put("s3://b/slow", 2_000);
        store.spoil(1, Trickle::new);
        StagedSplits staged = staging(1 << 30).reading();

        staged.await(split(0, file));
        assertThat(read(staged, file)).hasSize(2_000);
        assertThat(store.asked()).containsExactly("s3://b/slow@0", "s3://b/slow@11");
    }

    // three minutes; pauses double up to five seconds
    @Test
    void aStoreThatGivesNothingIsGivenUpInTheEnd() {
        StoredFile file = store.put("s3://b/none", 10);
        store.spoil(1_000, in -> new Cut(in, 0));
        StagedSplits staged = staging(1 << 30).reading();

        assertThatThrownBy(() -> staged.await(split(0, file))).isInstanceOfSatisfying(StoreFailed.class, failed -> {
            assertThat(failed.kind()).isEqualTo(StoreFailed.Kind.BUSY);
            assertThat(failed).hasMessage("s3://b/none cannot be read for now: it ended 10 bytes early");
        });
        assertThat(pauses).startsWith(50L, 100L, 200L, 400L).endsWith(5_000L);
        assertThat(nanos.get()).isBetween(TimeUnit.MINUTES.toNanos(3), TimeUnit.SECONDS.toNanos(186));
    }

    // 50 + 100 + ... + 1,600 ms of pauses are over after the sixth
    @Test
    void whoWaitsForAStoreSaysWhyOnceItTookSomeSeconds() throws Exception {
        StoredFile file = store.put("s3://b/busy", 10);
        store.spoil(9, in -> new Cut(in, 0));
        StagedSplits staged = staging(1 << 30).reading();
        List<Optional<String>> said = Collections.synchronizedList(new ArrayList<>());
        Thread waits = Thread.currentThread();
        eachPause = () -> {
            // the store is asked before anybody waits
            await().atMost(Duration.ofSeconds(90)).until(() -> waits.getState() == Thread.State.WAITING);
            said.add(staged.waitsFor());
        };

        staged.await(split(0, file));
        Optional<String> why = Optional.of("s3://b/busy cannot be read for now: it ended 10 bytes early");
        assertThat(said)
                .containsExactly(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        why,
                        why,
                        why);
        assertThat(staged.waitsFor()).isEmpty();
    }

    @Test
    void anotherContentThanThePlansIsRefused() {
        StoredFile planned = store.put("s3://b/a", 10);
        store.put("s3://b/a", 11);
        StoredFile empty = store.put("s3://b/empty", 0);
        store.put("s3://b/empty", 1);
        StagedSplits staged = staging(1 << 30).reading();

        for (StoredFile file : List.of(planned, empty)) {
            assertThatThrownBy(() -> staged.await(split(0, file)))
                    .isInstanceOfSatisfying(StoreFailed.class, failed -> assertThat(failed.kind())
                            .isEqualTo(StoreFailed.Kind.CHANGED))
                    .hasMessageStartingWith(file.name() + " was changed since the job was planned (");
        }
    }

    private void damage(UnaryOperator<byte[]> how) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile)
                    .filter(each -> each.getParent().endsWith("objects"))
                    .toList()) {
                byte[] bytes = Files.readAllBytes(file);
                Files.delete(file); // who reads it has another name of it
                byte[] damaged = how.apply(bytes);
                if (damaged.length > 0) {
                    Files.write(file, damaged);
                }
            }
        }
    }

    // a folder for temporary files is cleaned up by others
    @Test
    void aContentThatSomebodyTookAwayIsFetchedAgain() throws Exception {
        StoredFile file = store.put("s3://b/a", 40);
        Staging staging = staging(1 << 30);
        StagedSplits before = staging.reading();
        before.await(split(0, file));
        before.close();
        damage(bytes -> new byte[0]);
        StagedSplits one = staging.reading();
        one.await(split(0, file));
        assertThat(read(one, file)).hasSize(40);

        damage(bytes -> new byte[0]);
        StagedSplits other = staging.reading();
        other.await(split(0, file));
        assertThat(read(one, file)).isEqualTo(read(other, file)).hasSize(40);
        assertThat(staging.usedBytes()).isEqualTo(40);
        one.close();
        other.close();
        assertThat(staging.usedBytes()).isEqualTo(40);
        assertThat(onDisk()).isEqualTo(1);
        assertThat(staging.fetchedBytes()).isEqualTo(120);
    }

    // where a host lost power: what is cut off would have fewer records, and nobody would know
    @Test
    void aContentThatIsNotWholeAnyMoreIsFetchedAgain() throws Exception {
        StoredFile file = store.put("s3://b/a", 40);
        Staging before = staging(1 << 30);
        try (StagedSplits staged = before.reading()) {
            staged.await(split(0, file));
        }
        close();
        open.clear();
        damage(bytes -> Arrays.copyOf(bytes, 10));

        Staging staging = staging(1 << 30);
        assertThat(staging.usedBytes()).isEqualTo(10);
        StagedSplits staged = staging.reading();
        staged.await(split(0, file));
        assertThat(read(staged, file)).hasSize(40);
        assertThat(staging.usedBytes()).isEqualTo(40);
    }

    @Test
    void whatCannotBeLaidDownAtFirstLiesThereLater() throws Exception {
        StoredFile a = store.put("s3://b/a", 10);
        StoredFile b = store.put("s3://b/b", 20);
        StagedSplits staged = staging(1 << 30).reading();
        AssignedSplit both = split(0, a, b);
        Path inTheWay = staged.path(both.getSplit(), b.name());
        Files.createDirectories(inTheWay);
        assertThatThrownBy(() -> staged.await(both)).isInstanceOf(UncheckedIOException.class);
        Files.delete(inTheWay);

        staged.await(both);
        assertThat(read(staged, a)).hasSize(10);
        assertThat(read(staged, b)).hasSize(20);
        staged.keep(ordinal -> false);
        assertThat(staged.path(both.getSplit(), a.name())).doesNotExist();
        assertThat(inTheWay).doesNotExist();
    }

    // two jobs were planned before and after a change: each reads its own
    @Test
    void twoContentsOfOneNameLieBesideEachOther() throws Exception {
        StoredFile old = store.put("s3://b/a", 10);
        Staging staging = staging(1 << 30);
        StagedSplits first = staging.reading();
        first.await(split(0, old));
        StoredFile young = store.put("s3://b/a", 20);
        StagedSplits second = staging.reading();
        second.await(split(0, young));

        assertThat(read(first, old)).hasSize(10);
        assertThat(read(second, young)).hasSize(20);
    }

    @Test
    void anObjectAndOneBelowItsNameBothHaveAPlace() throws Exception {
        StoredFile above = store.put("s3://b/a", 10);
        StoredFile below = store.put("s3://b/a/b", 20);
        StagedSplits staged = staging(1 << 30).reading();

        staged.await(split(0, above, below));
        assertThat(read(staged, above)).hasSize(10);
        assertThat(read(staged, below)).hasSize(20);
        assertThat(staged.told(
                        "NOT_FOUND: " + staged.path(split(0, below).getSplit(), "s3://b/a/b") + "; no such file"))
                .isEqualTo("NOT_FOUND: s3://b/a/b; no such file");
    }

    // room for two of three: the third waits until one is let go, and takes the place of the one that went first
    @Test
    void whatIsReadAheadWaitsForRoom() throws Exception {
        StoredFile a = store.put("s3://b/a", 40);
        StoredFile b = store.put("s3://b/b", 40);
        StoredFile c = store.put("s3://b/c", 40);
        Staging staging = staging(100);
        StagedSplits staged = staging.reading();
        staged.ahead(split(0, a)).get();
        staged.ahead(split(1, b)).get();
        CompletableFuture<Void> third = staged.ahead(split(2, c));
        assertThat(third).isNotDone();
        assertThat(staging.usedBytes()).isEqualTo(80);

        staged.keep(ordinal -> ordinal != 0);
        third.get();
        assertThat(staged.path(split(0, a).getSplit(), a.name())).doesNotExist();
        assertThat(read(staged, c)).hasSize(40);
        assertThat(staging.usedBytes()).isEqualTo(80);
        assertThat(onDisk()).isEqualTo(2);
    }

    // an attempt that waits for its next split waits for no room: nobody else might ever make any
    @Test
    void whatIsAwaitedComesWithoutRoom() throws Exception {
        StoredFile a = store.put("s3://b/a", 80);
        StoredFile b = store.put("s3://b/b", 80);
        Staging staging = staging(100);
        StagedSplits one = staging.reading();
        StagedSplits other = staging.reading();
        one.await(split(0, a));
        assertThat(other.ahead(split(0, b))).isNotDone();

        other.await(split(0, b));
        assertThat(read(other, b)).hasSize(80);
        assertThat(staging.usedBytes()).isEqualTo(160);
    }

    @Test
    void oneObjectMayBeLargerThanAllTheRoom() throws Exception {
        StoredFile a = store.put("s3://b/a", 500);
        Staging staging = staging(100);
        StagedSplits staged = staging.reading();
        staged.ahead(split(0, a)).get();
        assertThat(read(staged, a)).hasSize(500);
        staged.close();

        StoredFile b = store.put("s3://b/b", 10);
        staging.reading().ahead(split(0, b)).get();
        assertThat(staging.usedBytes()).isEqualTo(10);
    }

    // another reader, and another process in the same place; a third process has a place of its own
    @Test
    void whatStaysServesAgain() throws Exception {
        StoredFile a = store.put("s3://b/a", 40);
        Staging staging = staging(100);
        try (StagedSplits staged = staging.reading()) {
            staged.await(split(0, a));
        }
        StagedSplits again = staging.reading();
        again.await(split(0, a));
        assertThat(store.asked()).containsExactly("s3://b/a@0");
        staging.close();

        Staging next = staging(100);
        StagedSplits staged = next.reading();
        staged.await(split(0, a));
        assertThat(read(staged, a)).hasSize(40);
        assertThat(store.asked()).containsExactly("s3://b/a@0");
        assertThat(next.usedBytes()).isEqualTo(40);

        StagedSplits elsewhere = staging(100).reading();
        elsewhere.await(split(0, a));
        assertThat(store.asked()).containsExactly("s3://b/a@0", "s3://b/a@0");
    }

    // of 40 bytes before and behind the change: of a server that tells neither an ETag nor a time
    @Test
    void aContentOfWhichOnlyTheLengthIsKnownServesNobodyWhoComesLater() throws Exception {
        store.tellLengthsAlone();
        StoredFile before = store.put("https://h/a", new byte[40]);
        Staging staging = staging(100);
        try (StagedSplits staged = staging.reading()) {
            staged.await(split(0, before));
        }
        assertThat(onDisk()).isZero();
        assertThat(staging.usedBytes()).isZero();

        byte[] changed = new byte[40];
        Arrays.fill(changed, (byte) 1);
        StoredFile after = store.put("https://h/a", changed);
        StagedSplits left = staging.reading();
        left.await(split(0, after));
        assertThat(read(left, after)).isEqualTo(changed);

        // who starts again finds nothing of who was killed
        Path key = folder.resolve("0/objects")
                .resolve(Staged.key("https://h/b", after.version().orElseThrow()) + Staged.PASSING);
        staging.close();
        Files.write(key, changed);
        staging(100);
        assertThat(key).doesNotExist();
    }

    @Test
    void whoStopsWaitsNoMoreAndWhatNobodyWantsIsForgotten() throws Exception {
        StoredFile a = store.put("s3://b/a", 40);
        CountDownLatch held = store.hold("s3://b/a");
        Staging staging = staging(100);
        StagedSplits staged = staging.reading();
        CompletableFuture<Void> there = staged.ahead(split(0, a));

        staged.stop();
        assertThatThrownBy(there::get).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> staged.await(split(1, a))).isInstanceOf(CancellationException.class);
        staged.close();
        StagedSplits other = staging.reading();
        CompletableFuture<Void> later = other.ahead(split(0, a));
        held.countDown();
        later.get();
        assertThat(read(other, a)).hasSize(40);
        // what was begun for the first goes when its store has answered
        await().atMost(Duration.ofSeconds(90)).ignoreExceptions().until(() -> onDisk() == 1);
    }

    // whoever counts holds it, though the attempt that it counts for is over
    @Test
    void itIsClosedWhenAllHaveClosedIt() throws Exception {
        StoredFile a = store.put("s3://b/a", 40);
        StagedSplits staged = staging(100).reading();
        staged.await(split(0, a));
        staged.hold();

        staged.close();
        assertThat(staged.path(split(0, a).getSplit(), a.name())).exists();
        staged.close();
        assertThat(staged.path(split(0, a).getSplit(), a.name())).doesNotExist();
    }

    @Test
    void aFolderThatCannotBeUsedIsNamedWhenAnObjectIsRead() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Staging staging =
                Staging.open(new FileStores(store, store), new StageSettings(file, OptionalLong.of(100)), times);
        open.add(staging);
        StoredFile a = store.put("s3://b/a", 40);

        assertThatThrownBy(() -> staging.reading().await(split(0, a)))
                .isInstanceOf(StoreFailed.class)
                .hasMessageStartingWith("objects of stores cannot be read: the folder " + file + " cannot be used (")
                .hasMessageEndingWith("); name one that can be written with --stage-dir");
    }

    @Test
    void aSplitWithoutVersionsIsNotReadAtAVenture() {
        Split bare = Split.newBuilder(split(0, store.put("s3://b/a", 4)).getSplit())
                .setVersions(List.of())
                .build();
        assertThat(staging(100).reading().ahead(new AssignedSplit(0L, bare, ByteBuffer.allocate(0))))
                .isCompletedExceptionally();
    }

    /** Ends behind so many bytes. */
    private static final class Cut extends FilterInputStream {
        private int left;

        Cut(InputStream in, int bytes) {
            super(in);
            this.left = bytes;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int got = left == 0 ? -1 : super.read(into, offset, Math.min(left, length));
            left -= Math.max(0, got);
            return got;
        }
    }

    /** A byte each second. */
    private final class Trickle extends FilterInputStream {
        Trickle(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            nanos.addAndGet(1_000_000_000L);
            return super.read(into, offset, 1);
        }
    }
}
