package io.praline.tests.equivalence;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.ordering.PolicySteps;
import io.praline.policy.ordering.ExactOrder;
import io.praline.policy.ordering.OrderOptions;
import io.praline.policy.ordering.OrderOptions.Leave;
import io.praline.policy.ordering.OrderOptions.Prices;
import io.praline.policy.ordering.Step;
import io.praline.policy.ordering.StepKind;
import io.praline.policy.ordering.StepMeasure;
import io.praline.policy.ordering.TolerantOrder;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Proof;
import io.praline.worker.engine.TensorFlowInference;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.Variants;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Orders that the rules admit are carried out and held against the user's own, element by element. What steps cost is drawn,
 * so that the search finds now this order and now another.
 */
@Timeout(600)
class OrdersTest {
    private static final Path RECORDED = Path.of("../worker/src/test/resources");
    private static final Path PIPELINES = RECORDED.resolve("pipelines/ordering");
    private static final Variants VARIANTS = new Variants(new TensorFlowInference());
    private static final TensorFlowOps OPS = new TensorFlowOps();
    private static final long ELEMENTS = 100_000;
    private static final long CALL_NANOS = 30_000;

    /** Rules whose results differ by more than rounding move nothing unless the user says so. */
    private static final Set<String> BY_LEAVE = Set.of("resize before a rotation or shear", "named by the user");

    /** All others. */
    private static final int RULES = 17;

    private final Map<String, Integer> fired = new TreeMap<>();
    private int moved;

    @Test
    void whatLooksMovableIsTheSameBitForBitWhereItMoves() throws IOException {
        Map<String, PipelineGraph> pipelines = all("near");
        for (Map.Entry<String, PipelineGraph> each : pipelines.entrySet()) {
            hold(each.getKey(), each.getValue(), 8, false);
        }
        assertThat(pipelines).hasSizeGreaterThan(70);
        assertThat(moved).isGreaterThan(30);
    }

    @Test
    @Tag("long")
    void someOfTenStepsAreTheSameInOrdersThatAreAdmitted() throws IOException {
        tenSteps(5, 60, 2);
    }

    @Test
    @Tag("corpus")
    @Timeout(1800)
    void ofTenStepsAreTheSameInOrdersThatAreAdmitted() throws IOException {
        tenSteps(1, 300, 20);
    }

    @Test
    @Tag("sample")
    void someLargePicturesAreApartByNoMoreThanIsTold() throws IOException {
        pictures("large", 4, 6);
    }

    @Test
    @Tag("long")
    void everyOtherLargePictureIsApartByNoMoreThanIsTold() throws IOException {
        pictures("large", 2, 12);
    }

    @Test
    @Tag("corpus")
    void largePicturesAreApartByNoMoreThanIsTold() throws IOException {
        pictures("large", 1, 24);
    }

    @Test
    @Tag("long")
    void somePicturesAreApartByNoMoreThanIsToldWhateverFollows() throws IOException {
        pictures("followed", 2, 4);
    }

    @Test
    @Tag("corpus")
    void picturesAreApartByNoMoreThanIsToldWhateverFollows() throws IOException {
        pictures("followed", 1, 9);
    }

    @Test
    @Tag("long")
    void ordersThatAreFoundForSomeGraphsCanBeCarriedOut() throws IOException {
        carriedOut(3, 2, 20);
    }

    @Test
    @Tag("corpus")
    void everyOrderThatIsFoundCanBeCarriedOut() throws IOException {
        carriedOut(1, 4, 100);
    }

    // values are others, as the user allows; which elements come, and how large and of which types they are, stays
    @Test
    @Tag("long")
    void whatMovesByLeaveIsCarriedOut() throws IOException {
        List<String> kinds = List.of("elementwise", "geometric", "resample", "colour", "random");
        List<Leave> leaves = kinds.stream()
                .flatMap(moved -> kinds.stream().map(past -> new Leave(moved, past)))
                .toList();
        int number = 0;
        for (Map.Entry<String, PipelineGraph> each : all("ten_steps").entrySet()) {
            if (number++ % 5 == 0) {
                Yielded usual = Yielded.of(each.getValue());
                for (OrderPlan plan : byLeave(each.getValue(), leaves, 2)) {
                    assertThat(yields(each.getValue(), plan).described())
                            .as("%s as %s", each.getKey(), plan.changed())
                            .isEqualTo(usual.described());
                }
            }
        }
        for (String pictures : List.of("resnet", "resnet_one_function")) {
            PipelineGraph pipeline = parsed(PIPELINES.resolve(pictures + ".pb")).orElseThrow();
            for (OrderPlan plan : byLeave(pipeline, leaves, 20)) {
                assertThat(refused(pipeline, plan)).isEmpty();
            }
        }
        assertThat(fired).containsKeys(BY_LEAVE.toArray(String[]::new));
        BY_LEAVE.forEach(rule -> assertThat(fired.get(rule)).as(rule).isGreaterThanOrEqualTo(20));
    }

    private List<OrderPlan> byLeave(PipelineGraph pipeline, List<Leave> leaves, int costs) {
        List<Step> steps = PolicySteps.steps(VARIANTS.steps(pipeline));
        List<OrderPlan> plans = new ArrayList<>();
        for (int dice = 0; dice < costs; dice++) {
            OrderOptions options = new OrderOptions(false, leaves, options(dice).prices());
            OrderPlan plan = new TolerantOrder(options).plan(steps, shrinking(steps, dice));
            if (plan.proof() == Proof.BY_LEAVE) {
                count(plan);
                plans.add(plan);
            }
        }
        return plans;
    }

    /**
     * Looks for orders of the first and every so many further recorded graphs.
     *
     * @param costs how often for each, with other costs of its steps
     * @param least more orders than these are found
     */
    private static void carriedOut(int every, int costs, int least) throws IOException {
        int number = 0;
        int found = 0;
        List<String> refused = new ArrayList<>();
        for (Path file : recorded()) {
            Optional<PipelineGraph> pipeline = number++ % every == 0 ? parsed(file) : Optional.empty();
            if (pipeline.isPresent()) {
                List<Step> steps = PolicySteps.steps(VARIANTS.steps(pipeline.get()));
                for (int dice = 0; dice < costs; dice++) {
                    OrderPlan plan = new TolerantOrder(options(dice)).plan(steps, measures(steps, dice));
                    found += plan.movesNothing() ? 0 : 1;
                    refused(pipeline.get(), plan).ifPresent(why -> refused.add(file + ": " + why));
                }
            }
        }
        assertThat(refused).isEmpty();
        assertThat(found).isGreaterThan(least);
    }

    private static List<Path> recorded() throws IOException {
        try (Stream<Path> files = Files.walk(RECORDED)) {
            return files.filter(file -> file.toString().endsWith(".pb"))
                    .sorted()
                    .toList();
        }
    }

    private static Optional<PipelineGraph> parsed(Path file) throws IOException {
        try {
            return Optional.of(PipelineGraph.parse(Files.readAllBytes(file), OPS));
        } catch (RefusedPipeline nothingToOrder) {
            return Optional.empty();
        }
    }

    private static Optional<String> refused(PipelineGraph pipeline, OrderPlan plan) {
        try {
            VARIANTS.apply(pipeline, new Recipe(plan.changed()));
            return Optional.empty();
        } catch (RefusedRecipe refused) {
            return Optional.of(plan.changed() + ", since " + refused.getMessage());
        }
    }

    /** @param least of them move at least one more, where results are not the same */
    private void pictures(String file, int every, int least) throws IOException {
        int number = 0;
        for (Map.Entry<String, PipelineGraph> each : all(file).entrySet()) {
            if (number++ % every == 0) {
                holdInRange(each.getKey(), each.getValue());
            }
        }
        assertThat(number).isEqualTo(120);
        assertThat(moved).isGreaterThan(least);
    }

    private void holdInRange(String title, PipelineGraph pipeline) {
        List<Step> steps = PolicySteps.steps(VARIANTS.steps(pipeline));
        Set<List<List<String>>> tried = new HashSet<>();
        Yielded usual = Yielded.of(pipeline);
        for (int dice = 0; dice < 6; dice += 2) {
            OrderPlan plan = new TolerantOrder(options(dice)).plan(steps, measures(steps, dice));
            if (plan.proof() == Proof.TOLERANT && tried.add(plan.changed())) {
                count(plan);
                assertThat(yields(pipeline, plan).apartInRange(usual))
                        .as("%s as %s", title, plan.moves())
                        .isLessThanOrEqualTo(plan.tolerance());
            }
        }
        moved += tried.isEmpty() ? 0 : 1;
    }

    private void tenSteps(int every, int pipelines, int uses) throws IOException {
        assertThat(held(every)).isEqualTo(pipelines);
        assertThat(moved).isGreaterThan(pipelines * 6 / 10);
        assertThat(fired).hasSize(RULES).doesNotContainKeys(BY_LEAVE.toArray(String[]::new));
        assertThat(fired.values()).as("%s", fired).allMatch(times -> times >= uses);
    }

    /** Holds the first and every so many further pipelines; gives how many these are. */
    private int held(int every) throws IOException {
        int number = 0;
        int held = 0;
        Map<String, PipelineGraph> pipelines = all("ten_steps");
        for (Map.Entry<String, PipelineGraph> each : pipelines.entrySet()) {
            if (number++ % every == 0) {
                // what is too large for its type by one order is not by another: pictures must be as people have them
                hold(each.getKey(), each.getValue(), 3, !each.getKey().startsWith("special"));
                held++;
            }
        }
        return held;
    }

    private void hold(String title, PipelineGraph pipeline, int dices, boolean tolerant) {
        List<Step> steps = PolicySteps.steps(VARIANTS.steps(pipeline));
        Set<List<List<String>>> tried = new HashSet<>();
        boolean any = false;
        Yielded usual = Yielded.of(pipeline);
        for (int dice = 0; dice < dices; dice++) {
            OrderPlan exact = new ExactOrder(options(dice)).plan(steps, measures(steps, dice));
            any |= !exact.movesNothing();
            if (!exact.movesNothing() && tried.add(exact.changed())) {
                count(exact);
                assertThat(exact.proof()).isEqualTo(Proof.EXACT);
                assertThat(yields(pipeline, exact))
                        .as("%s as %s", title, exact.changed())
                        .isEqualTo(usual);
            }
            for (List<StepMeasure> costs : List.of(measures(steps, dice), shrinking(steps, dice))) {
                OrderPlan rounded = new TolerantOrder(options(dice)).plan(steps, costs);
                if (tolerant && !rounded.movesNothing() && tried.add(rounded.changed())) {
                    count(rounded);
                    assertThat(yields(pipeline, rounded).apartFrom(usual))
                            .as("%s as %s", title, rounded.changed())
                            .isLessThanOrEqualTo(rounded.tolerance());
                    any = true;
                }
            }
        }
        moved += any ? 1 : 0;
    }

    private void count(OrderPlan plan) {
        plan.moves().forEach(move -> fired.merge(move.rule(), 1, Integer::sum));
    }

    private static Yielded yields(PipelineGraph pipeline, OrderPlan plan) {
        return Yielded.of(VARIANTS.apply(pipeline, new Recipe(plan.changed())));
    }

    /** Calls that cost nothing let copies move, dear ones let batches. */
    private static OrderOptions options(int dice) {
        return new OrderOptions(false, List.of(), new Prices(dice % 2 == 0 ? 0 : CALL_NANOS, 0.5));
    }

    private static List<StepMeasure> measures(List<Step> steps, int seed) {
        Random dice = new Random(seed);
        List<StepMeasure> measures = new ArrayList<>();
        long elements = ELEMENTS;
        for (Step step : steps) {
            // what leaves nothing out and ends a call is worth to be behind others
            int kept = seed % 2 == 0 ? 2 : 1;
            elements /= step.kind() == StepKind.BATCH ? 10 : step.kind() == StepKind.FILTER ? kept : 1;
            long nanos = CALL_NANOS + dice.nextInt(100_000);
            measures.add(new StepMeasure(step.name(), elements, 100 * elements, 100 * elements, nanos * elements));
        }
        return measures;
    }

    /** The same where each resize leaves a tenth, so that others are better behind it. */
    private static List<StepMeasure> shrinking(List<Step> steps, int seed) {
        List<StepMeasure> measures = measures(steps, seed);
        List<StepMeasure> shrinking = new ArrayList<>();
        long bytes = ELEMENTS;
        for (int i = 0; i < steps.size(); i++) {
            StepMeasure measure = measures.get(i);
            long before = bytes;
            bytes = steps.get(i).kind() == StepKind.RESAMPLE ? Math.max(1, bytes / 10) : bytes;
            long elements = measure.elements();
            shrinking.add(
                    new StepMeasure(measure.name(), elements, before * elements, bytes * elements, measure.nanos()));
        }
        return shrinking;
    }

    /** The pipelines of a file that {@code make_ordering.py} wrote, by their titles. */
    private static Map<String, PipelineGraph> all(String file) throws IOException {
        Map<String, PipelineGraph> pipelines = new LinkedHashMap<>();
        try (InputStream in = new GZIPInputStream(Files.newInputStream(PIPELINES.resolve(file + ".gz")))) {
            for (byte[] title = next(in); title.length > 0; title = next(in)) {
                pipelines.put(new String(title, StandardCharsets.UTF_8), PipelineGraph.parse(next(in), OPS));
            }
        }
        return pipelines;
    }

    private static byte[] next(InputStream in) throws IOException {
        byte[] length = in.readNBytes(4);
        return length.length < 4
                ? length
                : in.readNBytes(
                        ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt());
    }
}
