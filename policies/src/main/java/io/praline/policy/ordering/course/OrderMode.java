package io.praline.policy.ordering.course;

import java.util.Arrays;
import java.util.Locale;

/** How equal results must be where a job's steps run in another order than their author wrote. */
public enum OrderMode {
    /** Bit for bit. */
    EXACT,
    /** Up to rounding. */
    TOLERANT,
    /** The published order, whatever becomes of results. */
    PECAN,
    /** As written. */
    OFF;

    /**
     * By the word that users type; an empty one is what is usual.
     *
     * @throws IllegalArgumentException naming the words that there are
     */
    public static OrderMode of(String word) {
        if (word.isEmpty()) {
            return EXACT;
        }
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("order must be one of "
                        + Arrays.stream(values()).map(OrderMode::word).toList() + ", is '" + word + "'"));
    }

    /** As users type it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
