package io.praline.policy.caching;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FoundEntriesTest {
    @Test
    void withFewSplitsNothingIsSaid() {
        assertThat(new FoundEntries(0, 0, 9).share(0.8, 100)).isEqualTo(0.8);
        assertThat(new FoundEntries(0, 0, 10).share(0.8, 100)).isZero();
        assertThat(new FoundEntries(0, 0, 0).share(0.8, 3)).isEqualTo(0.8);
        assertThat(new FoundEntries(0, 0, 1).share(0.8, 3)).isZero();
    }

    // 4 of 20 are below half of 0.5, and with six of a hundred that were made since they are not
    @Test
    void whereMuchLessIsFoundThanIsToldTheRestIsOfSomethingElse() {
        assertThat(new FoundEntries(4, 0, 20).share(0.5, 100)).isEqualTo(0.2);
        assertThat(new FoundEntries(4, 6, 20).share(0.5, 100)).isEqualTo(0.5);
    }
}
