package io.praline.worker.attempt.input;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.storage.FileVersion;
import java.util.OptionalLong;

/** Splits of the log as the engine takes them. */
public final class Feed {
    private Feed() {}

    /** What to read. */
    public static FeedSplit split(AssignedSplit assigned) {
        Split split = assigned.getSplit();
        SplitKind kind = split.getKind();
        boolean range = kind == SplitKind.RECORD_RANGE;
        return new FeedSplit(
                assigned.getOrdinal(),
                split.getSource(),
                split.getPaths(),
                split.getFrom(),
                range ? behind(split) : split.getUntil(),
                kind == SplitKind.INTEGERS ? split.getStep() : 1,
                range
                        ? OptionalLong.of(split.getRecords()
                                .orElseThrow(
                                        () -> new IllegalArgumentException("a range of records must say how many")))
                        : OptionalLong.empty(),
                OptionalLong.empty(),
                Settlement.skipOf(assigned));
    }

    /** Bytes that follow a range in its object; 0 in a file, of which nobody knows how long it will be. */
    private static long behind(Split range) {
        return range.getVersions().isEmpty()
                ? 0
                : FileVersion.parse(range.getVersions().get(0)).bytes() - range.getUntil();
    }
}
