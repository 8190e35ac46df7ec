package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.StatusOf;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.schema.AttemptPlace;
import io.praline.schema.JobStatus;
import io.praline.wire.EndOf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of two epochs, 0 and 1: when the batches of 1 may go. */
class EpochGateTest {
    private final EpochGate gate = new EpochGate();
    private final List<AttemptSource> sources = new ArrayList<>();

    @Test
    void letsTheOldestEpochPassAndOneThatComesLateOfAFailure() {
        assertThat(gate.isOpen(0, sources)).isTrue();

        gate.follow(StatusOf.running().attempt(1, 0).complete(0, 1).build());
        assertThat(gate.isOpen(1, sources)).isTrue();
        assertThat(gate.isOpen(0, sources)).isTrue();
    }

    @Test
    void opensWhenTheLedgerSaysThatTheEpochIsComplete() {
        AttemptSource source = source(0, 0, StatusOf.running().attempt(0, 0).attempt(1, 0));
        source.end();
        assertThat(gate.isOpen(1, sources)).isFalse();

        gate.follow(
                StatusOf.running().attempt(0, 0).attempt(1, 0).complete(0, 1).build());
        assertThat(gate.isOpen(1, sources)).isTrue();
    }

    @Test
    void staysShutWhileABatchOfACompleteEpochWaitsForTheLoop() {
        AttemptSource source = source(0, 0, StatusOf.running().attempt(0, 0).attempt(1, 0));
        source.received();
        source.end();
        gate.follow(StatusOf.running().attempt(1, 0).complete(0, 1).build());
        assertThat(gate.isOpen(1, sources)).isFalse();

        source.claimed();
        assertThat(gate.isOpen(1, sources)).isTrue();
    }

    @Test
    void opensWithTheEndThatSaysThatTheEpochIsOverAndNotWithAnotherEnd() {
        AttemptSource first = source(0, 0, StatusOf.running().attempt(0, 0).attempt(0, 1));
        AttemptSource second = source(0, 1, StatusOf.running().attempt(0, 0).attempt(0, 1));
        end(first, EndOf.ATTEMPT);
        second.end();
        assertThat(gate.isOpen(1, sources)).isFalse();

        gate.ended(second, EndOf.EPOCH);
        assertThat(gate.isOpen(1, sources)).isTrue();
    }

    // status 2 tells of the loss: what 0/0, known since status 1, says of the epoch is no last word; 0/1, of status 3,
    // has it
    @Test
    void doesNotTakeTheWordOfAnAttemptThatWasKnownBeforeALoss() {
        AttemptSource before = source(0, 0, StatusOf.running().attempt(0, 0).attempt(1, 0));
        gate.follow(StatusOf.running().attempt(0, 0).attempt(1, 0).build());
        gate.lost(0);
        end(before, EndOf.EPOCH);
        assertThat(gate.isOpen(1, sources)).isFalse();

        AttemptSource after = source(0, 1, StatusOf.running().attempt(0, 1).attempt(1, 0));
        end(after, EndOf.EPOCH);
        assertThat(gate.isOpen(1, sources)).isTrue();
    }

    @Test
    void opensWhenOnlyLaterAttemptsAreListedUnlessOneWasLost() {
        gate.follow(StatusOf.running().attempt(1, 0).build());
        gate.lost(0);
        assertThat(gate.isOpen(1, sources)).isFalse();

        EpochGate withoutLoss = new EpochGate();
        withoutLoss.follow(StatusOf.running().attempt(1, 0).build());
        assertThat(withoutLoss.isOpen(1, sources)).isTrue();
    }

    @Test
    void theStreamIsOverWithTheLastEndAndAllOthers() {
        AttemptSource first = source(0, 0, StatusOf.running().attempt(0, 0).attempt(0, 1));
        AttemptSource second = source(0, 1, StatusOf.running().attempt(0, 0).attempt(0, 1));
        end(first, EndOf.JOB);
        assertThat(gate.isStreamOver(sources, true)).isFalse();

        end(second, EndOf.ATTEMPT);
        assertThat(gate.isStreamOver(sources, true)).isTrue();
    }

    @Test
    void theStreamIsNotOverAfterALossOfAnyEpoch() {
        AttemptSource last = source(1, 0, StatusOf.running().attempt(0, 0).attempt(1, 0));
        gate.lost(0);
        end(last, EndOf.JOB);

        assertThat(gate.isStreamOver(sources, true)).isFalse();
    }

    // another rank holds what it has not acknowledged yet, and waits for this one
    @Test
    void opensWhenAllOfTheEpochIsDeliveredThoughNotAcknowledgedAlsoAfterALoss() {
        gate.follow(StatusOf.running().attempt(0, 0).build());
        gate.lost(0);
        AttemptSource source = source(
                0, 1, StatusOf.running().attempt(0, 1).attempt(1, 0).here(0).progress(0, false));
        source.end();
        assertThat(gate.isOpen(1, sources)).isFalse();

        gate.follow(StatusOf.running()
                .attempt(0, 1)
                .attempt(1, 0)
                .here(0)
                .progress(0, true)
                .build());
        assertThat(gate.isOpen(1, sources)).isTrue();
    }

    // the worker of 0/0 is gone, and so is a consumer, which may have some of it: that keeps the end open, and no epoch
    @Test
    void opensWhenAllOfTheEpochIsDeliveredThoughAFencedAttemptWaitsForALostConsumer() {
        AttemptSource gone = source(0, 0, StatusOf.running().attempt(0, 0));
        gone.fence();
        gate.lost(0);
        AttemptSource after =
                source(0, 1, StatusOf.running().fenced(0, 0).attempt(0, 1).here(0));
        end(after, EndOf.EPOCH);
        gate.follow(StatusOf.running().fenced(0, 0).attempt(1, 0).here(0).build());
        assertThat(gate.isOpen(1, sources)).isFalse();

        gate.follow(StatusOf.running()
                .fenced(0, 0)
                .attempt(1, 0)
                .here(0)
                .inDoubt(1, 5)
                .progress(0, true)
                .build());
        assertThat(gate.isOpen(1, sources)).isTrue();
        assertThat(gate.isStreamOver(sources, true)).isFalse();
    }

    @Test
    void theStreamIsOverWhenAllEpochsAreDeliveredAndNothingIsInDoubt() {
        AttemptSource source = source(1, 0, StatusOf.running().attempt(1, 0).here(0));
        source.end();
        assertThat(gate.isStreamOver(sources, true)).isFalse();

        gate.follow(StatusOf.running()
                .here(0)
                .inDoubt(1, 5)
                .progress(0, true)
                .progress(1, true)
                .build());
        assertThat(gate.isStreamOver(sources, true)).isFalse();
        gate.follow(StatusOf.running().here(0).progress(0, true).build());
        assertThat(gate.isStreamOver(sources, true)).isFalse();
        gate.follow(
                StatusOf.running().here(0).progress(0, false).progress(1, true).build());
        assertThat(gate.isStreamOver(sources, true)).isFalse();

        gate.follow(
                StatusOf.running().here(0).progress(0, true).progress(1, true).build());
        // what came back since may be on its way to this consumer
        assertThat(gate.isStreamOver(sources, false)).isFalse();
        assertThat(gate.isStreamOver(sources, true)).isTrue();
    }

    // the other may leave and give its share back after the END was sent
    @Test
    void theLastEndIsNoLastWordWhereOthersShareTheJob() {
        AttemptSource source =
                source(1, 0, StatusOf.running().attempt(1, 0).here(0).here(1));
        end(source, EndOf.JOB);
        assertThat(gate.isStreamOver(sources, true)).isFalse();

        gate.follow(StatusOf.running().attempt(1, 0).here(0).build());
        assertThat(gate.isStreamOver(sources, true)).isTrue();
    }

    // the END comes at once on a lane that was opened behind it, and says nothing of what the one before was sent
    @Test
    void theLastEndIsNoLastWordForWhoCameAfterAnother() {
        AttemptSource source = source(1, 0, StatusOf.running().attempt(1, 0).here(1, 1));
        end(source, EndOf.JOB);
        assertThat(gate.isStreamOver(sources, true)).isFalse();
    }

    @Test
    void theLastEndIsNoLastWordWhereSomethingWasInDoubtSince() {
        AttemptSource before = source(1, 0, StatusOf.running().attempt(1, 0).here(0));
        end(before, EndOf.JOB);
        gate.follow(StatusOf.running().attempt(1, 0).inDoubt(0, 3).build());
        gate.follow(StatusOf.running().attempt(1, 0).here(0).build());
        assertThat(gate.isStreamOver(sources, true)).isFalse();

        AttemptSource after =
                source(1, 1, StatusOf.running().attempt(1, 0).attempt(1, 1).here(0));
        end(after, EndOf.JOB);
        assertThat(gate.isStreamOver(sources, true)).isTrue();
    }

    /** An attempt that is known since this status. */
    private AttemptSource source(int epoch, int attempt, StatusOf status) {
        JobStatus told = status.build();
        AttemptPlace place = told.getAttempts().stream()
                .filter(each -> each.getEpoch() == epoch && each.getAttempt() == attempt)
                .findFirst()
                .orElseThrow();
        AttemptSource source = new AttemptSource(
                new LaneKey(new AttemptKey(StatusOf.JOB, epoch, attempt), 0), place, gate.follow(told));
        sources.add(source);
        return source;
    }

    private void end(AttemptSource source, EndOf of) {
        source.end();
        gate.ended(source, of);
    }
}
