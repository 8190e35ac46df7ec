package io.praline.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.ConsumerRow.Former;
import io.praline.dispatcher.ledger.GroupRow.Held;
import io.praline.dispatcher.ledger.JobRow.LocalTarget;
import io.praline.dispatcher.ledger.JobRow.Planning;
import io.praline.dispatcher.ledger.JobRow.Standing;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.PointMeasure;
import io.praline.policy.caching.course.CacheState;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.Variant;
import io.praline.policy.ordering.plan.Proof;
import io.praline.schema.ConsumerState;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is read from a row is what was written to it, and where an older dispatcher's row ends, what it knew. */
class RowsReadBackTest {
    private static final Instant AT = Instant.ofEpochMilli(1_234_567);
    private static final Place PLACE = new Place("w1", "i1", "h1", List.of("tcp://h1:1", "tcp://h1:2"), true);
    private static final Variant VARIANT =
            new Variant("d1", List.of("map before shuffle"), Proof.TOLERANT, 1e-6, 2, 1.5);
    private static final CachePoint FIRST = new CachePoint(0, "source", "p0");
    private static final CachePoint SECOND = new CachePoint(3, "map", "p3");

    /** Without its last bytes, as a dispatcher wrote it that knew less. */
    private static byte[] without(byte[] row, int bytes) {
        return Arrays.copyOf(row, row.length - bytes);
    }

    @Test
    void aWorker() {
        WorkerRow bound = new WorkerRow(PLACE, 4, true, Optional.of("job"), AT, List.of("i0"));
        WorkerRow free = new WorkerRow(PLACE, 2, false, Optional.empty(), AT, List.of());

        assertThat(WorkerRow.decode(bound.encode())).isEqualTo(bound);
        assertThat(WorkerRow.decode(free.encode())).isEqualTo(free);
        // the number of those that were replaced takes one byte
        assertThat(WorkerRow.decode(without(free.encode(), 1))).isEqualTo(free);
    }

    @Test
    void aWorkerKeepsTheNewestSixteenProcessesThatItReplaced() {
        List<String> all = IntStream.range(0, 20).mapToObj(each -> "i" + each).toList();

        assertThat(new WorkerRow(PLACE, 1, false, Optional.empty(), AT, all).replaced())
                .isEqualTo(all.subList(4, 20));
    }

    @Test
    void aPool() {
        PoolRow row = PoolRow.NEW.withTarget(7).withJournal(300).withMost(9);

        assertThat(row).isEqualTo(new PoolRow(7, 300, 9));
        assertThat(PoolRow.decode(row.encode())).isEqualTo(row);
        assertThat(PoolRow.decode(without(row.encode(), 1))).isEqualTo(new PoolRow(7, 300, 0));
    }

    @Test
    void aTenant() {
        TenantRow row = TenantRow.NEW.withCap(12.5).plus(2).plus(0.25).withLastJob(AT);

        assertThat(row).isEqualTo(new TenantRow(12.5, 2.25, Optional.of(AT)));
        assertThat(TenantRow.decode(row.encode())).isEqualTo(row);
        assertThat(TenantRow.decode(TenantRow.NEW.encode())).isEqualTo(TenantRow.NEW);
        assertThat(row.capped()).isTrue();
        assertThat(TenantRow.NEW.capped()).isFalse();
    }

    @Test
    void aPastJob() {
        PastRow row = new PastRow(AT, Optional.of("h1"), "default", List.of("g1", "g2"));
        PastRow alone = new PastRow(AT, Optional.empty(), "", List.of());

        assertThat(PastRow.decode(row.encode())).isEqualTo(row);
        assertThat(PastRow.decode(alone.encode())).isEqualTo(alone);
        assertThat(PastRow.decode(without(alone.encode(), 2))).isEqualTo(alone);
    }

    @Test
    void anOrder() {
        OrderState changed = new OrderState(
                OrderState.Phase.CHANGED, 3, AT, 1, 2, Optional.of(VARIANT), 5, 10.5, 21, "it is better");
        OrderRow row = new OrderRow(changed, Optional.of(PLACE), List.of("d1", "d2"));
        OrderRow waiting = new OrderRow(OrderState.waiting(AT), Optional.empty(), List.of());

        assertThat(OrderRow.decode(row.encode())).isEqualTo(row);
        assertThat(OrderRow.decode(waiting.encode())).isEqualTo(waiting);
        assertThat(OrderRow.decode(without(waiting.encode(), 1))).isEqualTo(waiting);
    }

    @Test
    void aProvedOrder() {
        CachePoints points = new CachePoints(List.of(FIRST, SECOND), "a shuffle");
        ProvedRow row = new ProvedRow(
                VARIANT, points, "job", AT, OptionalLong.of(17), new CachePoints(List.of(FIRST), "a filter"));
        ProvedRow unseeded = new ProvedRow(VARIANT, points, "job", AT, OptionalLong.empty(), CachePoints.NONE);

        assertThat(ProvedRow.decode(row.encode())).isEqualTo(row);
        assertThat(ProvedRow.decode(unseeded.encode())).isEqualTo(unseeded);
        // no points: two bytes; that there is no seed: one
        assertThat(ProvedRow.decode(without(unseeded.encode(), 2))).isEqualTo(unseeded);
        assertThat(ProvedRow.decode(without(unseeded.encode(), 3))).isEqualTo(unseeded);
    }

    @Test
    void theCacheOfAJob() {
        CacheState state = new CacheState(
                CacheState.Phase.USING,
                AT,
                true,
                2,
                Optional.of(AT.plusSeconds(1)),
                3,
                4,
                5,
                List.of(FIRST, SECOND),
                "a shuffle",
                List.of(new PointMeasure(0, 1, 2, 3, 4), new PointMeasure(3, 5, 6, 7, 8)),
                9.5,
                new TreeMap<>(Map.of("p0", 0.25, "p3", 0.5)),
                Optional.of(SECOND),
                true,
                1.5,
                100,
                150,
                "it pays");
        CacheRow row = new CacheRow(state, Optional.of(PLACE), 1.25, 77, true);
        CacheRow waiting = new CacheRow(CacheState.waiting(AT), Optional.empty(), 1, 0, false);

        assertThat(CacheRow.decode(row.encode())).isEqualTo(row);
        assertThat(CacheRow.decode(waiting.encode())).isEqualTo(waiting);
        assertThat(CacheRow.decode(without(waiting.encode(), 1))).isEqualTo(waiting);
        assertThat(CacheRow.decode(without(row.encode(), 1))).isEqualTo(row.withDoubted(false));
        assertThat(row.withTold(3)).isEqualTo(new CacheRow(state, Optional.of(PLACE), 3, 77, true));
        assertThat(row.withHits(78)).isEqualTo(new CacheRow(state, Optional.of(PLACE), 1.25, 78, true));
    }

    @Test
    void aGroupOfEntries() {
        GroupRow row = new GroupRow(
                "map",
                1,
                2,
                3,
                4,
                5,
                AT,
                true,
                false,
                new TreeMap<>(Map.of("s1", new Held(6, 7), "s2", new Held(8, 9))),
                10);
        GroupRow dropped = GroupRow.NEW.withDropped(true).withUsesPerHour(0.5);

        assertThat(GroupRow.decode(row.encode())).isEqualTo(row);
        assertThat(GroupRow.decode(dropped.encode())).isEqualTo(dropped);
        assertThat(GroupRow.decode(without(dropped.encode(), Double.BYTES))).isEqualTo(dropped);
    }

    @Test
    void aConsumer() {
        ConsumerRow row = new ConsumerRow(
                5,
                ConsumerState.LEFT,
                AT,
                "c5",
                "h1",
                12,
                List.of(new Former(3, "c3", 4, true, AT.plusSeconds(1)), new Former(4, "c4", -1, false, AT)),
                List.of(1, 2),
                true,
                List.of("c1", "c2"));
        ConsumerRow first = ConsumerRow.expected(2, AT);

        assertThat(ConsumerRow.decode(0, row.encode())).isEqualTo(row);
        assertThat(ConsumerRow.decode(0, first.encode())).isEqualTo(first);
        // none ceased, not finished, none succeeded: a byte each
        for (int less = 1; less <= 3; less++) {
            assertThat(ConsumerRow.decode(0, without(first.encode(), less))).isEqualTo(first);
        }
    }

    @Test
    void aConsumerOfADispatcherThatKnewNoGenerations() {
        byte[] here =
                new RowWriter().text("c0").text("h1").number(8).flag(false).bytes();
        byte[] away = new RowWriter().text("c0").text("h1").number(0).flag(true).bytes();

        assertThat(ConsumerRow.decode(1, here))
                .isEqualTo(new ConsumerRow(
                        1, ConsumerState.HERE, Instant.EPOCH, "c0", "h1", 7, List.of(), List.of(), false, List.of()));
        assertThat(ConsumerRow.decode(1, away))
                .isEqualTo(new ConsumerRow(
                        1,
                        ConsumerState.IN_DOUBT,
                        Instant.EPOCH,
                        "c0",
                        "h1",
                        -1,
                        List.of(),
                        List.of(),
                        false,
                        List.of()));
    }

    private static JobRow job() {
        JobRow row = new JobRow(
                AT, Standing.ended(JobState.FAILED, "its data are bad", FailureKind.REFUSED, AT.plusSeconds(9)));
        row.planning(new Planning(2, Optional.of(PLACE), 3, 2_500, 2, true));
        row.localTarget(new LocalTarget(Optional.of("h1"), 2));
        row.paused(true);
        row.addBad(6);
        row.nextJournal();
        row.nextJournal();
        row.servedSince(AT.plusSeconds(3));
        row.dropShadow();
        row.mintGeneration(2);
        row.nextMembership();
        row.addGivenUp("c1 is gone");
        row.engineFailed(AT, Duration.ofHours(1));
        row.engineFailed(AT.plusSeconds(1), Duration.ofHours(1));
        row.plannerLost(AT, Duration.ofHours(1));
        return row;
    }

    @Test
    void aJob() {
        JobRow row = JobRow.decode(job().encode());

        assertThat(row.encode()).isEqualTo(job().encode());
        assertThat(row.submittedAt()).isEqualTo(AT);
        assertThat(row.standing()).isEqualTo(job().standing());
        assertThat(row.planning()).isEqualTo(job().planning());
        assertThat(row.localTarget()).isEqualTo(job().localTarget());
        assertThat(row.paused()).isTrue();
        assertThat(row.bad()).isEqualTo(6);
        assertThat(row.nextJournal()).isEqualTo(2);
        assertThat(row.servedSince()).isEqualTo(AT.plusSeconds(3));
        assertThat(row.shadowDropped()).isTrue();
        assertThat(row.mintGeneration(2)).isEqualTo(3);
        assertThat(row.membership()).isEqualTo(2);
        assertThat(row.givenUp()).containsExactly("c1 is gone");
        assertThat(row.engineFailed(AT.plusSeconds(2), Duration.ofHours(1))).isEqualTo(3);
        assertThat(row.plannerLost(AT.plusSeconds(2), Duration.ofHours(1))).isEqualTo(2);
    }

    // neither failed engines nor lost planners: a byte each; before, three numbers of a byte, and whether a shadow
    // broke
    @Test
    void aJobOfAnOlderDispatcher() {
        JobRow fresh = new JobRow(AT, Standing.at(JobState.PLANNING, AT));
        for (int less : new int[] {1, 2, 5, 6}) {
            JobRow read = JobRow.decode(without(fresh.encode(), less));
            assertThat(read.encode()).as("%d bytes less", less).isEqualTo(fresh.encode());
        }
    }
}
