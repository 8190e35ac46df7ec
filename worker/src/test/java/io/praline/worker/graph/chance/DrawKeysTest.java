package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.chance.StampDraws.Stamp;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the key of a draw follows from, and what it does not. */
class DrawKeysTest {
    /** At place 3, of pace 4, in each epoch anew. */
    private static final Stamp ANEW = new Stamp(3, 4, 0);

    private static DrawKeys keys(long seed, int epoch, int attempt) {
        return new DrawKeys(seed, epoch, attempt);
    }

    // the first two numbers of SplitMix64 from seed 0 on, as Vigna publishes them
    @Test
    void bitsAreMixedAsSplitMix64DoesIt() {
        assertThat(DrawKeys.mix(0)).isEqualTo(0xE220A8397B1DCDAFL);
        assertThat(DrawKeys.mix(0x9E3779B97F4A7C15L)).isEqualTo(0x6E789E6AA1B965F4L);
    }

    @Test
    void withoutSeedsOfTheUsersItIsTheJobsSeedThePlaceAndTheEpoch() {
        long key = keys(1, 0, 0).of(ANEW, 0, 0);
        assertThat(List.of(
                        key,
                        keys(2, 0, 0).of(ANEW, 0, 0),
                        keys(1, 1, 0).of(ANEW, 0, 0),
                        keys(1, 0, 0).of(new Stamp(5, 4, 0), 0, 0)))
                .doesNotHaveDuplicates();
        assertThat(keys(1, 0, 9).of(new Stamp(3, 7, 0), 0, 0)).isEqualTo(key);
    }

    @Test
    void withThemItIsTheSeedsThePaceAndTheEpoch() {
        long key = keys(1, 0, 0).of(ANEW, 5, 0);
        assertThat(List.of(
                        key,
                        keys(1, 0, 0).of(ANEW, 0, 5),
                        keys(1, 0, 0).of(ANEW, 5, 5),
                        keys(1, 0, 0).of(ANEW, 6, 0),
                        keys(1, 1, 0).of(ANEW, 5, 0),
                        keys(1, 0, 0).of(new Stamp(3, 7, 0), 5, 0)))
                .doesNotHaveDuplicates();
        assertThat(keys(2, 0, 9).of(new Stamp(6, 4, 0), 5, 0)).isEqualTo(key);
    }

    @Test
    void whatIsKeptForSoManyEpochsComesAgainBehindThem() {
        assertThat(IntStream.range(0, 7).mapToLong(epoch -> keys(1, epoch, 0).reading(new Stamp(3, 4, 3))))
                .containsExactly(0L, 1L, 2L, 0L, 1L, 2L, 0L);
        assertThat(IntStream.range(0, 3).mapToLong(epoch -> keys(1, epoch, 0).reading(new Stamp(3, 4, 1))))
                .containsExactly(0L, 0L, 0L);
        assertThat(IntStream.range(0, 3).mapToLong(epoch -> keys(1, epoch, 0).reading(ANEW)))
                .containsExactly(0L, 1L, 2L);
        assertThat(keys(1, 4, 0).of(new Stamp(3, 4, 3), 0, 0))
                .isEqualTo(keys(1, 1, 0).of(new Stamp(3, 4, 3), 0, 0));
    }

    @Test
    void whatBelongsToNoElementIsAnotherInEachAttempt() {
        assertThat(List.of(
                        keys(1, 0, 0).ofAttempt(ANEW, 0, 0),
                        keys(1, 0, 1).ofAttempt(ANEW, 0, 0),
                        keys(1, 0, 0).of(ANEW, 0, 0),
                        keys(2, 0, 0).ofAttempt(ANEW, 0, 0)))
                .doesNotHaveDuplicates();
    }

    @Test
    void aSeededShuffleIsAnotherInEachEpochWhateverTheJobsSeed() {
        long key = keys(1, 1, 0).ofEpoch(5, 7);
        assertThat(List.of(
                        key,
                        keys(1, 2, 0).ofEpoch(5, 7),
                        keys(1, 1, 0).ofEpoch(7, 5),
                        keys(1, 1, 0).ofEpoch(5, 8)))
                .doesNotHaveDuplicates();
        assertThat(keys(2, 1, 3).ofEpoch(5, 7)).isEqualTo(key);
    }

    @Test
    void aPathIsOtherStepsInAnotherOrder() {
        assertThat(List.of(
                        DrawKeys.along(0, ""),
                        DrawKeys.along(0, "a"),
                        DrawKeys.along(0, "b"),
                        DrawKeys.along(0, "ab"),
                        DrawKeys.along(0, "ba"),
                        DrawKeys.along(DrawKeys.along(0, "a"), "b"),
                        DrawKeys.along(DrawKeys.along(0, "b"), "a"),
                        DrawKeys.along(1, "a")))
                .doesNotHaveDuplicates();
        assertThat(DrawKeys.along(0, "")).isEqualTo(0xE220A8397B1DCDAFL);
    }
}
