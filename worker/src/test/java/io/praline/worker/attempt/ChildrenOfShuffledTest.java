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
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What single elements become behind a shuffle, on two tasks that die: splits of 16 integers. */
class ChildrenOfShuffledTest {
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

    private static IntegerGraph shuffled() {
        return IntegerGraph.range(0, COUNT, 1).shuffle(40, 3);
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
                        .setRecords(null)
                        .build())
                .toList();
    }

    /** Of each {@code n} of these, {@code n % modulus} numbers from {@code 10 n} on. */
    private static LongStream copies(LongStream of, long modulus) {
        return of.flatMap(n -> LongStream.range(10 * n, 10 * n + Math.floorMod(n, modulus)));
    }

    private static void comesOnceHoweverTasksDie(IntegerGraph graph, LongStream expected) {
        KnownPipeline known = known(graph);
        assertThat(known.analysis().reasons()).isEmpty();
        assertThat(known.analysis().singleTask()).isFalse();
        assertThat(RehearsedJob.run(known, splits(), new Course(2, List.of(5, 0, 2), false)))
                .containsExactlyInAnyOrderElementsOf(expected.boxed().toList());
    }

    @Test
    void childrenComeOnceAlsoWhereSomeHaveNone() {
        comesOnceHoweverTasksDie(shuffled().copies(4).batch(3, false), copies(LongStream.range(0, COUNT), 4));
        comesOnceHoweverTasksDie(shuffled().copiesInTurn(4, 3).batch(3, false), copies(LongStream.range(0, COUNT), 4));
        comesOnceHoweverTasksDie(
                shuffled().copiesInOne(4).unbatch().batch(3, false), copies(LongStream.range(0, COUNT), 4));
    }

    /** What is dropped before has no children, and what is dropped behind was counted. */
    @Test
    void stepsOnBothSidesOfTheShuffleAndBehindTheChildrenAreFollowed() {
        LongPredicate odd = n -> n % 2 != 0;
        LongPredicate noThird = n -> n % 3 != 0;
        comesOnceHoweverTasksDie(
                IntegerGraph.range(0, COUNT, 1)
                        .affine(3, 1, true)
                        .without(2, 0)
                        .shuffle(40, 3)
                        .affine(1, 2, true)
                        .without(3, 0)
                        .shuffle(10, 0)
                        .prefetch(2)
                        .copies(5)
                        .affine(1, 7, false)
                        .without(3, 0)
                        .shuffle(10, 5)
                        .batch(3, false),
                copies(
                                LongStream.range(0, COUNT)
                                        .map(n -> 3 * n + 1)
                                        .filter(odd)
                                        .map(n -> n + 2)
                                        .filter(noThird),
                                5)
                        .map(n -> n + 7)
                        .filter(noThird));
    }

    /** The second step's elements of one hang on the first step's, of which only the number is known. */
    @Test
    void childrenOfChildrenBehindOneShuffleArePromisedAtLeastOnce() {
        assertThat(known(shuffled().copies(3).copies(4)).analysis().reasons())
                .singleElement()
                .asString()
                .startsWith("flat_map (FlatMapDataset, node FlatMapDataset")
                .endsWith("may make several elements of one, behind a step that mixes or groups");
    }

    @Test
    void childrenOfChildrenComeOnceWhereTheShuffleStandsBetween() {
        comesOnceHoweverTasksDie(
                IntegerGraph.range(0, COUNT, 1)
                        .copies(3)
                        .shuffle(40, 3)
                        .copies(4)
                        .batch(3, false),
                copies(copies(LongStream.range(0, COUNT), 3), 4));
    }
}
