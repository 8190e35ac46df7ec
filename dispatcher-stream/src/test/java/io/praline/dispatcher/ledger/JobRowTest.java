package io.praline.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.JobRow.Planning;
import io.praline.dispatcher.ledger.JobRow.Standing;
import io.praline.schema.JobState;
import io.praline.topics.Agreements;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobRowTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000_000);
    private static final Duration TEN = Duration.ofSeconds(10);

    private final JobRow row = new JobRow(AT, Standing.at(JobState.RUNNING, AT));

    // at 0, 9 and 10 s, within ten: the first counts no more in the moment in which it is ten seconds old
    @Test
    void whatFailedLongAgoIsNotCounted() {
        assertThat(row.engineFailed(AT, TEN)).isEqualTo(1);
        assertThat(row.engineFailed(AT.plusSeconds(9), TEN)).isEqualTo(2);
        assertThat(row.engineFailed(AT.plusSeconds(10), TEN)).isEqualTo(2);
        assertThat(row.plannerLost(AT.plusSeconds(10), TEN)).isEqualTo(1);
    }

    @Test
    void generationsFollowThoseThatItBeganWith() {
        assertThat(row.mintGeneration(2)).isEqualTo(2);
        assertThat(row.mintGeneration(2)).isEqualTo(3);
        assertThat(row.mintGeneration(2)).isEqualTo(4);
    }

    @Test
    void aPlanWhoseLastPageIsShortIsNotFull() {
        int page = Agreements.SPLITS_A_PAGE;

        assertThat(new Planning(1, Optional.empty(), 2, 2L * page, 1, false).full())
                .isTrue();
        assertThat(new Planning(1, Optional.empty(), 2, 2L * page - 1, 1, false).full())
                .isFalse();
        assertThat(Planning.NONE.full()).isTrue();
    }

    @Test
    void badRecordsAddUpAndJournalEntriesAreCountedFromZero() {
        row.addBad(2);
        row.addBad(3);

        assertThat(row.bad()).isEqualTo(5);
        assertThat(row.nextJournal()).isZero();
        assertThat(row.nextJournal()).isEqualTo(1);
    }

    @Test
    void aJobHasEndedOnceItIsCompleteFailedOrCancelled() {
        for (JobState state : JobState.values()) {
            boolean over = state == JobState.COMPLETED || state == JobState.FAILED || state == JobState.CANCELLED;
            assertThat(Standing.at(state, AT).ended()).as(state.name()).isEqualTo(over);
        }
    }
}
