package io.praline.dispatcher.ledger.row;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Rows whose changes are held back until they are written all together, or dropped. Who reads sees the changes. Owned by
 * the stream thread.
 */
public final class BufferedRows implements Rows {
    private final Rows store;

    /** By key; empty where the row is deleted. */
    private final TreeMap<byte[], Optional<byte[]>> changes = new TreeMap<>(Arrays::compareUnsigned);

    public BufferedRows(Rows store) {
        this.store = store;
    }

    @Override
    public byte[] get(byte[] key) {
        Optional<byte[]> changed = changes.get(key);
        return changed == null ? store.get(key) : changed.orElse(null);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        changes.put(key, Optional.of(value));
    }

    @Override
    public void delete(byte[] key) {
        changes.put(key, Optional.empty());
    }

    @Override
    public void each(byte[] prefix, BiConsumer<byte[], byte[]> row) {
        Deque<Map.Entry<byte[], Optional<byte[]>>> changed = changed(prefix);
        store.each(prefix, (key, value) -> {
            boolean replaced = false;
            while (!changed.isEmpty() && Arrays.compareUnsigned(changed.peek().getKey(), key) <= 0) {
                replaced = Arrays.equals(changed.peek().getKey(), key);
                give(changed.poll(), row);
            }
            if (!replaced) {
                row.accept(key, value);
            }
        });
        changed.forEach(rest -> give(rest, row));
    }

    private Deque<Map.Entry<byte[], Optional<byte[]>>> changed(byte[] prefix) {
        Deque<Map.Entry<byte[], Optional<byte[]>>> changed = new ArrayDeque<>();
        for (Map.Entry<byte[], Optional<byte[]>> change :
                changes.tailMap(prefix, true).entrySet()) {
            byte[] key = change.getKey();
            if (key.length < prefix.length || !Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
                break;
            }
            changed.add(change);
        }
        return changed;
    }

    private static void give(Map.Entry<byte[], Optional<byte[]>> change, BiConsumer<byte[], byte[]> row) {
        change.getValue().ifPresent(value -> row.accept(change.getKey(), value));
    }

    /**
     * A row that is larger than it may be.
     *
     * @param owner whose it is: a job, or a pool
     */
    public record Large(String owner, int bytes) {}

    /** One of the changed rows that is larger than this; empty where none is. */
    public Optional<Large> largerThan(int most) {
        return changes.entrySet().stream()
                .filter(change ->
                        change.getValue().filter(row -> row.length > most).isPresent())
                .map(change -> new Large(
                        RowKey.owner(change.getKey()), change.getValue().get().length))
                .findFirst();
    }

    /** Writes what changed, each row once. */
    public void write() {
        changes.forEach((key, value) -> value.ifPresentOrElse(put -> store.put(key, put), () -> store.delete(key)));
        changes.clear();
    }

    /** The rows are again as the store has them. */
    public void drop() {
        changes.clear();
    }
}
