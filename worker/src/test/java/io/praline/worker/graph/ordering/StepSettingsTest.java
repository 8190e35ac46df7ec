package io.praline.worker.graph.ordering;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DeclaredOps;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Written;
import io.praline.worker.graph.ordering.step.StepDescription;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told of the first op of a step, by which rules decide where it may move: its operands and its types. */
class StepSettingsTest {
    private static StepDescription step(Written written) {
        List<StepDescription> steps = new Variants(new DeclaredOps()).transformations(written.graph());
        return steps.get(steps.size() - 1);
    }

    private static Written table() {
        return Written.of("float32[4,5]");
    }

    private static Written pair() {
        return Written.of("float32[4,5]", "float32[4,5]");
    }

    private static Map<String, String> settings(Written written) {
        return step(written).ops().get(0).settings();
    }

    private static Map<String, String> settings(String line) {
        return settings(table().map(line, "-> a"));
    }

    @Test
    void anOperandIsToldByWhatItIsAndHowFarItReaches() {
        assertThat(settings("a = AddV2 x 1.5"))
                .isEqualTo(Map.of(
                        "operand", "scalar", "operand_at", "1", "value", "1.5", "smallest", "1.5", "largest", "1.5"));
        assertThat(settings("a = Sub [1.0,-2.0,3.0,4.0,5.0] x"))
                .isEqualTo(Map.of("operand", "vector:5", "operand_at", "0", "smallest", "1.0", "largest", "5.0"));
        assertThat(settings(table().capturing(Protos.float32(3)).map("a = Mul x k", "-> a")))
                .isEqualTo(Map.of("operand", "scalar", "operand_at", "1", "smallest", "3.0", "largest", "3.0"));
        assertThat(settings(Written.of("float32[2]", "float32[2]").map("a = AddV2 x y", "-> a y")))
                .isEqualTo(Map.of("not_a_number", "true"));
    }

    @Test
    void aVectorOfOneValueReachesAsFarAsWhatItMeets() {
        assertThat(settings("a = AddV2 x [2.0]"))
                .containsEntry("operand", "scalar")
                .containsEntry("stretches", "true");
        assertThat(settings(Written.of("float32").map("a = AddV2 x [2.0]", "-> a")))
                .containsEntry("operand", "vector:1")
                .doesNotContainKey("stretches");
    }

    @Test
    void bothBoundsOfAClipAreTold() {
        assertThat(settings("a = ClipByValue x -1.0 2.0"))
                .isEqualTo(Map.of(
                        "operand", "scalar",
                        "operand_at", "2",
                        "smallest", "1.0",
                        "largest", "2.0",
                        "lowest", "-1.0",
                        "highest", "2.0"));
        assertThat(settings("a = ClipByValue x [1.0,2.0,3.0,4.0,5.0] 9.0")).containsEntry("operand", "vector:5");
        assertThat(settings("a = ClipByValue x 0.0 [1.0,2.0,3.0,4.0,5.0]")).containsEntry("operand", "vector:5");
    }

    @Test
    void whatIsDrawnOrFollowsFromASizeIsNoConstant() {
        assertThat(settings(table().map("r = RandomUniform [] dtype=float32", "a = Mul x r", "-> a")))
                .isEqualTo(Map.of("operand", "drawn", "operand_at", "1", "not_a_number", "true"));
        assertThat(settings(Written.of("int32[3]").map("s = Size x out_type=int32", "a = Mul s x", "-> a")))
                .isEqualTo(Map.of("operand", "shape", "operand_at", "0"));
    }

    @Test
    void whereOrHowItIsToldByTheArgumentsName() {
        assertThat(settings("a = ReverseV2 x [0,1]")).isEqualTo(Map.of("axis", "0,1"));
        assertThat(settings(table().map("r = RandomUniform [1] dtype=int32", "a = ReverseV2 x r", "-> a")))
                .containsEntry("axis", "drawn");
        assertThat(settings(table().capturing(Protos.int32s(0)).map("a = ReverseV2 x k", "-> a")))
                .containsEntry("axis", "captured");
        assertThat(settings(table().map("s = Size x out_type=int32", "i = ExpandDims s 0", "a = Reshape x i", "-> a")))
                .containsEntry("shape", "shape");
        assertThat(settings(table().map("s = Neg [0]", "a = ReverseV2 x s", "-> a")))
                .containsEntry("axis", "constant");
        assertThat(settings(Written.of("float32[1,4]").map("a = Squeeze x squeeze_dims=[0]", "-> a")))
                .isEqualTo(Map.of("squeeze_dims", "0"));
    }

    @Test
    void ofAChoiceItIsToldWhatDecides() {
        assertThat(settings(pair().map(
                                "r = RandomUniform [] dtype=float32",
                                "c = Less r 0.5",
                                "a = SelectV2 c x y",
                                "-> a y")))
                .isEqualTo(Map.of("condition", "drawn", "operand", "scalar", "not_a_number", "true"));
        assertThat(settings(Written.of("float32[4]", "float32[4]")
                        .map("r = RandomUniform [4] dtype=float32", "c = Less r 0.5", "a = SelectV2 c x y", "-> a y")))
                .containsEntry("operand", "vector:4");
        assertThat(settings(Written.of("float32[4]", "float32[4]")
                        .map("r = RandomUniform [4] dtype=float32", "c = Less r 0.5", "a = Select c x y", "-> a y")))
                .containsEntry("operand", "tensor");
        assertThat(settings(Written.of("float32[4]", "float32[4]")
                        .map("r = RandomUniform [1] dtype=float32", "c = Less r 0.5", "a = SelectV2 c x y", "-> a y")))
                .containsEntry("stretches", "true");
    }

    @Test
    void typesAreToldInWords() {
        assertThat(step(table().map("a = Cast x DstT=float16", "-> a")).ops().get(0))
                .satisfies(op -> assertThat(op.inputTypes()).containsExactly("float32"))
                .satisfies(op -> assertThat(op.outputTypes()).containsExactly("float16"));
        assertThat(step(pair().map("a = Pack x y", "-> a")).ops().get(0).inputTypes())
                .containsExactly("float32", "float32");
    }
}
