package io.praline.dispatcher.ledger.row;

import java.util.function.BiConsumer;

/** Where rows lie: the dispatcher's store, or a map. Owned by the stream thread. */
public interface Rows {

    /** The row's bytes; null where there is none, as stores have it. Not to be changed. */
    byte[] get(byte[] key);

    /** Writes the row; the arrays are the store's from then on. */
    void put(byte[] key, byte[] value);

    void delete(byte[] key);

    /** Every row whose key begins so, in the order of the keys. The rows must not change meanwhile. */
    void each(byte[] prefix, BiConsumer<byte[], byte[]> row);
}
