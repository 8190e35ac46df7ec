package io.praline.tests.simulation;

import io.praline.dispatcher.ledger.row.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The dispatcher's store: what is written is kept once it is committed, and undone where it is not. */
final class StoredRows implements Rows {
    private final TreeMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Former> formers = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
    private record Former(byte[] key, Optional<byte[]> value) {}

    @Override
    public byte[] get(byte[] key) {
        return rows.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        formers.add(new Former(key, Optional.ofNullable(rows.put(key, value))));
    }

    @Override
    public void delete(byte[] key) {
        formers.add(new Former(key, Optional.ofNullable(rows.remove(key))));
    }

    @Override
    public void each(byte[] prefix, BiConsumer<byte[], byte[]> row) {
        for (Map.Entry<byte[], byte[]> next : rows.tailMap(prefix, true).entrySet()) {
            byte[] key = next.getKey();
            if (key.length < prefix.length || !Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
                return;
            }
            row.accept(key, next.getValue());
        }
    }

    void commit() {
        formers.clear();
    }

    void abort() {
        for (int i = formers.size() - 1; i >= 0; i--) {
            Former former = formers.get(i);
            former.value().ifPresentOrElse(value -> rows.put(former.key(), value), () -> rows.remove(former.key()));
        }
        formers.clear();
    }
}
