package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobIdsTest {
    // with two bytes 1,000 of a second would share one 999 times in 1,000; with four once in 8,600 times
    @Test
    void jobsThatAreSubmittedInTheSameSecondHaveIdsOfTheirOwn() {
        JobIds ids = new JobIds();
        assertThat(IntStream.range(0, 1_000).mapToObj(number -> ids.next()))
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("job-\\d{8}-\\d{6}-[0-9a-f]{8}"));
    }
}
