package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Functions that count what becomes of one element, without making it: each runs one step's function and calls the next one
 * with what it made; the last one asks the dataset for its size.
 *
 * @param name with which those of all functions begin
 * @param steps maps and filters, and behind them the one that makes several elements of one
 * @param functions to which these are added
 */
record ChildCount(String name, List<NodeDef> steps, Map<String, FunctionDef> functions) {
    private static final AttrValue INT64 = Protos.type(DataType.DT_INT64);

    /** What a step's function captures. */
    static List<DataType> captured(NodeDef step) {
        return step.getAttrOrDefault("Targuments", AttrValue.getDefaultInstance())
                .getList()
                .getTypeList();
    }

    /** What the functions of a step and of all behind it capture. */
    List<DataType> captured(int step) {
        return steps.stream()
                .skip(step)
                .flatMap(each -> captured(each).stream())
                .toList();
    }

    /** The name of a function that yields an element with the number of its children. */
    String ofEach(List<ElementComponent> elements) {
        FunctionDef.Builder function = begun(name, elements, 0);
        for (int i = 0; i < elements.size(); i++) {
            function.getSignatureBuilder()
                    .addOutputArg(Protos.arg("y" + i, elements.get(i).dtype()));
            function.putRet("y" + i, "x" + i);
        }
        function.addNodeDef(Protos.node("count", of(elements, 0), arguments(function)));
        return ended(function, "count:children:0");
    }

    /** The name of a function that counts what becomes of an element from a step on. */
    private String of(List<ElementComponent> elements, int place) {
        NodeDef step = steps.get(place);
        FunctionDef.Builder function = begun(name + "_" + place, elements, place);
        List<String> given = List.of(arguments(function));
        List<String> own = given.subList(0, elements.size() + captured(step).size());
        List<String> others = given.subList(own.size(), given.size());
        return switch (OpTraits.of(step).family()) {
            case MAP -> {
                FunctionDef called = called(step, "f");
                function.addNodeDef(Protos.node("made", called.getSignature().getName(), own.toArray(String[]::new)));
                List<String> made = new ArrayList<>();
                called.getSignature().getOutputArgList().forEach(output -> made.add("made:" + output.getName() + ":0"));
                made.addAll(others);
                String next = of(DatasetOps.components(step), place + 1);
                function.addNodeDef(Protos.node("count", next, made.toArray(String[]::new)));
                yield ended(function, "count:children:0");
            }
            case FILTER -> {
                FunctionDef called = called(step, "predicate");
                String next = of(elements, place + 1);
                List<String> passed = new ArrayList<>(given.subList(0, elements.size()));
                passed.addAll(others);
                List<DataType> types = new ArrayList<>(
                        elements.stream().map(ElementComponent::dtype).toList());
                types.addAll(captured(place + 1));
                function.addNodeDef(Protos.node("kept", called.getSignature().getName(), own.toArray(String[]::new)))
                        .addNodeDef(Protos.node(
                                        "count",
                                        "If",
                                        "kept:"
                                                + called.getSignature()
                                                        .getOutputArg(0)
                                                        .getName() + ":0")
                                .addAllInput(passed)
                                .putAttr("Tcond", Protos.type(DataType.DT_BOOL))
                                .putAttr("Tin", Protos.types(types))
                                .putAttr("Tout", Protos.types(List.of(DataType.DT_INT64)))
                                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                                .putAttr("then_branch", Protos.function(next))
                                .putAttr("else_branch", Protos.function(none(elements, place))));
                yield ended(function, "count:output:0");
            }
            case INTERLEAVE -> {
                FunctionDef called = called(step, "f");
                function.addNodeDef(Protos.node("made", called.getSignature().getName(), own.toArray(String[]::new)))
                        .addNodeDef(Protos.node(
                                        "count",
                                        "DatasetCardinality",
                                        "made:"
                                                + called.getSignature()
                                                        .getOutputArg(0)
                                                        .getName() + ":0")
                                .putAttr("cardinality_options", Protos.string("")));
                yield ended(function, "count:cardinality:0");
            }
            default -> {
                function.addNodeDef(Protos.node("shape", "Shape", "x0")
                                .putAttr("T", Protos.type(elements.get(0).dtype()))
                                .putAttr("out_type", INT64))
                        .addNodeDef(Protos.constant("leading", Protos.int32(0)))
                        .addNodeDef(Protos.node(
                                        "count", "GatherV2", "shape:output:0", "leading:output:0", "leading:output:0")
                                .putAttr("Tparams", INT64)
                                .putAttr("Tindices", Protos.type(DataType.DT_INT32))
                                .putAttr("Taxis", Protos.type(DataType.DT_INT32))
                                .putAttr("batch_dims", Protos.number(0)));
                yield ended(function, "count:output:0");
            }
        };
    }

    /** The name of a function that counts nothing of what a filter rejects. */
    private String none(List<ElementComponent> elements, int filter) {
        FunctionDef.Builder function = begun(name + "_none_" + filter, elements, filter + 1);
        function.addNodeDef(Protos.constant("none", Protos.int64(0)));
        return ended(function, "none:output:0");
    }

    private FunctionDef called(NodeDef step, String key) {
        return functions.get(step.getAttrOrThrow(key).getFunc().getName());
    }

    /** A function that is given an element and what steps from one on capture. */
    private FunctionDef.Builder begun(String function, List<ElementComponent> elements, int from) {
        FunctionDef.Builder begun = FunctionDef.newBuilder();
        OpDef.Builder signature = begun.getSignatureBuilder().setName(function);
        for (int i = 0; i < elements.size(); i++) {
            signature.addInputArg(Protos.arg("x" + i, elements.get(i).dtype()));
        }
        List<DataType> types = captured(from);
        for (int i = 0; i < types.size(); i++) {
            signature.addInputArg(Protos.arg("given_" + i, types.get(i)));
        }
        return begun;
    }

    private static String[] arguments(FunctionDef.Builder function) {
        return function.getSignature().getInputArgList().stream()
                .map(OpDef.ArgDef::getName)
                .toArray(String[]::new);
    }

    private String ended(FunctionDef.Builder function, String count) {
        function.getSignatureBuilder().addOutputArg(Protos.arg("children", DataType.DT_INT64));
        function.putRet("children", count);
        functions.put(function.getSignature().getName(), function.build());
        return function.getSignature().getName();
    }
}
