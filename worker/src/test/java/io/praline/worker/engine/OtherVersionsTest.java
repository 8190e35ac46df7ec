package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program gives the same elements whichever TensorFlow serialised it, what it draws included; those of 2.18 lie in the
 * corpus.
 */
@Tag("long")
class OtherVersionsTest {
    private static final String CORPUS = "../corpus/";
    private static final String VERSIONS = "../versions/";

    /** As {@code tf215/batching}. */
    static List<String> kept() {
        try (Stream<Path> files = Files.walk(Pipelines.folder().resolve(VERSIONS))) {
            return files.filter(file -> file.toString().endsWith(".pb"))
                    .map(file -> file.getParent().getFileName() + "/" + file.getFileName())
                    .map(file -> file.substring(0, file.length() - ".pb".length()))
                    .sorted()
                    .toList();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    @ParameterizedTest
    @MethodSource("kept")
    void theSameProgramGivesTheSameElements(String kept) {
        assertThat(elements(VERSIONS + kept)).isNotEmpty().isEqualTo(elements(CORPUS + program(kept)));
    }

    /** Of graphs that are the same but for names, the oldest version's is kept, and none where that of 2.18 is the same. */
    @Test
    void noGraphIsKeptTwice() {
        Map<String, Set<String>> known = new HashMap<>();
        List<String> superfluous = new ArrayList<>();
        for (String kept : kept()) {
            Set<String> digests =
                    known.computeIfAbsent(program(kept), name -> new HashSet<>(Set.of(digest(CORPUS + name))));
            if (!digests.add(digest(VERSIONS + kept))) {
                superfluous.add(kept);
            }
        }

        assertThat(superfluous).isEmpty();
    }

    private static String program(String kept) {
        return kept.substring(kept.indexOf('/') + 1);
    }

    private static String digest(String name) {
        return Pipelines.parse(name).digest();
    }

    /** Each element's components as text, in the order of the text. */
    private static List<String> elements(String name) {
        PipelineGraph pipeline = Pipelines.parseHere(name);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        return Running.all(
                        TaskGraphs.build(pipeline, analysis, Running.settings(analysis.exactlyOnce())),
                        Running.splits(analysis))
                .stream()
                .flatMap(batch -> batch.rows().stream())
                .map(List::toString)
                .sorted()
                .toList();
    }
}
