package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.Rows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The orders of steps that were shown to be better in a pool, for jobs to come. Owned by the stream thread. */
public final class ProvedOrders {
    /** That a pool remembers: pipelines that are run again and again are fewer. */
    static final int MOST = 200;

    private final Rows rows;
    private final String pool;

    ProvedOrders(Rows rows, String pool) {
        this.rows = rows;
        this.pool = pool;
    }

    /** The one for a pipeline on its data. */
    public Optional<ProvedRow> of(String what) {
        return Optional.ofNullable(rows.get(key(what))).map(ProvedRow::decode);
    }

    public void save(String what, ProvedRow row) {
        rows.put(key(what), row.encode());
    }

    public void drop(String what) {
        rows.delete(key(what));
    }

    /** The digests of all of them. */
    public Set<String> digests() {
        Set<String> digests = new TreeSet<>();
        rows.each(
                all(),
                (key, value) -> digests.add(ProvedRow.decode(value).variant().digest()));
        return digests;
    }

    /** The newest stay; gives the digests of those that went, whose graphs somebody may have still. */
    public List<String> dropOld() {
        int[] count = new int[1];
        rows.each(all(), (key, value) -> count[0]++);
        return count[0] <= MOST ? List.of() : drop(count[0] - MOST);
    }

    /** Nobody will begin in any of them; gives their digests. */
    public List<String> dropAll() {
        return drop(Integer.MAX_VALUE);
    }

    private List<String> drop(int oldest) {
        List<Map.Entry<byte[], ProvedRow>> byAge = new ArrayList<>();
        rows.each(all(), (key, value) -> byAge.add(Map.entry(key, ProvedRow.decode(value))));
        byAge.sort(Comparator.comparing(each -> each.getValue().at()));
        List<String> digests = new ArrayList<>();
        byAge.stream().limit(oldest).forEach(each -> {
            rows.delete(each.getKey());
            digests.add(each.getValue().variant().digest());
        });
        return digests;
    }

    private byte[] key(String what) {
        return RowKey.of(RowKey.PROVED, pool, what);
    }

    private byte[] all() {
        return RowKey.under(RowKey.PROVED, pool);
    }
}
