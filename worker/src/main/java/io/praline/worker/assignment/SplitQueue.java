package io.praline.worker.assignment;

import io.praline.schema.AssignedSplit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The splits of one attempt between the commands and the graph, each assignment taken once; one thread takes them. The
 * dispatcher bounds it: it assigns no more than some seconds of work ahead of what {@link #size()} tells it. Safe for several
 * threads.
 */
public final class SplitQueue {
    /** So many of those that wait are asked about. */
    private static final int LOOKED_AT = 16;

    private final Deque<AssignedSplit> waiting = new ArrayDeque<>();
    private int through;
    private Optional<Integer> closesBehind = Optional.empty();
    private boolean stopped;

    /**
     * Takes an assignment, if it is the next one: a repeated one was taken before, and one that comes too early will be
     * repeated.
     *
     * @param number counted from 1
     * @return whether it was taken now
     */
    public synchronized boolean offer(int number, List<AssignedSplit> splits) {
        if (number != through + 1 || stopped || closed()) {
            return false;
        }
        through = number;
        waiting.addAll(splits);
        notifyAll();
        return true;
    }

    /** Nothing follows the assignment of this number. */
    public synchronized void finish(int lastNumber) {
        closesBehind = Optional.of(lastNumber);
        notifyAll();
    }

    /** Nothing more is to be read, not even what waits. */
    public synchronized void stop() {
        stopped = true;
        waiting.clear();
        notifyAll();
    }

    /** The next split, waited for; empty when none will follow. */
    public Optional<AssignedSplit> take() throws InterruptedException {
        return await() ? taken(first().stream().findFirst()) : Optional.empty();
    }

    /**
     * The first such split of those that wait; empty where none is, now.
     *
     * @param such may take its time: nobody else waits for it
     */
    public Optional<AssignedSplit> takeFirst(Predicate<AssignedSplit> such) {
        return taken(first().stream().filter(such).findFirst());
    }

    /** Whether {@link #takeFirst} would take one. */
    public boolean waits(Predicate<AssignedSplit> such) {
        return first().stream().anyMatch(such);
    }

    /** The last of those that {@link #takeFirst} looks at; empty where none waits, now. */
    public Optional<AssignedSplit> takeLast() {
        return taken(first().stream().reduce((earlier, later) -> later));
    }

    /** Empty also where it was stopped meanwhile. */
    private synchronized Optional<AssignedSplit> taken(Optional<AssignedSplit> split) {
        return split.filter(waiting::remove);
    }

    /** Whoever took a split takes another one before. */
    public synchronized void giveBack(AssignedSplit split) {
        if (!stopped) {
            waiting.addFirst(split);
        }
    }

    /** Waits until a split waits; whether one does: else none will follow. */
    public synchronized boolean await() throws InterruptedException {
        while (waiting.isEmpty() && !closed()) {
            wait();
        }
        return !waiting.isEmpty();
    }

    private synchronized List<AssignedSplit> first() {
        return waiting.stream().limit(LOOKED_AT).toList();
    }

    /** All assignments up to and with this number are taken; 0 where none is. */
    public synchronized int through() {
        return through;
    }

    /** Splits that wait. */
    public synchronized int size() {
        return waiting.size();
    }

    /** Whether nothing more will be assigned. */
    public synchronized boolean closed() {
        return stopped || closesBehind.filter(last -> through >= last).isPresent();
    }
}
