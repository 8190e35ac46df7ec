package io.praline.client;

import java.util.List;

/** Which of a worker's addresses a client dials. */
public enum ChannelPath {
    /** As {@link #SHARED} for a worker on the same host, TCP else. */
    AUTO,
    /** TCP, also on the same host. */
    TCP,
    /** Only the Unix socket. */
    UNIX,
    /** Memory that client and worker share, told of by the Unix socket; the socket alone where the host has none. */
    SHARED;

    /** @param sameHost whether the worker runs on the client's host */
    List<String> choose(List<String> addresses, boolean sameHost) {
        return switch (this) {
            case AUTO -> sameHost ? addresses : startingWith(addresses, "tcp://");
            case TCP -> startingWith(addresses, "tcp://");
            case UNIX, SHARED -> startingWith(addresses, "unix://");
        };
    }

    /** Whether batches may come in memory that client and worker share. */
    boolean shares() {
        return this == AUTO || this == SHARED;
    }

    private static List<String> startingWith(List<String> addresses, String scheme) {
        return addresses.stream().filter(address -> address.startsWith(scheme)).toList();
    }
}
