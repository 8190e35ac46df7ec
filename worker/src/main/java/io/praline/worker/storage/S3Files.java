package io.praline.worker.storage;

import io.praline.worker.storage.FileVersion.Told;
import io.praline.worker.storage.glob.FileGlob;
import io.praline.worker.storage.glob.KeyPattern;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Objects of S3, or of what speaks like it. Names are {@code s3://bucket/key}. */
final class S3Files implements FileStore {
    static final String SCHEME = "s3://";

    private final S3Settings settings;
    private final Retries retries;
    private Optional<S3Client> opened = Optional.empty();

    S3Files(S3Settings settings, Retries retries) {
        this.settings = settings;
        this.retries = retries;
    }

    /** An address taken apart. */
    private record Key(String bucket, String key) {
        static Key of(String address) {
            String rest = address.substring(SCHEME.length());
            int slash = rest.indexOf('/');
            if (slash < 1 || slash == rest.length() - 1) {
                throw new StoreFailed(
                        StoreFailed.Kind.REFUSED, address + " names no object; say s3://bucket/key, or s3://bucket/*");
            }
            return new Key(rest.substring(0, slash), rest.substring(slash + 1));
        }

        String address() {
            return SCHEME + bucket + "/" + key;
        }
    }

    /** Made when the first object is named: most jobs read files. */
    private synchronized S3Client client(String address) {
        if (opened.isEmpty()) {
            opened = Optional.of(told(address, () -> S3Clients.of(settings)));
        }
        return opened.get();
    }

    @Override
    public Iterator<StoredFile> find(String pattern) {
        if (FileGlob.isPlain(pattern)) {
            return List.of(look(pattern)).iterator();
        }
        Key asked = Key.of(pattern);
        if (!FileGlob.isPlain(asked.bucket())) {
            throw new StoreFailed(
                    StoreFailed.Kind.REFUSED,
                    pattern + " leaves the bucket open; name it, as in s3://bucket/" + asked.key());
        }
        return new Listing(asked, new KeyPattern(asked.key()));
    }

    /** Page by page, as S3 sorts them: by the bytes of their names. */
    private final class Listing implements Iterator<StoredFile> {
        private final Key asked;
        private final KeyPattern pattern;
        private Iterator<S3Object> page = List.<S3Object>of().iterator();
        private Instant answered = Instant.MIN;
        private Optional<String> following = Optional.empty();
        private boolean last;
        private Optional<StoredFile> next = Optional.empty();

        Listing(Key asked, KeyPattern pattern) {
            this.asked = asked;
            this.pattern = pattern;
        }

        @Override
        public boolean hasNext() {
            while (next.isEmpty() && (page.hasNext() || !last)) {
                if (!page.hasNext()) {
                    turnPage();
                } else {
                    next = matching(page.next());
                }
            }
            return next.isPresent();
        }

        private Optional<StoredFile> matching(S3Object object) {
            // what ends in a slash is how consoles draw folders
            return object.key().endsWith("/") || !pattern.matches(object.key())
                    ? Optional.empty()
                    : Optional.of(StoredFile.of(
                            new Key(asked.bucket(), object.key()).address(),
                            version(
                                    new Told(
                                            Optional.empty(),
                                            Optional.ofNullable(object.eTag()),
                                            modified(object.lastModified()),
                                            object.size()),
                                    answered)));
        }

        private void turnPage() {
            ListObjectsV2Response answer = retries.answer(
                    asked.address(),
                    () -> told(asked.address(), () -> client(asked.address())
                            .listObjectsV2(each -> each.bucket(asked.bucket())
                                    .prefix(pattern.prefix())
                                    .continuationToken(following.orElse(null)))));
            answered = S3Clients.answered(answer);
            page = answer.contents().iterator();
            following = Optional.ofNullable(answer.nextContinuationToken());
            last = !Boolean.TRUE.equals(answer.isTruncated());
        }

        @Override
        public StoredFile next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            StoredFile found = next.orElseThrow();
            next = Optional.empty();
            return found;
        }
    }

    @Override
    public StoredFile look(String address) {
        Key key = Key.of(address);
        return retries.answer(address, () -> {
            try {
                HeadObjectResponse head = client(address)
                        .headObject(each -> each.bucket(key.bucket()).key(key.key()));
                Told told = new Told(
                        Optional.ofNullable(head.versionId()),
                        Optional.ofNullable(head.eTag()),
                        modified(head.lastModified()),
                        head.contentLength());
                return StoredFile.of(address, version(told, S3Clients.answered(head)));
            } catch (SdkException refused) {
                StoreFailed failed = S3Failures.failed(address, settings, refused);
                if (failed.kind() == StoreFailed.Kind.REFUSED) {
                    // the answer to HEAD has no body, which would name what is wrong
                    told(address, () -> client(address).getObjectAsBytes(each -> each.bucket(key.bucket())
                                    .key(key.key())
                                    .range("bytes=0-0")))
                            .response();
                }
                throw failed;
            }
        });
    }

    @Override
    public Content open(String address, FileVersion version, long from, long until) throws IOException {
        Key key = Key.of(address);
        GetObjectRequest.Builder request = GetObjectRequest.builder()
                .bucket(key.bucket())
                .key(key.key())
                .range("bytes=" + from + "-" + (until - 1));
        if (version.kind() == FileVersion.Kind.ID) {
            request.versionId(version.tag());
        } else if (version.kind() == FileVersion.Kind.ETAG) {
            request.ifMatch(version.tag());
        }
        ResponseInputStream<GetObjectResponse> answer;
        try {
            answer = client(address).getObject(request.build());
        } catch (SdkException refused) {
            StoreFailed failed = S3Failures.failed(address, settings, refused);
            throw failed.kind() == StoreFailed.Kind.CHANGED
                    ? StoreFailed.changed(address, version, toldOf(address))
                    : failed;
        }
        GetObjectResponse head = answer.response();
        Optional<ContentRange> range = Optional.ofNullable(head.contentRange()).map(ContentRange::parse);
        Told told = new Told(
                Optional.ofNullable(head.versionId()),
                Optional.ofNullable(head.eTag()),
                modified(head.lastModified()),
                range.map(ContentRange::bytes).orElse(head.contentLength()));
        InputStream in = new Reading(answer);
        if (!version.is(told)) {
            answer.abort();
            throw StoreFailed.changed(address, version, told);
        }
        return new Content(in, range.map(ContentRange::from).orElse(0L), range.isEmpty());
    }

    /** What it is by now, for the message. */
    private Told toldOf(String address) {
        FileVersion now = look(address).version().orElseThrow();
        return new Told(Optional.empty(), Optional.of(now.tag()), Optional.empty(), now.bytes());
    }

    /** Closed before its end it drops the connection, instead of reading on to keep it. */
    private static final class Reading extends java.io.FilterInputStream {
        private final ResponseInputStream<GetObjectResponse> answer;
        private boolean ended;

        Reading(ResponseInputStream<GetObjectResponse> answer) {
            super(answer);
            this.answer = answer;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            ended |= read < 0;
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            ended |= read < 0;
            return read;
        }

        @Override
        public void close() throws IOException {
            if (ended) {
                super.close();
            } else {
                answer.abort();
            }
        }
    }

    /** To the second, of which headers tell no parts: some lists do. */
    private static Optional<String> modified(Instant at) {
        return Optional.ofNullable(at)
                .map(time -> time.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** @param at when the store told it */
    private static FileVersion version(Told told, Instant at) {
        return told.version()
                .unchangedFor(told.modified()
                        .map(time -> Duration.between(Instant.parse(time), at))
                        .orElse(Duration.ZERO));
    }

    private <T> T told(String address, Supplier<T> question) {
        try {
            return question.get();
        } catch (SdkException failed) {
            throw S3Failures.failed(address, settings, failed);
        }
    }

    @Override
    public synchronized void close() {
        opened.ifPresent(S3Client::close);
        opened = Optional.empty();
    }
}
