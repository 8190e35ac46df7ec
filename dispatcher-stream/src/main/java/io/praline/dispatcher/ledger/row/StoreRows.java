package io.praline.dispatcher.ledger.row;

import java.util.function.BiConsumer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Rows in a store of Kafka Streams. */
public record StoreRows(KeyValueStore<Bytes, byte[]> store) implements Rows {
    private static final Serializer<byte[]> PLAIN = new ByteArraySerializer();

    @Override
    public byte[] get(byte[] key) {
        return store.get(Bytes.wrap(key));
    }

    @Override
    public void put(byte[] key, byte[] value) {
        store.put(Bytes.wrap(key), value);
    }

    @Override
    public void delete(byte[] key) {
        store.delete(Bytes.wrap(key));
    }

    @Override
    public void each(byte[] prefix, BiConsumer<byte[], byte[]> row) {
        try (KeyValueIterator<Bytes, byte[]> rows = store.prefixScan(prefix, PLAIN)) {
            while (rows.hasNext()) {
                KeyValue<Bytes, byte[]> next = rows.next();
                row.accept(next.key.get(), next.value);
            }
        }
    }
}
