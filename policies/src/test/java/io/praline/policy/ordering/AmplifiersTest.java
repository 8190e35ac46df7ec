package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.SMALL;
import static io.praline.policy.ordering.Steps.cast;
import static io.praline.policy.ordering.Steps.op;
import static io.praline.policy.ordering.Steps.resize;
import static io.praline.policy.ordering.Steps.subtract;
import static io.praline.policy.ordering.Steps.typedOp;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.ordering.plan.Blocked;
import io.praline.policy.ordering.plan.OrderPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A resize that is cheaper before a subtraction goes there, unless what follows makes a difference of rounding large. */
class AmplifiersTest {
    private static final long PICTURES = 2_400_008;
    private static final long SMALL_PICTURES = 602_120;

    // both steps cost by their bytes: the subtraction a quarter behind the resize
    private static boolean moves(Steps... behind) {
        return !plan(behind).movesNothing();
    }

    private static OrderPlan plan(Steps... behind) {
        Measured measured = new Measured()
                .then(cast("bytes", "uint8", "float32"), PICTURES / 4, PICTURES, 1)
                .then(subtract("subtract"), PICTURES, PICTURES, 400)
                .then(resize("resize"), PICTURES, SMALL_PICTURES, 600);
        for (Steps step : behind) {
            measured = measured.then(step, SMALL_PICTURES, SMALL_PICTURES, 1);
        }
        return measured.tolerant();
    }

    private static Steps barrier(String op) {
        return Steps.of("barrier", StepKind.BARRIER, SMALL, SMALL, typedOp(op, "variant", "variant"));
    }

    private static Steps adding(String largest) {
        return Steps.of("add", StepKind.ELEMENTWISE, SMALL, SMALL, op("AddV2", "operand=scalar", "largest=" + largest));
    }

    // take_while ends the pipeline where a value passes a bound, a flat_map makes of elements what it likes
    @ParameterizedTest
    @CsvSource({
        "TakeWhileDataset, false",
        "GroupByWindowDataset, false",
        "FlatMapDataset, false",
        "ShuffleDatasetV3, true",
        "PrefetchDataset, true"
    })
    void aBarrierMayDecideByValues(String op, boolean moves) {
        assertThat(moves(barrier(op))).isEqualTo(moves);
    }

    // beside numbers the pictures are the second component, of which a filter takes the sum
    @Test
    void aDifferenceIsFollowedWhereComponentsAreCountedOtherwise() {
        Steps zip = barrier("ZipDataset").before(SMALL, LABEL).after(LABEL, SMALL);
        Steps bright = Steps.filter("bright").before(LABEL, SMALL).after(LABEL, SMALL);

        assertThat(moves(zip)).isTrue();
        assertThat(moves(zip, bright)).isFalse();
    }

    // 1e6 + x is kept to 0.06, whatever x was
    @ParameterizedTest
    @CsvSource({"100.0, true", "1e6, false"})
    void aLargeConstantMakesADifferenceLarge(String largest, boolean moves) {
        assertThat(moves(adding(largest))).isEqualTo(moves);
    }

    // beside 1/255 of a byte 100 is as large as 25,500 beside a byte
    @Test
    void howLargeAConstantIsFollowsFromWhatItIsAddedTo() {
        Steps divide = Steps.divide("divide").before(SMALL, LABEL).after(SMALL, LABEL);

        assertThat(moves(divide, adding("2.0"))).isTrue();
        assertThat(moves(divide, adding("100.0"))).isFalse();
    }

    // of bytes, which spread over 255; what is left of a tenth of them is told, and no less may be left
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "Minimum, largest=255.0, 1e-6",
                "Minimum, largest=100.0, 3e-6",
                "Minimum, largest=10.0, none",
                "Maximum, lowest=0.0, 2e-6",
                "Maximum, lowest=-3.0, 2e-6",
                "Maximum, lowest=250.0, none",
                "ClipByValue, 'lowest=0.0,highest=255.0', 1e-6",
                "ClipByValue, 'lowest=100.0,highest=151.0', 5e-6",
                "ClipByValue, 'lowest=100.0,highest=110.0', none",
                "Relu, largest=0.0, 2e-6",
                "Relu6, largest=6.0, none",
                "Tanh, largest=0.0, none",
                "Sigmoid, largest=0.0, none",
            })
    void whatLeavesLittleOfTheRangeMakesADifferenceLargeBesideIt(String op, String settings, Double tolerance) {
        OrderPlan plan = plan(Steps.of("narrow", StepKind.ELEMENTWISE, SMALL, SMALL, op(op, settings.split(","))));

        assertThat(plan.movesNothing() ? null : plan.tolerance()).isEqualTo(tolerance);
    }

    // from 0 to 1 tanh rises by 0.76
    @Test
    void whatIsLeftFollowsFromHowFarValuesSpread() {
        Steps divide = Steps.divide("divide").before(SMALL, LABEL).after(SMALL, LABEL);
        Steps tanh = Steps.of("tanh", StepKind.ELEMENTWISE, SMALL, SMALL, op("Tanh"));

        assertThat(plan(divide, tanh).tolerance()).isEqualTo(2e-6);
        assertThat(plan(tanh).blocked())
                .contains(new Blocked(
                        "resize",
                        "subtract",
                        "nothing that follows makes a small difference large, as tanh (Tanh) does"));
    }

    // the means of pictures may be as near to each other as one likes, but not what they are taken from
    @Test
    void aMeanByItselfMakesADifferenceLarge() {
        Steps mean = Steps.of("mean", StepKind.REDUCE, SMALL, TensorSpec.of("float32"), op("Mean"));
        Steps centred = Steps.of("centred", StepKind.REDUCE, SMALL, SMALL, op("Mean"), op("Sub"));

        assertThat(moves(mean)).isFalse();
        assertThat(moves(centred)).isTrue();
    }

    // of 1e-7 and 2e-7 the quotients are 1e7 and 5e6
    @ParameterizedTest
    @CsvSource({"1, true", "0, false"})
    void aQuotientMakesADifferenceLargeWhereItDividesByValues(int place, boolean moves) {
        Steps divide = Steps.of(
                "divide", StepKind.ELEMENTWISE, SMALL, SMALL, op("RealDiv", "operand=scalar", "operand_at=" + place));

        assertThat(moves(divide)).isEqualTo(moves);
    }
}
