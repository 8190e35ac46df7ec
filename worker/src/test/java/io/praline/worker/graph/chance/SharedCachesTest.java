package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedCachesTest {
    private static List<String> notes(String program) {
        return PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).notes().stream()
                .filter(note -> note.contains("two read at a time"))
                .toList();
    }

    @Test
    void aCacheOfDrawsThatTwoReadSideBySideIsNamed() {
        assertThat(notes("cached_draws_read_side_by_side"))
                .containsExactly(
                        "cache_4: two read at a time what is drawn before it; one process draws for each of them in its"
                                + " first epoch, and hands both the same in later ones; here all epochs are alike in this. Draw behind"
                                + " it what is to be apart");
    }

    /** One after the other, left before their end, or nothing is drawn. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "draws_kept_in_a_file_for_two",
                "an_order_kept_for_two",
                "cached_draws_left_by_two_before_their_end",
                "cache_behind_draw"
            })
    void othersAreNotSpokenOf(String program) {
        assertThat(notes(program)).isEmpty();
    }
}
