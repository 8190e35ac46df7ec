package io.praline.worker;

import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that dies leaves behind a process that looks alive: it beats and reads no commands, or reads commands and does
 * not beat. So the first of them ends the process.
 */
public final class DeadThreads implements Thread.UncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(DeadThreads.class);

    private final CompletableFuture<RuntimeException> first = new CompletableFuture<>();

    DeadThreads() {}

    /** Watches every thread of this process that nobody else watches; to be called by its main program, before any is started. */
    public static DeadThreads watch() {
        DeadThreads watching = new DeadThreads();
        Thread.setDefaultUncaughtExceptionHandler(watching);
        return watching;
    }

    /** Completed when one has died. */
    public CompletableFuture<RuntimeException> first() {
        return first.copy();
    }

    @Override
    public void uncaughtException(Thread thread, Throwable why) {
        LOG.error("thread {} died", thread.getName(), why);
        first.complete(new WorkerDied("its thread " + thread.getName() + " died: " + why));
    }
}
