package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a source says of itself, by its kind. */
class PipelineSourceTest {
    private static final List<SourceKind> KINDS = List.of(
            new SourceKind.TfRecord("GZIP"),
            new SourceKind.TextLines(""),
            new SourceKind.FixedLength(4, 12, 2, ""),
            new SourceKind.FileNames(),
            new SourceKind.Integers(2, 9, 3),
            new SourceKind.Indexes(5),
            new SourceKind.Whole());

    @Test
    void eachKindIsSaidInWords() {
        assertThat(KINDS.stream().map(PipelineSource::of).map(PipelineSource::words))
                .containsExactly(
                        "TFRecord files (gzip)",
                        "lines of text files",
                        "records of 12 bytes",
                        "whole files, by their names",
                        "integers from 2 to 9 by 3",
                        "5 slices of a constant",
                        "the graph as it stands");
    }

    @Test
    void otherFilesStandInForFilesOnly() {
        assertThat(KINDS.stream().map(PipelineSource::of).map(PipelineSource::readsFiles))
                .containsExactly(true, true, true, true, false, false, false);
    }

    @Test
    void elementsThatAreNumberedAsTheyComeAreOfWholeFiles() {
        PipelineSource records =
                new PipelineSource(KINDS.get(0), List.of("/a"), List.of(), false, true, Optional.empty());

        assertThat(records.asNumbered().numbered()).isTrue();
        assertThat(records.asNumbered().rangeable()).isFalse();
        assertThat(records.asShuffled().shuffled()).isTrue();
        assertThat(records.asOpened().opened()).isTrue();
        assertThatThrownBy(() -> new PipelineSource(
                        KINDS.get(0), List.of(), List.of(), false, true, true, false, Optional.empty()))
                .hasMessage("rangeable must be false where elements are numbered as they come out");
    }

    @Test
    void elementsOfAListComeOneByOne() {
        assertThat(Stream.of(FoundSource.How.values())
                        .filter(how -> new FoundSource("node", PipelineSource.of(KINDS.get(6)), how).isList()))
                .containsExactly(FoundSource.How.NAMES, FoundSource.How.RANGE, FoundSource.How.SLICES);
    }
}
