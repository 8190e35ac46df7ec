package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.Rows;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.policy.splits.SplitOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Who has what is asked at each tick while something is in doubt, of epochs with thousands of open splits. */
class HeldSplitsTest {
    private static final int SPLITS = 1_000;
    private static final int RECORDS = 4;
    private static final int GENERATION = 1;
    private static final Place PLACE = new Place("w", "i", "h", List.of("tcp://h:1"), false);

    private final CountedRows rows = new CountedRows();
    private final EpochLedger ledger = EpochLedger.open(rows, "job", 0, true);

    /** Counts how many rows are read, and of them those that are asked for by their key. */
    private static final class CountedRows implements Rows {
        private final MapRows rows = new MapRows();
        private long read;
        private long got;

        @Override
        public byte[] get(byte[] key) {
            read++;
            got++;
            return rows.get(key);
        }

        @Override
        public void put(byte[] key, byte[] value) {
            rows.put(key, value);
        }

        @Override
        public void delete(byte[] key) {
            rows.delete(key);
        }

        @Override
        public void each(byte[] prefix, BiConsumer<byte[], byte[]> row) {
            rows.each(prefix, (key, value) -> {
                read++;
                row.accept(key, value);
            });
        }
    }

    private static Elements first(long ordinal) {
        return Elements.of(ByteBuffer.wrap(TicketRuns.encode(new long[] {Ticket.of(ordinal, 0)})));
    }

    private List<Long> assignAll(int attempt) {
        SplitOrder order = new SplitOrder(SPLITS, 5, 0, false);
        List<Long> ordinals = new ArrayList<>();
        for (int split = 0; split < SPLITS; split++) {
            ordinals.add(ledger.takeNext(order, ordinal -> 0));
        }
        ledger.taken(attempt, ledger.assign(attempt, ordinals, split -> OptionalLong.of(RECORDS)));
        return ordinals;
    }

    // each split holds one claimed element: 1,000 at first, and one fewer behind each acknowledgement
    @Test
    void whoHasSomethingCostsWhatHasChangedSinceItWasAsked() {
        int attempt = ledger.start(PLACE);
        List<Long> ordinals = assignAll(attempt);
        ordinals.forEach(ordinal -> ledger.claims().claim(attempt, GENERATION, first(ordinal)));
        ledger.save();
        assertThat(ledger.claims().inDoubt(List.of(GENERATION), List.of()).elements())
                .isEqualTo(SPLITS);

        rows.read = 0;
        for (int tick = 0; tick < 10; tick++) {
            ledger.claims().consume(attempt, GENERATION, first(ordinals.get(tick)));
            ledger.save();
            assertThat(ledger.claims().holds(GENERATION)).isTrue();
            assertThat(ledger.claims().inDoubt(List.of(GENERATION), List.of()).elements())
                    .isEqualTo(SPLITS - tick - 1);
        }
        assertThat(rows.read).isLessThan(100);
    }

    @Test
    void theFirstOpenSplitIsFoundWithoutReadingTheOthers() {
        assignAll(ledger.start(PLACE));
        ledger.save();
        rows.got = 0;
        assertThat(ledger.firstOpen().orElseThrow().getKey()).isZero();
        assertThat(rows.got).isEqualTo(1);
    }
}
