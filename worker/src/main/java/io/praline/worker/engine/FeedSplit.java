package io.praline.worker.engine;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/**
 * A split as it is fed to a running graph.
 *
 * @param ordinal its number within the plan, the high part of its tickets
 * @param source which source of the pipeline reads it
 * @param paths the file, or the run of file names; empty for the other kinds
 * @param from first byte of a range of a file, first value, or first index; 0 for the other kinds
 * @param until bound of values or indexes, exclusive; of a range of an object how many bytes follow it; 0 for the other kinds
 * @param step difference between neighbours of a range of integers; 1 for the other kinds
 * @param records how many records to read; empty: all
 * @param limit how many elements to make, where those that come out are numbered; empty: all
 * @param skip numbers of elements within the split that must not come; not changed afterwards
 * @param counted how many records there are, where the graph counts its elements; empty: nobody counted them
 */
public record FeedSplit(
        long ordinal,
        int source,
        List<String> paths,
        long from,
        long until,
        long step,
        OptionalLong records,
        OptionalLong limit,
        RoaringBitmap skip,
        OptionalLong counted) {
    public FeedSplit {
        if (ordinal < 0) {
            throw new IllegalArgumentException("ordinal must not be negative, is " + ordinal);
        }
        if (source < 0) {
            throw new IllegalArgumentException("source must not be negative, is " + source);
        }
        if (step == 0) {
            throw new IllegalArgumentException("step must not be 0");
        }
        paths = List.copyOf(paths);
    }

    /** One whose records nobody counted. */
    public FeedSplit(
            long ordinal,
            int source,
            List<String> paths,
            long from,
            long until,
            long step,
            OptionalLong records,
            OptionalLong limit,
            RoaringBitmap skip) {
        this(ordinal, source, paths, from, until, step, records, limit, skip, OptionalLong.empty());
    }

    /** A whole file of records. */
    public static FeedSplit file(long ordinal, int source, String path) {
        return new FeedSplit(
                ordinal,
                source,
                List.of(path),
                0,
                0,
                1,
                OptionalLong.empty(),
                OptionalLong.empty(),
                new RoaringBitmap());
    }

    /** A run of file names, each of which is one element. */
    public static FeedSplit names(long ordinal, int source, List<String> paths) {
        return new FeedSplit(
                ordinal, source, paths, 0, 0, 1, OptionalLong.empty(), OptionalLong.empty(), new RoaringBitmap());
    }

    /** The integers {@code from, from + step ...} up to {@code until}, exclusive. */
    public static FeedSplit integers(long ordinal, int source, long from, long until, long step) {
        return new FeedSplit(
                ordinal,
                source,
                List.of(),
                from,
                until,
                step,
                OptionalLong.empty(),
                OptionalLong.empty(),
                new RoaringBitmap());
    }

    /** The slices {@code from} (inclusive) to {@code until} (exclusive) of a constant that the graph holds. */
    public static FeedSplit indexes(long ordinal, int source, long from, long until) {
        return new FeedSplit(
                ordinal,
                source,
                List.of(),
                from,
                until,
                1,
                OptionalLong.empty(),
                OptionalLong.empty(),
                new RoaringBitmap());
    }

    /** The same without these records. */
    public FeedSplit skipping(RoaringBitmap unwanted) {
        return new FeedSplit(ordinal, source, paths, from, until, step, records, limit, unwanted, counted);
    }

    /** The same of files that the graph knows by these names, which are told by paths. */
    public FeedSplit reading(Map<String, String> names) {
        List<String> known =
                paths.stream().map(path -> names.getOrDefault(path, path)).toList();
        return new FeedSplit(ordinal, source, known, from, until, step, records, limit, skip, counted);
    }

    /** The same, ended behind so many of the elements that come out. */
    public FeedSplit limited(long elements) {
        return new FeedSplit(
                ordinal, source, paths, from, until, step, records, OptionalLong.of(elements), skip, counted);
    }

    /** The same, ended behind so many records. */
    public FeedSplit taking(long most) {
        return new FeedSplit(
                ordinal,
                source,
                paths,
                from,
                until,
                step,
                OptionalLong.of(Math.min(most, records.orElse(most))),
                limit,
                skip,
                counted);
    }

    /** The same, of which it is known how many records it has. */
    public FeedSplit counted(long all) {
        return new FeedSplit(ordinal, source, paths, from, until, step, records, limit, skip, OptionalLong.of(all));
    }
}
