package io.praline.client.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What lies ready of one epoch. Frames of local workers go first: their cores are paid for already, and a remote worker
 * that waits costs no core that the trainer could use. Each kind in the order of its arrival. Owned by the stream's lock.
 */
final class ReadyFrames {
    private final Deque<Frame> local = new ArrayDeque<>();
    private final Deque<Frame> remote = new ArrayDeque<>();

    void add(Frame frame, boolean fromLocal) {
        (fromLocal ? local : remote).add(frame);
    }

    /** The next one, taken out. */
    Optional<Frame> poll() {
        return Optional.ofNullable(local.isEmpty() ? remote.poll() : local.poll());
    }

    boolean isEmpty() {
        return local.isEmpty() && remote.isEmpty();
    }

    /** Takes out those that are meant, each handed to {@code taken}. */
    void removeIf(Predicate<Frame> meant, Consumer<Frame> taken) {
        Predicate<Frame> remove = frame -> {
            boolean mine = meant.test(frame);
            if (mine) {
                taken.accept(frame);
            }
            return mine;
        };
        local.removeIf(remove);
        remote.removeIf(remove);
    }
}
