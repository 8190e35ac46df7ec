package io.praline.worker.delivery;

import io.praline.wire.ConsumerToken;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a worker's channel listens, and whom it lets in.
 *
 * @param host the address to listen on; {@code 127.0.0.1} for this host only, {@code 0.0.0.0} for every interface
 * @param port 0: any that is free
 * @param unixSocket the path of a Unix domain socket to listen on as well; at most 100 bytes
 * @param secret what clients make their tokens with
 * @param maxConnections open connections beyond which a new one is closed at once
 */
@SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
public record DeliveryConfig(String host, int port, Optional<Path> unixSocket, byte[] secret, int maxConnections) {
    /** The kernel takes 107 bytes of a path; some systems a few less. */
    private static final int MAX_SOCKET_PATH_BYTES = 100;

    public DeliveryConfig {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("host must not be empty");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be in 0..65535, is " + port);
        }
        unixSocket = unixSocket.map(Path::toAbsolutePath);
        unixSocket.ifPresent(path -> {
            if (path.toString().length() > MAX_SOCKET_PATH_BYTES) {
                throw new IllegalArgumentException(
                        "unixSocket must have at most " + MAX_SOCKET_PATH_BYTES + " characters, is " + path);
            }
        });
        if (secret.length < ConsumerToken.MIN_SECRET_BYTES) {
            throw new IllegalArgumentException(
                    "secret must have at least " + ConsumerToken.MIN_SECRET_BYTES + " bytes, has " + secret.length);
        }
        if (maxConnections < 1) {
            throw new IllegalArgumentException("maxConnections must be positive, is " + maxConnections);
        }
        secret = secret.clone();
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "DeliveryConfig[" + host + ":" + port + ", " + unixSocket + ", at most " + maxConnections + "]";
    }
}
