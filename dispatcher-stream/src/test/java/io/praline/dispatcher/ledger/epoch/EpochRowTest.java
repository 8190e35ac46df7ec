package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** The counts of an epoch, and elements as messages name them. */
class EpochRowTest {
    private final EpochRow row = new EpochRow();

    @Test
    void positionsAndAttemptsAreCountedFromZero() {
        assertThat(row.assignNext()).isZero();
        assertThat(row.assignNext()).isEqualTo(1);
        assertThat(row.mintAttempt()).isZero();
        assertThat(row.mintAttempt()).isEqualTo(1);
        assertThat(row.assigned()).isEqualTo(2);
        assertThat(row.attempts()).isEqualTo(2);
    }

    // sixteen reasons have their own number; of what comes with a seventeenth the rest is counted together
    @Test
    void whatIsExcludedForReasonsThatNobodyKnowsIsCountedTogether() {
        for (int reason = 0; reason < 18; reason++) {
            row.addExcluded("reason " + reason, 1);
        }
        row.addExcluded("reason 3", 4);
        row.addExcluded("nothing", 0);

        assertThat(row.excluded()).hasSize(17).containsEntry("other", 2L).containsEntry("reason 3", 5L);
        assertThat(row.excluded()).containsEntry("reason 15", 1L).doesNotContainKey("reason 16");
    }

    // given again twice, of 10 elements that 3 and then 4 were elsewhere of: 7 and 6
    @Test
    void whatWasGivenAgainBeforeItWasCountedIsAddedThen() {
        row.addPossiblyTwice(2);
        row.addPossiblyTwiceOnceCounted(5, 3);
        row.addPossiblyTwiceOnceCounted(5, 4);
        assertThat(row.possiblyTwice()).isEqualTo(2);
        assertThat(row.possiblyTwiceSplits()).isEqualTo(1);

        EpochRow read = EpochRow.decode(row.encode());
        read.counted(4, 100);
        read.counted(5, 10);
        read.counted(5, 10);
        assertThat(read.possiblyTwice()).isEqualTo(15);
        assertThat(read.possiblyTwiceSplits()).isZero();
    }

    @Test
    void aRowReadsBack() {
        row.assignNext();
        row.mintAttempt();
        row.mintAttempt();
        row.addElements(30);
        row.addConsumed(20);
        row.addClosedSplit();
        row.addExcluded("filter", 3);
        row.addPossiblyTwice(4);
        row.setComplete();
        EpochRow read = EpochRow.decode(row.encode());

        assertThat(read.encode()).isEqualTo(row.encode());
        assertThat(read.assigned()).isEqualTo(1);
        assertThat(read.attempts()).isEqualTo(2);
        assertThat(read.elements()).isEqualTo(30);
        assertThat(read.consumed()).isEqualTo(20);
        assertThat(read.closedSplits()).isEqualTo(1);
        assertThat(read.excluded()).isEqualTo(Map.of("filter", 3L));
        assertThat(read.possiblyTwice()).isEqualTo(4);
        assertThat(read.complete()).isTrue();
        assertThat(EpochRow.decode(new EpochRow().encode()).complete()).isFalse();
        byte[] old = Arrays.copyOf(row.encode(), row.encode().length - 1);
        assertThat(EpochRow.decode(old).possiblyTwice()).isZero();
    }

    private static Elements named(long... tickets) {
        return Elements.of(ByteBuffer.wrap(TicketRuns.encode(tickets)));
    }

    @Test
    void elementsAreToldApartByTheirSplits() {
        Elements elements = named(Ticket.of(1, 2), Ticket.of(1, 3), Ticket.of(4, 0));

        assertThat(elements.bySplit())
                .isEqualTo(new TreeMap<>(Map.of(1L, RoaringBitmap.bitmapOf(2, 3), 4L, RoaringBitmap.bitmapOf(0))));
        assertThat(elements.count()).isEqualTo(3);
        assertThat(Elements.of(ByteBuffer.allocate(0))).isEqualTo(Elements.NONE);
        assertThat(Elements.NONE.count()).isZero();
    }

    @Test
    void ticketsBehindTheLastRecordOfTheLargestSplitAreNone() {
        long last = SplitRow.MAX_RECORDS - 1;

        assertThat(named(Ticket.of(2, last)).count()).isEqualTo(1);
        assertThatThrownBy(() -> named(Ticket.of(2, last), Ticket.of(2, last + 1)))
                .hasMessage("ticket " + Ticket.of(2, last + 1) + " is none");
    }

    @Test
    void aMessageNamesAsManyTicketsAsItMay() {
        Elements.requireFew(Elements.MOST);

        assertThatThrownBy(() -> Elements.requireFew(Elements.MOST + 1))
                .hasMessage("a message must not name more than " + Elements.MOST + " tickets");
    }
}
