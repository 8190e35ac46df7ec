package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.worker.engine.Running.Batch;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** Every element says which record it is, and records that are not wanted do not come again. */
class TicketsTest {
    private static final String[] FILES =
            Pipelines.files("data/numbers-*.tfrecord").toArray(String[]::new);

    // the record of NUMBERS with id 1000 x file + index is record `index` of split `file`
    @ParameterizedTest
    @ValueSource(
            strings = {
                "parallel_map",
                "shuffle",
                "interleave_parallel",
                "parallel_map_unordered",
                "filter",
                "filter_shuffled",
                "unbatch",
                "group_by_window",
                "lookup_table",
                "batch_parallel",
                "random_seeded",
            })
    void aTicketIsTheRecordsSplitAndIndex(String name) {
        Set<Long> seen = new HashSet<>();
        for (Batch batch : run(name, List.of())) {
            List<String> ids = batch.components().get(0).flat();
            assertThat(batch.tickets()).hasSameSizeAs(ids);
            for (int i = 0; i < ids.size(); i++) {
                long id = Long.reverseBytes(Long.parseUnsignedLong(ids.get(i), 16));
                assertThat(batch.tickets().get(i)).isEqualTo(Ticket.of(id / 1000, id % 1000));
                assertThat(seen.add(id)).isTrue();
            }
        }
        assertThat(seen).isNotEmpty();
    }

    @Test
    void leavesOutRecordsThatAreNotWanted() {
        RoaringBitmap some = RoaringBitmap.bitmapOf(0, 1, 5, 17);
        RoaringBitmap first = new RoaringBitmap();
        first.add(0L, 40L);
        RoaringBitmap all = new RoaringBitmap();
        all.add(0L, 75L);

        Map<Long, Set<Long>> came = bySplit(run("parallel_map", List.of(some, first, all, new RoaringBitmap())));

        Set<Long> withoutSome = range(0, 100);
        withoutSome.removeAll(List.of(0L, 1L, 5L, 17L));
        assertThat(came).isEqualTo(Map.of(0L, withoutSome, 1L, range(40, 100), 3L, range(0, 25)));
    }

    // the pipeline takes the first 40 records of each file
    @Test
    void aTakeInsideAFileCountsTheRecordsThatAreNotWanted() {
        RoaringBitmap some = RoaringBitmap.bitmapOf(0, 1, 5, 17);
        RoaringBitmap first = new RoaringBitmap();
        first.add(0L, 30L);
        RoaringBitmap all = new RoaringBitmap();
        all.add(0L, 75L);

        Map<Long, Set<Long>> came = bySplit(run("interleave_nested", List.of(some, first, all, new RoaringBitmap())));

        Set<Long> withoutSome = range(0, 40);
        withoutSome.removeAll(List.of(0L, 1L, 5L, 17L));
        assertThat(came).isEqualTo(Map.of(0L, withoutSome, 1L, range(30, 40), 3L, range(0, 25)));
    }

    // the pipeline numbers the records of each file and skips the first one
    @Test
    void aSkipAndNumbersInsideAFileCountTheRecordsThatAreNotWanted() {
        List<Batch> whole = run("interleave_numbered", List.of());
        RoaringBitmap some = RoaringBitmap.bitmapOf(2, 5, 17);
        List<Batch> part = run("interleave_numbered", List.of(some, some, some, some));

        Map<Long, List<String>> expected = rowsByTicket(whole);
        assertThat(expected).hasSize(296);
        expected.keySet().removeIf(ticket -> some.contains((int) Ticket.record(ticket)));
        assertThat(rowsByTicket(part)).isEqualTo(expected);
    }

    // records of 16 bytes lie 32 bytes apart: 8 length, 4 check, 16 data, 4 check
    @Test
    void readsARangeOfAFile() {
        TaskGraph task = task("parallel_map", settings(false));
        FeedSplit range = new FeedSplit(
                7, 0, List.of(FILES[1]), 20 * 32, 0, 1, OptionalLong.of(30), OptionalLong.empty(), new RoaringBitmap());

        List<Batch> batches = Running.all(task, List.of(range, range.skipping(RoaringBitmap.bitmapOf(0, 29))));

        List<Long> ids = batches.stream()
                .flatMap(batch -> batch.components().get(0).flat().stream())
                .map(id -> Long.reverseBytes(Long.parseUnsignedLong(id, 16)))
                .toList();
        List<Long> expected =
                new ArrayList<>(LongStream.range(1020, 1050).boxed().toList());
        expected.addAll(LongStream.range(1021, 1049).boxed().toList());
        assertThat(ids).isEqualTo(expected);
        assertThat(batches.get(0).tickets().get(0)).isEqualTo(Ticket.of(7, 0));
    }

    @Test
    void leavesOutIntegersThatAreNotWanted() {
        TaskGraph task = task("integers", settings(false));
        FeedSplit split = FeedSplit.integers(3, 0, 10, 40, 3).skipping(RoaringBitmap.bitmapOf(1, 2));

        List<Batch> batches = Running.all(task, List.of(split));

        assertThat(batches.get(0).tickets())
                .isEqualTo(List.of(0L, 3L, 4L, 5L, 6L, 7L, 8L, 9L).stream()
                        .map(index -> Ticket.of(3, index))
                        .toList());
        assertThat(batches.get(0).components().get(0).flat().get(1)).startsWith("13");
    }

    // 300 records, of which the filter keeps those whose id is no multiple of 3; batches of 8 without the remainder
    @Test
    void aFilterAndABatchTellWhatTheyLeaveOut() {
        TaskGraph task = task("filter_shuffled", settings(false));
        try (GraphSession session = new GraphSession(task)) {
            for (int i = 0; i < FILES.length; i++) {
                session.enqueue(FeedSplit.file(i, 0, FILES[i]));
            }
            session.closeQueue();
            Set<Long> kept = new TreeSet<>();
            Running.rest(session).forEach(batch -> kept.addAll(batch.tickets()));
            ToldTickets told = session.told();
            Set<Long> dropped = new TreeSet<>(told.dropped());
            long multiples = LongStream.of(0, 1, 2, 3)
                    .flatMap(file -> LongStream.range(0, new int[] {100, 100, 75, 25}[(int) file])
                            .map(index -> 1000 * file + index))
                    .filter(id -> id % 3 == 0)
                    .count();
            assertThat(dropped).hasSize((int) multiples).doesNotContainAnyElementsOf(kept);
            assertThat(kept).hasSize((int) ((300 - multiples) / 8 * 8));
            Set<Long> all = new TreeSet<>(kept);
            all.addAll(dropped);
            assertThat(told.unbatched()).hasSize(300 - all.size()).doesNotContainAnyElementsOf(all);
            assertThat(session.told()).isEqualTo(ToldTickets.NOTHING);
        }
    }

    // of the 25 records of the last file two batches of 10 are whole
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rows_behind_beginnings_of_whole_batches",
                "rows_of_a_shuffle_in_pairs_of_pairs",
                "rows_of_batches_that_are_asserted_to_be_whole",
                "rows_of_batches_that_are_asserted_to_be_whole_in_a_branch",
                "rows_of_whole_batches_in_a_column",
                "rows_of_shuffled_whole_batches_beside_states",
                "rows_of_shuffled_whole_batches_beside_weights_that_are_zipped",
                "rows_of_shuffled_whole_batches_beside_batches_of_chance",
                "rows_of_shuffled_whole_batches_beside_some_that_are_drawn"
            })
    void aFunctionForWholeBatchesIsGivenNoShortOne(String name) {
        TaskGraph task = task("../corpus/" + name, settings(false));
        try (GraphSession session = new GraphSession(task)) {
            session.enqueue(FeedSplit.file(0, 0, FILES[3]));
            session.closeQueue();
            Set<Long> came = new TreeSet<>();
            Running.rest(session).forEach(batch -> came.addAll(batch.tickets()));
            assertThat(came).hasSize(20);
            assertThat(session.told().unbatched()).hasSize(5).doesNotContainAnyElementsOf(came);
        }
    }

    @Test
    void anElementDrawsTheSameNumbersInAnyOrderAndOthersInTheNextEpoch() {
        Map<Long, List<String>> forwards = draws(0, false);
        Map<Long, List<String>> backwards = draws(0, true);
        Map<Long, List<String>> next = draws(1, false);

        assertThat(forwards).hasSize(300).isEqualTo(backwards);
        assertThat(forwards.keySet())
                .allSatisfy(ticket -> assertThat(next.get(ticket)).isNotEqualTo(forwards.get(ticket)));
    }

    private static Map<Long, List<String>> draws(int epoch, boolean backwards) {
        PipelineGraph pipeline = Pipelines.parseHere("random_seeded");
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        TaskSettings settings = TaskSettings.of(2).withTracked(true).withSeed(5).withEpoch(epoch);
        List<FeedSplit> splits = new ArrayList<>(Running.splits(analysis));
        if (backwards) {
            Collections.reverse(splits);
        }
        Map<Long, List<String>> draws = new HashMap<>();
        for (Batch batch : Running.all(TaskGraphs.build(pipeline, analysis, settings), splits)) {
            List<List<String>> rows = batch.rows();
            for (int i = 0; i < rows.size(); i++) {
                draws.put(
                        batch.tickets().get(i),
                        rows.get(i).subList(1, rows.get(i).size()));
            }
        }
        return draws;
    }

    private static TaskSettings settings(boolean pack) {
        return Running.settings(true).withPack(pack);
    }

    private static TaskGraph task(String name, TaskSettings settings) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        return TaskGraphs.build(pipeline, PipelineAnalysis.of(pipeline), settings);
    }

    private static List<Batch> run(String name, List<RoaringBitmap> skips) {
        List<FeedSplit> splits = new ArrayList<>();
        for (int i = 0; i < FILES.length; i++) {
            FeedSplit split = FeedSplit.file(i, 0, FILES[i]);
            splits.add(skips.isEmpty() ? split : split.skipping(skips.get(i)));
        }
        return Running.all(task(name, settings(false)), splits);
    }

    private static Map<Long, List<String>> rowsByTicket(List<Batch> batches) {
        Map<Long, List<String>> rows = new HashMap<>();
        for (Batch batch : batches) {
            for (int i = 0; i < batch.rows().size(); i++) {
                rows.put(batch.tickets().get(i), batch.rows().get(i));
            }
        }
        return rows;
    }

    private static Map<Long, Set<Long>> bySplit(List<Batch> batches) {
        Map<Long, Set<Long>> records = new HashMap<>();
        batches.forEach(batch -> batch.tickets()
                .forEach(ticket -> records.computeIfAbsent(Ticket.ordinal(ticket), split -> new TreeSet<>())
                        .add(Ticket.record(ticket))));
        return records;
    }

    private static Set<Long> range(long from, long until) {
        return new TreeSet<>(LongStream.range(from, until).boxed().toList());
    }
}
