package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ElementTypeTest {
    @Test
    void isFoundByItsNumber() {
        for (ElementType type : ElementType.values()) {
            assertThat(ElementType.of(type.number())).isEqualTo(type);
        }
    }

    @Test
    void printsAsTensorFlowNamesIt() {
        assertThat(ElementType.FLOAT32).hasToString("float32");
        assertThat(ElementType.FLOAT8_E4M3FN).hasToString("float8_e4m3fn");
    }

    // 20 is DT_RESOURCE, 101 a reference to floats
    @Test
    void refusesWhatCannotTravel() {
        assertThatThrownBy(() -> ElementType.of(20)).hasMessage("tensors of TensorFlow's data type 20 cannot travel");
        assertThatThrownBy(() -> ElementType.of(101)).hasMessage("tensors of TensorFlow's data type 101 cannot travel");
        assertThatThrownBy(() -> ElementType.of(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knowsNoNumbersBeyondItsOwn() {
        for (int number : new int[] {0, 31, 32}) {
            assertThatThrownBy(() -> ElementType.of(number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("tensors of TensorFlow's data type " + number + " cannot travel");
        }
    }
}
