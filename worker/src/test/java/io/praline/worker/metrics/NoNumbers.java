package io.praline.worker.metrics;

import io.praline.schema.ClosedLane;
import java.util.List;

/** What no beat asks for. */
public record NoNumbers() implements AttemptReport.Live {
    @Override
    public int assignedThrough() {
        return 0;
    }

    @Override
    public int unopened() {
        return 0;
    }

    @Override
    public double splitSeconds() {
        return 0;
    }

    @Override
    public long outboxBytes() {
        return 0;
    }

    @Override
    public double busySeconds() {
        return 0;
    }

    @Override
    public int membership() {
        return 0;
    }

    @Override
    public List<ClosedLane> closedLanes() {
        return List.of();
    }
}
