package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LostPaceTest {
    private static List<String> notes(String program) {
        return PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).notes().stream()
                .filter(note -> note.contains("draws of one seed"))
                .toList();
    }

    @Test
    void drawsOfOneSeedOnTwoSidesOfAStepThatMayLoseThemAreNamed() {
        assertThat(notes("one_seed_around_flat_map"))
                .singleElement()
                .asString()
                .startsWith("in map_2 and map_4: draws of one seed are not the same numbers here");
    }

    /** What the cache keeps is of the first epoch. */
    @Test
    void drawsOfOneSeedOnTwoSidesOfACacheAreNamed() {
        assertThat(notes("one_seed_around_cache"))
                .singleElement()
                .asString()
                .endsWith(
                        ": draws of one seed, of which a cache keeps one, are the same numbers in the first epoch only; one"
                                + " process draws the same in each that a loop begins anew. Draw once, and hand on what was drawn");
    }

    /** By the elements' tickets, which are others in each. */
    @Test
    void drawsOfOneSeedInBranchesThatFollowEachOtherAreNamed() {
        assertThat(notes("draws_of_one_seed_in_two_branches"))
                .singleElement()
                .asString()
                .startsWith(
                        "in map_2 and map_5: draws of one seed in branches of which elements come one after the other");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one_seed_around_zip",
                "one_seed_around_batch_and_unbatch",
                "masks_flipped_by_one_seed_in_two_maps",
                "keras_masks_flipped_as_their_pictures",
                "draws_by_two_seeds",
                "draw_uniform"
            })
    void whatGoesTogetherIsNotSpokenOf(String program) {
        assertThat(notes(program)).isEmpty();
    }
}
