package io.praline.policy.caching;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What of a job may be kept. */
public enum CacheMode {
    /** What pays, if anything does. */
    AUTO,
    /** Nothing. */
    OFF,
    /** Records as they are read. */
    SOURCE,
    /** What is behind a transformation: the point that pays best. */
    PREFIX,
    /** What is behind the last point. */
    FULL;

    /**
     * By the word that users type; an empty one is what is usual.
     *
     * @throws IllegalArgumentException naming the words that there are
     */
    public static CacheMode of(String word) {
        if (word.isEmpty()) {
            return AUTO;
        }
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("cache must be one of "
                        + Arrays.stream(values()).map(CacheMode::word).toList() + ", is '" + word + "'"));
    }

    /** As users type it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether entries are written because the user said so, whatever they cost. */
    public boolean forced() {
        return switch (this) {
            case SOURCE, PREFIX, FULL -> true;
            case AUTO, OFF -> false;
        };
    }

    /** Those of a pipeline's points, in their order, behind which elements may be kept. */
    public List<CachePoint> allowed(List<CachePoint> points) {
        return switch (this) {
            case OFF -> List.of();
            case AUTO -> points;
            case SOURCE -> points.stream().filter(CachePoint::source).toList();
            case PREFIX -> points.stream().filter(point -> !point.source()).toList();
            case FULL -> points.isEmpty() ? points : points.subList(points.size() - 1, points.size());
        };
    }
}
