package io.praline.policy;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState.Plan;
import io.praline.policy.PolicyState.Pool;
import io.praline.policy.PolicyState.Spending;
import io.praline.policy.PolicyState.Tenant;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What policies know of a job, as texts by name: the dispatcher's row and the journal's snapshot hold this. Numbers come
 * back bit by bit.
 */
public final class PolicyStateText {
    private static final String MEMORY = "memory.";
    private static final String WINDOW = "window.";
    private static final int LETTERS = 'z' - 'a';

    private PolicyStateText() {}

    public static SortedMap<String, String> write(PolicyState state) {
        SortedMap<String, String> texts = new TreeMap<>();
        Terms terms = state.terms();
        texts.put("goal", terms.goal().name());
        texts.put("clientPerHour", Double.toString(terms.prices().clientPerHour()));
        texts.put("remotePerHour", Double.toString(terms.prices().remotePerHour()));
        texts.put("egressPerGb", Double.toString(terms.prices().egressPerGb()));
        texts.put("maxRemote", Integer.toString(terms.limits().maxRemote()));
        texts.put("maxLocal", Integer.toString(terms.limits().maxLocal()));
        texts.put("cap", Double.toString(terms.cap()));
        texts.put("splits", Long.toString(state.plan().splits()));
        texts.put("singleTask", Boolean.toString(state.plan().singleTask()));
        texts.put("poolWorkers", Integer.toString(state.pool().workers()));
        texts.put("poolSlots", Integer.toString(state.pool().slots()));
        texts.put("wanted", write(state.wanted()));
        texts.put("granted", write(state.granted()));
        texts.put("scaledAtMillis", Long.toString(state.scaledAt().toEpochMilli()));
        state.pinned().ifPresent(pin -> texts.put("pinned", write(pin)));
        texts.put("spent", Double.toString(state.spending().amount()));
        texts.put("spentAtMillis", Long.toString(state.spending().at().toEpochMilli()));
        if (!state.tenant().equals(Tenant.UNBOUNDED)) {
            texts.put("tenantSpent", Double.toString(state.tenant().spent()));
            texts.put("tenantCap", Double.toString(state.tenant().cap()));
        }
        int number = 0;
        for (WindowClosed window : state.windows()) {
            texts.put(WINDOW + letters(number++), write(window));
        }
        state.memory().forEach((name, value) -> texts.put(MEMORY + name, Double.toString(value)));
        return texts;
    }

    /**
     * The state that {@link #write} wrote.
     *
     * @throws IllegalArgumentException naming what is missing or cannot be
     */
    public static PolicyState read(Map<String, String> texts) {
        Texts in = new Texts(texts);
        List<WindowClosed> windows = new ArrayList<>();
        SortedMap<String, Double> memory = new TreeMap<>();
        new TreeMap<>(texts).forEach((name, text) -> {
            if (name.startsWith(WINDOW)) {
                windows.add(in.window(name));
            } else if (name.startsWith(MEMORY)) {
                memory.put(name.substring(MEMORY.length()), in.real(name));
            }
        });
        return new PolicyState(
                new Terms(
                        Goal.valueOf(in.text("goal")),
                        new Prices(in.real("clientPerHour"), in.real("remotePerHour"), in.real("egressPerGb")),
                        new Limits((int) in.whole("maxRemote"), (int) in.whole("maxLocal")),
                        in.real("cap")),
                new Plan(in.whole("splits"), Boolean.parseBoolean(in.text("singleTask"))),
                new Pool((int) in.whole("poolWorkers"), (int) in.whole("poolSlots")),
                in.target("wanted"),
                in.target("granted"),
                Instant.ofEpochMilli(in.whole("scaledAtMillis")),
                texts.containsKey("pinned") ? Optional.of(in.target("pinned")) : Optional.empty(),
                new Spending(in.real("spent"), Instant.ofEpochMilli(in.whole("spentAtMillis"))),
                texts.containsKey("tenantCap")
                        ? new Tenant(in.real("tenantSpent"), in.real("tenantCap"))
                        : Tenant.UNBOUNDED,
                windows,
                memory);
    }

    /** In the order of numbers: a to y, za to zy, zza and so on. */
    private static String letters(int number) {
        return "z".repeat(number / LETTERS) + (char) ('a' + number % LETTERS);
    }

    private static String write(Target target) {
        return target.remote() + "+" + target.local();
    }

    private static String write(WindowClosed window) {
        return String.join(
                " ",
                Long.toString(window.at().toEpochMilli()),
                Integer.toString(window.consumer()),
                Long.toString(window.batches()),
                Long.toString(window.elements()),
                Double.toString(window.seconds()),
                Double.toString(window.waitShare()),
                Double.toString(window.queueDepth()),
                Integer.toString(window.localTasks()),
                Integer.toString(window.remoteTasks()),
                Long.toString(window.bytes()));
    }

    private record Texts(Map<String, String> texts) {
        String text(String name) {
            String text = texts.get(name);
            if (text == null) {
                throw new IllegalArgumentException("a job's state has no " + name);
            }
            return text;
        }

        long whole(String name) {
            return number(name, Long::parseLong);
        }

        double real(String name) {
            return number(name, Double::parseDouble);
        }

        Target target(String name) {
            String[] parts = text(name).split("\\+", -1);
            if (parts.length != 2) {
                throw new IllegalArgumentException(name + " must be REMOTE+LOCAL, is " + text(name));
            }
            return number(name, text -> new Target(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])));
        }

        /** The tenth number came later: where it is not there, the bytes are not known. */
        WindowClosed window(String name) {
            String[] parts = text(name).split(" ", -1);
            if (parts.length != 9 && parts.length != 10) {
                throw new IllegalArgumentException(name + " must have 9 or 10 numbers, is " + text(name));
            }
            return number(
                    name,
                    text -> new WindowClosed(
                            Instant.ofEpochMilli(Long.parseLong(parts[0])),
                            Integer.parseInt(parts[1]),
                            Long.parseLong(parts[2]),
                            Long.parseLong(parts[3]),
                            parts.length == 9 ? 0 : Long.parseLong(parts[9]),
                            Double.parseDouble(parts[4]),
                            Double.parseDouble(parts[5]),
                            Double.parseDouble(parts[6]),
                            Integer.parseInt(parts[7]),
                            Integer.parseInt(parts[8]),
                            false));
        }

        private interface Parsing<V> {
            V of(String text);
        }

        private <V> V number(String name, Parsing<V> parsing) {
            try {
                return parsing.of(text(name));
            } catch (NumberFormatException none) {
                throw new IllegalArgumentException(name + " must be a number, is " + text(name), none);
            }
        }
    }
}
