package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.InlineCalls;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.ordering.JoinMaps;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.SplitMaps;
import io.praline.worker.graph.ordering.SplitPipeline;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.graph.ordering.step.StepDescription;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pipeline cut into steps, or in another order that is right, yields what the user's does, bit for bit. */
class OrderingTest {
    private static final TensorFlowInference OPS = new TensorFlowInference();
    private static final Variants VARIANTS = new Variants(OPS);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ordering/resnet",
                "ordering/resnet_one_function",
                "ordering/normalise_before_resize",
                "ordering/normalise_before_resize_one_function",
                "ordering/parse_slice_cast",
                "ordering/parse_slice_cast_one_function",
                "ordering/decode_raw",
                "ordering/two_views",
                "ordering/checked",
                "ordering/compiled",
                "ordering/flowers_by_name",
                "ordering/filtered",
                "calls_function",
                "captured_tensors",
                "draws_behind_a_batch",
                "draws_in_a_filter",
                "draws_in_loops",
                "draws_of_all_kinds",
                "draws_two_views",
                "examples_big_map",
                "examples_vectorised",
                "flowers",
                "jpeg_evaluation",
                "jpeg_training",
                "keep_position",
                "lookup_table",
                "map_and_batch",
                "nested",
                "parse_example_dataset",
                "strings",
                "text_bucketed",
                "while_loop"
            })
    void cutAndJoinedItYieldsTheSame(String name) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        Map<Long, List<String>> rows = Variant.rows(pipeline);
        SplitPipeline split = VARIANTS.split(pipeline);

        assertThat(rows).isNotEmpty();
        assertThat(Variant.rows(split.graph())).isEqualTo(rows);
        assertThat(Variant.rows(new JoinMaps(OPS).apply(split.graph()))).isEqualTo(rows);
    }

    // a crop by half keeps its three colours, as Python says of it: no op's shape tells
    @Test
    void shapesThatWereSaidHoldInAnotherOrder() {
        PipelineGraph written = Pipelines.parseHere("ordering/cropped_before_resize");
        PipelineGraph divided =
                VARIANTS.apply(written, new Recipe(List.of(List.of("map_1", "map_2", "map_3", "batch_5", "map_4"))));

        assertThat(Variant.rows(divided)).isEqualTo(Variant.rows(written));
    }

    // a shape that is put together in the function has no rule for batches: no order must be made that needs one
    @Test
    void whatCannotBeMadeOneOfBatchesSaysSo() {
        List<String> alone = VARIANTS.steps(Pipelines.parseHere("ordering/shaped_by_what_is_computed")).stream()
                .filter(step -> step.ops().stream().anyMatch(op -> op.settings().containsKey("single_elements")))
                .map(StepDescription::name)
                .toList();

        assertThat(alone).containsExactly("map_2.1:reshape");
    }

    // compiled it rounds otherwise than op by op: who reads the graph elsewhere must find it as it was
    @Test
    void whatIsToBeCompiledIsCalledAsBefore() {
        PipelineGraph written = Pipelines.parseHere("ordering/compiled");
        PipelineGraph split = VARIANTS.split(written).graph();

        assertThat(calledToBeCompiled(written)).hasSize(1);
        assertThat(calledToBeCompiled(split)).isEqualTo(calledToBeCompiled(written));
        assertThat(described("ordering/compiled")).contains("map_2 OPAQUE");
    }

    private static Set<String> calledToBeCompiled(PipelineGraph graph) {
        return graph.functions().values().stream()
                .flatMap(function -> function.getNodeDefList().stream())
                .filter(node -> node.containsAttr("f"))
                .map(node -> node.getAttrOrThrow("f").getFunc().getName())
                .filter(called -> InlineCalls.isCompiled(graph.functions().get(called)))
                .collect(Collectors.toSet());
    }

    @Test
    void whatAnAssertionRefusesIsRefusedByItsPiece() {
        PipelineGraph split =
                VARIANTS.split(Pipelines.parseHere("ordering/refusing")).graph();

        assertThat(split.nodes()).hasSizeGreaterThan(6);
        assertThatThrownBy(() -> Variant.rows(split))
                .isInstanceOf(EngineFailure.class)
                .hasMessageContaining("too large");
    }

    /** What a map makes of a batch as a whole decides how the pipeline is followed: it must be seen as before. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "batches_summed_up",
                "../corpus/map_fn_over_batch",
                "../corpus/ragged_batch_lengths",
                "../corpus/vectorized_map_over_batch",
                "../corpus/views_behind_the_batch"
            })
    void mapsOfBatchesStayWhole(String name) {
        PipelineGraph pipeline = Pipelines.parse(name);
        PipelineGraph joined = new JoinMaps(OPS).apply(VARIANTS.split(pipeline).graph());

        assertThat(PipelineAnalysis.of(joined).sources())
                .isEqualTo(PipelineAnalysis.of(pipeline).sources());
    }

    @Test
    void oneFunctionIsCutWhereOneTensorFlows() {
        assertThat(described("ordering/resnet_one_function"))
                .containsExactly(
                        "everything.1:decode DECODE",
                        "everything.2:random_crop GEOMETRIC",
                        "everything.3:cast ELEMENTWISE",
                        "everything.4:random_flip GEOMETRIC",
                        "everything.5:random_transform GEOMETRIC",
                        "everything.6:transform GEOMETRIC",
                        "everything.7:resize RESAMPLE",
                        "everything.8:sub ELEMENTWISE",
                        "everything.9:cast ELEMENTWISE",
                        "batch_2 BATCH",
                        "prefetch_3 BARRIER");
    }

    @Test
    void noCutComesBetweenTwoReadersOfOneDraw() {
        assertThat(described("ordering/two_views"))
                .containsExactly(
                        "map_1.1:decode DECODE",
                        "map_1.2:cast ELEMENTWISE",
                        "map_1.3:div ELEMENTWISE",
                        "map_1.4:random_resize OPAQUE",
                        "map_1.5:resize RESAMPLE",
                        "batch_2 BATCH");
    }

    @Test
    void aDrawIsNotHandedOn() {
        assertThat(described("ordering/read_twice"))
                .containsExactly(
                        "map_1.1:cast ELEMENTWISE",
                        "map_1.2:mul ELEMENTWISE",
                        "map_1.3:random_affine RANDOM",
                        "map_1.4:exp ELEMENTWISE",
                        "batch_2 BATCH");
    }

    private static List<String> described(String name) {
        return VARIANTS.steps(Pipelines.parseHere(name)).stream()
                .map(step -> step.name() + " " + step.kind())
                .toList();
    }

    /** Three maps of small elements, all of them behind the batch: TensorFlow parses a vector of records at once. */
    @ParameterizedTest
    @ValueSource(
            strings = {"ordering/parse_slice_cast", "ordering/parse_slice_cast_one_function", "ordering/decode_raw"})
    void smallElementsAreMadeByBatches(String name) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        PipelineGraph variant = VARIANTS.apply(pipeline, batchFirst(pipeline));

        assertThat(Variant.rows(variant)).isEqualTo(Variant.rows(pipeline));
        assertThat(VARIANTS.steps(variant).get(0).kind()).hasToString("BATCH");
    }

    /** The batch in front of all that stands in its section. */
    private static Recipe batchFirst(PipelineGraph pipeline) {
        List<List<String>> sections = new ArrayList<>();
        for (List<StepDescription> section : Steps.sections(VARIANTS.steps(pipeline))) {
            List<String> names = new ArrayList<>();
            section.stream().filter(step -> step.kind().name().equals("BATCH")).forEach(step -> names.add(step.name()));
            section.stream()
                    .map(StepDescription::name)
                    .filter(step -> !names.contains(step))
                    .forEach(names::add);
            sections.add(names);
        }
        return new Recipe(sections);
    }

    @Test
    void aResizeTakesBytesWhereTheCastMovesBehindIt() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/normalise_before_resize_one_function");
        PipelineGraph variant = VARIANTS.apply(
                pipeline,
                new Recipe(List.of(List.of(
                        "map_1.1:decode",
                        "map_1.2:crop",
                        "map_1.5:resize",
                        "map_1.3:cast",
                        "map_1.4:affine",
                        "batch_2"))));

        assertThat(VARIANTS.steps(variant).stream()
                        .map(step -> step.before().get(0).type()))
                .startsWith("string", "uint8", "uint8", "float32");
        // scaling behind the resize rounds otherwise: the sums differ by less than a millionth of a grey level
        assertThat(Variant.rows(variant).keySet())
                .isEqualTo(Variant.rows(pipeline).keySet());
    }

    /** The order that Pecan finds for it. A rotation of a smaller picture is another one, but of the same pictures and draws. */
    // of elements 0 to 4, of which the filter keeps 1 and 3, the draw behind it is of 0 and 1
    @Test
    void whatIsDrawnInFrontOfTheBirthOfTicketsFollowsFromHowManyCameBefore() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/drawn_before_children");
        PipelineGraph variant = VARIANTS.apply(
                pipeline, new Recipe(List.of(List.of("map_1", "map_2", "noise.1:cast", "keep", "noise.2:random_add"))));

        assertThat(PipelineAnalysis.of(pipeline).exactlyOnce()).isTrue();
        assertThat(Variant.rows(variant)).isNotEqualTo(Variant.rows(pipeline));
        assertThat(VARIANTS.steps(pipeline))
                .filteredOn(StepDescription::stateful)
                .extracting(StepDescription::name)
                .containsExactly("noise.2:random_add");
        assertThat(VARIANTS.steps(Pipelines.parseHere("draws_in_a_filter"))).noneMatch(StepDescription::stateful);
    }

    @Test
    void wholeTransformationsMoveByTheirNames() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/resnet");
        PipelineGraph variant = VARIANTS.apply(
                pipeline,
                new Recipe(List.of(List.of(
                        "decode",
                        "crop",
                        "resize",
                        "flip",
                        "rotate",
                        "shear",
                        "subtract_mean",
                        "to_half",
                        "batch_9"))));
        Map<Long, List<String>> rows = Variant.rows(variant);
        Map<Long, List<String>> written = Variant.rows(pipeline);

        assertThat(VARIANTS.transformations(variant).get(0).name()).isEqualTo("decode to to_half");
        assertThat(VARIANTS.transformations(pipeline).stream().map(StepDescription::name))
                .startsWith(
                        "decode", "crop", "flip", "rotate", "shear", "resize", "subtract_mean", "to_half", "batch_9");
        assertThat(rows.keySet()).isEqualTo(written.keySet());
        assertThat(rows).isNotEqualTo(written);
        assertThat(variant.components()).isEqualTo(pipeline.components());
    }

    @Test
    void whatPythonReadsIsReadAgain() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/parse_slice_cast");
        PipelineGraph variant = VARIANTS.apply(pipeline, batchFirst(pipeline));
        PipelineGraph again = PipelineGraph.parse(variant.toBytes(), Pipelines.ANY_OP);

        assertThat(again.digest()).isEqualTo(variant.digest());
    }

    // crops, flips, rotations and shears are drawn; the last two steps work on batches, which changes no value
    @Test
    void whatAnotherWorkerReadsDrawsWhatTheUsersDraws() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/resnet");
        PipelineGraph variant = VARIANTS.apply(
                pipeline,
                new Recipe(List.of(List.of(
                        "decode",
                        "crop",
                        "flip",
                        "rotate",
                        "shear",
                        "resize",
                        "batch_9",
                        "subtract_mean",
                        "to_half"))));
        PipelineGraph again = PipelineGraph.parse(variant.toBytes(), Pipelines.ANY_OP);

        assertThat(again.digest()).isEqualTo(variant.digest()).isNotEqualTo(pipeline.digest());
        assertThat(PipelineAnalysis.of(again).transformations())
                .isEqualTo(PipelineAnalysis.of(variant).transformations());
        assertThat(Variant.rows(again)).isNotEmpty().isEqualTo(Variant.rows(pipeline));
    }

    /** Draws of every kind, each in a place of its own: what is cut and read again draws the same. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ordering/resnet_one_function",
                "ordering/two_views",
                "draws_behind_a_batch",
                "draws_in_a_filter",
                "draws_in_loops",
                "draws_of_all_kinds",
                "draws_two_views",
                "jpeg_training"
            })
    void drawsSurviveBeingWrittenDown(String name) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        PipelineGraph joined = new JoinMaps(OPS).apply(VARIANTS.split(pipeline).graph());
        PipelineGraph again = PipelineGraph.parse(joined.toBytes(), Pipelines.ANY_OP);

        assertThat(again.digest()).isEqualTo(joined.digest());
        assertThat(Variant.rows(again)).isEqualTo(Variant.rows(pipeline));
    }

    @Test
    void nothingMovedIsTheUsersOwn() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/filtered");
        List<List<String>> sections = Steps.sections(VARIANTS.steps(pipeline)).stream()
                .map(section -> section.stream().map(StepDescription::name).toList())
                .toList();

        assertThat(VARIANTS.apply(pipeline, new Recipe(sections))).isSameAs(pipeline);
    }

    @Test
    void aRecipeThatCannotBeCarriedOutSaysWhichStepAndWhy() {
        PipelineGraph pipeline = Pipelines.parseHere("ordering/resnet");

        assertThatThrownBy(() -> VARIANTS.apply(pipeline, batchFirst(pipeline)))
                .isInstanceOf(RefusedRecipe.class)
                .hasMessage("decode: DecodeJpeg has no rule for batches as it is used here");
        assertThatThrownBy(() -> VARIANTS.apply(pipeline, new Recipe(List.of(List.of("resize", "no_such_step")))))
                .isInstanceOf(RefusedRecipe.class)
                .hasMessage("the pipeline has no step no_such_step");
        assertThatThrownBy(() -> VARIANTS.apply(pipeline, new Recipe(List.of(List.of("resize", "flip")))))
                .isInstanceOf(RefusedRecipe.class)
                .hasMessage("the recipe leaves out rotate, shear, which stands between steps that it orders");
    }

    @Test
    void aPinnedStepIsABarrier() {
        List<StepDescription> steps = VARIANTS.steps(Pipelines.parseHere("ordering/filtered"));

        assertThat(steps).anySatisfy(step -> {
            assertThat(step.name()).isEqualTo("keep_position_double");
            assertThat(step.isBarrier()).isTrue();
        });
        assertThat(new SplitMaps(OPS)
                        .apply(Pipelines.parseHere("ordering/filtered"))
                        .names())
                .containsValue("keep_position_double");
        assertThat(Collections.max(
                        Steps.sections(steps).stream().map(List::size).toList()))
                .isLessThan(steps.size() - 2);
    }
}
