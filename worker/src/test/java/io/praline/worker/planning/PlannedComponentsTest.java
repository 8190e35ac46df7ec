package io.praline.worker.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.Component;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.RefusedPipeline;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;

class PlannedComponentsTest {
    private static final ElementComponent SCALARS = new ElementComponent(DataType.DT_INT64, true, List.of(-1L));

    private static List<ElementComponent> elements(int count) {
        return Collections.nCopies(count, SCALARS);
    }

    private static List<String> names(int count, int letters) {
        return IntStream.range(0, count)
                .mapToObj(number -> String.format("%0" + letters + "d", number))
                .toList();
    }

    @Test
    void componentsGoByTheirNamesOrTheirPlaces() {
        assertThat(PlannedComponents.of(elements(2), List.of()))
                .extracting(Component::getName)
                .containsExactly("0", "1");
        assertThat(PlannedComponents.of(elements(1), List.of("image")))
                .containsExactly(new Component("image", "int64", List.of(-1L), true));
        assertThatThrownBy(() -> PlannedComponents.of(elements(2), List.of("image")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // a plan that cannot be taken is set aside and made again, and its job would wait for it for ever
    @Test
    void whatNoBatchHoldsIsRefused() {
        assertThat(PlannedComponents.of(elements(1_024), List.of())).hasSize(1_024);
        assertThatThrownBy(() -> PlannedComponents.of(elements(1_025), List.of()))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessage(
                        "the pipeline yields 1025 components, and a batch holds at most 1024; stack such as are of one"
                                + " type and shape into one (tf.stack)");
    }

    // each takes its name, 32 bytes for its one dimension and 5 for its type: 256 with 987 letters 262,144, with 988
    // too many
    @Test
    void whatNoStatusCouldTellOfIsRefused() {
        assertThat(PlannedComponents.of(elements(256), names(256, 987))).hasSize(256);
        assertThatThrownBy(() -> PlannedComponents.of(elements(256), names(256, 988)))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessage("the names and shapes of the 256 components take 262400 bytes, more than 262144; give them"
                        + " shorter names");
    }
}
