package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.EngineStart;
import io.praline.worker.attempt.RehearsedJob.Course;
import io.praline.worker.attempt.RehearsedJob.Outcome;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Elements that fail and are passed over, where functions make several elements of one: two splits of the integers 1 to 20. */
class SkippedInFunctionsTest {
    private static TensorFlowOps ops;

    @BeforeAll
    static void loadTensorFlow() {
        ops = EngineStart.warm();
    }

    private static IntegerGraph integers() {
        return IntegerGraph.range(1, 21, 1);
    }

    private static List<Split> splits() {
        return LongStream.of(1, 11)
                .mapToObj(from -> Split.newBuilder()
                        .setKind(SplitKind.INTEGERS)
                        .setSource(0)
                        .setPaths(List.of())
                        .setFrom(from)
                        .setUntil(from + 10)
                        .setStep(1)
                        .setBytes(0)
                        .setRecords(10L)
                        .build())
                .toList();
    }

    private static Outcome run(IntegerGraph graph) {
        return run(graph, 100);
    }

    private static Outcome run(IntegerGraph graph, int skipBad) {
        PipelineGraph parsed = PipelineGraph.parse(graph.bytes(), ops);
        KnownPipeline known = new KnownPipeline(parsed, PipelineAnalysis.of(parsed));
        return RehearsedJob.run(known, splits(), new Course(2, List.of(1), false), skipBad);
    }

    private static void passesOver(IntegerGraph graph, LongStream all, LongPredicate bad) {
        List<Long> expected = all.boxed().toList();
        Outcome outcome = run(graph);
        assertThat(outcome.values())
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream().filter(value -> !bad.test(value)).toList());
        assertThat(outcome.bad()).isEqualTo(expected.stream().filter(bad::test).count());
    }

    @Test
    void rowsOfBatchesAndOfGroupsThatFailInsideAFunctionAreLeftOut() {
        LongPredicate fifth = n -> n % 5 == 0;
        passesOver(
                integers().shuffle(10, 3).batch(4, false).failingRows(5).batch(4, false),
                LongStream.range(1, 21),
                fifth);
        passesOver(integers().failingGroups(2, 4, 5), LongStream.range(1, 21), fifth);
    }

    @Test
    void whatFailsInAStepThatMapsAndBatchesIsLeftOut() {
        passesOver(integers().failingAsBatched(5, 4), LongStream.range(1, 21), n -> n % 5 == 0);
    }

    // one by itself makes no batch where short ones are dropped
    @Test
    void theRecordThatFailsInWholeBatchesIsNamedWhereNoneIsPassedOver() {
        assertThatThrownBy(() -> run(integers().batch(4, true).failing(7), 0))
                .hasMessageContaining("integer 7 cannot be processed");
    }

    // a batch of four takes three good ones along, which come with others
    @Test
    void goodElementsOfABatchThatFailsAreReadAgain() {
        LongPredicate fifth = n -> n % 5 == 0;
        passesOver(integers().batch(4, false).failing(5), LongStream.range(1, 21), fifth);
        passesOver(integers().affine(1, 0, false).batch(7, false).failing(5), LongStream.range(1, 21), fifth);
        passesOver(integers().shuffle(10, 3).batch(16, false).failing(2), LongStream.range(1, 21), n -> n % 2 == 0);
    }

    // the 16 good ones fill four; a bad one that is left over is dropped like any other, and fails nobody
    @Test
    void goodElementsOfABatchThatFailsFillOthersWhereShortOnesAreDropped() {
        Outcome outcome = run(integers().batch(4, true).failing(5));
        assertThat(outcome.values())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(1, 21).filter(n -> n % 5 != 0).boxed().toList());
        assertThat(outcome.bad()).isBetween(1L, 4L);
    }

    /** Each repetition is an epoch, and what fails in each is counted in each. */
    @Test
    void groupsThatAreRepeatedLeaveOutWhatFailsInEachEpoch() {
        LongStream twice = LongStream.concat(LongStream.range(1, 21), LongStream.range(1, 21));
        passesOver(integers().failingGroups(2, 4, 5).repeat(2), twice, n -> n % 5 == 0);
        twice = LongStream.concat(LongStream.range(1, 21), LongStream.range(1, 21));
        passesOver(integers().failing(5).groups(2, 4).repeat(2), twice, n -> n % 5 == 0);
    }

    // of 20 the numbers 200 and 201 are made: less 1 they are 199 and 200, which is the last of all
    @Test
    void theLastOfWhatIsNumberedIsMissedWhereItFails() {
        passesOver(
                integers().copies(3).affine(1, -1, false).failing(200).batch(4, false),
                LongStream.range(1, 21).flatMap(n -> LongStream.range(10 * n - 1, 10 * n - 1 + n % 3)),
                n -> n == 200);
        passesOver(
                integers()
                        .shuffle(10, 3)
                        .copies(3)
                        .affine(1, -1, false)
                        .failing(200)
                        .batch(4, false),
                LongStream.range(1, 21).flatMap(n -> LongStream.range(10 * n - 1, 10 * n - 1 + n % 3)),
                n -> n == 200);
    }

    // 10 and 20 are the last of their splits, and their copies would be
    @Test
    void whatFailsBeforeTheNumbersLeavesOneOutAlsoAtTheEnd() {
        passesOver(
                integers().failing(10).copies(3).affine(1, -1, false).batch(4, false),
                LongStream.range(1, 21)
                        .flatMap(n -> LongStream.range(10 * n - 1, 10 * n - 1 + (n % 10 == 0 ? 1 : n % 3))),
                n -> n == 99 || n == 199);
    }

    /** A batch would take its rows along, of which one would be told; the last parents none at all. */
    @Test
    void whatWouldBeMissedByNoNumberFails() {
        for (IntegerGraph graph : List.of(
                integers()
                        .failing(7)
                        .batch(4, false)
                        .rowsTwice()
                        .affine(1, -1, false)
                        .batch(4, false),
                integers()
                        .shuffle(10, 3)
                        .failing(10)
                        .copies(3)
                        .affine(1, -1, false)
                        .batch(4, false),
                integers()
                        .failingByRests(10)
                        .shuffle(10, 3)
                        .copies(3)
                        .affine(1, -1, false)
                        .batch(4, false),
                integers()
                        .failing(10)
                        .shuffle(10, 3)
                        .copies(3)
                        .affine(1, -1, false)
                        .batch(4, false))) {
            assertThatThrownBy(() -> run(graph)).hasMessageContaining("it fails before elements have numbers, where");
        }
    }

    /** Before several elements are told apart there is nobody to be missed. */
    @Test
    void whatFailsBeforeElementsAreToldApartSaysThatItIsNotPassedOver() {
        for (IntegerGraph graph : List.of(
                integers().failingCopies(7).batch(4, false),
                integers().shuffle(10, 3).failingCopies(7).batch(4, false))) {
            assertThatThrownBy(() -> run(graph))
                    .hasMessageContaining(
                            "of what is made of the integers from 1 up to 11 (exclusive) cannot be processed")
                    .hasMessageContaining("Integer division by zero; it fails before elements have numbers, where")
                    .hasMessageNotContaining("tolerate such records");
        }
    }

    /** Nobody could count what is left out. */
    @Test
    void nothingIsPassedOverWhereElementsHaveNoTickets() {
        assertThatThrownBy(() -> run(
                        integers().shuffle(10, 3).failing(5).copies(3).copies(3).batch(4, false)))
                .hasMessageContaining("--skip-bad tolerates none in a job that promises at least once");
    }
}
