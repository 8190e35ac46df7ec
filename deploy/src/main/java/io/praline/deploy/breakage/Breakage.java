package io.praline.deploy.breakage;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Ends whatever waits for a cluster of this process or of its children when that has broken for good: Kafka's clients, and
 * whoever has patience with them, would wait on for what never answers again.
 *
 * @param reason completes, with the reason in a line, when the cluster can work no more
 */
public record Breakage(CompletionStage<String> reason) {
    /** Of a cluster that nobody here started. */
    public static final Breakage NEVER = new Breakage(new CompletableFuture<>());

    /** What is done meanwhile. */
    @FunctionalInterface
    public interface Step<E extends Exception> {
        void run() throws E;
    }

    /** What is made meanwhile. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T get() throws E;
    }

    /** As {@link #make}, of what has no result. */
    public <E extends Exception> void run(Step<E> step) throws E {
        this.<Optional<Void>, E>make(() -> {
            step.run();
            return Optional.empty();
        });
    }

    /**
     * Does this on this thread, which is interrupted when the cluster breaks.
     *
     * @throws ClusterBroke in place of what it throws, if the cluster broke
     */
    public <T, E extends Exception> T make(Work<T, E> work) throws E {
        Waiter waiter = new Waiter(Thread.currentThread());
        reason.thenAccept(waiter::wake);
        try {
            return work.get();
        } catch (Exception failed) {
            Optional<String> broke = waiter.woken();
            if (broke.isPresent()) {
                throw new ClusterBroke(broke.get(), failed);
            }
            throw failed;
        } finally {
            waiter.over();
        }
    }

    /** Who is interrupted, as long as it waits, and is told by which reason. */
    private static final class Waiter {
        private final Thread thread;
        private Optional<String> why = Optional.empty();
        private boolean over;

        Waiter(Thread thread) {
            this.thread = thread;
        }

        synchronized void wake(String reason) {
            if (!over) {
                why = Optional.of(reason);
                thread.interrupt();
            }
        }

        synchronized Optional<String> woken() {
            return why;
        }

        /** What this interrupt was for is over: nobody behind it takes it for another's. */
        synchronized void over() {
            over = true;
            if (why.isPresent()) {
                Thread.interrupted();
            }
        }
    }
}
