package io.praline.policy;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a decision expects of workers.
 *
 * @param quantities each in its unit; what it does not speak of is not there
 */
public record Expected(SortedMap<Quantity, Double> quantities) {
    public static final Expected NOTHING = new Expected(Collections.emptySortedMap());

    public Expected {
        quantities = Collections.unmodifiableSortedMap(new TreeMap<>(quantities));
    }

    /** This too, in the quantity's unit. */
    public Expected with(Quantity quantity, double value) {
        SortedMap<Quantity, Double> more = new TreeMap<>(quantities);
        more.put(quantity, value);
        return new Expected(more);
    }
}
