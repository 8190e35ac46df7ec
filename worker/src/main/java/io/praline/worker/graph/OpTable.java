package io.praline.worker.graph;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The table {@code op-traits.tsv}, which stands beside this class, as {@link OpTraits}. */
final class OpTable {
    private static final String TABLE = "op-traits.tsv";

    private OpTable() {}

    /** The rows by the names of the ops. */
    static Map<String, OpTraits> read() {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(OpTable.class.getResourceAsStream(TABLE), StandardCharsets.UTF_8))) {
            return rows(lines.lines());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** @param lines of the table, the first of which names its columns */
    static Map<String, OpTraits> rows(Stream<String> lines) {
        Map<String, OpTraits> rows = new TreeMap<>();
        lines.skip(1).map(OpTable::row).forEach(row -> {
            if (rows.put(row.op(), row) != null) {
                throw new IllegalStateException(TABLE + " has two rows for " + row.op());
            }
        });
        return Collections.unmodifiableMap(rows);
    }

    /** A line of the table, by tabs: the columns are those of its first line. */
    private static OpTraits row(String line) {
        String[] cells = line.split("\t", -1);
        if (cells.length != 10) {
            throw new IllegalStateException(TABLE + " must have 10 columns in each line: " + line);
        }
        String draws = cells[7];
        return new OpTraits(
                cells[0],
                true,
                value(OpTraits.Family.class, cells[1]),
                value(OpTraits.Grain.class, cells[2]),
                either(cells[3], "kept", "lost"),
                value(OpTraits.Drops.class, cells[4]),
                value(OpTraits.Repeats.class, cells[5]),
                either(cells[6], "yes", "no"),
                draws.equals("-")
                        ? OpTraits.Draws.NOTHING
                        : draws.equals("unkeyed") ? OpTraits.Draws.UNKEYABLE : OpTraits.Draws.KEYABLE,
                draws.startsWith("Stateless") ? Optional.of(draws) : Optional.empty(),
                inputs(cells[8]),
                cells[9].equals("-") ? "" : cells[9]);
    }

    private static Map<OpTraits.Input, Integer> inputs(String cell) {
        Map<OpTraits.Input, Integer> inputs = new EnumMap<>(OpTraits.Input.class);
        if (!cell.equals("-")) {
            for (String each : cell.split(" ", -1)) {
                String[] named = each.split(":", -1);
                inputs.put(value(OpTraits.Input.class, named[0]), Integer.valueOf(named[1]));
            }
        }
        return inputs;
    }

    private static boolean either(String cell, String yes, String no) {
        if (!cell.equals(yes) && !cell.equals(no)) {
            throw new IllegalStateException(TABLE + " must say " + yes + " or " + no + ", says " + cell);
        }
        return cell.equals(yes);
    }

    private static <E extends Enum<E>> E value(Class<E> values, String cell) {
        return Enum.valueOf(values, cell.toUpperCase(Locale.ROOT).replace(' ', '_'));
    }
}
