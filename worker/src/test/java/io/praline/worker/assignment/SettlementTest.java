package io.praline.worker.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.praline.identity.Ticket;
import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.assignment.Settlement.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class SettlementTest {
    private final Settlement settlement = new Settlement();

    private static AssignedSplit split(long ordinal, RoaringBitmap skip) {
        ByteBuffer bytes = ByteBuffer.allocate(skip.isEmpty() ? 0 : skip.serializedSizeInBytes());
        if (!skip.isEmpty()) {
            skip.serialize(bytes);
            bytes.flip();
        }
        return new AssignedSplit(
                ordinal,
                Split.newBuilder()
                        .setKind(SplitKind.FILE)
                        .setSource(0)
                        .setPaths(List.of("f" + ordinal))
                        .setFrom(0)
                        .setUntil(0)
                        .setStep(0)
                        .setBytes(0)
                        .build(),
                bytes);
    }

    private static long[] tickets(long ordinal, long from, long until) {
        return LongStream.range(from, until).map(i -> Ticket.of(ordinal, i)).toArray();
    }

    private static TicketSet set(long ordinal, long from, long until) {
        return TicketSet.of(tickets(ordinal, from, until));
    }

    private Outcome settle(TicketSet withheld, TicketSet unbatched, boolean leaks, boolean deliverTail) {
        return settlement.settle(withheld, unbatched, TicketSet.NONE, leaks, deliverTail);
    }

    // one without records is closed by its count alone, which says nothing of the graph
    @Test
    void aSplitIsReadWhenSomethingOfItCameOutAndNothingIsOpen() {
        settlement.assigned(split(3, new RoaringBitmap()));
        settlement.assigned(split(4, new RoaringBitmap()));
        settlement.counted(3, 0);
        settlement.counted(4, 2);
        assertThat(settlement.isOpen(3)).isFalse();
        assertThat(settlement.isRead(3)).isFalse();
        settlement.delivered(tickets(4, 0, 1));
        assertThat(settlement.isRead(4)).isFalse();
        settlement.dropped(set(4, 1, 2));
        assertThat(settlement.isRead(4)).isTrue();
    }

    // 10 records in batches of 4: 0..7 delivered, 8 and 9 in the short batch
    @Test
    void theShortBatchIsTheRemainder() {
        settlement.assigned(split(3, new RoaringBitmap()));
        settlement.delivered(tickets(3, 0, 4));
        settlement.counted(3, 10);
        settlement.delivered(tickets(3, 4, 8));
        assertThat(settle(set(3, 8, 10), TicketSet.NONE, false, false))
                .isEqualTo(new Outcome(set(3, 8, 10), TicketSet.NONE, TicketSet.NONE, TicketSet.NONE, TicketSet.NONE));
    }

    // 5 records, of which 0 was given to somebody who is gone, and is read again before it is told that 4 was dropped
    @Test
    void whatIsAssignedAgainIsOpenUntilItCameAgain() {
        settlement.assigned(split(0, new RoaringBitmap()));
        settlement.counted(0, 5);
        settlement.delivered(tickets(0, 0, 4));
        settlement.assigned(split(0, RoaringBitmap.bitmapOfRange(1, 5)));
        settlement.counted(0, 5);

        settlement.dropped(set(0, 4, 5));
        settlement.delivered(tickets(0, 0, 1));

        assertThat(settlement.open()).isEmpty();
    }

    @Test
    void whatAFilterToldIsAccountedForOnce() {
        settlement.assigned(split(0, RoaringBitmap.bitmapOf(1)));
        settlement.counted(0, 5);
        settlement.delivered(new long[] {Ticket.of(0, 4)});
        assertThat(settlement.dropped(TicketSet.of(Ticket.of(0, 0), Ticket.of(0, 1), Ticket.of(0, 4))))
                .isEqualTo(TicketSet.of(Ticket.of(0, 0)));
        assertThat(settlement.dropped(TicketSet.of(Ticket.of(0, 0)))).isEqualTo(TicketSet.NONE);
        assertThat(settle(set(0, 2, 4), TicketSet.NONE, false, false))
                .isEqualTo(new Outcome(set(0, 2, 4), TicketSet.NONE, TicketSet.NONE, TicketSet.NONE, TicketSet.NONE));
    }

    @Test
    void aSplitOfWhichAllIsDeliveredOrDroppedIsForgotten() {
        settlement.assigned(split(0, new RoaringBitmap()));
        settlement.counted(0, 5);
        settlement.delivered(tickets(0, 0, 4));
        settlement.dropped(set(0, 4, 5));
        assertThat(settlement.open()).isEmpty();
    }

    @Test
    void whereErrorsAreIgnoredWhatDidNotComeOutWasLeftOutByThat() {
        settlement.assigned(split(0, new RoaringBitmap()));
        settlement.counted(0, 3);
        settlement.delivered(tickets(0, 0, 2));
        assertThat(settle(TicketSet.NONE, TicketSet.NONE, true, false))
                .isEqualTo(new Outcome(TicketSet.NONE, set(0, 2, 3), TicketSet.NONE, TicketSet.NONE, TicketSet.NONE));
    }

    // elements 0 to 2 are skipped, 3 and 4 delivered, 5 dropped, 6 in the short batch: 7
    @Test
    void aSplitThatNobodyCouldCountHasAsManyElementsAsAreKnownAtItsEnd() throws InterruptedException {
        settlement.assigned(split(0, RoaringBitmap.bitmapOfRange(0, 3)));
        settlement.openEnded(0);
        settlement.delivered(tickets(0, 3, 5));
        settlement.awaitCounted();
        settlement.dropped(set(0, 5, 6));
        settlement.ended(0, 0);
        assertThat(settlement.countOpenEnded(set(0, 6, 7))).containsExactly(entry(0L, 7L));
        assertThat(settle(set(0, 6, 7), TicketSet.NONE, false, false))
                .isEqualTo(new Outcome(set(0, 6, 7), TicketSet.NONE, TicketSet.NONE, TicketSet.NONE, TicketSet.NONE));
    }

    // what is to be counted is read with all of it skipped, and more
    @Test
    void whatWasToBeSkippedSaysNothingOfHowManyElementsThereAre() {
        settlement.assigned(split(0, RoaringBitmap.bitmapOfRange(0, 1 << 22)));
        settlement.openEnded(0);
        settlement.ended(0, 300);
        assertThat(settlement.countOpenEnded(TicketSet.NONE)).containsExactly(entry(0L, 300L));
        assertThat(settle(TicketSet.NONE, TicketSet.NONE, false, false))
                .isEqualTo(new Outcome(TicketSet.NONE, TicketSet.NONE, TicketSet.NONE, TicketSet.NONE, TicketSet.NONE));
    }

    @Test
    void aSplitWhoseEndWasNotToldIsNotCounted() {
        settlement.assigned(split(0, new RoaringBitmap()));
        settlement.assigned(split(1, new RoaringBitmap()));
        settlement.openEnded(0);
        settlement.openEnded(1);
        settlement.ended(1, 0);
        assertThat(settlement.unended()).containsExactly(0L);
        assertThat(settlement.countOpenEnded(TicketSet.NONE)).containsExactly(entry(1L, 0L));
    }

    @Test
    void aSplitOfWhichNothingCameOutHasNoRecords() {
        settlement.assigned(split(0, new RoaringBitmap()));
        settlement.openEnded(0);
        settlement.ended(0, 0);
        assertThat(settlement.countOpenEnded(TicketSet.NONE)).containsExactly(entry(0L, 0L));
        assertThat(settlement.open()).isEmpty();
    }

    @Test
    void whatIsShortOfABatchIsOwedUntilTheLastAttempt() {
        settlement.assigned(split(0, new RoaringBitmap()));
        settlement.counted(0, 6);
        settlement.delivered(tickets(0, 0, 4));
        assertThat(settle(TicketSet.NONE, set(0, 4, 6), false, false).remainder())
                .isEqualTo(set(0, 4, 6));
        assertThat(settle(TicketSet.NONE, set(0, 4, 6), false, true).tail()).isEqualTo(set(0, 4, 6));
    }

    @Test
    void whatNobodyToldOfIsLost() {
        settlement.assigned(split(0, new RoaringBitmap()));
        settlement.counted(0, 5);
        settlement.delivered(tickets(0, 0, 2));
        settlement.dropped(set(0, 2, 3));
        for (boolean deliverTail : List.of(true, false)) {
            assertThat(settle(TicketSet.NONE, set(0, 3, 4), false, deliverTail).lost())
                    .isEqualTo(set(0, 4, 5));
        }
    }

    @Test
    void whatIsSkippedIsNotWaitedFor() {
        settlement.assigned(split(0, RoaringBitmap.bitmapOfRange(0, 4)));
        settlement.counted(0, 6);
        settlement.delivered(tickets(0, 4, 6));
        assertThat(settlement.open()).isEmpty();
    }

    @Test
    void aSplitThatIsAssignedAgainHasWhatEitherWants() {
        settlement.assigned(split(0, RoaringBitmap.bitmapOfRange(0, 4)));
        settlement.assigned(split(0, RoaringBitmap.bitmapOfRange(1, 6)));
        settlement.counted(0, 6);
        settlement.delivered(new long[] {Ticket.of(0, 0)});
        assertThat(settlement.undelivered()).isEqualTo(set(0, 4, 6));
    }

    @Test
    void anElementOfASplitThatWasNotAssignedIsAFault() {
        assertThatThrownBy(() -> settlement.delivered(new long[] {Ticket.of(7, 0)}))
                .hasMessage("split 7 was never assigned, and came out of the graph");
    }

    // assigned = skipped + delivered + remainder + filtered + tail + bad + lost, whatever happened
    @Property
    void everyElementIsAccountedForOnce(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 6) int splits,
            @ForAll boolean leaks,
            @ForAll boolean deliverTail) {
        Random random = new Random(seed);
        Settlement account = new Settlement();
        List<Long> all = new ArrayList<>();
        for (long ordinal = 0; ordinal < splits; ordinal++) {
            int records = random.nextInt(200);
            RoaringBitmap skip = new RoaringBitmap();
            for (int record = 0; record < records; record++) {
                if (random.nextInt(5) == 0) {
                    skip.add(record);
                } else {
                    all.add(Ticket.of(ordinal, record));
                }
            }
            account.assigned(split(ordinal, skip));
            account.counted(ordinal, records);
        }
        Collections.shuffle(all, random);
        TicketSet[] fate = new TicketSet[5];
        long[] tickets = all.stream().mapToLong(Long::longValue).toArray();
        int[] cuts = random.ints(4, 0, tickets.length + 1).sorted().toArray();
        fate[0] = part(tickets, 0, cuts[0]);
        fate[1] = part(tickets, cuts[0], cuts[1]);
        fate[2] = part(tickets, cuts[1], cuts[2]);
        fate[3] = part(tickets, cuts[2], cuts[3]);
        fate[4] = part(tickets, cuts[3], tickets.length);
        account.delivered(LongStream.of(tickets).limit(cuts[0]).toArray());

        TicketSet dropped = account.dropped(fate[2]);
        Outcome outcome = account.settle(fate[1], fate[3], fate[4], leaks, deliverTail);

        List<TicketSet> places = List.of(
                fate[0],
                dropped,
                outcome.remainder(),
                outcome.filtered(),
                outcome.tail(),
                outcome.bad(),
                outcome.lost());
        assertThat(places.stream().mapToLong(TicketSet::count).sum()).isEqualTo(tickets.length);
        assertThat(places.stream().reduce(TicketSet.NONE, TicketSet::plus)).isEqualTo(TicketSet.of(tickets));
        assertThat(outcome)
                .isEqualTo(new Outcome(
                        deliverTail ? outcome.remainder() : fate[1].plus(fate[3]),
                        leaks ? outcome.filtered() : TicketSet.NONE,
                        deliverTail ? fate[3] : TicketSet.NONE,
                        fate[4],
                        TicketSet.NONE));
    }

    private static TicketSet part(long[] tickets, int from, int until) {
        return TicketSet.of(java.util.Arrays.copyOfRange(tickets, from, until));
    }
}
