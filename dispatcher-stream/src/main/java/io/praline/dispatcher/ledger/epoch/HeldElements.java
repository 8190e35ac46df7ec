package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.roaringbitmap.RoaringBitmap;

/** Elements of a split by who has them; nobody is in it who has none. Owned by the stream thread. */
final class HeldElements {
    private final SortedMap<Integer, RoaringBitmap> byHolder = new TreeMap<>();

    void add(int holder, RoaringBitmap elements) {
        if (!elements.isEmpty()) {
            byHolder.computeIfAbsent(holder, none -> new RoaringBitmap()).or(elements);
        }
    }

    /** Takes those of these that the holder has; gives them. */
    RoaringBitmap take(int holder, RoaringBitmap elements) {
        RoaringBitmap held = byHolder.get(holder);
        if (held == null) {
            return new RoaringBitmap();
        }
        RoaringBitmap taken = RoaringBitmap.and(held, elements);
        held.andNot(taken);
        if (held.isEmpty()) {
            byHolder.remove(holder);
        }
        return taken;
    }

    /** Takes all that the holder has; gives them. */
    RoaringBitmap takeAll(int holder) {
        RoaringBitmap held = byHolder.remove(holder);
        return held == null ? new RoaringBitmap() : held;
    }

    boolean isEmpty() {
        return byHolder.isEmpty();
    }

    boolean has(int holder) {
        return byHolder.containsKey(holder);
    }

    /** How many each holder has. */
    SortedMap<Integer, Integer> counts() {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        byHolder.forEach((holder, elements) -> counts.put(holder, elements.getCardinality()));
        return counts;
    }

    /** Those that the holder has. */
    RoaringBitmap of(int holder) {
        return has(holder) ? byHolder.get(holder).clone() : new RoaringBitmap();
    }

    /** All that somebody has go there. */
    void addAllTo(RoaringBitmap elements) {
        byHolder.values().forEach(elements::or);
    }

    /** The holder of the lowest number; empty where nobody has any. */
    OptionalInt first() {
        return isEmpty() ? OptionalInt.empty() : OptionalInt.of(byHolder.firstKey());
    }

    SortedSet<Integer> holders() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(byHolder.keySet()));
    }

    void write(RowWriter out) {
        out.number(byHolder.size());
        byHolder.forEach((holder, elements) -> out.number(holder).bitmap(elements));
    }

    void read(RowReader in) {
        int size = in.small();
        for (int i = 0; i < size; i++) {
            int holder = in.small();
            byHolder.put(holder, in.bitmap());
        }
    }
}
