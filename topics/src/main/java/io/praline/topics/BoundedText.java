package io.praline.topics;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts for people, no longer than a record has room for. */
public final class BoundedText {
    private static final String ELLIPSIS = "...";

    private BoundedText() {}

    /** The text, cut to {@link Agreements#REASON_BYTES}; one that is cut says so by its end. */
    public static String reason(String text) {
        return cut(text, Agreements.REASON_BYTES);
    }

    /** The text, cut to so many bytes of UTF-8, never within a character; one that is cut says so by its end. */
    public static String cut(String text, int bytes) {
        // most texts are short: a char takes at most three bytes
        if (text.length() <= bytes / 3) {
            return text;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= bytes) {
            return text;
        }
        int end = bytes - ELLIPSIS.length();
        while ((utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(Arrays.copyOf(utf8, end), StandardCharsets.UTF_8) + ELLIPSIS;
    }

    /** The end of the text, as {@link #cut} has its beginning: paths tell themselves apart there. */
    public static String end(String text, int bytes) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= bytes) {
            return text;
        }
        int begin = utf8.length - bytes + ELLIPSIS.length();
        while (begin < utf8.length && (utf8[begin] & 0xC0) == 0x80) {
            begin++;
        }
        return ELLIPSIS + new String(utf8, begin, utf8.length - begin, StandardCharsets.UTF_8);
    }
}
