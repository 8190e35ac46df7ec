package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.spelling.SeedGenerators;
import io.praline.worker.graph.ticket.TrackProvenance;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Numbers of elements, by a dataset that is zipped to them, which are others in each reading of it: what a {@code repeat}
 * reads again is drawn anew, and so is what a function reads for each of its elements.
 */
record Readings(KeyedFunctions functions) {
    private static final long SEED = 0x5851F42D4C957F2DL;

    /** How far the numbers of two readings lie apart; a reading's own number has 32 bits. */
    private static final long APART = 1L << 31;

    /**
     * The dataset nodes that are read once where datasets are read once: what two read is iterated by each of them.
     *
     * @param roots the datasets' outputs
     */
    static Set<String> once(Scope scope, Collection<String> roots) {
        return once(scope, roots, node -> false);
    }

    private static Set<String> once(Scope scope, Collection<String> roots, Predicate<NodeDef> kept) {
        Map<String, Integer> readers = readers(scope, roots);
        Set<String> once = new HashSet<>();
        for (String root : roots) {
            reach(
                    scope,
                    root,
                    once,
                    node -> !node.getOp().contains("Repeat"),
                    name -> readers.getOrDefault(name, 0) <= 1 || kept.test(scope.node(name)));
        }
        return once;
    }

    /**
     * Those of a pipeline that draw alike in all readings of an epoch. Of what two of its steps read, each reading draws other
     * numbers, unless a cache keeps them that is read to its end, as the draws' stamps tell; but by seeds that a draw has of its
     * own each begins anew, and draws the same.
     *
     * @param epochs after how many epochs each draws the same again
     */
    static Set<String> alikeInAnEpoch(PipelineGraph pipeline, Scope scope, Map<String, Long> epochs) {
        Set<String> once = once(scope, List.of(pipeline.root()));
        Set<String> orKept =
                once(scope, List.of(pipeline.root()), node -> OpTraits.of(node).isCache());
        Set<String> alike = new HashSet<>();
        reach(scope, pipeline.root(), alike, node -> !node.getOp().contains("Repeat"), name -> true);
        alike.removeIf(name -> {
            boolean again = !orKept.contains(name) && epochs.getOrDefault(name, 1L) == StampDraws.ALWAYS_ANEW;
            return pipeline.workOf(scope.node(name))
                    .filter(Readings::drawsOthers)
                    .anyMatch(draw -> again || (!once.contains(name) && StampDraws.isDrawnInEachEpoch(draw)));
        });
        return alike;
    }

    /** Whether an op that is no dataset draws other numbers in another reading. */
    static boolean drawsOthers(NodeDef node) {
        return !DatasetOps.isDataset(node)
                && StampDraws.draws(node)
                && (SeedGenerators.isCounted(node) || (Chance.seed(node) == 0 && Chance.seed2(node) == 0));
    }

    /**
     * Those that a function makes and that are read once for what it is called for. Of a dataset that it hands on as an element
     * nobody tells how often that is read.
     *
     * @param opened whether the dataset that it gives is read, once, by what calls it
     */
    static Set<String> onceWithin(Scope body, Collection<String> results, boolean opened) {
        if (opened) {
            return once(body, results);
        }
        List<String> used = results.stream()
                .filter(result -> body.producer(body.behindIdentities(result))
                        .filter(DatasetOps::isDataset)
                        .isEmpty())
                .toList();
        return once(body, used);
    }

    /** How many take something of each node, of all from which the roots are made. */
    private static Map<String, Integer> readers(Scope scope, Collection<String> roots) {
        Map<String, Integer> readers = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(roots);
        while (!open.isEmpty()) {
            String ref = open.pop();
            // the first who comes to a node goes on to what it is made of
            if (readers.merge(Scope.nodeOf(ref), 1, Integer::sum) == 1) {
                scope.producer(ref)
                        .filter(node -> !TrackProvenance.readsNothing(node))
                        .ifPresent(node -> Scope.given(node).forEach(open::add));
            }
        }
        return readers;
    }

    /** Those that are read for themselves, and not by functions, however often. */
    static Set<String> passed(Scope scope, String root) {
        Set<String> passed = new HashSet<>();
        reach(scope, root, passed, node -> true, name -> true);
        return passed;
    }

    /** Those whose readings are those of the root, since nothing else reads them, nor what is behind them. */
    static Set<String> alone(Scope scope, String root) {
        return once(scope, List.of(root));
    }

    private static void reach(
            Scope scope, String ref, Set<String> once, Predicate<NodeDef> through, Predicate<String> which) {
        Optional<NodeDef> producer = scope.producer(ref);
        if (producer.isEmpty()
                || !which.test(producer.get().getName())
                || !once.add(producer.get().getName())) {
            return;
        }
        NodeDef node = producer.get();
        if (!through.test(node)) {
            return;
        }
        boolean several =
                switch (OpTraits.of(node).family()) {
                    case ZIP, CONCATENATE, CHOOSE -> true;
                    // a choice between two ways to read the same
                    default -> !DatasetOps.isDataset(node);
                };
        // what a function captures it may read for each element; what is read unsplit is one split; what a node only
        // waits for
        // it does not read: the result of a function waits for the caches that are made in it
        List<String> given = Scope.given(node).toList();
        int inputs = several || BindSplits.readsWhole(node) ? given.size() : Math.min(1, given.size());
        for (String input : given.subList(0, inputs)) {
            reach(scope, input, once, through, which);
        }
    }

    /** Numbers that rise by one, from other ones in each reading. */
    String of(Scope scope, String rising) {
        ElementComponent number = ElementComponent.of(DataType.DT_INT64, Protos.SCALAR);
        NodeDef.Builder chance = Protos.node(
                        scope.fresh("readings"),
                        "RandomDatasetV2",
                        scope.constant("readings/seed", Protos.int64(SEED)),
                        scope.constant("readings/seed2", Protos.int64(1)),
                        scope.add(Protos.node(scope.fresh("readings/none"), "DummySeedGenerator"), "handle"))
                .putAttr("rerandomize_each_iteration", Protos.bool(true));
        DatasetOps.setComponents(chance, "output_types", List.of(number));
        NodeDef.Builder zip = Protos.node(scope.fresh("readings/zip"), "ZipDataset", rising, scope.addDataset(chance))
                .putAttr("N", Protos.number(2));
        DatasetOps.setComponents(zip, "output_types", List.of(number, number));
        NodeDef.Builder both = Protos.node(scope.fresh("readings/both"), "MapDataset", scope.addDataset(zip))
                .putAttr("f", Protos.function(together()))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("use_inter_op_parallelism", Protos.bool(false))
                .putAttr("preserve_cardinality", Protos.bool(true));
        DatasetOps.setComponents(both, "output_types", List.of(number));
        return scope.addDataset(both);
    }

    private String together() {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(functions.freshName("praline_of_reading"))
                .addInputArg(Protos.arg("rising", DataType.DT_INT64))
                .addInputArg(Protos.arg("reading", DataType.DT_INT64))
                .addOutputArg(Protos.arg("number", DataType.DT_INT64));
        function.addNodeDef(Protos.constant("apart", Protos.int64(APART)))
                .addNodeDef(Protos.times("far", "reading", "apart:output:0").putAttr("T", int64))
                .addNodeDef(Protos.sum("sum", "rising", "far:z:0").putAttr("T", int64))
                .putRet("number", "sum:z:0");
        functions.put(function.build());
        return function.getSignature().getName();
    }
}
