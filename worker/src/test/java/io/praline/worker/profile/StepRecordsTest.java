package io.praline.worker.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ordering.step.StepOp;
import java.util.List;
import java.util.Map;
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
}
