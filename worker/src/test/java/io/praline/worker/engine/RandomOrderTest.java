package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.ordering.JoinMaps;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.SplitPipeline;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import io.praline.worker.graph.ordering.step.StepOp;
import io.praline.worker.graph.ordering.step.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pipelines of random steps in random orders that are right for reasons that can be seen: arithmetic by one constant for all
 * values does not mind where they stand, a filter does not mind what it does not read, and IEEE arithmetic is the same in a
 * batch. Whoever decides on orders knows more of them; here it counts that they are carried out as they are told.
 */
@Tag("long")
class RandomOrderTest {
    private static final TensorFlowInference OPS = new TensorFlowInference();
    private static final Variants VARIANTS = new Variants(OPS);

    /** What a value becomes by them hangs on nothing but the value: not on its neighbours, as it does for a maximum. */
    private static final Set<String> BY_VALUE = Set.of("AddV2", "Sub", "Mul", "RealDiv", "Cast", "Abs", "Neg");

    private static final Set<String> COPIES = Set.of(
            "ReverseV2",
            "Slice",
            "StridedSlice",
            "Transpose",
            "StatelessIf",
            "If",
            "SelectV2",
            "EnsureShape",
            "Identity");

    private static final List<PipelineGraph> PIPELINES =
            List.copyOf(Variant.all("random").values());

    /** What each yields as the user wrote it. */
    private static final List<Map<Long, List<String>>> ROWS =
            PIPELINES.stream().map(Variant::rows).toList();

    @Test
    void cutAndJoinedTheyYieldTheSame() {
        int cut = 0;
        for (int i = 0; i < PIPELINES.size(); i++) {
            Map<Long, List<String>> rows = ROWS.get(i);
            SplitPipeline split = VARIANTS.split(PIPELINES.get(i));
            cut += split.names().values().stream().anyMatch(name -> name.contains(".2:")) ? 1 : 0;

            assertThat(Variant.rows(split.graph())).as("cut, pipeline %s", i).isEqualTo(rows);
            assertThat(Variant.rows(new JoinMaps(OPS).apply(split.graph())))
                    .as("joined, pipeline %s", i)
                    .isEqualTo(rows);
        }
        assertThat(cut).isGreaterThan(PIPELINES.size() * 8 / 10);
    }

    @Test
    void inOrdersThatAreRightTheyYieldTheSame() {
        int moved = 0;
        Map<String, Integer> fired = new TreeMap<>();
        for (int i = 0; i < PIPELINES.size(); i++) {
            PipelineGraph pipeline = PIPELINES.get(i);
            Recipe recipe = recipe(VARIANTS.steps(pipeline), new Random(i), fired);
            PipelineGraph variant = VARIANTS.apply(pipeline, recipe);
            if (variant != pipeline) {
                moved++;
                assertThat(Variant.rows(variant))
                        .as("pipeline %s as %s", i, recipe)
                        .isEqualTo(ROWS.get(i));
            }
        }
        assertThat(moved).isGreaterThan(PIPELINES.size() * 6 / 10);
        assertThat(fired)
                .hasSize(5)
                .allSatisfy((move, times) -> assertThat(times).as(move).isGreaterThan(10));
    }

    private static Recipe recipe(List<StepDescription> steps, Random dice, Map<String, Integer> fired) {
        List<List<String>> sections = new ArrayList<>();
        for (List<StepDescription> section : Steps.sections(steps)) {
            List<StepDescription> order = new ArrayList<>(section);
            Map<StepDescription, Boolean> behind = new HashMap<>();
            for (int turn = 0; turn < 30 && order.size() > 1; turn++) {
                int at = dice.nextInt(order.size() - 1);
                String move = move(order.get(at), order.get(at + 1));
                boolean batched =
                        behind.getOrDefault(order.get(at), false) || behind.getOrDefault(order.get(at + 1), false);
                if (!move.isEmpty() && !batched) {
                    fired.merge(move, 1, Integer::sum);
                    behind.put(order.get(at), order.get(at + 1).kind() == StepKind.BATCH);
                    Collections.swap(order, at, at + 1);
                }
            }
            sections.add(order.stream().map(StepDescription::name).toList());
        }
        return new Recipe(sections);
    }

    /** Why two neighbours may change places; empty where nothing says so. */
    private static String move(StepDescription one, StepDescription next) {
        if (next.kind() == StepKind.BATCH) {
            boolean known = one.before().stream()
                    .allMatch(spec ->
                            spec.shape().isPresent() && !spec.shape().get().contains(-1L));
            boolean exact = !one.draws() && !one.mayFail() && (isByValue(one, true) || isCopy(one));
            return known && exact ? "behind the batch" : "";
        }
        if (one.kind() == StepKind.FILTER
                && !one.reads().contains(1)
                && next.writes().equals(List.of(1))) {
            return "filter behind";
        }
        if (next.kind() == StepKind.FILTER
                && !next.reads().contains(1)
                && one.writes().equals(List.of(1))) {
            return "filter in front";
        }
        if (isCopy(one) && isByValue(next, false) && !to(next, "uint8")) {
            return "arithmetic past copies";
        }
        return isByValue(one, false) && isCopy(next) && !to(one, "uint8") ? "copies past arithmetic" : "";
    }

    private static boolean to(StepDescription step, String type) {
        return step.after().stream().map(TensorSpec::type).anyMatch(type::equals);
    }

    private static boolean isByValue(StepDescription step, boolean anyOperand) {
        return step.kind() == StepKind.ELEMENTWISE
                && step.ops().stream().allMatch(op -> BY_VALUE.contains(op.op()) && (anyOperand || isScalar(op)));
    }

    private static boolean isScalar(StepOp op) {
        return op.settings().getOrDefault("operand", "scalar").equals("scalar");
    }

    private static boolean isCopy(StepDescription step) {
        return step.kind() == StepKind.GEOMETRIC && step.ops().stream().allMatch(op -> COPIES.contains(op.op()));
    }
}
