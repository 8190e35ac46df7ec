package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SeenTicketsTest {

    @Property(tries = 300)
    void countsAsASetWould(@ForAll("batches") List<long[]> batches) {
        SeenTickets tickets = new SeenTickets();
        Set<Long> known = new HashSet<>();
        long duplicates = 0;
        for (long[] batch : batches) {
            tickets.add(batch, 0, batch.length);
            for (long ticket : batch) {
                duplicates += known.add(ticket) ? 0 : 1;
            }
        }

        assertThat(tickets.distinct()).isEqualTo(known.size());
        assertThat(tickets.duplicates()).isEqualTo(duplicates);
    }

    /** Batches of runs near the places where the encoding changes: record 4096, 2^32, the next split. */
    @Provide
    Arbitrary<List<long[]>> batches() {
        Arbitrary<Long> record = Arbitraries.of(0L, 1L, 4090L, 4096L, (1L << 32) - 3, 1L << 33)
                .flatMap(base -> Arbitraries.longs().between(base, base + 8));
        Arbitrary<Long> ordinal = Arbitraries.of(0L, 1L, 2L, 15L, 16L, 1_000_000L);
        Arbitrary<long[]> run = Combinators.combine(
                        ordinal, record, Arbitraries.integers().between(1, 12))
                .as((split, first, length) -> {
                    long[] tickets = new long[length];
                    for (int i = 0; i < length; i++) {
                        tickets[i] = Ticket.of(split, first + i);
                    }
                    return tickets;
                });
        return run.list().ofMaxSize(40);
    }
}
