package io.praline.topics.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class PagedValueTest {
    private static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static RecordHeaders told(byte[] whole) {
        RecordHeaders headers = new RecordHeaders();
        PagedValue.tell(headers, PagedValue.cut(whole).size() - 1, whole);
        return headers;
    }

    @Test
    void whatFitsIntoARecordIsOne() {
        for (int size : new int[] {0, 1, PagedValue.MOST_BYTES}) {
            assertThat(PagedValue.cut(bytes(size, 1))).containsExactly(bytes(size, 1));
        }
    }

    // one byte too many, and three records full and a byte
    @Test
    void whatWasCutIsWholeAgain() {
        for (int size :
                new int[] {PagedValue.MOST_BYTES + 1, 3 * PagedValue.MOST_BYTES, 3 * PagedValue.MOST_BYTES + 1}) {
            byte[] whole = bytes(size, 1);
            List<byte[]> parts = PagedValue.cut(whole);

            assertThat(parts).hasSize((size + PagedValue.MOST_BYTES - 1) / PagedValue.MOST_BYTES);
            assertThat(parts).allMatch(part -> part.length <= PagedValue.MOST_BYTES);
            assertThat(PagedValue.whole(told(whole), parts.get(0), parts::get).orElseThrow())
                    .isEqualTo(whole);
        }
    }

    @Test
    void aHeadWithoutAWordOfPagesIsTheWhole() {
        assertThat(PagedValue.whole(new RecordHeaders(), bytes(7, 1), page -> null))
                .hasValueSatisfying(whole -> assertThat(whole).isEqualTo(bytes(7, 1)));
    }

    @Test
    void pagesOfAnotherValueDoNotMakeItWhole() {
        byte[] whole = bytes(2 * PagedValue.MOST_BYTES + 10, 1);
        List<byte[]> parts = PagedValue.cut(whole);
        List<byte[]> others = PagedValue.cut(bytes(2 * PagedValue.MOST_BYTES + 10, 2));
        byte[] head = parts.get(0);

        assertThat(PagedValue.whole(told(whole), head, page -> page == 1 ? others.get(1) : parts.get(page)))
                .isEmpty();
        assertThat(PagedValue.whole(told(whole), head, page -> page == 2 ? null : parts.get(page)))
                .isEmpty();
        assertThat(PagedValue.whole(told(whole), head, page -> parts.get(1))).isEmpty();
    }

    @Test
    void aHeadThatSaysWhatCannotBeIsNoValue() {
        RecordHeaders tooMany = new RecordHeaders();
        PagedValue.tell(tooMany, PagedValue.MOST_PAGES, bytes(10, 1));
        assertThat(PagedValue.whole(tooMany, bytes(10, 1), page -> new byte[0])).isEmpty();

        RecordHeaders spoilt = new RecordHeaders();
        spoilt.add("pages", new byte[] {1, 2, 3});
        assertThat(PagedValue.whole(spoilt, bytes(10, 1), page -> new byte[0])).isEqualTo(Optional.empty());

        RecordHeaders empty = new RecordHeaders();
        empty.add("pages", null);
        assertThat(PagedValue.whole(empty, bytes(10, 1), page -> new byte[0])).isEqualTo(Optional.empty());
    }

    @Test
    void aPageKnowsWhoseItIs() {
        byte[] key = "job/7".getBytes(StandardCharsets.UTF_8);

        assertThat(PagedValue.isPage(key)).isFalse();
        assertThat(PagedValue.owner(key)).isEqualTo(key);
        assertThat(PagedValue.isPage(PagedValue.key(key, 15))).isTrue();
        assertThat(PagedValue.owner(PagedValue.key(key, 15))).isEqualTo(key);
        assertThat(PagedValue.key(key, 1)).isNotEqualTo(PagedValue.key(key, 2));
    }
}
