package io.praline.dispatcher.turn.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.CacheRecords.Share;
import io.praline.dispatcher.ledger.GroupName;
import io.praline.dispatcher.ledger.row.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StoreTargetsTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final GroupName ONE = new GroupName("tenant", "p1");
    private static final GroupName TWO = new GroupName("tenant", "p2");

    private final StoreTargets targets = new StoreTargets();

    private static Place place(String incarnation) {
        return new Place("w1", incarnation, "h1", List.of("tcp://h1:1"), false);
    }

    private static Share bytes(long bytes) {
        return new Share(bytes, false);
    }

    private static SortedMap<GroupName, Share> shares(Map<GroupName, Share> some) {
        return new TreeMap<>(some);
    }

    private SortedMap<GroupName, Share> wanted(Map<GroupName, Share> some) {
        return targets.wanted("s1", shares(some), 1_000);
    }

    @Test
    void storesAreDividedWhenThatIsDueAndWheneverSoMuchTimeHasPassed() {
        assertThat(targets.divisionDue(AT, MINUTE)).isTrue();
        assertThat(targets.divisionDue(AT.plusSeconds(59), MINUTE)).isFalse();
        targets.due();
        assertThat(targets.isDue()).isTrue();
        assertThat(targets.divisionDue(AT.plusSeconds(59), MINUTE)).isTrue();
        assertThat(targets.isDue()).isFalse();
        assertThat(targets.divisionDue(AT.plusSeconds(118), MINUTE)).isFalse();
        assertThat(targets.divisionDue(AT.plusSeconds(119), MINUTE)).isTrue();
    }

    @Test
    void whatWasReadIsWrittenDownOnceInATime() {
        assertThat(targets.usesDue(AT, MINUTE)).isTrue();
        assertThat(targets.usesDue(AT.plusSeconds(59), MINUTE)).isFalse();
        assertThat(targets.usesDue(AT.plusSeconds(60), MINUTE)).isTrue();
        assertThat(targets.usesDue(AT.plusSeconds(61), MINUTE)).isFalse();
    }

    // of 1,000 bytes of the store 20 more or less are no news
    @Test
    void sharesThatDifferByLittleStayAsTheyWere() {
        assertThat(wanted(Map.of(ONE, bytes(500)))).isEqualTo(Map.of(ONE, bytes(500)));
        assertThat(wanted(Map.of(ONE, bytes(520)))).isEmpty();
        // held against what was told, not against what was wanted last
        assertThat(wanted(Map.of(ONE, bytes(480)))).isEmpty();
        assertThat(wanted(Map.of(ONE, bytes(521)))).isEqualTo(Map.of(ONE, bytes(521)));
        assertThat(wanted(Map.of(ONE, new Share(521, true)))).isEqualTo(Map.of(ONE, new Share(521, true)));
        assertThat(wanted(Map.of(ONE, new Share(521, true), TWO, bytes(5)))).isEqualTo(Map.of(TWO, bytes(5)));
        assertThat(wanted(Map.of(ONE, new Share(521, true), TWO, bytes(0)))).isEqualTo(Map.of(TWO, bytes(0)));
        assertThat(targets.wanted("s2", shares(Map.of(ONE, bytes(500))), 1_000)).hasSize(1);
    }

    @Test
    void aWorkerIsToldWhatItDoesNotKnow() {
        assertThat(targets.untold("s1", place("i1"), AT)).isEmpty();
        wanted(Map.of(ONE, bytes(500)));
        assertThat(targets.untold("s1", place("i1"), AT)).contains(shares(Map.of(ONE, bytes(500))));
        assertThat(targets.untold("s1", place("i1"), AT.plusSeconds(29))).isEmpty();
        assertThat(targets.untold("s1", place("i1"), AT.plusSeconds(30))).contains(shares(Map.of(ONE, bytes(500))));
        assertThat(targets.untold("s1", place("i2"), AT.plusSeconds(31))).contains(shares(Map.of(ONE, bytes(500))));
        targets.forget("w1");
        assertThat(targets.untold("s1", place("i2"), AT.plusSeconds(31))).isPresent();
    }

    @Test
    void otherSharesAreToldTwoSecondsLaterAndNewGroupsAtOnce() {
        wanted(Map.of(ONE, bytes(500)));
        targets.untold("s1", place("i1"), AT);
        wanted(Map.of(ONE, bytes(700)));
        assertThat(targets.untold("s1", place("i1"), AT.plusMillis(1_999))).isEmpty();
        assertThat(targets.untold("s1", place("i1"), AT.plusSeconds(2))).contains(shares(Map.of(ONE, bytes(700))));

        wanted(Map.of(ONE, bytes(700), TWO, bytes(100)));
        assertThat(targets.untold("s1", place("i1"), AT.plusMillis(2_001)))
                .contains(shares(Map.of(ONE, bytes(700), TWO, bytes(100))));
        wanted(Map.of());
        assertThat(targets.untold("s1", place("i1"), AT.plusMillis(2_002))).isEmpty();
        assertThat(targets.untold("s1", place("i1"), AT.plusSeconds(5))).contains(shares(Map.of()));
        assertThat(targets.untold("s1", place("i1"), AT.plusSeconds(60))).isEmpty();
    }

    @Test
    void ofStoresThatAreGoneNothingIsRemembered() {
        wanted(Map.of(ONE, bytes(500)));
        targets.only(Set.of("s1"));
        assertThat(wanted(Map.of(ONE, bytes(500)))).isEmpty();

        targets.only(Set.of("s2"));
        assertThat(wanted(Map.of(ONE, bytes(500)))).hasSize(1);
    }
}
