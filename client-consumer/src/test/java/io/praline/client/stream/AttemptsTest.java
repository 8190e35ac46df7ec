package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.StatusOf;
import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.metrics.ReportLimits;
import io.praline.client.metrics.WindowLimits;
import io.praline.identity.LaneKey;
import io.praline.schema.AttemptPlace;
import io.praline.wire.EndOf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static final ConsumerIdentity IDENTITY =
            new ConsumerIdentity("default", StatusOf.JOB, 0, StatusOf.CLIENT, "host");

    private final Frames frames = new Frames();
    private final List<String> effects = new ArrayList<>();
    private final ConsumptionReporter reporter = new ConsumptionReporter(IDENTITY, ReportLimits.DEFAULT);
    private final DemandReporter demand = new DemandReporter(IDENTITY, WindowLimits.DEFAULT);
    private final LoopHandover handover = new LoopHandover(reporter, demand, new Coverage());
    private boolean entered;
    private long nowNanos;
    private final Attempts attempts = new Attempts(
            StatusOf.JOB, 64 << 20, reporter, new Written(), new EpochGate(), handover, new ServingTasks(demand));

    @Test
    void dialsAnAttemptOnceAndClosesItsChannelOnce() {
        follow(StatusOf.running().attempt(0, 0));
        follow(StatusOf.running().attempt(0, 0));
        follow(StatusOf.running());
        attempts.closeAll();

        assertThat(effects).containsExactly("open 0/0 with 32 MiB", "close 0/0");
    }

    // a HELLO would open a lane, into which batches are put that nobody takes
    @Test
    void dialsNobodyOnceItIsGivenNothingMore() {
        follow(StatusOf.running().attempt(0, 0));
        attempts.finished();
        follow(StatusOf.running().attempt(0, 0).attempt(0, 1));

        assertThat(effects).containsExactly("open 0/0 with 32 MiB");
    }

    @Test
    void givesAWindowBackWhenItsChannelIsClosed() {
        follow(StatusOf.running().attempt(0, 0));
        follow(StatusOf.running().attempt(1, 0));
        follow(StatusOf.running().attempt(1, 0).attempt(2, 0));

        assertThat(effects)
                .containsExactly("open 0/0 with 32 MiB", "close 0/0", "open 1/0 with 32 MiB", "open 2/0 with 32 MiB");
    }

    @Test
    void takesEachFrameOnceAndInOrder() {
        follow(StatusOf.running().attempt(0, 0));

        assertThat(attempts.received(frames.batch(0, 0, 0, 1))).isTrue();
        assertThat(attempts.received(frames.batch(0, 0, 0, 11))).isFalse();
        assertThat(attempts.received(frames.batch(0, 0, 1, 2))).isTrue();
        assertThat(frames.freed).containsExactly(11L);
    }

    @Test
    void takesAGapForALostChannel() {
        follow(StatusOf.running().attempt(0, 0));

        assertThat(attempts.received(frames.batch(0, 0, 1, 2))).isFalse();
        assertThat(attempts.delivering(frames.lane(0, 0))).isEmpty();
        assertThat(frames.freed).containsExactly(2L);
        assertThat(effects).containsExactly("open 0/0 with 32 MiB", "close 0/0", "hurry");
        assertThat(reported()).containsExactly("down 0/0: batch 1 came where 0 was due");
    }

    @Test
    void takesAnEndBehindAMissingBatchForALostChannel() {
        follow(StatusOf.running().attempt(0, 0));

        assertThat(attempts.ended(frames.lane(0, 0), 3, EndOf.ATTEMPT)).isFalse();
        assertThat(reported()).containsExactly("down 0/0: it ended with batch 3 where 0 was due");
    }

    @Test
    void reportsAnEndWhenTheLoopHasClaimedAll() {
        follow(StatusOf.running().attempt(0, 0));
        attempts.received(frames.batch(0, 0, 0, 1));
        attempts.ended(frames.lane(0, 0), 0, EndOf.ATTEMPT);
        assertThat(reported()).isEmpty();

        attempts.claimed(frames.lane(0, 0));
        assertThat(reported()).containsExactly("ended 0/0");
    }

    @Test
    void answersAFenceOnceAndHearsNothingMoreOfTheAttempt() {
        follow(StatusOf.running().attempt(0, 0));
        attempts.received(frames.batch(0, 0, 0, 1));
        follow(StatusOf.running().fenced(0, 0));
        follow(StatusOf.running().fenced(0, 0));

        assertThat(attempts.received(frames.batch(0, 0, 1, 2))).isFalse();
        attempts.lost(frames.lane(0, 0), "reset");
        assertThat(frames.freed).containsExactly(1L, 2L);
        assertThat(reported()).containsExactly("answered 0/0");
    }

    @Test
    void keepsWhatAnEndedAttemptLeftForTheLoopUnlessTheLeaseIsOver() {
        follow(StatusOf.running().attempt(0, 0));
        attempts.received(frames.batch(0, 0, 0, 1));
        attempts.ended(frames.lane(0, 0), 0, EndOf.ATTEMPT);

        follow(StatusOf.running());
        assertThat(handover.hasReady()).isTrue();
        attempts.follow(StatusOf.running().build(), true, 0);
        assertThat(handover.hasReady()).isFalse();
        assertThat(frames.freed).containsExactly(1L);
    }

    // its worker was lost when the loop had not had all of it; what came of it then is read again by another attempt
    @Test
    void letsGoOfWhatHadEndedAndWasFenced() {
        follow(StatusOf.running().attempt(0, 0));
        attempts.received(frames.batch(0, 0, 0, 1));
        attempts.ended(frames.lane(0, 0), 0, EndOf.ATTEMPT);
        follow(StatusOf.running().fenced(0, 0));
        follow(StatusOf.running().complete(0, 1));

        assertThat(attempts.isOpen(1)).isTrue();
    }

    @Test
    void discardsAGenerationBehindItsClaimsAndDialsAllAgainInTheNext() {
        follow(StatusOf.running().attempt(0, 0).attempt(0, 1));
        attempts.received(frames.batch(0, 0, 0, 1));
        attempts.received(frames.batch(0, 0, 1, 2));
        handover.begin();
        handover.promise();
        attempts.enter(3);
        follow(StatusOf.running().attempt(0, 0).attempt(0, 1));

        assertThat(effects)
                .containsSubsequence("open 0/0 with 16 MiB", "close 0/0", "open 0/0@3 with 16 MiB")
                .containsSubsequence("open 0/1 with 16 MiB", "close 0/1", "open 0/1@3 with 16 MiB");
        assertThat(handover.hasReady()).isFalse();
        assertThat(handover.hasPromise()).isTrue();
        assertThat(frames.freed).containsExactly(2L);
        assertThat(reported()).containsExactly("used 0/0@0#0", "discarded 0");
    }

    @Test
    void hearsNothingOfAFormerGeneration() {
        follow(StatusOf.running().attempt(0, 0));
        LaneKey former = frames.lane(0, 0);
        attempts.enter(3);
        follow(StatusOf.running().attempt(0, 0));
        reported();

        assertThat(attempts.received(frames.batch(0, 0, 0, 1))).isFalse();
        assertThat(attempts.ended(former, -1, EndOf.JOB)).isFalse();
        attempts.lost(former, "reset");
        attempts.stale(former);
        assertThat(frames.freed).containsExactly(1L);
        assertThat(attempts.delivering(new LaneKey(former.attempt(), 3))).isPresent();
        assertThat(reported()).isEmpty();
    }

    // a newer generation would come with the next status; a worker that is alone with its word must not hold the job up
    @Test
    void takesAChannelThatStaysRefusedAsStaleForLostAndNotBefore() {
        follow(StatusOf.running().attempt(0, 0));
        attempts.stale(frames.lane(0, 0));
        assertThat(effects).endsWith("awaits news");
        follow(StatusOf.running().attempt(0, 0));
        nowNanos += Attempts.STALE.toNanos() - 1;
        follow(StatusOf.running().attempt(0, 0));
        assertThat(reported()).isEmpty();

        nowNanos++;
        follow(StatusOf.running().attempt(0, 0));
        assertThat(reported()).containsExactly("down 0/0: it calls generation 0 of this consumer an older one");
    }

    private void follow(StatusOf status) {
        if (!entered) {
            entered = true;
            attempts.enter(0);
        }
        attempts.follow(status.build(), false, nowNanos);
    }

    private List<String> reported() {
        List<String> said = new ArrayList<>();
        reporter.due(0).forEach(report -> {
            report.getBatches()
                    .forEach(use -> said.add("used " + use.getEpoch() + "/" + use.getAttempt() + "@"
                            + use.getGeneration() + "#" + use.getSequence()));
            report.getDiscarded().forEach(generation -> said.add("discarded " + generation));
            report.getEnded().forEach(ref -> said.add("ended " + ref.getEpoch() + "/" + ref.getAttempt()));
            report.getFencesAnswered().forEach(ref -> said.add("answered " + ref.getEpoch() + "/" + ref.getAttempt()));
            report.getChannelsDown()
                    .forEach(down ->
                            said.add("down " + down.getEpoch() + "/" + down.getAttempt() + ": " + down.getReason()));
        });
        return said;
    }

    private static String words(LaneKey lane) {
        return lane.attempt().epoch() + "/" + lane.attempt().attempt()
                + (lane.generation() == 0 ? "" : "@" + lane.generation());
    }

    /** What is wanted outside, in words. */
    private final class Written implements StreamEffects {
        @Override
        public void open(LaneKey lane, AttemptPlace place, long windowBytes) {
            effects.add("open " + words(lane) + " with " + (windowBytes >> 20) + " MiB");
        }

        @Override
        public void close(LaneKey lane) {
            effects.add("close " + words(lane));
        }

        @Override
        public void confirmed(LaneKey lane, long through) {
            effects.add("confirmed " + words(lane) + " through " + through);
        }

        @Override
        public void hurry() {
            effects.add("hurry");
        }

        @Override
        public void awaitsNews() {
            effects.add("awaits news");
        }
    }
}
