package io.praline.worker.graph.chance;

import io.praline.identity.Ticket;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.source.opening.SplitField;
import io.praline.worker.graph.ticket.TrackProvenance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Makes chance a function of what it is drawn for: each op that {@link StampDraws} marked draws from
 *
 * <pre>
 *   key      = hash(seed, epoch, place in the user's program)       {@link DrawKeys}
 *              hash(the user's seeds, epoch, pace)                   {@link Pace}
 *   identity = the element's ticket; a batch's first one;
 *              below the birth of tickets, or without them, the number of the element at that place of the split
 * </pre>
 *
 * and in a loop from the number of its turn too, so that an element draws the same numbers on any worker, in any order, and
 * others in the next epoch. Shuffles and datasets of random numbers take seeds in the same way; those that the user seeded
 * are in the first epoch as they were written, in every job, and in later ones, where they are read once in each, as TensorFlow
 * goes on. What has no counterpart that draws by a key keeps a sequence of
 * its own, another for each attempt. Comes behind {@link TrackProvenance}.
 */
public record DrawByElement(DrawKeys keys) implements Pass {
    private static final Set<String> BY_ELEMENT = Set.of("f", "predicate", "key_func");

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Drawing drawing = new Drawing(pipeline.functions(), Readings.alone(scope, pipeline.root()));
        Set<String> whole = BindSplits.readAsAWhole(scope);
        Set<String> passed = Readings.passed(scope, pipeline.root());
        Map<String, Long> epochs = StampDraws.epochs(pipeline, scope);
        Set<String> once = Readings.alikeInAnEpoch(pipeline, scope, epochs);
        for (NodeDef node : scope.nodes()) {
            String name = node.getName();
            boolean captured = !passed.contains(name);
            // what a cache keeps of it is the same for all elements, whichever task they are read by
            boolean kept = captured && epochs.getOrDefault(name, 1L) != StampDraws.ALWAYS_ANEW;
            Origin origin = new Origin(Optional.empty(), 0, !whole.contains(name) && !kept, captured, once);
            drawing.dataset(scope, node, Optional.of(origin));
        }
        return new PipelineGraph(scope.nodes(), drawing.functions.all(), pipeline.root(), pipeline.versions());
    }

    /**
     * From where elements without tickets are numbered.
     *
     * @param identity of what holds the dataset: a split, or an element whose function makes it; empty at the top
     * @param apart how far the numbers of two holders lie apart: those of two splits as far as their tickets, so that what
     *     is drawn before tickets are made keeps pace with what is drawn behind
     * @param ofAttempt whether the numbers mean other elements in another attempt
     * @param captured whether functions read it, for each of their elements
     * @param once the dataset nodes that are read once
     */
    private record Origin(
            Optional<String> identity, long apart, boolean ofAttempt, boolean captured, Set<String> once) {}

    /** The work on one pipeline. */
    private final class Drawing {
        private final KeyedFunctions functions;
        private final Set<String> alone;

        // functions whose dataset is read once: those that open splits, and those that a step calls for an element
        private final Set<String> opened = new HashSet<>();

        /** @param alone the dataset nodes at the top that an epoch reads once */
        Drawing(Map<String, FunctionDef> functions, Set<String> alone) {
            this.functions = new KeyedFunctions(
                    functions,
                    keys,
                    (function, identity, ofAttempt) ->
                            datasets(function, identity, KeyedFunctions.FAR, Map.of(), ofAttempt));
            this.alone = alone;
        }

        /** @param origin empty where nothing tells elements apart */
        void dataset(Scope scope, NodeDef node, Optional<Origin> origin) {
            if (DatasetOps.isDrawn(node)) {
                StampDraws.of(node).ifPresent(stamp -> reseed(scope, node, stamp, origin));
                return;
            }
            boolean reduce = KeyedFunctions.isReduce(node) && origin.isPresent();
            if (!DatasetOps.isDataset(node) && !reduce) {
                return;
            }
            if (BindSplits.isSource(node)) {
                opened.add(called(node, "f"));
                functions.change(
                        called(node, "f"),
                        open -> keyed(
                                open,
                                Optional.of(SplitField.ORDINAL.argument()),
                                1L << Ticket.RECORD_BITS,
                                Map.of(),
                                false));
                return;
            }
            node.getAttrMap().forEach((key, value) -> {
                if (value.hasFunc() && functions.draws(value.getFunc().getName())) {
                    function(scope, scope.node(node.getName()), key, origin);
                }
            });
        }

        private String called(NodeDef node, String key) {
            return node.getAttrOrThrow(key).getFunc().getName();
        }

        private void function(Scope scope, NodeDef node, String key, Optional<Origin> origin) {
            String name = called(node, key);
            opened(node, name);
            boolean ticket = functions.get(name).getSignature().getInputArgList().stream()
                    .anyMatch(argument -> argument.getName().equals(TrackProvenance.TICKET));
            if (ticket) {
                boolean single = isSingle(scope.components(node.getInput(0)));
                functions.change(
                        name,
                        function -> single
                                ? keyed(function, Optional.of(TrackProvenance.TICKET))
                                : keyed(function, first -> KeyedFunctions.firstOf(TrackProvenance.TICKET, first)));
            } else if (origin.isPresent()
                    && BY_ELEMENT.contains(key)
                    && !node.getOp().startsWith("GroupBy")) {
                numbered(scope, node, key, origin.get());
            } else {
                Map<String, List<ElementComponent>> windows = windows(scope, node, key, functions.get(name));
                functions.change(
                        name, function -> keyed(function, Optional.empty(), KeyedFunctions.FAR, windows, false));
            }
        }

        private void opened(NodeDef step, String function) {
            if (OpTraits.of(step).family() == OpTraits.Family.INTERLEAVE) {
                opened.add(function);
            }
        }

        /** What the datasets consist of that a function is given, by the names of its arguments. */
        private static Map<String, List<ElementComponent>> windows(
                Scope scope, NodeDef node, String key, FunctionDef function) {
            List<OpDef.ArgDef> arguments = function.getSignature().getInputArgList();
            if (key.equals("reduce_func")) {
                return Map.of(arguments.get(1).getName(), scope.components(node.getInput(0)));
            }
            Optional<NodeDef> window = scope.producer(node.getInput(0));
            while (window.isPresent() && passesWindows(window.get())) {
                window = scope.producer(window.get().getInput(0));
            }
            Map<String, List<ElementComponent>> windows = new HashMap<>();
            if (window.filter(each -> OpTraits.of(each).family() == OpTraits.Family.WINDOW)
                    .isPresent()) {
                // a window of pairs is a pair of datasets
                List<ElementComponent> elements = scope.components(window.get().getInput(0));
                for (int i = 0; i < elements.size(); i++) {
                    windows.put(arguments.get(i).getName(), List.of(elements.get(i)));
                }
            }
            return windows;
        }

        private static boolean passesWindows(NodeDef node) {
            return switch (OpTraits.of(node).family()) {
                case FILTER, SHUFFLE, TRANSPARENT, TAKE, SKIP, SHARD, CACHE, REPEAT -> true;
                default -> node.getOp().equals("Identity");
            };
        }

        private boolean isSingle(List<ElementComponent> components) {
            ElementComponent ticket = components.get(components.size() - 1);
            return ticket.rankKnown() && ticket.shape().isEmpty();
        }

        /** Gives the function of a dataset the number of the element, by a range that is zipped to its input. */
        private void numbered(Scope scope, NodeDef node, String key, Origin origin) {
            List<ElementComponent> components = given(scope, node, functions.get(called(node, key)));
            List<ElementComponent> zipped = new ArrayList<>(components);
            zipped.add(ElementComponent.of(DataType.DT_INT64, Protos.SCALAR));
            String rising = scope.addDataset(Protos.node(
                            scope.fresh("numbers"),
                            "RangeDataset",
                            first(scope, origin),
                            scope.constant("numbers/last", Protos.int64(Long.MAX_VALUE)),
                            scope.constant("numbers/step", Protos.int64(1)))
                    .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                    .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))));
            String numbers =
                    origin.once().contains(node.getName()) ? rising : new Readings(functions).of(scope, rising);
            NodeDef.Builder zip = Protos.node(scope.fresh("numbered"), "ZipDataset", node.getInput(0), numbers)
                    .putAttr("N", Protos.number(2));
            DatasetOps.setComponents(zip, "output_types", zipped);

            String name = called(node, key);
            int place = components.size() + types(node, "Tstate");
            FunctionDef.Builder widened =
                    FunctionArguments.inserted(functions.get(name), place, KeyedFunctions.IDENTITY);
            String widenedName = functions.freshName(name + "_numbered");
            widened.getSignatureBuilder().setName(widenedName);
            opened(node, widenedName);
            functions.put(keyed(
                    widened.build(),
                    Optional.of(KeyedFunctions.IDENTITY),
                    KeyedFunctions.FAR,
                    windows(scope, node, key, functions.get(name)),
                    origin.ofAttempt()));
            NodeDef.Builder changed = node.toBuilder()
                    .setInput(0, scope.addDataset(zip))
                    .putAttr(key, FunctionArguments.called(node, key, widenedName));
            if (key.equals("predicate")) {
                // it yields what it was given: the number is taken off behind it
                String typesKey = DatasetOps.typesKey(node);
                DatasetOps.setComponents(changed, typesKey, zipped);
                String kept = scope.addDataset(changed.setName(scope.fresh("kept")));
                NodeDef.Builder without = Protos.node(node.getName(), "MapDataset", kept)
                        .putAttr("f", Protos.function(functions.withoutLast(zipped)))
                        .putAttr("Targuments", Protos.types(List.of()))
                        .putAttr("use_inter_op_parallelism", Protos.bool(false))
                        .putAttr("preserve_cardinality", Protos.bool(true));
                DatasetOps.setComponents(without, "output_types", components);
                scope.addDataset(without);
            } else {
                scope.put(changed.build());
            }
        }

        private String first(Scope scope, Origin origin) {
            return origin.identity()
                    .map(identity -> {
                        String far = scope.add(
                                Protos.times(
                                        scope.fresh("far"),
                                        identity,
                                        scope.constant("far/apart", Protos.int64(origin.apart()))),
                                "z");
                        // room above for as many elements as there may be
                        return scope.add(
                                Protos.node(
                                                scope.fresh("first"),
                                                "BitwiseAnd",
                                                far,
                                                scope.constant("far/room", Protos.int64((1L << 62) - 1)))
                                        .putAttr("T", Protos.type(DataType.DT_INT64)),
                                "z");
                    })
                    .orElseGet(() -> scope.constant("numbers/first", Protos.int64(0)));
        }

        private FunctionDef keyed(FunctionDef function, Optional<String> identity) {
            return keyed(function, identity, KeyedFunctions.FAR, Map.of(), false);
        }

        private FunctionDef keyed(FunctionDef function, Function<FunctionDef.Builder, String> identity) {
            FunctionDef.Builder begun = function.toBuilder();
            String made = identity.apply(begun);
            return keyed(begun.build(), Optional.of(made));
        }

        /** A function whose draws follow from an identity that it holds, with the datasets that it makes. */
        private FunctionDef keyed(
                FunctionDef function,
                Optional<String> identity,
                long apart,
                Map<String, List<ElementComponent>> windows,
                boolean ofAttempt) {
            return datasets(functions.keyed(function, identity, ofAttempt), identity, apart, windows, ofAttempt);
        }

        private FunctionDef datasets(
                FunctionDef drawn,
                Optional<String> identity,
                long apart,
                Map<String, List<ElementComponent>> windows,
                boolean ofAttempt) {
            if (drawn.getNodeDefList().stream()
                    .noneMatch(node -> DatasetOps.isDataset(node) || KeyedFunctions.isReduce(node))) {
                return drawn;
            }
            Scope body = Scope.ofFunction(drawn, windows);
            Set<String> once = Readings.onceWithin(
                    body,
                    drawn.getRetMap().values(),
                    opened.contains(drawn.getSignature().getName()));
            Optional<Origin> origin =
                    identity.map(held -> new Origin(Optional.of(held), apart, ofAttempt, false, once));
            for (NodeDef node : body.nodes()) {
                dataset(body, node, origin);
            }
            return drawn.toBuilder().clearNodeDef().addAllNodeDef(body.nodes()).build();
        }

        /** What the elements consist of that a node's function is given; of a dataset that is an argument the shapes are open. */
        private static List<ElementComponent> given(Scope scope, NodeDef node, FunctionDef function) {
            Optional<List<ElementComponent>> known = scope.knownComponents(node.getInput(0));
            if (known.isPresent() || OpTraits.of(node).family() == OpTraits.Family.FILTER) {
                return known.orElseGet(() -> DatasetOps.components(node));
            }
            List<OpDef.ArgDef> arguments = function.getSignature().getInputArgList();
            return arguments.subList(types(node, "Tstate"), arguments.size() - types(node, "Targuments")).stream()
                    .map(argument -> new ElementComponent(argument.getType(), false, List.of()))
                    .toList();
        }

        private static int types(NodeDef node, String key) {
            return node.getAttrOrDefault(key, AttrValue.getDefaultInstance())
                    .getList()
                    .getTypeCount();
        }

        private void reseed(Scope scope, NodeDef dataset, StampDraws.Stamp stamp, Optional<Origin> origin) {
            int place = Chance.firstSeed(dataset);
            Optional<Long> first = Constants.integer(scope, dataset.getInput(place));
            Optional<Long> second = Constants.integer(scope, dataset.getInput(place + 1));
            if (first.isEmpty() || second.isEmpty()) {
                return;
            }
            boolean seeded = first.get() != 0 || second.get() != 0;
            if (!seeded && origin.isEmpty()) {
                // where nothing tells what a function makes it for, it is another each time without a key only
                return;
            }
            // what a function makes without seeds is another dataset each time
            boolean again = stamp.epochs() != 1 && (!seeded || DatasetOps.drawsAnew(dataset));
            if (seeded && (keys.epoch() == 0 || !again)) {
                return;
            }
            if (seeded && isIterated(dataset, origin)) {
                long iteration = Iterations.of(dataset).of(keys.reading(stamp));
                new LaterIteration(scope, keys).put(dataset, first.get(), second.get(), iteration);
                return;
            }
            StampDraws.Stamp each = new StampDraws.Stamp(stamp.place(), stamp.pace(), again ? stamp.epochs() : 1);
            // what functions read is the same one for each of their elements, or another one in each reading
            boolean apart = origin.filter(Origin::captured).isPresent()
                    ? DatasetOps.drawsAnew(dataset)
                    : OpTraits.of(dataset).family() == OpTraits.Family.RANDOM;
            boolean ofAttempt = apart && origin.filter(Origin::ofAttempt).isPresent();
            long key = seeded
                    ? keys.ofEpoch(first.get(), second.get())
                    : ofAttempt ? keys.ofAttempt(each, 0, 0) : keys.of(each, 0, 0);
            // 0 and 0 would mean: no seed
            String low = scope.constant("seed", Protos.int64(key | 1));
            Optional<String> held = origin.flatMap(Origin::identity);
            if (held.isPresent() && !seeded) {
                low = scope.add(Protos.sum(scope.fresh("seed"), low, held.get()), "z");
            }
            scope.put(dataset.toBuilder()
                    .setInput(place, low)
                    .setInput(place + 1, scope.constant("seed2", Protos.int64(DrawKeys.mix(key) | 1)))
                    .build());
        }

        /** Whether an epoch is an iteration of a dataset. */
        private boolean isIterated(NodeDef dataset, Optional<Origin> origin) {
            boolean top = origin.filter(each -> each.identity().isEmpty()).isPresent();
            return top && LaterOrders.isKnown(dataset) && alone.contains(dataset.getName());
        }
    }
}
