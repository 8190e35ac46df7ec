package io.praline.worker.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignedSplit;
import io.praline.schema.FailureKind;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PipelineStep;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.StepFactors;
import io.praline.schema.VariantVerified;
import io.praline.schema.VerifyVariant;
import io.praline.worker.EngineStart;
import io.praline.worker.attempt.AttemptFailed;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.TensorFlowInference;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.planning.GraphFile;
import io.praline.worker.planning.Planner;
import io.praline.worker.planning.TfRecordFiles;
import io.praline.worker.profile.OrderTrials.Answer;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderTrialsTest {
    private static final PipelineGraph SMALL = Pipelines.parseHere("ordering/parse_slice_cast");
    private static final List<List<String>> BATCH_FIRST = List.of(List.of("batch_4", "map_1", "map_2", "map_3"));

    private static final PipelineGraph LARGE = Pipelines.withArrays(SMALL, 600 << 10);

    private final OrderTrials trials = trials(SMALL);

    @TempDir
    private Path directory;

    @BeforeAll
    static void loadTensorFlow() {
        EngineStart.warm();
    }

    private static OrderTrials trials(PipelineGraph graph) {
        return trials(graph, Optional.empty());
    }

    private static OrderTrials trials(PipelineGraph graph, Optional<Path> file) {
        Map<String, KnownPipeline> pipelines =
                Map.of(graph.digest(), new KnownPipeline(graph, PipelineAnalysis.of(graph)));
        return new OrderTrials(
                new Planner.Identity("p", "w1", "i1"),
                new TensorFlowOps(),
                new TensorFlowInference(),
                2,
                new OrderTrials.Library() {
                    @Override
                    public KnownPipeline of(String digest) {
                        if (!pipelines.containsKey(digest)) {
                            throw new AttemptFailed(FailureKind.FAILED, "the topic pipelines holds no graph " + digest);
                        }
                        return pipelines.get(digest);
                    }

                    @Override
                    public Optional<Path> file(String digest) {
                        return file;
                    }
                },
                Staging.none(),
                Optional.empty());
    }

    /** The pipeline's own files, numbered as if they were some of many. */
    private static List<AssignedSplit> sample(PipelineGraph graph) {
        List<String> files = PipelineAnalysis.of(graph).sources().get(0).fileNames();
        return sample(files);
    }

    private static List<AssignedSplit> sample(List<String> files) {
        List<AssignedSplit> sample = new ArrayList<>();
        for (String file : files) {
            sample.add(new AssignedSplit(
                    7L + 3L * sample.size(),
                    Split.newBuilder()
                            .setKind(SplitKind.FILE)
                            .setSource(0)
                            .setPaths(List.of(file))
                            .setFrom(0)
                            .setUntil(0)
                            .setStep(0)
                            .setBytes(0)
                            .build(),
                    ByteBuffer.allocate(0)));
        }
        return sample;
    }

    private PipelineProfiled profiled(PipelineGraph graph, List<AssignedSplit> sample) throws InterruptedException {
        return (PipelineProfiled) trials(graph)
                .profile(new ProfilePipeline("j", 4, graph.digest(), sample, 0L), new Cancellation())
                .body();
    }

    private static VerifyVariant verify(PipelineGraph graph, List<List<String>> sections) {
        return new VerifyVariant("j", 5, graph.digest(), sections, sample(graph), 300L, 30_000_000L, 0L);
    }

    @Test
    void stepsAndWhatWasMeasuredOfThemHaveTheSameNames() throws InterruptedException {
        PipelineProfiled told = profiled(SMALL, sample(SMALL));

        assertThat(told.getFailure()).isEmpty();
        assertThat(List.of(told.getWorker(), told.getIncarnation(), told.getJob(), told.getTrial()))
                .containsExactly("w1", "i1", "j", 4);
        assertThat(told.getSteps().stream().map(step -> step.getName() + " " + step.getKind()))
                .containsExactly(
                        "map_1 PARSE",
                        "map_2.1:decode_raw DECODE",
                        "map_2.2:slice GEOMETRIC",
                        "map_3.1:cast ELEMENTWISE",
                        "map_3.2:affine ELEMENTWISE",
                        "map_3.3:cast ELEMENTWISE",
                        "map_3.4:mul ELEMENTWISE",
                        "batch_4 BATCH");
        assertThat(told.getFactors().stream().map(StepFactors::getName))
                .containsExactlyElementsOf(
                        told.getSteps().stream().map(PipelineStep::getName).toList());
        assertThat(told.getRecords()).isPositive();
        assertThat(told.getNanos()).isPositive();
        StepFactors parse = told.getFactors().get(0);
        assertThat(parse.getElements()).isEqualTo(told.getRecords());
        assertThat(parse.getNanos()).isPositive();
        assertThat(told.getSteps().get(0).getOps()).isNotEmpty();
        assertThat(told.getSteps().get(1).getAfter().get(0).getType()).isEqualTo("uint8");
    }

    // what is verified is what others will read: the graph of the answer
    @Test
    void aVariantIsHeldAgainstThePipeline() {
        Answer answer = trials.verify(verify(SMALL, BATCH_FIRST), new Cancellation());
        VariantVerified told = (VariantVerified) answer.body();

        assertThat(told.getFailure()).isEmpty();
        assertThat(told.getTrial()).isEqualTo(5);
        assertThat(told.getPairs()).hasSize(5).allMatch(pair -> pair.getUsualNanos() > 0 && pair.getVariantNanos() > 0);
        assertThat(told.getElements()).isPositive();
        assertThat(List.of(told.getMissing(), told.getUnequal())).containsExactly(0L, 0L);
        assertThat(told.getLargestDifference()).isZero();
        PipelineGraph variant = answer.variant().orElseThrow().graph();
        assertThat(answer.variant().orElseThrow().file()).isEmpty();
        assertThat(told.getVariantDigest()).isEqualTo(variant.digest()).isNotEqualTo(SMALL.digest());
        assertThat(PipelineGraph.parse(variant.toBytes(), new TensorFlowOps()).digest())
                .isEqualTo(variant.digest());
    }

    @Test
    void aLargeVariantLiesBesideThePipelineItself() throws IOException {
        Path file = directory.resolve("graph-of-the-user.pb");
        Answer answer = trials(LARGE, Optional.of(file)).verify(verify(LARGE, BATCH_FIRST), new Cancellation());

        VariantVerified told = (VariantVerified) answer.body();
        assertThat(told.getFailure()).isEmpty();
        assertThat(told.getElements()).isPositive();
        Path variant = answer.variant().orElseThrow().file().orElseThrow();
        assertThat(directory.toFile().listFiles()).containsExactly(variant.toFile());
        assertThat(variant.getFileName().toString()).matches("graph-[0-9a-f]{64}\\.pb");
        assertThat(PipelineGraph.parse(GraphFile.read(variant), new TensorFlowOps())
                        .digest())
                .isEqualTo(told.getVariantDigest())
                .isNotEqualTo(LARGE.digest());
    }

    @Test
    void aLargeVariantThatCannotBeHandedOnIsAnAnswer() {
        assertThat(failure(LARGE, Optional.empty()))
                .endsWith("and the pipeline itself lies in no folder for graphs (--graph-dir)");
        assertThat(failure(LARGE, Optional.of(directory.resolve("users.pb"))))
                .endsWith("and the pipeline itself lies in no folder for graphs (--graph-dir)");
        Path nowhere = directory.resolve("nowhere");
        assertThat(failure(LARGE, Optional.of(nowhere.resolve("graph-of-the-user.pb"))))
                .contains("cannot be put beside the pipeline itself in " + nowhere);
    }

    private static String failure(PipelineGraph graph, Optional<Path> file) {
        Answer answer = trials(graph, file).verify(verify(graph, BATCH_FIRST), new Cancellation());
        assertThat(answer.variant()).isEmpty();
        return ((VariantVerified) answer.body()).getFailure();
    }

    // no picture is 8 bytes long
    @Test
    void aSampleThatFailsNamesFileAndRecord() throws InterruptedException {
        PipelineGraph pictures = Pipelines.parse("jpeg_training");
        Path file = TfRecordFiles.write(directory.resolve("a"), TfRecordFiles.records(3, 8));
        PipelineProfiled told = profiled(pictures, sample(List.of(file.toString())));

        assertThat(told.getFailure())
                .contains(file + ": record 0 cannot be processed: ")
                .doesNotContain("\n")
                .doesNotContain("--skip-bad");
        assertThat(told.getSteps()).isEmpty();
    }

    @Test
    void whatCannotBeCarriedOutSaysWhy() {
        assertThat(failure(List.of(List.of("map_2", "no_such_step"))))
                .isEqualTo("the pipeline has no step no_such_step");
        assertThat(failure(List.of(List.of("map_1", "map_2", "map_3", "batch_4"))))
                .isEqualTo("nothing moves in that order");
    }

    private String failure(List<List<String>> sections) {
        Answer answer = trials.verify(verify(SMALL, sections), new Cancellation());
        assertThat(answer.variant()).isEmpty();
        assertThat(((VariantVerified) answer.body()).getVariantDigest()).isEmpty();
        return ((VariantVerified) answer.body()).getFailure();
    }

    @Test
    void aGraphThatNobodyHasIsAnAnswer() throws InterruptedException {
        Answer profile = trials.profile(new ProfilePipeline("j", 1, "unknown", sample(SMALL), 0L), new Cancellation());
        Answer verify = trials.verify(
                new VerifyVariant("j", 2, "unknown", List.of(), sample(SMALL), 1L, 1L, 0L), new Cancellation());

        assertThat(((PipelineProfiled) profile.body()).getFailure())
                .isEqualTo("the topic pipelines holds no graph unknown");
        assertThat(((VariantVerified) verify.body()).getFailure())
                .isEqualTo("the topic pipelines holds no graph unknown");
    }

    @Test
    void aSampleWithoutSplitsIsAnAnswer() throws InterruptedException {
        assertThat(profiled(SMALL, List.of()).getFailure())
                .isEqualTo("there is nothing to read: the sample has no splits");
    }
}
