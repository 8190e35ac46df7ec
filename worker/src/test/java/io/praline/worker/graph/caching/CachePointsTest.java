package io.praline.worker.graph.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachePointsTest {
    private static CachePoints of(String name, long seed) {
        PipelineGraph graph = Pipelines.parse(name);
        return CachePoints.of(graph, PipelineAnalysis.of(graph), seed);
    }

    @ParameterizedTest
    @CsvSource({
        "filter_shuffled, shuffle_2: it mixes the elements of several splits",
        "batch, batch_2: it puts elements of several splits together",
        "draws_in_a_filter, filter_2: it draws random numbers",
        "draws_in_files, read_0: it draws random numbers",
        "../corpus/glimpses_beyond_the_edge, map_2: it draws random numbers that no key makes again (ExtractGlimpseV2)",
        "../corpus/regions_pooled_by_chance, map_3: it draws random numbers that no key makes again (FractionalMaxPool)",
        "enumerate, a single task reads it as a whole",
        "choose_by_turns, it has 2 sources",
    })
    void saysWhyThereIsNoLaterOne(String name, String blocked) {
        assertThat(of(name, 7).blocked()).isEqualTo(blocked);
    }

    @ParameterizedTest
    @CsvSource({
        "names_that_a_file_holds, map_1, ReadFile",
        "captured_name, map_1, ReadFile",
        "name_made_for_a_call, map_1, ReadFile",
        "name_made_a_step_before, map_2, ReadFile",
        "name_in_a_branch, map_1, ReadFile",
        "lines_in_a_map, map_1, TextLineDataset",
        "records_in_a_map, map_1, TFRecordDataset",
        "table_in_a_map, map_1, CSVDatasetV2",
        "folder_in_a_map, map_1, MatchingFiles",
        "file_beside_each, read_0, ReadFile",
    })
    void whatOpensFilesThatNoKeyTellsOfIsNotKept(String name, String step, String op) {
        CachePoints points = of("kept/" + name, 7);
        assertThat(points.blocked()).isEqualTo(step + ": it reads files that no split names (" + op + ")");
        assertThat(points.points()).extracting(CachePoint::step).doesNotContain(step);
    }

    @Test
    void aKeyTellsOfFilesThatElementsName() {
        int flowers = Pipelines.files("data/flowers/*/*.jpg").size();
        assertThat(of("kept/names", 7).points())
                .extracting(point -> point.opened().size())
                .containsExactly(0, 0);
        assertThat(of("kept/names_and_labels", 7).points())
                .extracting(point -> point.opened().size())
                .containsExactly(0, 1);
        CachePoint both = of("kept/pictures_and_masks", 7).points().get(2);
        assertThat(both.opened()).hasSize(2).allMatch(names -> names.size() == flowers);
        assertThat(both.opened().get(0))
                .isNotEqualTo(both.opened().get(1))
                .hasSameElementsAs(both.opened().get(1));
    }

    // the user's cache keeps three passes over the files, each with draws of its own
    @Test
    void whatACacheKeepsOfSeveralPassesIsNoneOfThem() {
        CachePoints points = of("kept/names_repeated_below_a_cache", 7);
        assertThat(points.points()).hasSize(1).noneMatch(CachePoint::drawn);
        assertThat(points.blocked()).isEqualTo("map_1: it draws random numbers");
        assertThat(of("kept/drawn_and_cached", 7).points())
                .extracting(CachePoint::drawn)
                .containsExactly(false, true);
    }

    @Test
    void whatTensorFlowCannotWriteDownIsNotKept() {
        assertThat(of("kept/quantised", 7).blocked()).isEqualTo("map_1: it yields what is no plain tensor");
        assertThat(of("kept/of_all_types", 7).points()).hasSize(2);
    }

    @Test
    void numbersThemFromTheSourceOn() {
        List<CachePoint> points = of("filter", 7).points();
        assertThat(points.stream().map(CachePoint::number)).startsWith(0, 1).isSorted();
        assertThat(points.stream().map(CachePoint::prefix))
                .doesNotHaveDuplicates()
                .allMatch(hex -> hex.length() == 64);
    }

    @Test
    void whatDrawsNothingIsTheSameInEveryJobAndWhatACacheFreezesIsOfOneSeed() {
        assertThat(of("filter", 7)).isEqualTo(of("filter", 8));
        CachePoints frozen = of("draws_around_a_cache", 7);
        CachePoints others = of("draws_around_a_cache", 8);
        assertThat(frozen.points()).hasSameSizeAs(others.points());
        int drawn = 0;
        for (CachePoint point : frozen.points()) {
            drawn += point.equals(others.points().get(point.number())) ? 0 : 1;
        }
        assertThat(drawn).isPositive();
        assertThat(frozen.points().get(0)).isEqualTo(others.points().get(0));
        assertThat(frozen.blocked()).contains("draws random numbers");
    }
}
