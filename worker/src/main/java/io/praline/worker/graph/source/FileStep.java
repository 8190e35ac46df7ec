package io.praline.worker.graph.source;

import io.praline.worker.graph.RefusedPipeline;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the user's pipeline does with its list of files before it opens them; the planner does it instead. */
public sealed interface FileStep {

    /** What is left of a list of names. */
    List<String> apply(List<String> names);

    /**
     * Another order, the same every time and everywhere: by a hash of the seed and the name, so that a list that is cut into
     * a part to train with and one to test with is cut alike by both jobs, and mixes what lay together.
     */
    record Shuffle(long seed) implements FileStep {
        @Override
        public List<String> apply(List<String> names) {
            return names.stream()
                    .sorted(Comparator.<String>comparingLong(this::place).thenComparing(Comparator.naturalOrder()))
                    .toList();
        }

        /** FNV-1a, then the finaliser of MurmurHash3, since names differ in their last letters. */
        private long place(String name) {
            long hash = 0xcbf29ce484222325L ^ seed;
            for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
                hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
            }
            hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
            hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
            return hash ^ (hash >>> 33);
        }
    }

    /**
     * The order that TensorFlow's own shuffle of that seed gives the names the first time, so that a part of them is the same
     * in every job and epoch, and the one that Python has.
     *
     * @param buffer names among which each is chosen; below 1: all
     * @param reshuffles whether TensorFlow would take another order the next time
     */
    record SeededShuffle(long seed, long seed2, long buffer, boolean reshuffles) implements FileStep {
        @Override
        public List<String> apply(List<String> names) {
            long[] seeds = reshuffles ? Philox.seedsOf(seed, seed2, 0) : new long[] {seed, seed2};
            Philox random = new Philox(seeds[0], seeds[1]);
            List<String> open = new ArrayList<>(names);
            List<String> shuffled = new ArrayList<>();
            for (int first = 0; first < open.size(); first++) {
                int rest = open.size() - first;
                int among = buffer < 1 ? rest : (int) Math.min(buffer, rest);
                int chosen = first + (int) (random.next() % among);
                shuffled.add(open.get(chosen));
                open.set(chosen, open.get(first));
            }
            return shuffled;
        }
    }

    /** The first names only. */
    record Take(long count) implements FileStep {
        @Override
        public List<String> apply(List<String> names) {
            return count < 0 ? names : names.subList(0, (int) Math.min(count, names.size()));
        }
    }

    /** All but the first names. */
    record Skip(long count) implements FileStep {
        @Override
        public List<String> apply(List<String> names) {
            return count < 0 ? List.of() : names.subList((int) Math.min(count, names.size()), names.size());
        }
    }

    /** Every {@code shards}-th name from {@code index} on. */
    record Shard(long shards, long index) implements FileStep {
        public Shard {
            if (shards < 1 || index < 0 || index >= shards) {
                throw new RefusedPipeline("shard(" + shards + ", " + index + ") selects nothing");
            }
        }

        @Override
        public List<String> apply(List<String> names) {
            List<String> selected = new ArrayList<>();
            for (long i = index; i < names.size(); i += shards) {
                selected.add(names.get((int) i));
            }
            return selected;
        }
    }
}
