package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** Functions that are given one argument more, or one less. */
public final class FunctionArguments {
    private FunctionArguments() {}

    /** A copy, still under its name, with an int64 as an argument at a place; the arguments from there on move up. */
    public static FunctionDef.Builder inserted(FunctionDef function, int place, String argument) {
        FunctionDef.Builder widened = function.toBuilder().clearArgAttr().clearResourceArgUniqueId();
        OpDef.Builder signature = widened.getSignatureBuilder();
        List<OpDef.ArgDef> arguments = new ArrayList<>(signature.getInputArgList());
        arguments.add(place, Protos.arg(argument, DataType.DT_INT64));
        signature.clearInputArg().addAllInputArg(arguments);
        // attributes of arguments are keyed by their place
        function.getArgAttrMap().forEach((at, attributes) -> widened.putArgAttr(at < place ? at : at + 1, attributes));
        return widened;
    }

    /** A copy, still under its name, without an argument that nothing uses; those behind it move down. */
    public static FunctionDef removed(FunctionDef function, int place) {
        FunctionDef.Builder narrowed = function.toBuilder().clearArgAttr().clearResourceArgUniqueId();
        narrowed.getSignatureBuilder().removeInputArg(place);
        function.getArgAttrMap().forEach((at, attributes) -> {
            if (at != place) {
                narrowed.putArgAttr(at < place ? at : at - 1, attributes);
            }
        });
        return narrowed.build();
    }

    /** A node's attribute that names a function, with another name. */
    public static AttrValue called(NodeDef node, String key, String function) {
        AttrValue.Builder value = node.getAttrOrThrow(key).toBuilder();
        value.getFuncBuilder().setName(function);
        return value.build();
    }
}
