package io.praline.dispatcher.ledger.epoch;

import java.util.Collection;

/**
 * What generations of consumers were sent of an epoch, claimed of it and are done with. Every move is idempotent, and takes
 * only what is where the move starts. Owned by the stream thread.
 */
public final class Claims {
    private final EpochAccounts accounts;
    private final EpochRow row;
    private final EpochAttempts attempts;
    private final OpenSplits splits;

    Claims(EpochAccounts accounts) {
        this.accounts = accounts;
        this.row = accounts.row();
        this.attempts = accounts.attempts();
        this.splits = accounts.splits();
    }

    /** The attempt makes batches for these generations of consumers from now on, among others. */
    public void serve(int attempt, Collection<Integer> generations) {
        if (attempts.get(attempt).serve(generations)) {
            attempts.changed(attempt);
        }
    }

    /** A generation took elements of the attempt; how many of them moved. */
    public long claim(int attempt, int generation, Elements elements) {
        long moved = accounts.move(attempt, elements, (split, some) -> split.claim(attempt, generation, some));
        took(attempt, moved);
        return moved;
    }

    private void took(int attempt, long elements) {
        AttemptRow known = attempts.get(attempt);
        if (known != null && known.took(elements)) {
            attempts.changed(attempt);
        }
    }

    /** A generation is done with elements of the attempt, closed or not; how many of them moved. */
    public long consume(int attempt, int generation, Elements elements) {
        long[] claimed = new long[1];
        long moved = accounts.move(attempt, elements, (split, some) -> {
            claimed[0] += split.claim(attempt, generation, some);
            return split.acknowledge(generation, some);
        });
        took(attempt, claimed[0]);
        row.addConsumed(moved);
        return moved;
    }

    /** A generation that claims nothing any more is done with elements that it had claimed; how many of them moved. */
    public long acknowledge(int attempt, int generation, Elements elements) {
        long moved = accounts.move(attempt, elements, (split, some) -> split.acknowledge(generation, some));
        row.addConsumed(moved);
        return moved;
    }

    /**
     * A lane of the attempt was closed.
     *
     * @param sent what was sent on it, as far as it is told now
     * @param unsent what was made for it and goes to nobody
     * @param settled whether the generation takes nothing any more, so that what it did not claim is assigned again
     * @param all whether nothing more of it is told
     * @return how many elements that were sent on it are assigned again
     */
    public long laneClosed(int attempt, int generation, Elements sent, Elements unsent, boolean settled, boolean all) {
        long again = 0;
        if (settled) {
            again = accounts.move(attempt, sent, (split, some) -> split.giveBack(attempt, some));
        } else {
            accounts.move(attempt, sent, (split, some) -> split.doubt(attempt, generation, some));
        }
        accounts.move(attempt, unsent, (split, some) -> split.giveBack(attempt, some));
        if (all) {
            attempts.get(attempt).close(generation);
            attempts.changed(attempt);
        }
        return again;
    }

    /** A generation is done with a batch whose elements carry no tickets. */
    public void consumeUntracked(int attempt, int generation, long sequence, long elements) {
        AttemptRow known = attempts.get(attempt);
        if (known != null) {
            known.acked(generation, sequence, elements);
            attempts.changed(attempt);
            row.addConsumed(elements);
            accounts.changedRow();
        }
    }

    /** A generation has handed all of an attempt to its loop. */
    public void handOver(int attempt, int generation) {
        AttemptRow known = attempts.get(attempt);
        if (known != null && !known.handedOver().contains(generation)) {
            known.handOver(generation);
            attempts.changed(attempt);
        }
    }

    /** A generation has discarded what it did not claim of a fenced attempt. */
    public void answer(int attempt, int generation) {
        AttemptRow known = attempts.get(attempt);
        if (known != null && known.fence().isPresent() && !known.answered().contains(generation)) {
            known.answer(generation);
            attempts.changed(attempt);
        }
    }

    /** What a generation claimed and did not acknowledge is assigned again; how many elements. */
    public long unclaim(int generation) {
        return splits.unclaim(generation);
    }

    /** What was sent to a generation and not claimed is assigned again; how many elements. */
    public long clearDoubt(int generation) {
        return splits.unclaim(SplitRow.doubtOf(generation));
    }

    /** Whether a generation has something that it claimed, or that was sent to it. Costs what changed since it was asked. */
    public boolean holds(int generation) {
        return held(generation) > 0;
    }

    private long held(int generation) {
        return splits.held(generation) + splits.held(SplitRow.doubtOf(generation));
    }

    /** Until it is asked again nobody follows who has what. */
    public void forgetHeld() {
        splits.forgetHeld();
    }

    /**
     * What nobody knows whether somebody has: claimed by these generations or sent to them, or owed by these attempts. Costs
     * what changed since it was asked, and what these attempts owe.
     */
    public Doubt inDoubt(Collection<Integer> generations, Collection<Integer> fenced) {
        long elements = generations.stream().mapToLong(this::held).sum();
        return fenced.stream().map(this::owed).reduce(new Doubt(elements, 0), Doubt::plus);
    }

    private Doubt owed(int attempt) {
        long elements = 0;
        long uncounted = 0;
        for (long ordinal : splits.owedBy(attempt)) {
            SplitRow split = splits.get(ordinal);
            if (split.records().isPresent()) {
                elements += split.owed(attempt).getLongCardinality();
            } else {
                uncounted++;
            }
        }
        return new Doubt(elements, uncounted);
    }

    /** All that the attempt owes is given again, though a process that is gone may have trained on it. */
    public void addOwedAsPossiblyTwice(int attempt) {
        for (long ordinal : splits.owedBy(attempt)) {
            SplitRow split = splits.get(ordinal);
            if (split.records().isPresent()) {
                row.addPossiblyTwice(split.owed(attempt).getLongCardinality());
            } else {
                row.addPossiblyTwiceOnceCounted(ordinal, split.namedElements());
            }
        }
        accounts.changedRow();
    }

    /** Elements that were given again though a process that is gone may have trained on them. */
    public void addPossiblyTwice(long elements) {
        row.addPossiblyTwice(elements);
        accounts.changedRow();
    }
}
