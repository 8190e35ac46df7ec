package io.praline.topics.log;

import io.praline.topics.Agreements;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A value that is larger than a record may be, in several. They lie one behind the other in the partition of the value's
 * key, in one transaction: first its pages, then the record of the key itself, the <em>head</em>. So who has read the head
 * has all of it, and applies it whole.
 *
 * <pre>
 *   page   key = the value's, 0, number from 1 on (1 byte); value = bytes behind those of the page before
 *   head   key = the value's; value = its first bytes; header "pages" = how many pages there are (4 bytes),
 *          the length of the whole (4), its CRC-32C (8)
 * </pre>
 *
 * <p>What was cleaned away of an older value, or is of a newer one already, does not add up to what the head says: then the
 * newer one follows.
 */
public final class PagedValue {
    /** Records of one value: who reads it holds it in memory. */
    public static final int MOST_PAGES = 16;

    /** Of a record's value, with room for its key and what a batch costs. */
    public static final int MOST_BYTES = Agreements.RECORD_BYTES - (16 << 10);

    private static final String HEADER = "pages";

    private PagedValue() {}

    /** The value in parts that records hold, the head's first; one where it fits into one. */
    public static List<byte[]> cut(byte[] whole) {
        return cut(whole, MOST_BYTES);
    }

    /** The same, in parts of so many bytes at most. */
    public static List<byte[]> cut(byte[] whole, int most) {
        List<byte[]> parts = new ArrayList<>();
        for (int from = 0; from == 0 || from < whole.length; from += most) {
            parts.add(Arrays.copyOfRange(whole, from, Math.min(whole.length, from + most)));
        }
        return parts;
    }

    /** The key of a page of the value of this key. */
    public static byte[] key(byte[] of, int page) {
        byte[] key = Arrays.copyOf(of, of.length + 2);
        key[of.length + 1] = (byte) page;
        return key;
    }

    /** Whether a record of this key is a page: no key that people or programs choose has such a byte. */
    public static boolean isPage(byte[] key) {
        return key.length >= 2 && key[key.length - 2] == 0;
    }

    /** Which page a record of this key is, counted from 1. */
    static int number(byte[] key) {
        return key[key.length - 1];
    }

    /** The key of the value that a record of this key belongs to. */
    public static byte[] owner(byte[] key) {
        return isPage(key) ? Arrays.copyOf(key, key.length - 2) : key;
    }

    /** Says in the head how its value goes on. */
    public static void tell(Headers head, int pages, byte[] whole) {
        head.add(
                HEADER,
                ByteBuffer.allocate(16)
                        .putInt(pages)
                        .putInt(whole.length)
                        .putLong(sum(whole))
                        .array());
    }

    /**
     * The whole value.
     *
     * @param head its first bytes
     * @param pages by their number, as they were read last; null where none was
     * @return empty where the pages are not those of this head
     */
    public static Optional<byte[]> whole(Headers headers, byte[] head, IntFunction<byte[]> pages) {
        Header told = headers.lastHeader(HEADER);
        if (told == null) {
            return Optional.of(head);
        }
        if (told.value() == null || told.value().length != 16) {
            return Optional.empty();
        }
        ByteBuffer says = ByteBuffer.wrap(told.value());
        int count = says.getInt();
        int length = says.getInt();
        if (count < 1 || count >= MOST_PAGES || length < head.length || length > MOST_PAGES * MOST_BYTES) {
            return Optional.empty();
        }
        ByteBuffer whole = ByteBuffer.allocate(length).put(head);
        for (int page = 1; page <= count; page++) {
            byte[] bytes = pages.apply(page);
            if (bytes == null || bytes.length > whole.remaining()) {
                return Optional.empty();
            }
            whole.put(bytes);
        }
        boolean fits = !whole.hasRemaining() && sum(whole.array()) == says.getLong();
        return fits ? Optional.of(whole.array()) : Optional.empty();
    }

    private static long sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return sum.getValue();
    }
}
