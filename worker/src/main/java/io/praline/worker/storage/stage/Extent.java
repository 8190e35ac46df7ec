package io.praline.worker.storage.stage;

import io.praline.worker.storage.FileVersion;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes of an object that lie on disk, at the places that they have in it: a range leaves a hole before it, and has the object's
 * length.
 *
 * @param from the first one
 * @param until the one behind the last
 * @param all how many the object has
 */
record Extent(long from, long until, long all) {
    private static final Pattern RANGE = Pattern.compile(".*-([0-9]+)-([0-9]+)");

    Extent {
        if (from < 0 || until < from || until > all) {
            throw new IllegalArgumentException("bytes " + from + " to " + until + " are no range of " + all);
        }
    }

    static Extent whole(FileVersion version) {
        return new Extent(0, version.bytes(), version.bytes());
    }

    long bytes() {
        return until - from;
    }

    boolean isWhole() {
        return bytes() == all;
    }

    /** What a file with these bytes is called, of an object whose file is called so. */
    String name(String whole) {
        return isWhole() ? whole : whole + "-" + from + "-" + until;
    }

    /**
     * How many bytes a file holds, its hole apart.
     *
     * @param name by {@link #name}
     * @param length of the file
     */
    static long bytes(String name, long length) {
        Matcher range = RANGE.matcher(name);
        return range.matches() ? Long.parseLong(range.group(2)) - Long.parseLong(range.group(1)) : length;
    }
}
