package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Some ops as TensorFlow declares them, and types and shapes of graphs of these: without TensorFlow. An argument is of a type or
 * of the attribute that says it, {@code N*T} of as many as an attribute says, {@code [Tin]} of a list of types; {@code !} stands
 * behind what is stateful, {@code /} in front of an attribute that tests look for.
 */
public final class DeclaredOps implements OpInference {
    private static final String DECLARED = """
        Abs x:T -> y:T
        AddN inputs:N*T -> sum:T
        AddV2 x:T y:T -> z:T
        AdjustContrastv2 images:T contrast_factor:float32 -> output:T
        AdjustHue images:T delta:float32 -> output:T
        ArgMax input:T dimension:Tidx -> output:output_type
        Assert! condition:bool data:[T] ->
        BatchDatasetV2 input_dataset:variant batch_size:int64 drop_remainder:bool -> handle:variant /metadata
        BroadcastTo input:T shape:Tidx -> output:T
        Case! branch_index:int32 input:[Tin] -> output:[Tout]
        Cast x:SrcT -> y:DstT
        CheckNumerics! tensor:T -> output:T
        ClipByValue t:T clip_value_min:T clip_value_max:T -> output:T
        ConcatV2 values:N*T axis:Tidx -> output:T
        Const -> output:dtype
        DecodeJpeg contents:string -> image:uint8
        DecodeRaw bytes:string -> output:out_type
        EnsureShape input:T -> output:T
        Exp x:T -> y:T
        ExpandDims input:T dim:Tdim -> output:T
        FilterDataset input_dataset:variant other_arguments:[Targuments] -> handle:variant /metadata
        FloorDiv x:T y:T -> z:T
        GatherV2 params:Tparams indices:Tindices axis:Taxis -> output:Tparams
        Greater x:T y:T -> z:bool
        Identity input:T -> output:T
        IdentityN input:[T] -> output:[T]
        If! cond:Tcond input:[Tin] -> output:[Tout]
        ImageProjectiveTransformV3 images:dtype transforms:float32 output_shape:int32 fill_value:float32 -> transformed_images:dtype
        Less x:T y:T -> z:bool
        MapDataset input_dataset:variant other_arguments:[Targuments] -> handle:variant /metadata
        Max input:T reduction_indices:Tidx -> output:T
        Maximum x:T y:T -> z:T
        Minimum x:T y:T -> z:T
        Mul x:T y:T -> z:T
        Neg x:T -> y:T
        OneHot indices:TI depth:int32 on_value:T off_value:T -> output:T
        Pack values:N*T -> output:T
        PartitionedCall args:[Tin] -> output:[Tout]
        PaddedBatchDatasetV2 input_dataset:variant batch_size:int64 padded_shapes:N*int64 padding_values:[Toutput_types] drop_remainder:bool -> handle:variant /metadata
        ParallelMapDatasetV2 input_dataset:variant other_arguments:[Targuments] num_parallel_calls:int64 -> handle:variant /metadata
        Placeholder -> output:dtype
        PrefetchDataset input_dataset:variant buffer_size:int64 -> handle:variant /metadata
        RandomUniform! shape:T -> output:dtype
        RandomUniformInt! shape:T minval:Tout maxval:Tout -> output:Tout
        Range start:Tidx limit:Tidx delta:Tidx -> output:Tidx
        ReadFile filename:string -> contents:string
        ReadVariableOp! resource:resource -> value:dtype
        RealDiv x:T y:T -> z:T
        Reshape tensor:T shape:Tshape -> output:T
        ResizeBilinear images:T size:int32 -> resized_images:float32
        ResizeNearestNeighbor images:T size:int32 -> resized_images:T
        ReverseV2 tensor:T axis:Tidx -> output:T
        RGBToHSV images:T -> output:T
        Select condition:bool t:T e:T -> output:T
        SelectV2 condition:bool t:T e:T -> output:T
        Shape input:T -> output:out_type
        Size input:T -> output:out_type
        Slice input:T begin:Index size:Index -> output:T
        Split split_dim:int32 value:T -> output:num_split*T
        SplitV value:T size_splits:Tlen split_dim:int32 -> output:num_split*T
        Squeeze input:T -> output:T
        StatelessCase branch_index:int32 input:[Tin] -> output:[Tout]
        StatelessIf cond:Tcond input:[Tin] -> output:[Tout]
        StridedSlice input:T begin:Index end:Index strides:Index -> output:T
        StringToNumber string_tensor:string -> output:out_type
        Sub x:T y:T -> z:T
        Sum input:T reduction_indices:Tidx -> output:T
        TensorSliceDataset! components:[Toutput_types] -> handle:variant /metadata
        UnbatchDataset input_dataset:variant -> handle:variant /metadata
        """;

    private static final Map<String, OpDef> OPS = new TreeMap<>();

    static {
        DECLARED.lines().map(DeclaredOps::declared).forEach(op -> OPS.put(op.getName(), op));
    }

    private static OpDef declared(String line) {
        OpDef.Builder op = OpDef.newBuilder();
        boolean output = false;
        for (String word : line.split(" ", -1)) {
            if (op.getName().isEmpty()) {
                op.setName(word.replace("!", "")).setIsStateful(word.endsWith("!"));
            } else if (word.equals("->")) {
                output = true;
            } else if (word.startsWith("/")) {
                op.addAttr(OpDef.AttrDef.newBuilder().setName(word.substring(1)).setType("string"));
            } else {
                (output ? op.addOutputArgBuilder() : op.addInputArgBuilder()).mergeFrom(argument(word));
            }
        }
        return op.build();
    }

    private static OpDef.ArgDef argument(String word) {
        String[] parts = word.split(":", -1);
        OpDef.ArgDef.Builder argument = OpDef.ArgDef.newBuilder().setName(parts[0]);
        String said = parts[1];
        if (said.startsWith("[")) {
            return argument.setTypeListAttr(said.substring(1, said.length() - 1))
                    .build();
        }
        if (said.contains("*")) {
            argument.setNumberAttr(said.substring(0, said.indexOf('*')));
            said = said.substring(said.indexOf('*') + 1);
        }
        Optional<DataType> type = type(said);
        type.ifPresent(argument::setType);
        return type.isPresent() ? argument.build() : argument.setTypeAttr(said).build();
    }

    /** A type by TensorFlow's name of it. */
    public static Optional<DataType> type(String word) {
        return switch (word) {
            case "float16" -> Optional.of(DataType.DT_HALF);
            case "float32" -> Optional.of(DataType.DT_FLOAT);
            case "float64" -> Optional.of(DataType.DT_DOUBLE);
            case "bool", "int32", "int64", "resource", "string", "uint8", "variant" ->
                Optional.of(DataType.valueOf("DT_" + word.toUpperCase(Locale.ROOT)));
            default -> Optional.empty();
        };
    }

    /** All that are declared here. */
    public static Iterable<OpDef> all() {
        return OPS.values();
    }

    @Override
    public OpDef op(String name) {
        OpDef op = OPS.get(name);
        if (op == null) {
            throw new RefusedPipeline("there is no op " + name);
        }
        return op;
    }

    @Override
    public List<ElementComponent> outputs(GraphDef graph, List<String> refs) {
        Map<String, OpDef> called = new HashMap<>();
        graph.getLibrary()
                .getFunctionList()
                .forEach(each -> called.put(each.getSignature().getName(), each.getSignature()));
        Inference inference = new Inference(Scope.ofGraph(graph.getNodeList()), called);
        graph.getNodeList().forEach(node -> inference.of(node.getName()));
        return refs.stream().map(inference::of).toList();
    }

    /** Of one graph. */
    private final class Inference {
        private final Scope scope;
        private final Map<String, List<ElementComponent>> known = new HashMap<>();

        private final Map<String, OpDef> called;

        Inference(Scope scope, Map<String, OpDef> called) {
            this.scope = scope;
            this.called = called;
        }

        /** Of an output; of a node without any, nothing. */
        ElementComponent of(String ref) {
            String name = Scope.nodeOf(ref);
            if (!known.containsKey(name)) {
                known.put(name, infer(scope.node(name)));
            }
            List<ElementComponent> outputs = known.get(name);
            int place = ref.contains(":") ? Integer.parseInt(ref.substring(ref.indexOf(':') + 1)) : 0;
            return outputs.isEmpty() ? any(DataType.DT_INVALID) : outputs.get(place);
        }

        private List<ElementComponent> infer(NodeDef node) {
            OpDef op = called.containsKey(node.getOp()) ? called.get(node.getOp()) : op(node.getOp());
            List<ElementComponent> inputs = node.getInputList().stream()
                    .filter(input -> !input.startsWith("^"))
                    .map(this::of)
                    .toList();
            List<DataType> taken = types(op.getInputArgList(), node);
            List<DataType> given = inputs.stream().map(ElementComponent::dtype).toList();
            if (!taken.equals(given)) {
                throw new RefusedPipeline(node.getName() + " (" + node.getOp() + ") takes " + taken + ", not " + given);
            }
            List<DataType> types = types(op.getOutputArgList(), node);
            if (op.getOutputArgCount() == 1
                    && op.getOutputArg(0).getTypeListAttr().isEmpty()) {
                Optional<List<Long>> shape = shape(node, inputs);
                return types.stream()
                        .map(type -> shape.map(sizes -> new ElementComponent(type, true, sizes))
                                .orElse(any(type)))
                        .toList();
            }
            List<TensorShapeProto> said = node.getAttrOrDefault("output_shapes", AttrValue.getDefaultInstance())
                    .getList()
                    .getShapeList();
            return IntStream.range(0, types.size())
                    .mapToObj(i -> i < said.size() ? ElementComponent.of(types.get(i), said.get(i)) : any(types.get(i)))
                    .toList();
        }

        private static ElementComponent any(DataType type) {
            return new ElementComponent(type, false, List.of());
        }

        private Optional<List<Long>> constant(NodeDef node, int place) {
            return Constants.value(scope, node.getInput(place)).map(Constants::integers);
        }

        /** Empty where not even the number of dimensions is known. */
        private Optional<List<Long>> shape(NodeDef node, List<ElementComponent> inputs) {
            List<Long> first = inputs.isEmpty() ? List.of() : inputs.get(0).shape();
            boolean open = !inputs.isEmpty() && !inputs.get(0).rankKnown();
            return switch (node.getOp()) {
                case "Const" ->
                    Optional.of(sizes(node.getAttrOrThrow("value").getTensor().getTensorShape()));
                case "Placeholder" -> said(node);
                case "EnsureShape" -> said(node).or(() -> open ? Optional.empty() : Optional.of(first));
                case "Size", "Rank" -> Optional.of(List.of());
                case "Shape" -> Optional.of(List.of(open ? -1L : first.size()));
                case "RandomUniform", "RandomUniformInt" -> constant(node, 0);
                case "Reshape" -> constant(node, 1).map(wanted -> reshaped(wanted, first));
                case "BroadcastTo" -> constant(node, 1);
                case "DecodeJpeg" -> {
                    long channels =
                            node.getAttrOrDefault("channels", Protos.number(0)).getI();
                    yield Optional.of(List.of(-1L, -1L, channels == 0 ? -1L : channels));
                }
                case "DecodeRaw" -> open ? Optional.empty() : Optional.of(with(first, first.size(), -1L));
                case "Range" -> Optional.of(List.of(-1L));
                case "ResizeBilinear", "ResizeNearestNeighbor", "ImageProjectiveTransformV3" -> {
                    List<Long> size = constant(node, node.getOp().startsWith("Resize") ? 1 : 2)
                            .orElse(List.of(-1L, -1L));
                    yield Optional.of(
                            open
                                    ? List.of(-1L, size.get(0), size.get(1), -1L)
                                    : List.of(first.get(0), size.get(0), size.get(1), first.get(3)));
                }
                case "SelectV2", "Select", "ClipByValue" -> broadcast(inputs);
                default ->
                    node.getOp().endsWith("Dataset") || node.getOp().matches(".*DatasetV\\d")
                            ? Optional.of(List.of())
                            : open ? Optional.empty() : ofKnownRank(node, first, inputs);
            };
        }

        private Optional<List<Long>> ofKnownRank(NodeDef node, List<Long> first, List<ElementComponent> inputs) {
            return switch (node.getOp()) {
                case "ExpandDims" ->
                    constant(node, 1).map(axis -> with(first, place(axis.get(0), first.size() + 1), 1L));
                case "Squeeze" -> {
                    List<Integer> dropped = node
                            .getAttrOrDefault("squeeze_dims", AttrValue.getDefaultInstance())
                            .getList()
                            .getIList()
                            .stream()
                            .map(axis -> place(axis, first.size()))
                            .toList();
                    yield Optional.of(IntStream.range(0, first.size())
                            .filter(i -> dropped.isEmpty() ? first.get(i) != 1 : !dropped.contains(i))
                            .mapToObj(first::get)
                            .toList());
                }
                case "Pack" ->
                    Optional.of(with(
                            first,
                            place(
                                    node.getAttrOrDefault("axis", Protos.number(0))
                                            .getI(),
                                    first.size() + 1),
                            (long) inputs.size()));
                case "ConcatV2" -> {
                    int axis = place(
                            constant(node, inputs.size() - 1).orElseThrow().get(0), first.size());
                    List<Long> sizes = new ArrayList<>(first);
                    sizes.set(axis, -1L);
                    yield Optional.of(sizes);
                }
                case "Slice" -> Optional.of(constant(node, 2).orElse(Collections.nCopies(first.size(), -1L)));
                case "Split" ->
                    Optional.of(Collections.nCopies(inputs.get(1).shape().size(), -1L));
                case "OneHot" ->
                    Optional.of(with(
                            first,
                            first.size(),
                            constant(node, 1).orElse(List.of(-1L)).get(0)));
                case "Sum", "Max", "ArgMax" ->
                    constant(node, 1).map(axes -> {
                        List<Integer> gone = axes.stream()
                                .map(axis -> place(axis, first.size()))
                                .toList();
                        return IntStream.range(0, first.size())
                                .filter(i -> !gone.contains(i))
                                .mapToObj(first::get)
                                .toList();
                    });
                case "GatherV2" -> {
                    List<Long> sizes = new ArrayList<>(inputs.get(1).shape());
                    sizes.addAll(first.subList(1, first.size()));
                    yield Optional.of(sizes);
                }
                case "AdjustContrastv2", "AdjustHue", "ReverseV2" -> Optional.of(first);
                default -> called.containsKey(node.getOp()) ? Optional.empty() : broadcast(inputs);
            };
        }
    }

    private static Optional<List<Long>> broadcast(List<ElementComponent> inputs) {
        if (inputs.stream().anyMatch(input -> !input.rankKnown())) {
            return Optional.empty();
        }
        BinaryOperator<List<Long>> together = (one, other) -> {
            List<Long> sizes = new ArrayList<>();
            for (int i = 1; i <= Math.max(one.size(), other.size()); i++) {
                long a = i > one.size() ? 1 : one.get(one.size() - i);
                long b = i > other.size() ? 1 : other.get(other.size() - i);
                if (a > 1 && b > 1 && a != b) {
                    throw new RefusedPipeline(one + " does not meet " + other);
                }
                sizes.add(0, a == 1 ? b : b == 1 ? a : Math.max(a, b));
            }
            return sizes;
        };
        return Optional.of(inputs.stream().map(ElementComponent::shape).reduce(List.of(), together));
    }

    private static List<Long> reshaped(List<Long> wanted, List<Long> from) {
        if (from.stream().anyMatch(size -> size < 0)) {
            return wanted;
        }
        long values = from.stream().reduce(1L, (a, b) -> a * b);
        long known = wanted.stream().filter(size -> size >= 0).reduce(1L, (a, b) -> a * b);
        if (wanted.contains(-1L) ? values % known != 0 : values != known) {
            throw new RefusedPipeline(from + " is not to be counted as " + wanted);
        }
        return wanted.stream().map(size -> size < 0 ? values / known : size).toList();
    }

    private static int place(long axis, int rank) {
        return Math.toIntExact(axis < 0 ? axis + rank : axis);
    }

    private static List<Long> with(List<Long> sizes, int place, long size) {
        List<Long> more = new ArrayList<>(sizes);
        more.add(place, size);
        return more;
    }

    private static List<Long> sizes(TensorShapeProto shape) {
        return shape.getDimList().stream().map(TensorShapeProto.Dim::getSize).toList();
    }

    private static Optional<List<Long>> said(NodeDef node) {
        TensorShapeProto unknown =
                TensorShapeProto.newBuilder().setUnknownRank(true).build();
        AttrValue none = AttrValue.newBuilder().setShape(unknown).build();
        TensorShapeProto shape = node.getAttrOrDefault("shape", none).getShape();
        return shape.getUnknownRank() ? Optional.empty() : Optional.of(sizes(shape));
    }

    /** Of all inputs or outputs of a node, as its attributes say. */
    static List<DataType> types(List<OpDef.ArgDef> arguments, NodeDef node) {
        List<DataType> types = new ArrayList<>();
        for (OpDef.ArgDef argument : arguments) {
            if (!argument.getTypeListAttr().isEmpty()) {
                types.addAll(node.getAttrOrThrow(argument.getTypeListAttr())
                        .getList()
                        .getTypeList());
                continue;
            }
            DataType type = argument.getTypeAttr().isEmpty()
                    ? argument.getType()
                    : node.getAttrOrThrow(argument.getTypeAttr()).getType();
            long count = argument.getNumberAttr().isEmpty()
                    ? 1
                    : node.getAttrOrThrow(argument.getNumberAttr()).getI();
            types.addAll(Collections.nCopies(Math.toIntExact(count), type));
        }
        return types;
    }
}
