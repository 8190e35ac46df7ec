package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.convert.LedgerRecords;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.schema.LedgerPage;
import io.praline.topics.Agreements;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClosedPagesTest {
    private static final int PAGE = Agreements.SPLITS_A_PAGE;
    private static final Place PLACE = new Place("w1", "i1", "h1", List.of("tcp://h1:1"), false);

    private final MapRows rows = new MapRows();
    private final ClosedPages pages = new ClosedPages();

    /** An epoch with splits without records, which are closed as soon as they are assigned. */
    private EpochLedger epoch(String job, int number, long... closed) {
        EpochLedger epoch = EpochLedger.open(rows, job, number, true);
        close(epoch, closed);
        return epoch;
    }

    private static void close(EpochLedger epoch, long... closed) {
        epoch.assign(epoch.start(PLACE), LongStream.of(closed).boxed().toList(), ordinal -> OptionalLong.of(0));
    }

    private static String key(String job, int epoch, int page) {
        return LedgerRecords.key(LedgerRecords.closed(job, epoch, page, new BitSet()));
    }

    private static List<String> keys(List<LedgerPage> told) {
        return told.stream().map(LedgerRecords::key).toList();
    }

    @Test
    void thePagesThatWaitLongestAreToldFirstAsTheyAreThen() {
        EpochLedger first = epoch("b", 0, PAGE + 1L);
        EpochLedger second = epoch("a", 3, 2);
        pages.note("b", List.of(first));
        pages.note("a", List.of(second));
        close(first, PAGE + 5L);
        pages.note("b", List.of(first));
        BitSet both = new BitSet();
        both.set(1);
        both.set(5);
        BitSet one = new BitSet();
        one.set(2);

        assertThat(pages.take())
                .containsExactly(LedgerRecords.closed("b", 0, 1, both), LedgerRecords.closed("a", 3, 0, one));
        assertThat(pages.take()).isEmpty();
    }

    // 201 pages, of which 200 are told at a time
    @Test
    void soManyAreToldAtATime() {
        pages.note(
                "job",
                List.of(epoch(
                        "job",
                        0,
                        LongStream.range(0, 201).map(page -> page * PAGE).toArray())));

        assertThat(keys(pages.take()))
                .isEqualTo(IntStream.range(0, 200)
                        .mapToObj(page -> key("job", 0, page))
                        .toList());
        assertThat(keys(pages.take())).containsExactly(key("job", 0, 200));
    }

    @Test
    void ofACompleteEpochNothingIsTold() {
        EpochLedger epoch = epoch("job", 0, 0);
        pages.note("job", List.of(epoch));
        epoch.setComplete();

        assertThat(pages.take()).isEmpty();
        assertThat(pages.takeAll("job")).isEmpty();
    }

    @Test
    void allOfOneJobIsToldBeforeItsSplitsAreForgotten() {
        pages.note("a", List.of(epoch("a", 0, 0), epoch("a", 1, 0)));
        pages.note("b", List.of(epoch("b", 0, 0)));

        assertThat(keys(pages.takeAll("a"))).containsExactly(key("a", 0, 0), key("a", 1, 0));
        assertThat(keys(pages.take())).containsExactly(key("b", 0, 0));
    }
}
