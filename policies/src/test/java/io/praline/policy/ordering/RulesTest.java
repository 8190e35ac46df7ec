package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.PICTURE;
import static io.praline.policy.ordering.Steps.RECORD;
import static io.praline.policy.ordering.Steps.cast;
import static io.praline.policy.ordering.Steps.clip;
import static io.praline.policy.ordering.Steps.crop;
import static io.praline.policy.ordering.Steps.divide;
import static io.praline.policy.ordering.Steps.filter;
import static io.praline.policy.ordering.Steps.flip;
import static io.praline.policy.ordering.Steps.op;
import static io.praline.policy.ordering.Steps.randomCrop;
import static io.praline.policy.ordering.Steps.resize;
import static io.praline.policy.ordering.Steps.resizeBy;
import static io.praline.policy.ordering.Steps.rotate;
import static io.praline.policy.ordering.Steps.subtract;
import static io.praline.policy.ordering.Steps.typedOp;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.ordering.Rule.Condition;
import io.praline.policy.ordering.Rule.Swap;
import io.praline.policy.ordering.plan.Proof;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule admits a pair, and each of its conditions alone keeps a pair from moving that all others would admit. */
class RulesTest {
    private static final TensorSpec WEIGHT = TensorSpec.of("float32");
    private static final TensorSpec STACK = TensorSpec.of("float32", 1, -1, -1, 3);

    private static final String COPIED = "value by value, and copies";
    private static final String ROUNDED = "value by value up to rounding, and copies";
    private static final String FLIPS = "two flips";
    private static final String PAST_CAST = "bilinear resize before a cast";
    private static final String MEAN = "affine, and a resize by weighted means";
    private static final String AREA = "affine, and a resize by areas";
    private static final String MIRROR = "a flip, and bilinear resize";
    private static final String ROTATION = "resize before a rotation or shear";
    private static final String NAMED = "named by the user";
    private static final String DISJOINT = "different components";
    private static final String FORWARD = "a filter moves forward";
    private static final String BEFORE_FILTER = "before a filter";

    private static final String FAILS = "what is done value by value cannot fail";

    private static Steps ofBoth(Steps step) {
        return step.before(step.step().before().get(0), WEIGHT)
                .after(step.step().after().get(0), WEIGHT)
                .reads(0, 1)
                .writes(0, 1);
    }

    private static Steps label(String name) {
        return Steps.of(name, StepKind.ELEMENTWISE, PICTURE, PICTURE, typedOp("Cast", "int64", "float32"))
                .reads(1)
                .writes(1);
    }

    private static Steps gray(String name) {
        return Steps.of(name, StepKind.ELEMENTWISE, PICTURE, PICTURE, op("Square", "operand=scalar"));
    }

    /** Arithmetic of a type. */
    private static Steps of(String op, String type, String... settings) {
        TensorSpec picture = Steps.ofType(type, PICTURE);
        return Steps.of(op, StepKind.ELEMENTWISE, picture, picture, typedOp(op, type, type, settings));
    }

    private static Steps areas(StepOp... ops) {
        return resizeBy("areas", op("ResizeArea")).ops(ops);
    }

    static Stream<Row> rows() {
        return Stream.of(
                        walls(),
                        moves(),
                        resizes(),
                        byLeave(),
                        ConstantRows.all(),
                        ConstantRows.places(),
                        BatchRows.rows())
                .flatMap(rows -> rows);
    }

    private static Stream<Row> walls() {
        return Stream.of(
                Row.refuses(
                        COPIED,
                        "neither is pinned by keep_position",
                        divide("div").pinned(),
                        crop("crop")),
                Row.refuses(
                        COPIED,
                        "what both do is known and follows from the element alone",
                        divide("div").stateful(true),
                        crop("crop")),
                Row.refuses(
                        DISJOINT,
                        "what both do is known and follows from the element alone",
                        Steps.opaque("python"),
                        label("label")),
                Row.refuses(
                        DISJOINT,
                        "neither changes the number or order of components",
                        divide("div").restructures(),
                        label("label")),
                Row.refuses(
                        BEFORE_FILTER,
                        "what may fail stays behind the filter that may guard it",
                        filter("filter"),
                        divide("div").mayFail(true)),
                Row.refuses(
                        ROTATION,
                        "no size changes from which the other draws",
                        rotate("rotate").draws(true).drawsFromShape(true),
                        resize("resize")));
    }

    private static Stream<Row> moves() {
        String copies = "values are only copied, and none is written that was not there";
        String operands = "operands are scalars, or vectors along a last dimension that stays as it is";
        String bits = "each value gives the same bits wherever it stands";
        String taken = "a resize to nearest neighbours takes both types";
        Steps nearest = resizeBy("nearest", op("ResizeNearestNeighbor"));
        return Stream.of(
                Row.admits(DISJOINT, divide("div"), label("label")),
                Row.refuses(
                        DISJOINT,
                        "the second reads nothing that the first writes",
                        divide("div"),
                        label("label").reads(0, 1)),
                Row.refuses(
                        DISJOINT,
                        "the first reads nothing that the second writes",
                        divide("div").reads(0, 1),
                        label("label")),
                Row.admits(FORWARD, Steps.decode("decode").before(RECORD, LABEL), filter("filter")),
                Row.refuses(
                        FORWARD,
                        "the filter reads nothing that the step writes",
                        divide("div"),
                        filter("filter").reads(0)),
                Row.admits(BEFORE_FILTER, filter("filter"), divide("div")),
                Row.refuses(
                        BEFORE_FILTER,
                        "the filter reads nothing that the step writes",
                        filter("filter").reads(0),
                        divide("div")),
                Row.admits(COPIED, subtract("sub"), crop("crop")),
                Row.admits(COPIED, cast("cast", "uint8", "float32"), flip("flip")),
                Row.admits(COPIED, crop("crop"), divide("div")),
                Row.admits(COPIED, divide("div"), nearest),
                Row.refuses(
                        COPIED,
                        "each works on one and the same component alone",
                        divide("div"),
                        flip("flip").reads(0, 1)),
                Row.refuses(COPIED, copies, divide("div"), rotate("rotate")),
                Row.refuses(COPIED, "each value gives the same bits wherever it stands", clip("clip"), crop("crop")),
                Row.refuses(
                        COPIED,
                        "every value fits into what it is cast to, or integers keep their low bits",
                        cast("cast", "float32", "uint8"),
                        flip("flip")),
                Row.refuses(COPIED, operands, divide("div").ops(op("Mul", "operand=tensor")), crop("crop")),
                Row.refuses(COPIED, operands, divide("div").ops(op("Sub")), crop("crop")),
                Row.refuses(
                        COPIED, operands, divide("div").ops(op("RealDiv", "operand=scalar", "y=shape")), crop("crop")),
                Row.refuses(COPIED, operands, subtract("sub"), crop("crop").ops(op("ReverseV2", "axis=[2]"))),
                Row.refuses(COPIED, operands, subtract("sub"), crop("crop").ops(op("StridedSlice", "strides=1,1,-1"))),
                Row.refuses(COPIED, operands, subtract("sub"), crop("crop").ops(op("ReverseV2", "axis=drawn"))),
                Row.refuses(COPIED, bits, of("Mul", "bfloat16", "operand=scalar"), crop("crop")),
                Row.refuses(COPIED, bits, of("Mul", "complex64", "operand=scalar"), crop("crop")),
                Row.refuses(COPIED, bits, of("AddV2", "float32", "operand=scalar", "not_a_number=true"), crop("crop")),
                Row.refuses(COPIED, bits, of("AddV2", "float32", "operand=scalar", "not_a_number="), crop("crop")),
                Row.admits(COPIED, of("Greater", "bfloat16", "operand=scalar"), crop("crop")),
                Row.refuses(COPIED, taken, cast("cast", "bool", "float32"), nearest),
                Row.refuses(COPIED, taken, nearest, cast("cast", "uint8", "uint32")),
                Row.refuses(COPIED, "no value is drawn", divide("div").draws(true), crop("crop")),
                Row.refuses(COPIED, bits, cast("cast", "float16", "float32"), crop("crop")),
                // it checks how large the picture is, or divides by what the crop leaves out
                Row.refuses(COPIED, FAILS, divide("div").mayFail(true), crop("crop")),
                Row.refuses(COPIED, FAILS, crop("crop"), divide("div").mayFail(true)),
                Row.admits(COPIED, divide("div"), crop("crop").mayFail(true)),
                Row.admits(ROUNDED, clip("clip"), crop("crop")),
                Row.admits(ROUNDED, cast("cast", "float16", "float32"), crop("crop")),
                Row.refuses(ROUNDED, FAILS, clip("clip").mayFail(true), crop("crop")),
                Row.refuses(
                        ROUNDED,
                        "each works on one and the same component alone",
                        clip("clip"),
                        flip("flip").reads(0, 1)),
                Row.refuses(ROUNDED, copies, clip("clip"), rotate("rotate")),
                Row.refuses(
                        ROUNDED,
                        "each value is computed by itself, by ops of which that is known",
                        gray("square"),
                        crop("crop")),
                Row.refuses(
                        ROUNDED,
                        "every value fits into what it is cast to, or integers keep their low bits",
                        cast("cast", "float32", "uint8"),
                        flip("flip")),
                Row.refuses(
                        ROUNDED,
                        operands,
                        clip("clip").ops(op("Pow", "operand=tensor", "operand_at=1", "value=2.0")),
                        crop("crop")),
                Row.refuses(
                        ROUNDED,
                        "each value is computed by itself, by ops of which that is known",
                        of("Mul", "complex64", "operand=scalar"),
                        crop("crop")),
                Row.refuses(ROUNDED, taken, cast("cast", "bool", "float32"), nearest),
                Row.refuses(ROUNDED, "no value is drawn", clip("clip").draws(true), crop("crop")),
                Row.admits(FLIPS, flip("left_right"), flip("up_down").ops(op("ReverseV2", "axis=0"))),
                Row.refuses(
                        FLIPS,
                        "each works on one and the same component alone",
                        flip("flip").reads(0, 1),
                        flip("up_down")),
                Row.refuses(
                        FLIPS,
                        "both keep the number of dimensions",
                        flip("flip").after(STACK, LABEL),
                        flip("up_down")),
                Row.refuses(FLIPS, "both only turn axes round", flip("flip"), randomCrop("crop")));
    }

    private static Stream<Row> resizes() {
        String one = "each works on one and the same component alone";
        String rank = "both keep the number of dimensions";
        String operands = "operands are scalars, or vectors along a last dimension that stays as it is";
        String affine = "constants are added, subtracted, multiplied or divided by, and nothing else is done";
        String bilinear = "the resize is bilinear without antialias";
        Steps cast = cast("cast", "uint8", "float32");
        Steps bytes = resize("resize").before(TensorSpec.of("uint8", 80, 80, 3), LABEL);
        Steps near = resize("resize").sized(80, 80);
        Steps areas = areas(op("ResizeArea"));
        return Stream.of(
                Row.admits(PAST_CAST, cast, resize("resize")),
                Row.refuses(PAST_CAST, one, cast, resize("resize").reads(0, 1)),
                Row.refuses(
                        PAST_CAST, bilinear, cast, resizeBy("anti", op("ScaleAndTranslate", "kernel_type=triangle"))),
                Row.refuses(
                        PAST_CAST,
                        "the cast is of integers of 8 or 16 bits to the float32 that the resize computes in",
                        cast("cast", "int32", "float32"),
                        resize("resize")),
                Row.refuses(
                        PAST_CAST,
                        "the cast is of integers of 8 or 16 bits to the float32 that the resize computes in",
                        cast("cast", "uint8", "float64"),
                        resize("resize")),
                Row.refuses(PAST_CAST, FAILS, cast.mayFail(true), resize("resize")),
                Row.refuses(MEAN, FAILS, subtract("sub").mayFail(true), resize("resize")),
                Row.refuses(AREA, FAILS, subtract("sub").mayFail(true), areas),
                Row.admits(MEAN, subtract("sub"), resize("resize")),
                Row.admits(MEAN, resize("resize"), divide("div")),
                Row.admits(
                        MEAN,
                        divide("div"),
                        ConstantRows.scaled("kernel_type=lanczos3", "scale=shape", "translation=0.0,0.0")
                                .sized(300, 400)),
                Row.refuses(MEAN, one, ofBoth(divide("div")), resize("resize")),
                Row.refuses(
                        MEAN,
                        "the resize is bilinear, bicubic, lanczos or antialiased",
                        divide("div"),
                        ConstantRows.scaled("kernel_type=gaussian", "scale=shape", "translation=0.0,0.0")
                                .sized(300, 400)),
                Row.refuses(MEAN, affine, clip("clip"), resize("resize")),
                Row.refuses(MEAN, "both take and give float32", bytes, divide("div")),
                Row.refuses(MEAN, operands, divide("div").ops(op("Mul", "operand=tensor")), resize("resize")),
                Row.refuses(MEAN, "no value is drawn", divide("div").draws(true), resize("resize")),
                Row.admits(AREA, subtract("sub"), areas),
                Row.refuses(AREA, one, ofBoth(divide("div")), areas),
                Row.refuses(AREA, "the resize does nothing else", divide("div"), areas(op("ResizeArea"), op("Round"))),
                Row.refuses(AREA, affine, clip("clip"), areas),
                Row.refuses(AREA, "both take and give float32", areas.before(Steps.BYTES, LABEL), divide("div")),
                Row.refuses(AREA, operands, divide("div").ops(op("Mul", "operand=tensor")), areas),
                Row.refuses(AREA, "no value is drawn", divide("div").draws(true), areas),
                Row.admits(MIRROR, flip("flip"), near),
                Row.admits(MIRROR, bytes, flip("flip")),
                Row.refuses(MIRROR, one, flip("flip").reads(0, 1), near),
                Row.refuses(MIRROR, rank, flip("flip").after(STACK, LABEL), near),
                Row.refuses(
                        MIRROR,
                        "the flip only turns axes round",
                        flip("flip").ops(op("ReverseV2", "axis=1"), op("PadV2")),
                        near),
                // of pictures that are higher than wide, which none is behind a resize to a square
                Row.refuses(
                        MIRROR,
                        "no size says whether it turns",
                        flip("flip").ops(op("ReverseV2", "axis=1"), op("SelectV2", "condition=shape")),
                        near),
                Row.refuses(
                        MIRROR,
                        bilinear,
                        flip("flip"),
                        resizeBy("cubic", op("ResizeBicubic")).sized(80, 80)),
                Row.refuses(
                        MIRROR,
                        "pixels have their centers in the middle",
                        flip("flip"),
                        resizeBy("corners", op("ResizeBilinear", "half_pixel_centers=false"))
                                .sized(80, 80)));
    }

    private static Stream<Row> byLeave() {
        String one = "each works on one and the same component alone";
        String rank = "both keep the number of dimensions";
        return Stream.of(
                Row.admits(ROTATION, rotate("rotate"), resize("resize")),
                Row.refuses(ROTATION, "the user allows it, as by resize>rotate", rotate("rotate"), resize("resize"))
                        .with(OrderOptions.USUAL),
                Row.refuses(ROTATION, one, ofBoth(rotate("rotate")), resize("resize")),
                Row.refuses(ROTATION, rank, rotate("rotate").after(STACK, LABEL), resize("resize")),
                Row.refuses(
                        ROTATION,
                        "both take and give float32",
                        rotate("rotate").typed("uint8"),
                        resize("resize").before(Steps.BYTES, LABEL)),
                Row.refuses(
                        ROTATION,
                        "the rotation computes with the sizes that come, and has none built in",
                        rotate("rotate").ops(op("ImageProjectiveTransformV3", "output_shape=[64, 64]")),
                        resize("resize")),
                Row.admits(NAMED, rotate("rotate"), flip("flip")),
                Row.refuses(NAMED, one, ofBoth(rotate("rotate")), flip("flip")),
                Row.refuses(NAMED, rank, rotate("rotate").after(STACK, LABEL), flip("flip")),
                Row.refuses(
                        NAMED,
                        "each is elementwise, geometric, of colours, random or a resize",
                        rotate("rotate").kind(StepKind.REDUCE),
                        flip("flip")),
                Row.refuses(
                        NAMED,
                        "both take and give one and the same type",
                        rotate("rotate").typed("uint8"),
                        flip("flip")),
                Row.refuses(NAMED, "one of them keeps sizes, whatever they are", crop("crop"), resize("resize")),
                // a vector of three beside one channel of three
                Row.refuses(
                        NAMED,
                        "vectors are as long as the last dimension on either side",
                        subtract("sub"),
                        crop("crop").after(TensorSpec.of("float32", 224, 224, 1), LABEL)));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aRuleAsksForEachOfItsConditions(Row row) {
        List<String> failed = row.asked().of(row.swap()).orElseThrow().failed().stream()
                .map(Condition::words)
                .toList();
        assertThat(failed).isEqualTo(row.failing().isEmpty() ? List.of() : List.of(row.failing()));
    }

    // what a row's only failing condition is worth: without it the rule would let the pair move
    @ParameterizedTest
    @MethodSource("rows")
    void withoutTheConditionThePairWouldMove(Row row) {
        Rule whole = row.asked();
        Rule without = new Rule(
                whole.name(),
                whole.proof(),
                whole.tolerance(),
                whole.about(),
                whole.conditions().stream()
                        .filter(condition -> !condition.words().equals(row.failing()))
                        .toList());
        assertThat(without.of(row.swap()).orElseThrow().admits()).isTrue();
    }

    // as where a worker does not know of it; TensorFlow's attributes have its defaults where they are not there
    @ParameterizedTest
    @MethodSource("rows")
    void whatIsNotToldAdmitsNoPairThatIsRefused(Row row) {
        Rule rule = row.asked();
        if (rule.of(row.swap()).orElseThrow().admits()) {
            return;
        }
        for (String key : StepOp.KEYS) {
            Swap silent =
                    Row.swap(row.before(), with(key, "", row.first()), with(key, "", row.second()), row.options());
            assertThat(rule.of(silent).filter(Rule.Ruling::admits)).as(key).isEmpty();
        }
    }

    /** Where each of its ops tells this; nothing of it where the value is empty. */
    private static Step with(String key, String value, Step step) {
        StepOp[] ops = step.ops().stream()
                .map(op -> {
                    SortedMap<String, String> settings = new TreeMap<>(op.settings());
                    settings.put(key, value);
                    settings.values().remove("");
                    return new StepOp(op.op(), op.inputTypes(), op.outputTypes(), settings);
                })
                .toArray(StepOp[]::new);
        return new Steps(step).ops(ops).step();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aFlagThatIsNotToldIsTakenToHold(Row row) {
        for (String flag : StepOp.FLAGS) {
            assertThat(ruling(row, with(flag, "", row.first()), with(flag, "", row.second())))
                    .as(flag)
                    .isEqualTo(ruling(row, with(flag, "true", row.first()), with(flag, "true", row.second())));
        }
    }

    private static List<String> ruling(Row row, Step first, Step second) {
        return row.asked().of(Row.swap(row.before(), first, second, row.options())).orElseThrow().failed().stream()
                .map(Condition::words)
                .toList();
    }

    @Test
    void noRuleAndNoConditionIsLeftOut() {
        Set<String> walls = new HashSet<>();
        Set<String> asked = new HashSet<>();
        MoveRules.WALLS.forEach(wall -> walls.add(wall.words()));
        BatchRules.WALLS.forEach(wall -> walls.add(wall.words()));
        Row.rules().forEach(rule -> {
            asked.add(rule.name());
            rule.conditions().stream()
                    .map(Condition::words)
                    .filter(words -> !walls.contains(words))
                    .forEach(words -> asked.add(rule.name() + ": " + words));
        });
        walls.forEach(wall -> asked.add("wall: " + wall));
        Set<String> shown = new HashSet<>();
        rows().forEach(row -> shown.add(
                row.failing().isEmpty()
                        ? row.rule()
                        : (walls.contains(row.failing()) ? "wall" : row.rule()) + ": " + row.failing()));
        assertThat(shown).containsExactlyInAnyOrderElementsOf(asked);
    }

    @Test
    void whatRoundsSaysByHowMuch() {
        assertThat(Row.rules()
                        .filter(rule -> rule.proof() == Proof.TOLERANT)
                        .collect(Collectors.toMap(Rule::name, Rule::tolerance)))
                .isEqualTo(
                        Map.of(ROUNDED, 1e-6, MEAN, 1e-6, AREA, 1e-4, MIRROR, 1e-5, BatchRows.POINTWISE_ROUNDED, 1e-6));
        assertThat(Row.rules().filter(rule -> rule.proof() != Proof.TOLERANT))
                .allSatisfy(rule -> assertThat(rule.tolerance()).isZero());
    }

    @Test
    void whatIsNotKnownDoesNotMove() {
        Step unknown = Steps.opaque("python").step();
        for (Steps other : List.of(divide("div"), flip("flip"), resize("resize"), crop("crop"), label("label"))) {
            assertThat(admitted(unknown, other.step())).isEmpty();
            assertThat(admitted(other.step(), unknown)).isEmpty();
        }
    }

    // a clip before a resize bounds other values than one behind it; a crop before a flip shows another part
    @Test
    void whatChangesResultsIsNoRules() {
        assertThat(admitted(clip("clip").step(), resize("resize").step())).isEmpty();
        assertThat(admitted(flip("flip").step(), randomCrop("crop").step())).isEmpty();
        assertThat(admitted(flip("flip").step(), crop("crop").step())).isEmpty();
        assertThat(admitted(rotate("rotate").step(), flip("flip").step())).isEmpty();
        assertThat(admitted(divide("div").step(), subtract("sub").step())).isEmpty();
        Step wider = cast("cast", "float32", "float64").step();
        assertThat(admitted(divide("div").step(), wider)).isEmpty();
        assertThat(admitted(crop("crop").step(), resize("resize").step())).isEmpty();
    }

    private static List<String> admitted(Step first, Step second) {
        Swap swap = Row.swap(List.of(), first, second, OrderOptions.USUAL);
        return Row.rules()
                .flatMap(rule -> rule.of(swap).stream())
                .filter(Rule.Ruling::admits)
                .map(ruling -> ruling.rule().name())
                .toList();
    }
}
