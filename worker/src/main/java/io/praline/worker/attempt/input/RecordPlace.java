package io.praline.worker.attempt.input;

import io.praline.schema.Split;
import java.util.List;

/** Where a record of a split is, in words for people. */
public final class RecordPlace {
    private RecordPlace() {}

    /**
     * File and record, or what stands in their place.
     *
     * @param record its number, from 0
     * @param numbered whether that is the number of what is made of the split, and not of its record
     */
    public static String of(Split split, long record, boolean numbered) {
        return numbered ? element(split, record) : record(split, record);
    }

    /** An element by its number among those that are made of a split. */
    private static String element(Split split, long number) {
        List<String> paths = split.getPaths();
        String element = "element " + number;
        String part = split.getFrom() + " up to " + split.getUntil() + " (exclusive)";
        return switch (split.getKind()) {
            case FILE, RECORD_RANGE -> paths.get(0) + ": " + element;
            case NAMES ->
                element + " of what is made of " + paths.get(0)
                        + (paths.size() == 1 ? "" : " and " + (paths.size() - 1) + " more");
            case INTEGERS -> element + " of what is made of the integers from " + part;
            case INDEXES -> element + " of what is made of the elements " + part + " of the graph's constant";
            case WHOLE -> element;
        };
    }

    private static String record(Split split, long record) {
        List<String> paths = split.getPaths();
        return switch (split.getKind()) {
            case FILE -> paths.get(0) + ": record " + record;
            case RECORD_RANGE -> paths.get(0) + ": record " + record + " from byte " + split.getFrom() + " on";
            case NAMES -> paths.get((int) record);
            case INTEGERS -> "integer " + (split.getFrom() + record * split.getStep());
            case INDEXES -> "element " + (split.getFrom() + record) + " of the graph's constant";
            case WHOLE -> "element " + record;
        };
    }
}
