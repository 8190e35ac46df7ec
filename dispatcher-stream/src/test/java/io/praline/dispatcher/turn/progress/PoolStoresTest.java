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
