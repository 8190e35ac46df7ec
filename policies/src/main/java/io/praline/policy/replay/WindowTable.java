package io.praline.policy.replay;

import io.praline.policy.Counted;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Windows as a table of commas and lines, whose first line names the columns, in any order:
 *
 * <pre>
 *   seconds       since the first window; empty: ten more than the row before
 *   remote,local  workers that served the window; empty: 0
 *   batchMillis   milliseconds a batch; empty, zero, negative or absurd: the window is dropped
 *   waitShare     share of the time spent waiting for a batch, 0 to 1; empty: 0
 *   queueDepth    mean number of batches that lay ready; empty: 0
 * </pre>
 *
 * A column that is not there is empty in every row.
 */
public final class WindowTable {
    private static final List<String> COLUMNS =
            List.of("seconds", "remote", "local", "batchMillis", "waitShare", "queueDepth");

    /** In a window, where the table does not tell: what published runs had. A batch counts as one element. */
    private static final int BATCHES = 500;

    private static final double USUAL_SECONDS = 10;
    private static final double LONGEST_BATCH_MILLIS = 86_400_000.0 / BATCHES;

    /** Log time of second 0: any but the epoch itself, which stands for never. */
    private static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");

    private WindowTable() {}

    /**
     * A row.
     *
     * @param seconds since the first window
     * @param workers that served it
     * @param window as policies see it; empty where its times cannot be true
     */
    public record Row(double seconds, Target workers, Optional<WindowClosed> window) {}

    /** Seconds since the first window. */
    public static double seconds(Instant at) {
        return (at.toEpochMilli() - BEGIN.toEpochMilli()) / 1e3;
    }

    /**
     * The table in these lines.
     *
     * @throws IllegalArgumentException naming line and column that cannot be read
     */
    public static List<Row> parse(List<String> lines) {
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("it is empty: its first line must name columns of " + columns());
        }
        List<String> header = cells(lines.get(0).replace("\uFEFF", ""));
        for (String name : header) {
            if (!COLUMNS.contains(name)) {
                throw new IllegalArgumentException("line 1: there is no column '" + name + "': there are " + columns());
            }
        }
        if (header.stream().distinct().count() < header.size() || !header.contains("batchMillis")) {
            throw new IllegalArgumentException("line 1: it must name batchMillis, and no column twice");
        }
        List<Row> rows = new ArrayList<>();
        double before = -USUAL_SECONDS;
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                continue;
            }
            Row row = new Cells(i + 1, header, cells(lines.get(i))).row(before + USUAL_SECONDS);
            if (row.seconds() < before) {
                throw new IllegalArgumentException("line " + (i + 1) + ": seconds must not go back");
            }
            before = row.seconds();
            rows.add(row);
        }
        return rows;
    }

    private static String columns() {
        return String.join(",", COLUMNS);
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
    }

    private record Cells(int line, List<String> header, List<String> cells) {
        Cells {
            if (cells.size() != header.size()) {
                throw new IllegalArgumentException("line " + line + ": it has " + Counted.of(cells.size(), "column")
                        + ", the first line has " + header.size());
            }
        }

        Row row(double usualSeconds) {
            double seconds = number("seconds", usualSeconds);
            Target workers = new Target(whole("remote"), whole("local"));
            double millis = number("batchMillis", 0);
            double waitShare = number("waitShare", 0);
            double queueDepth = number("queueDepth", 0);
            if (waitShare < 0 || waitShare > 1 || queueDepth < 0) {
                throw new IllegalArgumentException(
                        "line " + line + ": waitShare must be from 0 to 1 and queueDepth not negative");
            }
            if (millis <= 0 || millis > LONGEST_BATCH_MILLIS) {
                return new Row(seconds, workers, Optional.empty());
            }
            return new Row(
                    seconds,
                    workers,
                    Optional.of(new WindowClosed(
                            BEGIN.plusMillis(Math.round(seconds * 1e3)),
                            0,
                            BATCHES,
                            BATCHES,
                            millis / 1e3 * BATCHES,
                            waitShare,
                            queueDepth,
                            workers.local(),
                            workers.remote(),
                            false)));
        }

        private String text(String column) {
            int index = header.indexOf(column);
            return index < 0 ? "" : cells.get(index);
        }

        private double number(String column, double otherwise) {
            String text = text(column);
            if (text.isEmpty()) {
                return otherwise;
            }
            try {
                double number = Double.parseDouble(text);
                if (Double.isFinite(number)) {
                    return number;
                }
            } catch (NumberFormatException none) {
                throw wrong(column, "a number", none);
            }
            throw wrong(column, "a finite number", null);
        }

        private int whole(String column) {
            String text = text(column);
            if (text.isEmpty()) {
                return 0;
            }
            try {
                int number = Integer.parseInt(text);
                if (number >= 0) {
                    return number;
                }
            } catch (NumberFormatException none) {
                throw wrong(column, "a whole number", none);
            }
            throw wrong(column, "not negative", null);
        }

        private IllegalArgumentException wrong(String column, String rule, NumberFormatException cause) {
            return new IllegalArgumentException(
                    "line " + line + ": " + column + " must be " + rule + ", is '" + text(column) + "'", cause);
        }
    }
}
