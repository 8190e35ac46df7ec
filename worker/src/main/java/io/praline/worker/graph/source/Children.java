package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * What single elements become behind a shuffle, where one step makes several elements of each. Their numbers within the split
 * cannot be known there, for the shuffle chose which parent comes first. So it is counted before the shuffle how many
 * children each parent will have, and a parent brings its children's tickets along: those behind the children of all parents
 * that came out of the split before it.
 *
 * @param steps the dataset nodes from the shuffle to the step that makes several elements of one, in order
 */
public record Children(List<String> steps) {
    /** The node in the function that opens a split that yields its elements, each with the number of its children. */
    public static final String COUNTED = "praline_children";

    /** Marks the step that makes several elements of one. */
    private static final String MADE = "_praline_children";

    /** There is no such step, or none that could be counted. */
    static final Children NONE = new Children(List.of());

    public Children {
        steps = List.copyOf(steps);
    }

    /** Whether a dataset node makes several elements of one, whose tickets come with the one. */
    public static boolean areMadeBy(NodeDef node) {
        return node.containsAttr(MADE);
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /**
     * What it costs, in a line.
     *
     * @param names of transformations, by the names of their nodes
     */
    public List<String> notes(Map<String, String> names) {
        if (isEmpty()) {
            return List.of();
        }
        String made = steps.get(steps.size() - 1);
        return List.of(names.getOrDefault(made, made)
                + ": how many elements it makes of each is counted before the shuffle, so that they can be told apart;"
                + " the maps and filters between the two, and its own function, run twice");
    }

    /** Whether a dataset node can stand between the shuffle and the step that makes several elements of one. */
    static boolean passes(NodeDef node, Scope scope) {
        OpTraits traits = OpTraits.of(node);
        return switch (traits.family()) {
            case MAP -> Birth.canMove(node, scope);
            case FILTER -> Birth.canMove(node, scope) && node.containsAttr("predicate");
            case SHUFFLE -> true;
            case TRANSPARENT -> traits.drops() == OpTraits.Drops.NOTHING;
            default -> false;
        };
    }

    /** Whether a dataset node makes several elements of single ones. */
    static boolean makesSeveral(NodeDef node, Scope scope) {
        OpTraits.Family family = OpTraits.of(node).family();
        return (family == OpTraits.Family.INTERLEAVE || family == OpTraits.Family.UNBATCH)
                && Birth.canMove(node, scope);
    }

    /**
     * The step that makes the records of files of single elements, which are as good as the files' names then; empty where the
     * first step that makes several of one is another.
     *
     * @param above the dataset nodes that the elements pass, from the nearest on
     */
    public static Optional<NodeDef> areRecords(
            Iterable<NodeDef> above, Scope scope, Map<String, FunctionDef> functions) {
        for (NodeDef node : above) {
            if (OpTraits.of(node).family() == OpTraits.Family.INTERLEAVE) {
                return Optional.of(node).filter(opens -> Birth.canMove(opens, scope) && readsFiles(opens, functions));
            }
            if (!areOfOne(node)) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean readsFiles(NodeDef node, Map<String, FunctionDef> functions) {
        return PipelineGraph.reachedFunctions(List.of(node), functions).stream()
                .flatMap(name -> functions.get(name).getNodeDefList().stream())
                .filter(DatasetOps::isDataset)
                .anyMatch(inner -> {
                    OpTraits traits = OpTraits.of(inner);
                    return traits.input(inner, OpTraits.Input.FILES).isPresent() && !traits.isCache();
                });
    }

    /** Whether a dataset node gives for an element one or none, or is the source of single ones. */
    static boolean areOfOne(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case MAP, FILTER, SHUFFLE, TRANSPARENT, REPEAT, CACHE, SNAPSHOT, ASSERT, SLICES, RANGE -> true;
            default -> node.getOp().equals("Identity");
        };
    }

    /** Whether it is known of what a step makes of an element how many they are, before any of them is made. */
    static boolean areKnown(NodeDef makes, Map<String, FunctionDef> functions) {
        if (OpTraits.of(makes).family() == OpTraits.Family.UNBATCH) {
            return true;
        }
        FunctionDef function = functions.get(makes.getAttrOrThrow("f").getFunc().getName());
        return function != null && areKnown(Scope.ofFunction(function), Scope.result(function, 0));
    }

    private static boolean areKnown(Scope body, String ref) {
        Optional<NodeDef> node = body.producer(body.behindIdentities(ref));
        return node.isPresent()
                && switch (OpTraits.of(node.get()).family()) {
                    case SLICES, RANGE -> true;
                    case MAP ->
                        DatasetOps.keepsCardinality(node.get())
                                && areKnown(body, node.get().getInput(0));
                    case TRANSPARENT, BATCH, PADDED_BATCH, TAKE, SKIP, REPEAT ->
                        areKnown(body, node.get().getInput(0));
                    case ZIP, CONCATENATE -> Scope.given(node.get()).allMatch(input -> areKnown(body, input));
                    default -> node.get().getOp().equals("TensorDataset");
                };
    }

    /**
     * Whether these steps make the same of an element whenever they see it, in the same order. Files whose records are the
     * children would be read twice, and have more of them than an element can carry the tickets of.
     */
    static boolean comeAgain(List<NodeDef> steps, Map<String, FunctionDef> functions) {
        return steps.stream().noneMatch(step -> step.getAttrOrDefault("Targuments", AttrValue.getDefaultInstance())
                        .getList()
                        .getTypeList()
                        .contains(DataType.DT_VARIANT))
                && PipelineGraph.reachedFunctions(steps, functions).stream().allMatch(name -> {
                    Scope body = Scope.ofFunction(functions.get(name));
                    return functions.get(name).getNodeDefList().stream().allMatch(node -> comesAgain(node, body));
                });
    }

    private static boolean comesAgain(NodeDef node, Scope body) {
        OpTraits traits = OpTraits.of(node);
        boolean steady = traits.draws() == OpTraits.Draws.NOTHING
                && traits.repeats() == OpTraits.Repeats.YES
                && traits.drops() != OpTraits.Drops.ERRORS
                && traits.drops() != OpTraits.Drops.CHANCE
                && !traits.isCache()
                && !traits.isReader();
        boolean ordered = !DatasetOps.losesOrder(node)
                && !node.getAttrOrDefault("sloppy", AttrValue.getDefaultInstance())
                        .getB()
                && traits.input(node, OpTraits.Input.SLOPPY)
                        .map(input -> !Constants.bool(body, input).orElse(true))
                        .orElse(true)
                && traits.input(node, OpTraits.Input.CYCLE)
                        .map(input -> Constants.integer(body, input).orElse(0L) > 0)
                        .orElse(true);
        return switch (traits.family()) {
            case SHUFFLE, RANDOM, STATE, OTHER -> false;
            default -> steady && ordered;
        };
    }

    /**
     * Lets the function that opens a split count the children of its elements, at a node that nobody reads yet, and marks the
     * step that makes them.
     *
     * @param elements what the function yields
     * @param into takes what a step is given besides its elements into the function, and gives its name there
     */
    public void count(
            Scope scope,
            FunctionDef.Builder open,
            List<ElementComponent> elements,
            Map<String, FunctionDef> functions,
            Captures into) {
        if (isEmpty()) {
            return;
        }
        List<NodeDef> called = steps.stream()
                .map(scope::node)
                .filter(step -> OpTraits.of(step).family() != OpTraits.Family.SHUFFLE
                        && OpTraits.of(step).family() != OpTraits.Family.TRANSPARENT)
                .toList();
        List<List<String>> captured = new ArrayList<>();
        for (NodeDef step : called) {
            captured.add(captured(step, scope, open, into));
        }
        String name = open.getSignature().getName() + "_children";
        ChildCount count = new ChildCount(name, called, functions);
        String function = count.ofEach(elements);
        boolean parallel = called.stream().anyMatch(step -> step.getOp().startsWith("Parallel"));
        String result = Scope.result(open, 0);
        List<ElementComponent> counted = new ArrayList<>(elements);
        counted.add(ElementComponent.of(DataType.DT_INT64, Protos.SCALAR));
        NodeDef.Builder map = Protos.node(COUNTED, parallel ? "ParallelMapDatasetV2" : "MapDataset", result)
                .putAttr("f", Protos.function(function))
                .putAttr("Targuments", Protos.types(count.captured(0)))
                .putAttr("use_inter_op_parallelism", Protos.bool(parallel))
                .putAttr("preserve_cardinality", Protos.bool(true));
        captured.forEach(map::addAllInput);
        if (parallel) {
            // as many as TensorFlow likes
            open.addNodeDef(Protos.constant("praline_calls", Protos.int64(-1)));
            map.addInput("praline_calls:output:0").putAttr("deterministic", Protos.string("true"));
        }
        DatasetOps.setComponents(map, "output_types", counted);
        open.addNodeDef(map);
        NodeDef last = scope.node(steps.get(steps.size() - 1));
        scope.put(last.toBuilder().putAttr(MADE, Protos.bool(true)).build());
    }

    /** Takes a reference of the graph into the function that opens a split. */
    @FunctionalInterface
    public interface Captures {
        /** The name of an argument that is given it. */
        String argument(String ref, DataType type);
    }

    private static List<String> captured(NodeDef node, Scope scope, FunctionDef.Builder open, Captures into) {
        List<String> inputs = new ArrayList<>();
        for (int i = 1; i <= ChildCount.captured(node).size(); i++) {
            Optional<TensorProto> constant = Constants.value(scope, node.getInput(i));
            if (constant.isPresent()) {
                String held = "praline_counted_" + open.getNodeDefCount();
                open.addNodeDef(Protos.constant(held, constant.get()));
                inputs.add(held + ":output:0");
            } else {
                inputs.add(into.argument(
                        node.getInput(i), ChildCount.captured(node).get(i - 1)));
            }
        }
        return inputs;
    }
}
