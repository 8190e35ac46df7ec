package io.praline.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.GroupRow.Held;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class GroupRowTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000_000);

    // 3 + 1 entries of 60 + 40 bytes
    private final GroupRow row = GroupRow.NEW.holding("s1", new Held(3, 60)).holding("s2", new Held(1, 40));

    @Test
    void entriesOfAllStoresAreAddedUp() {
        assertThat(row.entries()).isEqualTo(4);
        assertThat(row.bytes()).isEqualTo(100);
        assertThat(row.entryBytes()).isEqualTo(25);
        assertThat(row.isEmpty()).isFalse();
        assertThat(row.bytesIn("s2")).isEqualTo(40);
        assertThat(row.bytesIn("s3")).isZero();
    }

    @Test
    void aStoreThatIsGoneHoldsNothing() {
        assertThat(row.without("s1")).isEqualTo(GroupRow.NEW.holding("s2", new Held(1, 40)));
        assertThat(row.without("s1").without("s2")).isEqualTo(GroupRow.NEW);
        assertThat(GroupRow.NEW.isEmpty()).isTrue();
        assertThat(GroupRow.NEW.entryBytes()).isZero();
    }

    @Test
    void itIsIdleSinceItsLastUse() {
        GroupRow used = row.used(1, AT);

        assertThat(used.idle(AT.plusSeconds(7))).isEqualTo(Duration.ofSeconds(7));
        assertThat(used.idle(AT.minusSeconds(1))).isZero();
        assertThat(row.idle(AT)).isZero();
    }

    // 5 records of 20 ns, and 2 of 20
    @Test
    void whatReadingSavedAddsUp() {
        GroupRow described = row.described("map", 20, 30, 40, 0.5, AT);

        GroupRow used = described.used(5, AT.plusSeconds(1)).used(2, AT.plusSeconds(2));
        assertThat(used)
                .isEqualTo(new GroupRow("map", 20, 30, 40, 0, 140, AT.plusSeconds(2), false, false, row.stores(), 0.5));
    }

    @Test
    void whatIsPinnedStaysOtherwiseAsItIs() {
        GroupRow used = row.used(1, AT).withUsesPerHour(2);

        assertThat(used.withPinned(true)).isEqualTo(new GroupRow("", 0, 0, 0, 2, 0, AT, true, false, row.stores(), 0));
        assertThat(used.withDropped(true).withPinned(true).withDropped(false)).isEqualTo(used.withPinned(true));
    }

    @Test
    void namesAreOrderedByTenantAndMayHoldSlashes() {
        GroupName slashed = new GroupName("a/b", "p");

        assertThat(GroupName.of(slashed.toString())).isEqualTo(slashed);
        assertThat(slashed).isGreaterThan(new GroupName("a", "q"));
        assertThat(new GroupName("a", "q")).isGreaterThan(new GroupName("a", "p"));
        assertThat(slashed).isEqualByComparingTo(new GroupName("a/b", "p"));
    }
}
