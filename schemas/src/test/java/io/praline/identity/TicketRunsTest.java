package io.praline.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
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
