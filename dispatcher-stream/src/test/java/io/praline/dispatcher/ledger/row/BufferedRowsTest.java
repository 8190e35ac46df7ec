package io.praline.dispatcher.ledger.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** Buffered rows read as if each change were written at once, whatever holds the rows under them. */
class BufferedRowsTest {
    private static final String[] KEYS = {"a", "aa", "ab", "aba", "b", "ba", "\u00fc", "z"};

    @Property(tries = 300)
    void whoReadsSeesEveryChangeAndTheStoreNoneUntilAllAreWritten(@ForAll long seed) {
        Random random = new Random(seed);
        StoreRows under = new StoreRows(store());
        BufferedRows rows = new BufferedRows(under);
        MapRows written = new MapRows();
        MapRows seen = new MapRows();
        for (int step = 0; step < 60; step++) {
            byte[] key = bytes(KEYS[random.nextInt(KEYS.length)]);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    byte[] value = {(byte) step};
                    rows.put(key, value);
                    seen.put(key, value);
                }
                case 3, 4 -> {
                    rows.delete(key);
                    seen.delete(key);
                }
                case 5 -> {
                    rows.write();
                    written = copy(seen);
                }
                case 6 -> {
                    rows.drop();
                    seen = copy(written);
                }
                default -> assertThat(rows.get(key)).isEqualTo(seen.get(key));
            }
            byte[] prefix = bytes(KEYS[random.nextInt(KEYS.length)]);
            assertThat(all(rows, prefix)).isEqualTo(all(seen, prefix));
            assertThat(all(under, prefix)).isEqualTo(all(written, prefix));
        }
    }

    private static KeyValueStore<Bytes, byte[]> store() {
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore("rows"), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .withCachingDisabled()
                .build();
        store.init(new MockProcessorContext<>(new Properties()).getStateStoreContext(), store);
        return store;
    }

    private static MapRows copy(MapRows rows) {
        MapRows copy = new MapRows();
        rows.each(new byte[0], copy::put);
        return copy;
    }

    private static List<String> all(Rows rows, byte[] prefix) {
        List<String> all = new ArrayList<>();
        rows.each(prefix, (key, value) -> all.add(new String(key, StandardCharsets.UTF_8) + "=" + value[0]));
        return all;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
