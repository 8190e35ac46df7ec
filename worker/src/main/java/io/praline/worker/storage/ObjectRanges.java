package io.praline.worker.storage;

import io.praline.worker.storage.ObjectFolder.Fetched;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** One object on its way to a file: its first range tells how long it is, the others follow beside each other. */
final class ObjectRanges implements AutoCloseable {
    private static final int NO_SUCH_RANGE = 416;

    private final Supplier<S3Client> client;
    private final S3Settings settings;
    private final String bucket;
    private final String key;
    private final Retries retries;
    private final ExecutorService threads;
    private final FileChannel file;
    private volatile boolean failed;
    private Optional<String> etag = Optional.empty();
    private long bytes = -1; // unknown

    /** @param threads on which the ranges but the first are read */
    ObjectRanges(
            Supplier<S3Client> client,
            S3Settings settings,
            String bucket,
            String key,
            Path into,
            Retries retries,
            ExecutorService threads)
            throws IOException {
        this.client = client;
        this.settings = settings;
        this.bucket = bucket;
        this.key = key;
        this.retries = retries;
        this.threads = threads;
        this.file = FileChannel.open(into, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private String address() {
        return S3Files.SCHEME + bucket + "/" + key;
    }

    /** Somebody took it away. */
    private static final class Absent extends RuntimeException {}

    private static final class NoRoom extends RuntimeException {}

    Fetched fetch(LongPredicate room) throws IOException {
        try {
            Range first = new Range(0, RangeBuffer.RANGE_BYTES, room);
            first.read();
            List<Future<?>> others = new ArrayList<>();
            try {
                for (long from = first.until; from < bytes; from += RangeBuffer.RANGE_BYTES) {
                    Range next = new Range(from, Math.min(bytes, from + RangeBuffer.RANGE_BYTES), any -> true);
                    others.add(threads.submit(next::readOrFail));
                }
            } finally {
                await(others);
            }
            return Fetched.THERE;
        } catch (Absent gone) {
            return Fetched.ABSENT;
        } catch (NoRoom full) {
            return Fetched.NO_ROOM;
        } catch (RangeBuffer.DiskFailed full) {
            throw full.disk();
        } catch (RejectedExecutionException closed) {
            throw new StoreFailed(StoreFailed.Kind.BUSY, address() + " is not fetched: the worker stops", closed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new StoreFailed(StoreFailed.Kind.BUSY, address() + " is no longer waited for", stopped);
        }
    }

    /** Until none of them writes any more; the first failure is thrown. */
    private void await(List<Future<?>> ranges) throws InterruptedException {
        Optional<RuntimeException> why = Optional.empty();
        for (Future<?> each : ranges) {
            try {
                each.get();
            } catch (ExecutionException broken) {
                RuntimeException cause = broken.getCause() instanceof RuntimeException known
                        ? known
                        : new StoreFailed(
                                StoreFailed.Kind.BUSY, address() + " is no longer waited for", broken.getCause());
                why = why.filter(first -> !(first instanceof CancellationException))
                        .or(() -> Optional.of(cause));
            } catch (InterruptedException stopped) {
                failed = true;
                throw stopped;
            }
        }
        if (why.isPresent()) {
            throw why.get();
        }
    }

    /** A part of it; one thread's. */
    private final class Range {
        private final LongPredicate room;
        private final RangeBuffer buffer = new RangeBuffer(file);
        private long at;
        private long until;

        Range(long at, long until, LongPredicate room) {
            this.at = at;
            this.until = until;
            this.room = room;
        }

        void read() throws InterruptedException {
            retries.answer(address(), () -> at, () -> {
                if (at < until) {
                    readOnce();
                }
                return at;
            });
        }

        private boolean readOrFail() throws InterruptedException {
            boolean read = false;
            try {
                read();
                read = true;
                return true;
            } finally {
                if (!read) {
                    failed = true;
                }
            }
        }

        private void readOnce() throws IOException {
            if (failed) {
                throw new CancellationException(address() + " is not wanted any more");
            }
            GetObjectRequest.Builder request =
                    GetObjectRequest.builder().bucket(bucket).key(key).range("bytes=" + at + "-" + (until - 1));
            etag.ifPresent(request::ifMatch);
            try (ResponseInputStream<GetObjectResponse> answer = client.get().getObject(request.build())) {
                boolean ended = false;
                try {
                    take(answer);
                    ended = true;
                } finally {
                    if (!ended) {
                        answer.abort(); // in place of reading on to keep the connection
                    }
                }
            } catch (NoSuchKeyException none) {
                throw new Absent();
            } catch (AwsServiceException refused) {
                if (refused.statusCode() != NO_SUCH_RANGE || at > 0) {
                    throw S3Failures.failed(address(), settings, refused);
                }
                until = 0; // it is empty
                bytes = 0;
            } catch (SdkException refused) {
                throw S3Failures.failed(address(), settings, refused);
            }
        }

        private void take(ResponseInputStream<GetObjectResponse> answer) throws IOException {
            GetObjectResponse head = answer.response();
            Optional<ContentRange> range =
                    Optional.ofNullable(head.contentRange()).map(ContentRange::parse);
            long all = range.map(ContentRange::bytes).orElse(head.contentLength());
            if (bytes < 0) {
                if (!room.test(all)) {
                    throw new NoRoom();
                }
                etag = Optional.ofNullable(head.eTag()).filter(each -> !each.isEmpty() && !each.startsWith("W/"));
                bytes = all;
            } else if (all != bytes) {
                throw new StoreFailed(StoreFailed.Kind.CHANGED, address() + " was changed while it was read");
            }
            if (at < RangeBuffer.RANGE_BYTES) {
                // a store without ranges gives all of it to whoever asks for its beginning
                until = range.isEmpty() ? bytes : Math.min(bytes, RangeBuffer.RANGE_BYTES);
            }
            answer.skipNBytes(at - range.map(ContentRange::from).orElse(0L));
            while (at < until) {
                at += buffer.bring(answer, at, until);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
