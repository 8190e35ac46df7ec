package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.identity.Ticket;
import io.praline.worker.graph.ticket.Counting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.roaringbitmap.RoaringBitmap;

class CountedTicketsTest {
    // split i has counts.get(i) records, without those of the set that it has
    @Property
    void areTheWantedRecordsOfAllSplitsInTheirOrder(
            @ForAll @Size(max = 5) List<@IntRange(max = 40) Integer> counts,
            @ForAll @Size(max = 20) Set<@IntRange(max = 45) Integer> unwanted,
            @ForAll @IntRange(min = 1, max = 9) int batch,
            @ForAll boolean drops) {
        CountedTickets tickets = new CountedTickets(new Counting(batch, drops));
        RoaringBitmap skip = new RoaringBitmap();
        unwanted.forEach(skip::add);
        List<Long> expected = new ArrayList<>();
        for (int split = 0; split < counts.size(); split++) {
            tickets.add(FeedSplit.file(split, 0, "f").skipping(skip).counted(counts.get(split)));
            for (int record = 0; record < counts.get(split); record++) {
                if (!unwanted.contains(record)) {
                    expected.add(Ticket.of(split, record));
                }
            }
        }
        int rest = drops ? expected.size() % batch : 0;
        List<Long> came = new ArrayList<>();
        while (came.size() < expected.size() - rest) {
            for (long ticket : tickets.next(0)) {
                came.add(ticket);
            }
        }

        assertThat(came).isEqualTo(expected.subList(0, expected.size() - rest));
        assertThat(tickets.unbatched()).isEqualTo(expected.subList(expected.size() - rest, expected.size()));
    }

    @Example
    void moreThanWentInCannotComeOut() {
        CountedTickets tickets = new CountedTickets(new Counting(1, false));
        tickets.add(FeedSplit.file(0, 0, "f").counted(3));

        assertThat(tickets.next(3)).containsExactly(0, 1, 2);
        assertThatThrownBy(() -> tickets.next(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("more elements came out of the graph than went in");
    }

    // what is missing is more than a batch: something else than the user's wish left it out
    @Example
    void wholeBatchesThatAreMissingWereNotLeftOutAsShort() {
        CountedTickets tickets = new CountedTickets(new Counting(3, true));
        tickets.add(FeedSplit.file(0, 0, "f").counted(4));

        assertThat(tickets.unbatched()).isEmpty();
    }
}
