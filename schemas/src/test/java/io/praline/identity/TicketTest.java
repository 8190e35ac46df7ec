package io.praline.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TicketTest {
    @Property
    void aTicketHoldsItsOrdinalAndItsRecord(
            @ForAll @LongRange(min = 0, max = 134_217_727) long ordinal,
            @ForAll @LongRange(min = 0, max = 68_719_476_734L) long record) {
        long ticket = Ticket.of(ordinal, record);
        assertThat(ticket).isNotNegative();
        assertThat(Ticket.ordinal(ticket)).isEqualTo(ordinal);
        assertThat(Ticket.record(ticket)).isEqualTo(record);
        assertThat(Ticket.isEnd(ticket)).isFalse();
        assertThat(Ticket.ordinal(Ticket.endOf(ordinal))).isEqualTo(ordinal);
        assertThat(Ticket.isEnd(Ticket.endOf(ordinal))).isTrue();
    }

    // 27 bits of splits, 36 of records
    @Test
    void whatDoesNotFitIsRefused() {
        assertThat(Ticket.endOf(134_217_727)).isEqualTo(Long.MAX_VALUE);
        assertThat(Ticket.of(0, 0)).isZero();
        assertThatThrownBy(() -> Ticket.of(134_217_728, 0)).hasMessage("ordinal must be in 0..134217727, is 134217728");
        assertThatThrownBy(() -> Ticket.of(-1, 0)).hasMessage("ordinal must be in 0..134217727, is -1");
        assertThatThrownBy(() -> Ticket.of(0, 68_719_476_735L))
                .hasMessage("record must be in 0..68719476734, is 68719476735");
        assertThatThrownBy(() -> Ticket.of(0, -1)).hasMessage("record must be in 0..68719476734, is -1");
    }
}
