package io.praline.policy.caching;

/**
 * A place in a pipeline behind which elements may be kept.
 *
 * @param number counted from the source, which is 0
 * @param step that it stands behind, as people know it
 * @param prefix digest of what is executed up to it, with all that it depends on: equal ones make equal elements
 */
public record CachePoint(int number, String step, String prefix) {
    public CachePoint {
        if (number < 0) {
            throw new IllegalArgumentException("number must not be negative, is " + number);
        }
        if (prefix.isEmpty()) {
            throw new IllegalArgumentException("prefix must not be empty, is so at point " + number);
        }
    }

    /** Whether it keeps records as they are read. */
    public boolean source() {
        return number == 0;
    }

    /** What it keeps, for people. */
    public String kept() {
        return source() ? "records as they are read" : "what comes out of " + step;
    }
}
