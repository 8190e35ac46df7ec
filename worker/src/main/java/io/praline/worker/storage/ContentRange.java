package io.praline.worker.storage;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which part of a file an answer holds.
 *
 * @param from its first byte
 * @param bytes how long the whole file is
 */
record ContentRange(long from, long bytes) {
    private static final Pattern FORM = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    static ContentRange parse(String header) {
        Matcher form = FORM.matcher(header);
        if (!form.matches()) {
            throw new StoreFailed(
                    StoreFailed.Kind.BUSY, "an answer has the range '" + header + "', which is none: bytes A-B/N");
        }
        return new ContentRange(Long.parseLong(form.group(1)), Long.parseLong(form.group(3)));
    }
}
