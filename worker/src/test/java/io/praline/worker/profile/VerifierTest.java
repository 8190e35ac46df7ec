package io.praline.worker.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.EngineStart;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.stage.Staging;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class VerifierTest {
    private static final SampleSize SHORT = new SampleSize(100, Duration.ofMillis(10), Duration.ofSeconds(5));

    @BeforeAll
    static void loadTensorFlow() {
        EngineStart.warm();
    }

    private static SplitSample sample(String glob) {
        PlanSample sample = new PlanSample();
        Pipelines.files(glob)
                .forEach(file -> sample.add(Split.newBuilder()
                        .setKind(SplitKind.FILE)
                        .setSource(0)
                        .setPaths(List.of(file))
                        .setFrom(0)
                        .setUntil(0)
                        .setStep(0)
                        .setBytes(0)
                        .build()));
        return sample.chosen();
    }

    private static KnownPipeline known(String name) {
        PipelineGraph graph = Pipelines.parse(name);
        return new KnownPipeline(graph, PipelineAnalysis.of(graph));
    }

    private static Verified verified(String one, String other, String glob) throws InterruptedException {
        SplitSample sample = sample(glob);
        Profile profile = new Profiler(new DataReader("w1", Staging.none().reading()), known(one), SHORT).run(sample);
        return verifier(known(one), known(other)).run(sample, profile.records(), profile.took());
    }

    // crops and flips are drawn: by ticket, and so the same
    @Test
    void whatDrawsTheSameIsTheSame() throws InterruptedException {
        Verified seen = verified("jpeg_training", "jpeg_training", "data/jpegs-*.tfrecord");

        assertThat(seen.pairs()).hasSize(5).allMatch(pair -> pair.usualNanos() > 0 && pair.variantNanos() > 0);
        assertThat(seen.elements()).isEqualTo(48);
        assertThat(seen.missing()).isZero();
        assertThat(seen.unequal()).isZero();
        assertThat(seen.largestDifference()).isZero();
    }

    // files are read side by side, and what a batch is mixed with follows from its first element
    @Test
    void whatDrawsForWholeBatchesIsTheSameSinceTheSameShareThem() throws InterruptedException {
        Verified seen =
                verified("../corpus/imagenet_mixup", "../corpus/imagenet_mixup", "data/imagenet-0000[012].tfrecord");

        assertThat(seen.elements()).isEqualTo(36);
        assertThat(seen.missing()).isZero();
        assertThat(seen.unequal()).isZero();
    }

    // of four files 26 records each: ten whole batches of ten, three times three of which go together, and four records
    @Test
    void whereASampleEndsNoBatchOfBatchesHasAShortOne() throws InterruptedException {
        SplitSample sample = sample("data/numbers-*.tfrecord");
        KnownPipeline batches = known("batch_of_batches");
        Verified seen = new Verifier(
                        new DataReader("w1", Staging.none().reading()),
                        batches,
                        batches,
                        new SampleSize(104, Duration.ofMillis(10), Duration.ofSeconds(5)),
                        2,
                        new Cancellation())
                .run(sample, 300, Duration.ofMillis(3));

        assertThat(seen.elements()).isEqualTo(4);
        assertThat(seen.missing()).isZero();
        assertThat(seen.unequal()).isZero();
    }

    // other types: no element of the one is one of the other
    @Test
    void otherTypesAreOtherElements() throws InterruptedException {
        Verified seen = verified("jpeg_training", "jpeg_training_uint8", "data/jpegs-*.tfrecord");

        assertThat(seen.elements()).isZero();
        assertThat(seen.missing()).isEqualTo(48);
    }

    // of 0 to 19 the other one refuses the last: it is at fault, and not the data
    @Test
    void whatFailsInTheOtherOrderAloneIsThatOrdersFault() throws InterruptedException {
        PlanSample numbers = new PlanSample();
        numbers.add(Split.newBuilder()
                .setKind(SplitKind.INTEGERS)
                .setSource(0)
                .setPaths(List.of())
                .setFrom(0)
                .setUntil(20)
                .setStep(1)
                .setBytes(0)
                .build());
        KnownPipeline usual = known("ordering/read_twice");
        KnownPipeline refusing = known("ordering/refusing");

        assertThatThrownBy(() -> verifier(usual, refusing).run(numbers.chosen(), 20, Duration.ofMillis(10)))
                .isInstanceOf(VariantFailed.class)
                .hasMessageStartingWith("it fails on the sample, which the user's order reads: ")
                .hasMessageContaining("too large")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> verifier(refusing, usual).run(numbers.chosen(), 20, Duration.ofMillis(10)))
                .isInstanceOf(SampleFailed.class)
                .isNotInstanceOf(VariantFailed.class)
                .hasMessageContaining("too large");
    }

    // 12 s of the 120 that two threads have in a minute; a profile's 2 s were 4, so that 8 are left for twelve runs
    @Test
    void measuringAndTryingTakeATenthOfAMinute() {
        assertThat(Verifier.each(Duration.ofSeconds(2), 2)).isBetween(Duration.ofMillis(666), Duration.ofMillis(667));
        assertThat(Verifier.each(Duration.ofSeconds(20), 2)).isBetween(Duration.ofMillis(583), Duration.ofMillis(584));
        assertThat(Verifier.each(Duration.ofSeconds(20), 1)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void runsTakeNoLongerThanTheyMay() {
        SampleSize usual = new SampleSize(300, Duration.ofMillis(300), Duration.ofMillis(1_500));

        assertThat(usual.within(Duration.ofMillis(600)))
                .isEqualTo(new SampleSize(300, Duration.ofMillis(300), Duration.ofMillis(600)));
        assertThat(usual.within(Duration.ofMillis(100)))
                .isEqualTo(new SampleSize(300, Duration.ofMillis(100), Duration.ofMillis(100)));
        assertThat(usual.within(Duration.ofSeconds(5))).isEqualTo(usual);
    }

    private static Verifier verifier(KnownPipeline one, KnownPipeline other) {
        return new Verifier(new DataReader("w1", Staging.none().reading()), one, other, SHORT, 2, new Cancellation());
    }

    // what a filter leaves out comes from one of the two only
    @Test
    void whatOnlyOneYieldsIsMissing() throws InterruptedException {
        Verified seen = verified("batch", "filter", "data/numbers-*.tfrecord");

        assertThat(seen.missing()).isPositive();
    }
}
