package io.praline.worker.graph.ordering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.DeclaredOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Written;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a pipeline is in the order of a recipe, or why it cannot be: its steps, what they do and yield. */
class RecipesTest {
    private static final Variants VARIANTS = new Variants(new DeclaredOps());

    private static Recipe recipe(String... sections) {
        return new Recipe(Stream.of(sections)
                .map(section -> List.of(section.split(" ", -1)))
                .toList());
    }

    private static List<String> ordered(Written written, String... sections) {
        return Written.shown(VARIANTS.apply(written.graph(), recipe(sections)));
    }

    private static void refused(String why, Written written, String... sections) {
        PipelineGraph graph = written.graph();
        assertThatThrownBy(() -> VARIANTS.apply(graph, recipe(sections)))
                .isInstanceOf(RefusedRecipe.class)
                .hasMessage(why);
    }

    private static Written table() {
        return Written.of("float32[4,5]");
    }

    private static Written expThenNeg() {
        return table().map("a = Exp x", "-> a").map("a = Neg x", "-> a");
    }

    // ---- one section

    @Test
    void stepsRunInTheOrderThatIsSaid() {
        assertThat(ordered(expThenNeg(), "map_2 map_1")).containsExactly("map_2 to map_1 Exp(Neg(x)) : float32[4,5]");
        assertThat(ordered(
                        table().map("a = Exp x", "-> a").filter("m = Max x [0,1]", "c = Less m 9.0", "-> c"),
                        "filter_2 map_1"))
                .containsExactly(
                        "filter_2 where Less(Max(x, [0,1]), 9.0) : float32[4,5]", "map_1 Exp(x) : float32[4,5]");
    }

    @Test
    void piecesOfAFunctionMoveByTheirNamesAndAllOfThemByItsOwn() {
        Written written = table().map("a = Exp x", "b = Neg a", "-> b").map("a = Abs x", "-> a");

        assertThat(ordered(written, "map_1.2:neg map_1.1:exp"))
                .containsExactly("map_1.2:neg to map_2 Abs(Exp(Neg(x))) : float32[4,5]");
        assertThat(ordered(written, "map_2 map_1"))
                .containsExactly("map_2 to map_1.2:neg Neg(Exp(Abs(x))) : float32[4,5]");
    }

    @Test
    void eachSectionHasItsOwnOrder() {
        Written written = table().map("a = Exp x", "-> a")
                .map("a = Neg x", "-> a")
                .prefetch()
                .map("a = Abs x", "-> a")
                .map("a = Exp x", "-> a");

        assertThat(ordered(written, "map_2 map_1", "map_5 map_4"))
                .containsExactly(
                        "map_2 to map_1 Exp(Neg(x)) : float32[4,5]",
                        "prefetch_3 PrefetchDataset : float32[4,5]",
                        "map_5 to map_4 Abs(Exp(x)) : float32[4,5]");
        assertThat(ordered(written, "map_5 map_4"))
                .containsExactly(
                        "map_1 to map_2 Neg(Exp(x)) : float32[4,5]",
                        "prefetch_3 PrefetchDataset : float32[4,5]",
                        "map_5 to map_4 Abs(Exp(x)) : float32[4,5]");
    }

    @Test
    void whereNothingMovesItIsTheUsersOwn() {
        PipelineGraph graph = expThenNeg().graph();

        assertThat(VARIANTS.apply(graph, recipe("map_1 map_2"))).isSameAs(graph);
        assertThat(VARIANTS.apply(graph, new Recipe(List.of(List.of())))).isSameAs(graph);
        assertThat(VARIANTS.apply(graph, new Recipe(List.of()))).isSameAs(graph);
    }

    // ---- other types

    // a row of bytes turned round is one of fractions turned round
    @Test
    void whatCopiesValuesTakesThemAsTheyCome() {
        assertThat(ordered(
                        Written.of("uint8[4,5]")
                                .map("a = Cast x DstT=float32", "-> a")
                                .map("a = ReverseV2 x [0]", "-> a"),
                        "map_2 map_1"))
                .containsExactly("map_2 to map_1 Cast<float32>(ReverseV2(x, [0])) : float32[4,5]");
        refused(
                "map_2: Exp cannot be given other types without calculating otherwise",
                Written.of("uint8[4,5]").map("a = Cast x DstT=float32", "-> a").map("a = Exp x", "-> a"),
                "map_2 map_1");
    }

    @Test
    void theSectionGivesWhatItGave() {
        refused(
                "in that order the section gives [TensorSpec[type=float16, shape=Optional[[4, 5]]]], not"
                        + " [TensorSpec[type=float32, shape=Optional[[4, 5]]]]",
                table().map("a = Cast x DstT=float16", "-> a").map("a = Cast x DstT=float32", "-> a"),
                "map_2 map_1");
        refused(
                "map_2: it takes 2 components and would be given 1",
                table().map("a = Exp x", "-> a x").map("a = Exp y", "-> a x"),
                "map_2 map_1");
        refused(
                "map_1: it takes 1 components and would be given 2",
                table().map("a = Exp x", "-> a").map("a = Exp x", "-> a x"),
                "map_2 map_1");
    }

    // ---- behind the batch

    @Test
    void whatStandsBehindTheBatchWorksOnBatches() {
        assertThat(ordered(table().map("a = AddV2 x 1.0", "-> a").batch(2, true), "batch_2 map_1"))
                .containsExactly("batch_2 BatchDatasetV2 : float32[2,4,5]", "map_1 AddV2(x, 1.0) : float32[2,4,5]");
        assertThat(ordered(table().map("a = AddV2 x 1.0", "-> a").batch(2, false), "batch_2 map_1"))
                .containsExactly("batch_2 BatchDatasetV2 : float32[-1,4,5]", "map_1 AddV2(x, 1.0) : float32[-1,4,5]");
        assertThat(ordered(
                        table().map("a = ReverseV2 x [0]", "-> a")
                                .map("a = Exp x", "-> a")
                                .batch(2, true),
                        "map_2 batch_3 map_1"))
                .containsExactly(
                        "map_2 Exp(x) : float32[4,5]",
                        "batch_3 BatchDatasetV2 : float32[2,4,5]",
                        "map_1 ReverseV2(x, [1]) : float32[2,4,5]");
    }

    @Test
    void oneOfItsMapsBehindAnotherIsOneOfBatches() {
        assertThat(ordered(
                        table().map("a = ReverseV2 x [0]", "-> a")
                                .map("a = ReverseV2 x [1]", "-> a")
                                .batch(2, true),
                        "batch_3 map_2 map_1"))
                .containsExactly(
                        "batch_3 BatchDatasetV2 : float32[2,4,5]",
                        "map_2 to map_1 ReverseV2(ReverseV2(x, [2]), [1]) : float32[2,4,5]");
    }

    @Test
    void whatTakesBatchesStaysBehindTheirBatch() {
        Written written = table().map("a = Exp x", "-> a").batch(2, true).map("a = Neg x", "-> a");

        refused("map_3 works on batches and cannot stand in front of batch_2", written, "map_1 map_3 batch_2");
        assertThat(ordered(written, "batch_2 map_1 map_3"))
                .containsExactly(
                        "batch_2 BatchDatasetV2 : float32[2,4,5]",
                        "map_1 Exp(x) : float32[2,4,5]",
                        "map_3 Neg(x) : float32[2,4,5]");
        refused(
                "map_1: it would stand behind a step of which only whole batches are known",
                written,
                "batch_2 map_3 map_1");
    }

    @Test
    void aFilterTakesSingleElements() {
        refused(
                "filter_1: a filter takes single elements and cannot stand behind the batch",
                table().filter("m = Max x [0,1]", "c = Less m 9.0", "-> c").batch(2, true),
                "batch_2 filter_1");
    }

    @Test
    void elementsOfABatchHaveOneShape() {
        refused(
                "batch_2: elements need not have one shape in front of it: [TensorSpec[type=float32,"
                        + " shape=Optional[[-1]]]]",
                Written.of("float32[-1]").map("a = Exp x", "-> a").batch(2, true),
                "batch_2 map_1");
    }

    @Test
    void onlyOneBatchIsMovedPast() {
        refused(
                "batch_2 and batch_3 both make batches, and only one can be moved past",
                table().map("a = Exp x", "-> a").batch(2, true).batch(3, true),
                "batch_2 batch_3 map_1");
    }

    // ---- padded

    @Test
    void aBatchThatPadsNothingIsOneWithoutPadding() {
        assertThat(ordered(table().map("a = Exp x", "-> a").paddedBatch(2, "[4,5]"), "padded_batch_2 map_1"))
                .containsExactly("padded_batch_2 BatchDatasetV2 : float32[-1,4,5]", "map_1 Exp(x) : float32[-1,4,5]");
        refused(
                "padded_batch_2: behind it elements have no longer shapes of their own, which a step needs",
                table().map("a = Exp x", "-> a").paddedBatch(2, "[4,6]"),
                "padded_batch_2 map_1");
        refused(
                "padded_batch_2: behind it elements have no longer shapes of their own, which a step needs",
                Written.of("float32[-1]").map("a = Exp x", "-> a").paddedBatch(2, "[-1]"),
                "padded_batch_2 map_1");
    }

    @Test
    void paddingStaysWhereOnlyWhatStandsInFrontOfItMoves() {
        Written written = Written.of("float32[-1]")
                .map("a = Exp x", "-> a")
                .map("a = Neg x", "-> a")
                .paddedBatch(2, "[7]");

        assertThat(ordered(written, "map_2 map_1 padded_batch_3"))
                .containsExactly(
                        "map_2 to map_1 Exp(Neg(x)) : float32[-1]",
                        "padded_batch_3 PaddedBatchDatasetV2 : float32[-1,7]");
        refused(
                "padded_batch_3: its padding has types of its own, which would differ from the elements'",
                Written.of("float32[-1]")
                        .map("a = Cast x DstT=float16", "-> a")
                        .map("a = Cast x DstT=float32", "-> a")
                        .paddedBatch(2, "[7]"),
                "map_2 map_1 padded_batch_3");
    }

    // ---- batches made for some steps alone

    @Test
    void stepsBetweenSignsWorkOnBatchesOfTheirOwn() {
        assertThat(ordered(expThenNeg(), "[128 map_1 ] map_2"))
                .containsExactly(
                        "BatchDatasetV2 : float32[-1,4,5]",
                        "map_1 Exp(x) : float32[-1,4,5]",
                        "UnbatchDataset : float32[4,5]",
                        "map_2 Neg(x) : float32[4,5]");
        assertThat(ordered(expThenNeg(), "map_1 [128 map_2 ]"))
                .containsExactly(
                        "map_1 Exp(x) : float32[4,5]",
                        "BatchDatasetV2 : float32[-1,4,5]",
                        "map_2 Neg(x) : float32[-1,4,5]",
                        "UnbatchDataset : float32[4,5]");
        assertThat(ordered(
                        table().map("a = ReverseV2 x [0]", "-> a")
                                .map("a = Neg x", "-> a")
                                .batch(2, false),
                        "[64 map_2 map_1 ] batch_3"))
                .containsExactly(
                        "BatchDatasetV2 : float32[-1,4,5]",
                        "map_2 to map_1 ReverseV2(Neg(x), [1]) : float32[-1,4,5]",
                        "UnbatchDataset : float32[4,5]",
                        "batch_3 BatchDatasetV2 : float32[-1,4,5]");
    }

    @Test
    void earlyBatchesAreOfElementsOfOneShapeThatHaveValues() {
        for (String shape : List.of("[-1]", "[0,5]")) {
            refused(
                    "in front of map_1 elements need not have one shape, or have no values: [TensorSpec[type=float32,"
                            + " shape=Optional[" + shape.replace(",", ", ") + "]]]",
                    Written.of("float32" + shape).map("a = Exp x", "-> a"),
                    "[128 map_1 ]");
        }
        refused(
                "in front of map_2 elements need not have one shape, or have no values: [TensorSpec[type=float32,"
                        + " shape=Optional[[2, 4, 5]]]]",
                table().batch(2, true).map("a = Exp x", "-> a"),
                "[128 map_2 ]");
        refused(
                "what stands behind batch_1 works on its batches and needs no others",
                table().batch(2, true).map("a = Exp x", "-> a"),
                "batch_1 [128 map_2 ]");
    }

    @Test
    void signsBelongTogether() {
        refused("the recipe does not say where its early batch of 128 ends", expThenNeg(), "map_1 [128 map_2");
        refused("the pipeline has no step ]", expThenNeg(), "map_1 ] map_2");
        refused("the pipeline has no step ]", expThenNeg(), "[128 ] map_1 ] map_2");
        refused("the pipeline has no step [4", expThenNeg(), "[128 [4 map_1 ] map_2");
        refused("the pipeline has no step [0", expThenNeg(), "[0 map_1 map_2");
        refused("the pipeline has no step [1000000", expThenNeg(), "[1000000 map_1 map_2");
    }

    @Test
    void aSectionIsReadAsItsStepsAndTheSignsBetweenThem() {
        assertThat(Recipe.Section.of(List.of("a", "[8", "b", "c", "]", "[9", "d", "]"), Set.of()))
                .isEqualTo(new Recipe.Section(
                        List.of("a", "b", "c", "d"), List.of(new Recipe.Early(8, 1, 3), new Recipe.Early(9, 3, 4))));
        // whoever called his steps so meant no sign
        assertThat(Recipe.Section.of(List.of("[8", "a", "]"), Set.of("[8", "]")))
                .isEqualTo(new Recipe.Section(List.of("[8", "a", "]"), List.of()));
    }

    // ---- shapes that are said

    // of a picture that is cut by a draw only its user knows how large it is
    @Test
    void aShapeThatIsSaidHoldsInAnotherOrder() {
        Written written = Written.of("float32[?]")
                .map("a = Exp x", "-> a")
                .saying("float32[4,5]")
                .map("a = Neg x", "-> a")
                .batch(2, true);

        assertThat(ordered(written, "map_2 map_1 batch_3"))
                .containsExactly("map_2 to map_1 Exp(Neg(x)) : float32[?]", "batch_3 BatchDatasetV2 : float32[2,4,5]");
        assertThat(ordered(written, "map_1 batch_3 map_2"))
                .containsExactly(
                        "map_1 EnsureShape<shape=[4,5]>(Exp(x)) : float32[4,5]",
                        "batch_3 BatchDatasetV2 : float32[2,4,5]",
                        "map_2 Neg(x) : float32[2,4,5]");
    }

    // ---- what is chosen by a draw

    private static final String[] RESIZED = {
        "e = ExpandDims x 0", "r = ResizeBilinear e [2,3]", "a = Squeeze r squeeze_dims=[0]", "-> a"
    };

    /** By a draw it is turned round, or not, of which Python wrote down how large it was then. */
    private static String[] turned(String branch, String sizes) {
        return new String[] {
            "d = RandomUniform [] dtype=float32",
            "c = Less d 0.5",
            "a = StatelessIf c x Tout={float32} then_branch=@" + branch + " else_branch=@same output_shapes={<" + sizes
                    + ">}",
            "-> a"
        };
    }

    private static Written pictures(String shape) {
        return Written.of("float32" + shape)
                .function("turn", List.of("float32"), "b = ReverseV2 a [1]", "-> b")
                .function("same", List.of("float32"), "-> a");
    }

    private static List<String> yielded(List<String> steps) {
        return steps.stream().map(step -> step.replaceFirst(" .* : ", " ")).toList();
    }

    @Test
    void whatIsChosenIsAsLargeAsWhatItIsChosenFrom() {
        assertThat(ordered(pictures("[4,6,3]").map(turned("turn", "4,6,3")).map(RESIZED), "map_2 map_1"))
                .singleElement()
                .asString()
                .startsWith("map_2 to map_1 StatelessIf<")
                .contains("output_shapes=[2,3,3]")
                .endsWith(" : float32[2,3,3]");
        assertThat(yielded(ordered(
                        pictures("[-1,-1,3]")
                                .map(RESIZED)
                                .map(turned("turn", "2,3,3"))
                                .filter("m = Max x [0,1,2]", "c = Less m 9.0", "-> c"),
                        "map_2 filter_3 map_1")))
                .containsExactly("map_2 float32[-1,-1,3]", "filter_3 float32[-1,-1,3]", "map_1 float32[2,3,3]");
    }

    @Test
    void whatIsChosenWithinABranchIsTold() {
        Written written = pictures("[4,6,3]")
                .function(
                        "chosen",
                        List.of("float32"),
                        "c = Less 1.0 2.0",
                        "b = StatelessIf c a Tout={float32} then_branch=@turn else_branch=@same"
                                + " output_shapes={<4,6,3>}",
                        "-> b");

        assertThat(ordered(written.map(turned("chosen", "4,6,3")).map(RESIZED), "map_2 map_1"))
                .singleElement()
                .asString()
                .contains("then_branch=chosen_sized", "output_shapes=[2,3,3]")
                .endsWith(" : float32[2,3,3]");
    }

    // cut by a draw it is as large as its user says, whom nothing contradicts
    @Test
    void whereNothingElseIsGivenWhatIsSaidOfAChoiceStays() {
        Written written = pictures("[-1,-1,3]")
                .map("a = Exp x", "-> a")
                .map("a = Neg x", "-> a")
                .map(turned("turn", "4,6,3"));

        assertThat(ordered(written, "map_2 map_1 map_3"))
                .singleElement()
                .asString()
                .contains("output_shapes=[4,6,3]");
    }

    // one gives a row more
    @Test
    void ofBranchesThatGiveDifferentSizesNoneIsSaid() {
        Written written = pictures("[4,6,3]")
                .function("longer", List.of("float32"), "b = ConcatV2 a a 0", "-> b")
                .map(turned("longer", "-1,6,3"))
                .map(RESIZED);

        assertThat(ordered(written, "map_2 map_1")).singleElement().asString().contains("output_shapes=[-1,3,3]");
    }

    // ---- what a recipe must name

    @Test
    void aRecipeNamesEachStepOnceAndNoneThatStandsStill() {
        refused("the recipe names the step map_1 twice", expThenNeg(), "map_1 map_2 map_1");
        refused("the recipe names the step map_1 twice", expThenNeg(), "map_1 map_2", "map_1");
        refused("the pipeline has no step map_7", expThenNeg(), "map_7 map_1");
        refused("prefetch_3 is a barrier, nothing moves past it", expThenNeg().prefetch(), "map_1 prefetch_3 map_2");
        refused(
                "keep_position_1 is a barrier, nothing moves past it",
                table().named("keep_position_1").map("a = Exp x", "-> a").map("a = Neg x", "-> a"),
                "map_2 keep_position_1");
        refused(
                "the recipe leaves out map_2, which stands between steps that it orders",
                expThenNeg().map("a = Abs x", "-> a"),
                "map_3 map_1");
    }
}
