package io.praline.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {

    @Test
    void oneIsOneAndAllElseIsSeveral() {
        assertThat(Counted.of(0, "worker")).isEqualTo("0 workers");
        assertThat(Counted.of(1, "worker")).isEqualTo("1 worker");
        assertThat(Counted.of(2, "worker")).isEqualTo("2 workers");
    }

    @Test
    void aWordMayHaveAnotherFormForSeveral() {
        assertThat(Counted.of(0, "entry is", "entries are")).isEqualTo("0 entries are");
        assertThat(Counted.of(1, "entry is", "entries are")).isEqualTo("1 entry is");
        assertThat(Counted.of(21, "entry is", "entries are")).isEqualTo("21 entries are");
    }

    @Test
    void whatStandsFarFromTheNumberAgreesWithItToo() {
        assertThat(Counted.word(1, "is", "are")).isEqualTo("is");
        assertThat(Counted.word(3, "is", "are")).isEqualTo("are");
    }
}
