package io.praline.deploy.terminal;

import io.praline.dispatcher.convert.ObservationReader;
import io.praline.dispatcher.convert.WallTime;
import io.praline.dispatcher.replay.Explanation;
import io.praline.policy.Counted;
import io.praline.policy.DecisionNumbers;
import io.praline.policy.Expected;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Terms;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A decision and what then happened, as lines for people and as an object for programs. */
public record ExplanationView(Explanation explained) {

    public List<String> lines() {
        JournalEntry entry = explained.entry();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%5d  %s  %s", entry.getSequence(), at(), seen(entry)));
        lines.add("       " + decided() + ": " + Failures.oneLine(entry.getReason()));
        entry.getDecision().forEach(one -> new TreeMap<>(one.getTexts())
                .forEach((key, text) ->
                        lines.add(String.format(Locale.ROOT, "       %-8s %s", key, Failures.oneLine(text)))));
        lines.addAll(byWhat(DecisionNumbers.read(entry.getNumbers())));
        explained
                .granted()
                .ifPresent(grant -> lines.add(String.format(
                        Locale.ROOT,
                        "       then     it had %s after %.1f s",
                        grant.workers(),
                        secondsUntil(grant.at()))));
        explained
                .window()
                .ifPresent(window -> lines.add(String.format(
                        Locale.ROOT,
                        "       then     after %.1f s a window %s",
                        secondsUntil(window.at()),
                        window(window))));
        explained
                .compared()
                .forEach((quantity, compared) -> lines.add(String.format(
                        Locale.ROOT,
                        "       came     %s %s where %s was expected%s",
                        quantity.key(),
                        number(compared.achieved()),
                        number(compared.expected()),
                        compared.error()
                                .map(error -> String.format(Locale.ROOT, ": off by %+.1f %%", error * 100))
                                .orElse(""))));
        return lines;
    }

    /** A decision's numbers: what it went by, what it expected, and what it expected of each alternative. */
    private static List<String> byWhat(DecisionNumbers numbers) {
        List<String> lines = new ArrayList<>();
        told("by", numbers.grounds()).ifPresent(lines::add);
        told("expects", byKey(numbers.expected())).ifPresent(lines::add);
        numbers.alternatives().stream()
                .sorted(Comparator.comparing(other -> other.workers().toString()))
                .forEach(other -> told("instead  with " + other.workers() + ":", byKey(other.expected()))
                        .ifPresent(lines::add));
        return lines;
    }

    private static Optional<String> told(String what, SortedMap<String, Double> numbers) {
        return numbers.isEmpty()
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "       %-8s %s", what, numbers(numbers)));
    }

    private static SortedMap<String, Double> byKey(Expected expected) {
        SortedMap<String, Double> numbers = new TreeMap<>();
        expected.quantities().forEach((quantity, value) -> numbers.put(quantity.key(), value));
        return numbers;
    }

    private Instant at() {
        return Instant.ofEpochMilli(WallTime.millis(explained.entry()));
    }

    private static String seen(JournalEntry entry) {
        String kind = entry.getObservation().getKind();
        return ObservationReader.observation(entry)
                .map(seen -> kind + ": " + Failures.oneLine(told(seen)))
                .orElseGet(() -> asWritten(entry.getObservation()));
    }

    /** What a policy saw, in words. */
    private static String told(Observation seen) {
        return seen.match(new Observation.Cases<>() {
            @Override
            public String planned(Observation.Planned plan) {
                return Counted.of(plan.splits(), "split") + ", " + plan.bytes() + " bytes"
                        + (plan.singleTask() ? ", one task at a time" : "");
            }

            @Override
            public String poolChanged(Observation.PoolChanged pool) {
                return Counted.of(pool.workers(), "worker") + " of the pool "
                        + Counted.word(pool.workers(), "takes", "take") + " new work, with "
                        + Counted.of(pool.slots(), "slot");
            }

            @Override
            public String termsSet(Observation.TermsSet set) {
                Terms terms = set.terms();
                return terms.goal().name().toLowerCase(Locale.ROOT) + " is to be small; an hour costs "
                        + number(terms.prices().clientPerHour()) + " for the trainer's host and "
                        + number(terms.prices().remotePerHour()) + " for a remote worker, a GB of egress "
                        + number(terms.prices().egressPerGb()) + "; at most "
                        + terms.limits().maxRemote()
                        + " remote and " + terms.limits().maxLocal() + " local workers"
                        + (terms.cap() < Double.POSITIVE_INFINITY ? "; cap " + number(terms.cap()) : "");
            }

            @Override
            public String pinned(Observation.Pinned pin) {
                return pin.target().map(target -> "to " + target).orElse("to nothing any more");
            }

            @Override
            public String granted(Granted grant) {
                return grant.workers() + " serve it";
            }

            @Override
            public String rateMeasured(Observation.RateMeasured rate) {
                String who = rate.local()
                        ? "local worker " + rate.worker() + ", one of " + rate.beside() + " there,"
                        : "remote worker " + rate.worker();
                return who + " makes " + number(rate.elementsPerSecond()) + " elements/s";
            }

            @Override
            public String windowClosed(WindowClosed window) {
                return String.format(Locale.ROOT, "%.1f s %s", window.seconds(), window(window))
                        + (window.straddles() ? ", while they changed" : "");
            }

            @Override
            public String orderChanged(Observation.OrderChanged order) {
                return "new tasks are expected to make " + number(order.gain()) + " times as many elements";
            }

            @Override
            public String tenantSpent(Observation.TenantSpent tenant) {
                return "all jobs of its tenant have spent " + number(tenant.spent()) + " together; "
                        + (tenant.cap() < Double.POSITIVE_INFINITY
                                ? "the tenant's cap is " + number(tenant.cap())
                                : "the tenant has no cap");
            }

            @Override
            public String clock(Observation.Clock clock) {
                return "time passed";
            }
        });
    }

    private static String asWritten(Observed seen) {
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
        return ObservationReader.target(List.of(one))
                .map(to -> one.getCommand() + " " + to)
                .orElseGet(() -> asWritten(one));
    }

    private static String asWritten(Decided one) {
        String numbers = one.getNumbers().isEmpty() ? "" : " (" + numbers(one.getNumbers()) + ")";
        return (one.getCommand() + " " + Failures.oneLine(one.getSubject())).strip() + numbers;
    }

    private static String window(WindowClosed window) {
        return String.format(
                Locale.ROOT,
                "served by %s: %.1f ms a batch, %.1f elements/s, waiting %.0f %%, %.1f batches ready",
                window.tasks(),
                window.batchSeconds() * 1e3,
                window.elements() / window.seconds(),
                window.waitShare() * 100,
                window.queueDepth());
    }

    /** By the dispatcher's time, which observations have: people's went on while the cluster was away. */
    private double secondsUntil(Instant later) {
        Instant decided = Instant.ofEpochMilli(explained.entry().getAtMillis());
        return Duration.between(decided, later).toMillis() / 1e3;
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

    public Map<String, Object> object() {
        JournalEntry entry = explained.entry();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", entry.getJob());
        object.put("sequence", entry.getSequence());
        object.put("at", at().toString());
        object.put("atMillis", WallTime.millis(entry));
        object.put("seen", object(entry.getObservation()));
        object.put(
                "decided",
                entry.getDecision().stream().map(ExplanationView::object).toList());
        object.put("reason", entry.getReason());
        object.put("numbers", new TreeMap<>(entry.getNumbers()));
        object.put("granted", explained.granted().map(this::object).orElse(null));
        object.put("window", explained.window().map(this::object).orElse(null));
        Map<String, Object> compared = new LinkedHashMap<>();
        explained.compared().forEach((quantity, one) -> {
            Map<String, Object> both = new LinkedHashMap<>();
            both.put("expected", one.expected());
            both.put("achieved", one.achieved());
            both.put("error", one.error().orElse(null));
            compared.put(quantity.key(), both);
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
        object.put("texts", new TreeMap<>(decided.getTexts()));
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
