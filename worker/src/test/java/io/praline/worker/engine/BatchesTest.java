package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.StepDescription;
import io.praline.worker.graph.ordering.StepKind;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What an op makes of a batch is what it makes of each of its elements, bit for bit, in batches as large as each dimension of
 * them, where operands could meet the batch's.
 */
class BatchesTest {
    private static final Variants VARIANTS = new Variants(new TensorFlowInference());

    /** Which have no rule, and why. */
    private static final Map<String, String> REFUSED =
            new TreeMap<>(Map.of("pictures_turn", "turn: StatelessIf has no rule for batches as it is used here"));

    @Test
    void eachOpGivesTheSameForABatch() {
        Map<String, String> refused = new TreeMap<>();
        Variant.all("batches").forEach((title, pipeline) -> {
            try {
                PipelineGraph variant = VARIANTS.apply(pipeline, batchFirst(pipeline));
                assertThat(Variant.rows(variant)).as(title).isEqualTo(Variant.rows(pipeline));
            } catch (RefusedRecipe none) {
                refused.put(title.replaceFirst(" of .*", ""), none.getMessage());
            }
        });
        assertThat(refused).isEqualTo(REFUSED);
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
