package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.GroupName;
import io.praline.schema.CacheGroup;
import io.praline.schema.CacheReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolStoresTest {
    private static final GroupName GROUP = new GroupName("tenant", "abc");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PoolStores stores = new PoolStores();

    private void tells(String worker, int entries, Instant at) {
        stores.told(
                worker,
                new CacheReport(
                        "shared",
                        true,
                        1000L,
                        10L * entries,
                        "",
                        List.of(new CacheGroup("tenant", "abc", (long) entries, 10L * entries))),
                at);
    }

    @Test
    void whatOneWorkerTookAwayDoesNotComeAndGoWhileTheOthersHaveNotLooked() {
        tells("a", 8, START);
        tells("b", 8, START);
        tells("a", 0, START.plusSeconds(1));
        assertThat(stores.group(GROUP).entries()).isEqualTo(8);
        tells("b", 8, START.plusSeconds(2));
        tells("a", 0, START.plusSeconds(3));
        assertThat(stores.group(GROUP).entries()).isEqualTo(8);
        tells("b", 0, START.plusSeconds(4));
        assertThat(stores.group(GROUP).isEmpty()).isTrue();
        tells("b", 1, START.plusSeconds(5));
        assertThat(stores.group(GROUP).entries()).isEqualTo(1);
    }

    private boolean tells(String worker, long budget, String failure) {
        return stores.told(worker, new CacheReport("shared", true, budget, 0L, failure, List.of()), START);
    }

    // each worker takes a tenth of what was free when it began: what the last one said would go up and down with each
    // beat
    @Test
    void ofThoseThatShareAStoreWhoeverAllowsItLeastSaysHowMuchItMayHold() {
        assertThat(tells("a", 1000, "")).isTrue();
        assertThat(tells("b", 400, "")).isTrue();
        for (int beat = 0; beat < 3; beat++) {
            assertThat(tells("a", 1000, "")).isFalse();
            assertThat(stores.room()).isEqualTo(400);
            assertThat(tells("b", 400, "")).isFalse();
            assertThat(stores.room()).isEqualTo(400);
        }
        stores.told("b", new CacheReport("", false, 0L, 0L, "gone", List.of()), START);
        assertThat(stores.room()).isEqualTo(1000);
    }

    // sixteen of them are 2^64 bytes
    @Test
    void theRoomOfAnyNumberOfStoresIsANumber() {
        for (int worker = 0; worker < 16; worker++) {
            stores.told("w" + worker, new CacheReport("store " + worker, false, 1L << 60, 0L, "", List.of()), START);
        }
        assertThat(stores.room()).isGreaterThanOrEqualTo(1L << 60);
    }

    @Test
    void aStoreThatOneOfItsWorkersCannotWriteIsThereForTheOthers() {
        tells("a", 1000, "");
        tells("b", 400, "it cannot be written");
        assertThat(stores.room()).isEqualTo(1000);
        assertThat(stores.stores().get("shared").failure()).isEmpty();
        assertThat(stores.failures()).containsExactly("it cannot be written");
        tells("a", 1000, "it is full");
        assertThat(stores.room()).isZero();
        assertThat(stores.stores().get("shared").failure()).isEqualTo("it is full");
    }

    @Test
    void aWorkerOfWhichNothingIsHeardAnyMoreSeesNothing() {
        tells("a", 8, START);
        tells("b", 8, START);
        Instant later = START.plus(Duration.ofMinutes(1));
        tells("a", 8, later);
        stores.silent(later);
        tells("a", 0, later);
        assertThat(stores.group(GROUP).isEmpty()).isTrue();
    }
}
