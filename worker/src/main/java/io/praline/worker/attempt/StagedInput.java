package io.praline.worker.attempt;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.planning.DataReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Lets an attempt's splits be at hand when they are fed, and lets go those that its graph has read: by the elements that came
 * out of it where they are tracked, else, and where none came, by how many splits it has opened since. Names that go through a
 * graph by themselves may be opened at any time: where nothing is tracked, their objects stay to the end. The feeder's thread.
 */
final class StagedInput {
    /** Files that a graph has open, ahead of those that it reads at a time. */
    private static final int SPARE = 8;

    private final DataReader reader;
    private final Settlement settlement;
    private final Deque<Fed> fed = new ArrayDeque<>();
    private long last;
    private boolean tracked;
    private Consumer<Split> look = split -> {};

    /** @param number counts what is fed */
    private record Fed(AssignedSplit split, long number) {
        long ordinal() {
            return split.getOrdinal();
        }
    }

    StagedInput(DataReader reader, Settlement settlement) {
        this.reader = reader;
        this.settlement = settlement;
    }

    /** Whether it is told of elements what becomes of them. */
    void tracked(boolean told) {
        tracked = told;
    }

    /** Splits are looked at when they are at hand, before they are fed; what fails then fails the feeding. */
    void lookedAt(Consumer<Split> before) {
        look = before;
    }

    /**
     * Waits until a split can be fed.
     *
     * @param ahead splits that the graph may have been fed and not read
     */
    void await(AssignedSplit split, int ahead) {
        if (!reader.staged().isEmpty()) {
            letGo(ahead);
        }
        reader.await(split);
        look.accept(split.getSplit());
        fed.addLast(new Fed(split, ++last));
    }

    /** What a split reads is not needed: an entry stands in for it, which came when it was fetched already, to be counted. */
    void spare(AssignedSplit split, int ahead) {
        if (!reader.staged().isEmpty()) {
            fed.addLast(new Fed(split, ++last));
            letGo(ahead);
        }
    }

    private void letGo(int ahead) {
        Set<Long> past = new HashSet<>();
        Predicate<Fed> behind = each -> last - each.number() >= ahead + SPARE;
        Predicate<Fed> over = tracked
                ? each -> settlement.isRead(each.ordinal()) || (!settlement.isOpen(each.ordinal()) && behind.test(each))
                : behind;
        if (!tracked) {
            fed.removeIf(each -> each.split().getSplit().getKind() == SplitKind.NAMES);
        }
        fed.removeIf(each -> over.test(each) && past.add(each.ordinal()));
        reader.staged().keep(ordinal -> !past.contains(ordinal));
    }
}
