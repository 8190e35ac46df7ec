package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.tests.rig.ObjectServer;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.EntryKey;
import io.praline.worker.cache.EntryMaking;
import io.praline.worker.cache.EntryRecord;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.roaringbitmap.RoaringBitmap;

/** Stores of entries that lie in a bucket of a stub, with folders for copies below a folder; one test's. */
final class FarStores implements AutoCloseable {
    static final EntryGroup GROUP = new EntryGroup("team/ä b", "a".repeat(64));
    static final EntryGroup OTHER = new EntryGroup("team/ä b", "b".repeat(64));
    static final String BUCKET = "cache";
    static final String URL = "s3://cache/some/where";
    static final String ENTRIES = "some/where/entries/";
    static final String MAKING = "some/where/making/";
    static final long LARGE = 1L << 30;

    private final Path dir;

    final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final InstantSource clock = now::get;
    final ObjectServer server;

    FarStores(Path dir) throws IOException {
        this.dir = dir;
        System.setProperty("aws.accessKeyId", ObjectServer.ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", "secret");
        server = new ObjectServer();
        server.bucket(BUCKET);
    }

    @Override
    public void close() {
        server.close();
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    static S3Settings at(String url) {
        return S3Settings.of(Optional.of(url), Optional.of(ObjectServer.REGION), true);
    }

    CacheStore open(String near) {
        return open(URL, server.url(), near, LARGE);
    }

    CacheStore open(String url, String endpoint, String near, long nearBytes) {
        CacheStore store = CacheStore.open(
                url, at(endpoint), new StageSettings(dir.resolve(near), OptionalLong.of(nearBytes)), LARGE, clock);
        store.divide(Map.of(GROUP, new StoreRoom.Target(LARGE, false), OTHER, new StoreRoom.Target(LARGE, false)));
        return store;
    }

    static EntryKey key(int number) {
        return new EntryKey(GROUP, String.format("%064x", number));
    }

    record Bytes(int bytes) implements EntryRecord {
        @Override
        public void put(ByteBuffer into) {
            for (int i = 0; i < bytes; i++) {
                into.put((byte) (i * 7 + i / 1000));
            }
        }
    }

    static boolean write(CacheStore store, int number, int elements, int bytes) {
        return write(store, key(number), elements, bytes);
    }

    static boolean write(CacheStore store, EntryKey key, int elements, int bytes) {
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
    void writeFar(CacheStore store, int number, int elements, int bytes) {
        assertThat(write(store, number, elements, bytes)).isTrue();
        await().atMost(Duration.ofSeconds(90)).until(() -> object(number).isPresent());
    }

    Optional<String> object(int number) {
        return server.keys(BUCKET, ENTRIES).stream()
                .filter(each -> each.endsWith(key(number).split()))
                .findFirst();
    }

    static boolean reads(CacheStore store, int number, int elements) {
        Optional<CacheStore.Lease> lease = store.lease(key(number));
        lease.ifPresent(CacheStore.Lease::close);
        return lease.filter(each -> each.info().elements() == elements).isPresent();
    }

    long copies(String near) throws IOException {
        try (Stream<Path> files = Files.walk(dir.resolve(near))) {
            return files.filter(file -> file.getParent().endsWith("objects")).count();
        }
    }
}
