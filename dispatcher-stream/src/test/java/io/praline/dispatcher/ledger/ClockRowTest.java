package io.praline.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.row.RowWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The dispatcher's time stands while nobody can write; what it was for people is known all the same. */
class ClockRowTest {
    private static final Instant EVENING = Instant.parse("2026-11-24T18:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static ClockRow passed(ClockRow row, Duration gap) {
        Duration step = gap.compareTo(Duration.ofSeconds(2)) > 0 ? Duration.ofSeconds(2) : gap;
        return row.after(step, row.stamp().plus(gap));
    }

    @Test
    void aClusterThatWasDownForANightTellsBothDaysAsTheyWere() {
        ClockRow evening = ClockRow.at(EVENING);
        for (int i = 0; i < 5; i++) {
            evening = passed(evening, SECOND);
        }
        ClockRow morning = passed(ClockRow.decode(evening.encode()), Duration.ofHours(14));
        assertThat(morning.time()).isEqualTo(EVENING.plusSeconds(7));
        assertThat(morning.wall(morning.time()))
                .isEqualTo(EVENING.plusSeconds(5).plus(Duration.ofHours(14)));
        assertThat(morning.wall(EVENING.plusSeconds(5))).isEqualTo(EVENING.plusSeconds(5));
        assertThat(passed(morning, SECOND).shifts()).hasSize(1);
    }

    @Property
    void eachMomentIsToldAsItsStampWas(@ForAll @Size(max = 60) List<@IntRange(min = 100, max = 100_000) Integer> gaps) {
        ClockRow row = ClockRow.at(EVENING);
        Map<Instant, Instant> was = new LinkedHashMap<>();
        for (int gap : gaps) {
            row = passed(row, Duration.ofMillis(gap));
            was.put(row.time(), row.stamp());
        }
        ClockRow now = ClockRow.decode(row.encode());
        assertThat(now).isEqualTo(row);
        was.forEach((time, stamp) -> assertThat(
                        Duration.between(now.wall(time), stamp).abs())
                .as("%s", time)
                .isLessThan(SECOND));
    }

    @Test
    void ofManyShiftsTheLargeOnesAreKept() {
        ClockRow row = passed(passed(ClockRow.at(EVENING), SECOND), Duration.ofHours(14));
        for (int i = 0; i < 500; i++) {
            row = passed(row, Duration.ofSeconds(4));
        }
        assertThat(row.shifts()).hasSize(64);
        assertThat(row.wall(row.time())).isEqualTo(row.stamp());
        assertThat(row.wall(EVENING)).isEqualTo(EVENING);
        assertThat(row.wall(EVENING.plusSeconds(3)))
                .isEqualTo(EVENING.plusSeconds(1).plus(Duration.ofHours(14)));
    }

    @Test
    void whereAClockIsSetBackPeoplesTimeFollowsIt() {
        ClockRow row = ClockRow.at(EVENING).after(Duration.ZERO, EVENING.minusSeconds(3_600));
        row = passed(row, SECOND);
        assertThat(row.wall(row.time())).isEqualTo(EVENING.minusSeconds(3_599));
    }

    @Test
    void theRowOfAnOlderDispatcherTellsWhatTimeItIsNow() {
        Instant stamp = EVENING.plusSeconds(900);
        byte[] old = new RowWriter()
                .number(EVENING.toEpochMilli())
                .number(stamp.toEpochMilli())
                .bytes();
        assertThat(ClockRow.decode(old).wall(EVENING)).isEqualTo(stamp);
    }
}
