package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.wire.ElementType;
import org.junit.jupiter.api.Test;

class DTypeTest {
    @Test
    void knowsEveryTypeThatCanTravel() {
        for (ElementType type : ElementType.values()) {
            assertThat(DType.of(type.number()).name()).isEqualTo(type.name());
            assertThat(DType.of(type.number()).bytes()).isEqualTo(type.bytes());
        }
    }

    @Test
    void refusesWhatNoBatchHolds() {
        assertThatThrownBy(() -> DType.of(20)).isInstanceOf(IllegalArgumentException.class);
        assertThat(DType.FLOAT32).hasToString("float32");
    }
}
