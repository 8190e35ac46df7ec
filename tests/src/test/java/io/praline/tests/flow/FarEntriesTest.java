package io.praline.tests.flow;

import static io.praline.tests.flow.FarStores.BUCKET;
import static io.praline.tests.flow.FarStores.ENTRIES;
import static io.praline.tests.flow.FarStores.GROUP;
import static io.praline.tests.flow.FarStores.MAKING;
import static io.praline.tests.flow.FarStores.OTHER;
import static io.praline.tests.flow.FarStores.URL;
import static io.praline.tests.flow.FarStores.at;
import static io.praline.tests.flow.FarStores.key;
import static io.praline.tests.flow.FarStores.reads;
import static io.praline.tests.flow.FarStores.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.tests.rig.ObjectServer.Behaviour;
import io.praline.tests.rig.ObjectServer.Writing;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryKey;
import io.praline.worker.cache.EntryMaking;
import io.praline.worker.cache.StoreCheck;
import io.praline.worker.cache.StoreRoom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** A store of entries that lies in a bucket; no broker. */
class FarEntriesTest {
    @TempDir
    private Path dir;

    private FarStores far;

    @BeforeEach
    void start() throws IOException {
        far = new FarStores(dir);
    }

    @AfterEach
    void stop() {
        far.close();
    }

    // 20 MB are three ranges
    @Test
    void whatOneWorkerMadeAnotherReadsByRanges() throws IOException {
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            assertThat(one.failure()).isEmpty();
            assertThat(two.lease(key(1))).isEmpty();
            far.writeFar(one, 1, 20, 1_000_000);
            assertThat(two.id()).isEqualTo(one.id()).isNotEmpty();
            assertThat(two.shared()).isTrue();
            long before = far.server.gets();
            try (CacheStore.Lease lease = two.lease(key(1)).orElseThrow()) {
                assertThat(lease.info().elements()).isEqualTo(20);
                assertThat(lease.info().records()).isEqualTo(22);
                assertThat(Files.readAllBytes(lease.file()))
                        .isEqualTo(far.server.bytes(BUCKET, far.object(1).orElseThrow()));
            }
            assertThat(far.server.gets() - before).isEqualTo(3);
            assertThat(reads(two, 1, 20)).isTrue();
            assertThat(far.server.gets() - before).as("its copy is near").isEqualTo(3);
            two.look();
            assertThat(two.usage().get(GROUP)).isEqualTo(one.usage().get(GROUP));
            assertThat(two.make(key(1))).as("it is there").isEmpty();
        }
        assertThat(far.object(1).orElseThrow())
                .isEqualTo(ENTRIES + "t-team%2F%C3%A4+b/" + GROUP.prefix() + "/" + key(1).split());
    }

    @Test
    void whatOneMakesNobodyElseBeginsUntilItIsInTheBucket() {
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            EntryMaking made = one.make(key(1)).orElseThrow();
            assertThat(two.beingMade(key(1))).isTrue();
            assertThat(two.make(key(1))).isEmpty();
            assertThat(two.beingMade(key(2))).isFalse();
            assertThat(made.add(new FarStores.Bytes(10))).isTrue();
            assertThat(made.publish(new RoaringBitmap())).isTrue();
            await().until(() -> !two.beingMade(key(1)));
            assertThat(reads(two, 1, 1)).isTrue();

            one.make(key(2)).orElseThrow().close();
            await().until(() -> marks().isEmpty());
            two.make(key(2)).orElseThrow().close();
        }
        assertThat(marks()).isEmpty();
    }

    // both look before either begins, as jobs of one seed do
    @Test
    void whatAnotherBeganSinceOneLookedIsNotBegun() {
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            assertThat(one.beingMade(key(1))).isFalse();
            assertThat(two.beingMade(key(1))).isFalse();
            try (EntryMaking made = one.make(key(1)).orElseThrow()) {
                assertThat(two.make(key(1))).isEmpty();
                assertThat(two.beingMade(key(1))).isTrue();
                assertThat(made.elements()).isZero();
            }
        }
    }

    @Test
    void aMarkThatWasWrittenThoughTheAnswerWasLostIsItsOwn() {
        try (CacheStore one = far.open("one")) {
            EntryMaking made = one.make(key(1)).orElseThrow();
            String mark = marks().get(0);
            byte[] content = far.server.bytes(BUCKET, mark);
            made.close();
            await().until(() -> marks().isEmpty());
            far.server.put(BUCKET, mark, content, Instant.now());
            one.make(key(1)).orElseThrow().close();
        }
        assertThat(marks()).isEmpty();
    }

    // the hosts' clocks may be anything: it is the store that says how old a mark is
    @ParameterizedTest
    @ValueSource(longs = {-3600, 0, 3600})
    void whatAWorkerMadeThatWasKilledAnotherMakes(long clockOffBySeconds) {
        far.now.set(far.now.get().plusSeconds(clockOffBySeconds));
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            EntryMaking made = one.make(key(1)).orElseThrow();
            assertThat(made.elements()).isZero();
            String mark = marks().get(0);
            far.server.put(BUCKET, mark, new byte[1], Instant.now().minusSeconds(20));
            assertThat(two.beingMade(key(1))).isTrue();
            assertThat(two.make(key(1))).isEmpty();
            far.server.put(BUCKET, mark, new byte[1], Instant.now().minusSeconds(31));
            await().until(() -> !two.beingMade(key(1)));
            try (EntryMaking another = two.make(key(1)).orElseThrow()) {
                assertThat(another.elements()).isZero();
            }
        }
        far.server.put(
                BUCKET,
                MAKING + "t-x/" + "a".repeat(64) + "/left",
                new byte[1],
                Instant.now().minusSeconds(3600));
        far.open("three").close();
        assertThat(marks()).as("what is left is cleared away").isEmpty();
    }

    private List<String> marks() {
        return far.server.keys(BUCKET, MAKING);
    }

    // such a store does not tell that both begin: the second finds the first one's, and is none the worse
    @ParameterizedTest
    @EnumSource(
            value = Writing.class,
            names = {"ALWAYS", "WITHOUT_CONDITION"})
    void twoMayMakeTheSameEntry(Writing how) {
        far.server.write(how);
        long before;
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            assertThat(one.id()).isEqualTo(two.id());
            before = far.server.puts();
            EntryMaking first = one.make(key(1)).orElseThrow();
            EntryMaking second = two.make(key(1)).orElseThrow();
            assertThat(one.beingMade(key(1))).isTrue();
            assertThat(one.make(key(1))).isEmpty();
            assertThat(first.add(new FarStores.Bytes(10))).isTrue();
            assertThat(second.add(new FarStores.Bytes(10))).isTrue();
            assertThat(first.publish(new RoaringBitmap())).isTrue();
            assertThat(second.publish(new RoaringBitmap())).isTrue();
            await().atMost(Duration.ofSeconds(90)).until(() -> far.object(1).isPresent());
            assertThat(reads(one, 1, 1)).isTrue();
            assertThat(reads(two, 1, 1)).isTrue();
        }
        // who ends has brought away what was on its way
        assertThat(far.server.puts() - before).as("two entries, and two marks").isEqualTo(4);
        try (CacheStore three = far.open("three")) {
            assertThat(reads(three, 1, 1)).isTrue();
        }
    }

    // a disk that was not in order when a worker ended: its copies are to blame, and not what they are copies of
    @Test
    void aCopyThatAnEarlierProcessLeftIsReadAgainAndItsDamageCostsNoEntry() throws IOException {
        try (CacheStore one = far.open("one")) {
            far.writeFar(one, 1, 3, 100);
            far.writeFar(one, 2, 3, 100);
        }
        long before = far.server.gets();
        try (CacheStore again = far.open("one")) {
            assertThat(far.server.gets() - before).isEqualTo(1);
            assertThat(reads(again, 1, 3)).isTrue();
            assertThat(reads(again, 2, 3)).isTrue();
            assertThat(far.server.gets() - before)
                    .as("nothing but which store it is")
                    .isEqualTo(1);
        }
        try (Stream<Path> files = Files.walk(dir.resolve("one"))) {
            for (Path file :
                    files.filter(each -> each.getParent().endsWith("objects")).toList()) {
                Files.write(file, new byte[10]);
            }
        }
        try (CacheStore again = far.open("one")) {
            assertThat(again.lease(key(1))).isEmpty();
            assertThat(reads(again, 1, 3)).isTrue();
            assertThat(far.object(1)).isPresent();
            assertThat(far.object(2)).isPresent();
        }
    }

    // two copies of 1 MB have room; the first one goes for the third, but not while it is read
    @Test
    void copiesAreBoundedAndTheLeastRecentlyUsedGoesUnlessItIsRead() throws IOException {
        try (CacheStore one = far.open("one");
                CacheStore two = far.open(URL, far.server.url(), "two", 2_200_000)) {
            for (int number = 1; number <= 4; number++) {
                far.writeFar(one, number, 1, 1_000_000);
            }
            assertThat(reads(two, 1, 1)).isTrue();
            assertThat(reads(two, 2, 1)).isTrue();
            assertThat(reads(two, 1, 1)).isTrue();
            assertThat(reads(two, 3, 1)).isTrue();
            assertThat(far.copies("two")).isEqualTo(2);
            long before = far.server.gets();
            assertThat(reads(two, 1, 1)).as("2 went").isTrue();
            assertThat(far.server.gets()).isEqualTo(before);
            try (CacheStore.Lease first = two.lease(key(1)).orElseThrow();
                    CacheStore.Lease third = two.lease(key(3)).orElseThrow()) {
                assertThat(two.lease(key(4))).as("both are read").isEmpty();
                assertThat(first.file()).exists();
                assertThat(third.file()).exists();
                assertThat(two.failure()).isEmpty();
                assertThat(far.object(4)).as("it is the room that is short").isPresent();
            }
            assertThat(reads(two, 4, 1)).isTrue();
            assertThat(far.copies("two")).isEqualTo(2);
        }
    }

    // what is asked for ahead takes nobody's place who is asked for ahead too
    @Test
    void whatIsLookedUpAheadIsThereWhenItIsRead() {
        try (CacheStore one = far.open("one");
                CacheStore two = far.open(URL, far.server.url(), "two", 2_200_000)) {
            for (int number = 1; number <= 3; number++) {
                far.writeFar(one, number, 1, 1_000_000);
            }
            assertThat(two.info(key(1))).isPresent();
            assertThat(two.info(key(2))).isPresent();
            assertThat(two.info(key(3))).as("no room").isEmpty();
            long before = far.server.gets();
            assertThat(reads(two, 1, 1)).isTrue();
            assertThat(reads(two, 2, 1)).isTrue();
            assertThat(far.server.gets()).isEqualTo(before);
            assertThat(two.info(key(3))).isPresent();
        }
    }

    @Test
    void aGroupThatIsToHaveNothingGoesFromTheBucketAndFromCopies() throws IOException {
        far.server.behave(Behaviour.GOOD.inPagesOf(3));
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            for (int number = 1; number <= 8; number++) {
                far.writeFar(one, number, 1, 1_000);
            }
            EntryKey kept = new EntryKey(OTHER, "c".repeat(64));
            assertThat(write(one, kept, 1, 1_000)).isTrue();
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> far.server.keys(BUCKET, ENTRIES).size() == 9);
            assertThat(reads(two, 1, 1)).isTrue();
            two.look();
            long each = two.usage().get(GROUP).bytes() / 8;

            // those first whose names are the last
            two.divide(Map.of(GROUP, new StoreRoom.Target(3 * each, false)));
            assertThat(far.object(3)).isPresent();
            assertThat(far.object(4)).isEmpty();
            two.divide(Map.of(GROUP, new StoreRoom.Target(0, true)));
            assertThat(far.object(3)).as("pinned").isPresent();
            two.divide(Map.of(GROUP, new StoreRoom.Target(0, false)));
            assertThat(far.server.keys(BUCKET, ENTRIES)).hasSize(1);
            assertThat(two.usage()).containsOnlyKeys(OTHER);
            assertThat(far.copies("two")).isZero();
            one.look();
            assertThat(one.usage()).containsOnlyKeys(OTHER);
            assertThat(far.copies("one")).isEqualTo(1);
        }
    }

    @Test
    void itsSpeedIsThatOfTheWayThereAndBack() throws IOException {
        try (CacheStore store = far.open("one")) {
            far.server.behave(Behaviour.GOOD.slow(200));
            // 16 MiB, to which 200 ms are 12 ns a byte, and two ranges one after the other twice as much
            assertThat(store.speed().orElseThrow().nanosToWriteByte()).isGreaterThan(11);
            assertThat(store.speed().orElseThrow().nanosToReadByte()).isGreaterThan(22);
        }
        assertThat(far.server.keys(BUCKET, "some/where/speed")).isEmpty();
        assertThat(far.copies("one")).isZero();
    }

    @Test
    void aLookAtAllBytesNamesWhatIsBroken() throws IOException {
        try (CacheStore one = far.open("one")) {
            far.writeFar(one, 1, 3, 100);
            far.writeFar(one, 2, 3, 100);
        }
        far.server.put(BUCKET, far.object(2).orElseThrow(), new byte[100]);
        StoreCheck check = StoreCheck.of(URL, at(far.server.url()), dir.resolve("looked"));
        assertThat(check.entries()).isEqualTo(1);
        assertThat(check.broken())
                .isEqualTo(List.of("s3://cache/" + far.object(2).orElseThrow() + " does not end as an entry does"));
        assertThat(far.object(2)).isPresent();
        try (Stream<Path> left = Files.list(dir.resolve("looked"))) {
            assertThat(left).isEmpty();
        }
    }
}
