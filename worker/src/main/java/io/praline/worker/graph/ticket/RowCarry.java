package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Tickets through functions that make a dataset of a batch's rows, as {@code flat_map(Dataset.from_tensor_slices)} does: the
 * slices of its tickets go with those of its values, and on through the steps that the function has behind them.
 */
final class RowCarry {
    private final WidenedFunctions functions;
    private final Widening widening;
    private final IdentityHashMap<Scope, Batch> batches = new IdentityHashMap<>();

    RowCarry(WidenedFunctions functions, Widening widening) {
        this.functions = functions;
        this.widening = widening;
    }

    /** Batches that are taken apart: as many tickets as rows, without what {@link BatchCarry} filled them up with. */
    Carried apart(Scope scope, String ref) {
        Carried input = widening.carry(scope, ref);
        if (input.ticket().shape().size() != 1 || input.ticket().shape().get(0) < 0) {
            return input;
        }
        List<ElementComponent> components = scope.components(input.ref());
        ElementComponent ticket = Carried.ticket(List.of(-1L));
        List<ElementComponent> yielded = new ArrayList<>(components.subList(0, components.size() - 1));
        yielded.add(ticket);
        NodeDef.Builder map = Protos.node(scope.fresh("tickets_of_rows"), "MapDataset", input.ref())
                .putAttr("f", Protos.function(unpadding(components)))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("use_inter_op_parallelism", Protos.bool(false))
                .putAttr("preserve_cardinality", Protos.bool(true));
        return new Carried(Widening.typed(scope, map, yielded), ticket, input.full());
    }

    /** The name of a function that leaves out of an element's tickets what is none. */
    private String unpadding(List<ElementComponent> components) {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        FunctionDef.Builder function = functions.yieldingComponents("praline_unpad", components);
        function.addNodeDef(Protos.constant("least", Protos.int64(0)))
                .addNodeDef(Protos.node("there", "GreaterEqual", TrackProvenance.TICKET, "least:output:0")
                        .putAttr("T", int64))
                .addNodeDef(Protos.node("where", "Where", "there:z:0").putAttr("T", Protos.type(DataType.DT_BOOL)))
                .addNodeDef(Protos.node("tickets", "GatherNd", TrackProvenance.TICKET, "where:index:0")
                        .putAttr("Tparams", int64)
                        .putAttr("Tindices", int64))
                .putRet("of_rows", "tickets:output:0");
        function.getSignatureBuilder().addOutputArg(Protos.arg("of_rows", DataType.DT_INT64));
        return functions.add(function.build());
    }

    /**
     * A batch that a function is given.
     *
     * @param components the arguments that hold it
     * @param tickets those of its elements
     */
    private record Batch(Set<String> components, Carried tickets) {}

    Carried slicing(Scope scope, NodeDef node) {
        int arity = scope.components(node.getInput(0)).size();
        Optional<NodeDef> changed = Rows.changed(scope, node.getInput(0), functions.byName());
        Carried input = apart(scope, node.getInput(0));
        if (input.single()) {
            throw new Untrackable(
                    Widening.named(node) + " may make several elements of one, behind a step that mixes or groups");
        }
        changed.ifPresent(step -> {
            throw Rows.untold(node, step);
        });
        FunctionDef.Builder widened = functions.withTicket(functions.calledBy(node, "f"), arity);
        Set<String> arguments = new HashSet<>();
        widened.getSignature().getInputArgList().stream()
                .limit(arity)
                .map(OpDef.ArgDef::getName)
                .forEach(arguments::add);
        Scope body = Scope.ofFunction(widened.build());
        batches.put(body, new Batch(arguments, input));
        String result = widened.getSignature().getOutputArg(0).getName();
        Carried rows = widening.carry(body, widened.getRetOrThrow(result));
        widened.clearNodeDef().addAllNodeDef(body.nodes()).putRet(result, rows.ref());
        return Widening.done(
                scope,
                node.toBuilder()
                        .setInput(0, input.ref())
                        .putAttr("f", FunctionArguments.called(node, "f", functions.add(widened.build()))),
                rows);
    }

    /** Whether a node yields the rows of the batch that its function is given. */
    boolean isOfRows(Scope scope, NodeDef node) {
        return batches.containsKey(scope) && OpTraits.of(node).family() == OpTraits.Family.SLICES;
    }

    /** Whether a dataset has an element for each row of the batch that its function is given, in their order. */
    boolean yieldsRows(Scope scope, String ref) {
        Optional<NodeDef> node = scope.producer(ref);
        return node.isPresent()
                && switch (OpTraits.of(node.get()).family()) {
                    case MAP, TRANSPARENT -> yieldsRows(scope, node.get().getInput(0));
                    case SLICES -> areRows(scope, node.get());
                    default -> false;
                };
    }

    Carried slices(Scope scope, NodeDef node) {
        if (!areRows(scope, node)) {
            throw new Untrackable(Widening.named(node)
                    + " may yield something else than the rows of a batch, behind a step that mixes or groups");
        }
        widening.once(scope, node.getName());
        int components = DatasetOps.components(node).size();
        List<String> inputs = new ArrayList<>(node.getInputList());
        // inputs that are only waited for stand at the end
        inputs.add(components, TrackProvenance.TICKET);
        List<Long> shape = batches.get(scope).tickets().ticket().shape();
        return Widening.done(
                scope,
                node.toBuilder().clearInput().addAllInput(inputs),
                new Carried("", Carried.ticket(shape.subList(1, shape.size())), Optional.empty()));
    }

    private static List<String> data(NodeDef node) {
        return Scope.given(node).toList();
    }

    /** Whether all that is sliced has a row for each row of the batch, made of that one alone. */
    private boolean areRows(Scope scope, NodeDef slices) {
        Batch given = batches.get(scope);
        Set<String> batch = given == null ? Set.of() : given.components();
        for (String sliced : data(slices)) {
            Set<String> seen = new HashSet<>();
            Deque<String> open = new ArrayDeque<>(List.of(sliced));
            boolean ofTheBatch = false;
            while (!open.isEmpty()) {
                String at = Scope.nodeOf(open.remove());
                if (!seen.add(at)) {
                    continue;
                }
                Optional<NodeDef> node = scope.producer(at);
                ofTheBatch |= batch.contains(at);
                if (node.isPresent() && !Rows.keeps(node.get())) {
                    return false;
                }
                node.ifPresent(each -> open.addAll(data(each)));
            }
            if (!ofTheBatch) {
                return false;
            }
        }
        return true;
    }
}
