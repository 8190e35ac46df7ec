package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.List;

/** What the user's pipeline does with its list of files before it opens them; the planner does it instead. */
public sealed interface FileStep {

    /** What is left of a list of names. */
    List<String> apply(List<String> names);

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
