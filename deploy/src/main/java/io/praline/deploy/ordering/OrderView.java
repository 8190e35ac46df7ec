package io.praline.deploy.ordering;

import io.praline.policy.Counted;
import io.praline.policy.ordering.plan.Move;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Prediction.StepCost;
import io.praline.policy.ordering.plan.Proof;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.profile.Profile;
import io.praline.worker.profile.StepMeasure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** An order that was found, as people and programs read it. */
public record OrderView(Ordering ordering) {
    private static final double NANOS_PER_MICRO = 1e3;

    /** What moves where, why, and what came of it. */
    public List<String> lines() {
        OrderPlan plan = ordering.plan();
        List<String> lines = new ArrayList<>();
        ordering.refused()
                .ifPresent(
                        why -> lines.add("order       nothing moves, because what was found cannot be used: " + why));
        lines.add((ordering.refused().isEmpty() ? "order       " : "found       ")
                + reason()
                + (plan.bounded() ? "; not all orders were compared" : ""));
        lines.add(line("step", "kind", "place", "time an element", "times", "proof"));
        for (StepDescription step : ordering.measured().steps()) {
            int from = from(step.name());
            int to = to(step.name());
            lines.add(line(
                    step.name(),
                    word(step.kind()),
                    from == to ? Integer.toString(from) : from + " -> " + to,
                    format("%.2f us", nanosPerElement(step.name()) / NANOS_PER_MICRO),
                    inflation(step.name()).map(times -> format("%.2f", times)).orElse(""),
                    proof(step.name()).map(OrderView::word).orElse("")));
        }
        plan.moves().forEach(move -> lines.add("move        " + move + "; holds where " + move.condition()));
        plan.blocked().forEach(blocked -> lines.add("blocked     " + blocked));
        ordering.trial().ifPresent(trial -> {
            lines.add(format("predicted   %.2f times as many elements", plan.predictedGain()));
            lines.add(format(
                    "measured    %.2f times as many, %.2f to %.2f nine times out of ten, by %s of runs",
                    trial.gain().gain(),
                    trial.gain().lower(),
                    trial.gain().upper(),
                    Counted.of(trial.gain().pairs(), "pair")));
            lines.add("difference  " + difference(trial));
            lines.add("verdict     " + (trial.verdict().accepted() ? "better: " : "not used: ")
                    + trial.verdict().reason());
        });
        return lines;
    }

    /** Where nothing was measured, no order is known to cost less. */
    private String reason() {
        boolean measured = ordering.measured().profile().records() > 0;
        return measured || !ordering.plan().movesNothing()
                ? ordering.plan().reason()
                : "nothing can move, because no record of the sample was read, and so nothing was measured";
    }

    private static String difference(Ordering.Trial trial) {
        String of = " of " + Counted.of(trial.seen().elements(), "element");
        return trial.seen().unequal() == 0
                ? "none" + of
                : trial.seen().unequal() + of + Counted.word(trial.seen().unequal(), " differs", " differ")
                        + ", by up to "
                        + format("%.1e of the range of values", trial.seen().largestDifference());
    }

    private static String line(String step, String kind, String place, String time, String times, String proof) {
        return format("  %-24s %-11s %9s %15s %7s  %s", step, kind, place, time, times, proof)
                .stripTrailing();
    }

    /** An object for each step, in the user's order. */
    public List<Map<String, Object>> steps() {
        return ordering.measured().steps().stream().map(this::step).toList();
    }

    private Map<String, Object> step(StepDescription step) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", step.name());
        object.put("transformation", step.transformation());
        object.put("kind", step.kind().name());
        object.put("from", from(step.name()));
        object.put("to", to(step.name()));
        object.put("inflation", inflation(step.name()).orElse(null));
        object.put("nanosPerElement", Math.round(nanosPerElement(step.name())));
        object.put("proof", proof(step.name()).map(Proof::name).orElse(null));
        return object;
    }

    /** What came of all of it. */
    public Map<String, Object> summary() {
        OrderPlan plan = ordering.plan();
        Optional<Ordering.Trial> trial = ordering.trial();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("moved", trial.isPresent() ? plan.moves().size() : 0);
        object.put("predictedGain", plan.predictedGain());
        object.put("measuredGain", trial.map(one -> one.gain().gain()).orElse(1.0));
        object.put(
                "largestDifference",
                trial.map(one -> one.seen().largestDifference()).orElse(0.0));
        object.put("reason", reason());
        object.put("moves", plan.moves().stream().map(OrderView::move).toList());
        object.put(
                "blocked",
                plan.blocked().stream()
                        .map(blocked -> Map.of(
                                "step", blocked.step(), "past", blocked.past(), "condition", blocked.condition()))
                        .toList());
        ordering.refused().ifPresent(why -> object.put("refused", why));
        trial.ifPresent(one -> {
            object.put("measuredGainLower", one.gain().lower());
            object.put("measuredGainUpper", one.gain().upper());
            object.put("pairs", one.gain().pairs());
            object.put("compared", one.seen().elements());
            object.put("unequal", one.seen().unequal());
            object.put("missing", one.seen().missing());
            object.put("accepted", one.verdict().accepted());
            object.put("verdict", one.verdict().reason());
        });
        return object;
    }

    private static Map<String, Object> move(Move move) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("step", move.step());
        object.put("past", move.past());
        object.put("rule", move.rule());
        object.put("proof", move.proof().name());
        object.put("tolerance", move.tolerance());
        object.put("condition", move.condition());
        return object;
    }

    private int from(String step) {
        return place(ordering.plan().before().steps(), step);
    }

    private int to(String step) {
        return place(ordering.plan().after().steps(), step);
    }

    /** Counted from 1 behind the source. */
    private static int place(List<StepCost> order, String step) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i).name().equals(step)) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("no step " + step + " in " + order);
    }

    private double nanosPerElement(String step) {
        Profile profile = ordering.measured().profile();
        return ordering.measured().measure(step).map(profile::nanosPerRecord).orElse(0.0);
    }

    private Optional<Double> inflation(String step) {
        Optional<StepMeasure> measure = ordering.measured().measure(step);
        return measure.flatMap(Profile::inflation);
    }

    /** The weakest of the moves that a step takes part in; empty where it takes part in none. */
    private Optional<Proof> proof(String step) {
        return ordering.plan().moves().stream()
                .filter(move -> move.step().equals(step) || move.past().equals(step))
                .map(Move::proof)
                .max(Proof::compareTo);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
