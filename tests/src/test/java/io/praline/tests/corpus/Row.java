package io.praline.tests.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What of a row is compared with values. */
public record Row(List<Cell> cells) {
    public Row {
        cells = List.copyOf(cells);
    }

    /**
     * How two bags of rows differ.
     *
     * @param missing rows that were expected and did not come
     * @param strange rows that came and were not expected
     */
    public record Difference(List<Row> missing, List<Row> strange) {
        public Difference {
            missing = List.copyOf(missing);
            strange = List.copyOf(strange);
        }
    }

    /** Compares bags: a row that was expected twice must come twice, in whatever order. */
    public static Difference difference(List<Row> expected, List<Row> came) {
        Map<String, List<Row>> left = byKey(came);
        List<Row> missing = new ArrayList<>();
        for (Row row : expected) {
            if (!takeOne(left.getOrDefault(row.key(), new ArrayList<>()), row)) {
                missing.add(row);
            }
        }
        return new Difference(
                missing, left.values().stream().flatMap(List::stream).toList());
    }

    private static boolean takeOne(List<Row> from, Row alike) {
        for (Iterator<Row> candidates = from.iterator(); candidates.hasNext(); ) {
            if (candidates.next().isLike(alike)) {
                candidates.remove();
                return true;
            }
        }
        return false;
    }

    /** Those rows of which there is none alike. */
    static List<Row> strangersTo(List<Row> known, List<Row> came) {
        Map<String, List<Row>> there = byKey(known);
        return came.stream()
                .filter(row -> there.getOrDefault(row.key(), List.of()).stream().noneMatch(row::isLike))
                .toList();
    }

    private static Map<String, List<Row>> byKey(List<Row> rows) {
        return rows.stream().collect(Collectors.groupingBy(Row::key, HashMap::new, Collectors.toList()));
    }

    boolean isLike(Row other) {
        if (cells.size() != other.cells.size()) {
            return false;
        }
        for (int i = 0; i < cells.size(); i++) {
            if (!cells.get(i).isLike(other.cells.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** What must be the same to the last bit. */
    String key() {
        return cells.stream().map(Cell::key).collect(Collectors.joining(", "));
    }

    /** Types and shapes alone. */
    String outline() {
        return cells.stream().map(cell -> cell.type() + cell.shape()).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return cells.toString();
    }
}
