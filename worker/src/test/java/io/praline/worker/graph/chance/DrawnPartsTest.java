package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrawnPartsTest {
    private static List<String> notes(String program) {
        return PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).notes().stream()
                .filter(note -> note.contains("what filters leave out") || note.contains("parts that filters"))
                .toList();
    }

    @Test
    void filtersThatDrawBySeedsAreSaidToChooseOthersInEachEpoch() {
        assertThat(notes("part_that_a_filter_draws_by_a_seed"))
                .singleElement()
                .asString()
                .contains("filter_2")
                .contains("is another part in each epoch")
                .contains("overlap behind the first epoch");
    }

    @Test
    void filtersBehindDrawsThatAreKeptAreSaidToChooseOthersInEachJob() {
        assertThat(notes("parts_that_filters_choose_by_draws_that_are_kept"))
                .singleElement()
                .asString()
                .startsWith("map_")
                .contains("has no seed, so that what a cache keeps of it is another in each job");
    }

    /** By seeds that a cache keeps the same numbers come in every epoch of every job; and nothing is kept, or nothing chosen. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "parts_that_filters_choose_by_draws_of_a_seed_that_are_kept",
                "drawn_by_filter_and_map_below_repeat_taken",
                "draws_kept_for_two",
                "draws_by_two_seeds"
            })
    void othersAreNotSpokenOf(String program) {
        assertThat(notes(program)).isEmpty();
    }
}
