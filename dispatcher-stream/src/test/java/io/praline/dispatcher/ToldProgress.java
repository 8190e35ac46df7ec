package io.praline.dispatcher;

import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import java.util.List;

/** What a worker tells of an attempt. */
public final class ToldProgress {
    private ToldProgress() {}

    /** That it runs, took its first assignment, and has opened all of that and made one batch of one element. */
    public static AttemptProgress.Builder of(AttemptKey key) {
        return AttemptProgress.newBuilder()
                .setJob(key.job())
                .setEpoch(key.epoch())
                .setAttempt(key.attempt())
                .setPhase(AttemptPhase.RUNNING)
                .setAssignedThrough(1)
                .setUnopened(0)
                .setSplitSeconds(0)
                .setOpened(List.of())
                .setExcluded(List.of())
                .setBatches(1)
                .setElements(1)
                .setBytes(1)
                .setOutboxBytes(0);
    }
}
