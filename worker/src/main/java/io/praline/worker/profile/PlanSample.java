package io.praline.worker.profile;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Takes the splits of a plan one by one, and chooses a sample of them: of each source the first, the one in the middle, the
 * last and the largest, and behind these some that lie evenly between, in case that the four hold little. What it keeps does
 * not grow with the plan. Not safe for several threads.
 */
public final class PlanSample {
    /** So many of each source are kept, or up to twice as many. */
    private static final int KEPT = 32;

    private final TreeMap<Integer, OfSource> sources = new TreeMap<>();
    private long splits;

    /** The plan's next split. */
    public void add(Split split) {
        AssignedSplit numbered = new AssignedSplit(splits++, split, ByteBuffer.allocate(0));
        sources.computeIfAbsent(split.getSource(), source -> new OfSource(numbered))
                .add(numbered);
    }

    /** Those that speak for what was added until now. */
    public SplitSample chosen() {
        return new SplitSample(sources.values().stream().map(OfSource::chosen).toList());
    }

    private static final class OfSource {
        private final List<AssignedSplit> even = new ArrayList<>();
        private long seen;
        private long stride = 1;
        private AssignedSplit last;
        private AssignedSplit largest;

        OfSource(AssignedSplit first) {
            last = first;
            largest = first;
        }

        void add(AssignedSplit split) {
            if (seen++ % stride == 0) {
                even.add(split);
            }
            last = split;
            if (split.getSplit().getBytes() > largest.getSplit().getBytes()) {
                largest = split;
            }
            if (even.size() > 2 * KEPT) {
                // every other one goes, and of those to come every other one is left out
                for (int i = even.size() / 2; i > 0; i--) {
                    even.remove(2 * i - 1);
                }
                stride *= 2;
            }
        }

        List<AssignedSplit> chosen() {
            Set<AssignedSplit> chosen = new LinkedHashSet<>();
            chosen.add(even.get(0));
            chosen.add(even.get(even.size() / 2));
            chosen.add(last);
            chosen.add(largest);
            chosen.addAll(even);
            return List.copyOf(chosen);
        }
    }
}
