package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.RECORD;
import static io.praline.policy.ordering.Steps.batch;
import static io.praline.policy.ordering.Steps.op;
import static io.praline.policy.ordering.Steps.typedOp;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.ordering.OrderOptions.Prices;
import io.praline.policy.ordering.plan.OrderPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is expected of an order beside what was measured: 2026-11-24, 2 cores (x86-64), other builds beside it (load 16). */
class PredictionTest {
    private static final long ELEMENTS = 25_600;
    private static final TensorSpec NUMBERS = TensorSpec.of("int64", 128);
    private static final TensorSpec WHOLE = TensorSpec.of("int64", 129);

    private final List<Step> steps = new ArrayList<>();
    private final List<StepMeasure> measures = new ArrayList<>();

    private void step(Steps step, long elements, long bytesIn, long bytesOut, long nanos) {
        steps.add(step.step());
        measures.add(new StepMeasure(
                step.step().name(), elements, bytesIn * ELEMENTS, bytesOut * ELEMENTS, nanos * ELEMENTS));
    }

    private OrderPlan exact(double callNanos) {
        OrderOptions options = new OrderOptions(false, List.of(), new Prices(callNanos, 0.5));
        return new ExactOrder(options).plan(steps, measures);
    }

    // Examples of 129 int64, parsed, sliced and cast in one map: 12.5 us of each figure are a call, of which one is
    // made
    @Test
    void smallElementsThatAreMadeByTheBatch() {
        step(
                Steps.of("parse", StepKind.PARSE, RECORD, WHOLE, typedOp("ParseExampleV2", "string", "int64"))
                        .mayFail(true)
                        .from("map"),
                ELEMENTS,
                386,
                1_032,
                16_266);
        step(
                Steps.of("slice", StepKind.GEOMETRIC, WHOLE, NUMBERS, typedOp("StridedSlice", "int64", "int64"))
                        .from("map"),
                ELEMENTS,
                1_032,
                1_024,
                13_950);
        step(
                Steps.of(
                                "cast",
                                StepKind.ELEMENTWISE,
                                NUMBERS,
                                Steps.ofType("int32", NUMBERS),
                                typedOp("Cast", "int64", "int32"))
                        .from("map"),
                ELEMENTS,
                1_024,
                512,
                13_884);
        step(batch("batch", Steps.ofType("int32", NUMBERS)), ELEMENTS / 256, 512, 512, 703);

        OrderPlan plan = exact(12_500);

        assertThat(plan.sections()).containsExactly(List.of("batch", "parse", "slice", "cast"));
        assertThat(plan.predictedGain())
                .as("of what was measured: 8.5, of two halves")
                .isBetween(5.0, 12.0);
    }

    // 1 KiB of bytes, decoded by the batch of 1,024
    @Test
    void recordsThatAreDecodedByTheBatch() {
        TensorSpec bytes = TensorSpec.of("uint8", 1024);
        step(
                Steps.of("decode", StepKind.DECODE, RECORD, bytes, typedOp("DecodeRaw", "string", "uint8"))
                        .mayFail(true),
                ELEMENTS,
                1_040,
                1_024,
                18_166);
        step(batch("batch", bytes), ELEMENTS / 1024, 1_024, 1_024, 420);

        assertThat(exact(15_900).predictedGain())
                .as("of what was measured: 13.6")
                .isBetween(9.0, 20.0);
    }

    // a rotation and a shear of pictures of half the size: calls of 50 us are the most that a profile tells
    @Test
    void picturesThatAreResizedFirst() {
        TensorSpec open = TensorSpec.of("float32", -1, -1, 3);
        TensorSpec small = TensorSpec.of("float32", 224, 224, 3);
        step(
                Steps.of("decode", StepKind.DECODE, RECORD, open, typedOp("DecodeJpeg", "string", "float32"))
                        .mayFail(true),
                ELEMENTS,
                69_134,
                1_255_607,
                1_300_000);
        step(Steps.rotate("rotate"), ELEMENTS, 1_255_607, 1_255_607, 11_500_000);
        step(Steps.rotate("shear"), ELEMENTS, 1_255_607, 1_255_607, 7_600_000);
        step(Steps.resize("resize"), ELEMENTS, 1_255_607, 602_112, 250_000);
        step(
                Steps.of("subtract", StepKind.ELEMENTWISE, small, small, op("Sub", "operand=vector:3"))
                        .before(small, LABEL)
                        .after(small, LABEL),
                ELEMENTS,
                602_112,
                602_112,
                450_000);

        OrderPlan plan =
                new PecanOrder(new OrderOptions(false, List.of(), new Prices(50_000, 0.5))).plan(steps, measures);

        assertThat(plan.sections()).containsExactly(List.of("decode", "resize", "rotate", "shear", "subtract"));
        assertThat(plan.predictedGain()).as("of what was measured: 1.67").isBetween(1.5, 2.0);
    }
}
