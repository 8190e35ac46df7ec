package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.WorkerRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.identity.AttemptKey;
import io.praline.schema.ConsumerState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** When consumers and workers were last heard, what they told, and what they are still to be told. */
class HeardTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final AttemptKey ONE = new AttemptKey("job", 0, 1);
    private static final AttemptKey TWO = new AttemptKey("job", 0, 2);

    private final HeardConsumers consumers = new HeardConsumers();
    private final Confirmations confirmations = new Confirmations();
    private final KnownWorker worker = new KnownWorker(new WorkerRow(
            new Place("w1", "i1", "h1", List.of("tcp://h1:1"), false), 2, false, Optional.empty(), AT, List.of()));

    @Test
    void silenceIsCountedFromTheLastWordOrElseFromWhenItIsFirstAskedFor() {
        assertThat(consumers.lastOf(0)).isEmpty();
        assertThat(consumers.silentFrom(0, AT)).isEqualTo(AT);
        assertThat(consumers.silentFrom(0, AT.plusSeconds(5))).isEqualTo(AT);

        consumers.heard(0, AT.plusSeconds(7));
        assertThat(consumers.silentFrom(0, AT.plusSeconds(9))).isEqualTo(AT.plusSeconds(7));
        assertThat(consumers.lastOf(0)).contains(AT.plusSeconds(7));
    }

    @Test
    void whereNobodyCouldBeHeardSilenceIsCountedAnew() {
        consumers.heard(0, AT);
        consumers.anew(AT.plusSeconds(60));

        assertThat(consumers.silentFrom(0, AT.plusSeconds(61))).isEqualTo(AT.plusSeconds(60));
        assertThat(consumers.lastOf(0)).contains(AT);
    }

    @Test
    void ofBeatsTheNewestIsKnownUntilAnotherProcessComes() {
        consumers.beat(0, 5);
        consumers.beat(0, 3);
        consumers.beat(1, 2);
        assertThat(consumers.beats()).isEqualTo(Map.of(0, 5L, 1, 2L));

        consumers.comes(0);
        consumers.beat(0, 1);
        assertThat(consumers.beats()).isEqualTo(Map.of(0, 1L, 1, 2L));
    }

    @Test
    void aPlaceIsInDoubtUntilEachOfItsGenerationsIsKnownToHaveNothing() {
        ConsumerRow place = ConsumerRow.expected(0, AT)
                .taken("a", "h", AT)
                .followed(AT)
                .taken(4, "b", "h", AT)
                .in(ConsumerState.IN_DOUBT, AT);
        assertThat(consumers.doubts(place)).isTrue();
        consumers.clear(0);
        assertThat(consumers.doubts(place)).isTrue();
        assertThat(consumers.isCleared(0)).isTrue();
        assertThat(consumers.isCleared(4)).isFalse();

        consumers.clear(4);
        assertThat(consumers.doubts(place)).isFalse();
    }

    // a first one at once, and the next two seconds later
    @Test
    void whatIsKnownIsConfirmedTogetherEveryTwoSeconds() {
        assertThat(confirmations.take(AT)).isEmpty();
        confirmations.due(ONE, 3);
        assertThat(confirmations.take(AT)).isEqualTo(Map.of(ONE, 3));

        confirmations.due(ONE, 4);
        confirmations.due(TWO, 1);
        confirmations.due(ONE, 5);
        assertThat(confirmations.take(AT.plusMillis(1_999))).isEmpty();
        assertThat(confirmations.take(AT.plusSeconds(2))).isEqualTo(Map.of(ONE, 5, TWO, 1));
        assertThat(confirmations.take(AT.plusSeconds(4))).isEmpty();
    }

    @Test
    void aWorkerHasACoreUntilItTellsMore() {
        assertThat(worker.cores()).isEqualTo(1);
        assertThat(worker.beaten()).isEmpty();
        worker.heard(AT);
        assertThat(worker.heard()).contains(AT);
        assertThat(worker.beaten()).isEmpty();

        worker.beat(AT.plusSeconds(1), 0);
        assertThat(worker.cores()).isEqualTo(1);
        worker.beat(AT.plusSeconds(2), 8);
        assertThat(worker.cores()).isEqualTo(8);
        assertThat(worker.beaten()).contains(AT.plusSeconds(2));
        assertThat(worker.heard()).contains(AT.plusSeconds(2));
    }

    @Test
    void whatABeatListsNoMoreIsMissing() {
        assertThat(worker.lists(new TreeSet<>(Set.of(ONE, TWO)))).isEmpty();
        assertThat(worker.lists(new TreeSet<>(Set.of(TWO)))).containsExactly(ONE);
        assertThat(worker.lists(new TreeSet<>(Set.of(ONE, TWO)))).isEmpty();
        assertThat(worker.lists(new TreeSet<>())).containsExactly(ONE, TWO);
    }

    // ten thousand, and one more
    @Test
    void theNewestTenThousandProcessesThatWereReplacedAreKnown() {
        Buried buried = new Buried();
        for (int each = 0; each <= 10_000; each++) {
            buried.add("i" + each);
        }

        assertThat(buried.has("i0")).isFalse();
        assertThat(buried.has("i1")).isTrue();
        assertThat(buried.has("i10000")).isTrue();
    }

    @Test
    void aProcessThatIsGoneMayComeBackUntilAnotherComesByItsName() {
        Buried buried = new Buried();
        buried.gone("w1", List.of("a"), "b");
        assertThat(buried.comes("w1", "b")).containsExactly("a");
        assertThat(buried.has("b")).isFalse();
        assertThat(buried.has("a")).isTrue();

        buried.gone("w1", List.of("a"), "b");
        assertThat(buried.comes("w1", "c")).containsExactly("a", "b");
        assertThat(buried.has("b")).isTrue();
        assertThat(buried.comes("w1", "d")).isEmpty();
        assertThat(buried.has("c")).isFalse();
    }

    @Test
    void aWorkerIsReservedUntilThatEnds() {
        Reservation reserved = new Reservation();
        assertThat(reserved.isOf("w1")).isFalse();
        assertThat(reserved.hold("w1", "job")).isTrue();
        assertThat(reserved.hold("w1", "job")).isFalse();
        assertThat(reserved.isOf("w1")).isTrue();
        assertThat(reserved.isOf("w2")).isFalse();
        assertThat(reserved.job()).contains("job");
        assertThat(reserved.worker()).contains("w1");
        assertThat(reserved.hold("w2", "job")).isTrue();
        assertThat(reserved.hold("w2", "another")).isTrue();

        reserved.end();
        assertThat(reserved.job()).isEmpty();
        assertThat(reserved.worker()).isEmpty();
    }
}
