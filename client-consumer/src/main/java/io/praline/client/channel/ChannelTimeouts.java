package io.praline.client.channel;

import java.time.Duration;

/** How long a client waits for a worker. */
final class ChannelTimeouts {
    /** For the first connection to be made. */
    static final Duration FIRST_DIAL = Duration.ofSeconds(3);

    /** For WELCOME on the first connection: a worker that just started has classes to load. */
    static final Duration FIRST_WELCOME = Duration.ofSeconds(3);

    /**
     * For a connection to be made after one was lost. A worker that was killed refuses it at once; a first packet that was
     * lost is sent again after a second.
     */
    static final Duration REDIAL = Duration.ofMillis(1_500);

    /** For WELCOME on a connection that was made again: a host with too much to do takes its time. */
    static final Duration WELCOME = Duration.ofSeconds(2);

    /** While the worker says that it does not know the attempt yet. */
    static final Duration UNKNOWN = Duration.ofSeconds(5);

    /** For any bytes: workers send some every second. */
    static final Duration SILENCE = Duration.ofSeconds(3);

    /** Without a frame of ours until one is sent: workers give a client up after 15 s of nothing. */
    static final Duration ASSURANCE = Duration.ofSeconds(2);

    /** Between two rounds of dialling. */
    static final Duration PAUSE = Duration.ofMillis(20);

    private ChannelTimeouts() {}
}
