package io.praline.worker.graph.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainBatchesTest {
    /** Behind the last cache point of a pipeline. */
    private static Optional<PlainBatches> of(String name) {
        PipelineGraph graph = Pipelines.parse(name);
        List<CachePoint> points =
                CachePoints.of(graph, PipelineAnalysis.of(graph), 7).points();
        return points.isEmpty()
                ? Optional.empty()
                : PlainBatches.behind(graph, points.get(points.size() - 1).node());
    }

    @ParameterizedTest
    @CsvSource({
        "map_and_batch, 7, true",
        "prefetch, 8, false",
        "filter, 8, false",
    })
    void areFoundWhereNothingElseIsDone(String name, int size, boolean drops) {
        PlainBatches batches = of(name).orElseThrow();
        assertThat(batches.size()).isEqualTo(size);
        assertThat(batches.dropsRemainder()).isEqualTo(drops);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep", // which is there for its time
                "filter_shuffled",
                "examples_vectorised", // maps batches
                "batch", // of elements that the graph says may have any size
                "padded_batch",
                "dropped_batches_of_batches",
                "unbatch",
                "kept/of_all_types" // no batches
            })
    void areNotFoundWhereAnythingElseIsDone(String name) {
        assertThat(of(name)).isEmpty();
    }

    @Test
    void componentsLieOneBehindTheOther() {
        PlainBatches batches = of("kept/batches_of_all_types").orElseThrow();
        List<Integer> places = batches.places();
        assertThat(places).isSorted().first().isEqualTo(0);
        for (int i = 0; i < places.size(); i++) {
            int end = i + 1 < places.size() ? places.get(i + 1) : batches.bytes();
            int bytes = batches.size() * batches.layout().fields().get(i).bytes();
            assertThat(places.get(i) + bytes).isLessThanOrEqualTo(end);
        }
    }

    @Test
    void elementsLieAsTheGraphThatKeepsThemSays() {
        int compared = 0;
        for (String name : Pipelines.running()) {
            PipelineGraph graph = Pipelines.parse(name);
            PipelineAnalysis analysis = PipelineAnalysis.of(graph);
            for (CachePoint point : CachePoints.of(graph, analysis, 7).points()) {
                Optional<PlainBatches> batches = PlainBatches.behind(graph, point.node());
                if (batches.isPresent()) {
                    TaskGraph task = TaskGraphs.build(
                            graph,
                            analysis,
                            TaskSettings.of(1)
                                    .withTracked(true)
                                    .withCache(Optional.of(new TaskSettings.CacheAt(point.node(), true))));
                    assertThat(batches.get().layout())
                            .as(name)
                            .isEqualTo(task.roads().orElseThrow().layout());
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(10);
    }
}
