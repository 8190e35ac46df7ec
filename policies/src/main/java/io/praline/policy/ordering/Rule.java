package io.praline.policy.ordering;

import io.praline.policy.ordering.plan.Proof;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Why one step may move before the one that stands before it.
 *
 * @param name as it is told
 * @param proof how equal results are
 * @param tolerance the largest difference, beside the range of values; 0 where there is none or nobody can say
 * @param about which pairs it is about at all
 * @param conditions all of which must hold of such a pair
 */
record Rule(String name, Proof proof, double tolerance, Predicate<Swap> about, List<Condition> conditions) {
    Rule {
        conditions = List.copyOf(conditions);
    }

    /**
     * The question whether a step may move before the one that comes first now.
     *
     * @param first comes first now
     * @param second would then
     * @param options what the user says
     * @param values how large the values are that they work on, as far as is known
     */
    record Swap(Step first, Step second, OrderOptions options, Extents.Seen values) {
        boolean either(Predicate<Step> one) {
            return one.test(first) || one.test(second);
        }

        boolean both(Predicate<Step> all) {
            return all.test(first) && all.test(second);
        }

        /** The one of this kind; where both are, the first. */
        Step the(StepKind kind) {
            return first.is(kind) ? first : second;
        }

        Step other(Step one) {
            return one.equals(first) ? second : first;
        }

        /** Whether one is of the one kind and one of the other. */
        boolean isOf(StepKind one, StepKind other) {
            return (first.is(one) && second.is(other)) || (first.is(other) && second.is(one));
        }

        /** Whether there is a component that both have to do with, and one of them changes. */
        boolean meet() {
            return first.writes().stream().anyMatch(second::touches)
                    || second.writes().stream().anyMatch(first::touches);
        }
    }

    /**
     * What must hold.
     *
     * @param words what follows "only where"
     * @param holds of a pair that the rule is about
     */
    record Condition(String words, Predicate<Swap> holds) {}

    /**
     * What the rule says of a pair.
     *
     * @param rule that was asked
     * @param failed conditions that do not hold; none where the move is admitted
     */
    record Ruling(Rule rule, List<Condition> failed) {
        boolean admits() {
            return failed.isEmpty();
        }

        /** The same, and one more does not hold. */
        Ruling and(Condition more) {
            return new Ruling(
                    rule, Stream.concat(failed.stream(), Stream.of(more)).toList());
        }
    }

    /** What it says of this pair; nothing where it is not about such pairs. */
    Optional<Ruling> of(Swap swap) {
        return about.test(swap)
                ? Optional.of(new Ruling(
                        this,
                        conditions.stream()
                                .filter(condition -> !condition.holds().test(swap))
                                .toList()))
                : Optional.empty();
    }

    Rule and(List<Condition> more) {
        return new Rule(
                name,
                proof,
                tolerance,
                about,
                Stream.concat(more.stream(), conditions.stream()).toList());
    }
}
