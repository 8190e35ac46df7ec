package io.praline.tests.corpus;

import io.praline.client.JobFailed;
import io.praline.client.JobResult;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is to be said of a run.
 *
 * @param remark what is wrong, or why it was refused, in one line; may be empty
 */
record Verdict(Outcome outcome, String remark) {
    /** Of what differs, so many rows are shown. */
    private static final int SHOWN = 2;

    private static final int LONGEST_ROW = 160;
    private static final int LONGEST = 900;

    enum Outcome {
        /** All of it is what Python yielded. */
        EQUAL,
        /** It is, up to what is said of the program: what it draws, what a death repeats where at least once is promised. */
        EQUAL_AS_SAID,
        /** It does not run, and says why. */
        REFUSED,
        WRONG;

        @Override
        public String toString() {
            return this == EQUAL_AS_SAID
                    ? "equal up to what was said"
                    : this == WRONG ? "WRONG" : name().toLowerCase(Locale.ROOT);
        }
    }

    static Verdict of(Recorded recorded, Ended ended) {
        if (ended.failure().isPresent()) {
            return ofFailed(recorded.said(), ended.failure().get(), ended.planned());
        }
        if (ended.result().isEmpty()) {
            return new Verdict(Outcome.WRONG, String.join("; ", ended.remarks()));
        }
        if (recorded.said().refused()) {
            return new Verdict(Outcome.WRONG, "it cannot run outside Python, and was not refused");
        }
        JobResult result = ended.result().get();
        boolean repeatsAllowed = result.guarantee() == Guarantee.AT_LEAST_ONCE && ended.lost();
        List<String> wrong = new ArrayList<>(ended.remarks());
        if (result.state() != JobState.COMPLETED) {
            wrong.add("ended as " + result.state());
        }
        if (result.guarantee() == Guarantee.EXACTLY_ONCE) {
            result.missing().stream()
                    .filter(count -> count > 0)
                    .forEach(count -> wrong.add(count + " tickets missing"));
            result.duplicates().stream()
                    .filter(count -> count > 0)
                    .forEach(count -> wrong.add(count + " tickets came twice"));
        }
        wrong.addAll(rows(recorded, ended, repeatsAllowed));
        wrong.addAll(draws(recorded.said(), ended.rows()));
        if (!wrong.isEmpty()) {
            return new Verdict(Outcome.WRONG, oneLine(String.join("; ", wrong)));
        }
        boolean repeated = ended.rows().size() > recorded.rows().size();
        return new Verdict(
                recorded.said().exact() && !repeated ? Outcome.EQUAL : Outcome.EQUAL_AS_SAID,
                oneLine(String.join("; ", result.guaranteeReasons())));
    }

    private static Verdict ofFailed(Said said, JobFailed failed, boolean planned) {
        String reason = oneLine(failed.reason());
        if (failed.kind() != FailureKind.REFUSED || planned) {
            return new Verdict(Outcome.WRONG, "failed while it ran: " + reason);
        }
        if (failed.reason().lines().count() > 1) {
            return new Verdict(Outcome.WRONG, "refused in several lines: " + reason);
        }
        return new Verdict(Outcome.REFUSED, (said.refused() ? "" : "though Python runs it alone: ") + reason);
    }

    private static List<String> rows(Recorded recorded, Ended ended, boolean repeatsAllowed) {
        Said said = recorded.said();
        List<Row> came = ended.rows().stream().map(ReadRow::row).toList();
        if (said.choice()) {
            return chosen(recorded, came, repeatsAllowed);
        }
        // what was lost with a worker comes at another place, on one task too
        if (said.mixed() && (ended.tasks() > 1 || ended.lost())) {
            Set<String> outlines = recorded.rows().stream().map(Row::outline).collect(Collectors.toSet());
            return shown(
                    "of another shape",
                    came.stream()
                            .filter(row -> !outlines.contains(row.outline()))
                            .toList());
        }
        Row.Difference difference = Row.difference(recorded.rows(), came);
        List<String> wrong = new ArrayList<>(shown("missing", difference.missing()));
        wrong.addAll(shown(
                "strange or repeated",
                repeatsAllowed ? Row.strangersTo(recorded.rows(), difference.strange()) : difference.strange()));
        if (wrong.isEmpty() && said.ordered() && ended.tasks() == 1 && !ended.lost()) {
            for (int i = 0; i < came.size(); i++) {
                if (!came.get(i).isLike(recorded.rows().get(i))) {
                    return List.of("not in Python's order from row " + i + " on");
                }
            }
        }
        return wrong;
    }

    private static List<String> chosen(Recorded recorded, List<Row> came, boolean repeatsAllowed) {
        List<String> wrong = new ArrayList<>(shown("not in its universe", Row.strangersTo(recorded.rows(), came)));
        Said.Bounds count = recorded.said().count();
        if (came.size() < count.low() || (came.size() > count.high() && !repeatsAllowed)) {
            wrong.add(came.size() + " rows, said are " + count);
        }
        return wrong;
    }

    private static List<String> draws(Said said, List<ReadRow> rows) {
        List<String> wrong = new ArrayList<>();
        said.drawn().forEach((place, bounds) -> rows.stream()
                .map(row -> row.draws().get(place))
                .filter(draw -> draw.low() <= draw.high() && !bounds.hold(draw.low(), draw.high()))
                .findFirst()
                .ifPresent(draw -> wrong.add(
                        "component " + place + " has " + draw.low() + " to " + draw.high() + ", said is " + bounds)));
        said.distinct().forEach(pair -> {
            long equal = rows.stream()
                    .filter(row -> row.draws()
                            .get(pair.get(0))
                            .content()
                            .equals(row.draws().get(pair.get(1)).content()))
                    .count();
            if (equal > 0) {
                wrong.add("components " + pair + " are equal in " + equal + " of " + rows.size() + " rows");
            }
        });
        said.spread().forEach(place -> {
            Set<String> different = new HashSet<>();
            rows.forEach(row -> different.add(row.draws().get(place).content()));
            if (2 * different.size() <= rows.size()) {
                wrong.add("component " + place + " has " + different.size() + " values in " + rows.size() + " rows");
            }
        });
        return wrong;
    }

    private static List<String> shown(String what, List<Row> rows) {
        return rows.isEmpty()
                ? List.of()
                : List.of(rows.size() + " rows " + what + ", such as "
                        + rows.stream()
                                .limit(SHOWN)
                                .map(row -> oneLine(row.toString(), LONGEST_ROW))
                                .collect(Collectors.joining(" and ")));
    }

    private static String oneLine(String text) {
        return oneLine(text, LONGEST);
    }

    private static String oneLine(String text, int longest) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= longest ? line : line.substring(0, longest) + "...";
    }
}
