package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** Functions that are given one argument more, or one less. */
public final class FunctionArguments {
    /** Behind the name of an argument: what is yielded of it as it is. */
    private static final String YIELDED = "_as_it_is";

    private FunctionArguments() {}

    /** A copy, still under its name, with an int64 as an argument at a place; the arguments from there on move up. */
    public static FunctionDef.Builder inserted(FunctionDef function, int place, String argument) {
        return inserted(function, place, Protos.arg(argument, DataType.DT_INT64));
    }

    private static FunctionDef.Builder inserted(FunctionDef function, int place, OpDef.ArgDef argument) {
        FunctionDef.Builder widened = function.toBuilder().clearArgAttr().clearResourceArgUniqueId();
        OpDef.Builder signature = widened.getSignatureBuilder();
        List<OpDef.ArgDef> arguments = new ArrayList<>(signature.getInputArgList());
        arguments.add(place, argument);
        signature.clearInputArg().addAllInputArg(arguments);
        // attributes of arguments are keyed by their place
        function.getArgAttrMap().forEach((at, attributes) -> widened.putArgAttr(at < place ? at : at + 1, attributes));
        return widened;
    }

    /**
     * A copy, still under its name, that is given more components of an element and yields them as they are.
     *
     * @param before what stands before the components that it is given now
     * @param arity how many these are
     * @param behind what stands behind them
     */
    public static FunctionDef.Builder passing(
            FunctionDef function, List<DataType> before, int arity, List<DataType> behind) {
        FunctionDef.Builder widened = function.toBuilder();
        List<OpDef.ArgDef> yielded = new ArrayList<>(function.getSignature().getOutputArgList());
        for (int i = 0; i < before.size(); i++) {
            pass(widened, "praline_before_" + i, before.get(i), i, yielded, i);
        }
        for (int i = 0; i < behind.size(); i++) {
            pass(widened, "praline_behind_" + i, behind.get(i), before.size() + arity + i, yielded, yielded.size());
        }
        widened.getSignatureBuilder().clearOutputArg().addAllOutputArg(yielded);
        return widened;
    }

    private static void pass(
            FunctionDef.Builder function, String hint, DataType type, int place, List<OpDef.ArgDef> yielded, int at) {
        Set<String> taken = new HashSet<>(function.getRetMap().keySet());
        function.getSignature().getInputArgList().forEach(argument -> taken.add(argument.getName()));
        String name = hint;
        while (taken.contains(name) || taken.contains(name + YIELDED)) {
            name += "_again";
        }
        FunctionDef widened =
                inserted(function.build(), place, Protos.arg(name, type)).build();
        function.clear().mergeFrom(widened).putRet(name + YIELDED, name);
        yielded.add(at, Protos.arg(name + YIELDED, type));
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
