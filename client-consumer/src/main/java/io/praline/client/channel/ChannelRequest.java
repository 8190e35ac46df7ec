package io.praline.client.channel;

import io.praline.identity.AttemptKey;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a consumer wants of a worker.
 *
 * @param attempt whose batches
 * @param worker which worker has them
 * @param consumer who wants them
 * @param creditBytes the window: how many bytes may be received and not closed; never less than two batches
 */
public record ChannelRequest(AttemptKey attempt, Worker worker, Consumer consumer, long creditBytes) {

    /**
     * The end that has the batches.
     *
     * @param incarnation the worker must be this one; empty: any
     * @param addresses where it listens: a {@code unix://} path that exists on this host goes first, then {@code tcp://}
     * @param shares whether a worker that is reached by its Unix socket may put batches into memory that both see
     */
    public record Worker(String incarnation, List<String> addresses, boolean shares) {
        public Worker {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * The end that takes them.
     *
     * @param number which of the job's consumers, counted from 0
     * @param generation of that consumer
     * @param incarnation of its process
     * @param token by which the worker knows that it may; asked for at each dial, on an event loop
     */
    public record Consumer(int number, int generation, String incarnation, Supplier<byte[]> token) {}
}
