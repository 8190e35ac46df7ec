package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileStepTest {

    // list(tf.data.Dataset.range(n).shuffle(buffer, seed=seed2, reshuffle_each_iteration=reshuffles)), Python,
    // TensorFlow 2.18
    @ParameterizedTest
    @CsvSource({
        "24, 24, 5, false, 7 18 22 14 16 21 13 5 8 1 11 20 4 2 19 15 0 9 10 23 12 6 3 17",
        "24, 100, 5, true, 13 15 11 5 0 4 2 6 17 1 19 12 3 20 7 9 16 23 22 10 14 18 8 21",
        "24, 6, 7, false, 3 2 0 7 8 10 6 5 1 4 12 9 15 13 11 14 20 18 19 16 21 22 23 17",
        "10, 1, 3, false, 0 1 2 3 4 5 6 7 8 9",
        "12, 5, 2147483638, true, 1 3 2 6 5 0 7 8 9 10 4 11",
    })
    void aSeededShuffleHasTheOrderOfPython(int n, long buffer, long seed2, boolean reshuffles, String order) {
        List<String> names = IntStream.range(0, n).mapToObj(Integer::toString).toList();

        assertThat(new FileStep.SeededShuffle(87654321, seed2, buffer, reshuffles).apply(names))
                .isEqualTo(Arrays.asList(order.split(" ", -1)));
    }
}
