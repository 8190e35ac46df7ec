package io.praline.worker.graph.source.opening;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.Reader;
import io.praline.worker.graph.source.SourceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * The function that opens a split: its arguments are the fields of a split and what the user's function captured, its result
 * is the dataset of the split's elements.
 */
record OpenFunction(String name, FoundSource source, NodeDef old, Scope graph) {
    private static final String ONCE = "praline_once";
    private static final String PATH = "praline_path";

    FunctionDef from(Map<String, FunctionDef> functions) {
        return switch (source.how()) {
            case FUNCTION ->
                usersOwn(functions.get(old.getAttrOrThrow("f").getFunc().getName()), functions);
            case READER -> {
                FunctionDef.Builder function = fresh();
                reader(Reader.of(old, graph).orElseThrow()).stream()
                        .map(this::within)
                        .forEach(function::addNodeDef);
                yield named(function);
            }
            case NAMES ->
                named(fresh().addNodeDef(
                                Protos.node(BindSplits.RECORDS, "TensorSliceDataset", SplitField.PATHS.argument())
                                        .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_STRING)))
                                        .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                                        .putAttr("is_files", Protos.bool(true))));
            case RANGE ->
                named(fresh().addNodeDef(typed(
                        Protos.node(
                                BindSplits.RECORDS,
                                "RangeDataset",
                                SplitField.FROM.argument(),
                                SplitField.UNTIL.argument(),
                                SplitField.STEP.argument()),
                        DatasetOps.components(old))));
            case SLICES -> named(slices());
            case WHOLE ->
                named(withDataset(fresh())
                        .addNodeDef(typed(
                                Protos.node(BindSplits.RECORDS, "TakeDataset", ONCE, SplitField.TAKE.argument()),
                                DatasetOps.components(old))));
        };
    }

    /** The split's range of the captured constants, slice by slice. */
    private FunctionDef.Builder slices() {
        FunctionDef.Builder function = fresh().addNodeDef(Protos.constant("praline_vector", Protos.int32s(1)))
                .addNodeDef(Protos.constant("praline_part_step", Protos.int64s(List.of(1L))))
                .addNodeDef(bound("praline_part_from", SplitField.FROM))
                .addNodeDef(bound("praline_part_until", SplitField.UNTIL));
        List<ElementComponent> components = DatasetOps.components(old);
        NodeDef.Builder records = old.toBuilder().setName(BindSplits.RECORDS).clearInput();
        for (int i = 0; i < components.size(); i++) {
            DataType dtype = components.get(i).dtype();
            function.getSignatureBuilder().addInputArg(Protos.arg("constant_" + i, dtype));
            function.addNodeDef(Protos.node(
                            "praline_part_" + i,
                            "StridedSlice",
                            "constant_" + i,
                            "praline_part_from:output:0",
                            "praline_part_until:output:0",
                            "praline_part_step:output:0")
                    .putAttr("T", Protos.type(dtype))
                    .putAttr("Index", Protos.type(DataType.DT_INT64)));
            records.addInput("praline_part_" + i + ":output:0");
        }
        return function.addNodeDef(records);
    }

    private static NodeDef.Builder bound(String name, SplitField field) {
        return Protos.node(name, "Reshape", field.argument(), "praline_vector:output:0")
                .putAttr("T", Protos.type(DataType.DT_INT64))
                .putAttr("Tshape", Protos.type(DataType.DT_INT32));
    }

    /** The user's function, given a split instead of a file name, with our reader in the place of theirs. */
    private FunctionDef usersOwn(FunctionDef users, Map<String, FunctionDef> functions) {
        Reader reader = Reader.in(users, functions).orElseThrow();
        String fileName = users.getSignature().getInputArg(0).getName();
        FunctionDef.Builder function =
                users.toBuilder().clearNodeDef().clearArgAttr().clearResourceArgUniqueId();
        function.getSignatureBuilder().clearInputArg().addAllInputArg(splitArguments());
        users.getSignature().getInputArgList().stream().skip(1).forEach(function.getSignatureBuilder()::addInputArg);

        function.addNodeDef(Protos.constant("praline_scalar", shapeOfScalar()));
        function.addNodeDef(Protos.node(PATH, "Reshape", SplitField.PATHS.argument(), "praline_scalar:output:0")
                .putAttr("T", Protos.type(DataType.DT_STRING))
                .putAttr("Tshape", Protos.type(DataType.DT_INT32)));
        reader(reader).stream().map(this::within).forEach(function::addNodeDef);
        for (NodeDef node : users.getNodeDefList()) {
            if (!node.getName().equals(reader.node())) {
                NodeDef.Builder rewired = node.toBuilder().clearInput();
                node.getInputList().forEach(input -> rewired.addInput(rewired(input, fileName, reader.node())));
                function.addNodeDef(rewired);
            }
        }
        users.getRetMap().forEach((key, ref) -> function.putRet(key, rewired(ref, fileName, reader.node())));
        users.getControlRetMap()
                .forEach((key, node) ->
                        function.putControlRet(key, node.equals(reader.node()) ? BindSplits.RECORDS : node));
        function.getSignatureBuilder().setName(name).setIsStateful(true);
        return function.build();
    }

    /** What opens the split's file, if it may be given a relative name. */
    private NodeDef within(NodeDef node) {
        return source.source()
                .directory()
                .filter(directory -> OpTraits.of(node).isReader())
                .map(directory -> RelativeNames.in(directory, node))
                .orElse(node);
    }

    private static String rewired(String ref, String fileName, String reader) {
        String node = Scope.nodeOf(ref);
        if (node.equals(fileName)) {
            return ref.startsWith("^") ? "^" + PATH : PATH + ":output:0";
        }
        if (node.equals(reader)) {
            return ref.startsWith("^") ? "^" + BindSplits.RECORDS : BindSplits.RECORDS + ":handle:0";
        }
        return ref;
    }

    /** The nodes that read the split's records; the last one is {@link BindSplits#RECORDS}. */
    private static List<NodeDef> reader(Reader reader) {
        List<NodeDef> nodes = new ArrayList<>();
        nodes.add(Protos.constant("praline_buffer", Protos.int64(reader.bufferBytes()))
                .build());
        nodes.addAll(reader.kind().match(new SourceKind.Cases<List<NodeDef>>() {
            @Override
            public List<NodeDef> tfRecord(SourceKind.TfRecord files) {
                if (!files.compression().isEmpty()) {
                    return plain("TFRecordDataset", files.compression());
                }
                NodeDef.Builder whole = Protos.node(
                        "praline_file",
                        "TFRecordDatasetV2",
                        SplitField.PATHS.argument(),
                        "praline_compression:output:0",
                        "praline_buffer:output:0",
                        "praline_offsets:output:0");
                return List.of(
                        compression(""),
                        Protos.constant("praline_vector", Protos.int32s(1)).build(),
                        Protos.node("praline_offsets", "Reshape", SplitField.FROM.argument(), "praline_vector:output:0")
                                .putAttr("T", Protos.type(DataType.DT_INT64))
                                .putAttr("Tshape", Protos.type(DataType.DT_INT32))
                                .build(),
                        whole.build(),
                        typed(
                                        Protos.node(
                                                BindSplits.RECORDS,
                                                "TakeDataset",
                                                "praline_file:handle:0",
                                                SplitField.TAKE.argument()),
                                        STRINGS)
                                .build());
            }

            @Override
            public List<NodeDef> textLines(SourceKind.TextLines files) {
                return plain("TextLineDataset", files.compression());
            }

            @Override
            public List<NodeDef> fixedLength(SourceKind.FixedLength files) {
                // what lies around a range is longer than what lies around all of it
                return List.of(
                        compression(files.compression()),
                        Protos.constant("praline_least_header", Protos.int64(files.headerBytes()))
                                .build(),
                        greater("praline_header", SplitField.FROM, "praline_least_header"),
                        Protos.constant("praline_record", Protos.int64(files.recordBytes()))
                                .build(),
                        Protos.constant("praline_least_footer", Protos.int64(files.footerBytes()))
                                .build(),
                        greater("praline_footer", SplitField.UNTIL, "praline_least_footer"),
                        Protos.node(
                                        BindSplits.RECORDS,
                                        "FixedLengthRecordDatasetV2",
                                        SplitField.PATHS.argument(),
                                        "praline_header:z:0",
                                        "praline_record:output:0",
                                        "praline_footer:z:0",
                                        "praline_buffer:output:0",
                                        "praline_compression:output:0")
                                .build());
            }

            @Override
            public List<NodeDef> fileNames(SourceKind.FileNames names) {
                throw noReader(names);
            }

            @Override
            public List<NodeDef> integers(SourceKind.Integers range) {
                throw noReader(range);
            }

            @Override
            public List<NodeDef> indexes(SourceKind.Indexes constant) {
                throw noReader(constant);
            }

            @Override
            public List<NodeDef> whole(SourceKind.Whole graph) {
                throw noReader(graph);
            }
        }));
        return nodes;
    }

    private static NodeDef greater(String name, SplitField field, String constant) {
        return Protos.node(name, "Maximum", field.argument(), constant + ":output:0")
                .putAttr("T", Protos.type(field.dtype()))
                .build();
    }

    private static List<NodeDef> plain(String op, String compression) {
        return List.of(
                compression(compression),
                Protos.node(
                                BindSplits.RECORDS,
                                op,
                                SplitField.PATHS.argument(),
                                "praline_compression:output:0",
                                "praline_buffer:output:0")
                        .build());
    }

    private static NodeDef compression(String compression) {
        return Protos.constant("praline_compression", Protos.bytes(ByteString.copyFromUtf8(compression)))
                .build();
    }

    private static IllegalStateException noReader(SourceKind kind) {
        return new IllegalStateException("no reader reads " + kind);
    }

    private static final List<ElementComponent> STRINGS =
            List.of(ElementComponent.of(DataType.DT_STRING, Protos.SCALAR));

    private static TensorProto shapeOfScalar() {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_INT32)
                .setTensorShape(TensorShapeProto.newBuilder().addDim(TensorShapeProto.Dim.newBuilder()))
                .build();
    }

    private static List<OpDef.ArgDef> splitArguments() {
        List<OpDef.ArgDef> arguments = new ArrayList<>();
        for (SplitField field : SplitField.values()) {
            arguments.add(Protos.arg(field.argument(), field.dtype()));
        }
        return arguments;
    }

    /** A function of a split that returns {@link BindSplits#RECORDS}. */
    private static FunctionDef.Builder fresh() {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .addAllInputArg(splitArguments())
                .addOutputArg(Protos.arg("dataset", DataType.DT_VARIANT));
        return function.putRet("dataset", BindSplits.RECORDS + ":handle:0");
    }

    private static FunctionDef.Builder withDataset(FunctionDef.Builder function) {
        function.getSignatureBuilder().addInputArg(Protos.arg(ONCE, DataType.DT_VARIANT));
        return function;
    }

    private FunctionDef named(FunctionDef.Builder function) {
        function.getSignatureBuilder().setName(name).setIsStateful(true);
        return function.build();
    }

    private static NodeDef.Builder typed(NodeDef.Builder node, List<ElementComponent> components) {
        DatasetOps.setComponents(node, "output_types", components);
        return node;
    }
}
