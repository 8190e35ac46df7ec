package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.schema.SplitDigest;
import io.praline.worker.engine.ReadMark;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FirstReadingsTest {
    private static final ReadMark END = new ReadMark(Ticket.endOf(5), 0);

    private final FirstReadings first = new FirstReadings();

    /** The elements of split 5 from one number to another; the fingerprint of each is its number times the factor. */
    private static List<ReadMark> elements(long from, long until, long factor) {
        return LongStream.range(from, until)
                .mapToObj(record -> new ReadMark(Ticket.of(5, record), record * factor + 1))
                .toList();
    }

    private static List<Long> digests(List<SplitDigest> told) {
        assertThat(told).extracting(SplitDigest::getOrdinal).containsExactly(5L);
        return told.get(0).getDigests();
    }

    // 1, 2 and 4 elements, then 8 and 16, of 20; after the end the digest of all stands for 32 and 64 too
    @Test
    void digestsAreOfMoreAndMoreElementsAndAtTheEndOfAll() {
        List<Long> four = digests(first.add(elements(0, 5, 3)));
        List<Long> sixteen = digests(first.add(elements(5, 20, 3)));
        List<Long> all = digests(first.add(List.of(END)));

        assertThat(four).hasSize(3).doesNotHaveDuplicates();
        assertThat(sixteen).hasSize(5).startsWith(four.toArray(Long[]::new)).doesNotHaveDuplicates();
        assertThat(all).hasSize(7).startsWith(sixteen.toArray(Long[]::new));
        assertThat(all.get(5)).isEqualTo(all.get(6)).isNotEqualTo(all.get(4));
        assertThat(all).allMatch(digest -> digest >= 0);
    }

    @Test
    void elementsBehindTheFirst64AreNoNews() {
        assertThat(digests(first.add(elements(0, 64, 3)))).hasSize(7);
        assertThat(first.add(List.of(END))).isEmpty();
    }

    @Test
    void anotherReadingOfTheSameElementsHasTheSameDigestsAndOneOfOthersHasNot() {
        List<Long> before = digests(first.add(elements(0, 64, 3)));
        first.add(List.of(END));
        assertThat(digests(first.add(elements(0, 64, 3)))).isEqualTo(before);

        List<ReadMark> changed = new ArrayList<>(elements(0, 64, 3));
        changed.set(40, new ReadMark(Ticket.of(5, 40), 0));
        List<Long> others = digests(first.add(changed));
        assertThat(others.subList(0, 6)).isEqualTo(before.subList(0, 6));
        assertThat(others.get(6)).isNotEqualTo(before.get(6));
    }

    @Test
    void aSplitWithoutElementsHasDigestsTooOnceItWasRead() {
        assertThat(digests(first.add(List.of(END)))).containsOnly(0L).hasSize(7);
    }

    @Test
    void itIsAskedForAsLongAsMoreOfTheFirstElementsMayCome() {
        long[] batch = {Ticket.of(5, 0), Ticket.of(6, 0)};
        assertThat(first.wanting(batch)).isTrue();
        first.add(elements(0, 5, 3));
        first.asked(batch);
        assertThat(first.wanting(new long[] {Ticket.of(6, 1)})).isFalse();
        assertThat(first.wanting(batch)).isTrue();
        first.add(elements(5, 64, 3));
        first.asked(batch);
        assertThat(first.wanting(batch)).isFalse();
    }
}
