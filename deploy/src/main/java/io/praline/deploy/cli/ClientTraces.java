package io.praline.deploy.cli;

import io.praline.wire.trace.BatchTraces;
import java.util.Optional;

/** Traces of what a command's client does with batches. */
final class ClientTraces {
    private static final String SERVICE = "praline-client";

    private ClientTraces() {}

    /** As the environment asks for; a thread sends what they tell, so that a process needs them once. */
    static Optional<BatchTraces> fromEnvironment() {
        return BatchTraces.fromEnvironment(System.getenv(), SERVICE);
    }
}
