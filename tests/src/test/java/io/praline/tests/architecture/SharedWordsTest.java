package io.praline.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.JobSpec;
import io.praline.policy.ordering.StepOp;
import io.praline.schema.StepOperation;
import io.praline.worker.graph.ordering.step.SettingWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Programs that do not import each other have words in common: each has them in one place, and all have the same. */
class SharedWordsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path WORKER = ROOT.resolve("worker/src/main/java/io/praline/worker/graph/ordering/step");
    private static final Path POLICIES = ROOT.resolve("policies/src/main/java/io/praline/policy/ordering");

    /** A key that is written, or taken back. */
    private static final Pattern WRITTEN = Pattern.compile("\\b(?:put|merge|remove)\\(\\s*\"(\\w+)\"");

    private static final Pattern LITERAL = Pattern.compile("\"([\\w:]+)\"");

    @Test
    void settingsOfOpsAreWrittenReadAndListedInTheSameWords() {
        assertThat(SettingWords.KEYS).isEqualTo(StepOp.KEYS).isEqualTo(listed("Keys"));
        assertThat(SettingWords.VALUES).isEqualTo(StepOp.VALUES).isEqualTo(listed("Values"));
        assertThat(SettingWords.FLAGS).isEqualTo(StepOp.FLAGS).isEqualTo(listed("Flags"));
    }

    private static Set<String> listed(String what) {
        String doc = StepOperation.getClassSchema().getField("settings").doc();
        return Pattern.compile(what + "(?: of Praline's own)?: ([^.]*)\\.")
                .matcher(doc)
                .results()
                .flatMap(list -> Arrays.stream(list.group(1).split(", ", -1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // a literal beside the constants could differ from them
    @Test
    void theyStandInOnePlaceOfEachProgram() throws IOException {
        for (String writer : List.of("OpSettings.java", "StepOp.java")) {
            assertThat(found(WRITTEN, WORKER.resolve(writer))).as(writer).isEmpty();
        }
        try (Stream<Path> files = Files.walk(POLICIES)) {
            List<Path> readers = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("StepOp.java"))
                    .toList();
            assertThat(readers).isNotEmpty();
            for (Path reader : readers) {
                assertThat(found(LITERAL, reader))
                        .as(reader.toString())
                        .doesNotContainAnyElementsOf(SettingWords.KEYS)
                        .doesNotContainAnyElementsOf(SettingWords.VALUES);
            }
        }
    }

    private static List<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @Test
    void kindsAndModesThatTwoProgramsKnowAreTheSame() {
        assertThat(names(io.praline.worker.graph.ordering.step.StepKind.values()))
                .isEqualTo(names(io.praline.policy.ordering.StepKind.values()));
        assertThat(names(io.praline.client.CacheMode.values()))
                .isEqualTo(names(io.praline.policy.caching.CacheMode.values()));
        assertThat(names(JobSpec.Order.values()))
                .isEqualTo(names(io.praline.policy.ordering.course.OrderMode.values()));
    }

    private static List<String> names(Enum<?>[] constants) {
        List<String> names = new ArrayList<>();
        for (Enum<?> constant : constants) {
            names.add(constant.name());
        }
        return names;
    }
}
