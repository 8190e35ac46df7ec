package io.praline.policy.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cachew's choice, as published. */
class CachewCachingTest {
    private static final CachePoint SOURCE = new CachePoint(0, "TFRecordDataset", "a");
    private static final CachePoint DECODED = new CachePoint(1, "decode", "b");
    private static final CachePoint RESIZED = new CachePoint(2, "resize", "c");

    private static CacheSituation situation(double sourceMillis, double fullBytes) {
        return new CacheSituation(
                List.of(SOURCE, DECODED, RESIZED),
                List.of(
                        new PointMeasure(0, sourceMillis * 1e6, 100e6, 0, 0),
                        new PointMeasure(1, 0, 0, 0, 0),
                        new PointMeasure(2, 400e6, fullBytes, 0, 0)),
                400e6,
                Collections.emptySortedMap(),
                0,
                CacheOutlook.alone(1, 1000, 1, 1));
    }

    // half-way between 100 and 200 MB; beyond both ends as in the first and the last stretch
    @Test
    void readsAreReadOffItsTable() {
        assertThat(CachewCaching.readMillis(100e6)).isCloseTo(155, within(1e-9));
        assertThat(CachewCaching.readMillis(150e6)).isCloseTo(230.8, within(1e-9));
        assertThat(CachewCaching.readMillis(600e6)).isCloseTo(942.8, within(1e-9));
        assertThat(CachewCaching.readMillis(1000)).isZero();
    }

    // computing takes 400 ms: the source is read in 155 in place of 200; all of it, 200 MB, in 306.6; what costs
    // writing is no matter
    @Test
    void itTakesTheShortestTimeOfSourceAndEnd() {
        assertThat(CachewCaching.choose(situation(200, 200e6))).contains(RESIZED);
        assertThat(CachewCaching.choose(situation(300, 200e6))).contains(SOURCE);
        assertThat(CachewCaching.choose(situation(100, 400e6))).isEmpty();
    }

    @Test
    void aMarkSaysWhereElseItLooks() {
        CachePoint marked = new CachePoint(1, "source_cache", "b");
        assertThat(CachewCaching.places(List.of(SOURCE, marked, RESIZED))).containsExactly(marked);
        assertThat(CachewCaching.places(List.of(SOURCE, DECODED, RESIZED))).containsExactly(SOURCE, RESIZED);
        assertThat(CachewCaching.places(List.of(SOURCE))).containsExactly(SOURCE);
        assertThat(CachewCaching.places(List.of())).isEmpty();
    }
}
