package io.praline.worker.delivery;

/** The outbox takes no more batches: its attempt was closed, has failed or has ended. */
public final class OutboxClosed extends RuntimeException {

    OutboxClosed(String message) {
        super(message);
    }
}
