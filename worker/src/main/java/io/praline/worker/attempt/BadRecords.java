package io.praline.worker.attempt;

import io.praline.identity.ExclusionReason;
import io.praline.schema.Exclusion;
import io.praline.topics.BoundedText;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.planning.CorruptFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Records that could not be processed, where that is tolerated.
 *
 * @param causes what is told of them
 * @param good went missing with them, and are to be read again
 */
record BadRecords(List<Cause> causes, TicketSet good) {
    /** Where the record passes in a full batch that was the last of a beginning that failed. */
    static final String NOT_ALONE =
            ", and on no record by itself (a function behind the batch may fail on one that is not full)";

    /** Where the search took too long. */
    static final String NOT_FOUND = ", on a record that was not found in time";

    /** What may be done where none is tolerated. */
    static final String TOLERATE = "; tolerate such records with --skip-bad N";

    /** What may be done where some are, but none that fails before what comes out is numbered. */
    static final String TOO_EARLY = "; it fails before elements have numbers, where --skip-bad tolerates none:"
            + " mend the record, or leave it out in the pipeline, as ignore_errors() does";

    /** What may be done where elements have no numbers at all. */
    static final String UNCOUNTED = "; --skip-bad tolerates none in a job that promises at least once, where"
            + " nobody could count it: mend the record, or leave it out in the pipeline, as ignore_errors() does";

    /** None. */
    static final BadRecords NONE = new BadRecords(List.of(), TicketSet.NONE);

    /** Details are read by people, and a beat must stay below the size of a record. */
    private static final int PER_EXCLUSION = 100;

    BadRecords {
        causes = List.copyOf(causes);
    }

    /**
     * One line, and the elements that it is about.
     *
     * @param line names file, record and cause; cut where it is long
     */
    record Cause(String line, TicketSet tickets) {
        Cause {
            line = BoundedText.reason(line);
        }
    }

    TicketSet tickets() {
        return ticketsOf(causes);
    }

    private static TicketSet ticketsOf(List<Cause> causes) {
        LongStream.Builder all = LongStream.builder();
        causes.forEach(cause -> cause.tickets().forEach(all));
        return TicketSet.of(all.build().sorted().toArray());
    }

    /** As they are told. */
    List<Exclusion> exclusions() {
        List<Exclusion> exclusions = new ArrayList<>();
        for (int from = 0; from < causes.size(); from += PER_EXCLUSION) {
            BadRecords some =
                    new BadRecords(causes.subList(from, Math.min(causes.size(), from + PER_EXCLUSION)), TicketSet.NONE);
            TicketSet tickets = some.tickets();
            exclusions.add(new Exclusion(
                    ExclusionReason.BAD.word(),
                    tickets.count(),
                    tickets.runs(),
                    some.causes().stream().map(Cause::line).toList()));
        }
        return exclusions;
    }

    /** Finds them one after the other, in the order of their tickets. */
    static final class Builder {
        private final List<Cause> causes = new ArrayList<>();
        private final Map<CorruptFile, List<Long>> unread = new LinkedHashMap<>();
        private final List<Cause> passed = new ArrayList<>();
        private final List<Cause> untried = new ArrayList<>();

        /** One that could not be processed. */
        void add(long ticket, String line) {
            causes.add(new Cause(line, TicketSet.of(ticket)));
        }

        /** One that was not read, since its file is damaged there or before. */
        void addUnread(long ticket, CorruptFile damage) {
            unread.computeIfAbsent(damage, one -> new ArrayList<>()).add(ticket);
        }

        /** One that is processed where it is read by itself. */
        void addPassed(long ticket, String line) {
            passed.add(new Cause(line, TicketSet.of(ticket)));
        }

        /** One that was not read by itself. */
        void addUntried(long ticket, String line) {
            untried.add(new Cause(line, TicketSet.of(ticket)));
        }

        /**
         * What passes by itself was lost with a bad one, and comes where that one is left out, if one was found. Else nobody knows
         * what it is about, and it would be lost again. Where each that was read was bad the others are taken to be.
         */
        BadRecords build() {
            List<Cause> all = new ArrayList<>();
            unread.forEach((damage, tickets) -> all.add(new Cause(
                    line(damage, tickets.size()),
                    TicketSet.of(tickets.stream().mapToLong(Long::longValue).toArray()))));
            all.addAll(causes);
            boolean lostTogether = !all.isEmpty() && !passed.isEmpty();
            List<Cause> others = new ArrayList<>(passed);
            others.addAll(untried);
            if (!lostTogether) {
                all.addAll(others);
            }
            return new BadRecords(all, lostTogether ? ticketsOf(others) : TicketSet.NONE);
        }

        private static String line(CorruptFile damage, int records) {
            return damage.getMessage() + "; TensorFlow reads no further in this file, so "
                    + (records == 1 ? "that record counts" : "the " + records + " records from there on count")
                    + " as bad";
        }
    }
}
