package io.praline.worker.storage;

import io.praline.worker.storage.S3Failures.Wanted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * What lies below a prefix of a bucket, and is written there. Safe for several threads; all of it throws {@link StoreFailed},
 * and waits, but not for long: who asks can do without.
 */
public final class ObjectFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectFolder.class);

    /** How long it is asked again while nothing comes: shorter than for data, which nothing else can stand in for. */
    private static final Duration BUSY = Duration.ofSeconds(10);

    private static final Duration NOBODY_THERE = Duration.ofSeconds(2);

    private static final int THREADS = 8;
    private static final int PRECONDITION = 412;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int BAD_REQUEST = 400;

    private final S3Settings settings;
    private final String bucket;
    private final String prefix;
    private final AtomicLong retried = new AtomicLong();
    private final Retries retries;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, work -> {
        Thread thread = new Thread(work, "ranges");
        thread.setDaemon(true);
        return thread;
    });
    private Optional<S3Client> opened = Optional.empty(); // guarded by this
    private volatile boolean exclusive = true;

    /**
     * An object, by its name below the prefix.
     *
     * @param age since it was written, by the store's own clock
     */
    public record Listed(String name, long bytes, Duration age) {}

    /** What came of fetching an object. */
    public enum Fetched {
        THERE,
        ABSENT,
        /** It was not fetched: there is no room. */
        NO_ROOM
    }

    /** @param url as {@code s3://bucket/prefix}; the prefix may be missing */
    public ObjectFolder(S3Settings settings, String url) {
        this(settings, url, Retries.Times.SYSTEM);
    }

    ObjectFolder(S3Settings settings, String url, Retries.Times times) {
        this.settings = settings;
        this.retries = new Retries(BUSY, NOBODY_THERE, times, retried, again -> {});
        String[] parts =
                url.substring(S3Files.SCHEME.length()).replaceAll("/+$", "").split("/", 2);
        this.bucket = parts[0];
        this.prefix = parts.length < 2 ? "" : parts[1] + "/";
    }

    /**
     * An address as it is meant, without slashes at its end.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static String checked(String url) {
        String bare = url.replaceAll("/+$", "");
        if (!bare.matches("s3://[A-Za-z0-9][A-Za-z0-9._-]{1,62}(/[^*?\\[{/]+)*")) {
            throw new IllegalArgumentException(
                    "'" + url + "' is no address of a folder of objects: s3://bucket/prefix");
        }
        return bare;
    }

    /** Whether this names objects and no files. */
    public static boolean isOne(String url) {
        return url.startsWith(S3Files.SCHEME);
    }

    /** Times that it was asked again. */
    public long retries() {
        return retried.get();
    }

    /** Where an object lies, in words for messages. */
    public String address(String name) {
        return S3Files.SCHEME + bucket + "/" + prefix + name;
    }

    private synchronized S3Client client() {
        if (opened.isEmpty()) {
            opened = Optional.of(S3Clients.of(settings));
        }
        return opened.get();
    }

    private <T> T asked(String address, Wanted wanted, Supplier<T> question) {
        return retries.answer(address, () -> {
            try {
                return question.get();
            } catch (SdkException failed) {
                throw S3Failures.failed(address, settings, wanted, failed);
            }
        });
    }

    /** All objects whose names begin so. */
    public List<Listed> list(String below) {
        List<Listed> all = new ArrayList<>();
        Optional<String> following = Optional.empty();
        boolean last = false;
        while (!last) {
            String token = following.orElse(null);
            ListObjectsV2Response page = asked(address(below), Wanted.READ, () -> client().listObjectsV2(
                            each -> each.bucket(bucket).prefix(prefix + below).continuationToken(token)));
            Instant now = S3Clients.answered(page);
            page.contents()
                    .forEach(each -> all.add(new Listed(
                            each.key().substring(prefix.length()),
                            each.size(),
                            age(Optional.ofNullable(each.lastModified()), now))));
            following = Optional.ofNullable(page.nextContinuationToken());
            last = !Boolean.TRUE.equals(page.isTruncated());
        }
        return all;
    }

    private static Duration age(Optional<Instant> modified, Instant now) {
        return modified.map(then -> Duration.between(then, now)).orElse(Duration.ZERO);
    }

    /** A small object; empty where there is none. */
    public Optional<byte[]> read(String name) {
        return asked(address(name), Wanted.READ, () -> {
            try {
                return Optional.of(
                        client().getObjectAsBytes(each -> each.bucket(bucket).key(prefix + name))
                                .asByteArray());
            } catch (NoSuchKeyException none) {
                return Optional.empty();
            }
        });
    }

    /** Writes an object whole, unless there is one; whether there was none. */
    public boolean put(String name, byte[] bytes) {
        return put(name, () -> RequestBody.fromBytes(bytes));
    }

    /** Writes an object whole, unless there is one; whether there was none. */
    public boolean put(String name, Path file) {
        return put(name, () -> RequestBody.fromFile(file));
    }

    /** Writes an object whole, whether or not there is one. */
    public void replace(String name, byte[] bytes) {
        asked(address(name), Wanted.WRITE, () -> client().putObject(
                        each -> each.bucket(bucket).key(prefix + name), RequestBody.fromBytes(bytes)));
    }

    private boolean put(String name, Supplier<RequestBody> body) {
        return asked(address(name), Wanted.WRITE, () -> {
            boolean conditional = exclusive;
            PutObjectRequest.Builder request =
                    PutObjectRequest.builder().bucket(bucket).key(prefix + name);
            try {
                client().putObject((conditional ? request.ifNoneMatch("*") : request).build(), body.get());
                return true;
            } catch (AwsServiceException refused) {
                if (conditional && refused.statusCode() == PRECONDITION) {
                    return false;
                }
                if (conditional && knowsNoCondition(refused)) {
                    exclusive = false;
                    LOG.warn(
                            "the store of {} does not know If-None-Match: what two workers make at a time is written twice",
                            address(""));
                    client().putObject(
                                    PutObjectRequest.builder()
                                            .bucket(bucket)
                                            .key(prefix + name)
                                            .build(),
                                    body.get());
                    return true;
                }
                throw refused;
            }
        });
    }

    private static boolean knowsNoCondition(AwsServiceException refused) {
        String code = Optional.ofNullable(refused.awsErrorDetails())
                .map(details -> details.errorCode())
                .orElse("");
        return refused.statusCode() == NOT_IMPLEMENTED
                || (refused.statusCode() == BAD_REQUEST
                        && (code.equals("NotImplemented") || code.equals("InvalidArgument")));
    }

    /** Takes an object away, where there is one. */
    public void delete(String name) {
        asked(address(name), Wanted.WRITE, () -> client().deleteObject(
                        each -> each.bucket(bucket).key(prefix + name)));
    }

    /**
     * Brings an object to disk, in ranges beside each other.
     *
     * @param into a file, which is made; what is in it is of no use unless the object is there
     * @param room whether so many bytes may come; asked once, before the first of them comes
     * @throws IOException if the file cannot be written
     */
    public Fetched fetch(String name, Path into, LongPredicate room) throws IOException {
        try (ObjectRanges ranges =
                new ObjectRanges(this::client, settings, bucket, prefix + name, into, retries, threads)) {
            return ranges.fetch(room);
        } catch (RuntimeException | IOException failed) {
            Files.deleteIfExists(into);
            throw failed;
        }
    }

    @Override
    public synchronized void close() {
        threads.shutdownNow();
        opened.ifPresent(S3Client::close);
        opened = Optional.empty();
    }
}
