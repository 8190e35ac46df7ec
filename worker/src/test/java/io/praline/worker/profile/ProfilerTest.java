package io.praline.worker.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.EngineStart;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformation;
import io.praline.worker.planning.DataReader;
import io.praline.worker.planning.TfRecordFiles;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilerTest {
    private static final SampleSize ALL = new SampleSize(300, Duration.ZERO, Duration.ofSeconds(30));

    @TempDir
    private Path directory;

    @BeforeAll
    static void loadTensorFlow() {
        EngineStart.warm();
    }

    private static Split split(SplitKind kind, List<String> paths, long until) {
        return Split.newBuilder()
                .setKind(kind)
                .setSource(0)
                .setPaths(paths)
                .setFrom(0)
                .setUntil(until)
                .setStep(kind == SplitKind.INTEGERS ? 1 : 0)
                .setBytes(0)
                .build();
    }

    private static SplitSample files(List<String> files) {
        PlanSample sample = new PlanSample();
        files.forEach(file -> sample.add(split(SplitKind.FILE, List.of(file), 0)));
        return sample.chosen();
    }

    private static KnownPipeline known(String name) {
        PipelineGraph graph = Pipelines.parse(name);
        return new KnownPipeline(graph, PipelineAnalysis.of(graph));
    }

    private static Profile profile(String name, SplitSample sample, SampleSize size) throws InterruptedException {
        return new Profiler(new DataReader("w1", Staging.none().reading()), known(name), size).run(sample);
    }

    // 300 records in 4 files; the map takes what the reader yields, 8 bytes of ticket more where it is carried
    @Test
    void everyStepHasWhatItTookAndGave() throws InterruptedException {
        Profile profile = profile("map", files(Pipelines.files("data/numbers-*.tfrecord")), ALL);

        assertThat(profile.steps().stream().map(StepMeasure::name))
                .containsExactlyElementsOf(known("map").analysis().transformations().stream()
                        .map(Transformation::name)
                        .toList());
        assertThat(profile.splits()).isEqualTo(4);
        assertThat(profile.records()).isEqualTo(300);
        assertThat(profile.ended()).isTrue();
        assertThat(profile.all()).isTrue();
        assertThat(profile.few()).isFalse();
        StepMeasure read = profile.steps().get(0);
        StepMeasure map = profile.steps().get(1);
        assertThat(map.elements()).isEqualTo(300);
        assertThat(map.bytesIn()).isEqualTo(read.bytesOut()).isPositive();
        assertThat(Profile.inflation(read)).isEmpty();
        assertThat(Profile.inflation(map)).hasValue((double) map.bytesOut() / read.bytesOut());
        assertThat(profile.steps()).allMatch(step -> step.nanos() > 0);
        assertThat(profile.steps().stream().mapToDouble(profile::share).sum()).isBetween(0.999, 1.001);
    }

    // 4 files of 75: ten of each
    @Test
    void asMuchIsReadOfEachSplit() throws InterruptedException {
        Profile profile = profile(
                "filter",
                files(Pipelines.files("data/numbers-*.tfrecord")),
                new SampleSize(40, Duration.ZERO, Duration.ofSeconds(30)));

        assertThat(profile.records()).isEqualTo(40);
        assertThat(profile.splits()).isEqualTo(4);
        assertThat(profile.all()).isFalse();
        assertThat(profile.few()).isFalse();
    }

    // 3 + 40 records where 40 are wanted of each of both: the longer one makes up for the other
    @Test
    void aLongSplitMakesUpForShortOnes() throws InterruptedException {
        List<String> written = List.of(
                TfRecordFiles.write(directory.resolve("a"), TfRecordFiles.records(3, 8))
                        .toString(),
                TfRecordFiles.write(directory.resolve("b"), TfRecordFiles.records(90, 8))
                        .toString());
        Profile profile = profile("map", files(written), new SampleSize(43, Duration.ZERO, Duration.ofSeconds(30)));

        assertThat(profile.records()).isEqualTo(43);
    }

    @Test
    void fewerThanWantedAreSaidToBeAll() throws InterruptedException {
        Path file = TfRecordFiles.write(directory.resolve("a"), TfRecordFiles.records(3, 8));
        Profile profile = profile("map", files(List.of(file.toString())), ALL);

        assertThat(profile.records()).isEqualTo(3);
        assertThat(profile.few()).isTrue();
        assertThat(profile.all()).isTrue();
    }

    @Test
    void aDamagedFileIsNamedWithItsRecord() throws IOException {
        byte[] whole = Files.readAllBytes(TfRecordFiles.write(directory.resolve("a"), TfRecordFiles.records(3, 8)));
        Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(whole, whole.length - 5));

        assertThatThrownBy(() -> profile("map", files(List.of(cut.toString())), ALL))
                .isInstanceOf(SampleFailed.class)
                .hasMessageContaining(cut + ": record 2")
                .hasMessageEndingWith("; mend it, or take a sample without it")
                .satisfies(
                        failed -> assertThat(((SampleFailed) failed).refused()).isTrue());
    }

    // no picture is 8 bytes long
    @Test
    void aRecordThatCannotBeProcessedIsNamed() {
        Path file = TfRecordFiles.write(directory.resolve("a"), TfRecordFiles.records(3, 8));

        assertThatThrownBy(() -> profile("jpeg_training", files(List.of(file.toString())), ALL))
                .isInstanceOf(SampleFailed.class)
                .hasMessageContaining(file + ": record 0 cannot be processed: ")
                .hasMessageNotContaining("--skip-bad")
                .hasMessageNotContaining("\n");
    }

    // the first element's map never comes back
    @Test
    void itEndsWhenItsTimeIsUp() throws InterruptedException {
        PlanSample sample = new PlanSample();
        sample.add(split(SplitKind.INTEGERS, List.of(), 1L << 60));
        Profile profile = profile(
                "endless/endless_element", sample.chosen(), new SampleSize(40, Duration.ZERO, Duration.ofMillis(400)));

        assertThat(profile.ended()).isFalse();
        Optional<StepMeasure> batch = profile.steps().stream()
                .filter(step -> step.name().startsWith("batch"))
                .findFirst();
        assertThat(batch.map(StepMeasure::elements).orElse(0L)).isZero();
    }

    // the run beforehand takes half of the time, and making its session may take all of it
    @Test
    void howeverLongTheBeginningTookThereIsTimeToMeasure() throws InterruptedException {
        PlanSample sample = new PlanSample();
        sample.add(split(SplitKind.INTEGERS, List.of(), 1L << 60));
        Duration all = Duration.ofMillis(300);
        Profile profile = profile("endless/endless_element", sample.chosen(), new SampleSize(40, all, all));

        assertThat(profile.took()).isGreaterThanOrEqualTo(all);
    }

    // two elements at once, and a third one that takes some hundred milliseconds: nothing happens until it is made
    @Test
    void aDearElementIsWaitedFor() throws InterruptedException {
        PlanSample sample = new PlanSample();
        sample.add(split(SplitKind.INTEGERS, List.of(), 3));
        Profile profile = profile("ordering/dear_last_element", sample.chosen(), ALL);

        assertThat(profile.ended()).isTrue();
        assertThat(profile.records()).isEqualTo(3);
        assertThat(profile.steps()).extracting(StepMeasure::elements).containsOnly(3L);
    }

    // beside other builds 1.25 ms were missing for each call of a pipeline of pictures, none of them the calls'
    @Test
    void noCallIsTakenToCostMoreThanCallsDo() {
        assertThat(Profiler.callNanos(12_500, true)).isEqualTo(12_500);
        assertThat(Profiler.callNanos(1_250_000, true)).isEqualTo(50_000);
        assertThat(Profiler.callNanos(12_500, false)).isEqualTo(5_000);
    }
}
