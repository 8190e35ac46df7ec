package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeftCachesTest {
    private static List<String> notes(String program) {
        return PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).notes().stream()
                .filter(note -> note.contains("taken to be left before its end"))
                .toList();
    }

    @Test
    void aCacheOfDrawsOfWhichMoreMayBeTakenThanThereIsIsNamed() {
        assertThat(notes("draws_kept_and_more_taken_than_there_may_be"))
                .containsExactly(
                        "cache_4: taken to be left before its end, so that what is drawn before it is another in each epoch; one"
                                + " process keeps it once the cache was read to its end, as where there are fewer elements than are"
                                + " taken or than a shuffle has room for, or by another dataset of the program");
    }

    /** Of records nobody knows how many there are. */
    @Test
    void aCacheOfDrawsThatIsZippedToWhatMayBeShorterIsNamed() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/draws_kept_beside_fewer"))
                        .notes())
                .contains(
                        "cache_4: taken to be read to its end, so that what is drawn before it is the same in each epoch; one"
                                + " process draws it anew in each where what it is zipped to has fewer elements");
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/draws_kept_and_counted"))
                        .notes())
                .noneMatch(note -> note.contains("cache_"));
    }

    /** Read to their ends, also since a shuffle reads ahead, or nothing is drawn. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "draws_kept_that_a_shuffle_has_read_to_their_end",
                "draws_kept_in_a_file_for_two",
                "draws_kept_for_two",
                "new_ones_and_a_part_of_the_old"
            })
    void othersAreNotSpokenOf(String program) {
        assertThat(notes(program)).isEmpty();
    }
}
