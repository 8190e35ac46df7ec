package io.praline.client.pipeline;

import io.praline.topics.Agreements;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** The nodes of a pipeline while one step is added to them. Nodes are numbered in the order they come, as Python does it. */
final class Draft {

    private final List<NodeDef> nodes;
    private final List<FunctionDef> functions;

    Draft(List<NodeDef> nodes, List<FunctionDef> functions) {
        this.nodes = new ArrayList<>(nodes);
        this.functions = new ArrayList<>(functions);
    }

    String constant(TensorProto tensor) {
        return node(
                "Const",
                List.of(),
                Map.of("dtype", Attributes.type(tensor.getDtype()), "value", Attributes.tensor(tensor)));
    }

    String constant(long value) {
        return constant(Attributes.scalar(value));
    }

    String constant(String value) {
        return constant(Attributes.scalar(value));
    }

    String constant(boolean value) {
        return constant(Attributes.scalar(value));
    }

    String node(String op, List<String> inputs, Map<String, AttrValue> attributes) {
        String name = op + "/_" + nodes.size();
        nodes.add(RegisteredOps.withDefaults(NodeDef.newBuilder()
                .setName(name)
                .setOp(op)
                .addAllInput(inputs)
                .putAllAttr(attributes)
                .build()));
        return name;
    }

    /** A name for a function of this step that no other function of the pipeline has. */
    String functionName(String step) {
        return step + "_" + functions.size();
    }

    AttrValue function(FunctionBody body) {
        for (FunctionDef called : body.called()) {
            List<FunctionDef> same = functions.stream()
                    .filter(known -> known.getSignature()
                            .getName()
                            .equals(called.getSignature().getName()))
                    .toList();
            if (same.isEmpty()) {
                functions.add(called);
            } else if (!same.contains(called)) {
                throw new IllegalArgumentException("two different functions are named "
                        + called.getSignature().getName());
            }
        }
        functions.add(body.function());
        return Attributes.function(body.function().getSignature().getName());
    }

    List<NodeDef> nodes() {
        return List.copyOf(nodes);
    }

    /** Gives a dataset node a name that keeps it where it is. */
    void keepPosition(String dataset) {
        nodes.replaceAll(node -> {
            if (!node.getName().equals(dataset)) {
                return node;
            }
            String kind = node.getOp().replaceFirst("Dataset(V\\d+)?$", "").toLowerCase(Locale.ROOT);
            String name = Attributes.name(node.getAttrOrDefault("metadata", AttrValue.getDefaultInstance()))
                    .orElse(kind);
            return node.toBuilder()
                    .putAttr("metadata", Attributes.metadata(Agreements.KEEP_POSITION + "_" + name))
                    .build();
        });
    }

    Pipeline done(Source source, String output, List<Component> components) {
        return new Pipeline(source, nodes, functions, output, components);
    }
}
