package io.praline.policy.ordering.plan;

import java.util.Locale;

/**
 * That a step moves before another that came first. Of a batch that moves before a step: the step works on whole batches
 * from then on.
 *
 * @param step what moves
 * @param past what it moves before
 * @param rule by which
 * @param proof how equal results are
 * @param tolerance the largest difference, beside the range of values where they stand; 0 where there is none or nobody can
 *     say
 * @param condition what had to hold, in words
 */
public record Move(String step, String past, String rule, Proof proof, double tolerance, String condition) {
    @Override
    public String toString() {
        String how =
                switch (proof) {
                    case EXACT -> "bit for bit the same";
                    case TOLERANT -> String.format(Locale.ROOT, "the same up to %.0e of the range", tolerance);
                    case BY_LEAVE -> "by leave, results differ";
                };
        return String.format(Locale.ROOT, "%s moves before %s: %s (%s)", step, past, rule, how);
    }
}
