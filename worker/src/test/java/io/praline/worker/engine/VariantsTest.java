package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.GraphFaults;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.ordering.JoinMaps;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.SplitPipeline;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.graph.ordering.step.StepDescription;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs that are cut into steps, and put together in another order, hold together; none of them is run. */
class VariantsTest {
    private static final TensorFlowInference OPS = new TensorFlowInference();
    private static final Variants VARIANTS = new Variants(OPS);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ordering/resnet_one_function",
                "ordering/normalise_before_resize_one_function",
                "ordering/parse_slice_cast_one_function",
                "ordering/decode_raw",
                "ordering/two_views",
                "ordering/read_twice",
                "ordering/checked",
                "ordering/compiled",
                "ordering/filtered",
                "ordering/flowers_by_name",
                "captured_tensors",
                "draws_of_all_kinds",
                "lookup_table",
                "text_bucketed",
                "while_loop"
            })
    void eachStepIsGivenWhatTheOneBeforeGives(String name) {
        PipelineGraph pipeline = Pipelines.parse(name);
        SplitPipeline split = VARIANTS.split(pipeline);
        List<StepDescription> steps = VARIANTS.steps(pipeline);

        assertThat(GraphFaults.of(split.graph())).isEmpty();
        assertThat(split.graph().components()).isEqualTo(pipeline.components());
        assertThat(steps)
                .extracting(StepDescription::name)
                .doesNotHaveDuplicates()
                .containsExactlyElementsOf(split.names().values());
        for (int i = 1; i < steps.size(); i++) {
            StepDescription step = steps.get(i);
            assertThat(step.before()).as(step.name()).isEqualTo(steps.get(i - 1).after());
            for (int place = 0; place < step.after().size(); place++) {
                if (!step.isBarrier() && !step.restructures() && !step.writes().contains(place)) {
                    assertThat(step.after().get(place))
                            .as(step.name())
                            .isEqualTo(step.before().get(place));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ordering/resnet_one_function",
                "ordering/normalise_before_resize_one_function",
                "ordering/parse_slice_cast_one_function",
                "ordering/read_twice",
                "captured_tensors",
                "lookup_table"
            })
    void whatIsCutAndJoinedConsistsOfTheSameSteps(String name) {
        PipelineGraph pipeline = Pipelines.parse(name);
        PipelineGraph joined = new JoinMaps(OPS).apply(VARIANTS.split(pipeline).graph());

        assertThat(GraphFaults.of(joined)).isEmpty();
        assertThat(joined.components()).isEqualTo(pipeline.components());
        assertThat(VARIANTS.steps(joined).stream().map(VariantsTest::what))
                .isEqualTo(VARIANTS.steps(pipeline).stream()
                        .map(VariantsTest::what)
                        .toList());
    }

    private static List<Object> what(StepDescription step) {
        return List.of(step.kind(), step.ops(), step.draws(), step.reads(), step.writes(), step.before(), step.after());
    }

    // any two neighbours change places, where rules for policies would rarely let them
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ordering/resnet_one_function",
                "ordering/normalise_before_resize",
                "ordering/parse_slice_cast_one_function",
                "ordering/decode_raw",
                "ordering/filtered",
                "captured_tensors"
            })
    void anOrderIsRefusedOrHoldsTogether(String name) {
        PipelineGraph pipeline = Pipelines.parse(name);
        List<List<String>> sections = Steps.sections(VARIANTS.steps(pipeline)).stream()
                .map(section -> section.stream().map(StepDescription::name).toList())
                .toList();
        int made = 0;
        for (int section = 0; section < sections.size(); section++) {
            for (int i = 0; i + 1 < sections.get(section).size(); i++) {
                List<String> swapped = new ArrayList<>(sections.get(section));
                Collections.swap(swapped, i, i + 1);
                made += holdsTogether(pipeline, sections, section, swapped) ? 1 : 0;
                List<String> early = new ArrayList<>(sections.get(section));
                early.add(i, "[4");
                early.add(i + 2, "]");
                made += holdsTogether(pipeline, sections, section, early) ? 1 : 0;
            }
        }
        assertThat(made).isPositive();
    }

    private static boolean holdsTogether(
            PipelineGraph pipeline, List<List<String>> sections, int changed, List<String> section) {
        List<List<String>> other = new ArrayList<>(sections);
        other.set(changed, section);
        try {
            PipelineGraph variant = VARIANTS.apply(pipeline, new Recipe(other));
            assertThat(GraphFaults.of(variant)).as(section.toString()).isEmpty();
            assertThat(variant).as(section.toString()).isNotSameAs(pipeline);
            assertThat(variant.components()).hasSameSizeAs(pipeline.components());
            return true;
        } catch (RefusedRecipe refused) {
            assertThat(refused).hasMessageMatching("(?s).{20,}");
            return false;
        }
    }
}
