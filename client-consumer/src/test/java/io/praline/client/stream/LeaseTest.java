package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.ReportLimits;
import io.praline.identity.AttemptKey;
import io.praline.schema.Confirmation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final long LEASE = ReportLimits.DEFAULT.lease().toNanos();

    private final ConsumptionReporter reporter =
            new ConsumptionReporter(new ConsumerIdentity("default", "j", 1, "me", "host"), ReportLimits.DEFAULT);
    private final Lease lease = new Lease(1, "me", reporter);

    @Test
    void isNeverOverWhileThereIsNothingToConfirm() {
        assertThat(lease.passed(Duration.ofDays(1).toNanos())).isFalse();
        assertThat(lease.isOver()).isFalse();
    }

    @Test
    void isOverWhenAReportHasWaitedForTheLeaseAndSaysSoOnce() {
        report();

        assertThat(lease.passed(LEASE - 1)).isFalse();
        assertThat(lease.passed(LEASE)).isTrue();
        assertThat(lease.isOver()).isTrue();
        assertThat(lease.passed(LEASE + 1)).isFalse();
    }

    @Test
    void goesOnWithTheConfirmationOfItsOwnReportAndNoOther() {
        report();
        lease.passed(LEASE);

        lease.confirmed(List.of(new Confirmation(0, "me", 0L), new Confirmation(1, "me before", 0L)), LEASE);
        assertThat(lease.isOver()).isTrue();
        lease.confirmed(List.of(new Confirmation(1, "me", 0L)), LEASE);
        assertThat(lease.isOver()).isFalse();
    }

    /** Number 0, sent at 0. */
    private void report() {
        reporter.ended(new AttemptKey("j", 0, 0));
        assertThat(reporter.due(0)).hasSize(1);
    }
}
