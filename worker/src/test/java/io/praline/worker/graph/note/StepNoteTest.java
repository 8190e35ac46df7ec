package io.praline.worker.graph.note;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StepNoteTest {

    @Test
    void eachStepIsNamedOnceInFrontOfWhatIsSaid() {
        assertThat(StepNote.of(List.of("map"), "draws anew")).contains("map: draws anew");
        assertThat(StepNote.of(List.of("map", "filter", "map"), "draw anew")).contains("map and filter: draw anew");
    }

    @Test
    void ofNoStepNothingIsSaid() {
        assertThat(StepNote.of(List.of(), "draws anew")).isEmpty();
    }
}
