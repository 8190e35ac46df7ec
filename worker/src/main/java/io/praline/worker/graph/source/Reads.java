package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/**
 * How a pipeline reads its files: as many at a time as the user's own program says, in one process.
 *
 * @param files that are read at a time, by a thread each
 * @param block elements of one file that are taken before those of another, where both are there
 */
public record Reads(int files, long block) {
    /** One file after the other. */
    public static final Reads ONE_BY_ONE = new Reads(1, 1);

    /** As many as TensorFlow would take on a host of so many cores. */
    private static final int FILES = 8;

    /** Each has a thread, and buffers of its own. */
    private static final int MOST_FILES = 16;

    /**
     * Of a node that opens files. One by one where the program did not ask for parallel reading, or asked for an order.
     *
     * @param above the dataset nodes that its elements pass
     */
    public static Reads of(NodeDef opens, Scope scope, Iterable<NodeDef> above) {
        OpTraits traits = OpTraits.of(opens);
        Optional<Long> cycle = DatasetOps.number(opens, OpTraits.Input.CYCLE, scope);
        boolean parallel = traits.inputs().containsKey(OpTraits.Input.CALLS)
                || traits.inputs().containsKey(OpTraits.Input.AHEAD);
        if (cycle.isEmpty() || !parallel || asksForOrder(opens, above)) {
            return ONE_BY_ONE;
        }
        Optional<Long> calls =
                DatasetOps.number(opens, OpTraits.Input.CALLS, scope).filter(most -> most > 0);
        long files = cycle.get() < 1 ? FILES : cycle.get();
        long block = DatasetOps.number(opens, OpTraits.Input.BLOCK, scope)
                .filter(elements -> elements > 0)
                .orElse(1L);
        return new Reads((int) Math.min(Math.min(files, calls.orElse(files)), MOST_FILES), block);
    }

    private static boolean asksForOrder(NodeDef opens, Iterable<NodeDef> above) {
        // without calls it is the one of num_parallel_reads, which says so though nobody asked for it
        if (OpTraits.of(opens).inputs().containsKey(OpTraits.Input.CALLS)
                && opens.getAttrOrDefault("deterministic", Protos.string("default"))
                        .getS()
                        .toStringUtf8()
                        .equals("true")) {
            return true;
        }
        for (NodeDef node : above) {
            if (DatasetOps.ordered(node).orElse(false)) {
                return true;
            }
        }
        return false;
    }
}
