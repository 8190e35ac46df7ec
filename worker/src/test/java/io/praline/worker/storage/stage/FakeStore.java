package io.praline.worker.storage.stage;

import io.praline.worker.storage.FileStore;
import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.FileVersion.Told;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** Objects in memory, and what a test lets go wrong with them. */
final class FakeStore implements FileStore {
    private final Map<String, byte[]> objects = new HashMap<>();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, CountDownLatch> held = new HashMap<>();

    // how often a content is spoilt, and how
    private int spoilt;
    private UnaryOperator<InputStream> spoiling = UnaryOperator.identity();
    private boolean ranges = true;
    private boolean silent;
    private int later;

    synchronized StoredFile put(String address, byte[] bytes) {
        objects.put(address, bytes);
        return StoredFile.of(address, told(bytes).version());
    }

    StoredFile put(String address, int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i * 31 + i / 251 + address.hashCode());
        }
        return put(address, content);
    }

    private Told told(byte[] bytes) {
        Optional<String> etag =
                Optional.of("\"" + Arrays.hashCode(bytes) + "\"").filter(tag -> !silent);
        return new Told(Optional.empty(), etag, Optional.empty(), bytes.length);
    }

    /** The next contents come like this. */
    synchronized void spoil(int times, UnaryOperator<InputStream> how) {
        spoilt = times;
        spoiling = how;
    }

    /** The next content begins behind the byte from which it was asked for. */
    synchronized void giveLater() {
        later = 5;
    }

    /** It gives all, whatever range is asked for. */
    synchronized void giveWhole() {
        ranges = false;
    }

    /** It tells no more of contents than how long they are. */
    synchronized void tellLengthsAlone() {
        silent = true;
    }

    /** Nothing of it comes before the latch is open. */
    synchronized CountDownLatch hold(String address) {
        CountDownLatch latch = new CountDownLatch(1);
        held.put(address, latch);
        return latch;
    }

    /** What was opened, as name@from. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public Iterator<StoredFile> find(String pattern) {
        return List.of(look(pattern)).iterator();
    }

    @Override
    public synchronized StoredFile look(String address) {
        return StoredFile.of(address, told(objects.get(address)).version());
    }

    @Override
    public Content open(String address, FileVersion version, long from, long until) throws IOException {
        asked.add(address + "@" + from);
        try {
            latch(address).await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        synchronized (this) {
            byte[] bytes = objects.get(address);
            if (!version.is(told(bytes))) {
                throw StoreFailed.changed(address, version, told(bytes));
            }
            int first = ranges ? (int) from + later : 0;
            later = 0;
            int last = ranges ? (int) Math.min(until, bytes.length) : bytes.length;
            InputStream in = new ByteArrayInputStream(bytes, first, last - first);
            boolean bad = spoilt > 0;
            spoilt -= bad ? 1 : 0;
            return new Content(bad ? spoiling.apply(in) : in, first, !ranges);
        }
    }

    private synchronized CountDownLatch latch(String address) {
        return held.getOrDefault(address, new CountDownLatch(0));
    }

    @Override
    public void close() {}
}
