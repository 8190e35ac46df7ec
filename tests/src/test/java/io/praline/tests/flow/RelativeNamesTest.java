package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
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
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

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
        Files.writeString(shelf.resolve("patterns.txt"), "shelf/o*.txt\n" + shelf + "/t*.txt\n");
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
                Arguments.of(
                        "names_that_match",
                        List.of("./1.txt", "./2.txt", "./shelf/two.txt", "shelf/../shelf/words.txt", "shelf/one.txt")),
                Arguments.of(
                        "lines_of_a_file_by_several_names",
                        List.of("./shelf/two.txt c", "shelf/../shelf/two.txt c", "shelf/two.txt c")),
                Arguments.of(
                        "contents_of_a_file_by_several_names",
                        List.of("./shelf/two.txt c\n", "shelf/../shelf/two.txt c\n", "shelf/two.txt c\n")),
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
    void whatAnAbsolutePatternMatchesInTheSameFolderHasAnAbsoluteName() throws IOException {
        String absolute = folder.resolve("shelf/two.txt").toString();

        assertThat(strings(graph("names_that_patterns_in_a_list_match").directory(folder)))
                .containsExactly(absolute, absolute, "shelf/one.txt", "shelf/one.txt");
    }

    @Test
    void absoluteNamesComeAsTheyWereWrittenToo() throws IOException {
        String one = folder + "/shelf/../shelf/one.txt";
        String two = "file://" + folder + "//shelf/two.txt";
        GraphDef.Builder graph =
                GraphDef.parseFrom(Files.readAllBytes(GRAPHS.resolve("lines_beside_their_files.pb"))).toBuilder();
        for (NodeDef.Builder node : graph.getNodeBuilderList()) {
            AttrValue value = node.getAttrOrDefault("value", AttrValue.getDefaultInstance());
            if (value.getTensor().getTensorShape().getDimCount() == 1) {
                node.putAttr(
                        "value",
                        value.toBuilder()
                                .setTensor(value.getTensor().toBuilder()
                                        .clearTensorContent()
                                        .addStringVal(ByteString.copyFromUtf8(one))
                                        .addStringVal(ByteString.copyFromUtf8(two)))
                                .build());
            }
        }

        assertThat(strings(JobSpec.of(graph.build().toByteArray()).directory(folder)))
                .containsExactly(one + " a", one + " b", two + " c");
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
