package io.praline.deploy.embedded;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * What is done to its end, whoever is interrupted meanwhile: Kafka takes an interrupt for a fatal fault of its own, and says so
 * in lines that nobody can act on.
 */
final class Undisturbed {

    private Undisturbed() {}

    /** Does it on a thread of its own; an interrupt of this one is there when it returns. */
    static void run(String name, Runnable work) {
        make(name, () -> {
            work.run();
            return name;
        });
    }

    /** As {@link #run}, of what has a result; what it throws is thrown here. */
    static <T> T make(String name, Supplier<T> work) {
        return make(Thread.currentThread().getThreadGroup(), name, work);
    }

    /** As {@link #make(String, Supplier)}, by a thread of this group, and so is each that it makes. */
    static <T> T make(ThreadGroup group, String name, Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        new Thread(group, task, name).start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException known) {
                throw known;
            }
            if (failed.getCause() instanceof Error broken) {
                throw broken;
            }
            throw new IllegalStateException(failed.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
