package io.praline.client.channel;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where a worker may be reached: {@code tcp://host:port} or {@code unix:///path}. */
record WorkerAddress(String text, boolean isUnix) {
    private static final String TCP = "tcp://";
    private static final String UNIX = "unix://";

    /** Those that make sense on this host: Unix sockets whose path exists first, then TCP. */
    static List<WorkerAddress> reachable(List<String> addresses) {
        List<WorkerAddress> unix = new ArrayList<>();
        List<WorkerAddress> tcp = new ArrayList<>();
        for (String text : addresses) {
            if (text.startsWith(UNIX)) {
                WorkerAddress address = new WorkerAddress(text, true);
                if (Files.exists(address.path())) {
                    unix.add(address);
                }
            } else if (text.startsWith(TCP)) {
                tcp.add(new WorkerAddress(text, false));
            } else {
                throw new IllegalArgumentException("a worker's address must start with tcp:// or unix://, is " + text);
            }
        }
        unix.addAll(tcp);
        return unix;
    }

    private Path path() {
        return Path.of(text.substring(UNIX.length()));
    }

    /** Its names are looked up when it is dialled. */
    SocketAddress socketAddress() {
        if (isUnix) {
            return UnixDomainSocketAddress.of(path());
        }
        URI uri = URI.create(text);
        if (uri.getHost() == null || uri.getPort() < 0) {
            throw new IllegalArgumentException("a worker's address must be tcp://host:port, is " + text);
        }
        String host = uri.getHost();
        boolean bracketed = host.startsWith("[");
        return InetSocketAddress.createUnresolved(
                bracketed ? host.substring(1, host.length() - 1) : host, uri.getPort());
    }
}
