package io.praline.worker.profile;

import io.praline.schema.AssignedSplit;
import io.praline.schema.FailureKind;
import io.praline.worker.attempt.AttemptFailed;
import io.praline.worker.attempt.BadRecordSearch;
import io.praline.worker.attempt.SplitRecords;
import io.praline.worker.attempt.Surroundings;
import io.praline.worker.attempt.input.Feed;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.StoreFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The splits that are read, and how much there is of each.
 *
 * @param firsts the first of each source, for a run beforehand
 * @param parts all of them
 * @param all whether the sample has no others
 * @param cancellation ends what reads it
 */
record Sample(
        DataReader reader,
        KnownPipeline pipeline,
        List<Part> firsts,
        List<Part> parts,
        boolean all,
        Cancellation cancellation) {
    private static final int FIRST_SPLITS = 4;
    private static final int MOST_SPLITS = 64;

    Sample {
        firsts = List.copyOf(firsts);
        parts = List.copyOf(parts);
    }

    /** A split, and how many records it has, where that can be told beside the graph. */
    record Part(AssignedSplit split, OptionalLong records, boolean numbered) {

        boolean longerThan(long limit) {
            return records.orElse(Long.MAX_VALUE) > limit;
        }

        private FeedSplit upTo(long limit) {
            FeedSplit all = Feed.split(split);
            FeedSplit part = !longerThan(limit) ? all : numbered ? all.limited(limit) : all.taking(limit);
            return records.isPresent() ? part.counted(Math.min(limit, records.getAsLong())) : part;
        }
    }

    /**
     * The first four splits of each source, and as many more as it takes to have the records that are wanted.
     *
     * @param reader who reads
     * @throws SampleFailed where a file cannot be read
     */
    static Sample of(
            DataReader reader, KnownPipeline pipeline, SplitSample splits, long wanted, Cancellation cancellation) {
        List<Part> firsts = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        boolean all = true;
        try {
            for (List<AssignedSplit> source : splits.bySource()) {
                List<Part> some = new ArrayList<>();
                long known = 0;
                for (AssignedSplit split : source) {
                    if (some.size() < FIRST_SPLITS || (some.size() < MOST_SPLITS && known < wanted)) {
                        Part part = part(reader, pipeline, split, cancellation);
                        known += part.records().orElse(wanted);
                        some.add(part);
                    }
                }
                all &= some.size() == source.size();
                firsts.add(some.get(0));
                parts.addAll(some);
            }
        } catch (AttemptFailed unreadable) {
            throw failed(unreadable, unreadable);
        } catch (StoreFailed unreadable) {
            throw new SampleFailed(unreadable.getMessage(), !unreadable.kind().passing(), unreadable);
        }
        if (parts.isEmpty()) {
            throw new SampleFailed("there is nothing to read: the sample has no splits");
        }
        return new Sample(reader, pipeline, firsts, parts, all, cancellation);
    }

    private static Part part(
            DataReader reader, KnownPipeline pipeline, AssignedSplit split, Cancellation cancellation) {
        reader.await(split);
        int source = split.getSplit().getSource();
        boolean numbered = source < pipeline.analysis().sources().size()
                && pipeline.analysis().sources().get(source).numbered();
        OptionalLong records =
                SplitRecords.count(reader, split.getSplit(), pipeline.analysis(), 0, () -> !cancellation.requested());
        return new Part(split, records, numbered);
    }

    /** How much to read of each part at most, for so many records in all: those that have more make up for the others. */
    long limit(long wanted) {
        long[] has = parts.stream()
                .mapToLong(part -> part.records().orElse(Long.MAX_VALUE))
                .sorted()
                .toArray();
        long missing = wanted;
        for (int i = 0; i < has.length; i++) {
            long others = (long) has.length - i;
            long each = (missing + others - 1) / others;
            if (has[i] >= each) {
                return each;
            }
            missing -= has[i];
        }
        return Long.MAX_VALUE;
    }

    static boolean longerThan(List<Part> some, long limit) {
        return some.stream().anyMatch(part -> part.longerThan(limit));
    }

    /** Whether it is known of each how many records it has. */
    boolean counted() {
        return parts.stream().allMatch(part -> part.records().isPresent());
    }

    /** How many records of the source that has most come of them; empty where nobody knows. */
    static OptionalLong records(List<Part> some, long limit) {
        if (some.stream().anyMatch(part -> part.records().isEmpty())) {
            return OptionalLong.empty();
        }
        Map<Integer, Long> bySource = some.stream()
                .collect(Collectors.groupingBy(
                        part -> part.split().getSplit().getSource(),
                        Collectors.summingLong(
                                part -> Math.min(limit, part.records().orElse(0)))));
        return bySource.values().stream().mapToLong(Long::longValue).max();
    }

    static List<FeedSplit> upTo(List<Part> some, long limit) {
        return some.stream().map(part -> part.upTo(limit)).toList();
    }

    /** Looks for the record that a graph of these settings failed on. */
    SampleFailed failed(EngineFailure failure, TaskSettings settings) {
        return failed(
                new BadRecordSearch(
                                reader,
                                pipeline,
                                settings,
                                Surroundings.Graphs.TENSORFLOW,
                                cancellation,
                                OptionalLong.empty())
                        .of(failure, parts.stream().map(Part::split).toList()),
                failure);
    }

    private static SampleFailed failed(AttemptFailed told, Throwable cause) {
        String line = told.reason().equals(told.getMessage())
                ? told.getMessage()
                : told.reason() + "; mend it, or take a sample without it";
        return new SampleFailed(line, told.kind() == FailureKind.REFUSED, cause);
    }
}
