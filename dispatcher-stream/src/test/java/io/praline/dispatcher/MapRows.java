package io.praline.dispatcher;

import io.praline.dispatcher.ledger.row.Rows;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Rows in a map, which counts what is written to it as a changelog would. */
public final class MapRows implements Rows {
    private final TreeMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    private long writtenBytes;

    @Override
    public byte[] get(byte[] key) {
        return rows.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        writtenBytes += key.length + value.length;
        rows.put(key, value);
    }

    @Override
    public void delete(byte[] key) {
        if (rows.remove(key) != null) {
            writtenBytes += key.length;
        }
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

    /** The same rows, of which nothing is written yet. */
    MapRows copy() {
        MapRows copy = new MapRows();
        copy.rows.putAll(rows);
        return copy;
    }

    /** All of them, in hexadecimal. */
    SortedMap<String, String> text() {
        SortedMap<String, String> text = new TreeMap<>();
        rows.forEach((key, value) ->
                text.put(HexFormat.of().formatHex(key), HexFormat.of().formatHex(value)));
        return text;
    }

    /** Whether the others are the same, byte for byte. */
    boolean same(MapRows others) {
        return rows.size() == others.rows.size()
                && rows.entrySet().stream()
                        .allMatch(row -> Arrays.equals(row.getValue(), others.rows.get(row.getKey())));
    }

    /** Bytes of keys and values written so far. */
    public long writtenBytes() {
        return writtenBytes;
    }

    /** Bytes of all keys and values that are there. */
    public long bytes() {
        return rows.entrySet().stream()
                .mapToLong(row -> row.getKey().length + row.getValue().length)
                .sum();
    }

    /** Keys of rows whose key holds this text behind its kind. */
    public List<byte[]> keys(String owner) {
        return rows.keySet().stream()
                .filter(key -> new String(key, 1, key.length - 1, StandardCharsets.UTF_8).startsWith(owner))
                .toList();
    }

    /** The kind of each row, in order. */
    public String kinds() {
        StringBuilder kinds = new StringBuilder();
        rows.keySet().forEach(key -> kinds.append((char) key[0]));
        return kinds.toString();
    }

    /** How many there are of a kind. */
    public long count(char kind) {
        return rows.keySet().stream().filter(key -> key[0] == kind).count();
    }

    public int size() {
        return rows.size();
    }
}
