package io.praline.worker.graph.chance;

import io.praline.worker.graph.CanonicalForm;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;

/**
 * Writes at every place of chance where in the user's program it stands, before anything is rewritten: the path of calls from
 * the dataset node through the functions to the op, each by its place in the canonical form. A function that draws and is
 * called from two places becomes two, since each call draws numbers of its own; what two processes wrote down of one program
 * draws the same. A place that has its stamp keeps it: in another order of the same steps the same is drawn.
 *
 * <p>A draw that the user seeded follows from its seeds, and not from its place: of that only its {@link Pace} is written down,
 * and what it stands in that runs now and then.
 *
 * <p>What stands upstream of a {@code cache} is marked as drawn once for all epochs, or, where what is kept is repeated itself,
 * once for each of its repetitions: the user's cache would keep it, if it is read to its end.
 */
public final class StampDraws implements Pass {
    /** The attribute with a {@link Stamp}'s numbers, in their order. TensorFlow passes over names with an underscore. */
    private static final String STAMP = "_praline_draw";

    /**
     * Where a place of chance stands.
     *
     * @param place a hash of the path of calls
     * @param pace what draws of the same seeds have in common where they draw the same
     * @param epochs after how many epochs the same is drawn again; 0: never
     */
    record Stamp(long place, long pace, long epochs) {
        /** Whether each epoch draws anew. */
        boolean perEpoch() {
            return epochs == 0;
        }
    }

    static final long ALWAYS_ANEW = 0;

    /** The stamp of a node; empty where nothing is drawn. */
    static Optional<Stamp> of(NodeDef node) {
        if (!node.containsAttr(STAMP)) {
            return Optional.empty();
        }
        List<Long> stamp = node.getAttrOrThrow(STAMP).getList().getIList();
        return Optional.of(new Stamp(stamp.get(0), stamp.get(1), stamp.get(2)));
    }

    /** Whether something is drawn at a node. */
    public static boolean draws(NodeDef node) {
        return of(node).isPresent();
    }

    /** Whether each epoch draws anew at a node. */
    static boolean isDrawnInEachEpoch(NodeDef node) {
        return of(node).filter(Stamp::perEpoch).isPresent();
    }

    /** Whether the same is drawn at a node in every epoch, and by a key, so that it comes again. */
    public static boolean drawsOnce(NodeDef node) {
        return of(node).filter(stamp -> stamp.epochs() == 1).isPresent() && Chance.canBeKeyed(node);
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Stamping stamping = new Stamping(pipeline);
        Scope scope = pipeline.scope();
        Set<String> ended = ReadToTheEnd.in(pipeline, scope);
        Map<String, Long> epochs = epochs(pipeline, scope, ended);
        Map<String, Iterations> iterations = Iterations.in(pipeline, scope, ended);
        for (NodeDef node : scope.nodes()) {
            long every = epochs.getOrDefault(node.getName(), 1L);
            NodeDef stamped = stamping.stamped("", scope, node, new Path(0, 0, every));
            boolean iterated = DatasetOps.isDrawn(node) && iterations.containsKey(node.getName());
            // what repeats it is gone where its epochs are made of that
            scope.put(iterated ? iterations.get(node.getName()).at(stamped) : stamped);
        }
        return new PipelineGraph(scope.nodes(), stamping.functions.values(), pipeline.root(), pipeline.versions());
    }

    /** After how many epochs each node draws the same again: as often as what the nearest cache behind it keeps is repeated. */
    static Map<String, Long> epochs(PipelineGraph pipeline, Scope scope) {
        return epochs(pipeline, scope, ReadToTheEnd.in(pipeline, scope));
    }

    private static Map<String, Long> epochs(PipelineGraph pipeline, Scope scope, Set<String> ended) {
        Map<String, Long> epochs = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(Scope.nodeOf(pipeline.root())));
        epochs.put(open.peek(), ALWAYS_ANEW);
        while (!open.isEmpty()) {
            NodeDef node = pipeline.nodes().get(open.pop());
            boolean cache = OpTraits.of(node).isCache() && ended.contains(node.getName());
            long every = cache ? repeats(scope, node.getInput(0)) : epochs.get(node.getName());
            for (String input : node.getInputList()) {
                // what a cache keeps, and something else takes past it, is drawn as it is without the cache
                String name = Scope.nodeOf(input);
                Long known = epochs.get(name);
                if (known == null || (every == ALWAYS_ANEW && known != ALWAYS_ANEW)) {
                    epochs.put(name, every);
                    open.push(name);
                }
            }
        }
        return epochs;
    }

    private static long repeats(Scope scope, String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        OpTraits traits = OpTraits.of(node);
        boolean several =
                switch (traits.family()) {
                    case ZIP, CONCATENATE, CHOOSE -> true;
                    default -> node.getInputCount() == 0 || !isStep(node);
                };
        if (several) {
            return 1;
        }
        long below = repeats(scope, node.getInput(0));
        if (traits.family() != OpTraits.Family.REPEAT) {
            return below;
        }
        long count = Constants.integer(scope, node.getInput(1)).orElse(1L);
        return count < 0 ? ALWAYS_ANEW : below * Math.max(1, count);
    }

    private static boolean isStep(NodeDef node) {
        OpTraits.Grain grain = OpTraits.of(node).grain();
        return node.getOp().equals("Identity") || (grain != OpTraits.Grain.SOURCE && grain != OpTraits.Grain.VALUE);
    }

    /**
     * Where the walk stands.
     *
     * @param place a hash of the path of calls up to here
     * @param pace the same for draws that the user seeded
     * @param epochs after how many epochs the same is drawn again
     */
    private record Path(long place, long pace, long epochs) {
        /** Through a node, into what it calls. */
        Path through(String place, long pace) {
            return new Path(DrawKeys.along(this.place, place), pace, epochs);
        }

        /** Through an attribute, or a branch, of the node that was gone through. */
        Path by(String key, boolean apart) {
            return new Path(DrawKeys.along(place, key), apart ? DrawKeys.along(pace, key) : pace, epochs);
        }
    }

    /** The work on one pipeline. */
    private static final class Stamping {
        /** Functions that a dataset runs once for each element that it reads, and calls. */
        private static final Set<String> IN_STEP = Set.of("f", "predicate", "key_func");

        private final Map<String, Map<String, String>> places;
        private final Map<String, FunctionDef> functions;
        private final Map<String, Boolean> drawing = new HashMap<>();

        Stamping(PipelineGraph pipeline) {
            this.places = new CanonicalForm(pipeline).places();
            this.functions = new LinkedHashMap<>(pipeline.functions());
        }

        /** A node with its stamp, calling functions that are stamped for this call. */
        private NodeDef stamped(String within, Scope scope, NodeDef node, Path path) {
            String name = places.getOrDefault(within, Map.of()).getOrDefault(node.getName(), node.getName());
            Path here = path.through(name, pace(scope, node, name, path.pace()));
            NodeDef.Builder stamped = node.toBuilder();
            if (Chance.isDrawn(node) && of(node).isEmpty()) {
                boolean once = DatasetOps.isDrawn(node) && isTheSame(scope, node);
                stamped.putAttr(STAMP, stamp(new Stamp(here.place(), path.pace(), once ? 1 : path.epochs())));
            }
            node.getAttrMap().forEach((key, value) -> {
                Path called = here.by(key, !IN_STEP.contains(key));
                if (value.hasFunc()) {
                    stamped.putAttr(
                            key,
                            AttrValue.newBuilder()
                                    .setFunc(stamped(value.getFunc(), called))
                                    .build());
                } else if (value.getList().getFuncCount() > 0) {
                    AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
                    for (NameAttrList one : value.getList().getFuncList()) {
                        list.addFunc(stamped(one, called.by(Integer.toString(list.getFuncCount()), true)));
                    }
                    stamped.putAttr(key, AttrValue.newBuilder().setList(list).build());
                }
            });
            if (functions.containsKey(node.getOp())) {
                stamped.setOp(stamped(node.getOp(), here));
            }
            return stamped.build();
        }

        /** Whether a dataset that draws is the same however often the pipeline is read. */
        private static boolean isTheSame(Scope scope, NodeDef dataset) {
            // a function makes it again each time, and begins with its seeds; at the top it is iterated again
            return scope.isFunction() ? !DatasetOps.isUnseeded(dataset, scope) : !DatasetOps.drawsAnew(dataset);
        }

        /** The pace of what a node calls: that of a call is its caller's, and a branch or a loop has one of its own. */
        private long pace(Scope scope, NodeDef node, String place, long pace) {
            if (functions.containsKey(node.getOp()) || node.getOp().endsWith("PartitionedCall")) {
                return pace;
            }
            if (!DatasetOps.isDataset(node)) {
                return DrawKeys.along(pace, place);
            }
            long read = node.getInputCount() == 0 ? 0 : new Pace(functions).of(scope, node.getInput(0));
            return scope.isFunction() ? DrawKeys.mix(DrawKeys.along(pace, "dataset") ^ read) : read;
        }

        private NameAttrList stamped(NameAttrList called, Path path) {
            return called.toBuilder().setName(stamped(called.getName(), path)).build();
        }

        private String stamped(String name, Path path) {
            FunctionDef function = functions.get(name);
            if (function == null || !draws(name)) {
                return name;
            }
            String copy = name + "_at_" + Long.toHexString(path.place());
            FunctionDef.Builder stamped = function.toBuilder().clearNodeDef();
            stamped.getSignatureBuilder().setName(copy);
            Scope body = Scope.ofFunction(function);
            for (NodeDef node : function.getNodeDefList()) {
                stamped.addNodeDef(stamped(name, body, node, path));
            }
            functions.put(copy, stamped.build());
            return copy;
        }

        private boolean draws(String name) {
            Boolean known = drawing.get(name);
            if (known == null) {
                drawing.put(name, false);
                known = functions.get(name).getNodeDefList().stream()
                        .anyMatch(node -> Chance.isDrawn(node)
                                || PipelineGraph.functionsOf(node)
                                        .anyMatch(called -> functions.containsKey(called) && draws(called)));
                drawing.put(name, known);
            }
            return known;
        }

        private static AttrValue stamp(Stamp stamp) {
            return AttrValue.newBuilder()
                    .setList(AttrValue.ListValue.newBuilder()
                            .addI(stamp.place())
                            .addI(stamp.pace())
                            .addI(stamp.epochs()))
                    .build();
        }
    }
}
