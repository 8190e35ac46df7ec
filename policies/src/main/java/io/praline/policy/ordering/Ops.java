package io.praline.policy.ordering;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the rules know of single ops. What is in no set here is not known, and nothing that has it moves by what it does. */
final class Ops {
    /** Pass values on as they are. */
    static final Set<String> PASSING = Set.of("Identity");

    /**
     * Each value by itself, with the same bits however many there are; what is said of types and of what is not a number
     * holds besides: of two of those, and of one of bfloat16, which one comes out hangs on how many are computed at once.
     */
    static final Set<String> SAME_BITS = Set.of(
            "Add",
            "AddV2",
            "Sub",
            "Mul",
            "Div",
            "RealDiv",
            "Neg",
            "Abs",
            "Sqrt",
            "Less",
            "LessEqual",
            "Greater",
            "GreaterEqual",
            "Equal",
            "NotEqual",
            "Select",
            "SelectV2",
            "Cast");

    /** Of these, which choose, compare or convert. */
    private static final Set<String> WITHOUT_ARITHMETIC =
            Set.of("Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual", "Select", "SelectV2", "Cast");

    /** Each value by itself, but computed otherwise in the middle of many than at their end: the sign of a zero, the last bit. */
    static final Set<String> ROUNDED =
            Set.of("Minimum", "Maximum", "ClipByValue", "Exp", "Sigmoid", "Pow", "Log", "Rsqrt", "Tanh");

    private static final Set<String> CHOOSING = Set.of("Minimum", "Maximum", "ClipByValue", "Identity");

    /** Take one value and no operand. */
    private static final Set<String> OF_ONE =
            Set.of("Identity", "Neg", "Abs", "Sqrt", "Cast", "Exp", "Sigmoid", "Log", "Rsqrt", "Tanh");

    /** Commute with any weighted mean, where their operand is a constant. */
    static final Set<String> AFFINE = Set.of("Identity", "Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "Neg");

    static final Set<String> ADDING = Set.of("Add", "AddV2", "Sub");

    static final Set<String> DIVIDING = Set.of("Div", "RealDiv");

    static final String REVERSE = "ReverseV2";
    static final String BILINEAR = "ResizeBilinear";
    static final String AREA = "ResizeArea";
    static final String NEAREST = "ResizeNearestNeighbor";
    static final String BICUBIC = "ResizeBicubic";
    static final String ANTIALIASED = "ScaleAndTranslate";

    /** Each of which resizes. */
    static final Set<String> METHODS = Set.of(BILINEAR, AREA, NEAREST, BICUBIC, ANTIALIASED);

    static final Set<String> PROJECTIVE =
            Set.of("ImageProjectiveTransformV2", "ImageProjectiveTransformV3", "ImageProjectiveTransform");

    /** Whose every output value is an input value of the same picture, at a place that follows from no value. */
    static final Set<String> COPYING = Set.of(REVERSE, "Slice", "StridedSlice", "Transpose", NEAREST);

    private static final Set<String> TAKEN_BY_NEAREST =
            Set.of("int8", "uint8", "int16", "uint16", "int32", "int64", "float16", "bfloat16", "float32", "float64");

    /** The operand of ops that put several tensors together, where one of them is no element's. */
    private static final String TOGETHER = "values";

    /** Which hand values on, each to one place, from one tensor or from several. */
    private static final Set<String> TAKING_APART = Set.of(
            "Slice",
            "StridedSlice",
            REVERSE,
            "Transpose",
            "Split",
            "SplitV",
            "Unpack",
            "Squeeze",
            "ExpandDims",
            "Reshape",
            "Pack",
            "ConcatV2");

    /** Around a copy or a resize: shapes and what is drawn. Values pass them as they are, or do not pass them at all. */
    private static final Set<String> AROUND = Set.of(
            "Identity",
            "ExpandDims",
            "Squeeze",
            "Shape",
            "If",
            "StatelessIf",
            "Select",
            "SelectV2",
            "StatelessRandomGetKeyCounter",
            "StatelessRandomGetAlg");

    /** Arithmetic with sizes and offsets, where all of it is in int32 and the values are not. */
    private static final Set<String> WITH_SIZES = Set.of(
            "Add",
            "AddV2",
            "Sub",
            "Mul",
            "FloorDiv",
            "FloorMod",
            "Maximum",
            "Minimum",
            "Pack",
            "ConcatV2",
            "StridedSlice");

    /** Hang on a condition. */
    private static final Set<String> CHOICES =
            Set.of("If", "StatelessIf", "Case", "StatelessCase", "Select", "SelectV2");

    /** What a setting says of an operand that is another one for another element. */
    private static final Set<String> NOT_CONSTANT = Set.of(StepOp.SHAPE, StepOp.DRAWN);

    private static final Set<String> COMPARING = Set.of("Less", "LessEqual", "Greater", "GreaterEqual");

    private static final Predicate<String> WHOLE =
            Pattern.compile("-?\\d{1,9}(\\.0)?").asMatchPredicate();

    /** Kernels of {@code ScaleAndTranslate} whose weights sum to one up to rounding, as measured. */
    private static final Set<String> KERNELS = Set.of("triangle", "lanczos3", "lanczos5", "keyscubic");

    private Ops() {}

    /** Whether all of its values are computed one by one, and with the same bits wherever they stand. */
    static boolean sameBits(Step step) {
        return !step.ops().isEmpty() && step.all(Ops::sameBits);
    }

    private static boolean sameBits(StepOp op) {
        if (PASSING.contains(op.op())) {
            return true;
        }
        if (widensHalves(op)) {
            return false;
        }
        boolean arithmetic = SAME_BITS.contains(op.op()) && !WITHOUT_ARITHMETIC.contains(op.op());
        return SAME_BITS.contains(op.op())
                && isOfKnownTypes(op)
                && !(arithmetic && (types(op).anyMatch("bfloat16"::equals) || op.may(StepOp.NOT_A_NUMBER)));
    }

    /** Many at once make quiet NaN of signalling ones, and one by itself stays what it is. */
    private static boolean widensHalves(StepOp op) {
        return op.op().equals("Cast")
                && op.inputTypes().contains("float16")
                && op.outputTypes().contains("float32");
    }

    /** Of each element of a batch the same as of the element by itself, whatever components it takes and gives. */
    static boolean isCopyOrSameBits(StepOp op) {
        return sameBits(op)
                || (TAKING_APART.contains(op.op()) && op.setting(TOGETHER).isEmpty());
    }

    /** Numbers, truth values and strings; how the parts of a complex number are computed is another matter. */
    private static boolean isOfKnownTypes(StepOp op) {
        return types(op).allMatch(type -> ElementType.isNumeric(type) || type.equals("string"));
    }

    private static Stream<String> types(StepOp op) {
        return Stream.concat(op.inputTypes().stream(), op.outputTypes().stream());
    }

    /** Whether all of its values are computed one by one, with the same bits or up to rounding. */
    static boolean sameUpToRounding(Step step) {
        return !step.ops().isEmpty()
                && step.all(op -> PASSING.contains(op.op())
                        || ((SAME_BITS.contains(op.op()) || ROUNDED.contains(op.op()))
                                && isOfKnownTypes(op)
                                && !takesRoots(op)));
    }

    /**
     * Of what is just below zero a root is none, or zero where many are computed at once; and zero to the power of what is just
     * below zero is infinite, or one.
     */
    private static boolean takesRoots(StepOp op) {
        if (!op.op().equals("Pow")) {
            return false;
        }
        Optional<String> value = op.setting(StepOp.VALUE);
        return switch (op.setting(StepOp.OPERAND_AT).orElse("")) {
            case "0" -> !(value.map(Double::parseDouble).orElse(0.0) > 0);
            case "1" -> value.filter(WHOLE).isEmpty();
            default -> true;
        };
    }

    static boolean onlyCasts(Step step) {
        return step.has(Set.of("Cast")) && step.hasOnly(Set.of("Cast", "Identity"));
    }

    /** Whether every cast gives the same however it is computed. */
    static boolean castsAlike(Step step) {
        return step.ops().stream()
                .filter(op -> op.op().equals("Cast"))
                .allMatch(op -> op.inputTypes().size() == 1
                        && op.outputTypes().size() == 1
                        && ElementType.castsAlike(
                                op.inputTypes().get(0), op.outputTypes().get(0)));
    }

    /** Whether it adds, subtracts, multiplies or divides by what is the same for every value: a constant divided is no multiple. */
    static boolean onlyAffine(Step step) {
        return step.hasOnly(AFFINE) && step.all(op -> !DIVIDING.contains(op.op()) || dividesValues(op));
    }

    /** Whether the values are divided, and not something else by them. */
    static boolean dividesValues(StepOp op) {
        return op.setting(StepOp.OPERAND_AT).equals(Optional.of("1"));
    }

    /** Whether only copies are made, nothing is interpolated, and no value is written that was not there. */
    static boolean onlyCopies(Step step) {
        return step.has(COPYING) && step.all(op -> COPYING.contains(op.op()) || isAround(step, op));
    }

    /** Whether values may be copied on either side of a step that may give them another type. */
    static boolean copiesTypesOf(Step copying, Step converting) {
        return !copying.has(Set.of(NEAREST))
                || Stream.concat(
                                converting.reads().stream().map(converting.before()::get),
                                converting.writes().stream().map(converting.after()::get))
                        .allMatch(spec -> TAKEN_BY_NEAREST.contains(spec.type()));
    }

    static boolean onlyReverses(Step step) {
        return step.has(Set.of(REVERSE)) && step.all(op -> op.op().equals(REVERSE) || isAround(step, op));
    }

    /** Whether none of its operands follows from how large an element is, as where only pictures on end are turned. */
    static boolean asksForNoSize(Step step) {
        return step.all(op -> !op.settings().containsValue(StepOp.SHAPE)
                && (op.setting(StepOp.CONDITION).isPresent() || !CHOICES.contains(op.op())));
    }

    private static boolean isAround(Step step, StepOp op) {
        return AROUND.contains(op.op())
                || (step.draws() && (COMPARING.contains(op.op()) || isDraw(op)))
                || (WITH_SIZES.contains(op.op()) && ofSizes(step, op));
    }

    private static boolean isDraw(StepOp op) {
        return op.op().startsWith("RandomUniform") || op.op().startsWith("StatelessRandomUniform");
    }

    /** Whether it computes with sizes, and no value passes it. */
    static boolean ofSizes(Step step, StepOp op) {
        return types(op).allMatch(type -> type.equals("int32"))
                && step.reads().stream()
                        .noneMatch(
                                component -> step.before().get(component).type().equals("int32"));
    }

    /** Whether it resizes by this op, and does nothing else to values. */
    static boolean onlyResizes(Step step, Set<String> methods) {
        return step.has(methods) && step.all(op -> methods.contains(op.op()) || isAround(step, op));
    }

    static boolean isBilinear(Step step) {
        return onlyResizes(step, Set.of(BILINEAR));
    }

    /** Weighted means of which it was measured that they commute with what is affine to 1e-6 of the range. */
    static boolean isWeightedMean(Step step) {
        return onlyResizes(step, Set.of(BILINEAR, BICUBIC, ANTIALIASED))
                && step.ops().stream()
                        .filter(op -> op.op().equals(ANTIALIASED))
                        .allMatch(op -> op.setting("kernel_type")
                                        .filter(KERNELS::contains)
                                        .isPresent()
                                && scalesAllOfIt(op));
    }

    /** Whether the picture is not moved, nor scaled by a number of the user's: beside it there are zeros. */
    private static boolean scalesAllOfIt(StepOp op) {
        return op.setting("translation")
                        .filter(moved -> moved.matches("0\\.0(,0\\.0)*"))
                        .isPresent()
                && op.setting("scale")
                        .filter(Set.of(StepOp.CONSTANT, StepOp.SHAPE)::contains)
                        .isPresent();
    }

    /** Whether pixels have their centers in the middle, without which a picture resized is not as its mirror image is. */
    static boolean isSymmetric(Step step) {
        return step.ops().stream()
                .filter(op -> op.op().equals(BILINEAR))
                .allMatch(op -> op.isSet("half_pixel_centers"));
    }

    /** Whether sizes leave it as they came, whatever they are. */
    static boolean keepSizes(Step step) {
        return (step.is(StepKind.ELEMENTWISE) && sameUpToRounding(step) && onlyScalarsOrVectors(step))
                || onlyReverses(step)
                || (step.has(PROJECTIVE) && turnsWhatComes(step));
    }

    /** Whether rotations take their size from what comes: one that was known to who wrote the graph is a constant in it. */
    static boolean turnsWhatComes(Step step) {
        return step.ops().stream().filter(op -> PROJECTIVE.contains(op.op())).allMatch(op -> op.setting("output_shape")
                .equals(Optional.of(StepOp.SHAPE)));
    }

    /** Constant operands of more than one dimension, and those that are not known, have a place that must not change. */
    static boolean onlyScalarsOrVectors(Step step) {
        return operands(step).stream()
                        .allMatch(operand -> operand.equals(StepOp.SCALAR) || operand.startsWith(StepOp.VECTOR))
                && step.all(op -> Collections.disjoint(op.settings().values(), NOT_CONSTANT));
    }

    /** Whether a vector of one value may be among its operands, which makes a vector of a scalar that it meets. */
    static boolean stretches(Step step) {
        return step.ops().stream().anyMatch(op -> op.may(StepOp.STRETCHES));
    }

    /** The smallest of its constants, whatever its sign, where that is known and not zero. */
    static Optional<Double> smallest(StepOp op) {
        return constant(op, StepOp.SMALLEST).filter(smallest -> smallest > 0);
    }

    /** The largest of its constants, whatever its sign, where that is known. */
    static Optional<Double> largest(StepOp op) {
        return constant(op, StepOp.LARGEST);
    }

    /** The lowest of its bounds, where they are written down. */
    static Optional<Double> lowest(StepOp op) {
        return op.setting(StepOp.LOWEST).map(Double::parseDouble);
    }

    /** How far its bounds lie apart, where they are. */
    static Optional<Double> width(StepOp op) {
        return lowest(op)
                .flatMap(lowest -> op.setting(StepOp.HIGHEST).map(highest -> Double.parseDouble(highest) - lowest))
                .filter(width -> width > 0);
    }

    private static Optional<Double> constant(StepOp op, String which) {
        return op.setting(which)
                .or(() -> op.setting(StepOp.VALUE))
                .map(Double::parseDouble)
                .map(Math::abs);
    }

    /** Whether each of its values is rounded, and not only chosen. */
    static boolean rounds(Step step) {
        return !step.hasOnly(CHOOSING);
    }

    static boolean hasVector(Step step) {
        return operands(step).stream().anyMatch(operand -> operand.startsWith(StepOp.VECTOR));
    }

    /** Whether each vector is as long as the last dimension of what it meets, so that it changes no shape. */
    static boolean vectorsLieAlong(Step step, TensorSpec spec) {
        return operands(step).stream()
                .filter(operand -> operand.startsWith(StepOp.VECTOR))
                .allMatch(operand -> spec.lastSize().isPresent()
                        && operand.equals(StepOp.VECTOR + spec.lastSize().getAsLong()));
    }

    private static List<String> operands(Step step) {
        return step.ops().stream()
                .filter(op -> !OF_ONE.contains(op.op()))
                .map(op -> op.setting(StepOp.OPERAND).orElse(StepOp.TENSOR))
                .toList();
    }
}
