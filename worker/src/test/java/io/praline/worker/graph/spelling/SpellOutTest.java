package io.praline.worker.graph.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionText;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.VersionDef;

/** What is one step in a program and several here, and the other way round, spelled out. */
class SpellOutTest {
    private static final DataType INT = DataType.DT_INT32;
    private static final DataType LONG = DataType.DT_INT64;
    private static final DataType STRING = DataType.DT_STRING;

    private final Map<String, FunctionDef> functions = new LinkedHashMap<>();

    private PipelineGraph spelled(NodeDef.Builder... nodes) {
        List<NodeDef> all = Stream.of(nodes).map(NodeDef.Builder::build).toList();
        return new SpellOut()
                .apply(new PipelineGraph(all, functions.values(), "root", VersionDef.getDefaultInstance()));
    }

    private static NodeDef.Builder yields(NodeDef.Builder node, DataType... types) {
        List<ElementComponent> components = Stream.of(types)
                .map(type -> ElementComponent.of(type, Protos.SCALAR))
                .toList();
        DatasetOps.setComponents(node, node.getOp().contains("Slice") ? "Toutput_types" : "output_types", components);
        return node;
    }

    private static NodeDef root(PipelineGraph graph) {
        return graph.nodes().get(graph.root());
    }

    private static NodeDef.Builder names(String... names) {
        TensorProto.Builder tensor =
                TensorProto.newBuilder().setDtype(STRING).setTensorShape(Protos.shape((long) names.length));
        Stream.of(names).map(ByteString::copyFromUtf8).forEach(tensor::addStringVal);
        return Protos.constant("names", tensor.build());
    }

    // ---- tables

    private static NodeDef.Builder table(String header) {
        return yields(Protos.node("root", "CSVDatasetV2", "names", "compression", header), INT, STRING)
                .putAttr("metadata", Protos.string("\n\5table"));
    }

    private static NodeDef.Builder[] tables(NodeDef.Builder names, NodeDef.Builder table) {
        return new NodeDef.Builder[] {
            names,
            Protos.constant("compression", Protos.bytes(ByteString.EMPTY)),
            Protos.constant("header", Protos.flag(true)),
            Protos.node("asked", "Placeholder"),
            table
        };
    }

    @Test
    void aTableOfSeveralFilesIsOneOfEach() {
        PipelineGraph spelled = spelled(tables(names("/a", "/b"), table("header")));
        NodeDef each = root(spelled);
        NodeDef files = spelled.nodes().get(each.getInput(0));

        assertThat(each.getOp()).isEqualTo("FlatMapDataset");
        assertThat(FunctionText.shown(spelled.functions().get("praline_table"), List.of("file")))
                .isEqualTo("CSVDatasetV2(file, , true)");
        assertThat(DatasetOps.components(each))
                .isEqualTo(DatasetOps.components(table("header").build()));
        assertThat(DatasetOps.userName(each)).contains("table");
        assertThat(files.getOp()).isEqualTo("TensorSliceDataset");
        assertThat(Constants.value(spelled.scope(), files.getInput(0)).map(Constants::strings))
                .contains(List.of("/a", "/b"));
    }

    @Test
    void aTableOfOneFileOrOfWhatIsNotWrittenDownStaysAsItIs() {
        assertThat(root(spelled(tables(names("/a"), table("header")))).getOp()).isEqualTo("CSVDatasetV2");
        assertThat(root(spelled(tables(names("/a", "/b"), table("asked")))).getOp())
                .isEqualTo("CSVDatasetV2");
        assertThat(root(spelled(tables(names("/a", "/b"), table("header").addInput("^asked"))))
                        .getOp())
                .isEqualTo("CSVDatasetV2");
        assertThat(root(spelled(tables(Protos.constant("names", Protos.bytes(ByteString.EMPTY)), table("header"))))
                        .getOp())
                .isEqualTo("CSVDatasetV2");
    }

    // ---- zipped constants

    private static NodeDef.Builder slices(String name, String constant, DataType type) {
        return yields(Protos.node(name, "TensorSliceDataset", constant), type);
    }

    private static NodeDef.Builder[] range(String name, long from, long until, long step) {
        return new NodeDef.Builder[] {
            Protos.constant(name + "_from", Protos.int64(from)),
            Protos.constant(name + "_until", Protos.int64(until)),
            Protos.constant(name + "_step", Protos.int64(step)),
            yields(Protos.node(name, "RangeDataset", name + "_from", name + "_until", name + "_step"), LONG)
        };
    }

    private static NodeDef.Builder[] with(NodeDef.Builder[] some, NodeDef.Builder... more) {
        List<NodeDef.Builder> all = new ArrayList<>(Arrays.asList(some));
        all.addAll(Arrays.asList(more));
        return all.toArray(NodeDef.Builder[]::new);
    }

    /** The integers of each component of the slices in the place of a zip. */
    private static List<List<Long>> joined(PipelineGraph graph) {
        NodeDef root = root(graph);
        assertThat(root.getOp()).isEqualTo("TensorSliceDataset");
        return root.getInputList().stream()
                .map(input ->
                        Constants.integers(Constants.value(graph.scope(), input).orElseThrow()))
                .toList();
    }

    @Test
    void namesThatAreZippedToSomethingStayThoseOfTheirProgramsFolder() {
        NodeDef.Builder listed =
                RelativeNames.in("/home", slices("listed", "names", STRING).build()).toBuilder();
        NodeDef.Builder zip = yields(Protos.node("root", "ZipDataset", "numbers", "listed"), LONG, STRING);

        assertThat(RelativeNames.directory(
                        root(spelled(with(range("numbers", 0, 2, 1), names("a", "b"), listed, zip)))))
                .hasValue("/home");
    }

    @Test
    void constantsAndNumbersThatAreZippedAreSlicesOfBoth() {
        NodeDef.Builder values = Protos.constant("values", Protos.int32s(7, 8, 9));
        NodeDef.Builder zip = yields(Protos.node("root", "ZipDataset", "numbers", "values_each"), LONG, INT);

        assertThat(joined(
                        spelled(with(range("numbers", 2, 100, 3), values, slices("values_each", "values", INT), zip))))
                .containsExactly(List.of(2L, 5L, 8L), List.of(7L, 8L, 9L));
        assertThat(joined(spelled(with(
                        with(range("up", 0, 3, 1), range("down", 5, 2, -1)),
                        yields(Protos.node("root", "ZipDataset", "up", "down"), LONG, LONG)))))
                .containsExactly(List.of(0L, 1L, 2L), List.of(5L, 4L, 3L));
    }

    @Test
    void whereOneIsShorterOrTooLongNothingIsJoined() {
        NodeDef.Builder values = Protos.constant("values", Protos.int32s(7, 8, 9));
        NodeDef.Builder zip = yields(Protos.node("root", "ZipDataset", "numbers", "values_each"), LONG, INT);
        NodeDef.Builder both = yields(Protos.node("root", "ZipDataset", "numbers", "numbers"), LONG, LONG);

        assertThat(root(spelled(with(range("numbers", 0, 2, 1), values, slices("values_each", "values", INT), zip)))
                        .getOp())
                .isEqualTo("ZipDataset");
        assertThat(root(spelled(with(range("numbers", 0, 1_000_001, 1), both))).getOp())
                .isEqualTo("ZipDataset");
        assertThat(root(spelled(with(range("numbers", 0, 1_000_000, 1), both))).getOp())
                .isEqualTo("TensorSliceDataset");
        assertThat(root(spelled(with(
                                with(range("up", 0, 3, 1), range("down", 5, 3, -1)),
                                yields(Protos.node("root", "ZipDataset", "up", "down"), LONG, LONG))))
                        .getOp())
                .isEqualTo("ZipDataset");
    }

    // each makes something of its own component, and hands on what stood beside it
    @Test
    void whatIsMadeOfEachBeforeIsMadeBehind() {
        functions.put("f", FunctionText.of("f", Map.of("x", INT), Map.of(), "r = Cast x DstT=float32", "-> r x"));
        functions.put("g", FunctionText.of("g", Map.of("x", LONG), Map.of(), "r = Neg x", "-> r"));
        NodeDef.Builder values = Protos.constant("values", Protos.int32s(7, 8, 9));
        PipelineGraph spelled = spelled(with(
                range("numbers", 2, 100, 3),
                values,
                slices("values_each", "values", INT),
                yields(mapped("twice", "values_each", "f"), DataType.DT_FLOAT, INT),
                yields(mapped("minus", "numbers", "g"), LONG),
                yields(Protos.node("root", "ZipDataset", "twice", "minus", "^values"), DataType.DT_FLOAT, INT, LONG)));
        NodeDef second = root(spelled);
        NodeDef first = spelled.nodes().get(second.getInput(0));

        assertThat(shown(spelled, first, "x", "y")).isEqualTo("Cast<float32>(x), x, y");
        assertThat(shown(spelled, second, "x", "y", "v")).isEqualTo("x, y, Neg(v)");
        assertThat(DatasetOps.components(second))
                .extracting(ElementComponent::dtype)
                .containsExactly(DataType.DT_FLOAT, INT, LONG);
        assertThat(spelled.nodes().get(first.getInput(0)).getOp()).isEqualTo("TensorSliceDataset");
    }

    private static NodeDef.Builder mapped(String name, String input, String function) {
        return Protos.node(name, "MapDataset", input)
                .putAttr("f", Protos.function(function))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("preserve_cardinality", Protos.bool(true));
    }

    private static String shown(PipelineGraph graph, NodeDef map, String... names) {
        return FunctionText.shown(
                graph.functions().get(map.getAttrOrThrow("f").getFunc().getName()), List.of(names));
    }

    // ---- parsed datasets

    private static NodeDef.Builder parse(String op) {
        AttrValue.Builder keys = AttrValue.newBuilder();
        keys.getListBuilder().addS(ByteString.copyFromUtf8("b")).addS(ByteString.copyFromUtf8("a"));
        return yields(Protos.node("root", op, "records", "calls", "b_default", "a_default"), INT, LONG)
                .putAttr("dense_keys", keys.build())
                .putAttr("Tdense", Protos.types(List.of(LONG, INT)))
                .putAttr("dense_shapes", Protos.shapes(List.of(Protos.SCALAR, Protos.SCALAR)));
    }

    private PipelineGraph parsed(NodeDef.Builder parse) {
        return spelled(
                yields(Protos.node("records", "TensorDataset"), STRING),
                Protos.constant("calls", Protos.int64(2)),
                Protos.constant("b_default", Protos.int64(0)),
                Protos.constant("a_default", Protos.int32(0)),
                parse);
    }

    @Test
    void aDatasetThatParsesIsAMapWhoseFeaturesComeByTheirNames() {
        PipelineGraph spelled = parsed(parse("ParseExampleDatasetV2"));

        assertThat(root(spelled).getInputList()).containsExactly("records", "b_default", "a_default", "calls");
        assertThat(shown(spelled, root(spelled), "x", "k", "l"))
                .isEqualTo("ParseExampleV2(x, [], [], [b,a], [], k, l)[1], ParseExampleV2(x, [], [], [b,a], [], k, l)");
        AttrValue.Builder ragged = AttrValue.newBuilder();
        ragged.getListBuilder().addS(ByteString.copyFromUtf8("r"));
        for (String key : List.of("sparse_keys", "ragged_keys")) {
            assertThat(root(parsed(parse("ParseExampleDataset").putAttr(key, ragged.build())))
                            .getOp())
                    .isEqualTo("ParseExampleDataset");
        }
    }

    @Test
    void anOrderThatNeedNotBeKeptNeedNotBeKept() {
        assertThat(order(parse("ParseExampleDataset"))).isEqualTo("default");
        assertThat(order(parse("ParseExampleDataset").putAttr("sloppy", Protos.bool(true))))
                .isEqualTo("false");
        assertThat(order(parse("ParseExampleDatasetV2").putAttr("deterministic", Protos.string("true"))))
                .isEqualTo("true");
    }

    private String order(NodeDef.Builder parse) {
        return root(parsed(parse)).getAttrOrThrow("deterministic").getS().toStringUtf8();
    }

    // ---- maps with their batch

    @Test
    void aMapWithItsBatchIsAMapAndABatch() {
        PipelineGraph spelled = new SpellOut().apply(Pipelines.parse("map_and_batch"));
        NodeDef batch = spelled.nodes().values().stream()
                .filter(node -> node.getOp().equals("BatchDatasetV2"))
                .findFirst()
                .orElseThrow();
        NodeDef map = spelled.nodes().get(batch.getInput(0));

        assertThat(map.getOp()).isEqualTo("ParallelMapDatasetV2");
        assertThat(DatasetOps.components(map).stream().map(each -> each.inBatches(7)))
                .containsExactlyElementsOf(DatasetOps.components(batch));
        assertThat(spelled.components())
                .isEqualTo(Pipelines.parse("map_and_batch").components());
    }

    @Test
    void whatIsPlainStaysAsItIs() {
        PipelineGraph plain = Pipelines.parse("map");

        assertThat(new SpellOut().apply(plain)).isSameAs(plain);
    }

    // ---- shuffles of which parts are taken

    private static List<Long> seeds(PipelineGraph spelled) {
        return spelled.nodes().get("shuffle").getInputList().subList(2, 4).stream()
                .map(input -> Constants.integer(spelled.scope(), input).orElseThrow())
                .toList();
    }

    private List<Long> seedsBelow(NodeDef.Builder... above) {
        NodeDef.Builder shuffle = yields(
                        Protos.node("shuffle", "ShuffleDatasetV3", "numbers", "numbers_step", "none", "none", "state"),
                        LONG)
                .putAttr("reshuffle_each_iteration", Protos.bool(false));
        return seeds(spelled(with(
                with(range("numbers", 0, 9, 1), above),
                Protos.constant("none", Protos.int64(0)),
                Protos.node("state", "DummySeedGenerator"),
                shuffle)));
    }

    @Test
    void aShuffleOfWhichAPartIsTakenFollowsFromWhatItShuffles() {
        functions.put("g", FunctionText.of("g", Map.of("x", LONG), Map.of(), "r = Neg x", "-> r"));
        NodeDef.Builder take = yields(Protos.node("root", "TakeDataset", "shuffle", "numbers_step"), LONG);
        NodeDef.Builder behind = yields(Protos.node("root", "TakeDataset", "minus", "numbers_step"), LONG);
        NodeDef.Builder map = yields(mapped("minus", "shuffle", "g"), LONG);
        List<Long> seeds = seedsBelow(take);

        assertThat(seeds).doesNotContain(0L);
        assertThat(seedsBelow(map, behind)).isEqualTo(seeds);
        assertThat(seedsBelow(yields(mapped("root", "shuffle", "g"), LONG))).containsExactly(0L, 0L);
        assertThat(seedsBelow(yields(Protos.node("root", "ZipDataset", "shuffle", "numbers"), LONG, LONG)))
                .isEqualTo(seeds);
    }
}
