package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.BYTES;
import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.PICTURE;
import static io.praline.policy.ordering.Steps.RECORD;
import static io.praline.policy.ordering.Steps.SMALL;
import static io.praline.policy.ordering.Steps.batch;
import static io.praline.policy.ordering.Steps.cast;
import static io.praline.policy.ordering.Steps.clip;
import static io.praline.policy.ordering.Steps.crop;
import static io.praline.policy.ordering.Steps.decode;
import static io.praline.policy.ordering.Steps.divide;
import static io.praline.policy.ordering.Steps.filter;
import static io.praline.policy.ordering.Steps.flip;
import static io.praline.policy.ordering.Steps.op;
import static io.praline.policy.ordering.Steps.opaque;
import static io.praline.policy.ordering.Steps.resize;
import static io.praline.policy.ordering.Steps.resizeBy;
import static io.praline.policy.ordering.Steps.rotate;
import static io.praline.policy.ordering.Steps.subtract;
import static io.praline.policy.ordering.Steps.typedOp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.ordering.plan.Blocked;
import io.praline.policy.ordering.plan.Move;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Prediction;
import io.praline.policy.ordering.plan.Proof;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The orders that are found for pipelines as people write them. */
class OrdersTest {
    // 500 x 400 x 3 values of a picture, 224 x 224 x 3 of a small one, by 1 byte or 4
    private static final long BYTE = 600_008;
    private static final long FLOAT = 2_400_008;
    private static final long SMALL_FLOAT = 602_120;
    private static final long SMALL_HALF = 301_064;

    private static Measured classicMistake() {
        return new Measured()
                .then(decode("decode"), 100_008, BYTE, 2000)
                .then(cast("cast", "uint8", "float32"), BYTE, FLOAT, 300)
                .then(subtract("subtract"), FLOAT, FLOAT, 400)
                .then(divide("divide"), FLOAT, FLOAT, 400)
                .then(resize("resize"), FLOAT, SMALL_FLOAT, 600)
                .then(batch("batch", SMALL), 125, SMALL_FLOAT, SMALL_FLOAT, 100);
    }

    // The resize takes bytes and leaves a quarter of what cast, subtract and divide had to work on. Behind the batch
    // these
    // would be a second call.
    @Test
    void whatIsNormalisedBeforeAResizeIsBehindItAfterwards() {
        OrderPlan plan = classicMistake().tolerant();
        assertThat(plan.changed()).containsExactly(List.of("decode", "resize", "cast", "subtract", "divide", "batch"));
        assertThat(plan.proof()).isEqualTo(Proof.TOLERANT);
        assertThat(plan.predictedGain()).isGreaterThan(1.3);
        assertThat(plan.moves())
                .anySatisfy(move -> assertThat(move)
                        .returns("resize", Move::step)
                        .returns("cast", Move::past)
                        .returns("bilinear resize before a cast", Move::rule)
                        .returns(Proof.EXACT, Move::proof))
                .anySatisfy(move -> assertThat(move)
                        .returns("resize", Move::step)
                        .returns("subtract", Move::past)
                        .returns(1e-6, Move::tolerance)
                        .returns(
                                "each works on one and the same component alone; the resize is bilinear, bicubic,"
                                        + " lanczos or antialiased; constants are added, subtracted, multiplied or"
                                        + " divided by, and nothing else is done; values lie at most five times as far"
                                        + " from zero as they spread (bytes over 255, others over 1 as far as is"
                                        + " known), so that few digits are lost; the graph tells sizes of pictures by"
                                        + " which rounding comes to at most 1e-4 of the range; both take and give float32;"
                                        + " operands are scalars, or vectors along a last dimension that stays as it"
                                        + " is; no value is drawn; what is done value by value cannot fail",
                                Move::condition));
    }

    @Test
    void bitForBitItStaysWhereItIsAndSaysWhy() {
        OrderPlan plan = classicMistake().exact();
        assertThat(plan.movesNothing()).isTrue();
        assertThat(plan.after()).isEqualTo(plan.before());
        assertThat(plan.predictedGain()).isEqualTo(1);
        assertThat(plan.reason())
                .isEqualTo("nothing can move, because no order that allowed moves lead to is expected to cost less");
        assertThat(plan.blocked())
                .contains(
                        new Blocked("resize", "subtract", "results may differ by rounding"),
                        new Blocked("resize", "divide", "results may differ by rounding"));
    }

    // a difference of 1e-6 at a whole number is one of 1 behind a cast to integers
    @Test
    void aSmallDifferenceMustNotGrow() {
        Measured whole = new Measured()
                .then(subtract("subtract"), FLOAT, FLOAT, 400)
                .then(resize("resize"), FLOAT, SMALL_FLOAT, 600);
        assertThat(whole.tolerant().changed()).containsExactly(List.of("resize", "subtract"));
        OrderPlan plan = whole.then(
                        cast("to_bytes", "float32", "uint8")
                                .before(SMALL, LABEL)
                                .after(Steps.ofType("uint8", SMALL), LABEL),
                        SMALL_FLOAT,
                        SMALL_FLOAT / 4,
                        50)
                .tolerant();
        assertThat(plan.movesNothing()).isTrue();
        assertThat(plan.blocked())
                .contains(new Blocked(
                        "resize",
                        "subtract",
                        "nothing that follows makes a small difference large, as to_bytes (Cast) does"));
    }

    // float16 has 11 binary digits: neighbours are 2^-10 of their size apart, and values that spread over 1 are as
    // large as 1.485
    @Test
    void aCastToFewDigitsMakesTheToleranceItsOwn() {
        OrderPlan plan = new Measured()
                .then(subtract("subtract"), FLOAT, FLOAT, 400)
                .then(resize("resize"), FLOAT, SMALL_FLOAT, 600)
                .then(
                        cast("half", "float32", "float16")
                                .before(SMALL, LABEL)
                                .after(Steps.ofType("float16", SMALL), LABEL),
                        SMALL_FLOAT,
                        SMALL_HALF,
                        50)
                .tolerant();
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.tolerance()).isEqualTo(2e-3);
    }

    private static Measured resnet() {
        Steps decodeAndCrop = Steps.of(
                        "decode_and_crop",
                        StepKind.DECODE,
                        RECORD,
                        PICTURE,
                        typedOp("DecodeAndCropJpeg", "string", "uint8"))
                .mayFail(true);
        return new Measured()
                .then(decodeAndCrop, 100_008, FLOAT, 2000)
                .then(flip("flip"), FLOAT, FLOAT, 400)
                .then(rotate("rotate"), FLOAT, FLOAT, 3000)
                .then(rotate("shear"), FLOAT, FLOAT, 3000)
                .then(resize("resize"), FLOAT, SMALL_FLOAT, 600)
                .then(subtract("subtract").before(SMALL, LABEL).after(SMALL, LABEL), SMALL_FLOAT, SMALL_FLOAT, 100)
                .then(
                        cast("half", "float32", "float16")
                                .before(SMALL, LABEL)
                                .after(Steps.ofType("float16", SMALL), LABEL),
                        SMALL_FLOAT,
                        SMALL_HALF,
                        200)
                .then(batch("batch", Steps.ofType("float16", SMALL)), 125, SMALL_HALF, SMALL_HALF, 60);
    }

    // factors: resize 0.25, half 0.5 but narrow, all others 1
    @Test
    void theResnetOfPecanIsOrderedAsPublished() {
        OrderPlan plan = resnet().pecan();
        assertThat(plan.changed())
                .containsExactly(
                        List.of("decode_and_crop", "resize", "flip", "rotate", "shear", "subtract", "half", "batch"));
        assertThat(plan.moves())
                .extracting(Move::toString)
                .startsWith("resize moves before shear: as published for Pecan: small first, large last"
                        + " (by leave, results differ)");
        assertThat(plan.moves()).hasSize(3);
        assertThat(plan.predictedGain()).isGreaterThan(1.4);
    }

    @Test
    void onlyByLeaveAResizeMovesBeforeARotation() {
        Measured resnet = resnet();
        assertThat(resnet.tolerant().sections().get(0)).startsWith("decode_and_crop", "flip", "rotate", "shear");
        assertThat(resnet.tolerant().blocked())
                .contains(new Blocked("resize", "rotate", "the user allows it, as by resize>rotate"));
        OrderOptions allowed =
                new OrderOptions(false, List.of(OrderOptions.Leave.parse("resize>rotate")), OrderOptions.Prices.USUAL);
        OrderPlan plan = new TolerantOrder(allowed).plan(resnet.steps(), resnet.measures());
        assertThat(plan.sections().get(0)).startsWith("decode_and_crop", "flip", "resize");
        assertThat(plan.blocked()).contains(new Blocked("resize", "flip", ConstantRows.SIZES));
        assertThat(plan.proof()).isEqualTo(Proof.BY_LEAVE);
    }

    // a filter writes nothing
    @Test
    void byLeaveNothingMovesBeforeAFilterThatReadsIt() {
        OrderOptions allowed =
                new OrderOptions(false, List.of(OrderOptions.Leave.parse("divide>bright")), OrderOptions.Prices.USUAL);
        Measured measured = new Measured()
                .then(filter("bright").reads(0), 500, FLOAT, FLOAT, 20)
                .then(divide("divide"), FLOAT, FLOAT, 400);

        assertThat(new TolerantOrder(allowed)
                        .plan(measured.steps(), measured.measures())
                        .movesNothing())
                .isTrue();
    }

    // cut to 50 and then made 24 is 24 in the end, and the other way round 50; areas of bytes are no areas of float32
    @Test
    void pecanMovesNothingThatNoWorkerCouldCarryOut() {
        TensorSpec cut = TensorSpec.of("float32", 50, 50, 3);
        Steps area = resizeBy("resize", op("ResizeArea"));

        assertThat(new Measured()
                        .then(crop("crop").after(cut, LABEL), FLOAT, FLOAT / 4, 10)
                        .then(resize("resize").before(cut, LABEL), FLOAT / 4, FLOAT / 8, 10)
                        .pecan()
                        .movesNothing())
                .isTrue();
        assertThat(new Measured()
                        .then(cast("cast", "uint8", "float32"), FLOAT / 4, FLOAT, 10)
                        .then(area, FLOAT, SMALL_FLOAT, 10)
                        .pecan()
                        .movesNothing())
                .isTrue();
        assertThat(new Measured()
                        .then(cast("cast", "uint8", "float32"), FLOAT / 4, FLOAT, 10)
                        .then(resize("resize"), FLOAT, SMALL_FLOAT, 10)
                        .pecan()
                        .sections())
                .containsExactly(List.of("resize", "cast"));
    }

    // the narrow cast goes last although it makes elements smaller; two that do change places, as published
    @Test
    void pecanOrdersWithinWhatIsFixed() {
        Steps pinned = divide("keep_position_divide").pinned();
        assertThat(new Measured()
                        .then(cast("half", "float32", "float16"), FLOAT, FLOAT / 2, 10)
                        .then(crop("crop"), FLOAT / 2, SMALL_HALF, 10)
                        .then(pinned, SMALL_HALF, SMALL_HALF, 10)
                        .then(cast("widen", "float16", "float32"), FLOAT / 2, FLOAT, 10)
                        .then(flip("flip"), FLOAT, FLOAT, 10)
                        .then(crop("crop_2"), FLOAT, SMALL_FLOAT, 10)
                        .then(crop("crop_3"), FLOAT, SMALL_FLOAT, 10)
                        .pecan()
                        .sections())
                .containsExactly(List.of("crop", "half"), List.of("crop_3", "crop_2", "flip", "widen"));
    }

    // half of the elements are left out by what they are in front of the division, and by what they are behind it
    @Test
    void pecanMovesNoFilterPastWhatItReads() {
        Measured read = new Measured()
                .then(divide("divide"), FLOAT, FLOAT, 400)
                .then(flip("flip"), FLOAT, FLOAT, 10)
                .then(filter("bright").reads(0), 500, FLOAT, FLOAT, 20)
                .then(flip("flip_2"), FLOAT, FLOAT, 10);
        assertThat(read.pecan().movesNothing()).isTrue();

        Measured unread = new Measured()
                .then(divide("divide"), FLOAT, FLOAT, 400)
                .then(filter("labelled").reads(1), 500, FLOAT, FLOAT, 20);
        assertThat(unread.pecan().sections()).containsExactly(List.of("labelled", "divide"));
    }

    // pieces of a map that decodes, resizes and divides are one transformation for Pecan, and it decodes
    @Test
    void pecanLeavesMapsWhole() {
        OrderPlan plan = new Measured()
                .then(decode("map.1").from("map"), 100_008, BYTE, 2000)
                .then(divide("map.2").from("map"), FLOAT, FLOAT, 400)
                .then(resize("map.3").from("map"), FLOAT, SMALL_FLOAT, 600)
                .pecan();
        assertThat(plan.movesNothing()).isTrue();
        assertThat(plan.reason()).startsWith("nothing can move, because");
    }

    // as lambda x: (x[:-1], x[1:]) does, of one component
    @Test
    void aStepThatMakesMoreOrFewerComponentsIsAWallWhateverItIs() {
        for (StepKind kind : StepKind.values()) {
            Steps two = Steps.of("two", kind, PICTURE, PICTURE, op("StridedSlice", "strides=1,1,1"), op("Cast"))
                    .restructures()
                    .before(PICTURE)
                    .writes(0, 1);
            Steps one = Steps.of(
                            "one", kind, PICTURE, PICTURE, op("Sub", "operand=vector:3"), op("ReverseV2", "axis=1"))
                    .restructures()
                    .reads(0, 1)
                    .after(PICTURE);
            Measured measured = new Measured()
                    .then(two, 1000, 2000, 10)
                    .then(cast("cast", "uint8", "float32"), 1000, 4000, 10)
                    .then(crop("crop"), 4000, 1000, 10)
                    .then(one, 4000, 4000, 10);
            for (OrderPlan plan : List.of(measured.exact(), measured.tolerant(), measured.pecan())) {
                List<String> order =
                        plan.changed().stream().flatMap(List::stream).toList();
                assertThat(order).as("%s", kind).doesNotHaveDuplicates();
                assertThat(plan.moves())
                        .as("%s", kind)
                        .noneMatch(move -> List.of("one", "two").contains(move.step())
                                || List.of("one", "two").contains(move.past()));
            }
        }
    }

    // a vector of one value divides the third component, where in front of the step that makes three of them there are
    // two
    @Test
    void besideAVectorOfOneAStepThatMakesMoreComponentsIsAWallToo() {
        TensorSpec line = TensorSpec.of("float32", 5);
        List<TensorSpec> three = List.of(line, line, line);
        Steps halves = Steps.of("halves", StepKind.GEOMETRIC, line, line, op("StridedSlice", "strides=1"))
                .restructures()
                .after(line, line, line)
                .writes(0, 1, 2);
        StepOp divides = op("RealDiv", "operand=scalar", "operand_at=1", "value=2.0", "stretches=true");
        Steps divide = new Steps(new Step(
                "divide",
                "divide",
                StepKind.ELEMENTWISE,
                List.of(divides),
                false,
                false,
                false,
                false,
                false,
                Steps.set(2),
                Steps.set(2),
                false,
                three,
                three));
        Measured measured = new Measured().then(halves, 1000, 1000, 10).then(divide, 1000, 1000, 10);

        assertThat(measured.exact().moves()).extracting(Move::step).doesNotContain("divide");
        assertThat(measured.tolerant().moves()).extracting(Move::step).doesNotContain("divide");
    }

    // the crop has no third component, along whose last dimension a vector could lie
    @Test
    void aStepOfMoreComponentsThanAnotherMeetsNoMoreThanThereAre() {
        List<TensorSpec> three = List.of(PICTURE, PICTURE, PICTURE);
        Steps subtract = new Steps(new Step(
                "subtract",
                "subtract",
                StepKind.ELEMENTWISE,
                List.of(op("Sub", "operand=vector:3", "largest=0.5")),
                false,
                false,
                false,
                false,
                false,
                Steps.set(0, 2),
                Steps.set(0, 2),
                false,
                three,
                three));
        Steps two = Steps.of("two", StepKind.GEOMETRIC, PICTURE, PICTURE, op("StridedSlice", "strides=1,1,1"))
                .restructures()
                .before(PICTURE, PICTURE, PICTURE);
        Measured measured = new Measured()
                .then(subtract, 3000, 3000, 400)
                .then(two, 3000, 1000, 10)
                .then(crop("crop"), 1000, 100, 10);

        assertThat(measured.exact().movesNothing()).isTrue();
        assertThat(measured.tolerant().movesNothing()).isTrue();
    }

    // 129 numbers: a call of 10 us each for parse, slice and cast, paid once for 256 behind the batch
    @Test
    void smallElementsAreWorkedOnByTheBatch() {
        TensorSpec many = TensorSpec.of("int64", 129);
        TensorSpec some = TensorSpec.of("int64", 128);
        TensorSpec cast = TensorSpec.of("float64", 128);
        Steps parse = Steps.of("parse", StepKind.PARSE, RECORD, many, typedOp("ParseExampleV2", "string", "int64"))
                .restructures()
                .before(RECORD)
                .after(many, LABEL)
                .writes(0, 1)
                .mayFail(true);
        Steps slice = Steps.of(
                "slice", StepKind.GEOMETRIC, many, some, typedOp("StridedSlice", "int64", "int64", "strides=1"));
        Steps wider = Steps.of("wider", StepKind.ELEMENTWISE, some, cast, typedOp("Cast", "int32", "float64"));
        OrderPlan plan = new Measured()
                .then(parse, 1100, 1040, 15)
                .then(slice, 1040, 1032, 11)
                .then(wider, 1032, 1032, 11)
                .then(batch("batch", cast), 4, 1032, 1032, 1)
                .exact();
        assertThat(plan.changed()).containsExactly(List.of("batch", "parse", "slice", "wider"));
        assertThat(plan.moves()).extracting(Move::step).containsOnly("batch");
        assertThat(plan.proof()).isEqualTo(Proof.EXACT);
        assertThat(plan.predictedGain()).isGreaterThan(3);
    }

    @Test
    void aJobThatLeavesOutBadRecordsBatchesWhereTheUserDoes() {
        Measured decoded = new Measured()
                .then(
                        Steps.of(
                                        "decode_raw",
                                        StepKind.DECODE,
                                        RECORD,
                                        TensorSpec.of("uint8", -1),
                                        typedOp("DecodeRaw", "string", "uint8"))
                                .mayFail(true),
                        1024,
                        1024,
                        12)
                .then(batch("batch", TensorSpec.of("uint8", -1)), 1, 1024, 1024, 1);
        assertThat(decoded.exact().changed()).containsExactly(List.of("batch", "decode_raw"));
        OrderOptions skipping = new OrderOptions(true, List.of(), OrderOptions.Prices.USUAL);
        OrderPlan plan = new ExactOrder(skipping).plan(decoded.steps(), decoded.measures());
        assertThat(plan.movesNothing()).isTrue();
        assertThat(plan.blocked())
                .containsExactly(new Blocked(
                        "batch",
                        "decode_raw",
                        "the job leaves out no bad records, which a batch could not tell apart"));
    }

    // half of the elements are left out before 2 ms of decoding
    @Test
    void aFilterMovesBeforeWhatItDoesNotRead() {
        OrderPlan plan = new Measured()
                .then(decode("decode"), 100_008, BYTE, 2000)
                .then(filter("filter").before(BYTES, LABEL).after(BYTES, LABEL), 500, BYTE, BYTE / 2, 20)
                .exact();
        assertThat(plan.changed()).containsExactly(List.of("filter", "decode"));
        assertThat(plan.after().nanosPerElement() - sent(plan.after())).isCloseTo(20_000 + 1_000_000, within(1.0));
    }

    private static double sent(Prediction prediction) {
        return prediction.nanosPerElement()
                - prediction.steps().stream()
                        .mapToDouble(Prediction.StepCost::nanos)
                        .sum();
    }

    // 400 us are 10 of a call, 1.25 of an op and the rest of work on 2,400,008 bytes, of which 2,400,000 are the
    // picture's
    @Test
    void aStepCostsWhatItsBytesDo() {
        OrderPlan plan = classicMistake().tolerant();
        Prediction.StepCost subtract = plan.after().steps().stream()
                .filter(step -> step.name().equals("subtract"))
                .findFirst()
                .orElseThrow();
        assertThat(subtract.nanos()).isCloseTo(1_250 + 388_750.0 * 602_112 / 2_400_000, within(1.0));
        assertThat(subtract.bytesIn()).isEqualTo(SMALL_FLOAT);
    }

    @Test
    void behindTheBatchCostsAreAnElementsShare() {
        TensorSpec pictures = TensorSpec.of("float32", -1, 224, 224, 3);
        TensorSpec labels = TensorSpec.of("int64", -1);
        Prediction whole = new Measured()
                .then(resize("resize"), FLOAT, SMALL_FLOAT, 600)
                .then(batch("batch", SMALL), 125, SMALL_FLOAT, SMALL_FLOAT, 100)
                .then(
                        divide("divide").before(pictures, labels).after(pictures, labels),
                        125,
                        SMALL_FLOAT,
                        SMALL_FLOAT,
                        20)
                .exact()
                .before();
        Prediction.StepCost divide = whole.steps().get(2);
        // 20 us an element were measured, 160 us a batch, 150 of them work
        assertThat(divide.nanos()).isCloseTo(20_000, within(1e-6));
        assertThat(divide.bytesIn()).isEqualTo(SMALL_FLOAT);
        assertThat(divide.bytesOut()).isEqualTo(SMALL_FLOAT);
    }

    @Test
    void whyNothingMovesIsSaid() {
        assertThat(new Measured().exact().reason())
                .isEqualTo("nothing can move, because there is no step between the barriers");
        assertThat(new Measured().then(divide("divide"), 8, 8, 1).exact().reason())
                .isEqualTo("nothing can move, because divide is the only step");
        assertThat(new Measured()
                        .then(opaque("python"), 8, 8, 1)
                        .then(opaque("more"), 8, 8, 1)
                        .exact()
                        .reason())
                .isEqualTo("nothing can move, because what these steps do is not known, or follows from what they"
                        + " did: python, more");
        assertThat(new Measured()
                        .then(divide("divide"), 8, 8, 1)
                        .then(clip("clip"), 8, 8, 1)
                        .exact()
                        .reason())
                .isEqualTo("nothing can move, because no rule lets any step move before another");
    }

    // 16 flips: 12,870 sets of eight, of which 4,096 are gone on with
    @Test
    void ofVeryManyOrdersNotAllAreCompared() {
        Measured many = new Measured();
        for (int i = 0; i < 16; i++) {
            many = many.then(flip("flip_" + i).ops(op("ReverseV2", "axis=" + i % 2)), FLOAT, FLOAT, 100);
        }
        assertThat(many.exact().bounded()).isTrue();
        assertThat(new Measured(many.steps().subList(0, 12), many.measures())
                        .exact()
                        .bounded())
                .isFalse();
        assertThat(many.exact().movesNothing()).isTrue();
    }

    @Test
    void nothingCrossesABarrier() {
        Steps shuffle = Steps.of(
                "shuffle", StepKind.BARRIER, PICTURE, PICTURE, typedOp("ShuffleDatasetV3", "variant", "variant"));
        OrderPlan plan = new Measured()
                .then(divide("divide"), FLOAT, FLOAT, 400)
                .then(shuffle, FLOAT, FLOAT, 1)
                .then(crop("crop"), FLOAT, SMALL_FLOAT, 20)
                .exact();
        assertThat(plan.movesNothing()).isTrue();
        assertThat(plan.sections()).containsExactly(List.of("divide"), List.of("crop"));
        assertThat(IntStream.range(0, 3)
                        .mapToObj(i -> plan.before().steps().get(i).name()))
                .containsExactly("divide", "shuffle", "crop");
    }
}
