package io.praline.dispatcher.replay;

import io.praline.dispatcher.convert.ObservationReader;
import io.praline.policy.DecisionNumbers;
import io.praline.policy.Expected;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.PolicyStateText;
import io.praline.policy.Quantity;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.schema.JournalEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A decision, and what then happened.
 *
 * @param entry the decision as it is journaled
 * @param granted the first grant after it, up to the next change of the target
 * @param window the first steady window after it, up to the next change of the target; of those that the target's
 *     workers served if there is one
 * @param compared what the decision expected of that window against what came
 */
public record Explanation(
        JournalEntry entry,
        Optional<Granted> granted,
        Optional<WindowClosed> window,
        SortedMap<Quantity, Compared> compared) {

    /** Entries after a decision among which its effect is looked for. */
    private static final int MOST_LATER = 200;

    /**
     * A number that was expected, and what it turned out to be.
     *
     * @param expected by the decision
     * @param achieved in the window after it
     */
    public record Compared(double expected, double achieved) {
        /** By how much it was wrong, as a share of what came; empty where nothing came. */
        public Optional<Double> error() {
            return achieved == 0 ? Optional.empty() : Optional.of(expected / achieved - 1);
        }
    }

    /** Every decision in these entries of one job, in order. */
    public static List<Explanation> all(List<JournalEntry> entries) {
        List<Optional<Observation>> seen =
                entries.stream().map(ObservationReader::observation).toList();
        List<Optional<Target>> targets = new ArrayList<>();
        List<Explanation> all = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            targets.add(
                    seen.get(i).isPresent()
                            ? ObservationReader.target(entries.get(i).getDecision())
                            : Optional.empty());
        }
        Terms terms = Terms.USUAL;
        Target inForce = Target.NONE;
        for (int i = 0; i < entries.size(); i++) {
            Optional<PolicyState> known =
                    entries.get(i).getSnapshot().map(snapshot -> PolicyStateText.read(snapshot.getState()));
            if (known.isPresent()) {
                terms = known.get().terms();
                inForce = known.get().wanted();
            }
            if (seen.get(i).isPresent() && seen.get(i).get() instanceof TermsSet set) {
                terms = set.terms();
            }
            inForce = targets.get(i).orElse(inForce);
            all.add(explained(entries, seen, targets, i, inForce, terms));
        }
        return all;
    }

    private static Explanation explained(
            List<JournalEntry> entries,
            List<Optional<Observation>> seen,
            List<Optional<Target>> targets,
            int at,
            Target inForce,
            Terms terms) {
        Optional<Granted> granted = Optional.empty();
        Optional<WindowClosed> first = Optional.empty();
        Optional<WindowClosed> served = Optional.empty();
        boolean policys = seen.get(at).isPresent();
        int until = policys ? Math.min(entries.size(), at + 1 + MOST_LATER) : 0;
        for (int i = at + 1; i < until && served.isEmpty(); i++) {
            Optional<Observation> next = seen.get(i);
            if (next.isPresent() && next.get() instanceof Granted grant && granted.isEmpty()) {
                granted = Optional.of(grant);
            }
            if (next.isPresent() && next.get() instanceof WindowClosed window && !window.straddles()) {
                first = first.isPresent() ? first : Optional.of(window);
                served = window.tasks().equals(inForce) ? Optional.of(window) : Optional.empty();
            }
            if (targets.get(i).isPresent()) {
                break;
            }
        }
        return new Explanation(
                entries.get(at),
                granted,
                served.isPresent() ? served : first,
                served.map(window -> compared(entries.get(at), window, terms)).orElseGet(TreeMap::new));
    }

    private static SortedMap<Quantity, Compared> compared(JournalEntry entry, WindowClosed window, Terms terms) {
        SortedMap<Quantity, Compared> compared = new TreeMap<>();
        Expected expected = DecisionNumbers.read(entry.getNumbers()).expected();
        expected.quantities().forEach((quantity, value) -> achieved(quantity, window, terms)
                .ifPresent(came -> compared.put(quantity, new Compared(value, came))));
        return compared;
    }

    /** What a window tells of it: a decision that expects it is held against that. */
    private static OptionalDouble achieved(Quantity quantity, WindowClosed window, Terms terms) {
        double perHour = terms.prices().cost(window.tasks(), 3600);
        return switch (quantity) {
            case BATCH_MILLIS -> OptionalDouble.of(window.batchSeconds() * 1e3);
            case BATCH_SECONDS -> OptionalDouble.of(window.batchSeconds());
            case BATCHES_PER_SECOND -> OptionalDouble.of(1 / window.batchSeconds());
            case COST_PER_HOUR -> OptionalDouble.of(perHour);
            case COST_PER_MILLION_ELEMENTS ->
                window.elements() > 0
                        ? OptionalDouble.of(perHour * window.seconds() / 3600 / window.elements() * 1e6)
                        : OptionalDouble.empty();
            case EGRESS_PER_HOUR -> OptionalDouble.empty();
            case ELEMENTS_PER_SECOND -> OptionalDouble.of(window.elements() / window.seconds());
            case QUEUE_DEPTH -> OptionalDouble.of(window.queueDepth());
            case WAIT_SHARE -> OptionalDouble.of(window.waitShare());
        };
    }
}
