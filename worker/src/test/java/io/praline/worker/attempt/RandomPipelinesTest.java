package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.Guarantee;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.Split;
import io.praline.schema.SplitPage;
import io.praline.worker.EngineStart;
import io.praline.worker.attempt.RehearsedJob.Course;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.planning.Planner;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.stage.ObjectIndexes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.statistics.Statistics;

/** What comes out of any pipeline, on however many tasks and whatever dies, is what one process yields. */
class RandomPipelinesTest {
    private static TensorFlowOps ops;

    @BeforeContainer
    static void loadTensorFlow() {
        ops = EngineStart.warm();
    }

    @Provide
    Arbitrary<IntegerSource> sources() {
        Arbitrary<Integer> counts = Arbitraries.integers().between(1, 100);
        Arbitrary<Integer> files = Arbitraries.integers().between(1, 4);
        return Arbitraries.frequencyOf(
                Tuple.of(
                        3,
                        Combinators.combine(
                                        Arbitraries.longs().between(-20, 20), counts, Arbitraries.of(1, 2, 5, -1, -3))
                                .as(IntegerSource.Range::new)),
                Tuple.of(2, counts.map(IntegerSource.Slices::new)),
                Tuple.of(2, files.map(IntegerSource.Files::new)),
                Tuple.of(
                        3,
                        Combinators.combine(
                                        files,
                                        Arbitraries.integers().between(1, 3),
                                        Arbitraries.of(1, 2, 7),
                                        Arbitraries.of(false, true))
                                .as(IntegerSource.Interleaved::new)));
    }

    @Provide
    Arbitrary<IntegerStep> steps() {
        Arbitrary<Integer> few = Arbitraries.integers().between(1, 9);
        Arbitrary<Integer> some = Arbitraries.integers().between(0, 120);
        Arbitrary<Integer> moduli = Arbitraries.integers().between(2, 4);
        Arbitrary<Boolean> either = Arbitraries.of(false, true);
        return Arbitraries.frequencyOf(
                Tuple.of(
                        3,
                        Combinators.combine(Arbitraries.integers().between(-3, 5), some, either)
                                .as(IntegerStep.Affine::new)),
                Tuple.of(6, Combinators.combine(moduli, Arbitraries.of(0, 1)).as(IntegerStep.Without::new)),
                Tuple.of(5, Combinators.combine(few, either).as(IntegerStep.Batch::new)),
                Tuple.of(1, Combinators.combine(few, either).as(IntegerStep.PaddedBatch::new)),
                Tuple.of(3, Arbitraries.just(new IntegerStep.Unbatch())),
                Tuple.of(2, Arbitraries.just(new IntegerStep.Rows())),
                Tuple.of(1, Combinators.combine(moduli, Arbitraries.of(0, 1)).as(IntegerStep.BatchesWithout::new)),
                Tuple.of(1, Arbitraries.just(new IntegerStep.LessTheLargest())),
                Tuple.of(2, moduli.map(IntegerStep.Copies::new)),
                Tuple.of(
                        2,
                        Combinators.combine(Arbitraries.of(2, 10, 64, 1000), Arbitraries.of(0, 42))
                                .as(IntegerStep.Shuffle::new)),
                Tuple.of(1, some.map(IntegerStep.Take::new)),
                Tuple.of(1, some.map(IntegerStep.Skip::new)),
                Tuple.of(
                        1,
                        Combinators.combine(moduli, Arbitraries.integers().between(0, 3))
                                .as(IntegerStep.Shard::new)),
                Tuple.of(1, Arbitraries.of(2, 3).map(IntegerStep.Repeat::new)),
                Tuple.of(1, few.map(IntegerStep.Prefetch::new)),
                Tuple.of(1, Arbitraries.just(new IntegerStep.InAnyOrder())),
                Tuple.of(1, few.map(tens -> new IntegerStep.Concatenate(10 * tens))),
                Tuple.of(1, Arbitraries.just(new IntegerStep.Enumerate())),
                Tuple.of(1, Combinators.combine(few, some).as(IntegerStep.Zip::new)),
                Tuple.of(1, Arbitraries.just(new IntegerStep.Sums())),
                Tuple.of(1, Arbitraries.just(new IntegerStep.Unique())),
                Tuple.of(1, Arbitraries.integers().between(0, 4000).map(IntegerStep.WhileBelow::new)),
                Tuple.of(1, Combinators.combine(few, few, either).as(IntegerStep.Windows::new)),
                Tuple.of(1, Combinators.combine(moduli, few).as(IntegerStep.Groups::new)));
    }

    /** Some of which make several elements of single ones that a shuffle has mixed. */
    @Provide
    Arbitrary<IntegerPipeline> mixed() {
        Arbitrary<Integer> few = Arbitraries.integers().between(1, 9);
        Arbitrary<Integer> moduli = Arbitraries.integers().between(2, 5);
        Arbitrary<Boolean> either = Arbitraries.of(false, true);
        Arbitrary<IntegerStep> steps = Arbitraries.frequencyOf(
                Tuple.of(
                        4,
                        Combinators.combine(Arbitraries.of(2, 10, 64, 1000), Arbitraries.of(0, 42))
                                .as(IntegerStep.Shuffle::new)),
                Tuple.of(4, moduli.map(IntegerStep.Copies::new)),
                Tuple.of(2, Combinators.combine(few, few, either).as(IntegerStep.Affine::new)),
                Tuple.of(2, Combinators.combine(moduli, Arbitraries.of(0, 1)).as(IntegerStep.Without::new)),
                Tuple.of(1, few.map(IntegerStep.Prefetch::new)),
                Tuple.of(1, Arbitraries.just(new IntegerStep.InAnyOrder())),
                Tuple.of(2, Combinators.combine(few, either).as(IntegerStep.Batch::new)),
                Tuple.of(1, Arbitraries.just(new IntegerStep.Unbatch())));
        return Combinators.combine(sources(), steps.list().ofMinSize(2).ofMaxSize(7))
                .as(IntegerPipeline::new);
    }

    @Provide
    Arbitrary<IntegerPipeline> pipelines() {
        return Combinators.combine(sources(), steps().list().ofMaxSize(8)).as(IntegerPipeline::new);
    }

    @Provide
    Arbitrary<Course> courses() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(0, 12).list().ofMaxSize(3),
                        Arbitraries.of(false, true))
                .as(Course::new);
    }

    @Property(tries = 60, seed = "20260")
    @Tag("sample")
    void yieldsWhatOneProcessYields(@ForAll("pipelines") IntegerPipeline pipeline, @ForAll("courses") Course course) {
        check(pipeline, course);
    }

    @Property(tries = 30, seed = "20261")
    @Tag("sample")
    void yieldsWhatOneProcessYieldsOfWhatIsMixed(
            @ForAll("mixed") IntegerPipeline pipeline, @ForAll("courses") Course course) {
        check(pipeline, course);
    }

    @Property(tries = 100)
    @Tag("long")
    void yieldsWhatOneProcessYieldsOfWhatIsMixedHoweverOftenItIsAsked(
            @ForAll("mixed") IntegerPipeline pipeline, @ForAll("courses") Course course) {
        check(pipeline, course);
    }

    @Property(tries = 100)
    @Tag("long")
    void yieldsWhatOneProcessYieldsHoweverOftenItIsAsked(
            @ForAll("pipelines") IntegerPipeline pipeline, @ForAll("courses") Course course) {
        check(pipeline, course);
    }

    private static void check(IntegerPipeline pipeline, Course course) {
        Plan plan = plan(pipeline.graph());
        assertThat(plan.ending).isInstanceOf(PlanCompleted.class);
        PipelineAnalysis analysis = plan.known.analysis();
        assertThat(analysis.singleTask()).as("a single task").isEqualTo(pipeline.inOneTask());
        int tasks = RehearsedJob.tasks(plan.known, course);
        boolean tracked = analysis.exactlyOnce();
        boolean repeats = !tracked && !course.deaths().isEmpty();
        Statistics.collect(
                tracked ? "exactly once" : "at least once", analysis.singleTask() ? "a single task" : tasks + " tasks");

        List<Long> values = new ArrayList<>(RehearsedJob.run(plan.known, plan.splits, course));
        values.removeIf(value -> value == IntegerStep.PADDING);
        ExpectedRows expected = pipeline.expected(new IntegerPipeline.Readers(
                tracked ? 1 : tasks, tasks == 1 && course.deaths().isEmpty() && !(tracked && course.tailApart())));
        if (repeats) {
            assertThat(expected.values()).containsAll(values);
            if (expected.least() == expected.values().size()) {
                assertThat(missing(expected.values(), values)).as("missing").isEmpty();
            }
            return;
        }
        if (expected.ordered() && pipeline.ordered() && tasks == 1) {
            assertThat(values).isEqualTo(expected.values());
        }
        assertThat(missing(values, expected.values())).as("too many").isEmpty();
        assertThat(values).hasSizeBetween(expected.least(), expected.most());
    }

    /** Those of some values that are not among others, each as often as it is missing there. */
    private static Map<Long, Integer> missing(List<Long> values, List<Long> among) {
        Map<Long, Integer> missing = new HashMap<>();
        values.forEach(value -> missing.merge(value, 1, Integer::sum));
        among.forEach(value -> missing.computeIfPresent(value, (same, count) -> count == 1 ? null : count - 1));
        return missing;
    }

    /** @param ending the planner's last word */
    private record Plan(KnownPipeline known, List<Split> splits, Object ending) {}

    private static Plan plan(byte[] graph) {
        List<Split> splits = new ArrayList<>();
        List<Object> bodies = new ArrayList<>();
        new Planner(
                        new Planner.Identity("p", "w1", "i1"),
                        ops,
                        Pipelines.folder(),
                        new FileStores(S3Settings.USUAL),
                        ObjectIndexes.none())
                .plan(
                        PlanSplits.newBuilder()
                                .setJob("j")
                                .setPlan(1)
                                .setPipelineName("")
                                .setGraph(ByteBuffer.wrap(graph))
                                .setComponentNames(List.of())
                                .setDataGlobs(List.of())
                                .setGuarantee(Guarantee.EXACTLY_ONCE)
                                .setStrict(false)
                                .build(),
                        new Planner.Output() {
                            @Override
                            public void pipeline(PipelineEntry entry, PipelineGraph understood) {}

                            @Override
                            public void message(PlanMessage message) {
                                bodies.add(message.getBody());
                                if (message.getBody() instanceof SplitPage page) {
                                    splits.addAll(page.getSplits());
                                }
                            }
                        });
        PipelineGraph parsed = PipelineGraph.parse(graph, ops);
        return new Plan(new KnownPipeline(parsed, PipelineAnalysis.of(parsed)), splits, bodies.get(bodies.size() - 1));
    }
}
