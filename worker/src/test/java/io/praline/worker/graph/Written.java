package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.VersionDef;
import org.tensorflow.proto.data.DatasetMetadata;

/**
 * A pipeline of slices of constants, step by step, with functions as {@link FunctionText} has them, and how one is shown. An
 * element is {@code x}, or {@code x}, {@code y} and {@code v}; what a function captures is {@code k}, or {@code k} and {@code l}.
 */
public final class Written {
    private static final List<String> COMPONENTS = List.of("x", "y", "v");
    private static final List<String> CAPTURED = List.of("k", "l");
    private static final DeclaredOps OPS = new DeclaredOps();

    /** As a TensorFlow of these days writes them. */
    static final VersionDef VERSIONS =
            VersionDef.newBuilder().setProducer(1882).setMinConsumer(12).build();

    private final Map<String, NodeDef> nodes = new LinkedHashMap<>();
    private final Map<String, FunctionDef> functions = new LinkedHashMap<>();
    private List<ElementComponent> components;
    private String last = "slices";
    private String name = "";
    private List<NodeDef> captured = List.of();
    private Optional<Long> calls = Optional.empty();

    private Written(List<ElementComponent> components) {
        this.components = components;
        NodeDef.Builder source = Protos.node(last, "TensorSliceDataset").putAttr("is_files", Protos.bool(false));
        for (int i = 0; i < components.size(); i++) {
            ElementComponent all = components.get(i).inBatches(6);
            source.addInput(constant(TensorProto.newBuilder()
                    .setDtype(all.dtype())
                    .setTensorShape(DatasetOps.shape(all))
                    .build()));
        }
        DatasetOps.setComponents(source, "Toutput_types", components);
        nodes.put(last, source.build());
    }

    /** Six elements of such components, as {@code float32[4,5]}. */
    public static Written of(String... components) {
        return new Written(Stream.of(components).map(Written::component).toList());
    }

    /** {@code float32[4,-1]}, or {@code float32[?]} where not even the number of dimensions is known. */
    public static ElementComponent component(String text) {
        String type = text.replaceFirst("\\[.*", "");
        String shape = text.substring(type.length());
        DataType dtype = DeclaredOps.type(type).orElseThrow();
        return shape.equals("[?]")
                ? new ElementComponent(dtype, false, List.of())
                : new ElementComponent(dtype, true, FunctionText.numbers(shape));
    }

    /** What the next step is called by its user. */
    public Written named(String called) {
        name = called;
        return this;
    }

    /** What the next function captures. */
    public Written capturing(TensorProto... values) {
        captured = Stream.of(values).map(value -> nodes.get(constant(value))).toList();
        return this;
    }

    /** So many calls of the next map run beside each other. */
    public Written calls(long beside) {
        calls = Optional.of(beside);
        return this;
    }

    /** A function that others call, of arguments {@code a}, {@code b} and so on. */
    public Written function(String called, List<String> types, String... lines) {
        Map<String, DataType> arguments = new LinkedHashMap<>();
        types.forEach(type -> arguments.put(
                Character.toString('a' + arguments.size()),
                DeclaredOps.type(type).orElseThrow()));
        functions.put(called, FunctionText.of(called, arguments, functions, lines));
        return this;
    }

    /** A function is something else in part. */
    public Written changed(String called, Consumer<FunctionDef.Builder> change) {
        FunctionDef.Builder changed = functions.get(called).toBuilder();
        change.accept(changed);
        functions.put(called, changed.build());
        return this;
    }

    public Written map(String... lines) {
        FunctionDef function = called(lines);
        NodeDef.Builder node = calling("MapDataset", "f", function).putAttr("preserve_cardinality", Protos.bool(true));
        calls.ifPresent(beside -> node.setOp("ParallelMapDatasetV2")
                .addInput(constant(Protos.int64(beside)))
                .putAttr("deterministic", Protos.string("default")));
        Map<String, ElementComponent> types = new FunctionTypes(OPS, VERSIONS, functions)
                .of(function, components, captured.stream().map(Optional::of).toList());
        components = function.getSignature().getOutputArgList().stream()
                .map(result -> types.get(function.getRetOrThrow(result.getName())))
                .toList();
        captured = List.of();
        calls = Optional.empty();
        return then(node);
    }

    public Written filter(String... lines) {
        Written filtered = then(calling("FilterDataset", "predicate", called(lines)));
        captured = List.of();
        return filtered;
    }

    public Written batch(long size, boolean drops) {
        components = components.stream()
                .map(component -> component.inBatches(drops ? size : -1))
                .toList();
        return then(
                Protos.node("", "BatchDatasetV2", last, constant(Protos.int64(size)), constant(Protos.flag(drops))));
    }

    /** Each component as large as the largest of its batch, or as {@code shapes} say. */
    public Written paddedBatch(long size, String... shapes) {
        NodeDef.Builder node = Protos.node("", "PaddedBatchDatasetV2", last, constant(Protos.int64(size)));
        List<ElementComponent> padded = new ArrayList<>();
        for (int i = 0; i < shapes.length; i++) {
            List<Long> sizes = FunctionText.numbers(shapes[i]);
            node.addInput(constant(Protos.int64s(sizes)));
            padded.add(new ElementComponent(components.get(i).dtype(), true, sizes).inBatches(-1));
        }
        components.forEach(component -> node.addInput(
                constant(TensorProto.newBuilder().setDtype(component.dtype()).build())));
        components = padded;
        return then(node.addInput(constant(Protos.flag(false))).putAttr("N", Protos.number(shapes.length)));
    }

    public Written prefetch() {
        return then(Protos.node("", "PrefetchDataset", last, constant(Protos.int64(2))));
    }

    public Written repeat(long count) {
        return then(Protos.node("", "RepeatDataset", last, constant(Protos.int64(count))));
    }

    /** The same elements, of which the graph says something else. */
    public Written saying(String... text) {
        components = Stream.of(text).map(Written::component).toList();
        NodeDef.Builder node = nodes.get(last).toBuilder();
        DatasetOps.setComponents(node, "output_types", components);
        nodes.put(last, node.build());
        return this;
    }

    /** A function that was written down. */
    public FunctionDef called(String name) {
        return functions.get(name);
    }

    private FunctionDef called(String[] lines) {
        Map<String, DataType> arguments = new LinkedHashMap<>();
        components.forEach(component -> arguments.put(COMPONENTS.get(arguments.size()), component.dtype()));
        for (int i = 0; i < captured.size(); i++) {
            arguments.put(
                    CAPTURED.get(i), captured.get(i).getAttrOrThrow("dtype").getType());
        }
        String called = "f_" + nodes.size();
        functions.put(called, FunctionText.of(called, arguments, functions, lines));
        return functions.get(called);
    }

    private NodeDef.Builder calling(String op, String key, FunctionDef function) {
        NodeDef.Builder node = Protos.node("", op, last)
                .putAttr(key, Protos.function(function.getSignature().getName()));
        captured.forEach(each -> node.addInput(each.getName()));
        return node.putAttr(
                "Targuments",
                Protos.types(captured.stream()
                        .map(each -> each.getAttrOrThrow("dtype").getType())
                        .toList()));
    }

    private Written then(NodeDef.Builder node) {
        last = "step_" + nodes.size();
        DatasetOps.setComponents(
                node, node.getOp().startsWith("Padded") ? "Toutput_types" : "output_types", components);
        if (!name.isEmpty()) {
            ByteString metadata = DatasetMetadata.Metadata.newBuilder()
                    .setName(ByteString.copyFromUtf8(name))
                    .build()
                    .toByteString();
            node.putAttr("metadata", AttrValue.newBuilder().setS(metadata).build());
        }
        name = "";
        nodes.put(last, node.setName(last).build());
        return this;
    }

    private String constant(TensorProto value) {
        String constant = "constant_" + nodes.size();
        nodes.put(constant, Protos.constant(constant, value).build());
        return constant;
    }

    public PipelineGraph graph() {
        return new PipelineGraph(nodes.values(), functions.values(), last, VERSIONS);
    }

    /** Step by step: what it is called, what it does, and behind a colon what it yields. */
    public static List<String> shown(PipelineGraph graph) {
        Deque<String> shown = new ArrayDeque<>();
        Scope scope = graph.scope();
        for (NodeDef node = scope.node(graph.root());
                !node.getOp().equals("TensorSliceDataset");
                node = scope.node(node.getInput(0))) {
            String called = DatasetOps.userName(node).map(each -> each + " ").orElse("");
            shown.addFirst(called + what(node, graph) + " : "
                    + scope.components(node.getName()).stream()
                            .map(Written::text)
                            .collect(Collectors.joining(", ")));
        }
        return List.copyOf(shown);
    }

    private static String what(NodeDef node, PipelineGraph graph) {
        boolean filter = node.containsAttr("predicate");
        if (!filter && !node.containsAttr("f")) {
            return node.getOp();
        }
        FunctionDef function = graph.functions()
                .get(node.getAttrOrThrow(filter ? "predicate" : "f").getFunc().getName());
        int captured = node.getAttrOrThrow("Targuments").getList().getTypeCount();
        List<String> names =
                new ArrayList<>(COMPONENTS.subList(0, function.getSignature().getInputArgCount() - captured));
        node.getInputList()
                .subList(1, 1 + captured)
                .forEach(ref -> names.add(FunctionText.shown(
                        graph.nodes().get(ref).getAttrOrThrow("value").getTensor())));
        String beside = node.getInputCount() > 1 + captured ? " beside" : "";
        return (filter ? "where " : "") + FunctionText.shown(function, names) + beside;
    }

    static String text(ElementComponent component) {
        if (!component.rankKnown()) {
            return component.dtypeName() + "[?]";
        }
        return component.dtypeName()
                + (component.shape().isEmpty()
                        ? ""
                        : component.shape().toString().replace(" ", ""));
    }
}
