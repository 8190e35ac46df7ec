package io.praline.worker.metrics;

import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptProgress;
import io.praline.schema.Exclusion;
import io.praline.topics.BoundedText;
import java.util.ArrayList;
import java.util.List;

/** How much a beat tells: less, where Kafka found the one before too large. */
enum BeatSize {
    /** All there is. */
    WHOLE,
    /** All that counts, and little for people. */
    TERSE,
    /** And of one attempt only what happened to it; of the others how they are. */
    ONE_BY_ONE;

    private static final int TERSE_REASON_BYTES = 200;

    static BeatSize smallest() {
        return ONE_BY_ONE;
    }

    BeatSize smaller() {
        return this == WHOLE ? TERSE : ONE_BY_ONE;
    }

    /** What is told of attempts, in their order. */
    List<AttemptProgress> fitted(List<AttemptProgress> progress) {
        return switch (this) {
            case WHOLE -> progress;
            case TERSE -> progress.stream().map(BeatSize::terse).toList();
            case ONE_BY_ONE -> oneByOne(progress);
        };
    }

    private static List<AttemptProgress> oneByOne(List<AttemptProgress> progress) {
        List<AttemptProgress> fitted = new ArrayList<>();
        boolean any = false;
        for (AttemptProgress each : progress) {
            fitted.add(any && each.getFacts() > 0 ? withoutFacts(each) : terse(each));
            any |= each.getFacts() > 0;
        }
        return fitted;
    }

    private static AttemptProgress terse(AttemptProgress progress) {
        return AttemptProgress.newBuilder(progress)
                .setExcluded(progress.getExcluded().stream()
                        .map(excluded -> Exclusion.newBuilder(excluded)
                                .setDetails(List.of())
                                .build())
                        .toList())
                .setFailure(progress.getFailure()
                        .map(failure -> new AttemptFailure(
                                failure.getKind(),
                                BoundedText.cut(failure.getReason(), TERSE_REASON_BYTES),
                                failure.getStillSeconds()))
                        .orElse(null))
                .setMetrics(null)
                .build();
    }

    private static AttemptProgress withoutFacts(AttemptProgress progress) {
        return AttemptProgress.newBuilder(progress)
                .setDigests(List.of())
                .setOpened(List.of())
                .setExcluded(List.of())
                .setClosedLanes(List.of())
                .setEnd(null)
                .setFailure(null)
                .setMetrics(null)
                .setFacts(0)
                .build();
    }
}
