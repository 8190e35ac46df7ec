package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.ledger.epoch.AttemptRow.End;
import io.praline.dispatcher.ledger.epoch.AttemptRow.Fence;
import io.praline.dispatcher.ledger.epoch.AttemptRow.Finish;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class AttemptRowTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000_000);
    private static final AttemptGraph READS = new AttemptGraph("v1", Optional.of(new CacheUse(2, "p2", true)));

    private final AttemptRow row = new AttemptRow(AttemptGraph.AS_WRITTEN);

    private static End end(long elements, Map<Integer, Long> last) {
        return new End(new TreeMap<>(last), elements);
    }

    @Test
    void itGoesFromTakingToItsEnd() {
        assertThat(row.state()).isEqualTo(State.TAKING);
        assertThat(row.takesWork()).isTrue();
        assertThat(row.draining()).isFalse();

        row.finish(new Finish(true, false));
        assertThat(row.state()).isEqualTo(State.DRAINING);
        assertThat(row.takesWork()).isFalse();
        assertThat(row.draining()).isTrue();

        row.end(end(3, Map.of(0, 1L)));
        assertThat(row.state()).isEqualTo(State.ENDED);
        assertThat(row.draining()).isFalse();

        row.fence(new Fence("lost", AT));
        assertThat(row.state()).isEqualTo(State.FENCED);
        assertThat(row.draining()).isFalse();
    }

    @Test
    void whoIsFencedOrEndedTakesNoWork() {
        row.end(end(0, Map.of()));
        AttemptRow fenced = new AttemptRow(AttemptGraph.AS_WRITTEN);
        fenced.fence(new Fence("lost", AT));
        fenced.finish(new Finish(false, false));

        assertThat(row.takesWork()).isFalse();
        assertThat(fenced.takesWork()).isFalse();
        assertThat(fenced.draining()).isFalse();
    }

    @Test
    void assignmentsAreOutstandingUntilTheWorkerHasThem() {
        assertThat(row.assign(List.of(4L, 5L), Map.of())).isEqualTo(1);
        assertThat(row.assign(List.of(6L), Map.of(6L, RoaringBitmap.bitmapOf(1, 2))))
                .isEqualTo(2);
        assertThat(row.assignment()).isEqualTo(2);
        assertThat(row.untaken()).isEqualTo(Map.of(1, List.of(4L, 5L), 2, List.of(6L)));
        assertThat(row.untakenSplits()).isEqualTo(3);
        assertThat(row.untakenSkip(2, 6)).contains(RoaringBitmap.bitmapOf(1, 2));
        assertThat(row.untakenSkip(1, 4)).isEmpty();
        assertThat(row.untakenSkipBytes())
                .isEqualTo(RoaringBitmap.bitmapOf(1, 2).serializedSizeInBytes());

        assertThat(row.taken(1)).isTrue();
        assertThat(row.taken(1)).isFalse();
        assertThat(row.untaken()).containsOnlyKeys(2);
        assertThat(row.untakenSkip(2, 6)).isPresent();
        assertThat(row.taken(2)).isTrue();
        assertThat(row.untakenSkip(2, 6)).isEmpty();
        assertThat(row.untakenSkipBytes()).isZero();
    }

    @Test
    void whatAnAssignmentSaidToSkipIsKeptOnce() {
        row.assign(List.of(4L), Map.of());
        row.assign(List.of(5L), Map.of());
        row.pinSkip(4, () -> RoaringBitmap.bitmapOf(1));
        row.pinSkip(4, () -> RoaringBitmap.bitmapOf(2));

        assertThat(row.untakenSkip(1, 4)).contains(RoaringBitmap.bitmapOf(1));
        assertThat(row.untakenSkip(2, 4)).isEmpty();
    }

    @Test
    void itOwesNoLessThanNoSplit() {
        row.addOpenSplits(2);
        row.addOpenSplits(-2);

        assertThat(row.openSplits()).isZero();
        assertThatThrownBy(() -> row.addOpenSplits(-1)).hasMessage("an attempt must not owe less than no split");
    }

    // the last of each generation is acknowledged, and as many elements as it made
    @Test
    void allIsAcknowledgedOnceSequencesAndElementsAre() {
        assertThat(row.allAcked()).isFalse();
        row.end(end(10, Map.of(0, 1L, 1, -1L)));
        row.acked(0, 1, 6);
        row.acked(0, 0, 3);
        assertThat(row.allAcked()).isFalse();

        row.acked(0, 0, 1);
        assertThat(row.allAcked()).isTrue();
    }

    @Test
    void elementsWithoutTheLastSequenceAreNotAll() {
        row.end(end(10, Map.of(0, 1L, 1, 0L)));
        row.acked(0, 1, 10);
        assertThat(row.allAcked()).isFalse();

        row.acked(1, 0, 0);
        assertThat(row.allAcked()).isTrue();
    }

    @Test
    void whereAllGenerationsHandedOverTheNumberOfElementsDoesNotMatter() {
        row.end(end(10, Map.of(0, 1L, 1, -1L)));
        row.acked(0, 1, 9);
        row.handOver(0);
        assertThat(row.allAcked()).isFalse();

        row.handOver(1);
        assertThat(row.allAcked()).isTrue();
    }

    @Test
    void allIsHandedOverByThoseForWhomSomethingWasMadeAndWhoseLanesAreOpen() {
        assertThat(row.allHandedOver()).isFalse();
        row.end(end(10, Map.of(0, 0L, 1, -1L, 2, 4L)));
        assertThat(row.allHandedOver()).isFalse();
        row.handOver(0);
        assertThat(row.allHandedOver()).isFalse();

        row.close(2);
        assertThat(row.allHandedOver()).isTrue();
    }

    @Test
    void whatLoopsTookIsCountedWhereItReadsEntries() {
        AttemptRow reads = new AttemptRow(READS);
        assertThat(reads.took(0)).isFalse();
        assertThat(reads.took(3)).isTrue();
        assertThat(reads.took(4)).isTrue();
        assertThat(reads.taken()).isEqualTo(7);

        assertThat(row.took(3)).isFalse();
        assertThat(row.taken()).isZero();
    }

    @Test
    void whomItServesIsToldFromNowOn() {
        assertThat(row.serve(List.of(0, 1))).isTrue();
        assertThat(row.serve(List.of(1))).isFalse();
        assertThat(row.lanes()).containsExactly(0, 1);
        assertThat(row.servesUntold()).isFalse();
        assertThat(new AttemptRow(READS).servesUntold()).isFalse();
    }

    private static AttemptRow full() {
        AttemptRow full = new AttemptRow(READS);
        full.assign(List.of(4L, 5L), Map.of(4L, RoaringBitmap.bitmapOf(1, 2)));
        full.assign(List.of(6L), Map.of());
        full.addOpenSplits(3);
        full.facts(7);
        full.serve(List.of(0, 1, 2));
        full.close(2);
        full.answer(1);
        full.handOver(0);
        full.acked(0, 5, 50);
        full.took(40);
        return full;
    }

    @Test
    void aRowReadsBack() {
        AttemptRow read = AttemptRow.decode(full().encode());

        assertThat(read.encode()).isEqualTo(full().encode());
        assertThat(read.graph()).isEqualTo(READS);
        assertThat(read.assignment()).isEqualTo(2);
        assertThat(read.untaken()).isEqualTo(full().untaken());
        assertThat(read.untakenSkip(1, 4)).contains(RoaringBitmap.bitmapOf(1, 2));
        assertThat(read.openSplits()).isEqualTo(3);
        assertThat(read.facts()).isEqualTo(7);
        assertThat(read.lanes()).containsExactly(0, 1, 2);
        assertThat(read.closed()).containsExactly(2);
        assertThat(read.answered()).containsExactly(1);
        assertThat(read.handedOver()).containsExactly(0);
        assertThat(read.taken()).isEqualTo(40);
        assertThat(read.state()).isEqualTo(State.TAKING);
        assertThat(read.servesUntold()).isFalse();
    }

    @Test
    void eachStateReadsBack() {
        for (Finish finish : List.of(new Finish(true, false), new Finish(false, true))) {
            AttemptRow finished = full();
            finished.finish(finish);
            assertThat(AttemptRow.decode(finished.encode()).finish()).contains(finish);
        }
        AttemptRow fenced = full();
        fenced.fence(new Fence("its worker is gone", AT));
        assertThat(AttemptRow.decode(fenced.encode()).fence()).contains(new Fence("its worker is gone", AT));
        assertThat(AttemptRow.decode(fenced.encode()).finish()).isEmpty();
        AttemptRow ended = full();
        ended.end(end(50, Map.of(0, 5L, 1, -1L)));
        AttemptRow read = AttemptRow.decode(ended.encode());
        assertThat(read.end()).contains(end(50, Map.of(0, 5L, 1, -1L)));
        assertThat(read.fence()).isEmpty();
        assertThat(read.allAcked()).isTrue();
    }

    @Test
    void anAttemptThatRunsWhatWasWrittenHasNoGraphInItsRow() {
        AttemptGraph variant = new AttemptGraph("v1", Optional.empty());

        assertThat(AttemptRow.decode(row.encode()).graph()).isEqualTo(AttemptGraph.AS_WRITTEN);
        assertThat(AttemptRow.decode(new AttemptRow(variant).encode()).graph()).isEqualTo(variant);
        assertThat(AttemptRow.decode(new AttemptRow(variant).encode()).taken()).isZero();
        assertThat(new AttemptRow(variant).encode()).hasSize(row.encode().length + 3);
    }

    // three numbers of a byte came later: facts, lanes and closed ones; and that it tells lanes
    @Test
    void whomAnOlderDispatchersAttemptServesNobodyTold() {
        byte[] told = row.encode();
        byte[] old = Arrays.copyOf(told, told.length - 3);
        old[2] = 0;
        AttemptRow read = AttemptRow.decode(old);

        assertThat(read.servesUntold()).isTrue();
        read.serve(List.of(0));
        assertThat(read.servesUntold()).isFalse();
    }
}
