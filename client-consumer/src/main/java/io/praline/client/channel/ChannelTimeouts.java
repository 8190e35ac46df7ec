package io.praline.client.channel;

import java.time.Duration;

/**
 * How long a client waits for a worker.
 *
 * @param firstDial for the first connection to be made
 * @param firstWelcome for WELCOME on the first connection: a worker that just started has classes to load
 * @param redial for one to be made after a connection was lost: a worker that was killed is known by then
 * @param welcome for WELCOME on a connection that was made again: a loaded worker may take its time
 * @param unknown while the worker says that it does not know the attempt yet
 * @param silence for any bytes: workers send some every second
 * @param assurance without a frame of ours until one is sent: workers give a client up after 15 s of nothing
 * @param pause between two rounds of dialling
 */
record ChannelTimeouts(
        Duration firstDial,
        Duration firstWelcome,
        Duration redial,
        Duration welcome,
        Duration unknown,
        Duration silence,
        Duration assurance,
        Duration pause) {
    static final ChannelTimeouts DEFAULT = new ChannelTimeouts(
            Duration.ofSeconds(3),
            Duration.ofSeconds(3),
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(3),
            Duration.ofSeconds(2),
            Duration.ofMillis(20));
}
