package io.praline.worker.attempt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * Holds back what may be a short last batch until it is known: a batch that comes once the queue is closed and has fewer
 * elements than the largest one. Owns what it was offered until it gives it out, and frees the rest when it is closed. Not
 * safe for several threads.
 *
 * @param <B> a batch
 */
final class TailHold<B> implements AutoCloseable {
    private final ToIntFunction<B> elements;
    private final Consumer<B> free;
    private final Deque<B> ready = new ArrayDeque<>();
    private final Deque<B> held = new ArrayDeque<>();
    private int full;

    /** @param free gives a batch's memory back */
    TailHold(ToIntFunction<B> elements, Consumer<B> free) {
        this.elements = elements;
        this.free = free;
    }

    /**
     * Takes a batch over.
     *
     * @param mayBeTail whether the batch may be short because nothing more came
     */
    void offer(B batch, boolean mayBeTail) {
        int size = elements.applyAsInt(batch);
        if (!mayBeTail || (full > 0 && size >= full)) {
            full = Math.max(full, size);
            ready.add(batch);
            return;
        }
        held.add(batch);
        if (full == 0 && held.size() > 1) {
            sort();
        }
    }

    /** Two batches at least, and none before them: the larger size is the full one. */
    private void sort() {
        full = held.stream().mapToInt(elements).max().orElse(0);
        List<B> all = new ArrayList<>(held);
        held.clear();
        for (B each : all) {
            (elements.applyAsInt(each) >= full ? ready : held).add(each);
        }
    }

    /** The next that can go, in order; the caller owns it. */
    Optional<B> next() {
        return Optional.ofNullable(ready.poll());
    }

    /** What was held to the end, and is held no more; the caller owns it. */
    List<B> withheld() {
        List<B> rest = new ArrayList<>(held);
        held.clear();
        return rest;
    }

    @Override
    public void close() {
        ready.forEach(free);
        ready.clear();
        held.forEach(free);
        held.clear();
    }
}
