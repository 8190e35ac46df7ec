package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why a part of a pipeline is read as a whole. */
class SourcesTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "take, TakeDataset looks at an element's place among all",
                "unique, UniqueDataset looks at an element's place among all",
                "enumerate_labels, ZipDataset pairs elements by their places",
                "zip_two_sources, ZipDataset pairs elements by their places",
                "choose_from_datasets, DirectedInterleaveDataset takes elements by what came before",
                "../corpus/choose_by_a_range_that_ends, DirectedInterleaveDataset takes elements by what came before",
                "sample_until_empty, DirectedInterleaveDataset takes elements by what came before",
                "matching_files, MatchingFilesDataset is no source that can be cut",
                "window_pairs, WindowDataset looks at an element's place among all",
                "batches_summed_up, MapDataset depends on which elements share a batch or a group",
                "groups_summed_up, GroupByWindowDataset depends on which elements share a batch or a group",
                "first_of_groups, GroupByWindowDataset depends on which elements share a batch or a group",
                "../corpus/counted_by_a_variable, MapDataset remembers what came before",
                "../corpus/training_behind_validation, ConcatenateDataset reads a dataset twice",
                "../corpus/two_orders_of_a_seeded_shuffle, ZipDataset reads a dataset twice",
                "../corpus/elements_beside_a_shuffle_that_is_captured, InterleaveDataset reads a dataset beside its files that is another one each time",
                "../corpus/rows_beside_those_of_the_batch_reversed, FlatMapDataset depends on which elements share a batch or a group",
                "../corpus/some_of_each_group, GroupByWindowDataset depends on which elements share a batch or a group",
            })
    void theReasonIsThatOfTheStepThatMadeItSo(String name, String why) {
        List<FoundSource> found =
                Sources.of(new SpellOut().apply(Pipelines.parse(name))).found();

        assertThat(found).singleElement().extracting(FoundSource::why).isEqualTo(why);
    }
}
