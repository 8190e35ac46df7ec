package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.JobFailed;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.tests.rig.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Relative names of files lead from the folder of the program that submits, and workers run in another one. */
class RelativeNamesTest {
    private static final Path GRAPHS = Path.of("..", "worker", "src", "test", "resources", "relative");

    private static Cluster cluster;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        cluster = Cluster.shared();
    }

    @BeforeEach
    void fillTheShelf() throws IOException {
        Path shelf = Files.createDirectory(folder.resolve("shelf"));
        Files.writeString(shelf.resolve("one.txt"), "a\nb\n");
        Files.writeString(shelf.resolve("two.txt"), "c\n");
        Files.writeString(shelf.resolve("words.txt"), "x\ny\nz\n");
        Files.writeString(shelf.resolve("list.txt"), "shelf/one.txt\nshelf/two.txt\n");
        Files.writeString(shelf.resolve("1.txt"), "d\n");
        Files.writeString(shelf.resolve("2.txt"), "e\n");
        Files.writeString(folder.resolve("1.txt"), "beside the shelf: d\n");
        Files.writeString(folder.resolve("2.txt"), "beside the shelf: e\n");
    }

    /** What make_relative.py printed of Python. */
    static Stream<Arguments> programs() {
        return Stream.of(
                Arguments.of(
                        "lines_beside_their_files", List.of("./shelf/two.txt c", "shelf/one.txt a", "shelf/one.txt b")),
                Arguments.of("contents_of_joined_names", List.of("one a\nb\n", "two c\n")),
                Arguments.of(
                        "contents_of_labelled_files",
                        List.of("shelf/one.txt first a\nb\n", "shelf/two.txt second c\n")),
                Arguments.of("words_of_a_vocabulary", List.of("-1", "0", "2")),
                Arguments.of("files_that_match", List.of("shelf/two.txt")),
                Arguments.of("contents_of_files_in_a_list", List.of("a\nb\n", "c\n")),
                Arguments.of("lines_of_files_in_a_list", List.of("a", "b", "c")),
                Arguments.of("contents_of_formatted_names", List.of("d\n", "e\n")),
                Arguments.of("contents_of_numbered_files", List.of("beside the shelf: d\n", "beside the shelf: e\n")),
                Arguments.of("contents_of_chosen_names", List.of("a\nb\n", "c\n")),
                Arguments.of("contents_of_names_in_a_table", List.of("a\nb\n", "c\n")),
                Arguments.of("first_lines_of_all", List.of("a", "b")));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void elementsAreThoseOfTheProgramInItsFolder(String program, List<String> elements) throws IOException {
        assertThat(strings(graph(program).directory(folder))).isEqualTo(elements);
    }

    @Test
    void theFilesOfTheDataAreFoundThereToo() throws IOException {
        JobSpec job = graph("lines_beside_their_files").directory(folder).data("shelf/t*.txt");

        assertThat(strings(job)).containsExactly(folder.resolve("shelf/two.txt") + " c");
    }

    @Test
    void whatIsNotThereIsNamedWithTheFolder() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        JobSpec list = graph("lines_beside_their_files").directory(other);

        assertThatThrownBy(() -> strings(list))
                .isInstanceOf(JobFailed.class)
                .hasMessageContaining(" sees no file " + other.resolve("shelf/one.txt") + ";");
        assertThatThrownBy(() -> strings(list.data("shelf/t*")))
                .isInstanceOf(JobFailed.class)
                .hasMessageContaining(" sees no file that matches " + other + "/shelf/t*;");
    }

    private static JobSpec graph(String program) throws IOException {
        return JobSpec.of(Files.readAllBytes(GRAPHS.resolve(program + ".pb")));
    }

    private static List<String> strings(JobSpec job) {
        List<String> strings = new ArrayList<>();
        try (PralineClient client = PralineClient.connect(cluster.config());
                BatchStream stream = client.submit(job)) {
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    strings.addAll(batch.component("0").strings());
                }
            }
        }
        return strings.stream().sorted().toList();
    }
}
