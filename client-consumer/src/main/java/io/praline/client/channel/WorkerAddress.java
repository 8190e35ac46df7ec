package io.praline.client.channel;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a worker may be reached: {@code tcp://host:port} or {@code unix:///path}.
 *
 * @param text as the worker told it
 * @param socketAddress the same to connect to; its name is looked up when it is dialled
 */
record WorkerAddress(String text, SocketAddress socketAddress) {
    private static final String TCP = "tcp://";
    private static final String UNIX = "unix://";

    /**
     * Those that make sense on this host: Unix sockets whose path exists first, then TCP. What is no such address is passed
     * over: a newer worker may have other ways, and one that can be reached in none is told to be so by who dials it.
     */
    static List<WorkerAddress> reachable(List<String> addresses) {
        List<WorkerAddress> unix = new ArrayList<>();
        List<WorkerAddress> tcp = new ArrayList<>();
        for (String text : addresses) {
            try {
                if (text.startsWith(UNIX)) {
                    Path path = Path.of(text.substring(UNIX.length()));
                    if (Files.exists(path)) {
                        unix.add(new WorkerAddress(text, UnixDomainSocketAddress.of(path)));
                    }
                } else if (text.startsWith(TCP)) {
                    tcp.add(new WorkerAddress(text, place(text.substring(TCP.length()))));
                }
            } catch (IllegalArgumentException none) {
                // it is no address
            }
        }
        unix.addAll(tcp);
        return unix;
    }

    /** By its last colon, and by no rule for URIs: names of hosts may hold what theirs must not, such as an underscore. */
    private static SocketAddress place(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("an address must be host:port, is " + hostAndPort);
        }
        String host = hostAndPort.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return InetSocketAddress.createUnresolved(
                bracketed ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(hostAndPort.substring(colon + 1)));
    }

    boolean isUnix() {
        return socketAddress instanceof UnixDomainSocketAddress;
    }
}
