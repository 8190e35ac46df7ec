package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left out since it fills no batch: by how many elements there are, or by where groups and batches end. */
class RemaindersTest {
    private static PipelineAnalysis of(String program) {
        return PipelineAnalysis.of(Pipelines.parse("../corpus/" + program));
    }

    // 100 elements in three groups: full ones of 8 make two batches of 4; those of 10 leave one over, each
    @ParameterizedTest
    @CsvSource({
        "batches_made_anew_of_which_the_last_is_dropped, false",
        "batches_of_shuffled_made_anew_of_which_the_last_is_dropped, false",
        "buckets_of_several_sizes_that_drop_what_is_left, false",
        "groups_of_whole_batches_that_drop_what_is_left, false",
        "groups_that_drop_what_fills_no_batch_of_them, true",
        "groups_of_which_some_are_kept_that_drop_what_is_left, true",
        "groups_as_large_as_their_key_says_that_drop_what_is_left, true",
        "batches_of_several_sizes_made_anew_of_which_the_last_is_dropped, true"
    })
    void oneTaskLeavesOutWhatHangsOnPlacesAndTicketsTellTheRest(String program, boolean one) {
        assertThat(of(program).singleTask()).isEqualTo(one);
        assertThat(of(program).reasons()).isEmpty();
    }
}
