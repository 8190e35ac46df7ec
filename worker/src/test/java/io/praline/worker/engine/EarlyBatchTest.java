package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import io.praline.worker.graph.ordering.step.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that run on batches made for them alone: each element comes out as it did, under the ticket that it had. */
class EarlyBatchTest {
    private static final Variants VARIANTS = new Variants(new TensorFlowInference());

    /** What a value becomes by them hangs on nothing but the value. */
    private static final Set<String> BY_VALUE = Set.of("AddV2", "Sub", "Mul", "RealDiv", "Cast", "Abs", "Neg");

    private static final Set<String> COPIES =
            Set.of("ReverseV2", "Slice", "StridedSlice", "Transpose", "Reshape", "Identity");

    // parsed in front of a filter, flipped and subtracted behind a shuffle and in front of the user's batch; the last
    // batch of each size is a short one, but for the size of 1
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 33, 500})
    void inFrontOfAFilterAndBehindAShuffleTheSameComesOut(int size) {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/filtered");
        PipelineGraph variant = VARIANTS.apply(pipeline, early(pipeline, size, EarlyBatchTest::isTaken));

        assertThat(count(variant, "UnbatchDataset")).isEqualTo(4);
        assertThat(Variant.rows(variant)).isNotEmpty().isEqualTo(Variant.rows(pipeline));
        assertThat(variant.components()).isEqualTo(pipeline.components());
    }

    // where nobody makes a batch, elements are told apart by counting as before: they need not carry their tickets
    @Test
    void withoutABatchElementsAreStillCounted() {
        PipelineGraph batched = Pipelines.parseHere("ordering/parse_slice_cast");
        PipelineGraph pipeline = new PipelineGraph(
                batched.nodes().values(),
                batched.functions().values(),
                batched.nodes().get(batched.root()).getInput(0),
                batched.versions());
        PipelineGraph variant = VARIANTS.apply(pipeline, early(pipeline, 4, EarlyBatchTest::isTaken));
        PipelineAnalysis analysis = PipelineAnalysis.of(variant);

        assertThat(count(variant, "UnbatchDataset")).isEqualTo(1);
        assertThat(analysis.counting())
                .isPresent()
                .isEqualTo(PipelineAnalysis.of(pipeline).counting());
        assertThat(analysis.sources()).isEqualTo(PipelineAnalysis.of(pipeline).sources());
        assertThat(Variant.rows(variant)).isNotEmpty().isEqualTo(Variant.rows(pipeline));
    }

    // bytes have no size in the graph, but are given one by the same step
    @Test
    void bytesThatAreGivenAShapeAtOnceAreDecodedTogether() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/raw_pictures");
        PipelineGraph variant = VARIANTS.apply(pipeline, early(pipeline, 5, EarlyBatchTest::isTaken));

        assertThat(VARIANTS.steps(pipeline).stream().map(step -> step.name() + " " + step.kind()))
                .startsWith("map_1 PARSE", "map_2 DECODE", "map_3.1:cast ELEMENTWISE");
        assertThat(count(variant, "UnbatchDataset")).isEqualTo(1);
        assertThat(Variant.rows(variant)).isNotEmpty().isEqualTo(Variant.rows(pipeline));
    }

    // Python says that records have 16 bytes, and the graph does not: it is looked at behind each step
    @Test
    void whatOnlyPythonSaysOfSizesIsEnsured() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/sizes_said");
        PipelineGraph variant = VARIANTS.apply(pipeline, early(pipeline, 7, EarlyBatchTest::isTaken));

        assertThat(count(variant, "UnbatchDataset")).isEqualTo(1);
        assertThat(variant.components()).isEqualTo(pipeline.components());
        assertThat(Variant.rows(variant)).isNotEmpty().isEqualTo(Variant.rows(pipeline));
    }

    // four records of a file each, three of which go together here and are taken apart again
    @Test
    void batchesThatAreMadeOfAFileAreElements() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/batches_of_files");
        PipelineGraph variant = VARIANTS.apply(pipeline, early(pipeline, 3, EarlyBatchTest::isTaken));

        assertThat(count(variant, "UnbatchDataset")).isEqualTo(2);
        assertThat(PipelineAnalysis.of(variant).singleTask()).isFalse();
        assertThat(PipelineAnalysis.of(variant).sources())
                .isEqualTo(PipelineAnalysis.of(pipeline).sources());
        assertThat(Variant.rows(variant)).isNotEmpty().isEqualTo(Variant.rows(pipeline));
    }

    // before the shuffle it is counted how many numbers will be made of each, by the map that stands behind it
    @Test
    void whatChildrenAreCountedByIsOfSingleElements() {
        List<StepDescription> steps = VARIANTS.steps(Pipelines.parse("../corpus/some_of_each_of_shuffled"));

        assertThat(steps)
                .filteredOn(step -> step.name().equals("map_3"))
                .singleElement()
                .extracting(StepDescription::ops)
                .satisfies(ops -> assertThat(ops).isNotEmpty().allMatch(op -> op.settings()
                        .containsKey("single_elements")));
    }

    // each has half of the bytes that its shape asks for, and two together have all of them
    @Test
    void whatIsTooShortForItsShapeFailsTogetherAsWell() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/raw_pictures_of_two");
        PipelineGraph variant = VARIANTS.apply(pipeline, early(pipeline, 4, EarlyBatchTest::isTaken));
        PipelineGraph batched = VARIANTS.apply(pipeline, new Recipe(List.of(List.of("map_1", "batch_3", "map_2"))));

        assertThatThrownBy(() -> Variant.rows(pipeline)).isInstanceOf(EngineFailure.class);
        assertThatThrownBy(() -> Variant.rows(variant))
                .isInstanceOf(EngineFailure.class)
                .hasMessageContaining("[4,48] is not compatible with expected shape [?,96]");
        assertThatThrownBy(() -> Variant.rows(batched)).isInstanceOf(EngineFailure.class);
    }

    @Test
    void itIsReadAgainAsItWasWrittenDown() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/filtered");
        PipelineGraph variant = VARIANTS.apply(pipeline, early(pipeline, 16, EarlyBatchTest::isTaken));
        PipelineGraph again = PipelineGraph.parse(variant.toBytes(), Pipelines.ANY_OP);

        assertThat(again.digest()).isEqualTo(variant.digest()).isNotEqualTo(pipeline.digest());
        assertThat(PipelineAnalysis.of(again)).isEqualTo(PipelineAnalysis.of(variant));
        assertThat(Variant.rows(again)).isEqualTo(Variant.rows(pipeline));
    }

    @Test
    void whatCannotBeTakenApartIsRefused() {
        PipelineGraph open = Pipelines.parseHere("ordering/decode_raw");
        PipelineGraph filtered = Pipelines.parseHere("ordering/filtered");
        PipelineGraph batched = Pipelines.parseHere("ordering/parse_slice_cast");

        PipelineGraph nothing = Variant.all("near").get("nothing_left");

        refuses(open, "behind map_1 elements need not have one shape, or have no values", "[4", "map_1", "]");
        refuses(
                nothing,
                "behind map_2 elements need not have one shape, or have no values",
                "[4",
                "map_1",
                "map_2",
                "]");
        refuses(
                nothing,
                "in front of map_3 elements need not have one shape, or have no values:"
                        + " [TensorSpec[type=float32, shape=Optional[[0, 3]]]]",
                "[4",
                "map_1",
                "]",
                "map_2",
                "[4",
                "map_3",
                "]");
        refuses(
                filtered,
                "keep: a filter takes single elements and cannot stand behind the batch",
                "map_1",
                "map_2",
                "map_3",
                "[4",
                "keep",
                "]");
        refuses(
                batched,
                "what stands behind batch_4 works on its batches and needs no others",
                "map_1",
                "map_2",
                "batch_4",
                "[4",
                "map_3",
                "]");
        refuses(batched, "the recipe does not say where its early batch of 4 ends", "[4", "map_1");
        refuses(batched, "the pipeline has no step ]", "map_1", "]");
    }

    private static void refuses(PipelineGraph pipeline, String why, String... section) {
        Recipe recipe = new Recipe(List.of(List.of(section)));
        assertThatThrownBy(() -> VARIANTS.apply(pipeline, recipe))
                .isInstanceOf(RefusedRecipe.class)
                .hasMessage(why);
    }

    // copies, and arithmetic value by value, are the same however many go together
    @Test
    @Tag("long")
    void randomStepsOnEarlyBatchesYieldTheSame() {
        int moved = 0;
        Random dice = new Random(11);
        for (Map.Entry<String, PipelineGraph> each : Variant.all("random").entrySet()) {
            PipelineGraph pipeline = each.getValue();
            Recipe recipe = early(pipeline, 1 + dice.nextInt(33), step -> isTaken(step) && dice.nextInt(4) > 0);
            PipelineGraph variant = VARIANTS.apply(pipeline, recipe);
            if (variant != pipeline) {
                moved++;
                assertThat(Variant.rows(variant))
                        .as("%s as %s", each.getKey(), recipe)
                        .isEqualTo(Variant.rows(pipeline));
            }
        }
        assertThat(moved).isGreaterThan(50);
    }

    private interface Choice {
        boolean takes(StepDescription step);
    }

    /** The user's order, with early batches for each run of steps that are chosen in front of the user's batch. */
    private static Recipe early(PipelineGraph pipeline, int size, Choice choice) {
        List<List<String>> sections = new ArrayList<>();
        for (List<StepDescription> section : Steps.sections(VARIANTS.steps(pipeline))) {
            List<String> names = new ArrayList<>();
            boolean together = false;
            boolean batched = false;
            for (StepDescription step : section) {
                batched |= step.kind() == StepKind.BATCH;
                boolean taken = !batched && choice.takes(step);
                if (taken && !together) {
                    names.add("[" + size);
                } else if (!taken && together) {
                    names.add("]");
                }
                together = taken;
                names.add(step.name());
            }
            if (together) {
                names.add("]");
            }
            sections.add(names);
        }
        return new Recipe(sections);
    }

    private static boolean isTaken(StepDescription step) {
        boolean known = step.before().stream().allMatch(EarlyBatchTest::isStatic)
                && step.after().stream().allMatch(EarlyBatchTest::isStatic);
        boolean parses = step.kind() == StepKind.PARSE || step.kind() == StepKind.DECODE;
        boolean alike = (step.kind() == StepKind.ELEMENTWISE || step.kind() == StepKind.GEOMETRIC)
                && step.ops().stream().allMatch(op -> BY_VALUE.contains(op.op()) || COPIES.contains(op.op()));
        return known && !step.draws() && (parses || alike);
    }

    private static boolean isStatic(TensorSpec spec) {
        return spec.shape().isPresent() && !spec.shape().get().contains(-1L);
    }

    private static long count(PipelineGraph pipeline, String op) {
        return pipeline.nodes().values().stream()
                .filter(DatasetOps::isDataset)
                .filter(node -> node.getOp().equals(op))
                .count();
    }
}
