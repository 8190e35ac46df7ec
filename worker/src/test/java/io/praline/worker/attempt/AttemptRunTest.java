package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.FinishAttempt;
import io.praline.schema.OpenedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.StartAttempt;
import io.praline.worker.EngineStart;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.planning.DataFile;
import io.praline.worker.planning.TfRecordFiles;
import io.praline.worker.planning.TfRecordScanner;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.roaringbitmap.RoaringBitmap;

class AttemptRunTest {
    private static final long SECONDS_90 = 90_000;

    private static TensorFlowOps ops;

    @TempDir
    private Path directory;

    private final ExecutorService counting = Executors.newSingleThreadExecutor();
    private final TakenBatches sink = new TakenBatches();

    @BeforeAll
    static void loadTensorFlow() {
        ops = EngineStart.warm();
    }

    @AfterEach
    void stopCounting() {
        counting.shutdownNow();
    }

    private static KnownPipeline pipeline(String name) {
        try (InputStream in = AttemptRunTest.class.getResourceAsStream("/pipelines/" + name + ".pb")) {
            PipelineGraph graph = PipelineGraph.parse(in.readAllBytes(), ops);
            return new KnownPipeline(graph, PipelineAnalysis.of(graph));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Path data(String name) {
        try {
            return Path.of(
                    AttemptRunTest.class.getResource("/pipelines/data/" + name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static List<Path> numbers() {
        return List.of(
                data("numbers-00000.tfrecord"),
                data("numbers-00001.tfrecord"),
                data("numbers-00002.tfrecord"),
                data("numbers-00003.tfrecord"));
    }

    private AttemptRun run(String pipeline, int skipBad, long batchLimitBytes) {
        KnownPipeline known = pipeline(pipeline);
        StartAttempt start = Starts.of(known)
                .setSkipBad(skipBad)
                .setBatchLimitBytes(batchLimitBytes)
                .build();
        AttemptRun run = new AttemptRun(
                start, new Surroundings("w1", new TaskShare(2, 0), digest -> known, counting, () -> {}), sink);
        run.start();
        return run;
    }

    private static AssignedSplit file(long ordinal, Path path, RoaringBitmap skip) {
        ByteBuffer bytes = ByteBuffer.allocate(skip.isEmpty() ? 0 : skip.serializedSizeInBytes());
        if (!skip.isEmpty()) {
            skip.serialize(bytes);
            bytes.flip();
        }
        return new AssignedSplit(
                ordinal,
                Split.newBuilder()
                        .setKind(SplitKind.FILE)
                        .setSource(0)
                        .setPaths(List.of(path.toString()))
                        .setFrom(0)
                        .setUntil(0)
                        .setStep(0)
                        .setBytes(0)
                        .build(),
                bytes);
    }

    private static AssignSplits assign(int number, List<Path> paths) {
        List<AssignedSplit> splits = new ArrayList<>();
        for (Path path : paths) {
            splits.add(file(splits.size(), path, new RoaringBitmap()));
        }
        return new AssignSplits("j", 0, 0, number, splits);
    }

    private static FinishAttempt finish(int assignment, boolean deliverTail) {
        return new FinishAttempt("j", 0, 0, assignment, deliverTail, deliverTail);
    }

    private AttemptProgress over(AttemptRun run) throws InterruptedException {
        assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
        return run.report().take(1 << 20, 0);
    }

    private static TicketSet all(AttemptProgress told) {
        TicketSet all = TicketSet.NONE;
        for (OpenedSplit split : told.getOpened()) {
            all = all.plus(TicketSet.of(LongStream.range(0, split.getRecords())
                    .map(record -> Ticket.of(split.getOrdinal(), record))
                    .toArray()));
        }
        return all;
    }

    private static TicketSet excluded(AttemptProgress told, String reason) {
        TicketSet excluded = TicketSet.NONE;
        for (Exclusion exclusion : told.getExcluded()) {
            if (exclusion.getReason().equals(reason)) {
                excluded = excluded.plus(TicketSet.of(TicketRuns.decode(exclusion.getTickets())));
            }
        }
        return excluded;
    }

    private static TicketSet remainder(AttemptProgress told) {
        return TicketSet.of(TicketRuns.decode(told.getEnd().orElseThrow().getRemainder()));
    }

    /** Why an attempt fails that reads one file to its end. */
    private String failureOf(String pipeline, int skipBad, Path file) throws InterruptedException {
        AttemptRun run = run(pipeline, skipBad, 0);
        run.assign(assign(1, List.of(file)));
        run.finish(finish(1, true));
        return failure(over(run));
    }

    private static String failure(AttemptProgress told) {
        AttemptFailure failure = told.getFailure().orElseThrow();
        assertThat(failure.getKind()).isEqualTo(FailureKind.REFUSED);
        return failure.getReason();
    }

    @Test
    void everyRecordLeavesOnceAndThenTheStreamEnds() throws InterruptedException {
        AttemptRun run = run("batch", 0, 0);
        run.assign(assign(1, numbers()));
        run.assign(assign(1, numbers()));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        assertThat(sink.tickets()).hasSize(300);
        assertThat(sink.set()).isEqualTo(all(told));
        assertThat(sink.ends()).containsExactly("end of JOB");
        assertThat(told.getElements()).isEqualTo(300);
        assertThat(remainder(told)).isEqualTo(TicketSet.NONE);
        assertThat(told.getExcluded()).isEmpty();
        assertThat(told.getMetrics()).isPresent();
    }

    @Test
    void theShortBatchIsLeftToAnotherAttempt() throws InterruptedException {
        AttemptRun run = run("batch", 0, 0);
        run.assign(assign(1, numbers()));
        run.finish(finish(1, false));
        AttemptProgress told = over(run);
        TicketSet delivered = sink.set();
        TicketSet remainder = remainder(told);
        assertThat(remainder.isEmpty()).isFalse();
        assertThat(sink.sizes())
                .hasSizeGreaterThan(1)
                .allMatch(size -> size.equals(sink.sizes().get(0)));
        assertThat(delivered.count() + remainder.count()).isEqualTo(300);
        assertThat(delivered.plus(remainder)).isEqualTo(all(told));

        TakenBatches rest = new TakenBatches();
        KnownPipeline known = pipeline("batch");
        AttemptRun second = new AttemptRun(
                Starts.of(known).setAttempt(1).setThreads(1).build(),
                new Surroundings("w1", new TaskShare(2, 0), digest -> known, counting, () -> {}),
                rest);
        second.start();
        List<AssignedSplit> splits = new ArrayList<>();
        for (Path path : numbers()) {
            splits.add(file(splits.size(), path, delivered.recordsOf(splits.size())));
        }
        second.assign(new AssignSplits("j", 0, 1, 1, splits));
        second.finish(new FinishAttempt("j", 0, 1, 1, true, true));
        over(second);
        assertThat(rest.set()).isEqualTo(remainder);
        assertThat(rest.tickets()).hasSize((int) remainder.count());
    }

    @Test
    void whatAFilterRejectsIsExcluded() throws InterruptedException {
        AttemptRun run = run("filter", 0, 0);
        run.assign(assign(1, numbers()));
        run.finish(finish(1, false));
        AttemptProgress told = over(run);
        TicketSet filtered = excluded(told, "filter");
        assertThat(filtered.isEmpty()).isFalse();
        assertThat(sink.set().plus(filtered).plus(remainder(told))).isEqualTo(all(told));
        assertThat(sink.set().count() + filtered.count() + remainder(told).count())
                .isEqualTo(300);
    }

    @Test
    void aFilterIsToldFromADroppedTail() throws InterruptedException {
        AttemptRun run = run("filter_shuffled", 0, 0);
        run.assign(assign(1, numbers()));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        TicketSet filtered = excluded(told, "filter");
        TicketSet tail = excluded(told, "drop_remainder");
        assertThat(filtered.isEmpty()).isFalse();
        assertThat(tail.count()).isLessThan(sink.sizes().get(0));
        assertThat(sink.set().plus(filtered).plus(tail)).isEqualTo(all(told));
        assertThat(sink.set().count() + filtered.count() + tail.count()).isEqualTo(300);
    }

    // 300 records in batches of 16, three of which make one: in the attempt that is not the last, the short batch waits
    // outside, and so does the batch that it would be in
    @ParameterizedTest
    @CsvSource({"padded_batch_of_batches, 288, 300", "dropped_batches_of_batches, 288, 288"})
    void aShortBatchWithinABatchIsLeftToTheLastAttempt(String name, long whole, long all) throws InterruptedException {
        AttemptRun first = run(name, 0, 0);
        first.assign(assign(1, numbers()));
        first.finish(finish(1, false));
        AttemptProgress told = over(first);
        assertThat(told.getFailure()).isEqualTo(Optional.empty());
        assertThat(sink.tickets()).hasSize((int) whole);
        assertThat(remainder(told).count()).isEqualTo(300 - whole);

        sink.clear();
        AttemptRun last = run(name, 0, 0);
        last.assign(assign(1, numbers()));
        last.finish(finish(1, true));
        told = over(last);
        assertThat(sink.tickets()).hasSize((int) all);
        assertThat(remainder(told).count()).isZero();
        assertThat(excluded(told, "drop_remainder").count()).isEqualTo(300 - all);
    }

    // 180 lines in two files, the first of each a header
    @Test
    void whatIsSkippedInAFileIsNoElement() throws InterruptedException {
        AttemptRun run = run("headers_skipped", 0, 0);
        run.assign(assign(
                1, Pipelines.files("data/text-*.txt").stream().map(Path::of).toList()));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        assertThat(told.getFailure()).isEqualTo(Optional.empty());
        assertThat(told.getOpened().stream().mapToLong(OpenedSplit::getRecords).sum())
                .isEqualTo(178);
        assertThat(sink.tickets()).hasSize(176);
        assertThat(excluded(told, "drop_remainder")).isEqualTo(TicketSet.of(Ticket.of(1, 87), Ticket.of(1, 88)));
    }

    @Test
    void theElementsThatAreMadeOfRecordsAreCountedWhenTheirSplitHasBeenRead() throws InterruptedException {
        AttemptRun run = run("flat_map_elements", 0, 0);
        run.assign(assign(1, numbers()));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        // n % 3 of each of 100, 100, 75 and 25 numbers from 0, 1000, 2000 and 3000 on
        assertThat(told.getOpened().stream()
                        .sorted(Comparator.comparing(OpenedSplit::getOrdinal))
                        .map(OpenedSplit::getRecords))
                .containsExactly(ofThree(0, 100), ofThree(1000, 1100), ofThree(2000, 2075), ofThree(3000, 3025));
        assertThat(sink.tickets()).doesNotHaveDuplicates();
    }

    private static long ofThree(long from, long until) {
        return LongStream.range(from, until).map(n -> n % 3).sum();
    }

    @Test
    void smallElementsTravelPacked() throws InterruptedException {
        AttemptRun run = run("unbatched", 0, 0);
        run.assign(assign(1, numbers()));
        run.finish(finish(1, false));
        AttemptProgress told = over(run);
        assertThat(sink.set()).isEqualTo(all(told));
        assertThat(sink.sizes().size()).isLessThan(10);
        assertThat(told.getBatches()).isEqualTo(300);
        assertThat(remainder(told)).isEqualTo(TicketSet.NONE);
    }

    @Test
    void anAttemptWithoutSplitsEnds() throws InterruptedException {
        AttemptRun run = run("batch", 0, 0);
        run.finish(finish(0, true));
        AttemptProgress told = over(run);
        assertThat(told.getEnd().orElseThrow().getLastSequences().get(0).getLastSequence())
                .isEqualTo(-1);
    }

    @Test
    void aFencedAttemptStopsWhileItWaits() throws InterruptedException {
        AttemptRun run = run("batch", 0, 0);
        run.assign(assign(1, numbers()));
        run.fence();
        assertThat(run.awaitOver(SECONDS_90)).isTrue();
        assertThat(sink.closed()).isTrue();
        assertThat(sink.ends()).isEmpty();
    }

    @Test
    void aWrongChecksumIsToldWithFileAndRecord() throws IOException, InterruptedException {
        List<Long> offsets = offsets(numbers().get(1));
        Path damaged = damaged(numbers().get(1), offsets.get(20) + 13);
        AttemptRun run = run("batch", 0, 0);
        run.assign(assign(1, List.of(numbers().get(0), damaged)));
        run.finish(finish(1, true));
        assertThat(failure(over(run)))
                .startsWith(damaged + ": record 20 at byte " + offsets.get(20) + " has a wrong checksum of its ")
                .endsWith("; repair the file, or tolerate such records with --skip-bad N");
        assertThat(sink.ends()).hasSize(1);
    }

    private static List<Long> offsets(Path file) throws IOException {
        List<Long> offsets = new ArrayList<>();
        TfRecordScanner.scan(
                DataFile.of(file.toString()),
                0,
                Long.MAX_VALUE,
                TfRecordScanner.Check.LENGTHS,
                (index, offset, end) -> offsets.add(offset));
        return offsets;
    }

    private Path damaged(Path source, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(source);
        bytes[(int) at] ^= 1;
        return Files.write(directory.resolve("damaged.tfrecord"), bytes);
    }

    // the reader goes no further in the file: record 20 and what lies behind it are lost
    @Test
    void theRestOfAFileBehindAWrongChecksumIsToldInOneLine() throws IOException, InterruptedException {
        List<Long> offsets = offsets(numbers().get(1));
        int lost = offsets.size() - 20;
        Path damaged = damaged(numbers().get(1), offsets.get(20) + 13);
        AttemptRun run = run("batch", 1_000, 0);
        run.assign(assign(1, List.of(numbers().get(0), damaged)));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        assertThat(told.getFailure()).isEmpty();
        assertThat(excluded(told, "bad"))
                .isEqualTo(TicketSet.of(LongStream.range(20, offsets.size())
                        .map(record -> Ticket.of(1, record))
                        .toArray()));
        assertThat(told.getExcluded().get(0).getDetails())
                .singleElement()
                .asString()
                .startsWith(damaged + ": record 20 at byte " + offsets.get(20) + " has a wrong checksum of its ")
                .endsWith("; TensorFlow reads no further in this file, so the " + lost
                        + " records from there on count as bad");
        assertThat(sink.set().plus(excluded(told, "bad"))).isEqualTo(all(told));
    }

    @Test
    void aDamagedFileIsToleratedUpToItsDamage() throws IOException, InterruptedException {
        Path source = numbers().get(1);
        byte[] whole = Files.readAllBytes(source);
        Path cut = Files.write(directory.resolve("cut.tfrecord"), Arrays.copyOf(whole, whole.length - 5));
        AttemptRun run = run("batch", 3, 0);
        run.assign(assign(1, List.of(numbers().get(0), cut)));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        assertThat(told.getFailure()).isEmpty();
        assertThat(excluded(told, "bad").count()).isEqualTo(1);
        assertThat(told.getExcluded().get(0).getDetails())
                .singleElement()
                .asString()
                .startsWith(cut + ": record ")
                .contains(" is cut off: ")
                .endsWith("; TensorFlow reads no further in this file, so that record counts as bad");
        assertThat(sink.set().plus(excluded(told, "bad"))).isEqualTo(all(told));
    }

    /** TensorFlow fails on it again each time that it is asked, and what passes over failures would ask for ever. */
    @Test
    void aFileThatIsNoNumberOfRecordsOfOneLengthFailsThoughBadOnesAreTolerated()
            throws IOException, InterruptedException {
        byte[] whole = Files.readAllBytes(data("fixed-00000.bin"));
        Path cut = Files.write(directory.resolve("cut.bin"), Arrays.copyOf(whole, whole.length - 1));
        assertThat(failureOf("fixed_length", 3, cut))
                .startsWith(cut + ": record ")
                .endsWith("; TensorFlow reads nothing of such a file, so that none of its records can be passed over:"
                        + " repair the file");
    }

    @Test
    void aTruncatedFileIsToldWithFileAndRecord() throws IOException, InterruptedException {
        byte[] whole = Files.readAllBytes(numbers().get(1));
        Path cut = Files.write(directory.resolve("cut.tfrecord"), Arrays.copyOf(whole, whole.length - 5));
        assertThat(failureOf("batch", 0, cut)).startsWith(cut + ": record ").contains(" is cut off: ");
    }

    @Test
    void aFileOfLengthZeroIsAnEmptySplit() throws IOException, InterruptedException {
        Path empty = Files.createFile(directory.resolve("empty.tfrecord"));
        AttemptRun run = run("batch", 0, 0);
        run.assign(assign(1, List.of(empty, numbers().get(1))));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        assertThat(told.getOpened()).contains(new OpenedSplit(0L, 0L));
        assertThat(sink.set()).isEqualTo(all(told));
    }

    @Test
    void aFileThatVanishedIsToldWithWorkerAndPath() throws InterruptedException {
        Path gone = directory.resolve("gone.tfrecord");
        AttemptRun run = run("batch", 0, 0);
        run.assign(assign(1, List.of(numbers().get(0), gone)));
        run.finish(finish(1, true));
        assertThat(failure(over(run)))
                .isEqualTo("worker w1 sees no file " + gone
                        + " any more, which was there when the job was planned; put it back and submit again");
    }

    @Test
    void aRecordThatDoesNotDecodeIsFound() throws IOException, InterruptedException {
        Path bad = withBadJpeg(5);
        assertThat(failureOf("jpeg_training", 0, bad))
                .startsWith(bad + ": record 5 cannot be processed: ")
                .endsWith("; tolerate such records with --skip-bad N");
    }

    @Test
    void aBadRecordIsToleratedAndTold() throws IOException, InterruptedException {
        Path bad = withBadJpeg(5);
        AttemptRun run = run("jpeg_training", 2, 0);
        run.assign(assign(1, List.of(bad)));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        assertThat(told.getFailure()).isEmpty();
        assertThat(excluded(told, "bad")).isEqualTo(TicketSet.of(Ticket.of(0, 5)));
        assertThat(told.getExcluded().get(0).getDetails())
                .singleElement()
                .asString()
                .startsWith(bad + ": record 5 cannot be processed: ");
        assertThat(sink.set().plus(excluded(told, "bad"))).isEqualTo(all(told));
    }

    @Test
    void aBadRecordBeforeElementsHaveNumbersIsNotSaidToBeTolerable() throws IOException, InterruptedException {
        // no element is made of the first record, and the second is too short
        Path bad = TfRecordFiles.write(directory.resolve("short.tfrecord"), new byte[16], new byte[] {1, 2, 3});
        assertThat(failureOf("flat_map_elements", 2, bad))
                .startsWith(bad + ": element 0 cannot be processed: ")
                .endsWith("; it fails before elements have numbers, where --skip-bad tolerates none: mend the record,"
                        + " or leave it out in the pipeline, as ignore_errors() does");
    }

    // of 25 records two batches of 10 are whole, and each beginning that is no multiple of 10 fails
    @Test
    void aFunctionThatFailsOnAShortBatchIsNoRecordsFault() throws InterruptedException {
        AttemptRun run = run("../corpus/rows_of_batches_that_are_asserted_to_be_whole", 0, 0);
        run.assign(assign(1, List.of(data("numbers-00003.tfrecord"))));
        run.finish(finish(1, true));
        assertThat(failure(over(run)))
                .startsWith("the pipeline failed on its data, and on no record by itself")
                .contains("assertion failed");
    }

    @Test
    void aBadRecordIsFoundAlsoWhereAFunctionFailsOnAShortBatch() throws IOException, InterruptedException {
        Path bad = withBad("numbers-00003.tfrecord", 13);
        assertThat(failureOf("../corpus/rows_of_batches_that_are_asserted_to_be_whole", 0, bad))
                .startsWith(bad + ": record 13 cannot be processed: ");
    }

    private Path withBadJpeg(int which) throws IOException {
        return withBad("jpegs-00000.tfrecord", which);
    }

    private Path withBad(String file, int which) throws IOException {
        List<byte[]> records = new ArrayList<>();
        Path source = data(file);
        byte[] bytes = Files.readAllBytes(source);
        TfRecordScanner.scan(
                DataFile.of(source.toString()),
                0,
                Long.MAX_VALUE,
                TfRecordScanner.Check.LENGTHS,
                (index, offset, end) -> records.add(Arrays.copyOfRange(bytes, (int) offset + 12, (int) end - 4)));
        records.set(which, new byte[] {1, 2, 3, 4, 5});
        return TfRecordFiles.write(directory.resolve("bad.tfrecord"), records.toArray(new byte[0][]));
    }

    @Test
    void aBatchBeyondTheLimitNamesBothSizes() throws InterruptedException {
        AttemptRun run = run("batch", 0, 10);
        run.assign(assign(1, numbers()));
        run.finish(finish(1, true));
        assertThat(failure(over(run)))
                .startsWith("a batch of ")
                .endsWith(
                        " bytes is larger than the limit of 10 bytes; make batches smaller or raise --max-batch-bytes");
    }

    @Test
    void anUntrackedPipelineDeliversAllItReads() throws InterruptedException {
        AttemptRun run = run("filtered_children", 0, 0);
        run.assign(assign(1, numbers()));
        run.finish(finish(1, true));
        AttemptProgress told = over(run);
        assertThat(told.getFailure()).isEqualTo(Optional.empty());
        assertThat(sink.tickets()).isEmpty();
        assertThat(sink.sizes()).isNotEmpty();
        assertThat(told.getOpened().stream().mapToLong(OpenedSplit::getRecords).sum())
                .isEqualTo(300);
    }
}
