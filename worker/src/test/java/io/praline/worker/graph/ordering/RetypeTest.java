package io.praline.worker.graph.ordering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.DeclaredOps;
import io.praline.worker.graph.FunctionText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** A function of fractions {@code (x, y)} that is given something else: types of its nodes and of what it returns. */
class RetypeTest {
    private static final DataType FLOAT = DataType.DT_FLOAT;
    private static final DataType BYTE = DataType.DT_UINT8;

    private final Map<String, FunctionDef> functions = new LinkedHashMap<>();

    private FunctionDef function(String name, String... lines) {
        Map<String, DataType> arguments = new LinkedHashMap<>();
        arguments.put("x", FLOAT);
        arguments.put("y", FLOAT);
        FunctionDef function = FunctionText.of(name, arguments, functions, lines);
        functions.put(name, function);
        return function;
    }

    private FunctionDef retyped(FunctionDef function, DataType... types) {
        return new Retype(functions, new DeclaredOps()).of(function, List.of(types));
    }

    private List<DataType> results(FunctionDef function) {
        return function.getSignature().getOutputArgList().stream()
                .map(OpDef.ArgDef::getType)
                .toList();
    }

    private void refused(String why, String... lines) {
        FunctionDef function = function("f", lines);
        assertThatThrownBy(() -> retyped(function, BYTE, FLOAT))
                .isInstanceOf(RefusedRecipe.class)
                .hasMessage(why);
    }

    @Test
    void ofTheSameTypesItIsTheSame() {
        FunctionDef function = function("f", "a = ReverseV2 x [0]", "-> a y");

        assertThat(retyped(function, FLOAT, FLOAT)).isSameAs(function);
        assertThat(retyped(function, FLOAT)).isSameAs(function);
    }

    @Test
    void whatCopiesValuesGivesWhatItIsGiven() {
        FunctionDef function =
                retyped(function("f", "b = ReverseV2 a [1]", "a = ReverseV2 x [0]", "-> b y"), BYTE, FLOAT);

        assertThat(results(function)).containsExactly(BYTE, FLOAT);
        assertThat(function.getSignature().getInputArgList())
                .extracting(OpDef.ArgDef::getType)
                .containsExactly(BYTE, FLOAT);
        assertThat(function.getNodeDefList())
                .filteredOn(node -> node.getOp().equals("ReverseV2"))
                .extracting(node -> node.getAttrOrThrow("T").getType())
                .containsExactly(BYTE, BYTE);
    }

    @Test
    void whatIsNotReachedStaysAsItWas() {
        FunctionDef function = retyped(function("f", "a = Exp y", "b = Cast x DstT=float32", "-> a b"), BYTE, FLOAT);

        assertThat(results(function)).containsExactly(FLOAT, FLOAT);
        assertThat(cast(function).getAttrOrThrow("SrcT").getType()).isEqualTo(BYTE);
        assertThat(cast(function).getAttrOrThrow("DstT").getType()).isEqualTo(FLOAT);
    }

    private static NodeDef cast(FunctionDef function) {
        return function.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("Cast"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachOfSeveralPartsHasTheType() {
        FunctionDef function =
                retyped(function("f", "a = Split 0 x num_split=2", "b = ReverseV2 a:1 [0]", "-> a b"), BYTE, FLOAT);

        assertThat(results(function)).containsExactly(BYTE, BYTE);
    }

    @Test
    void whatCalculatesIsNotGivenOtherTypes() {
        refused("Exp cannot be given other types without calculating otherwise", "a = Exp x", "-> a y");
        refused("Pack would be given two types", "a = Pack x y", "-> a y");
        refused("ConcatV2 would be given two types", "a = Reshape x [4]", "b = ConcatV2 a y 0", "-> b y");
        refused(
                "ImageProjectiveTransformV3 cannot be given other types without calculating otherwise",
                "a = ImageProjectiveTransformV3 x [1.0,0.0] [8,8] 0.0 interpolation=BILINEAR",
                "-> a y");
        refused(
                "ImageProjectiveTransformV3 takes one type of transforms only",
                "a = ImageProjectiveTransformV3 y x [8,8] 0.0 interpolation=NEAREST",
                "-> a y");
    }

    @Test
    void aTransformThatTakesTheNearestValueCopiesIt() {
        FunctionDef function = retyped(
                function("f", "a = ImageProjectiveTransformV3 x [1.0,0.0] [8,8] 0.0 interpolation=NEAREST", "-> a y"),
                BYTE,
                FLOAT);

        assertThat(results(function)).containsExactly(BYTE, FLOAT);
    }

    // ---- branches

    @Test
    void branchesAreGivenTheTypesToo() {
        function("turn", "a = ReverseV2 x [0]", "-> a y");
        function("same", "-> x y");
        FunctionDef function = retyped(
                function(
                        "f",
                        "c = Less 1.0 2.0",
                        "a = StatelessIf c x y Tout={float32,float32} then_branch=@turn else_branch=@same",
                        "b = ReverseV2 a [0]",
                        "-> b a:1"),
                BYTE,
                FLOAT);
        NodeDef choice = function.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("StatelessIf"))
                .findFirst()
                .orElseThrow();

        assertThat(results(function)).containsExactly(BYTE, FLOAT);
        assertThat(choice.getAttrOrThrow("Tin").getList().getTypeList()).containsExactly(BYTE, FLOAT);
        assertThat(choice.getAttrOrThrow("Tout").getList().getTypeList()).containsExactly(BYTE, FLOAT);
        assertThat(choice.getAttrOrThrow("then_branch").getFunc().getName()).isEqualTo("turn_retyped");
        assertThat(results(functions.get("turn_retyped"))).containsExactly(BYTE, FLOAT);
        assertThat(results(functions.get("same_retyped"))).containsExactly(BYTE, FLOAT);
        assertThat(results(functions.get("turn"))).containsExactly(FLOAT, FLOAT);
    }

    @Test
    void branchesOfACaseAreRenamedInTheirList() {
        function("turn", "a = ReverseV2 x [0]", "-> a y");
        function("same", "-> x y");
        FunctionDef function = retyped(
                function("f", "a = StatelessCase 1 x y Tout={float32,float32} branches={@turn,@same}", "-> a a:1"),
                BYTE,
                FLOAT);

        assertThat(results(function)).containsExactly(BYTE, FLOAT);
        assertThat(function.getNodeDefList())
                .filteredOn(node -> node.getOp().equals("StatelessCase"))
                .flatExtracting(
                        node -> node.getAttrOrThrow("branches").getList().getFuncList())
                .extracting(called -> called.getName())
                .containsExactly("turn_retyped", "same_retyped");
    }

    @Test
    void branchesGiveOneType() {
        function("same", "-> x y");
        function("cast", "a = Cast x DstT=float32", "-> a y");
        refused(
                "the branches of StatelessIf would give different types",
                "c = Less 1.0 2.0",
                "a = StatelessIf c x y Tout={float32,float32} then_branch=@same else_branch=@cast",
                "-> a a:1");
        refused(
                "If decides by what would have another type",
                "a = If x y y Tout={float32,float32} then_branch=@same else_branch=@same",
                "-> a a:1");
    }
}
