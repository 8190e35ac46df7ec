package io.praline.worker.graph.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashMap;
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

/**
 * Layers that count seeds in a variable draw them instead, and what is no such counter stays. A map's function of an element
 * {@code x} and of a variable {@code v}; nodes are those of a layer, or what a test puts in their place.
 */
class SeedGeneratorsTest {
    private static final TensorProto BEGIN = Protos.int64s(List.of(7L, 0L));

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    /** Reads for a seed, counts on, draws. */
    private static Map<String, NodeDef.Builder> layer() {
        Map<String, NodeDef.Builder> nodes = new LinkedHashMap<>();
        Stream.of(
                        node("seed", "ReadVariableOp", "v"),
                        node("before", "ReadVariableOp", "v", "^seed"),
                        Protos.constant("one", Protos.int64s(List.of(0L, 1L))),
                        node("sum", "AddV2", "before:value:0", "one:output:0"),
                        node("count", "AssignVariableOp", "v", "sum:z:0"),
                        Protos.constant("shape", Protos.int32s(2)),
                        node("draw", "StatelessRandomUniformV2", "shape:output:0", "seed:value:0", "^count"))
                .forEach(node -> nodes.put(node.getName(), node));
        return nodes;
    }

    private static Map<String, NodeDef.Builder> with(NodeDef.Builder... others) {
        Map<String, NodeDef.Builder> nodes = layer();
        Stream.of(others).forEach(node -> nodes.put(node.getName(), node));
        return nodes;
    }

    private static FunctionDef function(Map<String, NodeDef.Builder> nodes, String result) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addInputArg(Protos.arg("v", DataType.DT_RESOURCE))
                .addOutputArg(Protos.arg("y", DataType.DT_FLOAT))
                .addControlOutput("count")
                .addControlOutput("draw");
        nodes.values().forEach(function::addNodeDef);
        return function.putRet("y", result)
                .putControlRet("count", "count")
                .putControlRet("draw", "draw")
                .build();
    }

    private static final AttrValue A_RESOURCE = Protos.types(List.of(DataType.DT_RESOURCE));

    private static NodeDef.Builder map(String name, String of) {
        return node(name, "MapDataset", of, "variable")
                .putAttr("f", Protos.function("f"))
                .putAttr("Targuments", A_RESOURCE);
    }

    private static Scope graph(TensorProto begin, NodeDef.Builder... datasets) {
        List<NodeDef> nodes = new ArrayList<>(Stream.of(
                        node("numbers", "RangeDataset"),
                        node("variable", "VarHandleOp"),
                        Protos.constant("begin", begin),
                        node("assigned", "AssignVariableOp", "variable", "begin"))
                .map(NodeDef.Builder::build)
                .toList());
        Stream.of(datasets).forEach(dataset -> nodes.add(dataset.build()));
        return Scope.ofGraph(nodes);
    }

    private static boolean isDrawn(TensorProto begin, Map<String, NodeDef.Builder> nodes, String result) {
        Scope scope = graph(begin, map("map", "numbers"));
        Map<String, FunctionDef> made = SeedGenerators.drawn(scope, Map.of("f", function(nodes, result)));
        assertThat(scope.node("map").equals(map("map", "numbers").build())).isEqualTo(made.isEmpty());
        return !made.isEmpty();
    }

    private static boolean isDrawn(NodeDef.Builder... others) {
        return isDrawn(BEGIN, with(others), "draw:output:0");
    }

    @Test
    void theSeedIsDrawnAndTheVariableIsGone() {
        Scope scope = graph(BEGIN, map("map", "numbers"));
        Map<String, FunctionDef> made = SeedGenerators.drawn(scope, Map.of("f", function(layer(), "draw:output:0")));

        FunctionDef drawn = made.get("f_of_seeds_0");
        assertThat(made).hasSize(1);
        assertThat(drawn.getSignature().getInputArgList()).containsExactly(Protos.arg("x", DataType.DT_INT64));
        assertThat(drawn.getNodeDefList())
                .extracting(NodeDef::getOp)
                .containsExactly(
                        "Const",
                        "Const",
                        "Const",
                        "RandomUniformInt",
                        "Cast",
                        "Const",
                        "Const",
                        "StatelessRandomUniformV2");
        NodeDef seed = named(drawn, "seed");
        assertThat(seed.getOp()).isEqualTo("Cast");
        assertThat(seed.getAttrOrThrow("DstT")).isEqualTo(Protos.type(DataType.DT_INT64));
        assertThat(named(drawn, "draw").getInputList()).containsExactly("shape:output:0", "seed:y:0");
        assertThat(drawn.getControlRetMap()).isEqualTo(Map.of("draw", "draw"));
        assertThat(drawn.getSignature().getControlOutputList()).containsExactly("draw");

        NodeDef map = scope.node("map");
        assertThat(map.getInputList()).containsExactly("numbers");
        assertThat(map.getAttrOrThrow("Targuments")).isEqualTo(Protos.types(List.of()));
        assertThat(map.getAttrOrThrow("f")).isEqualTo(Protos.function("f_of_seeds_0"));
    }

    private static NodeDef named(FunctionDef function, String name) {
        return function.getNodeDefList().stream()
                .filter(node -> node.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The second seed of what is drawn in place of a seed: which one of the layer's it is. */
    private static List<Long> numbers(FunctionDef function) {
        return function.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("RandomUniformInt"))
                .map(node -> node.getAttrOrThrow("seed2").getI())
                .toList();
    }

    // a layer draws other numbers at each of its places, and two layers of one seed the same ones
    @Test
    void seedsAreNumberedOnFromPlaceToPlace() {
        Scope scope = graph(BEGIN, map("map", "numbers"), map("behind", "map"));
        Map<String, NodeDef.Builder> twice = with(
                node("other", "ReadVariableOp", "v"),
                node("again", "StatelessRandomUniformV2", "shape:output:0", "other:value:0"));
        List<FunctionDef> made = List.copyOf(SeedGenerators.drawn(scope, Map.of("f", function(twice, "draw:output:0")))
                .values());

        assertThat(numbers(made.get(0))).containsExactly(1L, 2L);
        assertThat(numbers(made.get(1))).containsExactly(3L, 4L);
    }

    @Test
    void whatBeginsOtherwiseDrawsOtherwise() {
        Map<String, Long> seeds = new HashMap<>();
        for (TensorProto begin : List.of(BEGIN, Protos.int64s(List.of(8L, 0L)), Protos.int32s(7, 0))) {
            Scope scope = graph(begin, map("map", "numbers"));
            FunctionDef made = SeedGenerators.drawn(scope, Map.of("f", function(layer(), "draw:output:0")))
                    .get("f_of_seeds_0");
            seeds.put(
                    begin.toString(),
                    named(made, "seed/praline_seed").getAttrOrThrow("seed").getI());
        }
        assertThat(seeds.values()).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void aSeedMayBeCountedOnOnItsWayToTheDraw() {
        assertThat(isDrawn(
                        node("odd", "Mul", "seed:value:0", "one:output:0"),
                        node("small", "Cast", "odd:z:0"),
                        node("draw", "StatelessRandomUniformV2", "shape:output:0", "small:y:0")))
                .isTrue();
    }

    @Test
    void aValueThatIsUsedForAnythingElseStaysOne() {
        assertThat(isDrawn(BEGIN, layer(), "seed:value:0")).isFalse();
        assertThat(isDrawn(BEGIN, with(node("odd", "Mul", "seed:value:0", "one:output:0")), "odd:z:0"))
                .isFalse();
        assertThat(isDrawn(node("other", "Sub", "seed:value:0", "one:output:0")))
                .isFalse();
        assertThat(isDrawn(node("other", "RandomUniform", "seed:value:0"))).isFalse();
        assertThat(isDrawn(node("other", "Mul", "sum:z:0", "one:output:0"))).isFalse();
        assertThat(isDrawn(node("other", "StatelessRandomUniformV2", "shape:output:0", "before:value:0")))
                .isFalse();
    }

    @Test
    void aVariableThatIsCountedInAnotherWayStaysOne() {
        assertThat(isDrawn(node("sum", "Mul", "before:value:0", "one:output:0")))
                .isFalse();
        assertThat(isDrawn(node("sum", "AddV2", "before:value:0", "x"))).isFalse();
        assertThat(isDrawn(node("sum", "AddV2", "one:output:0", "one:output:0")))
                .isFalse();
        assertThat(isDrawn(node("count", "AssignVariableOp", "v", "x"))).isFalse();
        assertThat(isDrawn(node("count", "AssignAddVariableOp", "v", "one:output:0")))
                .isFalse();
        assertThat(isDrawn(node("count", "NoOp"))).isFalse();
        assertThat(isDrawn(node("is_there", "VarIsInitializedOp", "v"))).isFalse();
    }

    // a layer adds 0 and 1; who counts otherwise knows which seeds come
    @Test
    void seedsThatAreCountedInAnotherWayAreThoseOfTheProgram() {
        assertThat(isDrawn(Protos.constant("one", Protos.int64s(List.of(1L, 1L)))))
                .isFalse();
        assertThat(isDrawn(Protos.constant("one", Protos.int64(1)))).isFalse();
    }

    @Test
    void whatWaitsForTheCountingWaitsNoLonger() {
        assertThat(isDrawn(node("other", "Mul", "x", "x", "^sum", "^count"))).isTrue();
    }

    @Test
    void onlyTwoNumbersAreSeeds() {
        assertThat(isDrawn(Protos.int64s(List.of(7L)), layer(), "draw:output:0"))
                .isFalse();
        assertThat(isDrawn(Protos.int64s(List.of(7L, 0L, 0L)), layer(), "draw:output:0"))
                .isFalse();
    }

    @Test
    void oneThatIsGivenNoConstantOrSeveralStays() {
        Scope twice = graph(BEGIN, map("map", "numbers"), node("other", "AssignVariableOp", "variable", "begin"));
        Map<String, FunctionDef> functions = Map.of("f", function(layer(), "draw:output:0"));

        assertThat(SeedGenerators.drawn(twice, functions)).isEmpty();
    }

    // a scan's state stands in front of what its function captures
    @Test
    void behindTheStateOfAScanTheVariableIsFoundToo() {
        FunctionDef.Builder scanned = function(layer(), "draw:output:0").toBuilder();
        scanned.getSignatureBuilder()
                .clearInputArg()
                .addInputArg(Protos.arg("state", DataType.DT_INT64))
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addInputArg(Protos.arg("w", DataType.DT_INT64))
                .addInputArg(Protos.arg("v", DataType.DT_RESOURCE));
        NodeDef.Builder scan = node("scan", "ScanDataset", "numbers", "begin", "begin", "variable")
                .putAttr("f", Protos.function("f"))
                .putAttr("Tstate", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("Targuments", Protos.types(List.of(DataType.DT_INT64, DataType.DT_RESOURCE)));
        Scope scope = graph(BEGIN, scan);

        Map<String, FunctionDef> made = SeedGenerators.drawn(scope, Map.of("f", scanned.build()));

        assertThat(made.get("f_of_seeds_0").getSignature().getInputArgList())
                .extracting(argument -> argument.getName())
                .containsExactly("state", "x", "w");
        assertThat(scope.node("scan").getInputList()).containsExactly("numbers", "begin", "begin");
        assertThat(scope.node("scan").getAttrOrThrow("Targuments")).isEqualTo(Protos.types(List.of(DataType.DT_INT64)));
    }

    @Test
    void aPredicateDrawsTooAndWhatCapturesNothingIsLeftAlone() {
        NodeDef.Builder filter = node("filter", "FilterDataset", "numbers", "variable")
                .putAttr("predicate", Protos.function("f"))
                .putAttr("Targuments", A_RESOURCE);
        NodeDef.Builder plain = node("plain", "MapDataset", "numbers").putAttr("f", Protos.function("f"));
        Scope scope = graph(BEGIN, filter, plain);

        SeedGenerators.drawn(scope, Map.of("f", function(layer(), "draw:output:0")));

        assertThat(scope.node("filter").getAttrOrThrow("predicate")).isEqualTo(Protos.function("f_of_seeds_0"));
        assertThat(scope.node("plain")).isEqualTo(plain.build());
    }
}
