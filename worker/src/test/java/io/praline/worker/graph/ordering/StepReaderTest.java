package io.praline.worker.graph.ordering;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DeclaredOps;
import io.praline.worker.graph.Written;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a step, by what its function does with an element {@code x}, or {@code (x, y)}. */
class StepReaderTest {
    private static final String BRANCH = "float32";

    private static StepDescription step(Written written) {
        List<StepDescription> steps = new Variants(new DeclaredOps()).transformations(written.graph());
        return steps.get(steps.size() - 1);
    }

    private static Written table() {
        return Written.of("float32[4,5]");
    }

    private static Written pair() {
        return Written.of("float32[4,5]", "float32[4,5]");
    }

    private static Written picture() {
        return Written.of("float32[4,5,3]");
    }

    /** Its kind, and what else is true of it. */
    private static String told(Written written) {
        StepDescription step = step(written);
        List<String> told = new ArrayList<>(List.of(step.kind().name()));
        if (step.draws()) {
            told.add("draws");
        }
        if (step.drawsFromShape()) {
            told.add("from a shape");
        }
        if (step.stateful()) {
            told.add("stateful");
        }
        if (step.mayFail()) {
            told.add("may fail");
        }
        if (step.ops().stream().anyMatch(op -> op.settings().containsKey("single_elements"))) {
            told.add("by single elements");
        }
        return String.join(", ", told);
    }

    private static String moved(Written written) {
        StepDescription step = step(written);
        return step.reads() + " to " + step.writes() + (step.restructures() ? " otherwise" : "");
    }

    // ---- kinds

    @ParameterizedTest
    @CsvSource({
        "a = Exp x, ELEMENTWISE",
        "a = ReverseV2 x [0], GEOMETRIC",
        "a = ExpandDims x 0, GEOMETRIC",
        "a = Sum x [0], REDUCE",
        "a = Cast x DstT=float16, ELEMENTWISE",
    })
    void ofOneOpItIsWhatThatDoes(String line, String kind) {
        assertThat(told(table().map(line, "-> a"))).isEqualTo(kind);
    }

    @Test
    void whatIsNamedBySeveralKindsIsUnderstoodWhereTheyMakeOne() {
        assertThat(told(table().map("a = Exp x", "b = Sum a [0]", "-> b"))).isEqualTo("REDUCE");
        assertThat(told(picture().map("a = Mul x 0.5", "b = AdjustHue a 0.1", "-> b")))
                .isEqualTo("COLOUR");
        assertThat(told(table().map("a = Exp x", "b = ReverseV2 a [0]", "-> b")))
                .isEqualTo("OPAQUE, may fail");
        assertThat(told(picture().map("a = AdjustHue x 0.1", "b = Sum a [0]", "-> b")))
                .isEqualTo("OPAQUE, may fail");
        assertThat(told(Written.of("string").map("a = DecodeRaw x out_type=float32", "b = Reshape a [4,5]", "-> b")))
                .isEqualTo("DECODE, may fail");
        assertThat(told(Written.of("string").map("a = DecodeRaw x out_type=float32", "b = ReverseV2 a [0]", "-> b")))
                .isEqualTo("OPAQUE, may fail");
        // it only changes how its values are counted
        assertThat(told(table().map("a = Exp x", "b = ExpandDims a 0", "-> b"))).isEqualTo("ELEMENTWISE");
        assertThat(told(pair().map("-> y x"))).isEqualTo("ELEMENTWISE");
    }

    @Test
    void whatNothingHereUnderstandsIsOpaque() {
        assertThat(told(table().map("a = Range 0 3 1", "b = Cast a DstT=float32", "-> b")))
                .isEqualTo("OPAQUE, may fail");
        assertThat(told(table().map("a = Size x out_type=int32", "-> a"))).isEqualTo("OPAQUE, may fail");
        assertThat(told(table().map("-> 3"))).isEqualTo("OPAQUE, may fail");
    }

    @Test
    void severalOfAnElementsMakeOneValueByValueOnly() {
        assertThat(told(pair().map("a = AddV2 x y", "-> a"))).isEqualTo("ELEMENTWISE");
        assertThat(told(pair().map("a = Pack x y", "-> a"))).isEqualTo("GEOMETRIC");
        assertThat(told(pair().map("a = ConcatV2 x y 0", "-> a"))).isEqualTo("GEOMETRIC");
        assertThat(told(Written.of("float32[4,5]", "int32[1]").map("a = ReverseV2 x y", "-> a")))
                .isEqualTo("OPAQUE, may fail");
    }

    // where values are taken is told by the element, or by a table
    @Test
    void whatAnElementLooksUpIsWhatBecomesOfItsValue() {
        assertThat(told(Written.of("int32").map("a = GatherV2 [7,8,9] x 0", "-> a")))
                .isEqualTo("ELEMENTWISE, may fail");
        assertThat(told(table().map("a = GatherV2 x [0,1] 0", "-> a"))).isEqualTo("GEOMETRIC");
        assertThat(told(Written.of("int32[1]").map("a = Slice [7,8,9] x [2]", "-> a")))
                .isEqualTo("OPAQUE, may fail");
    }

    @Test
    void aPartOfThreeIsACopy() {
        assertThat(told(Written.of("float32[6]").map("a = Split 0 x num_split=3", "-> a a:1 a:2")))
                .isEqualTo("GEOMETRIC");
    }

    // ---- draws

    @Test
    void whatIsCalculatedWithADrawIsRandomAndWhatOneMovesIsNot() {
        assertThat(told(table().map("r = RandomUniform [] dtype=float32", "a = Mul x r", "-> a")))
                .isEqualTo("RANDOM, draws");
        assertThat(told(table().map("r = RandomUniform [1] dtype=int32", "a = ReverseV2 x r", "-> a")))
                .isEqualTo("GEOMETRIC, draws, may fail");
        assertThat(told(table().map("r = RandomUniform [] dtype=float32", "-> r")))
                .isEqualTo("RANDOM, draws");
    }

    @Test
    void aDrawBelowAnElementsValueIsRandom() {
        assertThat(told(Written.of("int32").map("r = RandomUniformInt [] 0 x", "-> r")))
                .isEqualTo("RANDOM, draws, from a shape, may fail");
    }

    @Test
    void aDrawOfAnElementsSizeFollowsFromItsShape() {
        assertThat(told(Written.of("float32[-1,5]")
                        .map("s = Shape x out_type=int32", "r = RandomUniform s dtype=float32", "a = Mul x r", "-> a")))
                .startsWith("RANDOM, draws, from a shape");
        assertThat(told(Written.of("float32[-1,5]")
                        .map(
                                "s = Shape x out_type=int32",
                                "r = RandomUniform [2] dtype=int32",
                                "p = FloorDiv s r",
                                "a = ReverseV2 x p",
                                "-> a")))
                .contains("from a shape");
        assertThat(told(table().map(
                                "r = RandomUniform [] dtype=float32",
                                "a = Mul x r",
                                "b = Shape a out_type=int32",
                                "-> b")))
                .doesNotContain("from a shape");
    }

    @Test
    void aDrawThatChoosesBetweenTwoPicturesLeavesTheirValues() {
        String[] draw = {"r = RandomUniform [] dtype=float32", "c = Less r 0.5"};
        assertThat(told(pair().map(draw[0], draw[1], "a = SelectV2 c x y", "-> a y")))
                .isEqualTo("GEOMETRIC, draws");
        // of each of their values another
        assertThat(told(pair().map("r = RandomUniform [4,5] dtype=float32", draw[1], "a = SelectV2 c x y", "-> a y")))
                .isEqualTo("RANDOM, draws");
        assertThat(told(pair().map(draw[0], draw[1], "a = SelectV2 c x 0.0", "-> a y")))
                .isEqualTo("RANDOM, draws");
        assertThat(told(pair().map("a = SelectV2 true x y", "-> a y"))).isEqualTo("ELEMENTWISE");
    }

    // ---- branches

    private static Written choosing(Written written, String... lines) {
        return written.function("neg", List.of(BRANCH), "r = Neg a", "-> r")
                .function("turn", List.of(BRANCH), "r = ReverseV2 a [0]", "-> r")
                .function("same", List.of(BRANCH), "r = Identity a", "-> r")
                .function("other", List.of(BRANCH), "-> 1.0")
                .map(lines);
    }

    private static Written drawn(String then, String otherwise) {
        return choosing(
                table(),
                "r = RandomUniform [] dtype=float32",
                "c = Less r 0.5",
                "a = StatelessIf c x Tout={float32} then_branch=@" + then + " else_branch=@" + otherwise,
                "-> a");
    }

    @Test
    void whatADrawChoosesIsWhatItsBranchesDo() {
        assertThat(told(drawn("neg", "same"))).isEqualTo("ELEMENTWISE, draws");
        assertThat(told(drawn("same", "same"))).isEqualTo("GEOMETRIC, draws");
        assertThat(told(drawn("turn", "same"))).isEqualTo("GEOMETRIC, draws");
        assertThat(told(drawn("neg", "turn"))).isEqualTo("OPAQUE, draws, may fail");
        assertThat(told(drawn("neg", "other"))).isEqualTo("OPAQUE, draws, may fail");
        assertThat(told(choosing(
                        table(),
                        "r = RandomUniform [] dtype=float32",
                        "i = Cast r DstT=int32",
                        "a = StatelessCase i x Tout={float32} branches={@neg,@same,@neg}",
                        "-> a")))
                .isEqualTo("ELEMENTWISE, draws");
    }

    @Test
    void whatTheElementChoosesIsUnderstoodByNothing() {
        assertThat(told(choosing(
                        table(),
                        "m = Max x [0,1]",
                        "c = Less m 0.5",
                        "a = StatelessIf c x Tout={float32} then_branch=@neg else_branch=@same",
                        "-> a")))
                .isEqualTo("OPAQUE, may fail");
        assertThat(told(choosing(
                        table(),
                        "m = Size x out_type=int32",
                        "c = Less m 5",
                        "a = StatelessIf c x Tout={float32} then_branch=@neg else_branch=@same",
                        "-> a")))
                .isEqualTo("OPAQUE, may fail");
        assertThat(told(choosing(
                        table(),
                        "r = RandomUniform [] dtype=float32",
                        "c = Less r 0.5",
                        "a = StatelessIf c x 1.0 Tout={float32} then_branch=@neg else_branch=@same",
                        "-> a")))
                .isEqualTo("OPAQUE, draws, may fail");
    }

    // ---- what else it does

    @Test
    void whatIsCheckedMayFail() {
        assertThat(told(table().map(
                                "m = Max x [0,1]",
                                "ok = Less m 9.0",
                                "check = Assert ok 'large'",
                                "a = Exp x ^check",
                                "-> a")))
                .contains("may fail");
        assertThat(told(table().map("a = Exp x", "-> a"))).doesNotContain("may fail");
    }

    @Test
    void whatReadsAVariableIsStateful() {
        assertThat(told(table().capturing(SplitMapsTest.handle())
                        .map("r = ReadVariableOp k dtype=float32", "a = Mul x r", "-> a")))
                .startsWith("STATEFUL, stateful");
    }

    @Test
    void aFilterIsOneWhateverItLooksAt() {
        StepDescription step = step(pair().filter("m = Max x [0,1]", "ok = Less m 9.0", "-> ok"));

        assertThat(step.kind()).isEqualTo(StepKind.FILTER);
        assertThat(List.of(step.reads(), step.writes())).isEqualTo(List.of(List.of(0), List.of()));
        assertThat(step.restructures()).isFalse();
        assertThat(step.after()).isEqualTo(step.before());
        assertThat(moved(Written.of("float32", "bool").filter("-> y"))).isEqualTo("[1] to []");
    }

    // ---- which components

    @Test
    void whatIsReadAndWrittenIsToldByItsPlace() {
        assertThat(moved(pair().map("a = Exp x", "-> a y"))).isEqualTo("[0] to [0]");
        assertThat(moved(pair().map("b = AddV2 x y", "-> x b"))).isEqualTo("[0, 1] to [1]");
        assertThat(moved(pair().map("-> y x"))).isEqualTo("[0, 1] to [0, 1] otherwise");
        assertThat(moved(pair().map("-> x"))).isEqualTo("[] to [] otherwise");
        assertThat(moved(pair().map("-> x x"))).isEqualTo("[0] to [1] otherwise");
        assertThat(moved(table().map("a = Exp x", "-> x a"))).isEqualTo("[0] to [1] otherwise");
        assertThat(moved(pair().map("a = Exp y", "-> x a"))).isEqualTo("[1] to [1]");
    }

    // ---- of single elements

    @Test
    void whatHasNoRuleForBatchesSaysSo() {
        assertThat(told(table().map("s = Neg [20]", "n = Neg s", "a = Reshape x n", "-> a")))
                .contains("by single elements");
        assertThat(told(table().map("a = Reshape x [20]", "-> a"))).doesNotContain("by single elements");
    }

    // ---- what is no map

    @Test
    void theBatchAndWhatNothingMovesPastAreToldByTheirOps() {
        StepDescription batch = step(pair().batch(4, true));
        StepDescription ahead = step(pair().prefetch());

        assertThat(batch.kind()).isEqualTo(StepKind.BATCH);
        assertThat(batch.ops().get(0).settings()).isEqualTo(Map.of("batch_size", "4", "drop_remainder", "true"));
        assertThat(batch.ops().get(0).inputTypes()).containsExactly("float32", "float32");
        assertThat(List.of(batch.reads(), batch.writes())).isEqualTo(List.of(List.of(0, 1), List.of(0, 1)));
        assertThat(batch.mayFail()).isFalse();
        assertThat(batch.isBarrier()).isFalse();
        assertThat(step(Written.of("float32[-1]").batch(4, true)).mayFail()).isTrue();
        assertThat(ahead.kind()).isEqualTo(StepKind.BARRIER);
        assertThat(List.of(ahead.reads(), ahead.writes())).isEqualTo(List.of(List.of(0, 1), List.of()));
        assertThat(ahead.mayFail()).isTrue();
        assertThat(ahead.isBarrier()).isTrue();
    }

    @Test
    void aSectionEndsWhereNothingMovesPast() {
        List<StepDescription> steps = new Variants(new DeclaredOps())
                .transformations(table().prefetch()
                        .map("a = Exp x", "-> a")
                        .named("keep_position_1")
                        .map("a = Exp x", "-> a")
                        .map("a = Neg x", "-> a")
                        .batch(2, false)
                        .prefetch()
                        .graph());

        assertThat(Steps.sections(steps).stream()
                        .map(section ->
                                section.stream().map(StepDescription::name).toList()))
                .containsExactly(List.of("map_2"), List.of("map_4", "batch_5"));
    }
}
