package io.praline.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.Roaring64NavigableMap;

/** What is remembered of a lane. */
class TicketTrailTest {
    private final TicketTrail trail = new TicketTrail();
    private long sequence;

    private void add(long... tickets) {
        trail.add(sequence++, ByteBuffer.wrap(TicketRuns.encode(tickets)));
    }

    private void run(long from, int count) {
        add(LongStream.range(from, from + count).toArray());
    }

    private static Roaring64NavigableMap of(long... tickets) {
        return Roaring64NavigableMap.bitmapOf(tickets);
    }

    @Test
    void allThatWasSentIsRememberedUntilItIsConfirmed() {
        add(0, 1, 2);
        add(3, 9, 5);
        trail.confirmed(-1);
        assertThat(trail.all()).isEqualTo(of(0, 1, 2, 3, 5, 9));
    }

    @Test
    void whatIsConfirmedIsForgottenAndWhatComesThenIsNot() {
        add(0, 1, 2);
        add(3);
        trail.confirmed(1);
        assertThat(trail.all()).isEqualTo(of());

        add(4, 5);
        trail.confirmed(1);
        assertThat(trail.all()).isEqualTo(of(4, 5));
    }

    // of what came with something that is not confirmed more is told than the accounts lack, and never less
    @Test
    void theLastPieceIsKeptUntilAllOfItIsConfirmed() {
        run(0, TicketTrail.PIECE);
        run(1L << 36, TicketTrail.PIECE);
        run(1L << 37, 3);
        trail.confirmed(0);
        Roaring64NavigableMap left = new Roaring64NavigableMap();
        left.addRange(1L << 36, (1L << 36) + TicketTrail.PIECE);
        left.addRange(1L << 37, (1L << 37) + 3);
        assertThat(trail.all()).isEqualTo(left);
    }

    // one element of each of a million splits: a bitmap for each is some 200 bytes
    @Test
    void whatIsHeldDoesNotGrowWithTheAttempt() {
        long most = 0;
        for (long split = 0; split < 1_000_000; split++) {
            add(split << 36);
            if (split % 1_000 == 999) {
                trail.confirmed(sequence - 500);
                most = Math.max(most, trail.bytes());
            }
        }
        assertThat(most).isLessThan(6L * TicketTrail.PIECE * 50);
    }

    @Test
    void aClientThatConfirmsNothingLosesNothingAndHasFewPieces() {
        int pieces = 3 * TicketTrail.MOST_PIECES;
        for (int piece = 0; piece < pieces; piece++) {
            run((long) piece * TicketTrail.PIECE, TicketTrail.PIECE);
        }
        trail.confirmed(TicketTrail.MOST_PIECES); // which are in one with others by now
        Roaring64NavigableMap all = new Roaring64NavigableMap();
        all.addRange(0, (long) pieces * TicketTrail.PIECE);
        assertThat(trail.all()).isEqualTo(all);
    }

    @Test
    void thoseThatBecameOneGoWhenTheLastOfThemIsConfirmed() {
        int pieces = 3 * TicketTrail.MOST_PIECES;
        for (int piece = 0; piece < pieces; piece++) {
            run((long) piece * TicketTrail.PIECE, TicketTrail.PIECE);
        }
        trail.confirmed(pieces - 2L);
        Roaring64NavigableMap last = new Roaring64NavigableMap();
        last.addRange((pieces - 1L) * TicketTrail.PIECE, (long) pieces * TicketTrail.PIECE);
        assertThat(trail.all()).isEqualTo(last);
    }

    @Test
    void elementsWithoutTicketsLeaveNothing() {
        add();
        trail.confirmed(0);
        assertThat(trail.all()).isEqualTo(of());
    }
}
