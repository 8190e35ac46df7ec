package io.praline.policy.ordering;

import io.praline.policy.ordering.Extents.Seen;
import io.praline.policy.ordering.Rule.Condition;
import io.praline.policy.ordering.Rule.Ruling;
import io.praline.policy.ordering.Rule.Swap;
import io.praline.policy.ordering.plan.Blocked;
import io.praline.policy.ordering.plan.Move;
import io.praline.policy.ordering.plan.Proof;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which of a pipeline's steps may move before which, by the rules and by what follows. A pair's answer is the same in
 * whatever order the others stand, so every order in which each pair that changed places may do so can be reached by
 * neighbours that change places one after the other.
 */
final class Admissions {
    /** The place of a batch that the user did not write. */
    private static final int NONE = -1;

    /**
     * With the one that fails its whole batch is left out, and others without it than those that came behind one by one. And
     * where what fails takes along what a batch holds already, one that a filter rejects before takes nothing.
     */
    private static final Condition FAILS_ALONE =
            new Condition("it cannot fail, or nothing behind leaves out what fails", swap -> false);

    private final List<Step> steps;
    private final OrderOptions options;
    private final Set<Proof> proofs;
    private final boolean earlyFits;
    private final Extents extents;

    /**
     * @param steps the whole pipeline in the user's order
     * @param proofs that are good enough
     */
    Admissions(List<Step> steps, OrderOptions options, Set<Proof> proofs) {
        this.steps = List.copyOf(steps);
        this.options = options;
        this.proofs = Set.copyOf(proofs);
        this.earlyFits = EarlyBatch.fits(steps);
        this.extents = new Extents(steps);
    }

    /** The move of one step before one that comes earlier; both counted from 0 in the user's order. Empty: it may not. */
    Optional<Move> move(int first, int second) {
        if (!comparable(first, second)) {
            return Optional.empty();
        }
        return rulings(first, second).stream()
                .filter(Ruling::admits)
                .map(Ruling::rule)
                .filter(rule -> proofs.contains(rule.proof()))
                .filter(rule -> rule.proof() != Proof.TOLERANT
                        || magnified(first, second).isEmpty())
                .findFirst()
                .map(rule -> moved(steps.get(second), first, second, rule));
    }

    /**
     * That a step runs on a batch that is made for it. Empty: it may not.
     *
     * @param at counted from 0 in the user's order
     */
    Optional<Move> early(int at, int size) {
        if (!earlyFits) {
            return Optional.empty();
        }
        Step batch = EarlyBatch.step(size);
        return BatchRules.ALL.stream()
                .flatMap(rule -> rule.of(swap(at, batch, at)).stream())
                .filter(Ruling::admits)
                .map(Ruling::rule)
                .filter(rule -> proofs.contains(rule.proof()))
                .filter(rule ->
                        rule.proof() != Proof.TOLERANT || magnified(at, NONE).isEmpty())
                .findFirst()
                .map(rule -> moved(batch, at, NONE, rule));
    }

    /** Why a step does not run on a batch that is made for it, where all that keeps it from that is the size of elements. */
    Optional<Blocked> blockedEarly(int at) {
        Step step = steps.get(at);
        boolean taken = EarlyBatch.takes(step.before()) && EarlyBatch.takes(step.after());
        return taken
                ? Optional.empty()
                : early(at, EarlyBatch.MOST)
                        .map(move -> new Blocked(
                                move.step(),
                                move.past(),
                                "the graph says how large all of an element is in front of it and behind it"));
    }

    private Move moved(Step moved, int first, int second, Rule rule) {
        return new Move(
                moved.name(),
                steps.get(first).name(),
                rule.name(),
                rule.proof(),
                rule.proof() == Proof.TOLERANT ? tolerance(rule, first, second) : rule.tolerance(),
                words(rule));
    }

    /** Its own conditions; what holds for every move goes without saying. */
    private static String words(Rule rule) {
        return rule.conditions().stream()
                .filter(condition -> !MoveRules.WALLS.contains(condition) && !BatchRules.WALLS.contains(condition))
                .map(Condition::words)
                .collect(Collectors.joining("; "));
    }

    /** Why it may not, where it is for one reason. */
    Optional<Blocked> blocked(int first, int second) {
        if (!comparable(first, second) || move(first, second).isPresent()) {
            return Optional.empty();
        }
        List<Ruling> rulings = rulings(first, second);
        Optional<Rule> admitted =
                rulings.stream().filter(Ruling::admits).map(Ruling::rule).findFirst();
        if (admitted.isPresent()) {
            return Optional.of(blocked(first, second, insteadOf(admitted.get(), first, second)));
        }
        return rulings.stream()
                .filter(ruling -> ruling.failed().size() == 1)
                .min(Comparator.comparing(ruling -> ruling.rule().proof()))
                .map(ruling -> blocked(first, second, ruling.failed().get(0).words()));
    }

    private Blocked blocked(int first, int second, String words) {
        return new Blocked(steps.get(second).name(), steps.get(first).name(), words);
    }

    private String insteadOf(Rule admitted, int first, int second) {
        return admitted.proof() == Proof.TOLERANT && proofs.contains(Proof.TOLERANT)
                ? "nothing that follows makes a small difference large, as "
                        + magnified(first, second).orElseThrow() + " does"
                : "results may differ by rounding";
    }

    /** What stands on different sides of a batch is not of the same rank; what a batch moves past goes on to no other. */
    private boolean comparable(int first, int second) {
        return steps.subList(first, second).stream().noneMatch(step -> step.is(StepKind.BATCH, StepKind.BARRIER));
    }

    private List<Ruling> rulings(int first, int second) {
        Swap swap = swap(first, second);
        List<Ruling> rulings = new ArrayList<>();
        List<Rule> rules = steps.get(second).is(StepKind.BATCH) ? BatchRules.ALL : MoveRules.ALL;
        rules.forEach(rule -> rule.of(swap).ifPresent(rulings::add));
        return failsForOthers(first, second)
                ? rulings.stream().map(ruling -> ruling.and(FAILS_ALONE)).toList()
                : rulings;
    }

    private Swap swap(int first, int second) {
        return swap(first, steps.get(second), second);
    }

    /** @param last up to which steps stand between the two, or might */
    private Swap swap(int first, Step second, int last) {
        Step one = steps.get(first);
        SortedSet<Integer> components = new TreeSet<>(one.writes());
        components.addAll(second.writes());
        return new Swap(one, second, options, extents.between(first, last, components));
    }

    private boolean failsForOthers(int first, int second) {
        List<Step> behind = steps.subList(second, steps.size());
        boolean leavesOut = steps.get(first).mayFail() && behind.stream().anyMatch(EarlyBatch::ignoresErrors);
        return leavesOut
                && switch (steps.get(second).kind()) {
                    case BATCH -> true;
                    case FILTER -> takesAlong(behind);
                    default -> false;
                };
    }

    /** Whether a step that may lose what it holds when an element fails stands in front of the one that leaves it out. */
    private static boolean takesAlong(List<Step> behind) {
        return !behind.stream()
                .filter(step -> step.is(StepKind.BATCH, StepKind.BARRIER))
                .findFirst()
                .filter(EarlyBatch::ignoresErrors)
                .isPresent();
    }

    /** Who behind the pair would make a small difference of what it writes large; it may as well stand between the two. */
    private Optional<String> magnified(int first, int second) {
        double growth = 1;
        for (int at : followers(first, second)) {
            Step step = steps.get(at);
            Seen values = values(at);
            growth *= values.growth();
            Optional<String> op = Amplifiers.of(step, values, growth);
            if (op.isPresent()) {
                return op.map(name -> step.name() + " (" + name + ")");
            }
        }
        return Optional.empty();
    }

    private Seen values(int at) {
        return extents.between(at, at, steps.get(at).writes());
    }

    /**
     * How far results may be apart by the move. Where few digits are kept, in the pair or behind it, a difference in the last bit
     * is one of the last digit, which each op of such values may make one more. What leaves little of the values' range lets the
     * same difference be more of it.
     */
    private double tolerance(Rule rule, int first, int second) {
        double apart = second == NONE
                ? rule.tolerance()
                : Math.max(rule.tolerance(), Rounding.of(swap(first, second)).orElse(0));
        List<Integer> followers = followers(first, second);
        double growth =
                followers.stream().mapToDouble(at -> values(at).growth()).reduce(1, (one, other) -> one * other);
        double narrow = Stream.concat(second == NONE ? Stream.of(first) : Stream.of(first, second), followers.stream())
                .mapToDouble(at -> Rounding.ofFewDigits(steps.get(at), values(at)))
                .sum();
        return growth == 1 && narrow == 0 ? apart : Rounding.up((apart + narrow) * growth);
    }

    /** Those that take what the pair gives, directly or by others; counted from 0 in the user's order. */
    private List<Integer> followers(int first, int second) {
        Set<Integer> reached = new HashSet<>(steps.get(first).writes());
        if (second != NONE && !steps.get(second).is(StepKind.BATCH)) {
            reached.addAll(steps.get(second).writes());
        }
        List<Integer> followers = new ArrayList<>();
        for (int i = first + 1; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (i == second || step.is(StepKind.BATCH)) {
                continue;
            }
            // what a barrier makes of its components nobody says
            if (step.is(StepKind.BARRIER) && !step.before().equals(step.after())) {
                reached.addAll(all(step.after()));
            }
            if (step.is(StepKind.BARRIER)) {
                followers.add(i);
                continue;
            }
            if (step.reads().stream().anyMatch(reached::contains)) {
                followers.add(i);
                reached.addAll(step.writes());
            }
            if (step.restructures()) {
                reached.addAll(all(step.after()));
            }
        }
        return followers;
    }

    private static List<Integer> all(List<TensorSpec> specs) {
        return IntStream.range(0, specs.size()).boxed().toList();
    }
}
