package io.praline.policy.ordering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.ordering.OrderOptions.Leave;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of steps, types and leaves, and what is no description. */
class DescriptionTest {

    // digits that a type keeps: uint8 8, int16 15, float16 11, bfloat16 8, float32 24, float64 53
    @ParameterizedTest
    @CsvSource({
        "uint8, float32, true",
        "uint8, bfloat16, true",
        "uint8, int16, true",
        "bool, float16, true",
        "int16, float32, true",
        "float16, float32, true",
        "int32, float64, true",
        "float32, float32, true",
        "int8, uint16, true",
        "uint16, int16, true",
        "int16, float16, false",
        "int32, float32, false",
        "int64, int32, true",
        "int64, float64, false",
        "bfloat16, float16, false",
        "float32, bfloat16, false",
        "float32, uint8, false",
        "float32, int64, false",
        "uint8, bool, false",
        "string, float32, false",
        "uint8, complex64, false"
    })
    void aCastGivesTheSameWhereEveryValueFitsAndOfIntegersTheLowBits(String from, String to, boolean alike) {
        assertThat(ElementType.castsAlike(from, to)).isEqualTo(alike);
    }

    @ParameterizedTest
    @ValueSource(strings = {"resize>rotate", "RESAMPLE > GEOMETRIC", "ResizeBilinear>rotate", "map_3.2:resize>map_1"})
    void aLeaveNamesStepsByWhatTheyAreCalledOrDo(String text) {
        Step resize = Steps.resize("map_3.2:resize").from("map_3").step();
        Step rotate = Steps.rotate("map_1.1:transform").from("map_1").step();
        assertThat(Leave.parse(text).covers(resize, rotate)).isTrue();
        assertThat(Leave.parse(text).covers(rotate, resize)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "map_3.2:resize>map_1, ''",
        "Shear>opaque, ''",
        "rezise>rotate, rezise",
        "resize>map_2, map_2",
    })
    void aLeaveWhoseSideIsNoStepAndNoWordIsToldFromOneThatMerelyHasNothingToMove(String text, String stranger) {
        Step resize = Steps.resize("map_3.2:resize").from("map_3").step();
        Step rotate = Steps.rotate("map_1.1:transform").from("map_1").step();
        assertThat(Leave.parse(text).stranger(List.of(resize, rotate)).orElse(""))
                .isEqualTo(stranger);
    }

    @ParameterizedTest
    @ValueSource(strings = {"resize", "resize>", ">rotate", "a>b>c", ""})
    void aLeaveNamesTwoSides(String text) {
        assertThatThrownBy(() -> Leave.parse(text))
                .hasMessageStartingWith("a leave must name what may move before what, as resize>rotate, is ");
    }

    @Test
    void whatIsNoStepIsRefused() {
        Steps divide = Steps.divide("divide");
        assertThatThrownBy(() -> divide.reads(2)).hasMessage("divide reads components [2], of which there are 2");
        assertThatThrownBy(() -> divide.writes(-1)).hasMessage("divide writes components [-1], of which there are 2");
        assertThatThrownBy(() -> divide.after(Steps.PICTURE))
                .hasMessage("divide keeps its components, so there must be as many after it as before, are 1 and 2");
        assertThatThrownBy(() -> divide.named(" "))
                .hasMessage("a step must have a name and a transformation that it comes from");
        assertThatThrownBy(() -> TensorSpec.of("uint8", -2)).hasMessage("a size must not be below -1, is -2");
        assertThatThrownBy(() -> new StepMeasure("map", 1, 1, 1, -1))
                .hasMessage("a measure must not be negative, that of map is 1 element, 1 byte in, 1 out, -1 ns");
        assertThatThrownBy(() -> new OrderOptions.Prices(-1, 0))
                .hasMessage("prices must not be negative, are -1.0 ns a call and 0.0 ns a byte");
    }

    @Test
    void whatASpecSaysOfSizes() {
        assertThat(TensorSpec.of("float32", 224, 224, 3).values()).hasValue(150_528);
        assertThat(TensorSpec.of("float32").values()).hasValue(1);
        assertThat(TensorSpec.of("float32", -1, 3).values()).isEmpty();
        assertThat(new TensorSpec("float32", Optional.empty()).rank()).isEmpty();
        assertThat(TensorSpec.of("float32", 8, -1, 3).without(1)).isEqualTo(TensorSpec.of("float32", -1, 3));
    }
}
