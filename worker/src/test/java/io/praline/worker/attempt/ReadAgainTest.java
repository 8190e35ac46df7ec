package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Split;
import io.praline.schema.SplitDigest;
import io.praline.schema.SplitKind;
import io.praline.worker.EngineStart;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;

/** What an attempt tells of the first elements of a split whose elements are numbered as they come out. */
class ReadAgainTest {
    private static final long SECONDS_90 = 90_000;

    @TempDir
    private Path directory;

    @BeforeAll
    static void loadTensorFlow() {
        EngineStart.warm();
    }

    private record Reading(List<SplitDigest> digests, List<Long> tickets) {}

    private static Reading read(String name, Path file, RoaringBitmap skip) throws InterruptedException {
        PipelineGraph graph = Pipelines.parse(name);
        KnownPipeline known = new KnownPipeline(graph, PipelineAnalysis.of(graph));
        TakenBatches sink = new TakenBatches();
        AttemptRun run = new AttemptRun(
                Starts.of(known).build(),
                new Surroundings("w1", new TaskShare(2, 0), digest -> known, Runnable::run, () -> {}),
                sink);
        run.start();
        ByteBuffer bytes = ByteBuffer.allocate(skip.serializedSizeInBytes());
        skip.serialize(bytes);
        Split split = Split.newBuilder()
                .setKind(SplitKind.FILE)
                .setSource(0)
                .setPaths(List.of(file.toString()))
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes(0)
                .build();
        run.assign(new AssignSplits("j", 0, 0, 1, List.of(new AssignedSplit(3L, split, bytes.flip()))));
        run.finish(new FinishAttempt("j", 0, 0, 1, true, true));
        assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
        AttemptProgress told = run.report().take(1 << 20, 0);
        assertThat(told.getFailure()).isEmpty();
        return new Reading(told.getDigests(), new ArrayList<>(sink.tickets()));
    }

    private Path lines(String file, int count, String word) throws IOException {
        return Files.write(
                directory.resolve(file),
                LongStream.rangeClosed(0, count).mapToObj(line -> word + line).toList());
    }

    private static List<Long> last(Reading reading) {
        assertThat(reading.digests()).isNotEmpty().allMatch(told -> told.getOrdinal() == 3);
        return reading.digests().get(reading.digests().size() - 1).getDigests();
    }

    @Test
    void aReadingThatLeavesOutWhatIsAccountedForTellsTheSameAsTheFirst() throws Exception {
        Path file = lines("a.txt", 200, "line");
        RoaringBitmap skip = RoaringBitmap.bitmapOfRange(0, 50);
        skip.add(60L, 63L);

        Reading first = read("headers_skipped", file, new RoaringBitmap());
        Reading again = read("headers_skipped", file, skip);

        assertThat(last(first)).hasSize(FirstReadings.DIGESTS).doesNotHaveDuplicates();
        assertThat(last(again)).isEqualTo(last(first));
        assertThat(again.tickets())
                .doesNotContain(Ticket.of(3, 0), Ticket.of(3, 61))
                .contains(Ticket.of(3, 51));
    }

    @Test
    void asManyOtherElementsAreToldApart() throws Exception {
        Reading first = read("headers_skipped", lines("a.txt", 200, "line"), new RoaringBitmap());
        Reading again = read("headers_skipped", lines("b.txt", 200, "Line"), new RoaringBitmap());

        assertThat(again.tickets()).isEqualTo(first.tickets());
        assertThat(last(again)).doesNotContainAnyElementsOf(last(first));
    }

    @Test
    void numbersAndElementsOfAnyLengthAreToldApartToo() throws Exception {
        Path numbers = Path.of(Pipelines.files("data/numbers-00000.tfrecord").get(0));
        Path others = Path.of(Pipelines.files("data/numbers-00002.tfrecord").get(0));

        List<Long> first = last(read("flat_map_elements", numbers, new RoaringBitmap()));

        assertThat(last(read("flat_map_elements", numbers, new RoaringBitmap())))
                .isEqualTo(first);
        assertThat(last(read("flat_map_elements", others, new RoaringBitmap()))).isNotEqualTo(first);
    }

    // two numbers of each of 100 and of 75 records, of which others come out of the other file
    @Test
    void numbersWithAFractionAreToldApartWhereTheyAreTheSameOnEveryMachine() throws Exception {
        Path numbers = Path.of(Pipelines.files("data/numbers-00000.tfrecord").get(0));
        Path others = Path.of(Pipelines.files("data/numbers-00002.tfrecord").get(0));

        List<Long> first = last(read("fractions_read", numbers, new RoaringBitmap()));

        assertThat(last(read("fractions_read", numbers, new RoaringBitmap()))).isEqualTo(first);
        assertThat(last(read("fractions_read", others, new RoaringBitmap()))).doesNotContainAnyElementsOf(first);
        assertThat(last(read("fractions_computed", others, new RoaringBitmap())))
                .isEqualTo(last(read("fractions_computed", numbers, new RoaringBitmap())));
    }

    @Test
    void ofRecordsThatAreCountedNothingIsTold() throws Exception {
        Path numbers = Path.of(Pipelines.files("data/numbers-00000.tfrecord").get(0));
        assertThat(read("batch", numbers, new RoaringBitmap()).digests()).isEmpty();
    }
}
