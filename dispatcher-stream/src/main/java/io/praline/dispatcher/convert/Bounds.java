package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.epoch.Elements;
import io.praline.identity.TicketRuns;
import io.praline.topics.Agreements;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * How large and how long what a record says may be. Behind these numbers sums do not overflow, loops end and records that
 * are made of it have room for it; nobody who means well comes near them. One for each record, since its tickets count
 * together.
 */
final class Bounds {
    /** A number that is counted up by one, or what one message tells of elements: 2^53 of each are never reached. */
    static final long MOST_COUNTED = 1L << 53;

    /** Elements of one batch or one exclusion: sums of so many messages as can be sent do not overflow. */
    static final long MOST_ELEMENTS = 1L << 40;

    /** Bytes and nanoseconds of a whole life, over all threads. */
    static final long MOST_TOTAL = 1L << 60;

    /** A host, an address, a digest: what machines make. */
    static final int MOST_TEXT_BYTES = 1_000;

    /** Of UTF-8, for one char of Java's. */
    private static final int MOST_BYTES_A_CHAR = 3;

    private long tickets;

    /**
     * The elements of runs of tickets.
     *
     * @throws IllegalArgumentException if they cannot be read, name a record that no split can hold, or are too many
     *     together with those before
     */
    Elements elements(ByteBuffer runs) {
        tickets += TicketRuns.count(runs);
        Elements.requireFew(tickets);
        return Elements.of(runs);
    }

    static void name(String what, String name) {
        Agreements.requireName(what, name);
    }

    /** A text that a machine made, and that is kept as it is. */
    static void text(String what, String text) {
        text(what, text, MOST_TEXT_BYTES);
    }

    static void text(String what, String text, int bytes) {
        // nearly all are so short that they need not be encoded to tell
        if (text.length() > bytes / MOST_BYTES_A_CHAR) {
            int length = text.getBytes(StandardCharsets.UTF_8).length;
            require(length <= bytes, what + " must have at most " + bytes + " bytes, has " + length);
        }
    }

    static void consumer(int consumer) {
        if (consumer < 0 || consumer >= Agreements.MOST_CONSUMERS) {
            throw new IllegalArgumentException(
                    "consumer must be in 0.." + (Agreements.MOST_CONSUMERS - 1) + ", is " + consumer);
        }
    }

    static void attempt(int epoch, int attempt) {
        number("epoch", epoch, Integer.MAX_VALUE);
        number("attempt", attempt, Integer.MAX_VALUE);
    }

    /** From 0 on. Every beat has many: only of what is wrong a sentence is made. */
    static void number(String what, long number, long most) {
        if (number < 0) {
            throw new IllegalArgumentException(what + " must not be negative, is " + number);
        }
        if (number > most) {
            throw new IllegalArgumentException(what + " must be at most " + most + ", is " + number);
        }
    }

    /** Bytes or nanoseconds in the mean, from 0 on. */
    static void amount(String what, double amount) {
        boolean holds = amount >= 0 && amount <= MOST_TOTAL;
        if (!holds) {
            throw new IllegalArgumentException(what + " must be in 0.." + MOST_TOTAL + ", is " + amount);
        }
    }

    static void seconds(String what, double seconds) {
        boolean holds = seconds >= 0 && seconds < Double.POSITIVE_INFINITY;
        if (!holds) {
            throw new IllegalArgumentException(what + " must not be negative, is " + seconds);
        }
    }

    static void size(String what, int size, int most) {
        if (size > most) {
            throw new IllegalArgumentException("there must be at most " + most + " " + what + ", are " + size);
        }
    }

    static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
