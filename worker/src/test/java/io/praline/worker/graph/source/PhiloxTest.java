package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The numbers of Philox 4x32 of ten rounds, by key and counter. */
class PhiloxTest {
    private static long[] first(Philox numbers, int count) {
        return LongStream.range(0, count).map(i -> numbers.next()).toArray();
    }

    // the first of the vectors that Random123 is published with
    @Test
    void withoutSeedsTheyAreThoseThatArePublished() {
        assertThat(first(new Philox(0, 0), 4)).containsExactly(0x6627e8d5L, 0xe169c58dL, 0xbc57ac4cL, 0x9b00dbd8L);
    }

    // key a4093822 299f31d0, counters 0 0 13198a2e 03707344 and 1 0 13198a2e 03707344
    @Test
    void bothWordsOfASeedCount() {
        assertThat(first(new Philox(0x299f31d0a4093822L, 0x0370734413198a2eL), 8))
                .containsExactly(
                        0xb60a410eL,
                        0x61bd7780L,
                        0xa53f3958L,
                        0x3d51eb3fL,
                        0x314ddb4bL,
                        0x0ab83527L,
                        0x9fc3cabeL,
                        0x3fc8cf4cL);
    }

    @Test
    void anIterationHasTheNextTwoNumbers() {
        long[] all = first(new Philox(5, 7), 6);

        assertThat(Philox.seedsOf(5, 7, 0)).containsExactly(all[0], all[1]);
        assertThat(Philox.seedsOf(5, 7, 2)).containsExactly(all[4], all[5]);
    }
}
