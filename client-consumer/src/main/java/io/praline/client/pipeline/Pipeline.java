package io.praline.client.pipeline;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.tensorflow.Operand;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.FunctionDefLibrary;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;
import org.tensorflow.types.TBool;

/**
 * An input pipeline, written as tf.data writes it:
 *
 * <pre>{@code
 * Pipeline.tfRecords()
 *         .map("decode", Images.decodeJpeg(3))
 *         .map("crop", Images.randomCrop(200, 200, 7))
 *         .map("brighten", (tf, x) -> tf.math.mul(x.as(TFloat32.class), tf.constant(1.1f)))
 *         .shuffle(1000)
 *         .batch(32)
 *         .names("image");
 * }</pre>
 *
 * <p>Immutable: every step gives a new pipeline. The files come from the job's data glob; {@link #reading} puts names into the
 * graph. Maps run in parallel and keep the order. {@link #graph()} is what {@code Dataset._as_serialized_graph} gives in Python.
 */
public final class Pipeline {

    /** As Python: a generator is seeded by (this, the user's seed); (0, 0) asks for a seed from the system. */
    static final long GRAPH_SEED = 87654321L;

    /** {@code tf.data.AUTOTUNE}. */
    private static final long AUTOTUNE = -1;

    /** The version of TensorFlow's graphs that these nodes are written for: that of TensorFlow 2.18. */
    private static final int GRAPH_PRODUCER = 1994;

    private static final Pattern STEP_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Source source;
    private final List<NodeDef> nodes;
    private final List<FunctionDef> functions;
    private final String output;
    private final List<Component> components;

    Pipeline(
            Source source,
            List<NodeDef> nodes,
            List<FunctionDef> functions,
            String output,
            List<Component> components) {
        this.source = source;
        this.nodes = List.copyOf(nodes);
        this.functions = List.copyOf(functions);
        this.output = output;
        this.components = List.copyOf(components);
    }

    // ------------------------------------------------------------------------------------------------------ sources

    /** The records of TFRecord files, each a string. */
    public static Pipeline tfRecords() {
        return tfRecords(Compression.NONE);
    }

    public static Pipeline tfRecords(Compression compression) {
        return SourceNodes.compressed("TFRecordDataset", compression);
    }

    /** The lines of text files, each a string without its line end. */
    public static Pipeline textLines() {
        return textLines(Compression.NONE);
    }

    public static Pipeline textLines(Compression compression) {
        return SourceNodes.compressed("TextLineDataset", compression);
    }

    /** Records of one length, in bytes, each a string; what stands before the first and behind the last is left out. */
    public static Pipeline fixedLength(long headerBytes, long recordBytes, long footerBytes) {
        if (headerBytes < 0 || footerBytes < 0) {
            throw new IllegalArgumentException(
                    "header and footer must not be negative, are " + headerBytes + " and " + footerBytes);
        }
        requirePositive("recordBytes", recordBytes);
        return SourceNodes.fixedLength(headerBytes, recordBytes, footerBytes);
    }

    public static Pipeline fixedLength(long recordBytes) {
        return fixedLength(0, recordBytes, 0);
    }

    /** The names of the files: a map reads and decodes them ({@link Records#readFile}, {@link Images#labelFromPath}). */
    public static Pipeline files() {
        return SourceNodes.files();
    }

    /** The integers {@code from, from + 1, ... to - 1}. */
    public static Pipeline range(long from, long to) {
        if (to < from) {
            throw new IllegalArgumentException("a range must not end before it begins, is " + from + " to " + to);
        }
        return SourceNodes.range(from, to);
    }

    /**
     * The same {@code uint8[bytes]} over and over: a source that costs nothing, to measure all the rest with. The tensor is made once and
     * handed out by reference.
     */
    public static Pipeline inMemory(long elements, long bytes) {
        requirePositive("bytes", bytes);
        return SourceNodes.inMemory(range(0, elements), bytes);
    }

    /** Writes the names of the files into the graph, in the place of those that a job would bring. */
    public Pipeline reading(List<String> files) {
        if (source != Source.FILES) {
            throw new IllegalArgumentException("this pipeline reads integers, not files");
        }
        List<NodeDef> changed = new ArrayList<>(nodes);
        changed.set(
                0,
                nodes.get(0).toBuilder()
                        .putAttr("value", Attributes.tensor(Attributes.vector(files)))
                        .build());
        return new Pipeline(source, changed, functions, output, components);
    }

    // ---------------------------------------------------------------------------------------------- transformations

    /** One tensor from each element. */
    public Pipeline map(String step, BiFunction<Ops, Element, ? extends Operand<?>> function) {
        return mapElement(step, (tf, x) -> Element.of(function.apply(tf, x)));
    }

    /** Changes one component, which is all that the function sees, and passes the others on. */
    public Pipeline map(String step, String component, BiFunction<Ops, Element, ? extends Operand<?>> function) {
        int at = indexOf(component);
        return mapElement(step, (tf, x) -> x.with(at, function.apply(tf, Element.of(component, x.get(at)))));
    }

    /** An element from each element, with the names that the function gives. */
    public Pipeline mapElement(String step, BiFunction<Ops, Element, Element> function) {
        Draft draft = draft();
        FunctionBody body = FunctionBody.draw(draft.functionName(checked(step)), components, function);
        if (body.results().isEmpty()) {
            throw new IllegalArgumentException("the function of " + step + " gives no tensor");
        }
        return mapped(draft, step, body);
    }

    /** Keeps the elements for which the function says true. */
    public Pipeline filter(String step, BiFunction<Ops, Element, ? extends Operand<TBool>> keeps) {
        Draft draft = draft();
        FunctionBody body = FunctionBody.draw(
                draft.functionName(checked(step)), components, (tf, x) -> Element.of(keeps.apply(tf, x)));
        Map<String, AttrValue> attributes = Attributes.ofDataset(step, components);
        attributes.put("predicate", draft.function(body));
        attributes.put("Targuments", Attributes.types(List.of()));
        return draft.done(source, draft.node("FilterDataset", List.of(output), attributes), components);
    }

    /** Each task draws at random from so many elements, other ones every time. */
    public Pipeline shuffle(long elements) {
        return shuffled(elements, 0, 0);
    }

    /** Each task draws from so many elements, in an order that follows from the seed. */
    public Pipeline shuffle(long elements, long seed) {
        return shuffled(elements, GRAPH_SEED, seed);
    }

    /** So many elements in a row; the last batch may be a short one. */
    public Pipeline batch(long size) {
        return batch(size, false);
    }

    public Pipeline batch(long size, boolean dropRemainder) {
        requirePositive("the size of a batch", size);
        Draft draft = draft();
        List<Component> batched = components.stream()
                .map(component -> component.batched(dropRemainder ? size : Shape.UNKNOWN_SIZE))
                .toList();
        List<String> inputs = List.of(output, draft.constant(size), draft.constant(dropRemainder));
        return draft.done(source, draft.node("BatchDatasetV2", inputs, Attributes.ofDataset("", batched)), batched);
    }

    /** As {@link #batch}, where each unknown dimension is filled up to the longest of the batch with zeros or empty strings. */
    public Pipeline paddedBatch(long size) {
        return paddedBatch(size, false);
    }

    public Pipeline paddedBatch(long size, boolean dropRemainder) {
        requirePositive("the size of a batch", size);
        Draft draft = draft();
        List<String> inputs = new ArrayList<>(List.of(output, draft.constant(size)));
        for (Component component : components) {
            if (component.shape().isUnknown()) {
                throw new IllegalArgumentException(
                        "component " + component.name() + " has no known number of dimensions, and cannot be padded");
            }
            inputs.add(draft.constant(Attributes.vector(component.shape().asArray())));
        }
        components.forEach(component -> inputs.add(draft.constant(Attributes.padding(component.type()))));
        inputs.add(draft.constant(dropRemainder));
        List<Component> batched = components.stream()
                .map(component -> component.batched(dropRemainder ? size : Shape.UNKNOWN_SIZE))
                .toList();
        Map<String, AttrValue> attributes = Attributes.ofDataset("", batched);
        attributes.put("Toutput_types", attributes.remove("output_types"));
        attributes.put("N", Attributes.integer(components.size()));
        return draft.done(source, draft.node("PaddedBatchDatasetV2", inputs, attributes), batched);
    }

    /** Takes the first dimension of every component apart again. */
    public Pipeline unbatch() {
        List<Component> rows = new ArrayList<>();
        for (Component component : components) {
            if (!component.shape().isUnknown() && component.shape().numDimensions() == 0) {
                throw new IllegalArgumentException("component " + component.name() + " has no dimension to take apart");
            }
            rows.add(
                    component.shape().isUnknown()
                            ? component
                            : component.shaped(component.shape().tail()));
        }
        Draft draft = draft();
        return draft.done(source, draft.node("UnbatchDataset", List.of(output), Attributes.ofDataset("", rows)), rows);
    }

    /** Works ahead, as far as pays. */
    public Pipeline prefetch() {
        return prefetch(AUTOTUNE);
    }

    /** Works so many elements ahead. */
    public Pipeline prefetch(long elements) {
        return counted("PrefetchDataset", elements);
    }

    /** Holds every element up for so many microseconds, without using a core: to throttle a pipeline that is tried out. */
    public Pipeline sleep(long microseconds) {
        requirePositive("a sleep in microseconds", microseconds);
        return counted("SleepDataset", microseconds);
    }

    /** The first so many elements: away from the source, a job runs this as a single task. */
    public Pipeline take(long elements) {
        return counted("TakeDataset", elements);
    }

    /** All but the first so many elements: away from the source, a job runs this as a single task. */
    public Pipeline skip(long elements) {
        return counted("SkipDataset", elements);
    }

    /** The whole so many times; at the end of a pipeline these are epochs. */
    public Pipeline repeat(long times) {
        return counted("RepeatDataset", times);
    }

    /** The last step stays where it stands, and no other changes places with it, whatever that would gain. */
    public Pipeline keepPosition() {
        Draft draft = draft();
        draft.keepPosition(output);
        return draft.done(source, output, components);
    }

    /** How training code asks for the components of an element, in their order. */
    public Pipeline names(String... names) {
        if (names.length != components.size()) {
            throw new IllegalArgumentException("there must be a name for each component, are " + names.length + " for "
                    + components.size() + ": " + components);
        }
        if (new HashSet<>(List.of(names)).size() < names.length) {
            throw new IllegalArgumentException("a name is given twice: " + List.of(names));
        }
        List<Component> named = IntStream.range(0, names.length)
                .mapToObj(at -> components.get(at).named(names[at]))
                .toList();
        return new Pipeline(source, nodes, functions, output, named);
    }

    // ------------------------------------------------------------------------------------------------------- result

    /** A serialised {@code GraphDef} with one {@code _Retval} node named {@code dataset}: the same bytes for the same steps. */
    public byte[] graph() {
        GraphDef graph = graphDef();
        byte[] bytes = new byte[graph.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            graph.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    /** What every element holds at the end, in the order in which it is delivered. */
    public List<Component> components() {
        return components;
    }

    public List<String> componentNames() {
        return components.stream().map(Component::name).toList();
    }

    GraphDef graphDef() {
        NodeDef result = NodeDef.newBuilder()
                .setName("dataset")
                .setOp("_Retval")
                .addInput(output)
                .putAttr("T", Attributes.type(DataType.DT_VARIANT))
                .putAttr("index", Attributes.integer(0))
                .build();
        return GraphDef.newBuilder()
                .addAllNode(nodes)
                .addNode(result)
                .setLibrary(FunctionDefLibrary.newBuilder().addAllFunction(functions))
                .setVersions(VersionDef.newBuilder().setProducer(GRAPH_PRODUCER))
                .build();
    }

    /** The index of the component with this name. */
    int indexOf(String component) {
        int at = componentNames().indexOf(component);
        if (at < 0) {
            throw new IllegalArgumentException("no component '" + component + "', there are " + componentNames());
        }
        return at;
    }

    private Pipeline mapped(Draft draft, String step, FunctionBody body) {
        Map<String, AttrValue> attributes = Attributes.ofDataset(step, body.results());
        attributes.put("f", draft.function(body));
        attributes.put("Targuments", Attributes.types(List.of()));
        attributes.put("preserve_cardinality", Attributes.bool(true));
        List<String> inputs = List.of(output, draft.constant(AUTOTUNE));
        return draft.done(source, draft.node("ParallelMapDatasetV2", inputs, attributes), body.results());
    }

    private Pipeline shuffled(long elements, long seed, long seed2) {
        requirePositive("a shuffle", elements);
        Draft draft = draft();
        List<String> inputs = List.of(
                output,
                draft.constant(elements),
                draft.constant(seed),
                draft.constant(seed2),
                draft.constant(Attributes.seedGenerator()));
        return draft.done(
                source, draft.node("ShuffleDatasetV3", inputs, Attributes.ofDataset("", components)), components);
    }

    private Pipeline counted(String op, long count) {
        Draft draft = draft();
        List<String> inputs = List.of(output, draft.constant(count));
        return draft.done(source, draft.node(op, inputs, Attributes.ofDataset("", components)), components);
    }

    private static String checked(String step) {
        if (!STEP_NAME.matcher(step).matches()) {
            throw new IllegalArgumentException(
                    "the name of a step must be letters, digits and '_', and not begin with a digit, is '" + step
                            + "'");
        }
        return step;
    }

    /** To go on from here. */
    Draft draft() {
        return new Draft(nodes, functions);
    }

    String output() {
        return output;
    }

    private static void requirePositive(String what, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, is " + value);
        }
    }
}
