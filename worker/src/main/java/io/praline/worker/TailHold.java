package io.praline.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Holds back what may be a short last batch until it is known: a batch that comes once the queue is closed and has fewer
 * elements than the largest one. Not safe for several threads.
 *
 * @param <B> a batch
 */
final class TailHold<B> {
    private final ToIntFunction<B> elements;
    private final Deque<B> held = new ArrayDeque<>();
    private int full;

    TailHold(ToIntFunction<B> elements) {
        this.elements = elements;
    }

    /**
     * What can go now, in order.
     *
     * @param mayBeTail whether the batch may be short because nothing more came
     */
    List<B> offer(B batch, boolean mayBeTail) {
        int size = elements.applyAsInt(batch);
        if (!mayBeTail || (full > 0 && size >= full)) {
            full = Math.max(full, size);
            return List.of(batch);
        }
        held.add(batch);
        return full == 0 && held.size() > 1 ? sorted() : List.of();
    }

    /** Two batches at least, and none before them: the larger size is the full one. */
    private List<B> sorted() {
        full = held.stream().mapToInt(elements).max().orElse(0);
        List<B> ready = new ArrayList<>();
        List<B> all = new ArrayList<>(held);
        held.clear();
        for (B each : all) {
            (elements.applyAsInt(each) >= full ? ready : held).add(each);
        }
        return ready;
    }

    /** What was held to the end, and is held no more. */
    List<B> withheld() {
        List<B> rest = new ArrayList<>(held);
        held.clear();
        return rest;
    }
}
