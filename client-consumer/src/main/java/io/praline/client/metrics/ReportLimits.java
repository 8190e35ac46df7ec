package io.praline.client.metrics;

import java.time.Duration;

/**
 * How consumption is reported.
 *
 * @param interval how long something may wait for its report
 * @param resendAfter how long an unconfirmed report waits before it is sent again
 * @param lease how long a report may stay unconfirmed before the loop gets no more batches
 * @param reportBytes where a report is cut, in bytes of tickets, so that it stays far below Kafka's largest record
 */
public record ReportLimits(Duration interval, Duration resendAfter, Duration lease, int reportBytes) {
    public static final ReportLimits DEFAULT =
            new ReportLimits(Duration.ofMillis(500), Duration.ofSeconds(5), Duration.ofSeconds(30), 256 << 10);

    public ReportLimits {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("interval must be above 0, is " + interval);
        }
        if (resendAfter.compareTo(interval) < 0) {
            throw new IllegalArgumentException("resendAfter must not be below interval, is " + resendAfter);
        }
        if (lease.compareTo(resendAfter) < 0) {
            throw new IllegalArgumentException("lease must not be below resendAfter, is " + lease);
        }
        if (reportBytes < 1) {
            throw new IllegalArgumentException("reportBytes must be above 0, is " + reportBytes);
        }
    }
}
