package io.praline.policy.ordering.verification;

import io.praline.policy.Counted;
import io.praline.policy.ordering.plan.Proof;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether a variant is used.
 *
 * @param accepted whether it is
 * @param reason in words
 */
public record Verdict(boolean accepted, String reason) {
    /** What must be gained for sure, so that a change pays. */
    public static final double LEAST_GAIN = 1.02;

    /**
     * The results of the user's order and of a variant, ticket by ticket.
     *
     * @param elements that both yielded and that were compared
     * @param missing that only one of them yielded
     * @param unequal of those compared, how many were not the same bit for bit
     * @param largestDifference beside the range of values; NaN where one is no number and the other is
     */
    public record Comparison(long elements, long missing, long unequal, double largestDifference) {
        public Comparison {
            if (elements < 0 || missing < 0 || unequal < 0 || unequal > elements || largestDifference < 0) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "of elements compared at most all can be unequal, are %d compared, %d missing, %d unequal by %s",
                        elements,
                        missing,
                        unequal,
                        largestDifference));
            }
        }
    }

    /**
     * How results differ more than they may; empty where they do not.
     *
     * @param proof what the variant's moves promise
     * @param tolerance how far results may differ where they need not be the same
     */
    public static Optional<String> difference(Proof proof, double tolerance, Comparison results) {
        if (results.missing() > 0) {
            return text("%s came from one of the two only", Counted.of(results.missing(), "element"));
        }
        if (proof == Proof.EXACT && results.unequal() > 0) {
            return text(
                    "%d of %s %s, by up to %.1e of the range, and none should",
                    results.unequal(),
                    Counted.of(results.elements(), "element"),
                    Counted.word(results.unequal(), "differs", "differ"),
                    results.largestDifference());
        }
        // so that NaN is rejected
        if (proof == Proof.TOLERANT && !(results.largestDifference() <= tolerance)) {
            return text(
                    "elements differ by up to %.1e of the range, and %.1e is what its moves allow",
                    results.largestDifference(), tolerance);
        }
        return Optional.empty();
    }

    /**
     * The same results, as far as was promised, and faster for sure.
     *
     * @param proof what the variant's moves promise
     * @param tolerance how far results may differ where they need not be the same
     */
    public static Verdict of(Proof proof, double tolerance, Comparison results, GainBound gain) {
        Optional<String> difference = difference(proof, tolerance, results);
        if (difference.isPresent()) {
            return new Verdict(false, difference.get());
        }
        if (results.elements() == 0) {
            return rejected("no element was compared: the sample yields none, try one of other files");
        }
        if (!(gain.lower() > LEAST_GAIN)) {
            return rejected(
                    "it is %.3f times as fast, but only %.3f for sure, and less than %.2f does not pay",
                    gain.gain(), gain.lower(), LEAST_GAIN);
        }
        return new Verdict(
                true,
                String.format(
                        Locale.ROOT,
                        "%s compared, the largest difference %.1e of the range; %.3f times as fast, at least %.3f for sure",
                        Counted.of(results.elements(), "element"),
                        results.largestDifference(),
                        gain.gain(),
                        gain.lower()));
    }

    private static Verdict rejected(String reason, Object... numbers) {
        return new Verdict(false, String.format(Locale.ROOT, reason, numbers));
    }

    private static Optional<String> text(String reason, Object... numbers) {
        return Optional.of(String.format(Locale.ROOT, reason, numbers));
    }
}
