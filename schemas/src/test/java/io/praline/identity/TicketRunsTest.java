package io.praline.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TicketRunsTest {
    @Property
    void whatIsEncodedComesBackInOrder(@ForAll long[] tickets) {
        ByteBuffer runs = ByteBuffer.wrap(TicketRuns.encode(tickets));

        assertThat(TicketRuns.decode(runs)).containsExactly(tickets);
        assertThat(TicketRuns.count(runs)).isEqualTo(tickets.length);
    }

    // 3 << 36 | 5 and its neighbour are one run: a varint of 6 bytes and one of 1
    @Test
    void neighboursTakeOneRun() {
        assertThat(TicketRuns.encode(new long[] {Ticket.of(3, 5), Ticket.of(3, 6)}))
                .hasSize(7);
    }

    @Test
    void runsThatAreCutOffAreRefused() {
        byte[] runs = TicketRuns.encode(new long[] {Ticket.of(3, 5)});

        assertThatThrownBy(() -> TicketRuns.decode(ByteBuffer.wrap(runs, 0, runs.length - 1)))
                .hasMessage("runs of tickets are cut off");
    }

    @Test
    void aTicketHoldsOrdinalAndRecord() {
        long ticket = Ticket.of(Ticket.MAX_ORDINAL, 17);

        assertThat(Ticket.ordinal(ticket)).isEqualTo(Ticket.MAX_ORDINAL);
        assertThat(Ticket.record(ticket)).isEqualTo(17);
        assertThat(ticket).isPositive();
    }

    // four runs of 2^62 add up to 0 in 64 bits
    @Test
    void aRunIsNoLongerThanASplitMayBe() {
        byte[] run = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        Arrays.fill(run, 1, 9, (byte) 0x80);
        run[9] = 0x40;
        ByteBuffer runs = ByteBuffer.allocate(4 * run.length);
        for (int i = 0; i < 4; i++) {
            runs.put(run);
        }
        runs.flip();
        assertThatThrownBy(() -> TicketRuns.count(runs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a run of tickets must not have length 4611686018427387904");
        assertThatThrownBy(() -> TicketRuns.forEach(runs, ticket -> {
                    throw new AssertionError("ticket " + ticket);
                }))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void runsComeAsTheyAre() {
        long[] tickets = {Ticket.of(3, 5), Ticket.of(3, 6), Ticket.of(4, 0), Ticket.of(3, 4)};
        List<String> runs = new ArrayList<>();
        TicketRuns.forEachRun(
                ByteBuffer.wrap(TicketRuns.encode(tickets)),
                (first, length) -> runs.add(Ticket.ordinal(first) + "/" + Ticket.record(first) + "+" + length));
        assertThat(runs).containsExactly("3/5+2", "4/0+1", "3/4+1");
    }

    @Test
    void runsOfNoLengthAndNumbersOfMoreThan64BitsAreRefused() {
        assertThatThrownBy(() -> TicketRuns.decode(ByteBuffer.wrap(new byte[] {2, 0})))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a run of tickets must not have length 0");
        byte[] endless = new byte[11];
        Arrays.fill(endless, (byte) 0x80);
        assertThatThrownBy(() -> TicketRuns.count(ByteBuffer.wrap(endless)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a number in runs of tickets has more than 64 bits");
    }
}
