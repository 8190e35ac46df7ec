package io.praline.worker.attempt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/**
 * What comes out of a pipeline over integers, as far as it is certain: how many values, and out of which.
 *
 * @param elements each with its values, padding left out; single values where the order is not known
 * @param rank 0: an element is a value; 1: a batch of them; 2: a batch of batches
 * @param each how many values each element has; 0 where they differ
 * @param ordered whether elements come in this order
 * @param least values that come for certain
 * @param most values that may come, all of them among the elements'
 * @param padded whether batches may hold padding
 * @param dropped whether some are missing at the end of each reading, where nobody can say which
 */
record ExpectedRows(
        List<List<Long>> elements,
        int rank,
        int each,
        boolean ordered,
        int least,
        int most,
        boolean padded,
        int dropped) {
    ExpectedRows {
        elements = List.copyOf(elements);
    }

    /**
     * How a step is read.
     *
     * @param exact whether it is read from its beginning to its end once, as in one process
     * @param ends how often its end comes, each with a remainder of its own
     */
    record Reading(boolean exact, int ends) {
        static final Reading ONE_PROCESS = new Reading(true, 1);
    }

    /** Single values in their order. */
    static ExpectedRows of(List<Long> values) {
        return new ExpectedRows(singles(values), 0, 1, true, values.size(), values.size(), false, 0);
    }

    private static List<List<Long>> singles(List<Long> values) {
        return values.stream().map(List::of).toList();
    }

    /** All values that may come. */
    List<Long> values() {
        return elements.stream().flatMap(List::stream).toList();
    }

    private ExpectedRows with(List<List<Long>> others) {
        int count = others.stream().mapToInt(List::size).sum();
        return with(others, count, count);
    }

    private ExpectedRows with(List<List<Long>> others, int fewest, int atMost) {
        return new ExpectedRows(others, rank, each, ordered, Math.max(0, fewest), atMost, padded, dropped);
    }

    ExpectedRows map(LongUnaryOperator function) {
        return with(
                elements.stream()
                        .map(element ->
                                element.stream().map(function::applyAsLong).toList())
                        .toList(),
                least,
                most);
    }

    ExpectedRows filter(Predicate<Long> keep) {
        List<List<Long>> kept =
                elements.stream().filter(element -> keep.test(element.get(0))).toList();
        return with(kept, least - (elements.size() - kept.size()), Math.min(most, kept.size()));
    }

    /** @param function of a batch; empty where it is left out */
    ExpectedRows batches(Function<List<Long>, Optional<List<Long>>> function) {
        return with(elements.stream()
                .flatMap(batch -> function.apply(batch).stream())
                .toList());
    }

    ExpectedRows copies(int modulus) {
        List<Long> copies = new ArrayList<>();
        for (long value : values()) {
            for (long i = 0; i < Math.floorMod(value, modulus); i++) {
                copies.add(10 * value + i);
            }
        }
        return with(singles(copies), least == elements.size() ? copies.size() : 0, copies.size());
    }

    ExpectedRows shuffled() {
        return new ExpectedRows(singles(values()), rank, each, false, least, most, padded, dropped);
    }

    ExpectedRows take(int count) {
        if (ordered) {
            return with(elements.subList(0, Math.min(count, elements.size())));
        }
        return with(elements, Math.min(count, least), Math.min(count, most));
    }

    ExpectedRows skip(int count) {
        if (ordered) {
            return with(elements.subList(Math.min(count, elements.size()), elements.size()));
        }
        return with(elements, least - count, Math.max(0, most - count));
    }

    ExpectedRows shard(int count, int index) {
        if (!ordered) {
            return with(elements, shardOf(least, count, index), shardOf(most, count, index));
        }
        List<List<Long>> shard = new ArrayList<>();
        for (int i = index; i < elements.size(); i += count) {
            shard.add(elements.get(i));
        }
        return with(shard);
    }

    private static int shardOf(int size, int count, int index) {
        return size <= index ? 0 : (size - index - 1) / count + 1;
    }

    ExpectedRows repeat(int times) {
        return with(
                Collections.nCopies(times, elements).stream()
                        .flatMap(List::stream)
                        .toList(),
                least * times,
                most * times);
    }

    ExpectedRows concatenate(List<Long> values) {
        List<List<Long>> both = new ArrayList<>(elements);
        both.addAll(singles(values));
        return with(both, least + values.size(), most + values.size());
    }

    /** To the values of the elements, in their order, these are added; ends with the shorter of both. */
    ExpectedRows zip(List<Long> addends) {
        List<List<Long>> zipped = new ArrayList<>();
        for (int i = 0; i < Math.min(elements.size(), addends.size()); i++) {
            long addend = addends.get(i);
            zipped.add(elements.get(i).stream().map(value -> value + addend).toList());
        }
        return with(zipped);
    }

    ExpectedRows sums() {
        List<Long> sums = new ArrayList<>();
        long sum = 0;
        for (long value : values()) {
            sum += value;
            sums.add(sum);
        }
        return with(singles(sums));
    }

    ExpectedRows unique() {
        List<Long> distinct = new ArrayList<>(new LinkedHashSet<>(values()));
        return with(
                singles(distinct), least == elements.size() ? distinct.size() : Math.min(1, least), distinct.size());
    }

    ExpectedRows whileBelow(long bound) {
        return with(
                elements.stream().takeWhile(element -> element.get(0) < bound).toList());
    }

    ExpectedRows windows(int size, int shift, boolean dropRemainder) {
        List<List<Long>> windows = new ArrayList<>();
        List<Long> values = values();
        for (int from = 0; from < values.size(); from += shift) {
            List<Long> window = values.subList(from, Math.min(from + size, values.size()));
            if (window.size() == size || !dropRemainder) {
                windows.add(window);
            }
        }
        int count = windows.stream().mapToInt(List::size).sum();
        return new ExpectedRows(windows, 1, dropRemainder ? size : 0, true, count, count, false, dropped);
    }

    ExpectedRows groups() {
        return new ExpectedRows(elements, 1, 0, false, least, most, false, dropped);
    }

    /** Of batches that leave none out, or in one process. */
    ExpectedRows unbatch() {
        return new ExpectedRows(singles(values()), 0, 1, ordered, least, most, false, 0);
    }

    /** @param pads whether what is shorter than others is padded, not refused */
    ExpectedRows batch(int size, boolean dropRemainder, boolean pads, Reading reading) {
        int unit = each * size;
        int next = dropRemainder ? unit : 0;
        boolean padding = padded || (pads && each == 0);
        if (ordered && (reading.exact() || !dropRemainder)) {
            List<List<Long>> batches = new ArrayList<>();
            for (int from = 0; from < elements.size(); from += size) {
                List<List<Long>> batch = elements.subList(from, Math.min(from + size, elements.size()));
                if (batch.size() == size || !dropRemainder) {
                    batches.add(batch.stream().flatMap(List::stream).toList());
                }
            }
            return dropRemainder
                    ? new ExpectedRows(batches, rank + 1, next, true, 0, 0, padding, dropped).with(batches)
                    : new ExpectedRows(batches, rank + 1, next, true, least, most, padding, dropped);
        }
        int fewest = least;
        int atMost = most;
        int tail = dropped;
        if (dropRemainder) {
            boolean whole = reading.exact() || (reading.ends() == 1 && (rank > 0 || dropped == 0));
            fewest = whole ? least - least % unit : Math.max(0, least - reading.ends() * (unit - each));
            atMost = whole ? most - most % unit : most;
            tail += reading.exact() ? 0 : reading.ends() * (unit - each);
        }
        return new ExpectedRows(singles(values()), rank + 1, next, false, fewest, atMost, padding, tail);
    }
}
