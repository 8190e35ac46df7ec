package io.praline.worker.engine;

import java.util.List;
import java.util.Optional;

/** A graph that takes nothing and gives nothing, but for what a test makes of it. */
public class StillGraph implements RunningGraph {
    @Override
    public void enqueue(FeedSplit split) {
        throw new IllegalStateException("it takes no splits");
    }

    @Override
    public boolean counts() {
        return false;
    }

    @Override
    public void closeQueue() {}

    @Override
    public Optional<EngineBatch> next() {
        return Optional.empty();
    }

    @Override
    public List<NodeMetrics> metrics() {
        return List.of();
    }

    @Override
    public int readers() {
        return 1;
    }

    @Override
    public long queueSize() {
        return 0;
    }

    @Override
    public ToldTickets told() {
        throw new IllegalStateException("nobody asks");
    }

    @Override
    public List<ReadMark> read() {
        return List.of();
    }

    @Override
    public void allowTail() {}

    @Override
    public void close() {}
}
