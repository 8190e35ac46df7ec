package io.praline.tests.simulation;

import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.epoch.SplitRow;
import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.Rows;
import io.praline.schema.ConsumerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What must hold of the dispatcher's rows whenever they are committed: each element is in one place, which is somebody's; what
 * attempts are noted to owe is what splits say; what is unassigned is found. Of a job that is over nothing of this is left.
 */
record Books(Consumer<String> violated) {
    private static final List<Character> DETAILS = List.of(
            RowKey.PAGE, RowKey.RETURNED, RowKey.CLOSED, RowKey.SPLIT, RowKey.SUSPECT, RowKey.ATTEMPT, RowKey.PLACE);

    /** @param ended whether all jobs have ended */
    void check(Rows rows, boolean ended) {
        Ledger ledger = new Ledger(rows);
        for (String job : ledger.jobs()) {
            if (ledger.job(job).standing().ended()) {
                gone(rows, job);
            } else if (ended) {
                violated.accept("the rows do not tell that job " + job + " has ended");
            } else {
                Set<Integer> generations = generations(ledger.consumers(job));
                ledger.epochs(job, true).values().forEach(epoch -> check(rows, job, epoch, generations));
            }
        }
    }

    private void gone(Rows rows, String job) {
        for (char kind : DETAILS) {
            rows.each(
                    RowKey.under(kind, job),
                    (key, value) -> violated.accept("a row of kind " + kind + " is left of job " + job));
        }
    }

    /** Generations that may have something. */
    private static Set<Integer> generations(SortedMap<Integer, ConsumerRow> places) {
        Set<Integer> generations = new TreeSet<>();
        for (ConsumerRow place : places.values()) {
            if (place.state() != ConsumerState.LEFT) {
                generations.add(place.generation());
            }
            place.formers().forEach(former -> generations.add(former.generation()));
        }
        return generations;
    }

    private void check(Rows rows, String job, EpochLedger epoch, Set<Integer> generations) {
        SortedMap<Long, SplitRow> open = new TreeMap<>();
        rows.each(
                RowKey.of(RowKey.SPLIT, job, epoch.epoch()),
                (key, value) -> open.put((long) RowKey.lastNumber(key), SplitRow.decode(value)));
        String where = "in the rows of epoch " + epoch.epoch() + " of job " + job + " ";
        SortedMap<Integer, Integer> owes = new TreeMap<>();
        long consumed = 0;
        for (var each : open.entrySet()) {
            SplitRow split = each.getValue();
            consumed += split.consumed().getLongCardinality();
            for (int attempt : epoch.attempts().keySet()) {
                owes.merge(attempt, split.owes(attempt) ? 1 : 0, Integer::sum);
            }
            split.records().ifPresent(records -> {
                long somewhere = places(epoch, split, generations);
                if (somewhere != records) {
                    violated.accept(where + "split " + each.getKey() + " has " + records + " elements, and " + somewhere
                            + " of them are somewhere");
                }
                boolean alone = epoch.loneSplits().alone().contains(each.getKey());
                if (!alone && split.hasUnassigned() != epoch.isReturned(each.getKey())) {
                    violated.accept(where + "of split " + each.getKey() + " something is to be assigned: "
                            + split.hasUnassigned() + ", and it is noted: " + epoch.isReturned(each.getKey()));
                }
            });
        }
        epoch.attempts().forEach((attempt, row) -> {
            if (row.openSplits() != owes.getOrDefault(attempt, 0)) {
                violated.accept(where + "attempt " + attempt + " owes " + owes.getOrDefault(attempt, 0)
                        + " splits, and " + row.openSplits() + " are noted");
            }
        });
        if (consumed > epoch.row().consumed()) {
            violated.accept(where + consumed + " elements are consumed, and "
                    + epoch.row().consumed() + " are noted");
        }
        if (!epoch.row().complete()
                && epoch.row().assigned() != open.size() + epoch.row().closedSplits()) {
            violated.accept(where + epoch.row().assigned() + " splits were assigned, " + open.size() + " are open and "
                    + epoch.row().closedSplits() + " closed");
        }
    }

    /** Elements that are with somebody, or consumed, excluded or to be assigned; one that is in two places counts twice. */
    private static long places(EpochLedger epoch, SplitRow split, Set<Integer> generations) {
        List<Long> parts = new ArrayList<>();
        parts.add(split.consumed().getLongCardinality());
        parts.add(split.excluded().getLongCardinality());
        parts.add(split.unassigned().getLongCardinality());
        epoch.attempts()
                .keySet()
                .forEach(attempt -> parts.add(split.owed(attempt).getLongCardinality()));
        for (int generation : generations) {
            parts.add(split.claimed(generation).getLongCardinality());
            parts.add(split.claimed(SplitRow.doubtOf(generation)).getLongCardinality());
        }
        return parts.stream().mapToLong(Long::longValue).sum();
    }
}
