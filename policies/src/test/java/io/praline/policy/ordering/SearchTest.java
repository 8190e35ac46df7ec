package io.praline.policy.ordering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.ordering.CostModel.Element;
import io.praline.policy.ordering.plan.Move;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Proof;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.data.Offset;

/** What holds of every order that is found, whatever the pipeline. */
class SearchTest {
    private static final Set<Proof> ALL = Set.of(Proof.values());

    private static Steps any(int kind, String name) {
        return switch (kind) {
            case 0 -> Steps.cast(name, "uint8", "float32");
            case 1 -> Steps.subtract(name);
            case 2 -> Steps.divide(name);
            case 3 -> Steps.clip(name);
            case 4 -> Steps.flip(name);
            case 5 -> Steps.crop(name);
            case 6 -> Steps.randomCrop(name);
            case 7 -> Steps.rotate(name);
            case 8 -> Steps.resize(name);
            case 9 -> Steps.filter(name);
            case 10 -> Steps.opaque(name);
            case 11 -> Steps.divide(name).pinned();
            case 12 -> Steps.cast(name, "float32", "float16");
            case 13 -> Steps.of(name, StepKind.BARRIER, Steps.PICTURE, Steps.PICTURE);
            case 14 -> Steps.subtract(name).mayFail(true);
            case 15 -> Steps.divide(name).reads(1).writes(1);
            case 16 -> Steps.batch(name, Steps.SMALL);
            case 17 -> Steps.flip(name).ops(Steps.op("ReverseV2", "axis=0"));
            case 18 -> small(Steps.subtract(name));
            case 19 -> small(Steps.clip(name));
            default -> small(Steps.crop(name));
        };
    }

    /** On elements that can be put together. */
    private static Steps small(Steps step) {
        TensorSpec few = TensorSpec.of("float32", 3);
        return step.before(few, Steps.LABEL).after(few, Steps.LABEL);
    }

    @Provide
    Arbitrary<Measured> pipelines() {
        return pipelines(10);
    }

    @Provide
    Arbitrary<Measured> few() {
        return pipelines(6);
    }

    private static Arbitrary<Measured> pipelines(int longest) {
        Arbitrary<int[]> step = Combinators.combine(
                        Arbitraries.integers().between(0, 20),
                        Arbitraries.integers().between(1, 3_000_000),
                        Arbitraries.integers().between(1, 3_000_000),
                        Arbitraries.integers().between(0, 2000),
                        Arbitraries.integers().between(1, 1000))
                .as((kind, in, out, micros, elements) -> new int[] {kind, in, out, micros, elements});
        return step.list().ofMinSize(0).ofMaxSize(longest).map(drawn -> {
            Measured measured = new Measured();
            for (int i = 0; i < drawn.size(); i++) {
                int[] one = drawn.get(i);
                Steps made = any(one[0], "step_" + i);
                boolean counts = made.step().is(StepKind.FILTER, StepKind.BATCH);
                measured = measured.then(made, counts ? one[4] : Measured.ELEMENTS, one[1], one[2], one[3]);
            }
            return measured;
        });
    }

    @Property(tries = 300)
    void movesLeadFromTheUsersOrderToTheOneFound(@ForAll("pipelines") Measured measured) {
        replay(measured, measured.exact(), Set.of(Proof.EXACT));
        replay(measured, measured.tolerant(), Set.of(Proof.EXACT, Proof.TOLERANT));
    }

    private static void replay(Measured measured, OrderPlan plan, Set<Proof> proofs) {
        Admissions admissions = new Admissions(measured.steps(), OrderOptions.USUAL, proofs);
        List<String> usual = measured.steps().stream().map(Step::name).toList();
        List<String> now = new ArrayList<>(usual);
        for (Move move : plan.moves()) {
            if (move.step().startsWith("early batch of ")) {
                int size = Integer.parseInt(move.step().substring("early batch of ".length()));
                assertThat(admissions.early(usual.indexOf(move.past()), size)).contains(move);
                continue;
            }
            int at = now.indexOf(move.step());
            assertThat(now.get(at - 1)).isEqualTo(move.past());
            assertThat(admissions.move(usual.indexOf(move.past()), usual.indexOf(move.step())))
                    .contains(move);
            now.add(at - 1, now.remove(at));
        }
        assertThat(now).isEqualTo(whole(measured, plan));
    }

    /** All steps in the order of a plan, with what stands between sections where it stood. */
    private static List<String> whole(Measured measured, OrderPlan plan) {
        List<String> whole = new ArrayList<>();
        Deque<String> sections = new ArrayDeque<>();
        plan.sections().forEach(sections::addAll);
        measured.steps().forEach(step -> whole.add(RuledOrder.isWall(step) ? step.name() : sections.remove()));
        return whole;
    }

    @Property(tries = 300)
    void theSameStepsInEachSectionAndNothingCrosses(@ForAll("pipelines") Measured measured) {
        for (OrderPlan plan : List.of(measured.exact(), measured.tolerant(), measured.pecan())) {
            List<List<Integer>> sections = RuledOrder.sections(measured.steps());
            assertThat(plan.sections()).hasSize(sections.size());
            for (int i = 0; i < sections.size(); i++) {
                assertThat(plan.sections().get(i))
                        .containsExactlyInAnyOrderElementsOf(sections.get(i).stream()
                                .map(step -> measured.steps().get(step).name())
                                .toList());
            }
        }
    }

    @Property(tries = 300)
    void noOrderIsExpectedToCostMoreThanTheUsers(@ForAll("pipelines") Measured measured) {
        CostModel costs = new CostModel(measured.steps(), measured.measures(), OrderOptions.Prices.USUAL);
        Admissions admissions = new Admissions(measured.steps(), OrderOptions.USUAL, ALL);
        for (List<Integer> section : RuledOrder.sections(measured.steps())) {
            SectionSearch search = new SectionSearch(
                    measured.steps(), section.get(0), section.get(0) + section.size(), admissions, costs, true);
            assertThat(search.best().picos()).isLessThanOrEqualTo(search.usual().picos());
        }
    }

    @Property(tries = 100)
    void theSameIsFoundAgain(@ForAll("pipelines") Measured measured) {
        assertThat(measured.tolerant()).isEqualTo(measured.tolerant());
        assertThat(measured.exact()).isEqualTo(measured.exact());
        assertThat(measured.pecan()).isEqualTo(measured.pecan());
    }

    // every order that neighbours changing places lead to, one after the other, computed by itself
    @Property(tries = 300)
    void noOrderThatMovesLeadToIsCheaper(@ForAll("few") Measured measured) {
        CostModel costs = new CostModel(measured.steps(), measured.measures(), OrderOptions.Prices.USUAL);
        Admissions admissions = new Admissions(measured.steps(), OrderOptions.USUAL, ALL);
        for (List<Integer> section : RuledOrder.sections(measured.steps())) {
            double least = Double.POSITIVE_INFINITY;
            for (List<Integer> order : reachable(section, admissions)) {
                if (batchesWhatIsOpen(measured.steps(), section, order)) {
                    continue;
                }
                for (int[] together : earlyBatches(measured.steps(), section, order, admissions, costs)) {
                    least = Math.min(least, cost(measured.steps(), section, order, together, costs));
                }
            }
            SectionSearch.Found found = new SectionSearch(
                            measured.steps(), section.get(0), section.get(0) + section.size(), admissions, costs, true)
                    .best();
            assertThat(found.bounded()).isFalse();
            assertThat(found.picos()).isNotNegative();
            if (least > SectionSearch.MOST_PICOS / 1000.0) {
                continue; // some step would take longer than any does
            }
            // a double has 53 bits, and large costs need all of them
            Offset<Double> rounding = within(Math.max(0.01, 1e-12 * least));
            assertThat(found.picos() / 1000.0).isCloseTo(least, rounding);
            int[] together = new int[section.size()];
            found.early().forEach(early -> Arrays.fill(together, early.from(), early.to(), early.size()));
            assertThat(cost(measured.steps(), section, found.order(), together, costs))
                    .isCloseTo(least, rounding);
        }
    }

    /** All ways to let some steps of an order run on early batches; first that none does. */
    private static List<int[]> earlyBatches(
            List<Step> steps, List<Integer> section, List<Integer> order, Admissions admissions, CostModel costs) {
        List<int[]> ways = new ArrayList<>(List.of(new int[order.size()]));
        boolean batches = steps.subList(0, section.get(0)).stream().anyMatch(step -> step.is(StepKind.BATCH));
        for (int i = 0; i < order.size(); i++) {
            batches |= steps.get(order.get(i)).is(StepKind.BATCH);
            boolean taken = EarlyBatch.takes(specs(steps, section, order.subList(0, i)))
                    && EarlyBatch.takes(specs(steps, section, order.subList(0, i + 1)));
            if (batches || !taken) {
                continue;
            }
            for (int[] way : List.copyOf(ways)) {
                int size = i > 0 && way[i - 1] > 0
                        ? way[i - 1]
                        : EarlyBatch.size(
                                element(section, order.subList(0, i), costs).bytes());
                if (size >= EarlyBatch.FEWEST
                        && admissions.early(order.get(i), size).isPresent()) {
                    int[] longer = way.clone();
                    longer[i] = size;
                    ways.add(longer);
                }
            }
        }
        return ways;
    }

    private static List<TensorSpec> specs(List<Step> steps, List<Integer> section, List<Integer> done) {
        List<TensorSpec> specs = new ArrayList<>(steps.get(section.get(0)).before());
        section.stream().filter(done::contains).map(steps::get).forEach(step -> step.writes()
                .forEach(component -> specs.set(component, step.after().get(component))));
        return specs;
    }

    /** Whether a batch stands early where the graph does not say how large elements are. */
    private static boolean batchesWhatIsOpen(List<Step> steps, List<Integer> section, List<Integer> order) {
        for (int i = 0; i < order.size(); i++) {
            int at = order.get(i);
            Set<Integer> done = new HashSet<>(order.subList(0, i));
            boolean early = section.stream().anyMatch(step -> step < at && !done.contains(step));
            if (steps.get(at).is(StepKind.BATCH) && early) {
                return !specs(steps, section, order.subList(0, i)).stream().allMatch(TensorSpec::isStatic);
            }
        }
        return false;
    }

    private static Set<List<Integer>> reachable(List<Integer> section, Admissions admissions) {
        Set<List<Integer>> seen = new HashSet<>(Set.of(section));
        Deque<List<Integer>> open = new ArrayDeque<>(List.of(section));
        while (!open.isEmpty()) {
            List<Integer> order = open.remove();
            for (int i = 0; i + 1 < order.size(); i++) {
                boolean forward = order.get(i) < order.get(i + 1);
                if (forward && admissions.move(order.get(i), order.get(i + 1)).isPresent()) {
                    List<Integer> other = new ArrayList<>(order);
                    other.set(i, order.get(i + 1));
                    other.set(i + 1, order.get(i));
                    if (seen.add(other)) {
                        open.add(other);
                    }
                }
            }
        }
        return seen;
    }

    private static double cost(
            List<Step> steps, List<Integer> section, List<Integer> order, int[] together, CostModel costs) {
        double sum = 0;
        boolean open = false;
        for (int i = 0; i < order.size(); i++) {
            int before = i == 0 ? 0 : together[i - 1];
            int behind = i + 1 == order.size() ? 0 : together[i + 1];
            Element single = element(section, order.subList(0, i), costs);
            Element element = single.together(together[i]);
            int at = order.get(i);
            boolean begins = CostModel.begins(steps.get(at), open && before == together[i]);
            sum += costs.work(element, at) + (begins ? costs.call(element) : 0);
            sum += together[i] > 0 && before == 0 ? costs.gather(single) : 0;
            sum += together[i] > 0 && behind == 0 ? costs.gather(element(section, order.subList(0, i + 1), costs)) : 0;
            open = CostModel.leavesOpen(steps.get(at));
        }
        return sum;
    }

    private static Element element(List<Integer> section, List<Integer> done, CostModel costs) {
        Element element = costs.at(section.get(0));
        for (int step : section) {
            element = done.contains(step) ? costs.after(element, step) : element;
        }
        return element;
    }

    // of flips that cost the same in any order none moves
    @Property(tries = 20)
    void whatPaysNothingStays(@ForAll("flips") Measured measured) {
        assertThat(measured.exact().movesNothing()).isTrue();
    }

    @Provide
    Arbitrary<Measured> flips() {
        return Arbitraries.integers().between(0, 12).map(count -> IntStream.range(0, count)
                .boxed()
                .reduce(
                        new Measured(),
                        (measured, i) -> measured.then(any(i % 2 == 0 ? 4 : 17, "flip_" + i), 1000, 1000, 100),
                        (one, other) -> other));
    }
}
