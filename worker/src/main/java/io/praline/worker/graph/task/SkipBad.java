package io.praline.worker.graph.task;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.ordering.step.OpKinds;
import io.praline.worker.graph.source.Children;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.ticket.Told;
import io.praline.worker.graph.ticket.TrackProvenance;
import io.praline.worker.graph.ticket.WidenedFunctions;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Leaves out elements that cannot be made instead of ending the task: behind each transformation that runs a function on
 * single elements, also in functions that make datasets of batches or groups, and behind each source, so that one bad element
 * never takes its batch along. Comes behind {@link TrackProvenance}; what is missing at the end is found by its ticket. Where
 * elements are numbered as they come out of a split, what fails before has no ticket and could not be told of: there a failure
 * ends the task as it would without this where nothing behind runs on single elements, or where none would miss it; else
 * it is missed by the number that it leaves out. Of what is numbered it is told how far it came.
 */
final class SkipBad implements Pass {
    private static final Set<OpTraits.Family> BATCHES = EnumSet.of(
            OpTraits.Family.BATCH,
            OpTraits.Family.PADDED_BATCH,
            OpTraits.Family.SPARSE_BATCH,
            OpTraits.Family.REBATCH,
            OpTraits.Family.WINDOW,
            OpTraits.Family.GROUP);

    private static final Set<OpTraits.Family> APART = EnumSet.of(OpTraits.Family.UNBATCH, OpTraits.Family.INTERLEAVE);

    /** Ops that fail on no element, whatever they are given. */
    private static final Set<String> HARMLESS = Set.of(
            "Const",
            "Identity",
            "NoOp",
            "Cast",
            "Pack",
            "Shape",
            "Size",
            "ExpandDims",
            "Range",
            "Mul",
            "AddV2",
            "Sub",
            "Neg",
            "Equal",
            "NotEqual",
            "Less",
            "LessEqual",
            "Greater",
            "GreaterEqual",
            "LogicalAnd",
            "LogicalOr",
            "LogicalNot",
            "If",
            "StatelessIf",
            "PartitionedCall",
            "StatefulPartitionedCall",
            "DatasetCardinality");

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Set<String> whole = BindSplits.readAsAWhole(scope);
        for (NodeDef node : scope.nodes()) {
            if (BindSplits.isSource(node) && losesUnseen(node, scope, whole, pipeline.functions())) {
                return pipeline;
            }
        }
        String root = pipeline.root();
        WidenedFunctions functions = new WidenedFunctions(pipeline.functions());
        Set<String> opening = new HashSet<>();
        for (NodeDef node : scope.nodes()) {
            Optional<NodeDef.Builder> behind = Optional.empty();
            if (BindSplits.isSource(node)) {
                FunctionDef open = functions.calledBy(node, "f");
                opening.add(open.getSignature().getName());
                if (!BindSplits.isNumbered(open)) {
                    behind = Optional.of(ignoring(node));
                } else if (countsChildren(open)) {
                    behind = Optional.of(Told.come(functions, DatasetOps.components(node)));
                } else {
                    functions.add(Told.used(functions, open));
                }
            } else if (runsOnElements(node)
                    && !whole.contains(node.getName())
                    // the split queue's own map ends by an error, which must stay one
                    && !node.getName().startsWith("praline/")) {
                behind = Optional.of(ignoring(node));
            }
            if (behind.isPresent()) {
                String put = put(scope, node, behind.get());
                root = Scope.nodeOf(root).equals(node.getName()) ? put : root;
            }
        }
        pipeline.functions().forEach((name, function) -> {
            if (!opening.contains(name)) {
                functions.add(inside(function, pipeline.functions()));
            }
        });
        return new PipelineGraph(scope.nodes(), functions.all(), root, pipeline.versions());
    }

    /**
     * Whether what fails before a source's elements have numbers may be missed by none of these, though whatever passes over errors
     * behind would let it go: a batch that is taken apart there takes its rows along, and leaves one number out for all of them;
     * a parent whose children are numbered leaves one out only where another parent follows.
     */
    private static boolean losesUnseen(
            NodeDef source, Scope scope, Set<String> whole, Map<String, FunctionDef> functions) {
        FunctionDef open = functions.get(source.getAttrOrThrow("f").getFunc().getName());
        if (!BindSplits.isNumbered(open)) {
            return false;
        }
        Stream<NodeDef> unsplit = BindSplits.readsWhole(source) ? whole.stream().map(scope::node) : Stream.empty();
        Set<OpTraits.Family> steps = Stream.concat(open.getNodeDefList().stream(), unsplit)
                .map(node -> OpTraits.of(node).family())
                .collect(Collectors.toSet());
        if (!Collections.disjoint(steps, BATCHES) && !Collections.disjoint(steps, APART)) {
            return true;
        }
        return countsChildren(open)
                && open.getNodeDefList().stream()
                        .filter(node -> runsOnElements(node) && !isTickets(node))
                        .flatMap(PipelineGraph::functionsOf)
                        .filter(functions::containsKey)
                        .anyMatch(function -> mayFail(functions.get(function), functions));
    }

    /** Whether a call of a function may fail; what the datasets that it makes do with their elements comes later. */
    private static boolean mayFail(FunctionDef function, Map<String, FunctionDef> functions) {
        Scope body = Scope.ofFunction(function);
        return function.getNodeDefList().stream()
                .filter(node -> !DatasetOps.isDataset(node))
                .anyMatch(node -> !(functions.containsKey(node.getOp()) || isHarmless(node, body))
                        || PipelineGraph.functionsOf(node)
                                .filter(functions::containsKey)
                                .anyMatch(called -> mayFail(functions.get(called), functions)));
    }

    /** Whether an op fails on no element: not for a divisor that is zero there, and not for a place that is not. */
    private static boolean isHarmless(NodeDef node, Scope body) {
        return switch (node.getOp()) {
            case "FloorMod" ->
                Constants.integer(body, node.getInput(1))
                        .filter(divisor -> divisor != 0)
                        .isPresent();
            case "GatherV2" -> isShape(body, node.getInput(0));
            case "StridedSlice" ->
                isShape(body, node.getInput(0))
                        || (OpKinds.mask(node, "shrink_axis_mask") == 0
                                && Constants.value(body, node.getInput(3)).isPresent());
            default -> HARMLESS.contains(node.getOp());
        };
    }

    private static boolean isShape(Scope body, String ref) {
        return body.producer(ref).filter(node -> node.getOp().equals("Shape")).isPresent();
    }

    private static boolean countsChildren(FunctionDef open) {
        return open.getNodeDefList().stream().anyMatch(node -> node.getName().equals(Children.COUNTED));
    }

    /** What was put there to number elements and to choose among them, none of which fails. */
    private static boolean isTickets(NodeDef node) {
        return node.getName().startsWith("praline_")
                && !node.getName().equals(Children.COUNTED)
                && !node.getName().startsWith("praline_step_");
    }

    /** Puts a node behind a dataset, of whose elements it lets some go on. */
    private static String put(Scope scope, NodeDef node, NodeDef.Builder behind) {
        String name = scope.fresh("skip_bad");
        scope.redirect(node.getName(), scope.output(name, "handle"));
        behind.setName(name).addInput(scope.output(node.getName(), "handle"));
        DatasetOps.setComponents(behind, "output_types", DatasetOps.components(node));
        return scope.addDataset(behind);
    }

    private static NodeDef.Builder ignoring(NodeDef node) {
        return Protos.node(node.getName(), "IgnoreErrorsDataset").putAttr("log_warning", Protos.bool(false));
    }

    /**
     * The same behind the steps inside a function whose elements have tickets. Where datasets are paired there, one that is
     * left out of the one would pair all that follow it with others.
     */
    private static FunctionDef inside(FunctionDef function, Map<String, FunctionDef> functions) {
        if (function.getNodeDefList().stream()
                .anyMatch(node -> OpTraits.of(node).family() == OpTraits.Family.ZIP)) {
            return function;
        }
        Scope body = Scope.ofFunction(function);
        FunctionDef.Builder tolerant = function.toBuilder();
        for (NodeDef node : function.getNodeDefList()) {
            if (DatasetOps.isDataset(node) && runsOnElements(node) && isGivenTickets(node, functions)) {
                String from = body.output(node.getName(), "handle");
                String put = put(body, node, ignoring(node));
                tolerant.getRetMap().forEach((key, ref) -> tolerant.putRet(key, ref.equals(from) ? put : ref));
            }
        }
        return tolerant.clearNodeDef().addAllNodeDef(body.nodes()).build();
    }

    private static boolean isGivenTickets(NodeDef node, Map<String, FunctionDef> functions) {
        return PipelineGraph.functionsOf(node)
                .filter(functions::containsKey)
                .map(functions::get)
                .anyMatch(called -> called.getSignature().getInputArgList().stream()
                        .anyMatch(argument -> argument.getName().equals(TrackProvenance.TICKET)));
    }

    private static boolean runsOnElements(NodeDef node) {
        OpTraits.Family family = OpTraits.of(node).family();
        return family == OpTraits.Family.MAP || family == OpTraits.Family.FILTER;
    }
}
