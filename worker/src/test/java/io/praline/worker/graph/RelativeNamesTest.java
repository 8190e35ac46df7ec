package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.topics.Agreements;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

class RelativeNamesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "contents_of_a_file_by_several_names",
                "contents_of_chosen_names",
                "contents_of_files_in_a_list",
                "contents_of_formatted_names",
                "contents_of_joined_names",
                "contents_of_labelled_files",
                "contents_of_names_in_a_table",
                "contents_of_numbered_files",
                "files_that_match",
                "first_lines_of_all",
                "lines_beside_their_files",
                "lines_of_a_file_by_several_names",
                "lines_of_files_in_a_list",
                "names_that_match",
                "names_that_patterns_in_a_list_match",
                "words_of_a_vocabulary"
            })
    void aPipelineOfRelativeNamesIsAnotherOneInAnotherFolder(String name) throws IOException {
        GraphDef graph = GraphDef.parseFrom(Pipelines.bytes("../relative/" + name));

        assertThat(digest(graph, "/one", false)).isNotEqualTo(digest(graph, "/two", false));
    }

    /* What several people read of one place is kept once, whatever folder each of them is in. */
    @Test
    void pipelinesThatReadOtherFilesThanTheyListAreTheSameInEachFolder() throws IOException {
        List<String> others = new ArrayList<>();
        for (String name : Pipelines.running()) {
            GraphDef graph = GraphDef.parseFrom(Pipelines.bytes(name));
            if (!digest(graph, "/one", true).equals(Pipelines.parse(name).digest())) {
                others.add(name);
            }
        }

        // what they match themselves, and the names that a function has, lie where they are
        assertThat(others).containsExactly("matching_files", "taken_by_host", "taken_of_files");
    }

    // a pattern has no way to say that the folder's own name is none, and that of what lies above it
    @ParameterizedTest
    @ValueSource(strings = {"/run[1]", "/run*", "/run?/one", "/run\\"})
    void whatMatchesARelativePatternIsNotLookedForInAFolderThatLooksLikeOne(String folder) throws IOException {
        for (String name : List.of("files_that_match", "names_that_match")) {
            GraphDef graph = GraphDef.parseFrom(Pipelines.bytes("../relative/" + name));
            assertThatThrownBy(() -> digest(graph, folder, false))
                    .isInstanceOf(RefusedPipeline.class)
                    .hasMessageContaining("cannot be looked for within " + folder + ", whose name has one of *?[\\ ");
        }
        GraphDef others = GraphDef.parseFrom(Pipelines.bytes("../relative/lines_beside_their_files"));
        assertThat(digest(others, folder, false)).isNotEmpty();
    }

    @Test
    void aDatabaseIsNamedBehindItsDriver() {
        NodeDef rows =
                Protos.node("rows", "SqlDataset", "driver", "file", "query").build();

        assertThat(RelativeNames.nameInput(rows)).hasValue(1);
    }

    @Test
    void absoluteNamesAndAddressesAreNotRelative() {
        assertThat(List.of("a", "./a", "../a", "a/b:c", ":/a", "~/a")).allMatch(RelativeNames::isRelative);
        assertThat(List.of("", "/a", "s3://b/a", "file:///a", "https://h/a")).noneMatch(RelativeNames::isRelative);
    }

    private static String digest(GraphDef graph, String directory, boolean listsReplaced) {
        NodeDef said = Protos.node(Agreements.DIRECTORY_NODE, "NoOp")
                .putAttr(Agreements.DIRECTORY, Protos.string(directory))
                .putAttr(Agreements.LISTS_REPLACED, Protos.bool(listsReplaced))
                .build();
        return PipelineGraph.parse(graph.toBuilder().addNode(said).build().toByteArray(), Pipelines.ANY_OP)
                .digest();
    }
}
