package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClosedSplitsTest {
    private static final Place PLACE = new Place("w", "i", "h", List.of("tcp://h:1"), false);

    private final EpochLedger ledger = EpochLedger.open(new MapRows(), "job", 0, true);

    // a consumer that cannot reach the worker any more may have had all of it by then
    @Test
    void aSplitThatIsClosedCrashesNobody() {
        int attempt = ledger.start(PLACE);
        ledger.assign(attempt, List.of(3L), ordinal -> OptionalLong.of(1));
        assertThat(ledger.loneSplits().crashed(3, new SuspectRow.Crash(true, true, 0, Instant.EPOCH)))
                .hasValue(1);
        Elements all = Elements.of(ByteBuffer.wrap(TicketRuns.encode(new long[] {Ticket.of(3, 0)})));
        ledger.claims().claim(attempt, 1, all);
        ledger.claims().consume(attempt, 1, all);

        assertThat(ledger.loneSplits().crashed(3, new SuspectRow.Crash(true, true, 0, Instant.EPOCH)))
                .isEmpty();
        assertThat(ledger.loneSplits().any()).isFalse();
    }
}
