package io.praline.worker.graph.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/**
 * What generators count is drawn instead, and a state that is used for anything else stays. Functions are given an element
 * {@code x} and two generators, {@code v} and {@code w}, which begin alike.
 */
class RandomGeneratorsTest {
    private static final AttrValue BOTH = Protos.types(List.of(DataType.DT_RESOURCE, DataType.DT_RESOURCE));

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static NodeDef.Builder read(String name, String of) {
        return node(name, "RngReadAndSkip", of, "x", "x");
    }

    private static FunctionDef function(String name, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(name)
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addInputArg(Protos.arg("v", DataType.DT_RESOURCE))
                .addInputArg(Protos.arg("w", DataType.DT_RESOURCE))
                .addOutputArg(Protos.arg("y", DataType.DT_INT64));
        Stream.of(nodes).forEach(function::addNodeDef);
        return function.putRet("y", nodes[nodes.length - 1].getName() + ":value:0")
                .build();
    }

    private static NodeDef.Builder map(String name, String function) {
        return node(name, "MapDataset", "numbers", "one", "other")
                .putAttr("f", Protos.function(function))
                .putAttr("Targuments", BOTH);
    }

    private static Scope graph(NodeDef.Builder... datasets) {
        List<NodeDef> nodes = new ArrayList<>();
        Stream.of(
                        node("numbers", "RangeDataset"),
                        Protos.constant("begin", Protos.int64s(List.of(7L, 0L, 0L))),
                        node("variable", "VarHandleOp"),
                        node("assigned", "AssignVariableOp", "variable", "begin"),
                        node("one", "Identity", "variable", "^assigned"),
                        node("other_variable", "VarHandleOp"),
                        node("other_assigned", "AssignVariableOp", "other_variable", "begin"),
                        node("other", "Identity", "other_variable", "^other_assigned"))
                .forEach(node -> nodes.add(node.build()));
        Stream.of(datasets).forEach(dataset -> nodes.add(dataset.build()));
        return Scope.ofGraph(nodes);
    }

    private static Map<String, FunctionDef> functions(FunctionDef... functions) {
        Map<String, FunctionDef> all = new LinkedHashMap<>();
        Stream.of(functions).forEach(each -> all.put(each.getSignature().getName(), each));
        return all;
    }

    /** Draws by their names, with the second of their seeds. */
    private static Map<String, Long> draws(FunctionDef function) {
        Map<String, Long> draws = new LinkedHashMap<>();
        function.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("RandomUniformInt"))
                .forEach(node ->
                        draws.put(node.getName(), node.getAttrOrThrow("seed2").getI()));
        return draws;
    }

    private static FunctionDef of(Scope scope, String node, String key, Map<String, FunctionDef> made) {
        return made.get(scope.node(node).getAttrOrThrow(key).getFunc().getName());
    }

    @Test
    void whatIsTakenOfAStateIsDrawn() {
        Scope scope = graph(map("map", "f"));
        Map<String, FunctionDef> made = RandomGenerators.drawn(
                scope,
                functions(function("f", read("state", "v"), node("used", "Mul", "state:value:0", "x", "^state"))));

        FunctionDef drawn = made.get("f_by_generators");
        assertThat(made).containsOnlyKeys("f_by_generators");
        assertThat(scope.node("map").getAttrOrThrow("f")).isEqualTo(Protos.function("f_by_generators"));
        assertThat(drawn.getNodeDefList())
                .extracting(NodeDef::getOp)
                .containsExactly("Const", "Const", "Const", "RandomUniformInt", "Mul");
        NodeDef state = drawn.getNodeDef(3);
        assertThat(state.getName()).isEqualTo("state");
        assertThat(state.getInputList())
                .containsExactly(
                        "state/praline_shape:output:0", "state/praline_first:output:0", "state/praline_last:output:0");
        assertThat(state.getAttrOrThrow("Tout")).isEqualTo(Protos.type(DataType.DT_INT64));
        assertThat(state.getAttrOrThrow("seed2").getI()).isEqualTo(1);
        assertThat(drawn.getNodeDef(4).getInputList()).containsExactly("state:output:0", "x", "^state");
        assertThat(drawn.getRetOrThrow("y")).isEqualTo("used:value:0");
    }

    @Test
    void aResultThatIsTheStateItselfHasItsNewName() {
        Scope scope = graph(map("map", "f"));
        Map<String, FunctionDef> made = RandomGenerators.drawn(scope, functions(function("f", read("state", "v"))));

        assertThat(made.get("f_by_generators").getRetOrThrow("y")).isEqualTo("state:output:0");
    }

    @Test
    void twoGeneratorsThatBeginAlikeDrawAlikeInAFunctionAndOneCounts() {
        Scope scope = graph(map("map", "f"));
        Map<String, FunctionDef> made = RandomGenerators.drawn(
                scope, functions(function("f", read("a", "v"), read("b", "v"), read("c", "w"), read("d", "w"))));

        FunctionDef drawn = made.get("f_by_generators");
        assertThat(draws(drawn)).isEqualTo(Map.of("a", 1L, "b", 2L, "c", 1L, "d", 2L));
        assertThat(drawn.getNodeDefList().stream()
                        .filter(node -> node.getOp().equals("RandomUniformInt"))
                        .map(node -> node.getAttrOrThrow("seed").getI())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void whereSeveralStepsDrawTheyGoOnCountingAndThatIsSaid() {
        Scope scope = graph(map("first", "f"), map("second", "g"));
        Map<String, FunctionDef> functions =
                functions(function("f", read("a", "v"), read("b", "v"), read("c", "w")), function("g", read("a", "v")));
        PipelineGraph written =
                new PipelineGraph(scope.nodes(), functions.values(), "second", VersionDef.getDefaultInstance());

        Map<String, FunctionDef> made = RandomGenerators.drawn(scope, functions);

        assertThat(draws(of(scope, "first", "f", made))).isEqualTo(Map.of("a", 1L, "b", 2L, "c", 1L));
        assertThat(draws(of(scope, "second", "f", made))).isEqualTo(Map.of("a", 3L));
        assertThat(RandomGenerators.notes(written, Map.of("second", "map_2"))).isEmpty();
        Map<String, String> names = new LinkedHashMap<>();
        names.put("first", "map_1");
        names.put("second", "map_2");
        PipelineGraph both = new PipelineGraph(
                graph(map("first", "f"), map("second", "g").setInput(0, "first"))
                        .nodes(),
                functions.values(),
                "second",
                VersionDef.getDefaultInstance());
        assertThat(RandomGenerators.notes(both, names)).singleElement().satisfies(note -> assertThat(note)
                .startsWith("map_1 and map_2: generators that begin alike draw other numbers in each of these steps"));
    }

    @Test
    void eachCallOfAFunctionDrawsOtherNumbers() {
        NodeDef.Builder call = node("call", "PartitionedCall", "x", "v", "w").putAttr("f", Protos.function("g"));
        NodeDef.Builder again = node("again", "g", "x", "v", "w");
        Scope scope = graph(map("map", "f"));

        Map<String, FunctionDef> made = RandomGenerators.drawn(
                scope, functions(function("f", call, again), function("g", read("a", "v"), read("b", "w"))));

        FunctionDef caller = of(scope, "map", "f", made);
        String first = caller.getNodeDef(0).getAttrOrThrow("f").getFunc().getName();
        String second = caller.getNodeDef(1).getOp();
        assertThat(draws(made.get(first))).isEqualTo(Map.of("a", 1L, "b", 1L));
        assertThat(draws(made.get(second))).isEqualTo(Map.of("a", 2L, "b", 2L));
    }

    @Test
    void branchesLoopsAndStepsWithinAFunctionDrawToo() {
        AttrValue branches = AttrValue.newBuilder()
                .setList(AttrValue.ListValue.newBuilder()
                        .addFunc(Protos.function("g").getFunc())
                        .addFunc(Protos.function("g").getFunc()))
                .build();
        NodeDef.Builder either = node("either", "Case", "x", "x", "v", "w").putAttr("branches", branches);
        NodeDef.Builder loop = node("loop", "While", "x", "v", "w")
                .putAttr("cond", Protos.function("c"))
                .putAttr("body", Protos.function("b"));
        NodeDef.Builder within = node("within", "GroupByWindowDataset", "x", "x", "v", "w")
                .putAttr("key_func", Protos.function("k"))
                .putAttr("Tkey_func_other_arguments", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("reduce_func", Protos.function("g"))
                .putAttr("Treduce_func_other_arguments", BOTH);
        FunctionDef body = function("b", read("a", "w"), node("next", "Add", "x", "x"));
        FunctionDef.Builder handsOn = body.toBuilder().putRet("v", "v");
        Scope scope = graph(map("map", "f"));

        Map<String, FunctionDef> made = RandomGenerators.drawn(
                scope,
                functions(
                        function("f", either, loop, within),
                        function("g", read("a", "v")),
                        function("c", node("less", "Less", "x", "x")),
                        function("k", node("key", "Mul", "x", "x")),
                        handsOn.build()));

        FunctionDef caller = of(scope, "map", "f", made);
        NodeDef group = caller.getNodeDef(2);
        assertThat(made).hasSize(4);
        assertThat(draws(made.get(caller.getNodeDef(0)
                        .getAttrOrThrow("branches")
                        .getList()
                        .getFunc(0)
                        .getName())))
                .isEqualTo(Map.of("a", 1L));
        assertThat(draws(made.get(
                        caller.getNodeDef(1).getAttrOrThrow("body").getFunc().getName())))
                .isEqualTo(Map.of("a", 1L));
        assertThat(draws(made.get(group.getAttrOrThrow("reduce_func").getFunc().getName())))
                .isEqualTo(Map.of("a", 2L));
        assertThat(group.getAttrOrThrow("key_func")).isEqualTo(Protos.function("k"));
    }

    private static void stays(NodeDef.Builder use) {
        Scope scope = graph(map("map", "f"));
        Map<String, FunctionDef> made =
                RandomGenerators.drawn(scope, functions(function("f", read("a", "w"), read("b", "v"), use)));

        // the other generator is no worse for it
        assertThat(draws(made.get("f_by_generators"))).as(use.getOp()).isEqualTo(Map.of("a", 1L));
    }

    @Test
    void aStateThatIsSetLookedAtOrUsedByWhatIsUnknownStays() {
        stays(node("set", "AssignVariableOp", "v", "x"));
        stays(node("look", "ReadVariableOp", "v"));
        stays(node("draw", "StatefulUniform", "v", "x", "x"));
        stays(node("unknown", "FutureDataset", "x", "v").putAttr("reader_func", Protos.function("f")));
    }

    @Test
    void aStateThatAFunctionYieldsStays() {
        Scope scope = graph(map("map", "f"));
        FunctionDef yields =
                function("f", read("a", "v")).toBuilder().putRet("y", "v").build();

        assertThat(RandomGenerators.drawn(scope, functions(yields))).isEmpty();
    }

    @Test
    void aVariableThatNothingIsKnownOfStays() {
        Scope scope = graph(map("map", "f"));
        scope.put(node("again", "AssignVariableOp", "variable", "begin").build());
        scope.put(Protos.constant("begin_other", Protos.int32s(7, 0, 0)).build());
        scope.put(node("other_assigned", "AssignVariableOp", "other_variable", "begin_other")
                .build());

        assertThat(RandomGenerators.drawn(scope, functions(function("f", read("a", "v"), read("b", "w")))))
                .isEmpty();
    }

    @Test
    void aVariableThatNobodyDrawsByIsNoGenerator() {
        Scope scope = graph(map("map", "f"));

        assertThat(RandomGenerators.drawn(scope, functions(function("f", node("sum", "Add", "x", "x")))))
                .isEmpty();
        assertThat(scope.node("map")).isEqualTo(map("map", "f").build());
    }
}
