package io.praline.policy.ordering;

import io.praline.policy.ordering.CostModel.Element;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cheapest of all orders of a section that moves lead to. What an element is behind a set of steps does not depend on
 * their order, so of all ways to the same set only the cheapest goes on: set by set, from none to all, each one larger by a
 * step than those before. Of equal cost is best what has the fewest pairs that changed places.
 *
 * <p>Sets of one size are at most {@value #WIDTH}, the cheapest; up to 13 steps there are not more, whatever may move. Costs
 * are compared in picoseconds, so that the order of adding decides nothing.
 */
final class SectionSearch {
    static final int WIDTH = 4096;

    /** Bits of a long, without its sign. */
    static final int MOST_STEPS = 63;

    private final List<Step> steps;
    private final CostModel costs;
    private final int from;
    private final long[] needs;
    private final Map<Long, Element> elements = new HashMap<>();

    /**
     * @param pipeline in the user's order
     * @param from the section's first step, counted from 0
     * @param to behind its last
     */
    SectionSearch(List<Step> pipeline, int from, int to, Admissions admissions, CostModel costs) {
        if (to - from > MOST_STEPS) {
            throw new IllegalArgumentException("a section must have at most 63 steps, has " + (to - from));
        }
        this.steps = pipeline.subList(from, to);
        this.costs = costs;
        this.from = from;
        this.needs = new long[steps.size()];
        for (int second = 0; second < needs.length; second++) {
            for (int first = 0; first < second; first++) {
                if (admissions.move(from + first, from + second).isEmpty()) {
                    needs[second] |= 1L << first;
                }
            }
        }
    }

    /**
     * What was found.
     *
     * @param order positions in the whole pipeline
     * @param picos what it costs an element that comes to the section
     * @param changed how many pairs changed places
     * @param bounded whether there were more sets than were gone on with, so that a cheaper order may have been missed
     */
    record Found(List<Integer> order, long picos, int changed, boolean bounded) {}

    /** Some steps are done, and whether the next one may join the call of the last. */
    private record Done(long steps, boolean callIsOpen) {}

    /** The cheapest way so far on which these are done, by its last step. */
    private record Way(Done done, long picos, int changed, Optional<Way> before) {
        static final Way NONE = new Way(new Done(0, false), 0, 0, Optional.empty());

        static final Comparator<Way> BEST_FIRST =
                Comparator.comparingLong(Way::picos).thenComparingInt(Way::changed);

        Found found(int from, boolean bounded) {
            List<Integer> order = new ArrayList<>();
            for (Way way = this; way.before().isPresent(); way = way.before().get()) {
                long last = way.done().steps() ^ way.before().get().done().steps();
                order.add(0, from + Long.numberOfTrailingZeros(last));
            }
            return new Found(order, picos, changed, bounded);
        }
    }

    Found best() {
        List<Way> ways = List.of(Way.NONE);
        boolean bounded = false;
        for (int size = 0; size < steps.size(); size++) {
            Map<Done, Way> larger = new LinkedHashMap<>();
            for (Way way : ways) {
                for (int step = 0; step < steps.size(); step++) {
                    if (isNext(way.done().steps(), step)) {
                        Way next = with(way, step);
                        larger.merge(
                                next.done(),
                                next,
                                (one, other) -> Way.BEST_FIRST.compare(one, other) <= 0 ? one : other);
                    }
                }
            }
            ways = new ArrayList<>(larger.values());
            if (ways.size() > WIDTH) {
                bounded = true;
                ways = narrowed(ways, (1L << (size + 1)) - 1);
            }
        }
        return ways.stream().min(Way.BEST_FIRST).orElseThrow().found(from, bounded);
    }

    /** What the user's own order costs where its neighbours are joined. */
    Found usual() {
        Way way = Way.NONE;
        for (int step = 0; step < steps.size(); step++) {
            way = with(way, step);
        }
        return way.found(from, false);
    }

    /** The cheapest, and always the user's own, so that what is found costs no more than that. */
    private static List<Way> narrowed(List<Way> ways, long usual) {
        List<Way> sorted = ways.stream().sorted(Way.BEST_FIRST).toList();
        List<Way> kept = new ArrayList<>(sorted.subList(0, WIDTH - 2));
        sorted.stream()
                .skip(WIDTH - 2)
                .filter(way -> way.done().steps() == usual)
                .forEach(kept::add);
        return kept;
    }

    private boolean isNext(long done, int step) {
        return (done & (1L << step)) == 0 && (needs[step] & ~done) == 0 && fits(done, step);
    }

    /** A batch in front of steps of single elements needs elements of which the graph says how large they are. */
    private boolean fits(long done, int step) {
        boolean early = steps.get(step).is(StepKind.BATCH) && (done & ((1L << step) - 1)) != (1L << step) - 1;
        return !early || specs(done).stream().allMatch(TensorSpec::isStatic);
    }

    /** What an element is behind a set of steps: each gives what it writes, as in the user's order. */
    private List<TensorSpec> specs(long done) {
        List<TensorSpec> specs = new ArrayList<>(steps.get(0).before());
        for (int at = 0; at < steps.size(); at++) {
            Step step = steps.get(at);
            if ((done & (1L << at)) == 0 || step.is(StepKind.FILTER)) {
                continue;
            }
            if (step.restructures() || step.is(StepKind.BATCH)) {
                specs = new ArrayList<>(step.after());
            } else {
                for (int component : step.writes()) {
                    specs.set(component, step.after().get(component));
                }
            }
        }
        return specs;
    }

    private Way with(Way way, int step) {
        Element element = elements.computeIfAbsent(way.done().steps(), this::behind);
        Step added = steps.get(step);
        boolean begins = CostModel.begins(added, way.done().callIsOpen());
        double nanos = costs.work(element, from + step) + (begins ? costs.call(element) : 0);
        long earlierUndone = ~way.done().steps() & ((1L << step) - 1);
        return new Way(
                new Done(way.done().steps() | (1L << step), CostModel.leavesOpen(added)),
                way.picos() + Math.round(nanos * 1000),
                way.changed() + Long.bitCount(earlierUndone),
                Optional.of(way));
    }

    /** In the user's order, so that an element behind a set is the same by every way. */
    private Element behind(long done) {
        Element element = costs.at(from);
        for (int step = 0; step < steps.size(); step++) {
            if ((done & (1L << step)) != 0) {
                element = costs.after(element, from + step);
            }
        }
        return element;
    }
}
