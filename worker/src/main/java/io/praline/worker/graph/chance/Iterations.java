package io.praline.worker.graph.chance;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.spelling.Optimizations;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;

/**
 * Which iteration of a dataset TensorFlow reads in an epoch, where epochs are the repetitions of a {@code repeat}, and the passes
 * over it. Its iterator of a {@code repeat} that ends makes an iterator of its input once more behind the last repetition, before
 * it looks at the count: that is one of the orders of a shuffle which no element comes of.
 *
 * @param repetitions those of which an epoch is one, the innermost first
 */
record Iterations(List<Repetition> repetitions) {
    /** The attribute with the numbers of the repetitions, as {@link StampDraws} writes down its own. */
    private static final String REPEATED = "_praline_repeated";

    /**
     * A {@code repeat} behind a dataset.
     *
     * @param count below 0: for ever
     * @param onceMore whether another iterator of the dataset is made behind the last repetition
     */
    record Repetition(long count, boolean onceMore) {}

    /** Which iteration is read where it was read so often before; both are counted from 0. */
    long of(long reading) {
        long iteration = 0;
        long left = reading;
        long made = 1;
        for (Repetition repetition : repetitions) {
            if (repetition.count() < 0) {
                break;
            }
            iteration += left % repetition.count() * made;
            left /= repetition.count();
            made = made * repetition.count() + (repetition.onceMore() ? 1 : 0);
        }
        return iteration + left * made;
    }

    /** What is written down at a dataset node; nothing repeats others. */
    static Iterations of(NodeDef node) {
        List<Long> numbers = node.getAttrOrDefault(REPEATED, AttrValue.getDefaultInstance())
                .getList()
                .getIList();
        List<Repetition> repetitions = new ArrayList<>();
        for (int i = 0; i + 1 < numbers.size(); i += 2) {
            repetitions.add(new Repetition(numbers.get(i), numbers.get(i + 1) != 0));
        }
        return new Iterations(repetitions);
    }

    /** The node with them written down. */
    NodeDef at(NodeDef node) {
        if (repetitions.isEmpty() || node.containsAttr(REPEATED)) {
            return node;
        }
        AttrValue.ListValue.Builder numbers = AttrValue.ListValue.newBuilder();
        repetitions.forEach(each -> numbers.addI(each.count()).addI(each.onceMore() ? 1 : 0));
        return node.toBuilder()
                .putAttr(REPEATED, AttrValue.newBuilder().setList(numbers).build())
                .build();
    }

    /**
     * Those of the datasets at the top that draw. Of one that several read it is that of one of them: then an epoch is no
     * iteration of it.
     *
     * @param kept the caches which keep what they read, so that what is behind them reads nothing anew
     */
    static Map<String, Iterations> in(PipelineGraph pipeline, Scope scope, Set<String> kept) {
        Map<String, Iterations> found = new HashMap<>();
        TopSteps steps = new TopSteps(scope, pipeline.functions(), Optimizations.of(pipeline));
        new Walk(scope, kept, steps).down(pipeline.root(), new ArrayDeque<>(), found);
        return found;
    }

    /** From the root to the sources. */
    private record Walk(Scope scope, Set<String> kept, TopSteps steps) {
        /** @param behind the repetitions behind a dataset, the innermost first */
        void down(String ref, Deque<Repetition> behind, Map<String, Iterations> found) {
            NodeDef node = scope.node(Scope.nodeOf(ref));
            if (found.putIfAbsent(node.getName(), new Iterations(List.copyOf(behind))) != null) {
                return;
            }
            Deque<Repetition> here = new ArrayDeque<>(behind);
            if (OpTraits.of(node).isCache() && kept.contains(node.getName())) {
                here.clear();
            } else if (OpTraits.of(node).family() == OpTraits.Family.REPEAT && !steps.leaveOut(node)) {
                here.push(new Repetition(count(node), steps.shuffle(node).isEmpty()));
            }
            for (int i = 0; i < node.getInputCount(); i++) {
                down(node.getInput(i), makesItsIterator(node, i) ? here : later(here), found);
            }
        }

        /** Whether the iterator of a step makes that of its input with itself, and not when it is asked for an element. */
        private static boolean makesItsIterator(NodeDef step, int input) {
            boolean shuffles = step.getOp().startsWith("Shuffle");
            boolean next = OpTraits.of(step).family() == OpTraits.Family.CONCATENATE && input > 0;
            return !shuffles && !next;
        }

        private static Deque<Repetition> later(Deque<Repetition> repetitions) {
            Deque<Repetition> later = new ArrayDeque<>();
            repetitions.forEach(each -> later.add(new Repetition(each.count(), false)));
            return later;
        }

        /** A number that is not known lets no epochs be made of it. */
        private long count(NodeDef repeat) {
            return Constants.integer(scope, repeat.getInput(1))
                    .filter(count -> count != 0)
                    .orElse(-1L);
        }
    }
}
