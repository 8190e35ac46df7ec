package io.praline.worker.graph.ordering.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;

/** Which operands meet whatever element comes: what the graph leaves open must not decide over it. */
class BroadcastsTest {
    private static ElementComponent of(long... shape) {
        return ElementComponent.of(DataType.DT_FLOAT, Protos.shape(shape));
    }

    private static boolean fit(ElementComponent... operands) {
        Map<String, ElementComponent> types = new HashMap<>();
        String[] names = new String[operands.length];
        for (int i = 0; i < operands.length; i++) {
            names[i] = "operand_" + i;
            types.put(names[i], operands[i]);
        }
        return Broadcasts.fit(Protos.node("sum", "AddV2", names).build(), types);
    }

    @Test
    void sizesThatAreKnownHaveBeenHeldAgainstEachOther() {
        assertThat(fit(of(4, 3), of(4, 3))).isTrue();
        assertThat(fit(of(4, 3), of(1, 3))).isTrue();
        assertThat(fit(of(4, 3), of(3))).isTrue();
    }

    @Test
    void whatIsOpenMeetsOneOnly() {
        assertThat(fit(of(-1), of(1))).isTrue();
        assertThat(fit(of(1), of(-1))).isTrue();
        assertThat(fit(of(-1), of(3))).isFalse();
        assertThat(fit(of(3), of(-1))).isFalse();
        assertThat(fit(of(-1), of(-1))).isFalse();
    }

    // by their last dimensions: 3 meets 3, and the open one meets nothing
    @Test
    void onlyDimensionsThatMeetCount() {
        assertThat(fit(of(-1, 3), of(3))).isTrue();
        assertThat(fit(of(3), of(-1, 3))).isTrue();
        assertThat(fit(of(3, -1), of(3))).isFalse();
        assertThat(fit(of(4, -1, 3), of(4, 2, 3))).isFalse();
        assertThat(fit(of(-1, 2, 3), of(4, 2, 3))).isFalse();
    }

    @Test
    void aSingleValueMeetsAnything() {
        ElementComponent any = new ElementComponent(DataType.DT_FLOAT, false, List.of());
        assertThat(fit(of(), any)).isTrue();
        assertThat(fit(any, of())).isTrue();
        assertThat(fit(of(), null)).isTrue();
        assertThat(fit(any, of(1))).isFalse();
        assertThat(fit(of(1), any)).isFalse();
        assertThat(fit(null, of(1))).isFalse();
        assertThat(fit(of(1), null)).isFalse();
    }

    @Test
    void ofSeveralEachMeetsEach() {
        assertThat(fit(of(), of(-1), of(1))).isTrue();
        assertThat(fit(of(-1), of(), of(3))).isFalse();
        assertThat(fit(of(1), of(-1), of(3))).isFalse();
    }
}
