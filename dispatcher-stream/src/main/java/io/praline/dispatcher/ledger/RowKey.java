package io.praline.dispatcher.ledger;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Keys of rows, as the package's description draws them. */
final class RowKey {
    static final char JOB = 'j';
    static final char SUBMISSION = 's';
    static final char PLAN = 'p';
    static final char PAGE = 'g';
    static final char EPOCH = 'e';
    static final char RETURNED = 'r';
    static final char CLOSED = 'c';
    static final char SPLIT = 'o';
    static final char ATTEMPT = 'a';
    static final char PLACE = 'b';
    static final char CONSUMER = 'u';
    static final char BAD = 'x';
    static final char WORKER = 'w';
    static final char POOL = 'q';
    static final char KNOWN = 'k';
    static final char SHADOW = 'h';
    static final char TENANT = 't';
    static final char CLOCK = 'l';
    static final char FORMAT = 'v';
    static final char PAST = 'd';
    static final char SUSPECT = 'y';
    static final char ORDER = 'z';
    static final char PROVED = 'f';
    static final char CACHE = 'i';
    static final char GROUP = 'n';

    private RowKey() {}

    /** Of the one row of a kind. */
    static byte[] alone(char kind) {
        return new byte[] {(byte) kind};
    }

    static byte[] of(char kind, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + text.length).put((byte) kind).put(text).array();
    }

    /** With the zero byte behind the name: the prefix of all that belongs to it, or the head of a longer key. */
    static byte[] under(char kind, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + text.length)
                .put((byte) kind)
                .put(text)
                .put((byte) 0)
                .array();
    }

    static byte[] of(char kind, String name, int number) {
        byte[] head = under(kind, name);
        return ByteBuffer.allocate(head.length + Integer.BYTES)
                .put(head)
                .putInt(number)
                .array();
    }

    static byte[] of(char kind, String name, int number, int second) {
        byte[] head = under(kind, name);
        return ByteBuffer.allocate(head.length + 2 * Integer.BYTES)
                .put(head)
                .putInt(number)
                .putInt(second)
                .array();
    }

    static byte[] of(char kind, String name, String second) {
        byte[] head = under(kind, name);
        byte[] text = second.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(head.length + text.length)
                .put(head)
                .put(text)
                .array();
    }

    /** The text behind the kind. */
    static String name(byte[] key) {
        return new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
    }

    /** The text behind the kind up to the zero byte, if there is one. */
    static String owner(byte[] key) {
        int end = 1;
        while (end < key.length && key[end] != 0) {
            end++;
        }
        return new String(key, 1, end - 1, StandardCharsets.UTF_8);
    }

    /** The last number of the key. */
    static int lastNumber(byte[] key) {
        return ByteBuffer.wrap(key).getInt(key.length - Integer.BYTES);
    }

    /** The text between the kind and the zero byte, and the text behind that. */
    static String[] names(byte[] key) {
        String both = name(key);
        int zero = both.indexOf('\0');
        return new String[] {both.substring(0, zero), both.substring(zero + 1)};
    }
}
