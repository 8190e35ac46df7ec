package io.praline.worker.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class CacheStoreTest {
    private static final EntryGroup GROUP = new EntryGroup("team/ä", "a".repeat(64));
    private static final long LARGE = 1L << 30;

    @TempDir
    private Path root;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final InstantSource clock = now::get;

    private CacheStore open(boolean shared, String process, long budget) {
        CacheStore store = CacheStore.open(root.resolve("cache"), shared, process, budget, clock);
        store.divide(Map.of(GROUP, new StoreRoom.Target(LARGE, false)));
        return store;
    }

    private static EntryKey key(int number) {
        return new EntryKey(GROUP, String.format("%064x", number));
    }

    private record Bytes(int bytes) implements EntryRecord {
        @Override
        public void put(ByteBuffer into) {
            for (int i = 0; i < bytes; i++) {
                into.put((byte) i);
            }
        }
    }

    private static boolean write(CacheStore store, int number, int elements, int bytes) {
        try (EntryMaking making = store.make(key(number)).orElseThrow()) {
            for (int i = 0; i < elements; i++) {
                if (!making.add(new Bytes(bytes))) {
                    return false;
                }
            }
            return making.publish(RoaringBitmap.bitmapOf(7, 9));
        }
    }

    private static Path file(Path root, int number) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            String name = key(number).split();
            return all.filter(each -> each.getFileName().toString().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void whatIsWrittenIsThereForOthersAndForTheNextProcess() {
        try (CacheStore store = open(true, "one", LARGE)) {
            assertThat(store.info(key(1))).isEmpty();
            assertThat(write(store, 1, 3, 100)).isTrue();
            assertThat(store.info(key(1))).contains(new EntryInfo(3, 5, RoaringBitmap.bitmapOf(7, 9)));
            assertThat(store.make(key(1))).isEmpty();
        }
        try (CacheStore other = open(true, "two", LARGE)) {
            assertThat(other.info(key(1))).contains(new EntryInfo(3, 5, RoaringBitmap.bitmapOf(7, 9)));
            assertThat(other.usage().get(GROUP).entries()).isEqualTo(1);
            assertThat(other.id()).isNotEmpty();
        }
    }

    @Test
    void anEntryOfWhichAnyByteIsAnotherOneIsNoneAndGoes() throws IOException {
        try (CacheStore store = open(false, "one", LARGE)) {
            assertThat(write(store, 0, 2, 50)).isTrue();
            long size = Files.size(file(root, 0));
            for (long at = 0; at < size; at++) {
                int number = (int) at + 1;
                assertThat(write(store, number, 2, 50)).isTrue();
                Path file = file(root, number);
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    ByteBuffer one = ByteBuffer.allocate(1);
                    channel.read(one, at);
                    one.put(0, (byte) (one.get(0) ^ 0x40));
                    channel.write(one.rewind(), at);
                }
                assertThat(store.lease(key(number))).as("byte %d", at).isEmpty();
                assertThat(file).doesNotExist();
            }
        }
    }

    @Test
    void anEntryThatIsCutAnywhereIsNone() throws IOException {
        try (CacheStore store = open(false, "one", LARGE)) {
            assertThat(write(store, 1, 2, 50)).isTrue();
            byte[] whole = Files.readAllBytes(file(root, 1));
            Path file = file(root, 1);
            for (int length = 0; length < whole.length; length++) {
                Files.createDirectories(file.getParent());
                Files.write(file, List.of());
                Files.write(file, java.util.Arrays.copyOf(whole, length));
                assertThat(store.lease(key(1))).as("%d bytes", length).isEmpty();
            }
        }
    }

    // a job that is paused reads nothing for hours, and another worker begins meanwhile
    @Test
    void whatIsLeasedLastsHoweverLongItIsRead() throws IOException {
        try (CacheStore store = open(true, "one", LARGE)) {
            assertThat(write(store, 1, 3, 100)).isTrue();
            try (CacheStore.Lease lease = store.lease(key(1)).orElseThrow()) {
                now.updateAndGet(before -> before.plus(Duration.ofHours(2)));
                store.look();
                try (CacheStore other = open(true, "two", LARGE)) {
                    other.look();
                    assertThat(lease.file()).exists();
                }
            }
        }
    }

    // hosts that share a folder: it is the folder's clock that gives files their times
    @ParameterizedTest
    @ValueSource(longs = {-7200, 7200})
    void aHostWhoseClockIsWrongLeavesAloneWhatOthersReadAndMake(long offBySeconds) throws IOException {
        InstantSource wrong = () -> now.get().plusSeconds(offBySeconds);
        try (CacheStore right = open(true, "one", LARGE)) {
            assertThat(write(right, 1, 3, 100)).isTrue();
            try (CacheStore.Lease read = right.lease(key(1)).orElseThrow();
                    EntryMaking made = right.make(key(2)).orElseThrow();
                    CacheStore other = CacheStore.open(root.resolve("cache"), true, "two", LARGE, wrong)) {
                other.divide(Map.of(GROUP, new StoreRoom.Target(LARGE, false)));
                assertThat(read.file()).exists();
                assertThat(other.beingMade(key(2))).isTrue();
                assertThat(other.make(key(2))).isEmpty();
                assertThat(made.add(new Bytes(10))).isTrue();
                assertThat(made.publish(new RoaringBitmap())).isTrue();

                try (EntryMaking its = other.make(key(3)).orElseThrow()) {
                    now.updateAndGet(before -> before.plusSeconds(6));
                    assertThat(its.add(new Bytes(10))).isTrue(); // which touches its mark
                    assertThat(right.beingMade(key(3))).isTrue();
                    assertThat(right.make(key(3))).isEmpty();
                }
            }
        }
    }

    @Test
    void whatOthersLeftBehindGoesAnHourLaterThoughNobodyBegins() throws IOException {
        CacheStore ended = open(true, "ended", LARGE);
        assertThat(write(ended, 1, 3, 100)).isTrue();
        Path lease = ended.lease(key(1)).orElseThrow().file();
        assertThat(ended.make(key(2)).orElseThrow().add(new Bytes(10))).isTrue();
        try (CacheStore store = open(true, "one", LARGE)) {
            now.updateAndGet(before -> before.plus(Duration.ofMinutes(90)));
            assertThat(lease).exists();
            store.look();
            assertThat(lease).doesNotExist();
            try (Stream<Path> all = Files.walk(root.resolve("cache/entries"))) {
                assertThat(all.filter(Files::isRegularFile)).containsExactly(file(root, 1));
            }
        }
    }

    // whoever names a folder that is in use for something else loses nothing of it
    @Test
    void whatIsNoEntryIsLeftWhereItIs() throws IOException {
        Path cache = Files.createDirectories(root.resolve("cache"));
        List<Path> others = List.of(
                cache.resolve("entries/notes.txt"),
                cache.resolve("entries/2024/" + "a".repeat(64) + ".tfrecord"),
                cache.resolve("entries/t-%zz/" + "a".repeat(64) + "/x"),
                cache.resolve("leases/house/contract.pdf"));
        for (Path each : others) {
            Files.createDirectories(each.getParent());
            Files.writeString(each, "mine");
            Files.setLastModifiedTime(each, FileTime.from(Instant.EPOCH));
            Files.setLastModifiedTime(each.getParent(), FileTime.from(Instant.EPOCH));
        }
        for (boolean shared : new boolean[] {true, false}) {
            try (CacheStore store = open(shared, "one", LARGE)) {
                assertThat(store.failure()).isEmpty();
                store.look();
                assertThat(others).allMatch(Files::exists);
            }
        }
    }

    @Test
    void aLeaseThatIsGoneCostsNoEntry() throws IOException {
        try (CacheStore store = open(true, "one", LARGE)) {
            assertThat(write(store, 1, 3, 100)).isTrue();
            try (CacheStore.Lease lease = store.lease(key(1)).orElseThrow()) {
                Files.delete(lease.file());
                assertThat(store.stillWhole(lease)).isFalse();
                assertThat(store.info(key(1))).isPresent();
            }
        }
    }

    // the dispatcher forgets that a group is dropped when nothing of it is left
    @Test
    void whatIsMadeWhileItsGroupIsDroppedIsNotKept() {
        try (CacheStore store = open(true, "one", LARGE);
                EntryMaking making = store.make(key(1)).orElseThrow()) {
            assertThat(making.add(new Bytes(10))).isTrue();
            store.divide(Map.of(GROUP, new StoreRoom.Target(0, false)));
            assertThat(making.publish(new RoaringBitmap())).isFalse();
            assertThat(store.info(key(1))).isEmpty();
            assertThat(store.usage()).isEmpty();
            store.divide(Map.of(GROUP, new StoreRoom.Target(LARGE, false)));
            assertThat(write(store, 1, 3, 100)).isTrue();
        }
    }

    @Test
    void foldersOfEntriesThatWentGoToo() throws IOException {
        try (CacheStore store = open(true, "one", LARGE)) {
            for (int number = 0; number < 20; number++) {
                assertThat(write(store, number << 8, 1, 10)).isTrue();
            }
            store.divide(Map.of(GROUP, new StoreRoom.Target(0, false)));
            try (Stream<Path> all = Files.walk(root.resolve("cache/entries"))) {
                assertThat(all.filter(each -> each.getFileName().toString().matches("[0-9a-f]+")))
                        .isEmpty();
            }
        }
    }

    @Test
    void whatGoesWhileAllIsLookedAtIsNotBroken() throws IOException {
        try (CacheStore store = open(true, "one", LARGE)) {
            assertThat(write(store, 1, 3, 100)).isTrue();
            assertThat(write(store, 2, 3, 100)).isTrue();
            StoreCheck.Looked folder = new StoreCheck.InFolder(new StoreFolder(root.resolve("cache"), true, ""));
            StoreCheck check = StoreCheck.of(new StoreCheck.Looked() {
                @Override
                public Map<EntryGroup, List<EntryPlace.Stored>> entries() throws IOException {
                    Map<EntryGroup, List<EntryPlace.Stored>> all = folder.entries();
                    store.drop(key(2));
                    return all;
                }

                @Override
                public boolean verify(EntryKey key) throws IOException {
                    return folder.verify(key);
                }
            });
            assertThat(check.entries()).isEqualTo(1);
            assertThat(check.broken()).isEmpty();
        }
    }

    @Test
    void whatIsLeasedLastsWhenItIsTakenAway() throws IOException {
        try (CacheStore store = open(true, "one", LARGE);
                CacheStore other = open(true, "two", LARGE)) {
            assertThat(write(store, 1, 3, 100)).isTrue();
            try (CacheStore.Lease lease = store.lease(key(1)).orElseThrow()) {
                other.divide(Map.of(GROUP, new StoreRoom.Target(0, false)));
                other.look();
                assertThat(other.info(key(1))).isEmpty();
                assertThat(store.stillWhole(lease)).isTrue();
                assertThat(lease.info().elements()).isEqualTo(3);
            }
            try (Stream<Path> leases = Files.list(root.resolve("cache/leases/one"))) {
                assertThat(leases).isEmpty();
            }
        }
    }

    @Test
    void aGroupGetsNoMoreThanItIsToHave() {
        try (CacheStore store = open(false, "one", LARGE)) {
            store.divide(Map.of(GROUP, new StoreRoom.Target(3 << 20, false)));
            assertThat(write(store, 1, 1, 1_900_000)).isTrue();
            assertThat(write(store, 2, 1, 1_900_000)).isFalse();
            assertThat(store.usage().get(GROUP).entries()).isEqualTo(1);
            store.divide(Map.of(GROUP, new StoreRoom.Target(1 << 20, true)));
            assertThat(store.info(key(1))).as("pinned").isPresent();
            store.divide(Map.of(GROUP, new StoreRoom.Target(1 << 20, false)));
            assertThat(store.info(key(1))).isEmpty();
            assertThat(store.usage()).isEmpty();
            store.divide(Map.of());
            assertThat(store.make(key(3))).as("a group that is not listed").isEmpty();
        }
    }

    @Test
    void aStoreOfAFewHundredKilobytesIsFilled() {
        try (CacheStore store = open(true, "one", 300_000)) {
            assertThat(write(store, 1, 100, 1_000)).isTrue();
            assertThat(write(store, 2, 100, 1_000)).isTrue();
            assertThat(write(store, 3, 100, 1_000)).isFalse();
            assertThat(store.usage().get(GROUP).entries()).isEqualTo(2);
        }
    }

    // 200 bytes are a tenant's name, and three letters each of them in a file's
    @ParameterizedTest
    @ValueSource(ints = {83, 84, 85, 168, 169, 200})
    void aTenantMayHaveAnyName(int bytes) throws IOException {
        EntryGroup named = new EntryGroup("/".repeat(bytes), "b".repeat(64));
        EntryKey its = new EntryKey(named, "c".repeat(64));
        try (CacheStore store = open(true, "one", LARGE)) {
            store.divide(Map.of(GROUP, new StoreRoom.Target(LARGE, false), named, new StoreRoom.Target(LARGE, false)));
            try (EntryMaking making = store.make(its).orElseThrow()) {
                assertThat(making.add(new Bytes(10))).isTrue();
                assertThat(making.publish(new RoaringBitmap())).isTrue();
            }
            assertThat(write(store, 1, 1, 10)).isTrue();
        }
        try (CacheStore again = open(true, "two", LARGE)) {
            assertThat(again.usage()).containsOnlyKeys(GROUP, named);
            assertThat(again.info(its)).isPresent();
            again.drop(its);
            assertThat(again.info(its)).isEmpty();
            again.look();
            assertThat(again.usage()).containsOnlyKeys(GROUP);
        }
        assertThat(EntryNames.key(EntryNames.name(its))).contains(its);
    }

    @Test
    void allGroupsTogetherGetNoMoreThanTheStoreMayHave() {
        try (CacheStore store = open(false, "one", 3 << 20)) {
            assertThat(write(store, 1, 1, 1_900_000)).isTrue();
            assertThat(write(store, 2, 1, 1_900_000)).isFalse();
        }
    }

    @Test
    void twoDoNotMakeTheSameEntryButForOneThatSeemsGone() {
        try (CacheStore one = open(true, "one", LARGE);
                CacheStore two = open(true, "two", LARGE)) {
            EntryMaking making = one.make(key(1)).orElseThrow();
            assertThat(two.beingMade(key(1))).isTrue();
            assertThat(two.make(key(1))).isEmpty();
            now.updateAndGet(before -> before.plus(Duration.ofMinutes(2)));
            assertThat(two.beingMade(key(1))).isFalse();
            EntryMaking instead = two.make(key(1)).orElseThrow();
            assertThat(making.add(new Bytes(10))).isTrue();
            assertThat(making.publish(new RoaringBitmap())).isTrue();
            assertThat(instead.add(new Bytes(10))).isTrue();
            assertThat(instead.publish(new RoaringBitmap())).isTrue();
            assertThat(two.info(key(1))).isPresent();
        }
    }

    @Test
    void whatAProcessLeftUnfinishedIsClearedAway() throws IOException {
        CacheStore store = open(false, "one", LARGE);
        EntryMaking making = store.make(key(1)).orElseThrow();
        assertThat(making.add(new Bytes(10))).isTrue();
        try (CacheStore next = open(false, "two", LARGE)) {
            try (Stream<Path> all = Files.walk(root.resolve("cache/entries"))) {
                assertThat(all.filter(Files::isRegularFile)).isEmpty();
            }
            assertThat(write(next, 1, 1, 10)).isTrue();
        }
    }

    // somebody cleans up, and takes an entry away that is being written, and its mark
    @Test
    void anUnfinishedEntryThatIsTakenAwayCostsItAndNotTheStore() throws IOException {
        try (CacheStore store = open(true, "one", LARGE)) {
            EntryMaking making = store.make(key(1)).orElseThrow();
            assertThat(making.add(new Bytes(10))).isTrue();
            removeAll();
            now.updateAndGet(before -> before.plus(Duration.ofSeconds(20)));
            assertThat(making.add(new Bytes(10))).as("its mark is gone").isTrue();
            assertThat(making.publish(new RoaringBitmap())).isFalse();
            assertThat(store.failure()).isEmpty();
            assertThat(write(store, 1, 1, 10)).isTrue();
            assertThat(store.info(key(1))).isPresent();
        }
    }

    private void removeAll() throws IOException {
        try (Stream<Path> all = Files.walk(root.resolve("cache/entries"))) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Files.delete(each);
            }
        }
    }

    // marks of others come and go between the listing of a folder and the look at what is in it
    @Test
    void anElementForWhichThereIsNoMemoryCostsItsEntryAndNotTheStore() {
        EntryRecord tooLarge = new EntryRecord() {
            @Override
            public int bytes() {
                return 100;
            }

            @Override
            public void put(ByteBuffer into) {
                throw new OutOfMemoryError("Cannot reserve 100 bytes of direct buffer memory");
            }
        };
        try (CacheStore store = open(false, "one", LARGE)) {
            try (EntryMaking making = store.make(key(1)).orElseThrow()) {
                assertThat(making.add(new Bytes(10))).isTrue();
                assertThat(making.add(tooLarge)).isFalse();
                assertThat(making.publish(new RoaringBitmap())).isFalse();
            }
            assertThat(store.info(key(1))).isEmpty();
            assertThat(write(store, 1, 3, 100)).isTrue();
        }
    }

    @Test
    void aStoreIsLookedAtWhileOthersMakeEntries() throws InterruptedException {
        try (CacheStore store = open(true, "one", LARGE);
                CacheStore other = open(true, "two", LARGE)) {
            // a folder that is long in looking at
            for (int number = 100; number < 400; number++) {
                assertThat(write(store, number, 1, 10)).isTrue();
            }
            AtomicBoolean over = new AtomicBoolean();
            Thread making = new Thread(() -> {
                while (!over.get()) {
                    for (int number = 0; number < 50; number++) {
                        other.make(key(number)).ifPresent(EntryMaking::close);
                    }
                }
            });
            making.start();
            try {
                for (int look = 0; look < 300; look++) {
                    store.look();
                    assertThat(store.failure()).as("look %d", look).isEmpty();
                }
            } finally {
                over.set(true);
                making.join();
            }
        }
    }

    // as on a disk that is full: one of the folder's own folders cannot be made
    @Test
    void whatIsThereIsReadWhereNothingMoreCanBeWritten() throws IOException {
        EntryKey unwritten = new EntryKey(GROUP, "f".repeat(64));
        try (CacheStore store = open(true, "one", LARGE)) {
            assertThat(write(store, 1, 3, 100)).isTrue();
            Files.createFile(file(root, 1).getParent().resolveSibling("ff"));

            assertThat(store.make(unwritten)).isEmpty();
            assertThat(store.failure().orElseThrow()).contains("cannot be written");
            assertThat(store.make(key(2))).isEmpty();
            assertThat(store.info(key(1))).isPresent();
            store.lease(key(1)).orElseThrow().close();

            now.set(now.get().plusSeconds(31));
            assertThat(store.failure()).isEmpty();
            assertThat(write(store, 2, 3, 100)).isTrue();
        }
    }

    // as one that is mounted to be read only: nothing can be made in it
    @Test
    void aFolderThatMayNotBeWrittenIsReadAndLeftAsItIs() throws IOException {
        try (CacheStore store = open(true, "one", LARGE)) {
            assertThat(write(store, 1, 3, 100)).isTrue();
        }
        Path leases = root.resolve("cache").resolve("leases");
        Files.deleteIfExists(leases.resolve("one"));
        Files.delete(leases);
        Files.createFile(leases);
        try (CacheStore store = open(true, "two", LARGE)) {
            assertThat(store.id()).isNotEmpty();
            assertThat(store.usage().get(GROUP).entries()).isEqualTo(1);
            assertThat(store.failure().orElseThrow())
                    .contains("cannot be written")
                    .contains("what it holds is read, nothing more is kept");
            assertThat(store.make(key(2))).isEmpty();
            assertThat(store.speed().orElseThrow().nanosToReadByte()).isPositive();
            store.divide(Map.of(GROUP, new StoreRoom.Target(0, false)));
            assertThat(store.info(key(1))).isPresent();
            assertThat(store.lease(key(2))).isEmpty();
            try (CacheStore.Lease lease = store.lease(key(1)).orElseThrow()) {
                assertThat(lease.file()).isEqualTo(file(root, 1));
            }
            assertThat(file(root, 1)).exists();

            now.set(now.get().plusSeconds(31));
            store.look();
            assertThat(store.failure()).isPresent();

            Files.delete(leases);
            store.look();
            now.set(now.get().plusSeconds(31));
            assertThat(store.failure()).isEmpty();
            store.divide(Map.of(GROUP, new StoreRoom.Target(LARGE, false)));
            assertThat(write(store, 2, 3, 100)).isTrue();
        }
    }

    @Test
    void aFolderThatCannotBeUsedSaysSoAndKeepsNothing() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "no folder");
        try (CacheStore store = CacheStore.open(file, false, "one", LARGE, clock)) {
            store.divide(Map.of(GROUP, new StoreRoom.Target(LARGE, false)));
            assertThat(store.failure().orElseThrow()).contains(file.toString());
            assertThat(store.id()).isEmpty();
            assertThat(store.make(key(1))).isEmpty();
            assertThat(store.lease(key(1))).isEmpty();
        }
    }

    @Test
    void aFolderOfAnotherFormatIsLeftAlone() throws IOException {
        Path other = Files.createDirectories(root.resolve("other"));
        Files.writeString(other.resolve("store"), "praline cache 2 x\n");
        try (CacheStore store = CacheStore.open(other, true, "one", LARGE, clock)) {
            assertThat(store.failure().orElseThrow()).contains("another format");
            assertThat(store.make(key(1))).isEmpty();
        }
    }

    @Test
    void aLookAtAllBytesNamesWhatIsBroken() throws IOException {
        try (CacheStore store = open(true, "one", LARGE)) {
            assertThat(write(store, 1, 3, 100)).isTrue();
            assertThat(write(store, 2, 3, 100)).isTrue();
            Path file = file(root, 2);
            Files.write(file, new byte[] {1}, StandardOpenOption.WRITE);
            StoreCheck check = StoreCheck.of(root.resolve("cache"));
            assertThat(check.entries()).isEqualTo(1);
            assertThat(check.broken()).singleElement().asString().contains(file.toString());
        }
    }
}
