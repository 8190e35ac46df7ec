package io.praline.tests.rig;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A store of objects that speaks as much of S3 as reading and writing take (lists in pages, HEAD, GET with ranges and
 * conditions, PUT unless it is there, DELETE, its errors), path style, and what goes wrong with such stores. What lies in the
 * bucket {@code open} needs no credentials.
 */
public final class ObjectServer implements AutoCloseable {
    public static final String ACCESS_KEY = "praline";
    public static final String REGION = "us-test-1";

    /** A bucket that a web browser may read too. */
    public static final String OPEN = "open";

    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");
    private static final Pattern CREDENTIAL = Pattern.compile("Credential=([^/]+)/\\d+/([^/]+)/s3/");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final NavigableMap<String, Stored> objects = new ConcurrentSkipListMap<>();
    private final SplittableRandom dice = new SplittableRandom(12);
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong gets = new AtomicLong();
    private final AtomicLong faults = new AtomicLong();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile Behaviour behaviour = Behaviour.GOOD;
    private final Set<String> buckets = ConcurrentHashMap.newKeySet();
    private final AtomicLong puts = new AtomicLong();
    private volatile Writing writing = Writing.UNLESS_THERE;
    private volatile Runnable listed = () -> {};
    private final Map<String, Road> roads = new ConcurrentHashMap<>();

    private static final class Stored {
        private final byte[] bytes;
        private final String etag;
        private final Instant modified;

        Stored(byte[] bytes, Instant modified) {
            this.bytes = bytes.clone();
            this.etag = "\"" + md5(bytes) + "\"";
            this.modified = modified;
        }
    }

    /** What contents of a bucket go over, one after the other. */
    private static final class Road {
        private final double bytesPerNano;
        private long freeNanos = System.nanoTime();

        Road(double bytesPerSecond) {
            this.bytesPerNano = bytesPerSecond / 1e9;
        }

        void pass(int bytes) throws InterruptedException {
            long over;
            synchronized (this) {
                freeNanos = Math.max(freeNanos, System.nanoTime()) + Math.round(bytes / bytesPerNano);
                over = freeNanos;
            }
            TimeUnit.NANOSECONDS.sleep(over - System.nanoTime());
        }
    }

    /**
     * How it answers.
     *
     * @param millis before each answer
     * @param busy share of requests that are answered by 503
     * @param broken share of contents that end in their middle, and the connection with them
     * @param etags what it says of contents
     * @param conditions whether it heeds {@code If-Match}
     * @param ranges whether it heeds {@code Range}
     * @param pageSize keys in an answer to a list
     */
    public record Behaviour(
            int millis, double busy, double broken, Etags etags, boolean conditions, boolean ranges, int pageSize) {
        public static final Behaviour GOOD = new Behaviour(0, 0, 0, Etags.STRONG, true, true, 1_000);

        public Behaviour slow(int by) {
            return new Behaviour(by, busy, broken, etags, conditions, ranges, pageSize);
        }

        public Behaviour busy(double share) {
            return new Behaviour(millis, share, broken, etags, conditions, ranges, pageSize);
        }

        public Behaviour breaking(double share) {
            return new Behaviour(millis, busy, share, etags, conditions, ranges, pageSize);
        }

        public Behaviour telling(Etags how) {
            return new Behaviour(millis, busy, broken, how, conditions, ranges, pageSize);
        }

        public Behaviour withoutConditions() {
            return new Behaviour(millis, busy, broken, etags, false, ranges, pageSize);
        }

        public Behaviour withoutRanges() {
            return new Behaviour(millis, busy, broken, etags, conditions, false, pageSize);
        }

        public Behaviour inPagesOf(int keys) {
            return new Behaviour(millis, busy, broken, etags, conditions, ranges, keys);
        }
    }

    /** What it says of contents besides their length. */
    public enum Etags {
        STRONG,
        WEAK,
        NONE
    }

    /** How it takes what is written. */
    public enum Writing {
        /** As AWS does. */
        UNLESS_THERE,
        /** It passes over {@code If-None-Match}. */
        ALWAYS,
        /** It says that it does not know {@code If-None-Match}. */
        WITHOUT_CONDITION,
        /** Credentials may not write. */
        NEVER
    }

    /** An answer that is an error. */
    private static final class Refused extends RuntimeException {
        private final int status;
        private final String code;

        Refused(int status, String code) {
            super(code);
            this.status = status;
            this.code = code;
        }
    }

    public ObjectServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public void behave(Behaviour next) {
        behaviour = next;
    }

    public void put(String bucket, String key, byte[] bytes) {
        put(bucket, key, bytes, Instant.parse("2026-11-22T10:00:00Z"));
    }

    public void put(String bucket, String key, byte[] bytes, Instant modified) {
        objects.put(bucket + "/" + key, new Stored(bytes, modified));
    }

    /** Makes a bucket that may be empty. */
    public void bucket(String name) {
        buckets.add(name);
    }

    /** So fast contents of a bucket go out, all together. */
    public void pace(String bucket, double bytesPerSecond) {
        roads.put(bucket, new Road(bytesPerSecond));
    }

    public void write(Writing how) {
        writing = how;
    }

    /** Names of objects in a bucket that begin so. */
    public List<String> keys(String bucket, String prefix) {
        return objects.keySet().stream()
                .filter(each -> each.startsWith(bucket + "/" + prefix))
                .map(each -> each.substring(bucket.length() + 1))
                .toList();
    }

    public byte[] bytes(String bucket, String key) {
        return objects.get(bucket + "/" + key).bytes.clone();
    }

    public void delete(String bucket, String key) {
        objects.remove(bucket + "/" + key);
    }

    /** Objects that were written over the network. */
    public long puts() {
        return puts.get();
    }

    /** Removes all that is in a bucket. */
    public void empty(String bucket) {
        objects.keySet().removeIf(name -> name.startsWith(bucket + "/"));
    }

    /** Answers so many requests by 503. */
    public void refuse(int requests) {
        refused.set(requests);
    }

    /** What happens whenever a list has been answered to its end. */
    public void afterList(Runnable what) {
        listed = what;
    }

    /** Contents that were asked for, in parts or whole. */
    public long gets() {
        return gets.get();
    }

    /** Requests so far. */
    public long requests() {
        return requests.get();
    }

    /** Answers of them that were broken or put off. */
    public long faults() {
        return faults.get();
    }

    private void answer(HttpExchange exchange) {
        requests.incrementAndGet();
        Behaviour now = behaviour;
        try (exchange) {
            try {
                TimeUnit.MILLISECONDS.sleep(now.millis());
                if (refused.getAndUpdate(left -> Math.max(0, left - 1)) > 0 || chance(now.busy())) {
                    throw new Refused(503, "SlowDown");
                }
                serve(exchange, now);
            } catch (Refused refused) {
                refuse(exchange, refused);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } catch (IOException gone) {
            // the client closed its end first
        }
    }

    private boolean chance(double share) {
        synchronized (dice) {
            boolean hit = share > 0 && dice.nextDouble() < share;
            faults.addAndGet(hit ? 1 : 0);
            return hit;
        }
    }

    private void serve(HttpExchange exchange, Behaviour now) throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath().substring(1);
        int slash = path.indexOf('/');
        String bucket = slash < 0 ? path : path.substring(0, slash);
        String key = slash < 0 ? "" : path.substring(slash + 1);
        if (!bucket.equals(OPEN)) {
            authorise(exchange);
        }
        if (!buckets.contains(bucket) && objects.keySet().stream().noneMatch(each -> each.startsWith(bucket + "/"))) {
            throw new Refused(404, "NoSuchBucket");
        }
        if (exchange.getRequestMethod().equals("PUT")) {
            put(exchange, path);
        } else if (exchange.getRequestMethod().equals("DELETE")) {
            requireMayWrite();
            objects.remove(path);
            exchange.sendResponseHeaders(204, -1);
        } else if (key.isEmpty()) {
            list(exchange, bucket, now);
        } else {
            object(exchange, path, now, Optional.ofNullable(roads.get(bucket)));
        }
    }

    private static void authorise(HttpExchange exchange) {
        Matcher credential = CREDENTIAL.matcher(
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                        .orElse(""));
        if (!credential.find()) {
            throw new Refused(403, "AccessDenied");
        }
        if (!credential.group(1).equals(ACCESS_KEY)) {
            throw new Refused(403, "InvalidAccessKeyId");
        }
        if (!credential.group(2).equals(REGION)) {
            throw new Refused(400, "AuthorizationHeaderMalformed");
        }
    }

    private void list(HttpExchange exchange, String bucket, Behaviour now) throws IOException {
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        String prefix = query.getOrDefault("prefix", "");
        String after = query.getOrDefault("continuation-token", "");
        List<Map.Entry<String, Stored>> all = objects.tailMap(bucket + "/" + prefix).entrySet().stream()
                .takeWhile(each -> each.getKey().startsWith(bucket + "/" + prefix))
                .filter(each -> each.getKey().substring(bucket.length() + 1).compareTo(after) > 0)
                .limit(now.pageSize() + 1L)
                .toList();
        boolean more = all.size() > now.pageSize();
        String last = "";
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult>");
        xml.append("<IsTruncated>").append(more).append("</IsTruncated>");
        for (Map.Entry<String, Stored> each : all.subList(0, more ? now.pageSize() : all.size())) {
            String key = each.getKey().substring(bucket.length() + 1);
            xml.append("<Contents><Key>").append(escaped(key)).append("</Key><LastModified>");
            xml.append(each.getValue().modified).append("</LastModified>");
            etag(each.getValue(), now)
                    .ifPresent(tag -> xml.append("<ETag>").append(escaped(tag)).append("</ETag>"));
            xml.append("<Size>").append(each.getValue().bytes.length).append("</Size></Contents>");
            last = key;
        }
        if (more) {
            xml.append("<NextContinuationToken>").append(escaped(last)).append("</NextContinuationToken>");
        }
        byte[] body = xml.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/xml");
        if (!more) {
            listed.run();
        }
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    private void requireMayWrite() {
        if (writing == Writing.NEVER) {
            throw new Refused(403, "AccessDenied");
        }
    }

    private void put(HttpExchange exchange, String path) throws IOException {
        byte[] bytes = body(exchange);
        requireMayWrite();
        boolean conditional = "*".equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
        if (conditional && writing == Writing.WITHOUT_CONDITION) {
            throw new Refused(501, "NotImplemented");
        }
        Stored written = new Stored(bytes, Instant.now());
        if (conditional && writing == Writing.UNLESS_THERE) {
            if (objects.putIfAbsent(path, written) != null) {
                throw new Refused(412, "PreconditionFailed");
            }
        } else {
            objects.put(path, written);
        }
        puts.incrementAndGet();
        exchange.getResponseHeaders().set("ETag", written.etag);
        exchange.sendResponseHeaders(200, -1);
    }

    /** What was sent, without the frames in which it comes where its parts are signed. */
    private static byte[] body(HttpExchange exchange) throws IOException {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        String length = exchange.getRequestHeaders().getFirst("x-amz-decoded-content-length");
        if (length == null) {
            return sent;
        }
        byte[] bytes = new byte[Integer.parseInt(length)];
        int at = 0;
        int to = 0;
        while (to < bytes.length) {
            int line = at;
            while (sent[line] != '\r') {
                line++;
            }
            String head = new String(sent, at, line - at, StandardCharsets.US_ASCII);
            int chunk = Integer.parseInt(head.split(";", 2)[0], 16);
            System.arraycopy(sent, line + 2, bytes, to, chunk);
            to += chunk;
            at = line + 2 + chunk + 2;
        }
        return bytes;
    }

    private void object(HttpExchange exchange, String path, Behaviour now, Optional<Road> road)
            throws IOException, InterruptedException {
        Stored stored = Optional.ofNullable(objects.get(path)).orElseThrow(() -> new Refused(404, "NoSuchKey"));
        String wanted = exchange.getRequestHeaders().getFirst("If-Match");
        if (now.conditions() && wanted != null && !wanted.equals(stored.etag)) {
            throw new Refused(412, "PreconditionFailed");
        }
        etag(stored, now).ifPresent(tag -> exchange.getResponseHeaders().set("ETag", tag));
        exchange.getResponseHeaders()
                .set(
                        "Last-Modified",
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(stored.modified.atOffset(ZoneOffset.UTC)));
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(stored.bytes.length));
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        gets.incrementAndGet();
        byte[] content = stored.bytes;
        int status = 200;
        Matcher range =
                RANGE.matcher(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Range"))
                        .orElse(""));
        if (now.ranges() && range.matches()) {
            int from = Integer.parseInt(range.group(1));
            int until = Math.min(content.length, Integer.parseInt(range.group(2)) + 1);
            if (from >= content.length) {
                throw new Refused(416, "InvalidRange");
            }
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (until - 1) + "/" + content.length);
            content = Arrays.copyOfRange(content, from, until);
            status = 206;
        }
        if (road.isPresent()) {
            road.get().pass(content.length);
        }
        boolean whole = !chance(now.broken());
        exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
        OutputStream out = exchange.getResponseBody();
        out.write(content, 0, whole ? content.length : content.length / 2);
    }

    private static Optional<String> etag(Stored stored, Behaviour now) {
        return switch (now.etags()) {
            case STRONG -> Optional.of(stored.etag);
            case WEAK -> Optional.of("W/" + stored.etag);
            case NONE -> Optional.empty();
        };
    }

    private static void refuse(HttpExchange exchange, Refused refused) throws IOException {
        exchange.getRequestBody().readAllBytes();
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(refused.status, -1);
            return;
        }
        byte[] body = ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>" + refused.code + "</Code><Message>"
                        + refused.code + "</Message></Error>")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/xml");
        exchange.sendResponseHeaders(refused.status, body.length);
        exchange.getResponseBody().write(body);
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : (raw == null ? "" : raw).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private static String md5(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(bytes);
            return String.format(Locale.ROOT, "%032x", new BigInteger(1, digest));
        } catch (NoSuchAlgorithmException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
