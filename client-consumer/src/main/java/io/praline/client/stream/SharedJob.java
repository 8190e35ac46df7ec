package io.praline.client.stream;

import io.praline.schema.ConsumerState;
import io.praline.schema.JobStatus;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the consumers of a job in this process have in common; kept for late results.
 *
 * @param incarnations of its streams, those that are gone included
 */
public record SharedJob(Coverage coverage, Set<String> incarnations) {
    public SharedJob() {
        this(new Coverage(), ConcurrentHashMap.newKeySet());
    }

    /** Whether every element that a loop ever had went through this process: nobody else ever held a place. */
    public boolean holdsAll(JobStatus status) {
        if (status.getSlots().isEmpty()) {
            return incarnations.size() >= status.getConsumers();
        }
        return status.getSlots().stream()
                .allMatch(slot -> slot.getState() == ConsumerState.EXPECTED
                        || (slot.getGeneration() == slot.getConsumer()
                                && incarnations.contains(slot.getIncarnation())));
    }
}
