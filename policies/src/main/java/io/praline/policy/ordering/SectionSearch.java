package io.praline.policy.ordering;

import io.praline.policy.ordering.CostModel.Element;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The cheapest of all orders of a section that moves lead to. What an element is behind a set of steps does not depend on
 * their order, so of all ways to the same set only the cheapest goes on: set by set, from none to all, each one larger by a
 * step than those before. Of equal cost is best what has the fewest pairs that changed places.
 *
 * <p>Sets of one size are at most {@value #WIDTH}, the cheapest; up to 13 steps there are not more, whatever may move. Costs
 * are compared in picoseconds, so that the order of adding decides nothing.
 *
 * <p>In front of the user's batch a step may also run on an {@linkplain EarlyBatch early one}, with its neighbours that do.
 */
final class SectionSearch {
    static final int WIDTH = 4096;

    /** Bits of a long, without its sign. */
    static final int MOST_STEPS = 63;

    /** No step takes longer, 20 h, so that what all of them and what is put together for them cost is a number. */
    static final long MOST_PICOS = Long.MAX_VALUE / (2 * (MOST_STEPS + 1));

    private final List<Step> steps;
    private final CostModel costs;
    private final int from;
    private final long[] needs;
    private final Admissions admissions;
    private final boolean early;
    /** Those of the section's steps that are the user's batches. */
    private final long batches;

    private final Map<Long, Element> elements = new HashMap<>();
    private final Map<Long, Boolean> taken = new HashMap<>();

    /**
     * @param pipeline in the user's order
     * @param from the section's first step, counted from 0
     * @param to behind its last
     * @param early whether steps may run on early batches, where single elements come
     */
    SectionSearch(List<Step> pipeline, int from, int to, Admissions admissions, CostModel costs, boolean early) {
        if (to - from > MOST_STEPS) {
            throw new IllegalArgumentException("a section must have at most 63 steps, has " + (to - from));
        }
        this.steps = pipeline.subList(from, to);
        this.costs = costs;
        this.from = from;
        this.admissions = admissions;
        this.early = early && pipeline.subList(0, from).stream().noneMatch(step -> step.is(StepKind.BATCH));
        this.batches = IntStream.range(0, steps.size())
                .filter(at -> steps.get(at).is(StepKind.BATCH))
                .mapToLong(at -> 1L << at)
                .sum();
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
     * @param early batches that are made for some of them
     * @param picos what it costs an element that comes to the section
     * @param changed how many pairs changed places
     * @param bounded whether there were more sets than were gone on with, so that a cheaper order may have been missed
     */
    record Found(List<Integer> order, List<EarlyBatch> early, long picos, int changed, boolean bounded) {}

    /** Some steps are done, whether the next one may join the call of the last, and how many go together in an early batch. */
    private record Done(long steps, boolean callIsOpen, int together) {}

    /** The cheapest way so far on which these are done, by its last step. */
    private record Way(Done done, long picos, int changed, Optional<Way> before) {
        static final Way NONE = new Way(new Done(0, false, 0), 0, 0, Optional.empty());

        static final Comparator<Way> BEST_FIRST =
                Comparator.comparingLong(Way::picos).thenComparingInt(Way::changed);

        Found found(int from, boolean bounded) {
            List<Integer> order = new ArrayList<>();
            List<Integer> together = new ArrayList<>();
            for (Way way = this; way.before().isPresent(); way = way.before().get()) {
                long last = way.done().steps() ^ way.before().get().done().steps();
                order.add(0, from + Long.numberOfTrailingZeros(last));
                together.add(0, way.done().together());
            }
            return new Found(order, batches(together), picos, changed, bounded);
        }

        private static List<EarlyBatch> batches(List<Integer> together) {
            List<EarlyBatch> batches = new ArrayList<>();
            for (int at = 0; at < together.size(); at++) {
                int begins = at;
                int size = together.get(at);
                while (size > 0 && at + 1 < together.size() && together.get(at + 1) > 0) {
                    at++;
                }
                if (size > 0) {
                    batches.add(new EarlyBatch(size, begins, at + 1));
                }
            }
            return batches;
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
                        add(larger, with(way, step, 0));
                        int together = together(way, step);
                        if (together > 0) {
                            add(larger, with(way, step, together));
                        }
                    }
                }
            }
            ways = new ArrayList<>(larger.values());
            if (ways.size() > WIDTH) {
                bounded = true;
                ways = narrowed(ways, (1L << (size + 1)) - 1);
            }
        }
        return ways.stream().map(this::closed).min(Way.BEST_FIRST).orElseThrow().found(from, bounded);
    }

    private static void add(Map<Done, Way> ways, Way way) {
        ways.merge(way.done(), way, (one, other) -> Way.BEST_FIRST.compare(one, other) <= 0 ? one : other);
    }

    /** How many go together where this step runs on an early batch next; 0 where it may not. */
    private int together(Way way, int step) {
        long done = way.done().steps();
        boolean single = early && (done & batches) == 0;
        if (!single || !taken(done) || !taken(done | (1L << step))) {
            return 0;
        }
        int size = way.done().together() > 0
                ? way.done().together()
                : EarlyBatch.size(element(done).bytes());
        return size >= EarlyBatch.FEWEST && admissions.early(from + step, size).isPresent() ? size : 0;
    }

    private boolean taken(long done) {
        return taken.computeIfAbsent(done, some -> EarlyBatch.takes(specs(some)));
    }

    /** At the end of the section an early batch is taken apart. */
    private Way closed(Way way) {
        return new Way(way.done(), way.picos() + spread(way), way.changed(), way.before());
    }

    private long spread(Way way) {
        return way.done().together() > 0 ? picos(costs.gather(element(way.done().steps()))) : 0;
    }

    private static long picos(double nanos) {
        return Math.min(MOST_PICOS, Math.round(nanos * 1000));
    }

    /** What the user's own order costs where its neighbours are joined. */
    Found usual() {
        Way way = Way.NONE;
        for (int step = 0; step < steps.size(); step++) {
            way = with(way, step, 0);
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

    /** @param together how many go together in an early batch; 0: in none */
    private Way with(Way way, int step, int together) {
        Element single = element(way.done().steps());
        Element element = single.together(together);
        Step added = steps.get(step);
        boolean goesOn = way.done().together() == together;
        boolean begins = CostModel.begins(added, way.done().callIsOpen() && goesOn);
        double nanos = costs.work(element, from + step)
                + (begins ? costs.call(element) : 0)
                + (together > 0 && !goesOn ? costs.gather(single) : 0);
        long earlierUndone = ~way.done().steps() & ((1L << step) - 1);
        return new Way(
                new Done(way.done().steps() | (1L << step), CostModel.leavesOpen(added), together),
                way.picos() + picos(nanos) + (goesOn ? 0 : spread(way)),
                way.changed() + Long.bitCount(earlierUndone) + (together > 0 ? 1 : 0),
                Optional.of(way));
    }

    private Element element(long done) {
        return elements.computeIfAbsent(done, this::behind);
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
