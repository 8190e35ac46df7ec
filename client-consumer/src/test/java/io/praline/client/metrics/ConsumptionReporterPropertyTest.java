package io.praline.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.identity.TicketRuns;
import io.praline.schema.BatchUse;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class ConsumptionReporterPropertyTest {
    private static final ConsumerIdentity IDENTITY = new ConsumerIdentity("default", "j", 0, "me", "host");
    private static final ReportLimits LIMITS =
            new ReportLimits(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(30), 64);

    /**
     * A ledger that applies reports by the protocol (a gap is not applied, a duplicate is a no-op), behind a line that
     * loses reports: whatever happens, in the end it has each acknowledgement once, and no report number twice with
     * different content.
     */
    @Property(tries = 300)
    void everyAcknowledgementArrivesOnceOverALineThatLosesReports(@ForAll long seed) {
        Random random = new Random(seed);
        ConsumptionReporter reporter = new ConsumptionReporter(IDENTITY, LIMITS);
        Ledger ledger = new Ledger();
        List<BatchClaims> open = new ArrayList<>();
        Set<Long> acknowledged = new HashSet<>();
        long now = 0;
        long ticket = 0;

        for (int step = 0; step < 200; step++) {
            now += Duration.ofMillis(random.nextInt(2_000)).toNanos();
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    int parts = 1 + random.nextInt(4);
                    long[] tickets = new long[parts == 1 ? 3 : parts];
                    for (int i = 0; i < tickets.length; i++) {
                        tickets[i] = ticket++;
                    }
                    BatchClaims claims =
                            new BatchClaims(new LaneKey(new AttemptKey("j", 0, 0), 0), step, parts, tickets, 0);
                    for (int part = 0; part < parts; part++) {
                        claims.claim();
                    }
                    reporter.changed(claims);
                    open.add(claims);
                }
                case 2, 3 -> {
                    if (!open.isEmpty()) {
                        BatchClaims claims = open.remove(random.nextInt(open.size()));
                        for (int part = 0; part < claims.claimed(); part++) {
                            claims.acknowledge(part);
                        }
                        for (long done : claims.tickets()) {
                            acknowledged.add(done);
                        }
                        reporter.changed(claims);
                    }
                }
                case 4 -> {
                    for (ConsumptionReport report : reporter.due(now)) {
                        if (random.nextInt(3) == 0) {
                            if (random.nextBoolean()) {
                                reporter.failed(report.getReportSequence());
                            }
                        } else {
                            ledger.apply(report);
                        }
                    }
                }
                default -> reporter.confirmed(ledger.through);
            }
        }
        for (int i = 0; i < 3; i++) {
            now += Duration.ofSeconds(6).toNanos();
            reporter.due(now).forEach(ledger::apply);
        }
        reporter.confirmed(ledger.through);

        assertThat(ledger.acknowledged).containsExactlyInAnyOrderElementsOf(acknowledged);
        assertThat(reporter.settled()).isTrue();
        assertThat(reporter.leaseOver(now)).isFalse();
    }

    private static final class Ledger {
        private final List<Long> acknowledged = new ArrayList<>();
        private long through = -1;

        private void apply(ConsumptionReport report) {
            if (report.getReportSequence() != through + 1) {
                return;
            }
            through++;
            for (BatchUse use : report.getBatches()) {
                if (use.getUse() == Use.ACKED) {
                    assertThat(TicketRuns.count(use.getTickets())).isEqualTo(use.getElements());
                    TicketRuns.forEach(use.getTickets(), acknowledged::add);
                }
            }
        }
    }
}
