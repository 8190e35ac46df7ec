package io.praline.worker.graph.ordering;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** A dataset node that runs a function on each element: a map or a filter, however many calls run beside each other. */
record MapNode(NodeDef node) {
    private static final String CAPTURED_TYPES = "Targuments";

    static boolean isMap(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.MAP && node.containsAttr("f");
    }

    static boolean isFilter(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.FILTER && node.containsAttr("predicate");
    }

    private String key() {
        return isFilter(node) ? "predicate" : "f";
    }

    FunctionDef function(Map<String, FunctionDef> functions) {
        return functions.get(node.getAttrOrThrow(key()).getFunc().getName());
    }

    /** Refs of what the function captured. */
    List<String> captured() {
        return node.getInputList().subList(1, 1 + capturedTypes().size());
    }

    private List<DataType> capturedTypes() {
        return node.getAttrOrDefault(CAPTURED_TYPES, AttrValue.getDefaultInstance())
                .getList()
                .getTypeList();
    }

    /** Inputs behind the captured ones. */
    List<String> others() {
        return node.getInputList().subList(1 + capturedTypes().size(), node.getInputCount());
    }

    /** The nodes that give what is captured, where they are constants. */
    List<Optional<NodeDef>> constants(Scope scope) {
        return captured().stream()
                .map(ref ->
                        scope.producer(ref).filter(producer -> producer.getOp().equals("Const")))
                .toList();
    }

    /**
     * The same with another function.
     *
     * @param input the dataset that it reads
     * @param captured places of what the function captures, among what this one does
     */
    NodeDef.Builder running(String function, String input, List<Integer> captured) {
        NodeDef.Builder changed = calling(function).clearInput().addInput(input);
        captured.forEach(place -> changed.addInput(captured().get(place)));
        return changed.addAllInput(others())
                .putAttr(
                        CAPTURED_TYPES,
                        Protos.types(captured.stream().map(capturedTypes()::get).toList()));
    }

    /** The same with another function that captures the same. */
    NodeDef.Builder calling(String function) {
        AttrValue.Builder called = node.getAttrOrThrow(key()).toBuilder();
        called.getFuncBuilder().setName(function);
        return node.toBuilder().putAttr(key(), called.build());
    }

    /** One map of two: what the first captures stands in front of what this one does. */
    NodeDef.Builder behind(MapNode first, String function) {
        return calling(function)
                .clearInput()
                .addInput(first.node.getInput(0))
                .addAllInput(first.captured())
                .addAllInput(captured())
                .addAllInput(others())
                .putAttr(
                        CAPTURED_TYPES,
                        Protos.types(Stream.concat(first.capturedTypes().stream(), capturedTypes().stream())
                                .toList()));
    }

    static void setYielded(NodeDef.Builder node, List<ElementComponent> components) {
        // TensorFlow infers it, and warns where it was inferred for other components
        node.clearExperimentalType();
        DatasetOps.setComponents(node, DatasetOps.typesKey(node.build()), components);
    }
}
