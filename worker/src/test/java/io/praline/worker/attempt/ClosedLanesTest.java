package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.TicketRuns;
import io.praline.schema.ClosedLane;
import io.praline.schema.ConsumerLane;
import io.praline.schema.Guarantee;
import io.praline.schema.StartAttempt;
import io.praline.worker.delivery.LaneClosed;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.Membership.Place;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.Roaring64NavigableMap;

class ClosedLanesTest {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private static Roaring64NavigableMap upTo(long end) {
        Roaring64NavigableMap tickets = new Roaring64NavigableMap();
        tickets.addRange(0, end);
        return tickets;
    }

    private static ByteBuffer runs(long from, long end) {
        return ByteBuffer.wrap(TicketRuns.encode(LongStream.range(from, end).toArray()));
    }

    @Test
    void aLargeLaneIsToldInPiecesOfWhichTheLastSaysThatItIs() {
        assertThat(ClosedLanes.pieces(new LaneClosed(2, 9, upTo(45_000), upTo(3))))
                .containsExactly(
                        new ClosedLane(2, 9, runs(0, 20_000), NONE, false),
                        new ClosedLane(2, 9, runs(20_000, 40_000), NONE, false),
                        new ClosedLane(2, 9, runs(40_000, 45_000), NONE, false),
                        new ClosedLane(2, 9, NONE, runs(0, 3), true));
    }

    @Test
    void aLaneOnWhichNothingWentIsToldToo() {
        assertThat(ClosedLanes.pieces(new LaneClosed(2, 9, new Roaring64NavigableMap(), new Roaring64NavigableMap())))
                .containsExactly(new ClosedLane(2, 9, NONE, NONE, true));
    }

    private static StartAttempt start(int consumers, int membership, List<ConsumerLane> lanes) {
        return StartAttempt.newBuilder()
                .setJob("j")
                .setEpoch(0)
                .setAttempt(0)
                .setPlan(1)
                .setPipelineDigest("d")
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setSeed(7)
                .setConsumers(consumers)
                .setComponentNames(List.of())
                .setOrder(List.of())
                .setSkipBad(0)
                .setBatchLimitBytes(0)
                .setThreads(0)
                .setRamBytes(0)
                .setMembership(membership)
                .setLanes(new ArrayList<>(lanes))
                .build();
    }

    @Test
    void aStartSaysWhoIsThere() {
        assertThat(Attempts.membership(
                        start(2, 6, List.of(new ConsumerLane(0, 4, true), new ConsumerLane(1, 1, false)))))
                .isEqualTo(new Membership(6, List.of(new Place(0, 4, true), new Place(1, 1, false))));
    }

    @Test
    void ofAnOlderDispatcherAllConsumersAreThere() {
        assertThat(Attempts.membership(start(2, 0, List.of())))
                .isEqualTo(new Membership(0, List.of(new Place(0, 0, true), new Place(1, 1, true))));
    }
}
