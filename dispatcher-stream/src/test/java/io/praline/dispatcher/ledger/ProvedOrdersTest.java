package io.praline.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.ordering.course.Variant;
import io.praline.policy.ordering.plan.Proof;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProvedOrdersTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000_000);
    private static final CachePoints POINTS = new CachePoints(List.of(new CachePoint(0, "source", "p0")), "");
    private static final CachePoints OTHERS = new CachePoints(List.of(new CachePoint(0, "source", "p1")), "a shuffle");

    private final Ledger ledger = new Ledger(new MapRows());
    private final ProvedOrders proved = ledger.proved("default");

    private static ProvedRow row(String digest, long second) {
        return new ProvedRow(
                new Variant(digest, List.of(), Proof.EXACT, 0, 2, 2),
                POINTS,
                "job",
                AT.plusSeconds(second),
                OptionalLong.of(5),
                OTHERS);
    }

    @Test
    void whatIsSavedIsThereUntilItIsDropped() {
        proved.save("pipeline", row("d", 0));

        assertThat(proved.of("pipeline")).contains(row("d", 0));
        assertThat(proved.digests()).containsExactly("d");
        assertThat(ledger.proved("another").of("pipeline")).isEmpty();

        proved.drop("pipeline");
        assertThat(proved.of("pipeline")).isEmpty();
    }

    // 202 of which 200 stay: the two that were shown first go, whatever they are called
    @Test
    void theOldestGo() {
        for (int each = 0; each < ProvedOrders.MOST; each++) {
            proved.save("p" + each, row("d" + each, 1_000 - each));
        }
        assertThat(proved.dropOld()).isEmpty();

        proved.save("new", row("e", 2_000));
        proved.save("newer", row("f", 3_000));
        assertThat(proved.dropOld()).containsExactly("d199", "d198");
        assertThat(proved.digests())
                .hasSize(ProvedOrders.MOST)
                .contains("e", "f")
                .doesNotContain("d199", "d198");
    }

    @Test
    void allOfAPoolGoTogether() {
        proved.save("p1", row("d1", 2));
        proved.save("p2", row("d2", 1));
        ledger.proved("another").save("p1", row("d3", 1));

        assertThat(proved.dropAll()).containsExactly("d2", "d1");
        assertThat(proved.digests()).isEmpty();
        assertThat(ledger.proved("another").digests()).containsExactly("d3");
    }

    @Test
    void pointsAreAnothersWhereTheSeedsAreTheSameOrNothingFollowsFromThem() {
        ProvedRow row = row("d", 0);
        ProvedRow unseeded = new ProvedRow(row.variant(), POINTS, "job", AT, OptionalLong.empty(), OTHERS);

        assertThat(row.isOf(5)).isTrue();
        assertThat(row.isOf(6)).isFalse();
        assertThat(unseeded.isOf(5)).isFalse();
        assertThat(row.pointsOf(OTHERS)).isEqualTo(POINTS);
        assertThat(row.pointsOf(new CachePoints(OTHERS.points(), "a filter"))).isEqualTo(POINTS);
        assertThat(row.pointsOf(POINTS))
                .isEqualTo(new CachePoints(List.of(), "a worker is to say where, by the job's own seed"));
        assertThat(unseeded.pointsOf(POINTS)).isEqualTo(POINTS);
        assertThat(row.by("next", AT.plusSeconds(9)))
                .isEqualTo(new ProvedRow(row.variant(), POINTS, "next", AT.plusSeconds(9), OptionalLong.of(5), OTHERS));
    }
}
