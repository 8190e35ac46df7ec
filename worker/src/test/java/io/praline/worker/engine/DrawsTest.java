package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.engine.Running.Batch;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is drawn by chance follows from the element, the place in the program, the epoch and the seed, and from nothing else. */
class DrawsTest {
    /** Places that draw by themselves never give the same, in no row; the first component is the element's id. */
    @ParameterizedTest
    @CsvSource({"draws_two_views, 1, 2, 3", "draws_in_loops, 1, 2, 3"})
    void everyPlaceInTheProgramDrawsNumbersOfItsOwn(String name, int one, int other, int third) {
        for (List<String> row : rows(run(name, Running.settings(true)))) {
            Set<String> different = new HashSet<>(List.of(row.get(one), row.get(other), row.get(third)));
            assertThat(different).as("row %s", row).hasSize(3);
        }
    }

    /** It takes no seeds unless it is told to be deterministic. */
    @Test
    void whatPoolsByChanceRuns() {
        assertThat(run("../corpus/regions_pooled_by_chance", Running.settings(true)))
                .isNotEmpty();
    }

    @Test
    void everyTurnOfALoopDrawsAnew() {
        for (List<String> row : rows(run("draws_in_loops", Running.settings(true)))) {
            for (String component : row.subList(1, row.size())) {
                Set<String> values = Set.of(component.replaceAll("[\\[\\]]", "").split(", "));
                assertThat(values).as(component).hasSize(4);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "draws_two_views, 1",
        "draws_in_loops, 1",
        "draws_in_loops, 2",
        "draws_in_loops, 3",
        "draws_of_all_kinds, 1",
        "draws_of_all_kinds, 3",
        "draws_of_all_kinds, 4",
        "draws_of_all_kinds, 5",
        "draws_of_all_kinds, 6",
        "draws_of_all_kinds, 7",
        "draws_of_all_kinds, 8",
        "draws_behind_a_batch, 1",
        "draws_in_a_whole, 1",
        "draws_in_files, 2",
        "draws_by_a_generator, 1",
        "draws_by_a_generator, 2",
        "draws_of_children, 2",
        "draws_of_children, 3",
        "draws_around_a_cache, 1",
        "draws_around_a_cache, 2"
    })
    void everyElementDrawsNumbersOfItsOwn(String name, int component) {
        List<String> drawn = rows(run(name, settings(name))).stream()
                .map(row -> row.get(component))
                .toList();

        assertThat(drawn).isNotEmpty().doesNotHaveDuplicates();
    }

    /** Read in another order by other tasks, in part, after a death: the element draws what it drew. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "draws_two_views",
                "draws_in_loops",
                "draws_of_all_kinds",
                "draws_in_files",
                "draws_by_a_generator",
                "draws_in_a_filter",
                "draws_around_a_cache"
            })
    void anElementDrawsTheSameWhereverItIsRead(String name) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        List<FeedSplit> splits = new ArrayList<>(Running.splits(analysis));
        TaskSettings settings = Running.settings(true);
        Map<Long, List<String>> first =
                byTicket(Running.all(TaskGraphs.build(pipeline, analysis, settings.withAttempt(1)), splits));
        Collections.reverse(splits);
        Map<Long, List<String>> again =
                byTicket(Running.all(TaskGraphs.build(pipeline, analysis, settings.withAttempt(7)), splits));

        assertThat(again).isEqualTo(first);
    }

    /** What another process wrote down of the same program, with other names and numbers for its functions, draws the same. */
    @ParameterizedTest
    @ValueSource(strings = {"random_unseeded", "examples_big_map"})
    void twoSerialisationsOfOneProgramDrawTheSame(String name) {
        assertThat(byTicket(run("twice/" + name, Running.settings(true))))
                .isEqualTo(byTicket(run(name, Running.settings(true))));
    }

    /** In single tasks, by number; with two task's threads the order is the same, since it is asked for. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "draws_in_a_whole",
                "draws_in_a_scan",
                "taken_by_chance",
                "taken_by_host",
                "taken_of_files",
                "taken_sloppy",
                "taken_unordered",
                "taken_unordered_inside"
            })
    void aPartThatIsReadAsAWholeIsTheSameAgain(String name) {
        TaskSettings settings = settings(name);

        assertThat(run(name, settings.withAttempt(2))).isEqualTo(run(name, settings.withAttempt(1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "draws_two_views",
                "draws_in_loops",
                "draws_of_all_kinds",
                "draws_behind_a_batch",
                "draws_in_a_whole",
                "draws_in_files",
                "draws_of_children"
            })
    void anotherEpochAndAnotherSeedDrawOtherNumbers(String name) {
        TaskSettings settings = settings(name);
        List<List<String>> first = rows(run(name, settings));

        assertThat(rows(run(name, settings.withEpoch(1)))).doesNotContainAnyElementsOf(first);
        assertThat(rows(run(name, settings.withSeed(2)))).doesNotContainAnyElementsOf(first);
    }

    /** Elements that have no ticket are others in another attempt, whose draws must not be those of this one. */
    @Test
    void whatNothingTellsApartDrawsByTheAttempt() {
        TaskSettings settings = settings("draws_of_children");
        Set<String> first = column(run("draws_of_children", settings.withAttempt(1)), 3);

        assertThat(column(run("draws_of_children", settings.withAttempt(2)), 3)).doesNotContainAnyElementsOf(first);
    }

    @Test
    void whatTheUserSeededIsTheSameInEveryJob() {
        List<List<String>> first = rows(run("random_seeded", Running.settings(true)));

        assertThat(rows(run("random_seeded", Running.settings(true).withSeed(99))))
                .isEqualTo(first);
        assertThat(rows(run("random_seeded", Running.settings(true).withEpoch(1))))
                .doesNotContainAnyElementsOf(first);
    }

    @ParameterizedTest
    @CsvSource({"0, 7, 0, 0", "3, 8, 0, 2"})
    void aShuffleThatIsSeededAndDoesNotReshuffleCutsTheSamePartsInEveryJobAndEpoch(
            long seed, long otherSeed, int epoch, int otherEpoch) {
        Set<String> part = column(
                run("seeded_split", settings("seeded_split").withSeed(seed).withEpoch(epoch)), 0);
        Set<String> rest = column(
                run("seeded_rest", settings("seeded_rest").withSeed(otherSeed).withEpoch(otherEpoch)), 0);

        assertThat(part).hasSize(30).doesNotContainAnyElementsOf(rest);
        assertThat(rest).hasSize(70);
    }

    /** As Python yields it of the program that repeats three times. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a_part_of_each_order_of_a_shuffle",
                "the_rest_of_each_order_of_a_small_shuffle",
                "sums_of_windows_of_each_order_of_a_shuffle",
                "two_shuffles_paired_anew",
                "the_same_order_in_each_repetition",
                "random_numbers_drawn_anew",
                "sampled_anew"
            })
    void eachRepetitionDrawsWhatTensorFlowDrawsByTheUsersSeedsInIt(String program) throws IOException {
        List<List<String>> drawn = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            drawn.addAll(rows(
                    run("../corpus/" + program, settings("../corpus/" + program).withEpoch(epoch))));
        }

        assertThat(drawn).isEqualTo(recorded(program));
    }

    @Test
    void whatStandsUpstreamOfACacheIsDrawnOnceForAllEpochs() {
        Map<String, String> kept = new TreeMap<>();
        Set<String> fresh = new HashSet<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            for (List<String> row :
                    rows(run("draws_around_a_cache", Running.settings(true).withEpoch(epoch)))) {
                assertThat(kept.computeIfAbsent(row.get(0), id -> row.get(1))).isEqualTo(row.get(1));
                fresh.add(row.get(2));
            }
        }
        assertThat(kept).hasSize(300);
        assertThat(fresh).hasSize(900);
    }

    /** The buffer of the shuffle holds all, so that the cache is read to its end before 80 elements are taken. */
    @Test
    void whatACacheKeepsThatAShuffleReadsAheadOfIsDrawnOnceForAllEpochs() {
        String program = "../corpus/draws_kept_for_some_steps";
        Map<String, String> kept = new TreeMap<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            for (List<String> row : rows(run(program, settings(program).withEpoch(epoch)))) {
                assertThat(kept.computeIfAbsent(row.get(0), id -> row.get(1))).isEqualTo(row.get(1));
            }
        }
        assertThat(kept).hasSizeGreaterThan(80);
    }

    /** The files of one job are chosen by whoever plans it; the other is run by one task as it stands, since it takes some elements. */
    @Test
    void filesOfOneOrderAreTheSameWhoeverChoosesThem() {
        String training = "../corpus/files_of_one_order_to_train_with";
        String validation = "../corpus/some_elements_of_the_files_of_one_order_to_validate";
        assertThat(PipelineAnalysis.of(Pipelines.parse(training)).singleTask()).isFalse();
        assertThat(PipelineAnalysis.of(Pipelines.parse(validation)).singleTask())
                .isTrue();

        assertThat(rows(run(validation, settings(validation).withSeed(3))))
                .hasSize(50)
                .doesNotContainAnyElementsOf(rows(run(training, settings(training))));
    }

    @Test
    void aSubsetTakenByChanceAndCachedIsTheSameInEveryEpochAndAnotherInAnotherJob() {
        TaskSettings settings = settings("cached_subset");
        List<List<String>> first = rows(run("cached_subset", settings));
        List<List<String>> next = rows(run("cached_subset", settings.withEpoch(1)));

        assertThat(next).containsExactlyInAnyOrderElementsOf(first).isNotEqualTo(first);
        assertThat(Set.copyOf(rows(run("cached_subset", settings.withSeed(5))))).isNotEqualTo(Set.copyOf(first));
    }

    private static TaskSettings settings(String name) {
        return Running.settings(PipelineAnalysis.of(Pipelines.parse(name)).exactlyOnce());
    }

    private static List<Batch> run(String name, TaskSettings settings) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        return Running.all(TaskGraphs.build(pipeline, analysis, settings), Running.splits(analysis));
    }

    private static List<List<String>> rows(List<Batch> batches) {
        return batches.stream().flatMap(batch -> batch.rows().stream()).toList();
    }

    /** The rows of integers that Python yielded, as {@link Running} shows them: their bytes. */
    private static List<List<String>> recorded(String program) throws IOException {
        try (Stream<String> lines = Files.lines(Pipelines.folder().resolve("../corpus/values/" + program + ".jsonl"))) {
            return lines.skip(1)
                    .map(line -> Pattern.compile("\"values\":\\[(-?\\d+)]")
                            .matcher(line)
                            .results()
                            .map(value -> String.format("[%016x]", Long.reverseBytes(Long.parseLong(value.group(1)))))
                            .toList())
                    .toList();
        }
    }

    private static Set<String> column(List<Batch> batches, int component) {
        return rows(batches).stream().map(row -> row.get(component)).collect(Collectors.toSet());
    }

    private static Map<Long, List<String>> byTicket(List<Batch> batches) {
        Map<Long, List<String>> rows = new TreeMap<>();
        for (Batch batch : batches) {
            for (int i = 0; i < batch.tickets().size(); i++) {
                rows.put(batch.tickets().get(i), batch.rows().get(i));
            }
        }
        return rows;
    }
}
