package io.praline.worker.delivery;

import java.time.Duration;

/**
 * How long a worker waits for a client.
 *
 * @param hello for a connection's HELLO: a stranger that says nothing, or says it byte by byte, is closed after it
 * @param silence for any frame after that: clients send one every 2 s; a half-open connection is closed after it
 * @param alive without a frame of ours until ALIVE is sent: the client gives the worker up after 3 s of nothing
 * @param goodbye for a client to take a refusal before the connection is closed
 */
record DeliveryTimeouts(Duration hello, Duration silence, Duration alive, Duration goodbye) {
    static final DeliveryTimeouts DEFAULT = new DeliveryTimeouts(
            Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ofSeconds(1));
}
