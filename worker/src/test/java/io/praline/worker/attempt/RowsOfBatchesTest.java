package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.EngineStart;
import io.praline.worker.attempt.RehearsedJob.Course;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Batches that functions take apart, on two tasks that die: splits of 16 integers, and batches of others. */
class RowsOfBatchesTest {
    private static final long COUNT = 100;
    private static final long SPLIT = 16;

    private static TensorFlowOps ops;

    @BeforeAll
    static void loadTensorFlow() {
        ops = EngineStart.warm();
    }

    private static KnownPipeline known(IntegerGraph graph) {
        PipelineGraph parsed = PipelineGraph.parse(graph.bytes(), ops);
        return new KnownPipeline(parsed, PipelineAnalysis.of(parsed));
    }

    private static IntegerGraph integers() {
        return IntegerGraph.range(0, COUNT, 1);
    }

    private static List<Split> splits() {
        return LongStream.iterate(0, from -> from < COUNT, from -> from + SPLIT)
                .mapToObj(from -> Split.newBuilder()
                        .setKind(SplitKind.INTEGERS)
                        .setSource(0)
                        .setPaths(List.of())
                        .setFrom(from)
                        .setUntil(Math.min(COUNT, from + SPLIT))
                        .setStep(1)
                        .setBytes(0)
                        .setRecords(Math.min(COUNT, from + SPLIT) - from)
                        .build())
                .toList();
    }

    private static List<Split> whole() {
        return List.of(Split.newBuilder(splits().get(0))
                .setKind(SplitKind.WHOLE)
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .clearRecords()
                .build());
    }

    private static void comesOnceHoweverTasksDie(IntegerGraph graph) {
        KnownPipeline known = known(graph);
        assertThat(known.analysis().reasons()).isEmpty();
        assertThat(known.analysis().singleTask()).isFalse();
        for (List<Integer> deaths : List.of(List.<Integer>of(), List.of(5, 2), List.of(1, 0, 3, 1))) {
            assertThat(RehearsedJob.run(known, splits(), new Course(2, deaths, false)))
                    .as("deaths behind %s batches", deaths)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, COUNT).boxed().toList());
        }
    }

    @Test
    void rowsOfShuffledBatchesComeOnce() {
        comesOnceHoweverTasksDie(
                integers().shuffle(20, 3).batch(7, false).rows().batch(5, false));
    }

    @Test
    void rowsOfGroupsComeOnce() {
        comesOnceHoweverTasksDie(integers().groups(3, 4).rows().batch(5, false));
    }

    // 100 are 25 batches of 4 in one process; what is left of two tasks may be short ones, which no batch of whole ones
    // takes
    @Test
    void rowsOfBatchesOfBatchesAreThoseOfOneTask() {
        for (IntegerGraph graph : List.of(
                integers().batch(4, false).batch(2, false).rows().rows().batch(3, false),
                integers().batch(4, false).batch(2, false).unbatch().unbatch().batch(3, false))) {
            PipelineAnalysis analysis = known(graph).analysis();
            assertThat(analysis.singleTask()).isTrue();
            assertThat(analysis.reasons()).isEmpty();
        }
    }

    // 100 are six batches of 16 in one process; what has come of rows in batches of 7 is no multiple of 16, and what is
    // left when
    // a task ends or dies would fill fewer or more
    @Test
    void rowsOfBatchesOfWhichAShortOneIsLeftOutAreThoseOfOneProcess() {
        for (IntegerGraph graph : List.of(
                integers().batch(16, true).unbatch().batch(7, false),
                integers().batch(16, true).rows().batch(7, false),
                integers().batch(16, true).unbatch())) {
            KnownPipeline known = known(graph);
            assertThat(known.analysis().reasons()).isEmpty();
            for (List<Integer> deaths : List.of(List.<Integer>of(), List.of(5, 2), List.of(1, 0, 3, 1))) {
                assertThat(RehearsedJob.run(
                                known,
                                known.analysis().singleTask() ? whole() : splits(),
                                new Course(2, deaths, false)))
                        .as("deaths behind %s batches", deaths)
                        .containsExactlyInAnyOrderElementsOf(
                                LongStream.range(0, 96).boxed().toList());
            }
        }
    }

    /** Both have the ticket of the one: once the first was delivered the second would count as delivered. */
    @Test
    void rowsThatComeTwiceArePromisedAtLeastOnce() {
        assertThat(known(integers().shuffle(20, 3).batch(7, false).rowsTwice().batch(5, false))
                        .analysis()
                        .reasons())
                .singleElement()
                .asString()
                .startsWith("a function makes elements of what it is given twice");
        assertThat(known(integers().groups(3, 8, true)).analysis().reasons())
                .singleElement()
                .asString()
                .startsWith("a function makes elements of what it is given twice");
    }
}
