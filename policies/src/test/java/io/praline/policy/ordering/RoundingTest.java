package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.SMALL;
import static io.praline.policy.ordering.Steps.cast;
import static io.praline.policy.ordering.Steps.divide;
import static io.praline.policy.ordering.Steps.flip;
import static io.praline.policy.ordering.Steps.op;
import static io.praline.policy.ordering.Steps.resize;
import static io.praline.policy.ordering.Steps.resizeBy;
import static io.praline.policy.ordering.Steps.subtract;
import static io.praline.policy.ordering.Steps.typedOp;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.ordering.plan.Proof;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far orders may be apart follows from sizes, and from how far values lie from zero. */
class RoundingTest {
    private static double told(Steps first, Steps second) {
        return new Admissions(List.of(first.step(), second.step()), OrderOptions.USUAL, Set.of(Proof.TOLERANT))
                .move(0, 1)
                .orElseThrow()
                .tolerance();
    }

    // the turned side by 2^-23, and 12 by 2^-24 for means: 0.00006 for 500 pixels, whatever the height; never below
    // 1e-5
    @ParameterizedTest
    @CsvSource({"9, 9, 1e-5", "3000, 77, 1e-5", "3000, 80, 2e-5", "375, 500, 7e-5", "375, 224, 3e-5"})
    void aFlipIsApartByTheSideThatItTurns(long height, long width, double tolerance) {
        assertThat(told(flip("flip"), resize("resize").sized(height, width))).isEqualTo(tolerance);
        assertThat(told(resize("resize").sized(height, width), flip("flip"))).isEqualTo(tolerance);
    }

    // of three dimensions the last but one is the width, and so it is of four; the height may be turned too
    @ParameterizedTest
    @CsvSource({"1, 3e-5", "-2, 3e-5", "0, 2e-5", "-3, 2e-5", "'0,1', 4e-5", "2, 1e-5", "'[1, 2]', 3e-5"})
    void whichSideIsTurnedFollowsFromTheAxis(String axes, double tolerance) {
        Steps flip = flip("flip").ops(op("ReverseV2", "axis=" + axes));

        assertThat(told(flip, resize("resize").sized(100, 200))).isEqualTo(tolerance);
    }

    // two roundings of an op of values as far from zero as they spread are 2, the means 12, of 2^-24 each
    @Test
    void affineOpsAddWhatTheyRound() {
        StepOp divides = op("RealDiv", "operand=scalar", "operand_at=1", "value=255.0");

        assertThat(told(divide("one"), resize("resize"))).isEqualTo(1e-6);
        assertThat(told(divide("four").ops(divides, divides, divides, divides), resize("resize")))
                .isEqualTo(2e-6);
    }

    // 1,024 pixels become 224: a mean of two times five, and one, of each side
    @Test
    void aMeanOfManyIsRoundedMore() {
        Steps antialiased = resizeBy(
                "resize",
                op(
                        "ScaleAndTranslate",
                        "kernel_type=triangle",
                        "antialias=true",
                        "scale=shape",
                        "translation=0.0,0.0"));

        assertThat(told(subtract("sub"), antialiased.sized(1_024, 1_024))).isEqualTo(4e-6);
        assertThat(told(subtract("sub"), antialiased.sized(16_384, 16_384))).isEqualTo(4e-5);
    }

    // bytes spread over 255, and lie up to 1,255 from zero: 5 times 2^-10, and as much again for what is done to them
    // then
    @Test
    void ofFewDigitsMoreAreLostFarFromZero() {
        Steps bytes = cast("bytes", "uint8", "float32");
        Steps far =
                Steps.of("far", StepKind.ELEMENTWISE, SMALL, SMALL, op("AddV2", "operand=scalar", "largest=1000.0"));
        Steps half =
                cast("half", "float32", "float16").before(SMALL, LABEL).after(Steps.ofType("float16", SMALL), LABEL);
        Steps scaled = Steps.of(
                        "scaled",
                        StepKind.ELEMENTWISE,
                        SMALL,
                        SMALL,
                        typedOp("Mul", "float16", "float16", "operand=scalar", "value=3.0"))
                .typed("float16");

        assertThat(told(bytes, subtract("sub"), resize("resize"), half)).isEqualTo(1e-3);
        assertThat(told(bytes, subtract("sub"), resize("resize"), far, half)).isEqualTo(5e-3);
        assertThat(told(bytes, subtract("sub"), resize("resize"), far, half, scaled))
                .isEqualTo(1e-2);
    }

    /** Of the third moving before the second. */
    private static double told(Steps... steps) {
        return new Admissions(Stream.of(steps).map(Steps::step).toList(), OrderOptions.USUAL, Set.of(Proof.TOLERANT))
                .move(1, 2)
                .orElseThrow()
                .tolerance();
    }
}
