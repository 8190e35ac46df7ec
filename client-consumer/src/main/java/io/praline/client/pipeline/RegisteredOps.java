package io.praline.client.pipeline;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.tensorflow.TensorFlow;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** The operations of this TensorFlow: which outputs a node has, and what an attribute is when nobody says. */
final class RegisteredOps {

    private RegisteredOps() {}

    static OpDef of(String op) {
        OpDef found = ByName.OPS.get(op);
        if (found == null) {
            throw new IllegalArgumentException("this TensorFlow has no operation " + op);
        }
        return found;
    }

    /** {@code node:2} of a graph is {@code node:values:1} in a function. */
    static String reference(NodeDef node, int output) {
        int left = output;
        for (OpDef.ArgDef argument : of(node.getOp()).getOutputArgList()) {
            int tensors = tensors(node, argument);
            if (left < tensors) {
                return node.getName() + ":" + argument.getName() + ":" + left;
            }
            left -= tensors;
        }
        throw new IllegalArgumentException(node.getOp() + " has no output " + output);
    }

    /** The node with every attribute that it leaves out and that has a default, as Python writes them. */
    static NodeDef withDefaults(NodeDef node) {
        NodeDef.Builder filled = node.toBuilder();
        for (OpDef.AttrDef attribute : of(node.getOp()).getAttrList()) {
            if (attribute.hasDefaultValue() && !node.containsAttr(attribute.getName())) {
                filled.putAttr(attribute.getName(), attribute.getDefaultValue());
            }
        }
        return filled.build();
    }

    private static int tensors(NodeDef node, OpDef.ArgDef argument) {
        if (!argument.getNumberAttr().isEmpty()) {
            return (int) node.getAttrOrThrow(argument.getNumberAttr()).getI();
        }
        if (!argument.getTypeListAttr().isEmpty()) {
            AttrValue types = node.getAttrOrThrow(argument.getTypeListAttr());
            return types.getList().getTypeCount();
        }
        return 1;
    }

    /** Read on first use: the native library is loaded by it. */
    private static final class ByName {
        static final Map<String, OpDef> OPS = TensorFlow.registeredOpList().getOpList().stream()
                .collect(Collectors.toUnmodifiableMap(OpDef::getName, Function.identity()));
    }
}
