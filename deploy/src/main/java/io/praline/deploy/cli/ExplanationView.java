package io.praline.deploy.cli;

import io.praline.dispatcher.replay.Explanation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.WindowClosed;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A decision and what then happened, as lines for people and as an object for programs. */
record ExplanationView(Explanation explained) {

    List<String> lines() {
        JournalEntry entry = explained.entry();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%5d  %s  %s", entry.getSequence(), at(), seen(entry.getObservation())));
        lines.add("       " + decided() + ": " + Failures.oneLine(entry.getReason()));
        if (!entry.getNumbers().isEmpty()) {
            lines.add("       by      " + numbers(entry.getNumbers()));
        }
        explained.granted().ifPresent(grant -> lines.add("       then    " + grant(grant)));
        explained.window().ifPresent(window -> lines.add("       then    " + window(window)));
        explained
                .compared()
                .forEach((name, compared) -> lines.add(String.format(
                        Locale.ROOT,
                        "       %s expected %s, came %s%s",
                        name,
                        number(compared.expected()),
                        number(compared.achieved()),
                        compared.error()
                                .map(error -> String.format(Locale.ROOT, ": %+.1f %%", error * 100))
                                .orElse(""))));
        return lines;
    }

    private Instant at() {
        return Instant.ofEpochMilli(explained.entry().getAtMillis());
    }

    private static String seen(Observed seen) {
        Map<String, String> all = new TreeMap<>(seen.getTexts());
        seen.getNumbers().forEach((name, value) -> all.put(name, number(value)));
        String told = all.entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
        return (seen.getKind() + " " + Failures.oneLine(seen.getSubject())).strip()
                + (told.isEmpty() ? "" : ": " + Failures.oneLine(told));
    }

    private String decided() {
        List<Decided> decided = explained.entry().getDecision();
        return decided.isEmpty()
                ? "nothing"
                : decided.stream().map(ExplanationView::command).collect(Collectors.joining("; "));
    }

    private static String command(Decided one) {
        String numbers = one.getNumbers().isEmpty() ? "" : " (" + numbers(one.getNumbers()) + ")";
        return (one.getCommand() + " " + Failures.oneLine(one.getSubject())).strip() + numbers;
    }

    private String grant(Granted grant) {
        return String.format(Locale.ROOT, "%s after %.1f s", grant.workers(), secondsUntil(grant.at()));
    }

    private String window(WindowClosed window) {
        return String.format(
                Locale.ROOT,
                "a window after %.1f s, served by %s: %.1f ms a batch, %.1f elements/s, waiting %.0f %%, %.1f batches"
                        + " ready",
                secondsUntil(window.at()),
                window.tasks(),
                window.batchSeconds() * 1e3,
                window.elements() / window.seconds(),
                window.waitShare() * 100,
                window.queueDepth());
    }

    private double secondsUntil(Instant later) {
        return Duration.between(at(), later).toMillis() / 1e3;
    }

    private static String numbers(Map<String, Double> numbers) {
        return new TreeMap<>(numbers)
                .entrySet().stream()
                        .map(one -> one.getKey() + " " + number(one.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private static String number(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15;
        return whole ? Long.toString((long) value) : String.format(Locale.ROOT, "%.4g", value);
    }

    Map<String, Object> object() {
        JournalEntry entry = explained.entry();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", entry.getJob());
        object.put("sequence", entry.getSequence());
        object.put("at", at().toString());
        object.put("atMillis", entry.getAtMillis());
        object.put("seen", object(entry.getObservation()));
        object.put(
                "decided",
                entry.getDecision().stream().map(ExplanationView::object).toList());
        object.put("reason", entry.getReason());
        object.put("numbers", new TreeMap<>(entry.getNumbers()));
        object.put("granted", explained.granted().map(this::object).orElse(null));
        object.put("window", explained.window().map(this::object).orElse(null));
        Map<String, Object> compared = new LinkedHashMap<>();
        explained.compared().forEach((name, one) -> {
            Map<String, Object> both = new LinkedHashMap<>();
            both.put("expected", one.expected());
            both.put("achieved", one.achieved());
            both.put("error", one.error().orElse(null));
            compared.put(name, both);
        });
        object.put("compared", compared);
        return object;
    }

    private static Map<String, Object> object(Observed seen) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kind", seen.getKind());
        object.put("subject", seen.getSubject());
        object.put("numbers", new TreeMap<>(seen.getNumbers()));
        object.put("texts", new TreeMap<>(seen.getTexts()));
        return object;
    }

    private static Map<String, Object> object(Decided decided) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("command", decided.getCommand());
        object.put("subject", decided.getSubject());
        object.put("numbers", new TreeMap<>(decided.getNumbers()));
        return object;
    }

    private Map<String, Object> object(Granted grant) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("afterSeconds", secondsUntil(grant.at()));
        object.put("remote", grant.workers().remote());
        object.put("local", grant.workers().local());
        return object;
    }

    private Map<String, Object> object(WindowClosed window) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("afterSeconds", secondsUntil(window.at()));
        object.put("remote", window.remoteTasks());
        object.put("local", window.localTasks());
        object.put("batchMillis", window.batchSeconds() * 1e3);
        object.put("elementsPerSecond", window.elements() / window.seconds());
        object.put("waitShare", window.waitShare());
        object.put("queueDepth", window.queueDepth());
        return object;
    }
}
