package io.praline.worker.graph.task;

import io.praline.worker.graph.chance.DrawKeys;
import io.praline.worker.graph.source.opening.ReadStaged;
import java.util.Optional;

/**
 * What a task's graph must be fit for: {@link #of} asks for the least, each {@code with} for one thing more.
 *
 * @param tracked whether every element carries its ticket; only where the pipeline can be tracked
 * @param counted whether elements that are tracked are counted and carry no ticket, where the pipeline allows it: then all
 *     splits that are fed must say how many records they have
 * @param keys what random draws follow from, beside the ticket
 * @param threads threads of the task's private pool, at least 1
 * @param ramBytes memory for TensorFlow's buffers; 0: TensorFlow decides
 * @param pack whether small elements of equal shape are batched for the journey
 * @param skipBad whether an element whose function fails is left out instead of ending the task
 * @param cache where entries stand in for splits; empty: nowhere. Only where elements carry their tickets
 * @param profile whether to keep one node a transformation, and to work on one element after the other, at some cost, so that
 *     measurements can be told apart
 * @param renaming under which other names what has addresses lies on disk; empty: names are opened as they are
 * @param sideBySide whether splits are read side by side where the program reads its files so; else one after the other, and the
 *     same elements share a batch each time
 */
public record TaskSettings(
        boolean tracked,
        boolean counted,
        DrawKeys keys,
        int threads,
        long ramBytes,
        boolean pack,
        boolean skipBad,
        Optional<CacheAt> cache,
        boolean profile,
        Optional<ReadStaged.Renaming> renaming,
        boolean sideBySide) {
    /**
     * A cache point in use.
     *
     * @param node the dataset node at the point
     * @param keeps whether what is computed is to be kept
     */
    public record CacheAt(String node, boolean keeps) {}

    public TaskSettings {
        if (keys.epoch() < 0) {
            throw new IllegalArgumentException("epoch must not be negative, is " + keys.epoch());
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be positive, is " + threads);
        }
        if (ramBytes < 0) {
            throw new IllegalArgumentException("ramBytes must not be negative, is " + ramBytes);
        }
    }

    /** Without tickets, in epoch 0 of seed 0, with the memory that TensorFlow decides on; nothing packed, left out or kept apart. */
    public static TaskSettings of(int threads) {
        return new TaskSettings(
                false,
                false,
                new DrawKeys(0, 0, 0),
                threads,
                0,
                false,
                false,
                Optional.empty(),
                false,
                Optional.empty(),
                true);
    }

    public TaskSettings withTracked(boolean tickets) {
        return new TaskSettings(
                tickets, counted, keys, threads, ramBytes, pack, skipBad, cache, profile, renaming, sideBySide);
    }

    public TaskSettings withCounted(boolean known) {
        return new TaskSettings(
                tracked, known, keys, threads, ramBytes, pack, skipBad, cache, profile, renaming, sideBySide);
    }

    public TaskSettings withSeed(long jobSeed) {
        return withKeys(new DrawKeys(jobSeed, keys.epoch(), keys.attempt()));
    }

    public TaskSettings withEpoch(int number) {
        return withKeys(new DrawKeys(keys.seed(), number, keys.attempt()));
    }

    public TaskSettings withAttempt(int number) {
        return withKeys(new DrawKeys(keys.seed(), keys.epoch(), number));
    }

    private TaskSettings withKeys(DrawKeys other) {
        return new TaskSettings(
                tracked, counted, other, threads, ramBytes, pack, skipBad, cache, profile, renaming, sideBySide);
    }

    public TaskSettings withThreads(int number) {
        return new TaskSettings(
                tracked, counted, keys, number, ramBytes, pack, skipBad, cache, profile, renaming, sideBySide);
    }

    public TaskSettings withRamBytes(long bytes) {
        return new TaskSettings(
                tracked, counted, keys, threads, bytes, pack, skipBad, cache, profile, renaming, sideBySide);
    }

    public TaskSettings withPack(boolean small) {
        return new TaskSettings(
                tracked, counted, keys, threads, ramBytes, small, skipBad, cache, profile, renaming, sideBySide);
    }

    public TaskSettings withSkipBad(boolean tolerated) {
        return new TaskSettings(
                tracked, counted, keys, threads, ramBytes, pack, tolerated, cache, profile, renaming, sideBySide);
    }

    public TaskSettings withProfile(boolean nodes) {
        return new TaskSettings(
                tracked, counted, keys, threads, ramBytes, pack, skipBad, cache, nodes, renaming, sideBySide);
    }

    public TaskSettings withRenaming(Optional<ReadStaged.Renaming> addresses) {
        return new TaskSettings(
                tracked, counted, keys, threads, ramBytes, pack, skipBad, cache, profile, addresses, sideBySide);
    }

    public TaskSettings withCache(Optional<CacheAt> used) {
        return new TaskSettings(
                tracked, counted, keys, threads, ramBytes, pack, skipBad, used, profile, renaming, sideBySide);
    }

    public TaskSettings withSideBySide(boolean several) {
        return new TaskSettings(
                tracked, counted, keys, threads, ramBytes, pack, skipBad, cache, profile, renaming, several);
    }
}
