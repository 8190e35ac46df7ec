package io.praline.policy.splits;

import io.praline.policy.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** Splits that are to speak for all: of each source the first, one in the middle, the last, the largest, and some between. */
public final class SplitSampling {
    /** So many are looked at where there is one source, and sent at most of each where there are several. */
    private static final int EVENLY = 64;

    /** So many are looked at where there are several sources, whose splits lie anywhere. */
    private static final long MOST_LOOKED_AT = 2_000;

    private SplitSampling() {}

    /**
     * A split, as far as it matters here.
     *
     * @param source which of the graph's it is read by
     * @param bytes of it; 0 where unknown
     */
    public record Seen(int source, long bytes) {}

    /** Whether a sample can be had: each source must be in it. */
    public static boolean possible(long splits, int sources) {
        return splits > 0 && (sources <= 1 || splits <= MOST_LOOKED_AT);
    }

    /**
     * Their ordinals, those that say most first, the sources in turns.
     *
     * @param splits that there are
     * @param sources that read them
     * @throws IllegalArgumentException if no sample can be had
     */
    public static List<Long> of(long splits, int sources, LongFunction<Seen> look) {
        if (!possible(splits, sources)) {
            throw new IllegalArgumentException(
                    "no sample can be had of " + Counted.of(splits, "split") + " of " + Counted.of(sources, "source"));
        }
        long looked = sources > 1 ? splits : Math.min(EVENLY, splits);
        Map<Integer, List<Long>> bySource = new TreeMap<>();
        Map<Long, Seen> seen = new TreeMap<>();
        LongStream.range(0, looked)
                .map(i -> looked == 1 ? 0 : i * (splits - 1) / (looked - 1))
                .forEach(ordinal -> {
                    Seen split = look.apply(ordinal);
                    seen.put(ordinal, split);
                    bySource.computeIfAbsent(split.source(), none -> new ArrayList<>())
                            .add(ordinal);
                });
        List<List<Long>> chosen = bySource.values().stream()
                .map(ordinals -> chosen(ordinals, Comparator.comparingLong(ordinal -> seen.get(ordinal)
                        .bytes())))
                .toList();
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < EVENLY; i++) {
            for (List<Long> its : chosen) {
                if (i < its.size()) {
                    all.add(its.get(i));
                }
            }
        }
        return all;
    }

    private static List<Long> chosen(List<Long> ordinals, Comparator<Long> bySize) {
        Set<Long> chosen = new LinkedHashSet<>();
        chosen.add(ordinals.get(0));
        chosen.add(ordinals.get(ordinals.size() / 2));
        chosen.add(ordinals.get(ordinals.size() - 1));
        ordinals.stream().max(bySize).ifPresent(chosen::add);
        int step = Math.max(1, ordinals.size() / EVENLY);
        for (int i = 0; i < ordinals.size(); i += step) {
            chosen.add(ordinals.get(i));
        }
        return List.copyOf(chosen);
    }
}
