package io.praline.tests.simulation;

import io.praline.identity.TicketRuns;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Use;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a process may report: numbers without a gap; nothing is claimed behind the answer to its fence, of a generation that is
 * told to be discarded, or behind the last report.
 */
final class ReportWitness {
    private final Consumer<String> violated;
    private final Map<Lane, Set<Long>> claimed = new HashMap<>();
    private final Set<Lane> answered = new HashSet<>();
    private final Set<Integer> discarded = new HashSet<>();
    private long next;
    private boolean left;

    private record Lane(int epoch, int attempt, int generation) {
        static Lane of(AttemptRef attempt) {
            return new Lane(attempt.getEpoch(), attempt.getAttempt(), attempt.getGeneration());
        }
    }

    ReportWitness(Consumer<String> violated) {
        this.violated = violated;
    }

    /** This leaves, for the first time or again. */
    void reports(ConsumptionReport report) {
        if (report.getReportSequence() < next) {
            return;
        }
        if (report.getReportSequence() > next || left) {
            violated.accept("makes report " + report.getReportSequence() + " where " + next + " is due"
                    + (left ? ", behind its last one" : ""));
        }
        next = report.getReportSequence() + 1;
        report.getBatches().forEach(this::use);
        report.getFencesAnswered().forEach(fence -> answered.add(Lane.of(fence)));
        discarded.addAll(report.getDiscarded());
        left = report.getLeft();
    }

    private void use(BatchUse batch) {
        Lane lane = new Lane(batch.getEpoch(), batch.getAttempt(), batch.getGeneration());
        Set<Long> before = claimed.computeIfAbsent(lane, none -> new HashSet<>());
        long[] tickets = batch.getTickets().hasRemaining()
                ? TicketRuns.decode(batch.getTickets().duplicate())
                : new long[0];
        boolean over = answered.contains(lane) || discarded.contains(lane.generation());
        boolean isNew = Arrays.stream(tickets).anyMatch(ticket -> !before.contains(ticket));
        if (over && isNew) {
            violated.accept("claims of " + lane + " behind its answer");
        }
        if (batch.getUse() == Use.CLAIMED && tickets.length > 0 && !isNew) {
            violated.accept("claims of " + lane + " what it has claimed before");
        }
        for (long ticket : tickets) {
            before.add(ticket);
        }
    }
}
