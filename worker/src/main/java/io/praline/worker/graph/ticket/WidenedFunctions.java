package io.praline.worker.graph.ticket;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** The functions of a pipeline while tickets are being put into them: two nodes may share one, so that changes are copies. */
public final class WidenedFunctions {
    private final Map<String, FunctionDef> functions;

    public WidenedFunctions(Map<String, FunctionDef> functions) {
        this.functions = new LinkedHashMap<>(functions);
    }

    /** By their names; not to be changed. */
    public Map<String, FunctionDef> byName() {
        return functions;
    }

    public Iterable<FunctionDef> all() {
        return functions.values();
    }

    public FunctionDef calledBy(NodeDef node, String key) {
        return functions.get(node.getAttrOrThrow(key).getFunc().getName());
    }

    /** Adds a function, or puts another one under its name; gives the name. */
    public String add(FunctionDef function) {
        functions.put(function.getSignature().getName(), function);
        return function.getSignature().getName();
    }

    public String freshName(String name) {
        return PipelineGraph.freshName(name + "_tracked", functions);
    }

    /** A copy of a function with the ticket as an argument behind the element's components; captured tensors stay last. */
    FunctionDef.Builder withTicket(FunctionDef function, int arity) {
        FunctionDef.Builder widened = FunctionArguments.inserted(function, arity, TrackProvenance.TICKET);
        widened.getSignatureBuilder().setName(freshName(function.getSignature().getName()));
        return widened;
    }

    /**
     * The begin of a function that says of an element with a ticket whether it stays.
     *
     * @param captured more arguments, behind the ticket
     */
    FunctionDef.Builder predicate(String name, List<ElementComponent> components, List<OpDef.ArgDef> captured) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder().setName(freshName(name));
        for (int i = 0; i < components.size() - 1; i++) {
            signature.addInputArg(Protos.arg("x" + i, components.get(i).dtype()));
        }
        signature
                .addInputArg(Protos.arg(TrackProvenance.TICKET, DataType.DT_INT64))
                .addAllInputArg(captured)
                .addOutputArg(Protos.arg("keep", DataType.DT_BOOL));
        return function;
    }

    /** The name of a function that yields its arguments with one of them moved to the end. */
    String moveToEnd(List<ElementComponent> components, int moved) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder().setName(freshName("praline_move"));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < components.size(); i++) {
            signature.addInputArg(Protos.arg("x" + i, components.get(i).dtype()));
            if (i != moved) {
                order.add(i);
            }
        }
        order.add(moved);
        for (int i : order) {
            signature.addOutputArg(Protos.arg("y" + i, components.get(i).dtype()));
            function.putRet("y" + i, "x" + i);
        }
        return add(function.build());
    }

    /** The name of a function that yields its arguments but for the last, the ticket. */
    String withoutLast(List<ElementComponent> components) {
        return add(yieldingComponents("praline_without_ticket", components).build());
    }

    /** The begin of a function that yields an element's components, and of its ticket what is added. */
    FunctionDef.Builder yieldingComponents(String name, List<ElementComponent> components) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder().setName(freshName(name));
        int last = components.size() - 1;
        for (int i = 0; i < last; i++) {
            signature.addInputArg(Protos.arg("x" + i, components.get(i).dtype()));
            signature.addOutputArg(Protos.arg("y" + i, components.get(i).dtype()));
            function.putRet("y" + i, "x" + i);
        }
        signature.addInputArg(
                Protos.arg(TrackProvenance.TICKET, components.get(last).dtype()));
        return function;
    }
}
