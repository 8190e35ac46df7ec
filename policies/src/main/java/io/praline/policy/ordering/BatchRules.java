package io.praline.policy.ordering;

import static io.praline.policy.ordering.StepKind.BARRIER;
import static io.praline.policy.ordering.StepKind.BATCH;
import static io.praline.policy.ordering.StepKind.DECODE;
import static io.praline.policy.ordering.StepKind.ELEMENTWISE;
import static io.praline.policy.ordering.StepKind.GEOMETRIC;
import static io.praline.policy.ordering.StepKind.OPAQUE;
import static io.praline.policy.ordering.StepKind.PARSE;
import static io.praline.policy.ordering.StepKind.STATEFUL;

import io.praline.policy.ordering.Rule.Condition;
import io.praline.policy.ordering.Rule.Swap;
import io.praline.policy.ordering.plan.Proof;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which steps give the same on a batch as element by element: the batch is the second of the pair, and moves before the step.
 * A last batch that is not full changes nothing. Elements of other sizes than their neighbours' fail in the user's own order
 * as well, where nothing between the step and the batch changes sizes.
 */
final class BatchRules {
    private static final Set<String> PLAIN =
            Set.of("BatchDataset", "BatchDatasetV2", "ParallelBatchDataset", "ParallelBatch");

    private static final Set<String> CHOOSING = Set.of("If", "StatelessIf", "Case", "StatelessCase");

    private static final Set<String> SHAPING = Set.of("Reshape", "ExpandDims", "Squeeze");

    private static final Set<String> KEEPING_ORDER = Set.of("Reshape", "ExpandDims", "Squeeze", "Identity");

    static final List<Condition> WALLS = List.of(
            new Condition("neither is pinned by keep_position", swap -> !swap.either(Step::keepPosition)),
            of(
                    "what it does is known and follows from the element alone",
                    step -> !step.is(OPAQUE, STATEFUL, BARRIER, BATCH) && !step.stateful()),
            of("nothing is drawn", step -> !step.draws()),
            of(
                    "each op can be made one of batches, as it is used",
                    // of what tells of no op nobody knows: an older worker had no place to say so of what does nothing
                    step -> !step.ops().isEmpty() && step.all(op -> !op.may(StepOp.SINGLE_ELEMENTS))),
            new Condition(
                    "the job leaves out no bad records, which a batch could not tell apart",
                    swap -> !swap.options().skipsBadRecords()),
            new Condition("the batch pads nothing", BatchRules::padsNothing));

    private static final Condition ONE_COMPONENT = of("it works on one component alone", Step::worksOnOneAlone);

    private static final Condition CANNOT_FAIL = of("it cannot fail", step -> !step.mayFail());

    private static final Condition FITTING =
            of("every value fits into what it is cast to, or integers keep their low bits", Ops::castsAlike);

    private static final Condition ALIGNED = of(
            "operands are scalars, or vectors as long as the last dimension",
            step -> !step.restructures()
                    && Ops.onlyScalarsOrVectors(step)
                    && step.writes().stream()
                            .allMatch(component ->
                                    Ops.vectorsLieAlong(step, step.before().get(component))));

    private static final Rule POINTWISE = new Rule(
            "value by value on a batch",
            Proof.EXACT,
            0,
            swap -> swap.first().is(ELEMENTWISE),
            List.of(
                    of("each value gives the same bits wherever it stands", Ops::sameBits),
                    FITTING,
                    ALIGNED,
                    ONE_COMPONENT,
                    CANNOT_FAIL));

    private static final Rule POINTWISE_ROUNDED = new Rule(
            "value by value on a batch, up to rounding",
            Proof.TOLERANT,
            MoveRules.LAST_BITS,
            swap -> swap.first().is(ELEMENTWISE),
            List.of(
                    of("each value is computed by itself, by ops of which that is known", Ops::sameUpToRounding),
                    MoveRules.ROUNDED_NEAR,
                    FITTING,
                    ALIGNED,
                    ONE_COMPONENT,
                    CANNOT_FAIL));

    private static final Rule COPYING = new Rule(
            "copies on a batch",
            Proof.EXACT,
            0,
            swap -> swap.first().is(GEOMETRIC),
            List.of(
                    of("values are only copied, and none is written that was not there", Ops::onlyCopies),
                    of("none of several functions is chosen", step -> !step.has(CHOOSING)),
                    of(
                            "the graph says how large elements are",
                            step -> all(step.reads(), step.before(), TensorSpec::isStatic)),
                    ONE_COMPONENT,
                    CANNOT_FAIL));

    private static final Rule RESHAPING = new Rule(
            "reshaped by the batch",
            Proof.EXACT,
            0,
            swap -> swap.first().is(GEOMETRIC)
                    && !swap.first().restructures()
                    && swap.first().has(SHAPING),
            List.of(
                    of("values keep their order", step -> step.hasOnly(KEEPING_ORDER)),
                    of(
                            "the graph says how large elements are in front of it and behind it",
                            step -> all(step.reads(), step.before(), TensorSpec::isStatic)
                                    && all(step.writes(), step.after(), TensorSpec::isStatic)),
                    ONE_COMPONENT,
                    CANNOT_FAIL));

    private static final Rule COMPONENTS = new Rule(
            "components made by the batch",
            Proof.EXACT,
            0,
            swap -> swap.first().is(ELEMENTWISE, GEOMETRIC)
                    && (swap.first().restructures() || swap.first().writes().isEmpty()),
            List.of(
                    of(
                            "values are copied, or each gives the same bits wherever it stands",
                            step -> step.all(Ops::isCopyOrSameBits)),
                    FITTING,
                    of(
                            "the graph says how large elements are",
                            step -> step.before().stream().allMatch(TensorSpec::isStatic)
                                    && step.after().stream().allMatch(TensorSpec::isStatic)),
                    CANNOT_FAIL));

    private static final Rule PARSING = new Rule(
            "records parsed by the batch",
            Proof.EXACT,
            0,
            swap -> swap.first().is(PARSE),
            List.of(
                    of(
                            "ParseExampleV2 parses",
                            step -> step.has(Set.of("ParseExampleV2"))
                                    && step.hasOnly(Set.of("ParseExampleV2", "Identity"))),
                    of("records come one by one", step -> all(step.reads(), step.before(), spec -> isScalar(spec))),
                    of(
                            "every field has a size in the graph",
                            step -> all(step.writes(), step.after(), TensorSpec::isStatic))));

    private static final Rule DECODING = new Rule(
            "bytes decoded by the batch",
            Proof.EXACT,
            0,
            swap -> swap.first().is(DECODE),
            List.of(
                    of(
                            "DecodeRaw decodes",
                            step -> step.has(Set.of("DecodeRaw"))
                                    && step.hasOnly(Set.of("DecodeRaw", "Reshape", "Identity"))),
                    // of others the batch would not fail, but put together what belongs to several elements
                    of(
                            "what is reshaped has a size in the graph",
                            step -> !step.has(Set.of("Reshape"))
                                    || all(step.writes(), step.after(), TensorSpec::isStatic)),
                    of("records come one by one", step -> all(step.reads(), step.before(), spec -> isScalar(spec))),
                    ONE_COMPONENT));

    static final List<Rule> ALL = Stream.of(
                    POINTWISE, POINTWISE_ROUNDED, COPYING, RESHAPING, COMPONENTS, PARSING, DECODING)
            .map(rule -> new Rule(
                            rule.name(),
                            rule.proof(),
                            rule.tolerance(),
                            swap -> swap.second().is(BATCH) && rule.about().test(swap),
                            rule.conditions())
                    .and(WALLS))
            .toList();

    private BatchRules() {}

    private static Condition of(String words, Predicate<Step> holds) {
        return new Condition(words, swap -> holds.test(swap.first()));
    }

    private static boolean all(Set<Integer> components, List<TensorSpec> specs, Predicate<TensorSpec> holds) {
        return components.stream().map(specs::get).allMatch(holds);
    }

    private static boolean isScalar(TensorSpec spec) {
        return spec.rank().isPresent() && spec.rank().getAsInt() == 0;
    }

    /** A padded batch pads nothing where the graph says that every element is as large as what it is padded to. */
    private static boolean padsNothing(Swap swap) {
        Step batch = swap.second();
        if (!batch.ops().isEmpty() && batch.hasOnly(PLAIN)) {
            return true;
        }
        return !batch.before().isEmpty()
                && batch.before().size() == batch.after().size()
                && IntStream.range(0, batch.before().size())
                        .allMatch(component -> isStacked(
                                batch.before().get(component), batch.after().get(component)))
                && changed(swap.first()).allMatch(TensorSpec::isStatic);
    }

    /** What it takes to give something else for it; where it makes more or fewer components of them, all that come. */
    private static Stream<TensorSpec> changed(Step step) {
        return step.restructures()
                ? step.before().stream()
                : step.writes().stream().map(step.before()::get);
    }

    private static boolean isStacked(TensorSpec element, TensorSpec batch) {
        return element.isStatic()
                && batch.shape()
                        .filter(sizes -> sizes.size() == element.rank().getAsInt() + 1
                                && sizes.subList(1, sizes.size())
                                        .equals(element.shape().orElseThrow()))
                        .isPresent();
    }
}
