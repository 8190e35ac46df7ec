package io.praline.worker.attempt.entry;

import io.praline.worker.cache.EntryRecord;
import io.praline.worker.graph.caching.EntryLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * An element as it is written, see {@link EntryLayout}.
 *
 * @param fields of all elements that came together: bytes of a fixed size one behind the other, or strings
 * @param count how many came together
 * @param index which one of them
 * @param number within its split
 */
record RecordOfElement(EntryLayout layout, List<ByteBuffer> fields, int count, int index, int number)
        implements EntryRecord {

    @Override
    public int bytes() {
        long bytes = layout.headEnd();
        for (int i = 0; i < fields.size(); i++) {
            bytes += layout.fields().get(i).fixed() ? 0 : end(fields.get(i)) - start(fields.get(i));
        }
        return Math.toIntExact(bytes);
    }

    /** Offsets count from behind the offsets. */
    private long start(ByteBuffer strings) {
        return strings.getLong(index * Long.BYTES);
    }

    private long end(ByteBuffer strings) {
        return strings.getLong((index + 1) * Long.BYTES);
    }

    @Override
    public void put(ByteBuffer into) {
        int begin = into.position();
        for (int i = 0; i < fields.size(); i++) {
            EntryLayout.Field field = layout.fields().get(i);
            if (field.fixed()) {
                pad(into, begin + field.at());
                into.put(part(fields.get(i), (long) index * field.bytes(), field.bytes()));
            }
        }
        pad(into, begin + layout.headAt());
        into.putLong(number);
        for (int i = 0; i < fields.size(); i++) {
            if (!layout.fields().get(i).fixed()) {
                into.putLong(end(fields.get(i)) - start(fields.get(i)));
            }
        }
        for (int i = 0; i < fields.size(); i++) {
            if (!layout.fields().get(i).fixed()) {
                long from = (count + 1L) * Long.BYTES + start(fields.get(i));
                into.put(part(fields.get(i), from, end(fields.get(i)) - start(fields.get(i))));
            }
        }
    }

    private static void pad(ByteBuffer into, int until) {
        while (into.position() < until) {
            into.put((byte) 0);
        }
    }

    private static ByteBuffer part(ByteBuffer of, long from, long bytes) {
        return of.slice(Math.toIntExact(from), Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
