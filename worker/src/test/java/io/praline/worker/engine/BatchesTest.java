package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What an op makes of a batch is what it makes of each of its elements, bit for bit, in batches as large as each dimension of
 * them, where operands could meet the batch's.
 */
class BatchesTest {
    private static final Variants VARIANTS = new Variants(new TensorFlowInference());

    /** Which have no rule, and why. */
    private static final Map<String, String> REFUSED =
            new TreeMap<>(Map.of("pictures_turn", "turn: StatelessIf has no rule for batches as it is used here"));

    /** Another op and another shape each. */
    private static final int A_PART = 7;

    @Test
    @Tag("sample")
    void someOpsGiveTheSameForABatch() {
        Map<String, String> refused = refused(A_PART);
        assertThat(REFUSED).containsAllEntriesOf(refused);
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES) // a minute where nothing runs beside it
    void eachOpGivesTheSameForABatch() {
        assertThat(refused(1)).isEqualTo(REFUSED);
    }

    /** Holds the first and every so many further pipelines against their variants; gives those that have none, and why. */
    private static Map<String, String> refused(int every) {
        Map<String, String> refused = new TreeMap<>();
        int number = 0;
        for (Map.Entry<String, PipelineGraph> each : Variant.all("batches").entrySet()) {
            if (number++ % every == 0) {
                String title = each.getKey();
                PipelineGraph pipeline = each.getValue();
                try {
                    PipelineGraph variant = VARIANTS.apply(pipeline, batchFirst(pipeline));
                    assertThat(Variant.rows(variant)).as(title).isEqualTo(Variant.rows(pipeline));
                } catch (RefusedRecipe none) {
                    refused.put(title.replaceFirst(" of .*", ""), none.getMessage());
                }
            }
        }
        return refused;
    }

    private static Recipe batchFirst(PipelineGraph pipeline) {
        List<List<String>> sections = new ArrayList<>();
        for (List<StepDescription> section : Steps.sections(VARIANTS.steps(pipeline))) {
            List<StepDescription> order = new ArrayList<>(section);
            order.sort((one, next) -> Boolean.compare(next.kind() == StepKind.BATCH, one.kind() == StepKind.BATCH));
            sections.add(order.stream().map(StepDescription::name).toList());
        }
        return new Recipe(sections);
    }
}
