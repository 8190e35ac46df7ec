package io.praline.policy.ordering;

import java.util.Optional;
import java.util.Set;

/** Which steps may make a small difference in what they take a large one in what they give. */
final class Amplifiers {
    /** A small difference in what they take is at most as large, beside the values' range, in what they give. */
    private static final Set<String> SMOOTH = Set.of(
            "Identity",
            "Neg",
            "Abs",
            "Add",
            "AddV2",
            "Sub",
            "Mul",
            "Div",
            "RealDiv",
            "Minimum",
            "Maximum",
            "ClipByValue",
            "Relu",
            "Relu6",
            "Tanh",
            "Sigmoid",
            "Mean",
            "Sum",
            "Reshape",
            "ExpandDims",
            "Squeeze",
            "Pack",
            "Pad",
            "PadV2",
            "MirrorPad");

    /** Cut values off or press them together, so that a difference is larger beside what is left of their range. */
    static final Set<String> NARROWING =
            Set.of("Minimum", "Maximum", "ClipByValue", "Relu", "Relu6", "Tanh", "Sigmoid");

    /** More is not told any more as a little. */
    private static final double MOST_GROWTH = 10;

    private static final Set<String> MEANS = Set.of("Mean", "Sum");

    /** How transformations begin that look at no value; others may decide by them. */
    private static final Set<String> HANDING_ON = Set.of(
            "AnonymousMemoryCache",
            "AssertCardinality",
            "AssertNext",
            "Batch",
            "Cache",
            "Concatenate",
            "FinalizeDataset",
            "MaxIntraOpParallelism",
            "ModelDataset",
            "OptionsDataset",
            "PaddedBatch",
            "ParallelBatch",
            "Prefetch",
            "PrivateThreadPool",
            "RebatchDataset",
            "Repeat",
            "ShardDataset",
            "Shuffle",
            "SkipDataset",
            "TakeDataset",
            "Unbatch",
            "WindowDataset",
            "ZipDataset");

    private Amplifiers() {}

    /**
     * The first of its ops that may make a small difference large, by name.
     *
     * @param growth how often as large a difference is behind it, with all that it passed before
     */
    static Optional<String> of(Step step, Extents.Seen values, double growth) {
        return of(step).or(() -> byAdding(step, values)).or(() -> byNarrowing(step, growth));
    }

    private static Optional<String> of(Step step) {
        if (step.is(StepKind.GEOMETRIC, StepKind.RESAMPLE, StepKind.BATCH)) {
            return Optional.empty();
        }
        if (step.is(StepKind.BARRIER)) {
            return step.ops().stream()
                    .map(StepOp::op)
                    .filter(op -> HANDING_ON.stream().noneMatch(op::startsWith))
                    .findFirst();
        }
        if (!step.is(StepKind.ELEMENTWISE, StepKind.COLOUR, StepKind.REDUCE)) {
            return Optional.of(step.kind().name());
        }
        return step.ops().stream()
                .filter(op -> !isSmooth(op) || (MEANS.contains(op.op()) && !givesAsMany(step)))
                .map(StepOp::op)
                .findFirst();
    }

    /** Means by themselves may be as near to each other as one likes, of whatever they are; values less their mean are not. */
    private static boolean givesAsMany(Step step) {
        return !step.restructures()
                && step.writes().stream().allMatch(component -> step.before()
                        .get(component)
                        .shape()
                        .equals(step.after().get(component).shape()));
    }

    /** The first of its ops that leaves little of the values' range, where all up to it leave so little; by name. */
    private static Optional<String> byNarrowing(Step step, double growth) {
        return growth <= MOST_GROWTH
                ? Optional.empty()
                : step.ops().stream()
                        .map(StepOp::op)
                        .filter(NARROWING::contains)
                        .findFirst();
    }

    /** The first of its ops that adds to values what is so large that few of their digits are left, by name. */
    private static Optional<String> byAdding(Step step, Extents.Seen values) {
        return Extents.near(values)
                ? Optional.empty()
                : step.ops().stream()
                        .map(StepOp::op)
                        .filter(Ops.ADDING::contains)
                        .findFirst();
    }

    private static boolean isSmooth(StepOp op) {
        if (op.op().equals("Cast")) {
            return op.outputTypes().stream().allMatch(ElementType::isFloating);
        }
        boolean ofTwo = Set.of("Mul", "Div", "RealDiv").contains(op.op());
        // near zero a quotient is as large as one likes
        boolean dividesByValues = Ops.DIVIDING.contains(op.op()) && !Ops.dividesValues(op);
        return SMOOTH.contains(op.op())
                && !dividesByValues
                && !(ofTwo && op.setting(StepOp.OPERAND).orElse(StepOp.TENSOR).equals(StepOp.TENSOR));
    }
}
