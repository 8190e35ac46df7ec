package io.praline.policy.ordering.plan;

import io.praline.policy.Counted;
import java.util.List;
import java.util.Locale;

/**
 * An order of a pipeline's steps, and why.
 *
 * @param sections names of the steps of each section between barriers in their new order, the batch among them; a step that
 *     stood in front of the batch and stands behind it now works on whole batches
 * @param changed the sections of those whose order is not the user's, as a worker is told: {@code [128} stands in front of
 *     steps that run on batches of 128 made for them alone, {@code ]} behind the last of them, where these are taken apart
 * @param moves one after the other from the user's order to this one, each of neighbours; none where nothing moves
 * @param blocked what could move but for one condition
 * @param before what the user's order is expected to cost, as written
 * @param after what this one is, with neighbours joined; the same where nothing moves
 * @param bounded whether not all orders were compared, since there are too many
 * @param reason in words; where nothing moves, why
 */
public record OrderPlan(
        List<List<String>> sections,
        List<List<String>> changed,
        List<Move> moves,
        List<Blocked> blocked,
        Prediction before,
        Prediction after,
        boolean bounded,
        String reason) {
    public OrderPlan {
        sections = sections.stream().map(List::copyOf).toList();
        changed = changed.stream().map(List::copyOf).toList();
        moves = List.copyOf(moves);
        blocked = List.copyOf(blocked);
        if (changed.isEmpty() != moves.isEmpty()) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "an order must change by moves and by nothing else, changes %s by %s",
                    Counted.of(changed.size(), "section"),
                    Counted.of(moves.size(), "move")));
        }
    }

    public boolean movesNothing() {
        return moves.isEmpty();
    }

    /** How often as many elements are expected in the same time; 1 where nothing moves. */
    public double predictedGain() {
        return after.nanosPerElement() > 0 ? before.nanosPerElement() / after.nanosPerElement() : 1;
    }

    /** The weakest of its moves. */
    public Proof proof() {
        return moves.stream().map(Move::proof).max(Proof::compareTo).orElse(Proof.EXACT);
    }

    /** How far results may differ, beside the range of values: each move may add its part. */
    public double tolerance() {
        return moves.stream().mapToDouble(Move::tolerance).sum();
    }
}
