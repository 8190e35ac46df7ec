package io.praline.client.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.tensorflow.Graph;
import org.tensorflow.GraphOperation;
import org.tensorflow.Operand;
import org.tensorflow.Output;
import org.tensorflow.op.Ops;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * A function of a pipeline, drawn by running the user's lambda once over placeholders.
 *
 * @param function under the name that was asked for; arguments are {@code args_0 ...}, results {@code identity, identity_1 ...}
 * @param called functions that its nodes call
 * @param results what it gives, with the types and shapes that TensorFlow infers
 */
record FunctionBody(FunctionDef function, List<FunctionDef> called, List<Component> results) {

    FunctionBody {
        called = List.copyOf(called);
        results = List.copyOf(results);
    }

    static FunctionBody draw(String name, List<Component> arguments, BiFunction<Ops, Element, Element> lambda) {
        try (Graph graph = new Graph()) {
            Ops tf = Ops.create(graph);
            List<Operand<?>> placeholders = new ArrayList<>();
            for (int at = 0; at < arguments.size(); at++) {
                Component argument = arguments.get(at);
                GraphOperation placeholder = graph.opBuilder("Placeholder", "args_" + at, graph.baseScope())
                        .setAttr("dtype", argument.type())
                        .setAttr("shape", argument.shape())
                        .build();
                placeholders.add(placeholder.output(0));
            }
            Element given = lambda.apply(tf, Element.of(arguments, placeholders));
            List<Output<?>> outputs = new ArrayList<>();
            List<Component> results = new ArrayList<>();
            for (int at = 0; at < given.operands().size(); at++) {
                // an argument that is given back as it came needs a node of its own to be a result
                Output<?> output = tf.identity(given.get(at)).asOutput();
                outputs.add(output);
                results.add(new Component(given.names().get(at), output.dataType(), output.shape()));
            }
            GraphDef drawn = graph.toGraphDef();
            return new FunctionBody(
                    convert(name, arguments, drawn, outputs), drawn.getLibrary().getFunctionList(), results);
        }
    }

    /** A function that opens one file: a string argument, a dataset node over it. */
    static FunctionBody reader(String name, String op, Function<Draft, List<String>> settings) {
        Draft draft = new Draft(List.of(), List.of());
        List<String> inputs = new ArrayList<>(List.of("args_0"));
        settings.apply(draft).forEach(constant -> inputs.add(constant + ":output:0"));
        String reader = draft.node(op, inputs, Map.of());
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(name)
                .setIsStateful(true)
                .addInputArg(OpDef.ArgDef.newBuilder().setName("args_0").setType(DataType.DT_STRING))
                .addOutputArg(OpDef.ArgDef.newBuilder().setName("identity").setType(DataType.DT_VARIANT));
        function.addAllNodeDef(draft.nodes())
                .putRet("identity", reader + ":handle:0")
                .putAttr("_tf_data_function", Attributes.bool(true));
        return new FunctionBody(function.build(), List.of(), List.of());
    }

    private static FunctionDef convert(
            String name, List<Component> arguments, GraphDef drawn, List<Output<?>> outputs) {
        Map<String, NodeDef> nodes = new LinkedHashMap<>();
        drawn.getNodeList().forEach(node -> nodes.put(node.getName(), node));
        Map<String, String> argumentNames = new HashMap<>();
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder().setName(name);
        for (int at = 0; at < arguments.size(); at++) {
            String argument = "args_" + at;
            argumentNames.put(argument, argument);
            signature.addInputArg(OpDef.ArgDef.newBuilder()
                    .setName(argument)
                    .setType(arguments.get(at).type()));
            function.putArgAttr(
                    at,
                    FunctionDef.ArgAttrs.newBuilder()
                            .putAttr("_output_shapes", Attributes.shapes(List.of(arguments.get(at))))
                            .build());
        }
        Set<String> needed = new HashSet<>();
        outputs.forEach(output -> collect(output.op().name(), nodes, needed));
        // What happens for its effect alone (an assertion, a print) is not reached from the results, and is run all the
        // same.
        for (NodeDef node : drawn.getNodeList()) {
            if (RegisteredOps.of(node.getOp()).getIsStateful() && needed.add(node.getName())) {
                node.getInputList().forEach(input -> collect(producer(input), nodes, needed));
                signature.addControlOutput(node.getName());
                function.putControlRet(node.getName(), node.getName());
            }
        }
        for (NodeDef node : drawn.getNodeList()) {
            if (!needed.contains(node.getName()) || argumentNames.containsKey(node.getName())) {
                continue;
            }
            NodeDef.Builder copy = node.toBuilder().clearInput().clearDevice();
            for (String input : node.getInputList()) {
                if (!input.startsWith("^") || !argumentNames.containsKey(producer(input))) {
                    copy.addInput(reference(input, nodes, argumentNames));
                }
            }
            function.addNodeDef(copy);
            signature.setIsStateful(
                    signature.getIsStateful() || RegisteredOps.of(node.getOp()).getIsStateful());
        }
        for (int at = 0; at < outputs.size(); at++) {
            String result = at == 0 ? "identity" : "identity_" + at;
            Output<?> output = outputs.get(at);
            signature.addOutputArg(OpDef.ArgDef.newBuilder().setName(result).setType(output.dataType()));
            function.putRet(
                    result, RegisteredOps.reference(nodes.get(output.op().name()), output.index()));
        }
        return function.putAttr("_tf_data_function", Attributes.bool(true)).build();
    }

    private static void collect(String from, Map<String, NodeDef> nodes, Set<String> needed) {
        List<String> open = new ArrayList<>(List.of(from));
        while (!open.isEmpty()) {
            String name = open.remove(open.size() - 1);
            if (needed.add(name)) {
                nodes.get(name).getInputList().forEach(input -> open.add(producer(input)));
            }
        }
    }

    private static String reference(String input, Map<String, NodeDef> nodes, Map<String, String> arguments) {
        String producer = producer(input);
        if (input.startsWith("^")) {
            return input;
        }
        if (arguments.containsKey(producer)) {
            return arguments.get(producer);
        }
        int colon = input.indexOf(':');
        int output = colon < 0 ? 0 : Integer.parseInt(input.substring(colon + 1));
        return RegisteredOps.reference(nodes.get(producer), output);
    }

    private static String producer(String input) {
        int colon = input.indexOf(':');
        return input.substring(input.startsWith("^") ? 1 : 0, colon < 0 ? input.length() : colon);
    }
}
