package io.praline.deploy.ordering;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.engine.TensorFlowInference;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PolicyStepsTest {
    private static final Path CORPUS = Path.of("..", "worker", "src", "test", "resources", "corpus");

    private final TensorFlowOps ops = new TensorFlowOps();
    private final TensorFlowInference inference = new TensorFlowInference();
    private final Variants variants = new Variants(inference);

    // a dispatcher put what was measured into quarantine where a step read more components than were in front of it
    @Test
    void policiesTakeTheStepsOfEveryProgramOfTheCorpus() throws IOException {
        Map<String, String> refused = new TreeMap<>();
        List<String> taken = new ArrayList<>();
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".pb")).toList()) {
                try {
                    var described =
                            new Steps(inference).of(variants.split(PipelineGraph.parse(Files.readAllBytes(file), ops)));
                    assertThat(PolicySteps.steps(described)).hasSameSizeAs(described);
                    taken.add(file.getFileName().toString());
                } catch (RefusedPipeline | RefusedRecipe expected) {
                    // a program that is not run, or not taken apart
                } catch (IllegalArgumentException wrong) {
                    refused.put(file.getFileName().toString(), wrong.getMessage());
                }
            }
        }
        assertThat(refused).isEmpty();
        assertThat(taken).hasSizeGreaterThan(800);
    }
}
