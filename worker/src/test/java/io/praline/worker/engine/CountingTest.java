package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.identity.Ticket;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.ticket.Counting;
import io.praline.worker.planning.RecordCounter;
import io.praline.worker.planning.RecordFormat;
import io.praline.worker.planning.SplitPlanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** Elements that are counted are those that would carry the tickets. */
class CountingTest {
    private static final List<String> NUMBERS = Pipelines.files("data/numbers-*.tfrecord");

    static Stream<String> counted() {
        return Pipelines.running().stream().filter(name -> PipelineAnalysis.of(Pipelines.parseHere(name))
                .counting()
                .isPresent());
    }

    @ParameterizedTest
    @MethodSource("counted")
    void areTheSameInTheSameBatches(String name) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        List<FeedSplit> splits = splits(analysis);

        assertThat(Running.all(task(pipeline, true), splits)).isEqualTo(Running.all(task(pipeline, false), splits));
    }

    @ParameterizedTest
    @MethodSource("counted")
    void areTheSameWhereSomeAreNotWanted(String name) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        RoaringBitmap some = RoaringBitmap.bitmapOf(1, 2, 5, 17);
        RoaringBitmap first = RoaringBitmap.bitmapOf(0, 1, 2);
        List<FeedSplit> splits = new ArrayList<>();
        for (FeedSplit split : splits(PipelineAnalysis.of(pipeline))) {
            splits.add(splits.size() % 3 == 2 ? split : split.skipping(splits.size() % 3 == 0 ? some : first));
        }

        assertThat(Running.all(task(pipeline, true), splits)).isEqualTo(Running.all(task(pipeline, false), splits));
    }

    @Test
    void areThereWhereOrderIsKeptAndNothingDropsOrDraws() {
        assertThat(counted())
                .contains("map", "parallel_map", "fixed_length", "integers", "flat_map", "prefetch", "padded_batch")
                .doesNotContain(
                        "filter",
                        "shuffle",
                        "parallel_map_unordered",
                        "parallel_reads",
                        "interleave_parallel",
                        "interleave_nested",
                        "random_seeded",
                        "unbatch",
                        "flat_map_elements",
                        "text_lines",
                        "zlib_tfrecord",
                        "concatenate",
                        "group_by_window");
        assertThat(PipelineAnalysis.of(Pipelines.parseHere("parallel_map")).counting())
                .contains(new Counting(8, false));
    }

    /** Those of a short batch are held back by their tickets. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rows_behind_beginnings_of_whole_batches",
                "rows_of_batches_that_are_asserted_to_be_whole",
                "rows_of_whole_batches_in_a_column"
            })
    void areNotThereBehindAFunctionForWholeBatches(String name) {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/" + name)).counting())
                .isEmpty();
    }

    @Test
    void areThereWhereOnlyTheWidthOfRowsIsAsserted() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/rows_of_batches_of_which_the_width_is_asserted"))
                        .counting())
                .contains(new Counting(7, false));
    }

    // records lie 32 bytes apart
    @ParameterizedTest
    @ValueSource(longs = {-1, 1})
    void aSplitThatDoesNotHoldWhatWasCountedFailsAtItsEnd(long wrong) {
        TaskGraph task = task(Pipelines.parseHere("parallel_map"), true);
        FeedSplit whole = FeedSplit.file(0, 0, NUMBERS.get(0)).counted(100 + wrong);
        FeedSplit range = new FeedSplit(
                        1, 0, List.of(NUMBERS.get(1)), 70 * 32, 0, 1, OptionalLong.of(31), OptionalLong.empty(), none())
                .counted(31);

        assertThatThrownBy(() -> Running.all(task, List.of(whole)))
                .isInstanceOf(EngineFailure.class)
                .hasMessageContaining("was expected to contain " + (100 + wrong) + " elements");
        assertThatThrownBy(() -> Running.all(task, List.of(range)))
                .isInstanceOf(EngineFailure.class)
                .hasMessageContaining("was expected to contain 31 elements but contained only 30");
    }

    // 100 records in batches of 7
    @Test
    void aShortBatchThatIsLeftOutIsTold() {
        try (GraphSession session = new GraphSession(task(Pipelines.parseHere("batch_parallel"), true))) {
            session.enqueue(FeedSplit.file(3, 0, NUMBERS.get(0)).counted(100));
            assertThat(session.told()).isEqualTo(ToldTickets.NOTHING);
            session.closeQueue();
            assertThat(Running.rest(session)).hasSize(14);
            assertThat(session.told().unbatched())
                    .isEqualTo(LongStream.range(98, 100)
                            .mapToObj(record -> Ticket.of(3, record))
                            .toList());
        }
    }

    @Test
    void aSplitMustSayHowManyRecordsItHas() {
        try (GraphSession session = new GraphSession(task(Pipelines.parseHere("parallel_map"), true))) {
            assertThatThrownBy(() -> session.enqueue(FeedSplit.file(3, 0, NUMBERS.get(0))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("split 3 must say how many elements it has, since they are counted");
        }
    }

    private static RoaringBitmap none() {
        return new RoaringBitmap();
    }

    private static TaskGraph task(PipelineGraph pipeline, boolean counted) {
        return TaskGraphs.build(
                pipeline,
                PipelineAnalysis.of(pipeline),
                Running.settings(true).withPack(true).withCounted(counted));
    }

    private static List<FeedSplit> splits(PipelineAnalysis analysis) {
        RecordFormat[] format =
                RecordFormat.of(analysis.sources().get(0).kind()).stream().toArray(RecordFormat[]::new);
        return Running.splits(analysis).stream()
                .map(split -> split.counted(
                        format.length > 0
                                ? records(split.paths().get(0), format[0])
                                : split.paths().isEmpty()
                                        ? SplitPlanner.count(split.from(), split.until(), split.step())
                                        : split.paths().size()))
                .toList();
    }

    private static long records(String path, RecordFormat format) {
        try {
            return RecordCounter.count(path, format, () -> true);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
