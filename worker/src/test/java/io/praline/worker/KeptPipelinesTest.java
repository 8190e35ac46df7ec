package io.praline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptPipelinesTest {
    private static final PipelineGraph GRAPH = Pipelines.parse("map");
    private static final KnownPipeline PIPELINE = new KnownPipeline(GRAPH, PipelineAnalysis.of(GRAPH));

    private final List<String> read = new ArrayList<>();

    private KnownPipeline read(String digest) {
        read.add(digest);
        return PIPELINE;
    }

    private void ask(KeptPipelines kept, String... digests) {
        for (String digest : digests) {
            assertThat(kept.of(digest, this::read)).isSameAs(PIPELINE);
        }
    }

    @Test
    void theLastOnesAreNotReadAgain() {
        ask(new KeptPipelines(2, Long.MAX_VALUE), "a", "b", "a", "c", "a", "b");

        assertThat(read).containsExactly("a", "b", "c", "b");
    }

    @Test
    void noMoreAreKeptThanHaveSoManyBytes() {
        ask(new KeptPipelines(100, 2 * GRAPH.bytes()), "a", "b", "a", "c", "a", "b");

        assertThat(read).containsExactly("a", "b", "c", "b");
    }

    @Test
    void oneThatIsLargerThanAllMayBeIsKeptWhileItIsTheLast() {
        ask(new KeptPipelines(100, 1), "a", "a", "b", "b", "a");

        assertThat(read).containsExactly("a", "b", "a");
    }
}
