package io.praline.worker.storage.stage;

import io.praline.worker.storage.FileStore.Content;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.RangeBuffer;
import io.praline.worker.storage.Retries;
import io.praline.worker.storage.StoreFailed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Brings one content to disk: its first range, which tells whether the store gives ranges at all, then the others beside each
 * other. A range that breaks off goes on where it broke.
 */
final class Fetching {
    /** Slower than this is broken: asked again, another server may answer. */
    private static final long LEAST_BYTES_A_SECOND = 16 << 10;

    private static final long LOOK_AFTER_NANOS = 10_000_000_000L;

    private final Staged staged;
    private final FileStores stores;
    private final StageFolder folder;
    private final Retries retries;
    private final Executor threads;
    private final AtomicLong fetched;
    private final Over over;
    private final Path part;
    private final AtomicInteger open = new AtomicInteger(1);
    private final AtomicReference<Optional<Throwable>> failure = new AtomicReference<>(Optional.empty());
    private volatile Optional<FileChannel> file = Optional.empty();

    /**
     * @param threads which ranges are read on
     * @param fetched counts bytes
     * @param over told before whoever waits for it is
     */
    Fetching(
            Staged staged,
            FileStores stores,
            StageFolder folder,
            Retries retries,
            Executor threads,
            AtomicLong fetched,
            Over over) {
        this.staged = staged;
        this.stores = stores;
        this.folder = folder;
        this.retries = retries.telling(why -> staged.refused(Optional.of(why)));
        this.threads = threads;
        this.fetched = fetched;
        this.over = over;
        this.part = folder.part(staged.key());
    }

    void start() {
        threads.execute(() -> step(this::first));
    }

    /** Who is told before those that wait. */
    interface Over {
        void told(boolean failed);
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** One of those that are open; the last one ends it. */
    private void step(Step step) {
        try {
            if (failure.get().isEmpty()) {
                step.run();
            }
        } catch (InterruptedException stopped) {
            fail(new CancellationException(staged.address() + " is not fetched: the worker stops"));
        } catch (IOException | RuntimeException | Error failed) {
            fail(failed);
        }
        if (open.decrementAndGet() == 0) {
            end();
        }
    }

    private void fail(Throwable why) {
        failure.compareAndSet(Optional.empty(), Optional.of(why));
    }

    private void first() throws IOException, InterruptedException {
        FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        file = Optional.of(channel);
        Extent extent = staged.extent();
        if (staged.version().bytes() == 0) {
            requireEmpty();
            return;
        }
        Range first =
                new Range(channel, extent.from(), Math.min(extent.until(), extent.from() + RangeBuffer.RANGE_BYTES));
        first.read();
        for (long from = first.until; from < extent.until(); from += RangeBuffer.RANGE_BYTES) {
            Range next = new Range(channel, from, Math.min(extent.until(), from + RangeBuffer.RANGE_BYTES));
            open.incrementAndGet();
            threads.execute(() -> step(next::read));
        }
    }

    /** There is no range of it to be compared. */
    private void requireEmpty() {
        FileVersion now = stores.version(staged.address());
        if (now.bytes() != 0) {
            throw new StoreFailed(
                    StoreFailed.Kind.CHANGED,
                    staged.address() + " was changed since the job was planned (it was empty; now " + now
                            + "); submit the job again, and let its data be while it runs");
        }
    }

    private void end() {
        try {
            if (file.isPresent()) {
                if (failure.get().isEmpty()) {
                    toItsLength(file.get());
                }
                file.get().close();
            }
            if (failure.get().isEmpty()) {
                move();
            } else {
                Files.deleteIfExists(part);
            }
        } catch (IOException broken) {
            fail(broken);
        }
        over.told(failure.get().isPresent());
        failure.get().ifPresentOrElse(why -> staged.there().completeExceptionally(told(why)), () -> staged.there()
                .complete(null));
    }

    /** A range has the length of all: readers count from the end too. */
    private void toItsLength(FileChannel range) throws IOException {
        long all = staged.extent().all();
        if (range.size() < all) {
            range.write(ByteBuffer.allocate(1), all - 1);
        }
    }

    private void move() throws IOException {
        try {
            Files.move(part, folder.object(staged.key()), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException odd) {
            Files.move(part, folder.object(staged.key()));
        }
    }

    private Throwable told(Throwable failed) {
        Throwable why = failed instanceof RangeBuffer.DiskFailed full ? full.disk() : failed;
        return why instanceof IOException
                ? new StoreFailed(
                        StoreFailed.Kind.BUSY,
                        staged.address() + " cannot be laid down on disk (" + why
                                + "); see to the worker's --stage-dir and --stage-bytes",
                        why)
                : why;
    }

    /** A part of the file on its way; one thread's. */
    private final class Range {
        private final RangeBuffer buffer;
        private long at;
        private long until;

        Range(FileChannel into, long from, long until) {
            this.buffer = new RangeBuffer(into);
            this.at = from;
            this.until = until;
        }

        void read() throws IOException, InterruptedException {
            retries.answer(staged.address(), () -> at, () -> {
                if (at < until) {
                    readOnce();
                }
                return at;
            });
        }

        private void readOnce() throws IOException {
            requireWanted();
            long began = retries.times().nanoTime();
            long had = at;
            try (Content content = stores.open(staged.address(), staged.version(), at, until)) {
                if (content.whole() && at < staged.extent().from() + RangeBuffer.RANGE_BYTES) {
                    until = staged.extent().until(); // all of it comes at once, to whoever asks for the beginning
                }
                if (content.from() > at) {
                    throw new IOException(
                            "it came from byte " + content.from() + " on, asked for were those from " + at);
                }
                content.in().skipNBytes(at - content.from());
                while (at < until) {
                    requireWanted();
                    int brought = buffer.bring(content.in(), at, until);
                    at += brought;
                    count(brought);
                    long taken = retries.times().nanoTime() - began;
                    if (taken > LOOK_AFTER_NANOS && (at - had) / (taken / 1e9) < LEAST_BYTES_A_SECOND) {
                        throw new IOException("only " + (at - had) + " bytes came in " + taken / 1_000_000_000L + " s");
                    }
                }
            }
        }

        private void count(int bytes) {
            fetched.addAndGet(bytes);
            staged.fetched().addAndGet(bytes);
            staged.refused(Optional.empty());
        }

        private void requireWanted() {
            if (staged.unwanted() || failure.get().isPresent()) {
                throw new CancellationException("nobody waits for " + staged.address() + " any more");
            }
        }
    }
}
