package io.praline.client.channel;

import io.praline.identity.AttemptKey;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a client wants of a worker.
 *
 * @param workerIncarnation the worker must be this one; empty: any
 * @param addresses where it listens
 * @param token asked for at each dial
 * @param incarnation the client's
 * @param creditBytes the window
 * @param shares whether a worker of this host may put batches into memory that both see
 */
record ChannelRequest(
        AttemptKey attempt,
        String workerIncarnation,
        List<String> addresses,
        Supplier<byte[]> token,
        int consumer,
        String incarnation,
        long creditBytes,
        boolean shares,
        ChannelListener listener) {
    ChannelRequest {
        addresses = List.copyOf(addresses);
    }
}
