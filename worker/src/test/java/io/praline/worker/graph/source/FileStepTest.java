package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.RefusedPipeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
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

    @Test
    void takesSkipsAndSharesAreThoseOfTensorFlow() {
        List<String> names = List.of("a", "b", "c", "d", "e");

        assertThat(new FileStep.Take(2).apply(names)).containsExactly("a", "b");
        assertThat(new FileStep.Take(0).apply(names)).isEmpty();
        assertThat(new FileStep.Take(9).apply(names)).isEqualTo(names);
        assertThat(new FileStep.Take(-1).apply(names)).isEqualTo(names);
        assertThat(new FileStep.Skip(2).apply(names)).containsExactly("c", "d", "e");
        assertThat(new FileStep.Skip(0).apply(names)).isEqualTo(names);
        assertThat(new FileStep.Skip(9).apply(names)).isEmpty();
        assertThat(new FileStep.Skip(-1).apply(names)).isEmpty();
        assertThat(new FileStep.Shard(2, 0).apply(names)).containsExactly("a", "c", "e");
        assertThat(new FileStep.Shard(2, 1).apply(names)).containsExactly("b", "d");
        assertThat(new FileStep.Shard(9, 5).apply(names)).isEmpty();
        assertThat(new FileStep.Shard(1, 0).apply(names)).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "2, 2", "2, 3", "2, -1", "-1, 0"})
    void aShareThatSelectsNothingIsRefused(long shards, long index) {
        assertThatThrownBy(() -> new FileStep.Shard(shards, index))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessage("shard(" + shards + ", " + index + ") selects nothing");
    }

    // jobs of two versions cut one list alike: this order must not become another one
    @Test
    void aShuffleByNamesIsTheSameForEver() {
        List<String> names =
                IntStream.range(0, 12).mapToObj(i -> "/data/part-" + i).toList();
        List<String> turned = new ArrayList<>(names);
        Collections.reverse(turned);

        assertThat(new FileStep.Shuffle(0).apply(names))
                .isEqualTo(parts("6 1 3 0 8 7 5 10 9 11 4 2"))
                .isEqualTo(new FileStep.Shuffle(0).apply(turned));
        assertThat(new FileStep.Shuffle(1).apply(names)).isEqualTo(parts("1 6 7 2 3 5 10 9 4 8 0 11"));
        assertThat(new FileStep.Shuffle(-7).apply(names)).isEqualTo(parts("5 2 1 9 6 3 11 4 10 8 7 0"));
    }

    private static List<String> parts(String numbers) {
        return Arrays.stream(numbers.split(" ", -1))
                .map(number -> "/data/part-" + number)
                .toList();
    }
}
