package io.praline.worker.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import io.praline.worker.graph.ordering.step.StepOp;
import io.praline.worker.graph.ordering.step.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StepRecordsTest {
    // who reads a flag that is not there takes it to hold
    @Test
    void aFlagThatDoesNotHoldIsTold() {
        StepOp op = new StepOp("AddV2", List.of("int32"), List.of("int32"), Map.of("operand", "scalar"));

        assertThat(StepRecords.settings(op))
                .isEqualTo(Map.of(
                        "operand",
                        "scalar",
                        "not_a_number",
                        "false",
                        "single_elements",
                        "false",
                        "stretches",
                        "false"));
        assertThat(StepRecords.settings(op.ofSingleElements())).containsEntry("single_elements", "true");
    }

    // lambda fields: (fields["label"], fields["values"]) where they come in that order
    @Test
    void ofWhatDoesNothingItIsToldToo() {
        TensorSpec label = new TensorSpec("int64", Optional.of(List.of()));
        StepDescription step = new StepDescription(
                "map_2",
                "map_2",
                StepKind.ELEMENTWISE,
                List.of(),
                false,
                false,
                false,
                false,
                false,
                List.of(),
                List.of(),
                false,
                List.of(label),
                List.of(label));

        assertThat(StepRecords.step(step).getOps()).singleElement().satisfies(op -> assertThat(op.getSettings())
                .containsEntry("single_elements", "false"));
        assertThat(StepRecords.step(step.ofSingleElements()).getOps())
                .singleElement()
                .satisfies(op -> assertThat(op.getSettings()).containsEntry("single_elements", "true"));
    }
}
