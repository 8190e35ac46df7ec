package io.praline.worker.graph.ordering.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What a step is called, by its ops; and which of them leave values as they are. */
class StepWordsTest {
    private static String word(String... ops) {
        return StepWords.of(
                Stream.of(ops).map(op -> Protos.node(op, op).build()).toList(), Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "ParseExampleV2, parse",
        "DecodePaddedRaw, decode_raw",
        "DecodeAndCropJpeg, decode",
        "ReadFile, read_file",
        "ScaleAndTranslate, resize",
        "ImageProjectiveTransformV3, transform",
        "MirrorPad, pad",
        "BatchMatMulV2, colour",
        "AdjustContrastv2, contrast",
        "LookupTableFindV2, lookup",
        "StatelessWhile, loop",
        "ReverseV2, flip",
        "Slice, crop",
        "AddV2, add",
        "RealDiv, div",
        "StridedSlice, slice",
        "GatherV2, gather",
        "OneHot, one_hot",
        "ClipByValue, clip",
        "Reshape, reshape",
    })
    void anOpIsSaidInAWord(String op, String word) {
        assertThat(word(op)).isEqualTo(word);
    }

    @Test
    void ofSeveralTheOneThatTellsMostIsSaid() {
        assertThat(word("Mul", "DecodeJpeg", "ResizeBilinear")).isEqualTo("decode");
        assertThat(word("Mul", "AddV2")).isEqualTo("affine");
        assertThat(word("Mul")).isEqualTo("mul");
        assertThat(word("Minimum", "Maximum")).isEqualTo("clip");
        assertThat(word("Mul", "Maximum")).isEqualTo("maximum");
        assertThat(word("Exp", "Reshape")).isEqualTo("exp");
        assertThat(word("Reshape", "Squeeze")).isEqualTo("squeeze");
        assertThat(word()).isEqualTo("rest");
    }

    @Test
    void whatIsCalledTellsToo() {
        FunctionDef.Builder branch = FunctionDef.newBuilder()
                .addNodeDef(Protos.node("turned", "ImageProjectiveTransformV2").build());
        branch.getSignatureBuilder().setName("branch");
        NodeDef choice = Protos.node("choice", "StatelessIf")
                .putAttr("then_branch", Protos.function("branch"))
                .build();
        assertThat(StepWords.of(List.of(choice), Map.of("branch", branch.build())))
                .isEqualTo("transform");
    }

    private static NodeDef slice(String... masks) {
        NodeDef.Builder slice = Protos.node("slice", "StridedSlice");
        Stream.of(masks).forEach(mask -> slice.putAttr(mask, Protos.number(1)));
        return slice.build();
    }

    private static ElementComponent of(long... sizes) {
        return ElementComponent.of(DataType.DT_FLOAT, Protos.shape(sizes));
    }

    // x[None] for any x, and x[0] where there is one only
    @Test
    void aSliceIsNeutralThatAddsTheFirstDimensionOrDropsItsOnlyPlace() {
        assertThat(OpKinds.isNeutral(slice("new_axis_mask"), of(3))).isTrue();
        assertThat(OpKinds.isNeutral(slice("shrink_axis_mask"), of(1, 3))).isTrue();
        assertThat(OpKinds.isNeutral(slice("shrink_axis_mask"), of(3))).isFalse();
        assertThat(OpKinds.isNeutral(slice("shrink_axis_mask"), of())).isFalse();
        assertThat(OpKinds.isNeutral(slice("new_axis_mask", "shrink_axis_mask"), of(1)))
                .isFalse();
        assertThat(OpKinds.isNeutral(slice("new_axis_mask", "begin_mask"), of(1)))
                .isFalse();
        assertThat(OpKinds.isNeutral(slice("new_axis_mask", "end_mask"), of(1))).isFalse();
        assertThat(OpKinds.isNeutral(slice("new_axis_mask", "ellipsis_mask"), of(1)))
                .isFalse();
        assertThat(OpKinds.isNeutral(slice(), of(1))).isFalse();
        assertThat(OpKinds.isNeutral(Protos.node("mul", "Mul").build(), of(1))).isFalse();
        assertThat(OpKinds.isNeutral(Protos.node("same", "EnsureShape").build(), of(3)))
                .isTrue();
    }
}
