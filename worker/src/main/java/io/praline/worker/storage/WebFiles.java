package io.praline.worker.storage;

import io.praline.worker.storage.FileVersion.Told;
import io.praline.worker.storage.StoreFailed.Kind;
import io.praline.worker.storage.glob.NameOrder;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Files that a web server gives. It lists nothing: a file is named by its address, several by that of a list with {@code ?list}
 * behind it, which holds an address a line, whole or relative to its own.
 */
final class WebFiles implements FileStore {
    private static final String LIST = "?list";

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(15);

    /** Ten million names. */
    private static final int LONGEST_LIST = 1 << 30;

    private static final int PARTIAL = 206;
    private static final int NO_SUCH_RANGE = 416;
    private static final int TOO_MANY = 429;
    private static final int SERVER = 500;

    private final Retries retries;

    WebFiles(Retries retries) {
        this.retries = retries;
    }

    @Override
    public Iterator<StoredFile> find(String pattern) {
        if (pattern.indexOf('*') >= 0) {
            throw new StoreFailed(
                    Kind.REFUSED,
                    pattern
                            + " cannot be listed: web servers list nothing; name each file, or a list of them with ?list"
                            + " behind its address");
        }
        if (!pattern.endsWith(LIST)) {
            return List.of(look(pattern)).iterator();
        }
        String address = pattern.substring(0, pattern.length() - LIST.length());
        URI base = uri(address);
        Iterator<String> names = text(address)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> resolved(base, line))
                .sorted(NameOrder.BY_CODE_POINT)
                .distinct()
                .iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return names.hasNext();
            }

            @Override
            public StoredFile next() {
                return look(names.next());
            }
        };
    }

    private static String resolved(URI list, String line) {
        try {
            URI found = list.resolve(line);
            if (!"http".equals(found.getScheme()) && !"https".equals(found.getScheme())) {
                throw new StoreFailed(
                        Kind.REFUSED, "the list " + list + " names " + line + ", which is no http address");
            }
            return found.toString();
        } catch (IllegalArgumentException wrong) {
            throw new StoreFailed(
                    Kind.REFUSED, "the list " + list + " names '" + line + "', which is no address", wrong);
        }
    }

    private String text(String address) {
        return retries.answer(address, () -> {
            HttpURLConnection connection = asked(address, "GET");
            try (InputStream in = body(address, connection)) {
                byte[] all = in.readNBytes(LONGEST_LIST);
                // a connection that breaks ends the stream as its end does
                if (all.length < connection.getContentLengthLong()) {
                    throw new IOException(
                            "it ended " + (connection.getContentLengthLong() - all.length) + " bytes early");
                }
                return new String(all, StandardCharsets.UTF_8);
            }
        });
    }

    @Override
    public StoredFile look(String address) {
        return retries.answer(address, () -> {
            HttpURLConnection connection = asked(address, "HEAD");
            int status = status(address, connection);
            if (status == HttpURLConnection.HTTP_BAD_METHOD || status == HttpURLConnection.HTTP_NOT_IMPLEMENTED) {
                connection = asked(address, "GET");
                connection.setRequestProperty("Range", "bytes=0-0");
                status = status(address, connection);
            }
            if (status == NO_SUCH_RANGE) {
                return StoredFile.of(address, version(connection, 0));
            }
            requireGood(address, status);
            long bytes = length(connection, status);
            if (connection.getRequestMethod().equals("GET")) {
                connection.disconnect();
            }
            if (bytes < 0) {
                throw withoutLength(address);
            }
            return StoredFile.of(address, version(connection, bytes));
        });
    }

    private static StoreFailed withoutLength(String address) {
        return new StoreFailed(
                Kind.REFUSED, address + " does not say how long it is (no Content-Length); serve it as a file");
    }

    @Override
    public Content open(String address, FileVersion version, long from, long until) throws IOException {
        HttpURLConnection connection = asked(address, "GET");
        connection.setRequestProperty("Range", "bytes=" + from + "-" + (until - 1));
        if (version.kind() == FileVersion.Kind.ETAG) {
            connection.setRequestProperty("If-Match", version.tag());
        }
        int status = status(address, connection);
        boolean other = status == HttpURLConnection.HTTP_PRECON_FAILED || status == NO_SUCH_RANGE;
        if (!other) {
            requireGood(address, status);
        }
        long bytes = other ? 0 : length(connection, status);
        if (bytes < 0 && version.kind() == FileVersion.Kind.LENGTH) {
            connection.disconnect();
            throw withoutLength(address);
        }
        // who gives all of it in pieces does not say how much that is, and a tag says whether it is the same
        Told told = other ? now(address) : told(connection, bytes < 0 ? version.bytes() : bytes);
        if (other || !version.is(told)) {
            connection.disconnect();
            throw StoreFailed.changed(address, version, told);
        }
        boolean part = status == PARTIAL;
        return new Content(connection.getInputStream(), part ? range(connection).from() : 0, !part);
    }

    private Told now(String address) {
        FileVersion now = look(address).version().orElseThrow();
        return new Told(Optional.empty(), Optional.of(now.tag()), Optional.empty(), now.bytes());
    }

    private static HttpURLConnection asked(String address, String method) throws IOException {
        // letters beyond ASCII would become question marks, behind which a server sees no path
        URL url = URI.create(uri(address).toASCIIString()).toURL();
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setRequestMethod(method);
        connection.setConnectTimeout((int) CONNECT.toMillis());
        connection.setReadTimeout((int) SILENCE.toMillis());
        connection.setRequestProperty("Accept-Encoding", "identity");
        connection.setUseCaches(false);
        return connection;
    }

    private static URI uri(String address) {
        try {
            return URI.create(address);
        } catch (IllegalArgumentException wrong) {
            throw new StoreFailed(Kind.REFUSED, "'" + address + "' is no address: " + wrong.getMessage(), wrong);
        }
    }

    private static InputStream body(String address, HttpURLConnection connection) throws IOException {
        requireGood(address, status(address, connection));
        return connection.getInputStream();
    }

    private static int status(String address, HttpURLConnection connection) throws IOException {
        try {
            return connection.getResponseCode();
        } catch (UnknownHostException | ConnectException | NoRouteToHostException | SSLException away) {
            throw unreachable(address, away);
        } catch (SocketTimeoutException late) {
            if (String.valueOf(late.getMessage()).contains("onnect")) {
                throw unreachable(address, late);
            }
            throw late;
        }
    }

    private static StoreFailed unreachable(String address, IOException why) {
        return new StoreFailed(
                Kind.UNREACHABLE,
                "the server of " + address + " cannot be reached (" + why.getMessage()
                        + "); check the address, and whether" + " it runs",
                why);
    }

    private static void requireGood(String address, int status) {
        if (status == HttpURLConnection.HTTP_OK || status == PARTIAL) {
            return;
        }
        if (status >= SERVER || status == TOO_MANY || status == HttpURLConnection.HTTP_CLIENT_TIMEOUT) {
            throw new StoreFailed(Kind.BUSY, address + " is not given for now: its server says " + status);
        }
        throw new StoreFailed(
                Kind.REFUSED,
                switch (status) {
                    case HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_GONE ->
                        address + " is not there (" + status + "); check the address";
                    case HttpURLConnection.HTTP_UNAUTHORIZED, HttpURLConnection.HTTP_FORBIDDEN ->
                        address + " may not be read without credentials (" + status
                                + "), which http addresses have none of";
                    default -> address + " is not given: its server says " + status;
                });
    }

    private static long length(HttpURLConnection connection, int status) {
        return status == PARTIAL ? range(connection).bytes() : connection.getContentLengthLong();
    }

    private static ContentRange range(HttpURLConnection connection) {
        return ContentRange.parse(String.valueOf(connection.getHeaderField("Content-Range")));
    }

    private static FileVersion version(HttpURLConnection connection, long bytes) {
        FileVersion version = told(connection, bytes).version();
        long now = connection.getHeaderFieldDate("Date", System.currentTimeMillis());
        return version.unchangedFor(Duration.ofMillis(now - connection.getLastModified()));
    }

    private static Told told(HttpURLConnection connection, long bytes) {
        return new Told(
                Optional.empty(),
                Optional.ofNullable(connection.getHeaderField("ETag")),
                Optional.ofNullable(connection.getHeaderField("Last-Modified")),
                Math.max(0, bytes));
    }

    @Override
    public void close() {}
}
