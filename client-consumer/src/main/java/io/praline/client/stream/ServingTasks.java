package io.praline.client.stream;

import io.praline.client.metrics.DemandReporter;
import io.praline.schema.AttemptPlace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How many tasks serve the loop, for its measurement windows. A task counts from its worker's first batch: until then it
 * changes nothing for the loop. A worker that goes on with the next epoch, or with a new task, while it drains the one
 * before has one task, not two.
 *
 * <p>Owned by the stream's lock. A worker that is no longer listed does not serve, whatever still comes of it.
 */
public final class ServingTasks {
    private final DemandReporter demand;
    private final Set<String> workersLocal = new HashSet<>();
    private final Set<String> workersRemote = new HashSet<>();

    /** Incarnations of listed workers of which a batch came. */
    private final Set<String> serving = new HashSet<>();

    private List<AttemptPlace> listed = List.of();

    public ServingTasks(DemandReporter demand) {
        this.demand = demand;
    }

    /** These are the job's attempts from now on. */
    void follow(List<AttemptPlace> attempts) {
        listed = attempts;
        count();
    }

    /** A batch of this worker came. */
    void serves(AttemptPlace place) {
        (place.getLocal() ? workersLocal : workersRemote).add(place.getWorker());
        if (serving.add(place.getIncarnation())) {
            count();
        }
    }

    /** Workers on the trainer's host of which a batch ever came. */
    public int workersLocal() {
        return workersLocal.size();
    }

    /** Workers elsewhere of which a batch ever came. */
    public int workersRemote() {
        return workersRemote.size();
    }

    private void count() {
        Set<String> local = new HashSet<>();
        Set<String> remote = new HashSet<>();
        Set<String> known = new HashSet<>();
        for (AttemptPlace place : listed) {
            known.add(place.getIncarnation());
            if (!place.getFenced() && serving.contains(place.getIncarnation())) {
                (place.getLocal() ? local : remote).add(place.getIncarnation());
            }
        }
        serving.retainAll(known);
        demand.tasks(local.size(), remote.size());
    }
}
