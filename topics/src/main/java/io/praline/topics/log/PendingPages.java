package io.praline.topics.log;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/** Pages of values whose heads have not come yet, as {@link PagedValue} has them. Belongs to one thread at a time. */
public final class PendingPages {
    /** By the value's key and their number. */
    private final Map<ByteBuffer, Map<Integer, byte[]>> pages = new HashMap<>();

    /** A page came. */
    public void add(byte[] key, byte[] value) {
        pages.computeIfAbsent(ByteBuffer.wrap(PagedValue.owner(key)), none -> new HashMap<>())
                .put(PagedValue.number(key), value);
    }

    /** A head came: the whole value; empty where its pages are of a newer one already, which follows. */
    public Optional<byte[]> whole(Headers headers, byte[] key, byte[] head) {
        Map<Integer, byte[]> its = pages.getOrDefault(ByteBuffer.wrap(key), Map.of());
        return PagedValue.whole(headers, head, its::get);
    }

    /** The value of this key was taken: its pages are wanted no more. */
    public void taken(byte[] key) {
        pages.remove(ByteBuffer.wrap(key));
    }
}
