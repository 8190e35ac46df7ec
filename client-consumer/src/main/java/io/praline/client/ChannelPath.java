package io.praline.client;

import java.util.List;

/** Which of a worker's addresses a client dials. */
public enum ChannelPath {
    /** The Unix socket of a worker on the same host, TCP else. */
    AUTO,
    /** TCP, also on the same host. */
    TCP,
    /** Only the Unix socket. */
    UNIX;

    /** @param sameHost whether the worker runs on the client's host */
    List<String> choose(List<String> addresses, boolean sameHost) {
        return switch (this) {
            case AUTO -> sameHost ? addresses : startingWith(addresses, "tcp://");
            case TCP -> startingWith(addresses, "tcp://");
            case UNIX -> startingWith(addresses, "unix://");
        };
    }

    private static List<String> startingWith(List<String> addresses, String scheme) {
        return addresses.stream().filter(address -> address.startsWith(scheme)).toList();
    }
}
