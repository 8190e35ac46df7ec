package io.praline.tests.flow;

import static io.praline.tests.flow.FarStores.BUCKET;
import static io.praline.tests.flow.FarStores.ENTRIES;
import static io.praline.tests.flow.FarStores.GROUP;
import static io.praline.tests.flow.FarStores.LARGE;
import static io.praline.tests.flow.FarStores.URL;
import static io.praline.tests.flow.FarStores.key;
import static io.praline.tests.flow.FarStores.reads;
import static io.praline.tests.flow.FarStores.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.deploy.embedded.Ports;
import io.praline.tests.rig.ObjectServer.Behaviour;
import io.praline.tests.rig.ObjectServer.Writing;
import io.praline.worker.cache.CacheStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong with a bucket in which entries lie costs entries, and is named; no broker. */
class BrokenBucketTest {
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

    @Test
    void anEntryThatIsDamagedInTheBucketIsComputedAndGoes() {
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            for (int number = 1; number <= 3; number++) {
                far.writeFar(one, number, 3, 100);
            }
            byte[] whole = far.server.bytes(BUCKET, far.object(1).orElseThrow());
            far.server.put(BUCKET, far.object(1).orElseThrow(), Arrays.copyOf(whole, whole.length / 2));
            far.server.put(BUCKET, far.object(2).orElseThrow(), new byte[0]);
            byte[] changed = far.server.bytes(BUCKET, far.object(3).orElseThrow());
            changed[changed.length / 2] ^= 1;
            far.server.put(BUCKET, far.object(3).orElseThrow(), changed);
            for (int number = 1; number <= 3; number++) {
                assertThat(two.lease(key(number))).as("entry %d", number).isEmpty();
                assertThat(far.object(number)).as("entry %d", number).isEmpty();
            }
            assertThat(two.failure()).isEmpty();
            far.writeFar(two, 1, 3, 100);
        }
    }

    @Test
    void anEntryThatIsDeletedUnderAReaderIsReadToItsEndAndGoneThen() throws IOException {
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            far.writeFar(one, 1, 3, 100);
            try (CacheStore.Lease lease = two.lease(key(1)).orElseThrow()) {
                far.server.delete(BUCKET, far.object(1).orElseThrow());
                two.look();
                assertThat(two.lease(key(1))).isEmpty();
                assertThat(two.stillWhole(lease)).isTrue();
            }
            assertThat(far.copies("two")).isZero();
            assertThat(two.usage()).isEmpty();
        }
    }

    @Test
    void anEntryWithoutRoomForWhatIsWrittenOfItIsGivenUp() throws IOException {
        try (CacheStore store = far.open(URL, far.server.url(), "one", 2_200_000)) {
            assertThat(write(store, 1, 3, 1_000_000)).isFalse();
            assertThat(store.failure()).isEmpty();
            assertThat(store.usage()).isEmpty();
            far.writeFar(store, 2, 1, 1_000_000);
            assertThat(far.copies("one")).isEqualTo(1);
        }
    }

    @Test
    void throttlingAndAnswersThatBreakOffAreWaitedOut() {
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two")) {
            far.server.behave(Behaviour.GOOD.busy(0.3).breaking(0.3));
            for (int number = 1; number <= 6; number++) {
                assertThat(write(one, number, 2, 100_000)).isTrue();
            }
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> far.server.keys(BUCKET, ENTRIES).size() == 6);
            for (int number = 1; number <= 6; number++) {
                assertThat(reads(two, number, 2)).as("entry %d", number).isTrue();
            }
            assertThat(far.server.faults()).isPositive();
            assertThat(one.failure()).isEmpty();
            assertThat(two.failure()).isEmpty();
        }
    }

    @Test
    void aBucketThatIsNotThereIsNamed() {
        try (CacheStore store = far.open("s3://cash/some", far.server.url(), "one", LARGE)) {
            assertThat(store.failure())
                    .contains("the cache s3://cash/some cannot be used: the store at " + far.server.url()
                            + " has no bucket 'cash' (s3://cash/some/store); check its name, or say which store it is"
                            + " in with --s3-endpoint");
            isUseless(store);
        }
    }

    @Test
    void wrongCredentialsAreNamed() {
        System.setProperty("aws.accessKeyId", "somebody");
        try (CacheStore store = far.open("one")) {
            assertThat(store.failure().orElseThrow())
                    .startsWith("the cache " + URL + " cannot be used: the store at " + far.server.url()
                            + " does not take the credentials for " + URL + "/store (InvalidAccessKeyId); set"
                            + " AWS_ACCESS_KEY_ID");
            isUseless(store);
        }
    }

    @Test
    void anEndpointWhereNobodyAnswersIsNamedAndTriedAgain() throws IOException {
        int free = Ports.free(1).get(0);
        try (CacheStore store = far.open(URL, "http://127.0.0.1:" + free, "one", LARGE)) {
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
        try (CacheStore one = far.open("one")) {
            far.writeFar(one, 1, 3, 100);
        }
        far.server.write(Writing.NEVER);
        try (CacheStore two = far.open("two")) {
            assertThat(two.failure()).isEmpty();
            assertThat(write(two, 2, 3, 100)).isTrue();
            await().atMost(Duration.ofSeconds(90)).until(() -> two.failure().isPresent());
            assertThat(two.failure().orElseThrow())
                    .startsWith("the cache " + URL + " cannot be written: the credentials of this worker may not write "
                            + URL + "/entries/")
                    .endsWith(" (403 AccessDenied); let them read and write the bucket 'cache'");
            assertThat(two.make(key(3))).isEmpty();
            assertThat(two.lease(key(2))).as("it is not kept").isEmpty();
            assertThat(reads(two, 1, 3)).isTrue();
            assertThat(two.usage().get(GROUP).entries()).isEqualTo(1);
            far.server.write(Writing.UNLESS_THERE);
            far.now.updateAndGet(before -> before.plus(Duration.ofSeconds(31)));
            two.look();
            assertThat(two.failure()).isEmpty();
            far.writeFar(two, 3, 3, 100);
        }
    }

    @Test
    void aFolderForCopiesThatCannotBeUsedIsNamed() throws IOException {
        Files.writeString(dir.resolve("file"), "no folder");
        try (CacheStore store = far.open("file")) {
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
        try (CacheStore one = far.open("one");
                CacheStore two = far.open("two");
                CacheStore three = far.open("three")) {
            far.writeFar(one, 1, 3, 100);
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
            assertThat(far.object(1)).isPresent();
        }
    }

    @Test
    void whatIsInAnotherFormatIsLeftAlone() {
        far.server.put(BUCKET, "some/where/store", "something else".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        try (CacheStore store = far.open("one")) {
            assertThat(store.failure())
                    .contains("the cache " + URL + " cannot be used: it is of another format: " + URL + "/store");
            isUseless(store);
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
}
