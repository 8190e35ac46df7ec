package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.tests.rig.ObjectServer;
import io.praline.tests.rig.ObjectServer.Behaviour;
import io.praline.tests.rig.ObjectServer.Writing;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.EntryKey;
import io.praline.worker.cache.EntryMaking;
import io.praline.worker.cache.EntryRecord;
import io.praline.worker.cache.StoreCheck;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.roaringbitmap.RoaringBitmap;

/** A store of entries that lies in a bucket, with what goes wrong with buckets; no broker. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FarEntriesTest {
    private static final EntryGroup GROUP = new EntryGroup("team/ä b", "a".repeat(64));
    private static final EntryGroup OTHER = new EntryGroup("team/ä b", "b".repeat(64));
    private static final String BUCKET = "cache";
    private static final String URL = "s3://cache/some/where";
    private static final String ENTRIES = "some/where/entries/";
    private static final long LARGE = 1L << 30;

    @TempDir
    private Path dir;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final InstantSource clock = now::get;
    private ObjectServer server;

    @BeforeEach
    void start() throws IOException {
        System.setProperty("aws.accessKeyId", ObjectServer.ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", "secret");
        server = new ObjectServer();
        server.bucket(BUCKET);
    }

    @AfterEach
    void stop() {
        server.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    private static S3Settings at(String url) {
        return S3Settings.of(Optional.of(url), Optional.of(ObjectServer.REGION), true);
    }

    private CacheStore open(String near) {
        return open(URL, server.url(), near, LARGE);
    }

    private CacheStore open(String url, String endpoint, String near, long nearBytes) {
        CacheStore store = CacheStore.open(
                url, at(endpoint), new StageSettings(dir.resolve(near), OptionalLong.of(nearBytes)), LARGE, clock);
        store.divide(Map.of(GROUP, new StoreRoom.Target(LARGE, false), OTHER, new StoreRoom.Target(LARGE, false)));
        return store;
    }

    private static EntryKey key(int number) {
        return new EntryKey(GROUP, String.format("%064x", number));
    }

    private record Bytes(int bytes) implements EntryRecord {
        @Override
        public void put(ByteBuffer into) {
            for (int i = 0; i < bytes; i++) {
                into.put((byte) (i * 7 + i / 1000));
            }
        }
    }

    private static boolean write(CacheStore store, int number, int elements, int bytes) {
        return write(store, key(number), elements, bytes);
    }

    private static boolean write(CacheStore store, EntryKey key, int elements, int bytes) {
        try (EntryMaking making = store.make(key).orElseThrow()) {
            for (int i = 0; i < elements; i++) {
                if (!making.add(new Bytes(bytes))) {
                    return false;
                }
            }
            return making.publish(RoaringBitmap.bitmapOf(7, 9));
        }
    }

    /** Writes and waits until it is in the bucket. */
    private void writeFar(CacheStore store, int number, int elements, int bytes) {
        assertThat(write(store, number, elements, bytes)).isTrue();
        await().until(() -> object(number).isPresent());
    }

    private Optional<String> object(int number) {
        return server.keys(BUCKET, ENTRIES).stream()
                .filter(each -> each.endsWith(key(number).split()))
                .findFirst();
    }

    private static boolean reads(CacheStore store, int number, int elements) {
        Optional<CacheStore.Lease> lease = store.lease(key(number));
        lease.ifPresent(CacheStore.Lease::close);
        return lease.filter(each -> each.info().elements() == elements).isPresent();
    }

    private long copies(String near) throws IOException {
        try (Stream<Path> files = Files.walk(dir.resolve(near))) {
            return files.filter(file -> file.getParent().endsWith("objects")).count();
        }
    }

    // 20 MB are three ranges
    @Test
    void whatOneWorkerMadeAnotherReadsByRanges() throws IOException {
        try (CacheStore one = open("one");
                CacheStore two = open("two")) {
            assertThat(one.failure()).isEmpty();
            assertThat(two.lease(key(1))).isEmpty();
            writeFar(one, 1, 20, 1_000_000);
            assertThat(two.id()).isEqualTo(one.id()).isNotEmpty();
            assertThat(two.shared()).isTrue();
            long before = server.gets();
            try (CacheStore.Lease lease = two.lease(key(1)).orElseThrow()) {
                assertThat(lease.info().elements()).isEqualTo(20);
                assertThat(lease.info().records()).isEqualTo(22);
                assertThat(Files.readAllBytes(lease.file()))
                        .isEqualTo(server.bytes(BUCKET, object(1).orElseThrow()));
            }
            assertThat(server.gets() - before).isEqualTo(3);
            assertThat(reads(two, 1, 20)).isTrue();
            assertThat(server.gets() - before).as("its copy is near").isEqualTo(3);
            two.look();
            assertThat(two.usage().get(GROUP)).isEqualTo(one.usage().get(GROUP));
            assertThat(two.make(key(1))).as("it is there").isEmpty();
        }
        assertThat(object(1).orElseThrow())
                .isEqualTo(ENTRIES + "t-team%2F%C3%A4+b/" + GROUP.prefix() + "/" + key(1).split());
    }

    // both made it before either was there: the second finds the first one's, and is none the worse
    @ParameterizedTest
    @EnumSource(
            value = Writing.class,
            names = {"UNLESS_THERE", "ALWAYS", "WITHOUT_CONDITION"})
    void twoMayMakeTheSameEntry(Writing how) {
        server.write(how);
        long before;
        try (CacheStore one = open("one");
                CacheStore two = open("two")) {
            assertThat(one.id()).isEqualTo(two.id());
            before = server.puts();
            EntryMaking first = one.make(key(1)).orElseThrow();
            EntryMaking second = two.make(key(1)).orElseThrow();
            assertThat(one.beingMade(key(1))).isTrue();
            assertThat(one.make(key(1))).isEmpty();
            assertThat(first.add(new Bytes(10))).isTrue();
            assertThat(second.add(new Bytes(10))).isTrue();
            assertThat(first.publish(new RoaringBitmap())).isTrue();
            assertThat(second.publish(new RoaringBitmap())).isTrue();
            await().until(() -> object(1).isPresent());
            assertThat(reads(one, 1, 1)).isTrue();
            assertThat(reads(two, 1, 1)).isTrue();
        }
        // who ends has brought away what was on its way
        assertThat(server.puts() - before).isEqualTo(how == Writing.UNLESS_THERE ? 1 : 2);
        try (CacheStore three = open("three")) {
            assertThat(reads(three, 1, 1)).isTrue();
        }
    }

    @Test
    void anEntryThatIsDamagedInTheBucketIsComputedAndGoes() {
        try (CacheStore one = open("one");
                CacheStore two = open("two")) {
            for (int number = 1; number <= 3; number++) {
                writeFar(one, number, 3, 100);
            }
            byte[] whole = server.bytes(BUCKET, object(1).orElseThrow());
            server.put(BUCKET, object(1).orElseThrow(), Arrays.copyOf(whole, whole.length / 2));
            server.put(BUCKET, object(2).orElseThrow(), new byte[0]);
            byte[] changed = server.bytes(BUCKET, object(3).orElseThrow());
            changed[changed.length / 2] ^= 1;
            server.put(BUCKET, object(3).orElseThrow(), changed);
            for (int number = 1; number <= 3; number++) {
                assertThat(two.lease(key(number))).as("entry %d", number).isEmpty();
                assertThat(object(number)).as("entry %d", number).isEmpty();
            }
            assertThat(two.failure()).isEmpty();
            writeFar(two, 1, 3, 100);
        }
    }

    @Test
    void anEntryThatIsDeletedUnderAReaderIsReadToItsEndAndGoneThen() throws IOException {
        try (CacheStore one = open("one");
                CacheStore two = open("two")) {
            writeFar(one, 1, 3, 100);
            try (CacheStore.Lease lease = two.lease(key(1)).orElseThrow()) {
                server.delete(BUCKET, object(1).orElseThrow());
                two.look();
                assertThat(two.lease(key(1))).isEmpty();
                assertThat(two.stillWhole(lease)).isTrue();
            }
            assertThat(copies("two")).isZero();
            assertThat(two.usage()).isEmpty();
        }
    }

    // a disk that was not in order when a worker ended: its copies are to blame, and not what they are copies of
    @Test
    void aCopyThatAnEarlierProcessLeftIsReadAgainAndItsDamageCostsNoEntry() throws IOException {
        try (CacheStore one = open("one")) {
            writeFar(one, 1, 3, 100);
            writeFar(one, 2, 3, 100);
        }
        long before = server.gets();
        try (CacheStore again = open("one")) {
            assertThat(server.gets() - before).isEqualTo(1);
            assertThat(reads(again, 1, 3)).isTrue();
            assertThat(reads(again, 2, 3)).isTrue();
            assertThat(server.gets() - before)
                    .as("nothing but which store it is")
                    .isEqualTo(1);
        }
        try (Stream<Path> files = Files.walk(dir.resolve("one"))) {
            for (Path file :
                    files.filter(each -> each.getParent().endsWith("objects")).toList()) {
                Files.write(file, new byte[10]);
            }
        }
        try (CacheStore again = open("one")) {
            assertThat(again.lease(key(1))).isEmpty();
            assertThat(reads(again, 1, 3)).isTrue();
            assertThat(object(1)).isPresent();
            assertThat(object(2)).isPresent();
        }
    }

    // two copies of 1 MB have room; the first one goes for the third, but not while it is read
    @Test
    void copiesAreBoundedAndTheLeastRecentlyUsedGoesUnlessItIsRead() throws IOException {
        try (CacheStore one = open("one");
                CacheStore two = open(URL, server.url(), "two", 2_200_000)) {
            for (int number = 1; number <= 4; number++) {
                writeFar(one, number, 1, 1_000_000);
            }
            assertThat(reads(two, 1, 1)).isTrue();
            assertThat(reads(two, 2, 1)).isTrue();
            assertThat(reads(two, 1, 1)).isTrue();
            assertThat(reads(two, 3, 1)).isTrue();
            assertThat(copies("two")).isEqualTo(2);
            long before = server.gets();
            assertThat(reads(two, 1, 1)).as("2 went").isTrue();
            assertThat(server.gets()).isEqualTo(before);
            try (CacheStore.Lease first = two.lease(key(1)).orElseThrow();
                    CacheStore.Lease third = two.lease(key(3)).orElseThrow()) {
                assertThat(two.lease(key(4))).as("both are read").isEmpty();
                assertThat(first.file()).exists();
                assertThat(third.file()).exists();
                assertThat(two.failure()).isEmpty();
                assertThat(object(4)).as("it is the room that is short").isPresent();
            }
            assertThat(reads(two, 4, 1)).isTrue();
            assertThat(copies("two")).isEqualTo(2);
        }
    }

    // what is asked for ahead takes nobody's place who is asked for ahead too
    @Test
    void whatIsLookedUpAheadIsThereWhenItIsRead() {
        try (CacheStore one = open("one");
                CacheStore two = open(URL, server.url(), "two", 2_200_000)) {
            for (int number = 1; number <= 3; number++) {
                writeFar(one, number, 1, 1_000_000);
            }
            assertThat(two.info(key(1))).isPresent();
            assertThat(two.info(key(2))).isPresent();
            assertThat(two.info(key(3))).as("no room").isEmpty();
            long before = server.gets();
            assertThat(reads(two, 1, 1)).isTrue();
            assertThat(reads(two, 2, 1)).isTrue();
            assertThat(server.gets()).isEqualTo(before);
            assertThat(two.info(key(3))).isPresent();
        }
    }

    @Test
    void anEntryWithoutRoomForWhatIsWrittenOfItIsGivenUp() throws IOException {
        try (CacheStore store = open(URL, server.url(), "one", 2_200_000)) {
            assertThat(write(store, 1, 3, 1_000_000)).isFalse();
            assertThat(store.failure()).isEmpty();
            assertThat(store.usage()).isEmpty();
            writeFar(store, 2, 1, 1_000_000);
            assertThat(copies("one")).isEqualTo(1);
        }
    }

    @Test
    void throttlingAndAnswersThatBreakOffAreWaitedOut() {
        try (CacheStore one = open("one");
                CacheStore two = open("two")) {
            server.behave(Behaviour.GOOD.busy(0.3).breaking(0.3));
            for (int number = 1; number <= 6; number++) {
                assertThat(write(one, number, 2, 100_000)).isTrue();
            }
            await().until(() -> server.keys(BUCKET, ENTRIES).size() == 6);
            for (int number = 1; number <= 6; number++) {
                assertThat(reads(two, number, 2)).as("entry %d", number).isTrue();
            }
            assertThat(server.faults()).isPositive();
            assertThat(one.failure()).isEmpty();
            assertThat(two.failure()).isEmpty();
        }
    }

    private static void isUseless(CacheStore store) {
        assertThat(store.id()).isEmpty();
        assertThat(store.make(key(1))).isEmpty();
        assertThat(store.lease(key(1))).isEmpty();
        assertThat(store.info(key(1))).isEmpty();
        assertThat(store.speed()).isEmpty();
        assertThat(store.failure().orElseThrow()).doesNotContain("\n");
    }

    @Test
    void aBucketThatIsNotThereIsNamed() {
        try (CacheStore store = open("s3://cash/some", server.url(), "one", LARGE)) {
            assertThat(store.failure())
                    .contains("the cache s3://cash/some cannot be used: the store at " + server.url()
                            + " has no bucket 'cash' (s3://cash/some/store); check its name, or say which store it is"
                            + " in with --s3-endpoint");
            isUseless(store);
        }
    }

    @Test
    void wrongCredentialsAreNamed() {
        System.setProperty("aws.accessKeyId", "somebody");
        try (CacheStore store = open("one")) {
            assertThat(store.failure().orElseThrow())
                    .startsWith("the cache " + URL + " cannot be used: the store at " + server.url()
                            + " does not take the credentials for " + URL + "/store (InvalidAccessKeyId); set"
                            + " AWS_ACCESS_KEY_ID");
            isUseless(store);
        }
    }

    @Test
    void anEndpointWhereNobodyAnswersIsNamedAndTriedAgain() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        try (CacheStore store = open(URL, "http://127.0.0.1:" + free, "one", LARGE)) {
            assertThat(store.failure().orElseThrow())
                    .startsWith("the cache " + URL + " cannot be used: the store at http://127.0.0.1:" + free
                            + " cannot be reached for " + URL + "/store (")
                    .endsWith("; check --s3-endpoint, and whether it runs");
            isUseless(store);
        }
    }

    // what is in a bucket is read on while nobody may write to it, and half a minute later it is tried again
    @Test
    void aBucketThatMayOnlyBeReadIsReadAndSaysSo() {
        try (CacheStore one = open("one")) {
            writeFar(one, 1, 3, 100);
        }
        server.write(Writing.NEVER);
        try (CacheStore two = open("two")) {
            assertThat(two.failure()).isEmpty();
            assertThat(write(two, 2, 3, 100)).isTrue();
            await().until(() -> two.failure().isPresent());
            assertThat(two.failure().orElseThrow())
                    .startsWith("the cache " + URL + " cannot be written: the credentials of this worker may not write "
                            + URL + "/entries/")
                    .endsWith(" (403 AccessDenied); let them read and write the bucket 'cache'");
            assertThat(two.make(key(3))).isEmpty();
            assertThat(two.lease(key(2))).as("it is not kept").isEmpty();
            assertThat(reads(two, 1, 3)).isTrue();
            assertThat(two.usage().get(GROUP).entries()).isEqualTo(1);
            server.write(Writing.UNLESS_THERE);
            now.updateAndGet(before -> before.plus(Duration.ofSeconds(31)));
            two.look();
            assertThat(two.failure()).isEmpty();
            writeFar(two, 3, 3, 100);
        }
    }

    @Test
    void aFolderForCopiesThatCannotBeUsedIsNamed() throws IOException {
        Files.writeString(dir.resolve("file"), "no folder");
        try (CacheStore store = open("file")) {
            assertThat(store.failure().orElseThrow())
                    .startsWith("the cache " + URL + " cannot be used: copies of it cannot be written to "
                            + dir.resolve("file") + " (")
                    .endsWith("; see --cache-near and --cache-near-bytes");
            isUseless(store);
        }
    }

    // as of a disk that is full, or gone: what is written has no place, and what is read neither
    @Test
    void aFolderForCopiesThatTakesNothingMoreIsNamed() throws IOException {
        try (CacheStore one = open("one");
                CacheStore two = open("two");
                CacheStore three = open("three")) {
            writeFar(one, 1, 3, 100);
            Files.delete(dir.resolve("two/0/objects"));
            Files.delete(dir.resolve("three/0/objects"));
            assertThat(two.make(key(2))).isEmpty();
            assertThat(two.failure().orElseThrow())
                    .startsWith("the folder " + dir.resolve("two") + " for copies of the cache " + URL
                            + " cannot be written: ");
            assertThat(three.lease(key(1))).isEmpty();
            assertThat(three.failure().orElseThrow())
                    .startsWith("the cache " + URL + " cannot be read: copies of it cannot be written to "
                            + dir.resolve("three") + " (")
                    .endsWith("; see --cache-near and --cache-near-bytes");
            assertThat(object(1)).isPresent();
        }
    }

    @Test
    void whatIsInAnotherFormatIsLeftAlone() {
        server.put(BUCKET, "some/where/store", "something else".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        try (CacheStore store = open("one")) {
            assertThat(store.failure())
                    .contains("the cache " + URL + " cannot be used: it is of another format: " + URL + "/store");
            isUseless(store);
        }
    }

    @Test
    void aGroupThatIsToHaveNothingGoesFromTheBucketAndFromCopies() throws IOException {
        server.behave(Behaviour.GOOD.inPagesOf(3));
        try (CacheStore one = open("one");
                CacheStore two = open("two")) {
            for (int number = 1; number <= 8; number++) {
                writeFar(one, number, 1, 1_000);
            }
            EntryKey kept = new EntryKey(OTHER, "c".repeat(64));
            assertThat(write(one, kept, 1, 1_000)).isTrue();
            await().until(() -> server.keys(BUCKET, ENTRIES).size() == 9);
            assertThat(reads(two, 1, 1)).isTrue();
            two.look();
            long each = two.usage().get(GROUP).bytes() / 8;

            // those first whose names are the last
            two.divide(Map.of(GROUP, new StoreRoom.Target(3 * each, false)));
            assertThat(object(3)).isPresent();
            assertThat(object(4)).isEmpty();
            two.divide(Map.of(GROUP, new StoreRoom.Target(0, true)));
            assertThat(object(3)).as("pinned").isPresent();
            two.divide(Map.of(GROUP, new StoreRoom.Target(0, false)));
            assertThat(server.keys(BUCKET, ENTRIES)).hasSize(1);
            assertThat(two.usage()).containsOnlyKeys(OTHER);
            assertThat(copies("two")).isZero();
            one.look();
            assertThat(one.usage()).containsOnlyKeys(OTHER);
            assertThat(copies("one")).isEqualTo(1);
        }
    }

    @Test
    void itsSpeedIsThatOfTheWayThereAndBack() throws IOException {
        try (CacheStore store = open("one")) {
            server.behave(Behaviour.GOOD.slow(200));
            // 16 MiB, to which 200 ms are 12 ns a byte, and two ranges one after the other twice as much
            assertThat(store.speed().orElseThrow().nanosToWriteByte()).isGreaterThan(11);
            assertThat(store.speed().orElseThrow().nanosToReadByte()).isGreaterThan(22);
        }
        assertThat(server.keys(BUCKET, "some/where/speed")).isEmpty();
        assertThat(copies("one")).isZero();
    }

    @Test
    void aLookAtAllBytesNamesWhatIsBroken() throws IOException {
        try (CacheStore one = open("one")) {
            writeFar(one, 1, 3, 100);
            writeFar(one, 2, 3, 100);
        }
        server.put(BUCKET, object(2).orElseThrow(), new byte[100]);
        StoreCheck check = StoreCheck.of(URL, at(server.url()), dir.resolve("looked"));
        assertThat(check.entries()).isEqualTo(1);
        assertThat(check.broken())
                .isEqualTo(List.of("s3://cache/" + object(2).orElseThrow() + " does not end as an entry does"));
        assertThat(object(2)).isPresent();
        try (Stream<Path> left = Files.list(dir.resolve("looked"))) {
            assertThat(left).isEmpty();
        }
    }
}
