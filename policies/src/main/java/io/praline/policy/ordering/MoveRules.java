package io.praline.policy.ordering;

import static io.praline.policy.ordering.StepKind.BARRIER;
import static io.praline.policy.ordering.StepKind.BATCH;
import static io.praline.policy.ordering.StepKind.COLOUR;
import static io.praline.policy.ordering.StepKind.ELEMENTWISE;
import static io.praline.policy.ordering.StepKind.FILTER;
import static io.praline.policy.ordering.StepKind.GEOMETRIC;
import static io.praline.policy.ordering.StepKind.OPAQUE;
import static io.praline.policy.ordering.StepKind.RANDOM;
import static io.praline.policy.ordering.StepKind.RESAMPLE;
import static io.praline.policy.ordering.StepKind.STATEFUL;

import io.praline.policy.ordering.Rule.Condition;
import io.praline.policy.ordering.Rule.Swap;
import io.praline.policy.ordering.plan.Proof;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which of two steps of the same side of the batch may change places. The figures were measured against TensorFlow 2.18; what
 * of the machine matters is only how many values it computes at once, which is why what rounds otherwise at the end of many
 * is never exact.
 */
final class MoveRules {
    /** A weighted mean of float32 values and what is affine. */
    static final double AFFINE_PAST_MEAN = 1e-6;
    /** Areas are summed in another order. */
    static final double AFFINE_PAST_AREA = 1e-4;
    /** Where pixels of a mirror image are taken from is computed from the other side: of short ones; of longer ones it is more. */
    static final double FLIP_PAST_BILINEAR = 1e-5;
    /** Some of the last bits of float32. */
    static final double LAST_BITS = 1e-6;

    private static final Set<String> CASTS_THAT_BILINEAR_MAKES = Set.of("uint8", "int8", "uint16", "int16");

    /** What holds for every move, whatever it is. */
    static final List<Condition> WALLS = List.of(
            new Condition("neither is pinned by keep_position", swap -> !swap.either(Step::keepPosition)),
            new Condition(
                    "what both do is known and follows from the element alone",
                    swap -> !swap.either(step -> step.is(OPAQUE, STATEFUL, BARRIER, BATCH) || step.stateful())),
            new Condition(
                    "neither changes the number or order of components", swap -> !swap.either(Step::restructures)),
            new Condition(
                    "what may fail stays behind the filter that may guard it",
                    swap -> !(swap.first().is(FILTER) && swap.second().mayFail())),
            new Condition(
                    "no size changes from which the other draws",
                    swap -> !drawsFromWhatChanges(swap.first(), swap.second())
                            && !drawsFromWhatChanges(swap.second(), swap.first())));

    private static final Condition ONE_COMPONENT = new Condition(
            "each works on one and the same component alone",
            swap -> swap.both(Step::worksOnOneAlone)
                    && swap.first().writes().equals(swap.second().writes()));

    private static final Condition SAME_RANK =
            new Condition("both keep the number of dimensions", swap -> swap.both(Step::keepsRank));

    private static final Condition FITTING = new Condition(
            "every value fits into what it is cast to, or integers keep their low bits",
            swap -> Ops.castsAlike(swap.the(ELEMENTWISE)));

    private static final Condition OPERANDS = new Condition(
            "operands are scalars, or vectors along a last dimension that stays as it is",
            swap -> operandsKeepTheirPlace(swap.the(ELEMENTWISE), swap.other(swap.the(ELEMENTWISE))));

    private static final Condition DRAWS_NO_VALUES =
            new Condition("no value is drawn", swap -> !swap.the(ELEMENTWISE).draws());

    /** What a copy leaves out it may fail on, and a resize changes what it may check. */
    private static final Condition CANNOT_FAIL =
            new Condition("what is done value by value cannot fail", swap -> !swap.the(ELEMENTWISE)
                    .mayFail());

    private static final Condition FLOAT32 =
            new Condition("both take and give float32", swap -> swap.both(step -> step.isOf("float32")));

    private static final Condition CONSTANT_AFFINE = new Condition(
            "constants are added, subtracted, multiplied or divided by, and nothing else is done",
            swap -> Ops.onlyAffine(swap.the(ELEMENTWISE)));

    private static final Condition NEAR = new Condition(
            "values lie at most five times as far from zero as they spread (bytes over 255, others over 1 as far as is known),"
                    + " so that few digits are lost",
            swap -> Extents.near(swap.values()));

    static final Condition ROUNDED_NEAR = new Condition(
            NEAR.words(),
            swap -> !Ops.rounds(swap.the(ELEMENTWISE)) || NEAR.holds().test(swap));

    private static final Condition SIZES = new Condition(
            "the graph tells sizes of pictures by which rounding comes to at most 1e-4 of the range",
            swap -> Rounding.of(swap).orElse(0) <= Rounding.MOST);

    private static final Condition COPIES = new Condition(
            "values are only copied, and none is written that was not there",
            swap -> Ops.onlyCopies(swap.other(swap.the(ELEMENTWISE))));

    private static final Condition TAKEN = new Condition(
            "a resize to nearest neighbours takes both types",
            swap -> Ops.copiesTypesOf(swap.other(swap.the(ELEMENTWISE)), swap.the(ELEMENTWISE)));

    private static final Condition BILINEAR =
            new Condition("the resize is bilinear without antialias", swap -> Ops.isBilinear(swap.the(RESAMPLE)));

    private static final Condition LEAVE = new Condition(
            "the user allows it, as by resize>rotate", swap -> swap.options().allow(swap.second(), swap.first()));

    private static final Rule DISJOINT = new Rule(
            "different components",
            Proof.EXACT,
            0,
            swap -> !swap.either(step -> step.is(FILTER, BATCH))
                    && Collections.disjoint(swap.first().writes(), swap.second().writes()),
            List.of(
                    new Condition(
                            "the second reads nothing that the first writes",
                            swap -> readsNothingOf(swap.second(), swap.first())),
                    new Condition(
                            "the first reads nothing that the second writes",
                            swap -> readsNothingOf(swap.first(), swap.second()))));

    private static final Rule FILTER_EARLIER = new Rule(
            "a filter moves forward",
            Proof.EXACT,
            0,
            swap -> swap.second().is(FILTER) && !swap.first().is(FILTER, BATCH),
            List.of(new Condition(
                    "the filter reads nothing that the step writes",
                    swap -> readsNothingOf(swap.second(), swap.first()))));

    private static final Rule PAST_FILTER = new Rule(
            "before a filter",
            Proof.EXACT,
            0,
            swap -> swap.first().is(FILTER) && !swap.second().is(BATCH),
            List.of(new Condition(
                    "the filter reads nothing that the step writes",
                    swap -> readsNothingOf(swap.first(), swap.second()))));

    private static final Rule COPIED = new Rule(
            "value by value, and copies",
            Proof.EXACT,
            0,
            MoveRules::elementwiseAndCopies,
            List.of(
                    ONE_COMPONENT,
                    COPIES,
                    new Condition(
                            "each value gives the same bits wherever it stands",
                            swap -> Ops.sameBits(swap.the(ELEMENTWISE))),
                    FITTING,
                    OPERANDS,
                    TAKEN,
                    DRAWS_NO_VALUES,
                    CANNOT_FAIL));

    private static final Rule COPIED_ROUNDED = new Rule(
            "value by value up to rounding, and copies",
            Proof.TOLERANT,
            LAST_BITS,
            MoveRules::elementwiseAndCopies,
            List.of(
                    ONE_COMPONENT,
                    COPIES,
                    new Condition(
                            "each value is computed by itself, by ops of which that is known",
                            swap -> Ops.sameUpToRounding(swap.the(ELEMENTWISE))),
                    ROUNDED_NEAR,
                    FITTING,
                    OPERANDS,
                    TAKEN,
                    DRAWS_NO_VALUES,
                    CANNOT_FAIL));

    private static final Rule TWO_FLIPS = new Rule(
            "two flips",
            Proof.EXACT,
            0,
            swap -> swap.both(step -> step.is(GEOMETRIC)) && swap.meet(),
            List.of(
                    ONE_COMPONENT,
                    SAME_RANK,
                    new Condition("both only turn axes round", swap -> swap.both(Ops::onlyReverses))));

    private static final Rule BILINEAR_PAST_CAST = new Rule(
            "bilinear resize before a cast",
            Proof.EXACT,
            0,
            swap -> swap.second().is(RESAMPLE)
                    && swap.first().is(ELEMENTWISE)
                    && Ops.onlyCasts(swap.first())
                    && swap.meet(),
            List.of(
                    ONE_COMPONENT,
                    BILINEAR,
                    new Condition(
                            "the cast is of integers of 8 or 16 bits to the float32 that the resize computes in",
                            swap -> swap.first().ops().stream()
                                    .filter(op -> op.op().equals("Cast"))
                                    .allMatch(MoveRules::isWhatBilinearDoes)),
                    CANNOT_FAIL));

    private static final Rule AFFINE_AND_MEAN = new Rule(
            "affine, and a resize by weighted means",
            Proof.TOLERANT,
            AFFINE_PAST_MEAN,
            swap -> elementwiseAndResize(swap) && !swap.the(RESAMPLE).has(Set.of(Ops.AREA, Ops.NEAREST)),
            List.of(
                    ONE_COMPONENT,
                    new Condition(
                            "the resize is bilinear, bicubic, lanczos or antialiased",
                            swap -> Ops.isWeightedMean(swap.the(RESAMPLE))),
                    CONSTANT_AFFINE,
                    NEAR,
                    SIZES,
                    FLOAT32,
                    OPERANDS,
                    DRAWS_NO_VALUES,
                    CANNOT_FAIL));

    private static final Rule AFFINE_AND_AREA = new Rule(
            "affine, and a resize by areas",
            Proof.TOLERANT,
            AFFINE_PAST_AREA,
            swap -> elementwiseAndResize(swap) && swap.the(RESAMPLE).has(Set.of(Ops.AREA)),
            List.of(
                    ONE_COMPONENT,
                    new Condition(
                            "the resize does nothing else",
                            swap -> Ops.onlyResizes(swap.the(RESAMPLE), Set.of(Ops.AREA))),
                    CONSTANT_AFFINE,
                    NEAR,
                    SIZES,
                    FLOAT32,
                    OPERANDS,
                    DRAWS_NO_VALUES,
                    CANNOT_FAIL));

    private static final Rule FLIP_AND_BILINEAR = new Rule(
            "a flip, and bilinear resize",
            Proof.TOLERANT,
            FLIP_PAST_BILINEAR,
            swap -> swap.isOf(GEOMETRIC, RESAMPLE) && swap.the(GEOMETRIC).has(Set.of(Ops.REVERSE)) && swap.meet(),
            List.of(
                    ONE_COMPONENT,
                    SAME_RANK,
                    new Condition("the flip only turns axes round", swap -> Ops.onlyReverses(swap.the(GEOMETRIC))),
                    new Condition("no size says whether it turns", swap -> Ops.asksForNoSize(swap.the(GEOMETRIC))),
                    BILINEAR,
                    new Condition(
                            "pixels have their centers in the middle", swap -> Ops.isSymmetric(swap.the(RESAMPLE))),
                    NEAR,
                    SIZES));

    private static final Rule RESIZE_PAST_ROTATION = new Rule(
            "resize before a rotation or shear",
            Proof.BY_LEAVE,
            0,
            swap -> swap.second().is(RESAMPLE)
                    && swap.first().is(GEOMETRIC)
                    && swap.first().has(Ops.PROJECTIVE)
                    && swap.meet(),
            List.of(
                    LEAVE,
                    ONE_COMPONENT,
                    SAME_RANK,
                    FLOAT32,
                    new Condition(
                            "the rotation computes with the sizes that come, and has none built in",
                            swap -> Ops.turnsWhatComes(swap.first()))));

    private static final Rule BY_NAME = new Rule(
            "named by the user",
            Proof.BY_LEAVE,
            0,
            swap -> swap.meet() && LEAVE.holds().test(swap),
            List.of(
                    ONE_COMPONENT,
                    SAME_RANK,
                    new Condition(
                            "each is elementwise, geometric, of colours, random or a resize",
                            swap -> swap.both(step -> step.is(ELEMENTWISE, GEOMETRIC, RESAMPLE, COLOUR, RANDOM))),
                    new Condition("both take and give one and the same type", MoveRules::isOfOneType),
                    new Condition("one of them keeps sizes, whatever they are", swap -> swap.either(Ops::keepSizes)),
                    new Condition(
                            "vectors are as long as the last dimension on either side",
                            swap -> vectorsFit(swap.first(), swap.second())
                                    && vectorsFit(swap.second(), swap.first()))));

    static final List<Rule> ALL = Stream.of(
                    DISJOINT,
                    FILTER_EARLIER,
                    PAST_FILTER,
                    COPIED,
                    COPIED_ROUNDED,
                    TWO_FLIPS,
                    BILINEAR_PAST_CAST,
                    AFFINE_AND_MEAN,
                    AFFINE_AND_AREA,
                    FLIP_AND_BILINEAR,
                    RESIZE_PAST_ROTATION,
                    BY_NAME)
            .map(rule -> rule.and(WALLS))
            .toList();

    private MoveRules() {}

    private static boolean elementwiseAndCopies(Swap swap) {
        return swap.meet()
                && (swap.isOf(ELEMENTWISE, GEOMETRIC)
                        || (swap.isOf(ELEMENTWISE, RESAMPLE)
                                && swap.the(RESAMPLE).has(Set.of(Ops.NEAREST))));
    }

    private static boolean elementwiseAndResize(Swap swap) {
        return swap.isOf(ELEMENTWISE, RESAMPLE) && !Ops.onlyCasts(swap.the(ELEMENTWISE)) && swap.meet();
    }

    private static boolean isOfOneType(Swap swap) {
        return swap.both(step -> !step.restructures())
                && Stream.of(swap.first(), swap.second())
                                .flatMap(step -> Stream.concat(
                                        step.reads().stream().map(step.before()::get),
                                        step.writes().stream().map(step.after()::get)))
                                .map(TensorSpec::type)
                                .distinct()
                                .count()
                        <= 1;
    }

    private static boolean readsNothingOf(Step reader, Step writer) {
        return Collections.disjoint(reader.reads(), writer.writes());
    }

    private static boolean drawsFromWhatChanges(Step drawer, Step changer) {
        return drawer.drawsFromShape() && drawer.reads().stream().anyMatch(changer::mayResize);
    }

    private static boolean operandsKeepTheirPlace(Step elementwise, Step other) {
        return !elementwise.restructures()
                && !other.restructures()
                && hasAll(other, elementwise)
                && Ops.onlyScalarsOrVectors(elementwise)
                && !(Ops.stretches(elementwise) && mayMeetScalar(elementwise, other))
                && (!Ops.hasVector(elementwise)
                        || elementwise.writes().stream()
                                .allMatch(component -> LastAxis.stays(other, component)
                                        && Ops.vectorsLieAlong(
                                                elementwise,
                                                elementwise.before().get(component))));
    }

    /** Whether a step's vectors meet as many values on the other side of a step, whichever these are. */
    private static boolean vectorsFit(Step step, Step other) {
        if (!step.is(ELEMENTWISE)) {
            return true;
        }
        return hasAll(other, step)
                && !(Ops.stretches(step) && mayMeetScalar(step, other))
                && (!Ops.hasVector(step) || step.writes().stream().allMatch(component -> isAsLong(other, component)));
    }

    /** Whether it has all components that a writer gives: of a pair that stands apart one may have fewer. */
    private static boolean hasAll(Step step, Step writer) {
        return writer.writes().isEmpty()
                || writer.writes().last()
                        < Math.min(step.before().size(), step.after().size());
    }

    private static boolean isAsLong(Step step, int component) {
        OptionalLong size = step.before().get(component).lastSize();
        return size.isPresent() && size.equals(step.after().get(component).lastSize());
    }

    private static boolean mayMeetScalar(Step elementwise, Step other) {
        return elementwise.writes().stream()
                .flatMap(component ->
                        Stream.of(other.before().get(component), other.after().get(component)))
                .anyMatch(spec -> spec.rank().orElse(0) == 0);
    }

    private static boolean isWhatBilinearDoes(StepOp cast) {
        return CASTS_THAT_BILINEAR_MAKES.containsAll(cast.inputTypes())
                && cast.outputTypes().equals(List.of("float32"));
    }
}
