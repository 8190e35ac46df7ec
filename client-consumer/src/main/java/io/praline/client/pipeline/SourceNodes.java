package io.praline.client.pipeline;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.data.DatasetOptions.Options;

/** The nodes of the datasets at which a pipeline begins. */
final class SourceNodes {
    /** Bytes that a reader reads ahead: Python's default. */
    private static final long READ_BUFFER_BYTES = 256 * 1024;

    private SourceNodes() {}

    /** Of files that may be compressed. */
    static Pipeline compressed(String op, Compression compression) {
        return reader(op, draft -> List.of(draft.constant(compression.word()), draft.constant(READ_BUFFER_BYTES)));
    }

    static Pipeline fixedLength(long headerBytes, long recordBytes, long footerBytes) {
        return reader(
                "FixedLengthRecordDatasetV2",
                draft -> List.of(
                        draft.constant(headerBytes),
                        draft.constant(recordBytes),
                        draft.constant(footerBytes),
                        draft.constant(READ_BUFFER_BYTES),
                        draft.constant("")));
    }

    static Pipeline files() {
        Draft draft = new Draft(List.of(), List.of());
        return draft.done(Source.FILES, fileNames(draft, List.of()), strings());
    }

    static Pipeline range(long from, long to) {
        Draft draft = new Draft(List.of(), List.of());
        List<Component> integers = List.of(new Component("0", DataType.DT_INT64, Shape.scalar()));
        String range = draft.node(
                "RangeDataset",
                List.of(draft.constant(from), draft.constant(to), draft.constant(1)),
                Map.of("output_types", Attributes.types(integers), "output_shapes", Attributes.shapes(integers)));
        return draft.done(Source.INTEGERS, range, integers);
    }

    /** As {@link Pipeline#inMemory}, of a range of as many integers. */
    static Pipeline inMemory(Pipeline range, long bytes) {
        Draft draft = range.draft();
        TensorProto zero = Attributes.padding(DataType.DT_UINT8);
        String payload = draft.node(
                "Fill",
                List.of(draft.constant(Attributes.vector(bytes)), draft.constant(zero)),
                Map.of("T", Attributes.type(DataType.DT_UINT8), "index_type", Attributes.type(DataType.DT_INT64)));
        Component captured = new Component("payload", DataType.DT_UINT8, Shape.of(bytes));
        List<Component> arguments = List.of(range.components().get(0), captured);
        FunctionBody body =
                FunctionBody.draw(draft.functionName("payload"), arguments, (tf, x) -> Element.of(x.get(1)));
        Map<String, AttrValue> attributes = Attributes.ofDataset("payload", body.results());
        attributes.put("f", draft.function(body));
        attributes.put("Targuments", Attributes.types(List.of(captured)));
        attributes.put("preserve_cardinality", Attributes.bool(true));
        String handed = draft.node("MapDataset", List.of(range.output(), payload), attributes);
        // handing a tensor along is no work that threads could share: made parallel it costs five times as much
        Options.Builder options = Options.newBuilder();
        options.getOptimizationOptionsBuilder().setMapParallelization(false);
        Map<String, AttrValue> plain = Attributes.ofDataset("", body.results());
        plain.put(
                "serialized_options",
                AttrValue.newBuilder().setS(options.build().toByteString()).build());
        return draft.done(Source.INTEGERS, draft.node("OptionsDataset", List.of(handed), plain), body.results());
    }

    private static Pipeline reader(String op, Function<Draft, List<String>> settings) {
        Draft draft = new Draft(List.of(), List.of());
        List<Component> strings = strings();
        String names = fileNames(draft, List.of());
        FunctionBody open = FunctionBody.reader(draft.functionName("open"), op, settings);
        Map<String, AttrValue> attributes = Attributes.ofDataset("", strings);
        attributes.put("f", draft.function(open));
        attributes.put("Targuments", Attributes.types(List.of()));
        return draft.done(Source.FILES, draft.node("FlatMapDataset", List.of(names), attributes), strings);
    }

    private static List<Component> strings() {
        return List.of(new Component("0", DataType.DT_STRING, Shape.scalar()));
    }

    private static String fileNames(Draft draft, List<String> files) {
        List<Component> strings = strings();
        return draft.node(
                "TensorSliceDataset",
                List.of(draft.constant(Attributes.vector(files))),
                Map.of(
                        "Toutput_types",
                        Attributes.types(strings),
                        "output_shapes",
                        Attributes.shapes(strings),
                        "is_files",
                        Attributes.bool(true)));
    }
}
