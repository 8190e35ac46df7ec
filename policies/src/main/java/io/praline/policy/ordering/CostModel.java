package io.praline.policy.ordering;

import io.praline.policy.ordering.plan.Prediction;
import io.praline.policy.ordering.plan.Prediction.StepCost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What an element costs in an order of a pipeline's steps, from what they did in the user's order, each called by itself. In
 * nanoseconds of work, for one element that comes to the first step:
 *
 * <pre>
 *   cost        = sum over steps of kept * (work + call), and bytes at the end * nanosPerByteToClient
 *   kept        = product over filters before the step of (elements out / elements in)
 *   work        = ops / batch + (measured nanos - callNanos - ops, at least 0) * bytes of what it reads here / bytes of it
 *                 in the user's order
 *   ops         = opNanos for each op, at most what was measured beside the call: it takes that however little it is given,
 *                 and is begun once for all that go together; and where more go together than in the user's order, so many
 *                 that they lie in no processor's cache from one op to the next, the way to memory, 0.1 ns a byte
 *   call        = callNanos where a call begins, behind a batch divided by its size; 0 where the step before it is in
 *                 the same call. Filters are called by themselves; a batch is no call
 *   early       = in front of the first and behind the last step of an early batch gatherNanos, and 0.1 ns a byte
 *   bytes       = sum over components of values * width of the type
 *   values      = those that came, times (values out / values in) of each step before; where the graph says to what size a
 *                 step resizes, that size, whatever came
 * </pre>
 *
 * As the user wrote it, a call begins with each transformation; in an order that is computed here neighbours are joined. How
 * many values a component has where the graph does not say so follows from the bytes that were measured, less those of
 * components of which it does; several that it says nothing of share the rest equally. A step that was not measured is taken to cost nothing.
 */
final class CostModel {
    /** What a processor's own cache has room for. */
    private static final double NEAR_BYTES = 4 << 20;

    private static final double FAR_NANOS_PER_BYTE = 0.1;
    private static final double COPY_NANOS_PER_BYTE = 0.1;

    private final List<Step> steps;
    private final OrderOptions.Prices prices;
    private final List<Part> parts = new ArrayList<>();

    /** One element somewhere on its way; it does not change, its step gives another one. */
    static final class Element {
        private final double[] values;
        private final int[] widths;
        private final double kept;
        private final double batch;

        /**
         * @param values of each component, its share of them where several go together
         * @param widths of the types of each component
         * @param kept how many of those that came to the first step are left
         * @param batch how many go together
         */
        private Element(double[] values, int[] widths, double kept, double batch) {
            this.values = values;
            this.widths = widths;
            this.kept = kept;
            this.batch = batch;
        }

        double bytes() {
            double bytes = 0;
            for (int i = 0; i < values.length; i++) {
                bytes += values[i] * widths[i];
            }
            return bytes;
        }

        /** The same where so many go together that came one by one; as it is where none do. */
        Element together(int size) {
            return size == 0 ? this : new Element(values, widths, kept, batch * size);
        }

        private double bytes(int[] components) {
            double bytes = 0;
            for (int component : components) {
                bytes += values[component] * widths[component];
            }
            return bytes;
        }
    }

    /** A step as it was measured in the user's order. */
    private static final class Part {
        private final Step step;
        private final Element in;
        private final Element out;
        private final boolean takesAll;
        private final int[] reads;
        private final int[] resized;
        private final boolean[] said;
        private final double kept;
        private final double batch;
        private final double opNanos;
        private final double nanos;
        private final boolean retypes;

        /**
         * @param in an element that comes, none left out before
         * @param kept how many of those that come it leaves in
         * @param batch how many it puts together
         * @param opNanos of beginning its ops for those that go together
         * @param nanos of work on one that comes, beside that
         */
        private Part(Step step, Element in, Element out, double kept, double batch, double opNanos, double nanos) {
            this.step = step;
            this.in = in;
            this.out = out;
            this.kept = kept;
            this.batch = batch;
            this.opNanos = opNanos;
            this.nanos = nanos;
            this.takesAll = step.is(StepKind.BATCH, StepKind.BARRIER);
            this.reads = step.reads().stream().mapToInt(Integer::intValue).toArray();
            boolean changes = !takesAll && !step.restructures();
            this.resized = changes
                    ? step.writes().stream()
                            .mapToInt(Integer::intValue)
                            .filter(step::mayResize)
                            .toArray()
                    : new int[0];
            this.said = new boolean[step.after().size()];
            for (int i = 0; i < said.length; i++) {
                said[i] = isSaid(step.after().get(i));
            }
            this.retypes = changes && !Ops.onlyCopies(step);
        }

        /** What it makes of an element, wherever it stands. */
        private Element after(Element element) {
            if (step.restructures() || step.is(StepKind.BARRIER)) {
                return new Element(out.values, out.widths, element.kept * kept, element.batch * batch);
            }
            double[] values = element.values.clone();
            for (int component : resized) {
                values[component] = said[component] || in.values[component] <= 0
                        ? out.values[component]
                        : values[component] * out.values[component] / in.values[component];
            }
            int[] widths = element.widths;
            if (retypes) {
                widths = widths.clone();
                for (int component : step.writes()) {
                    widths[component] = out.widths[component];
                }
            }
            return new Element(values, widths, element.kept * kept, element.batch * batch);
        }

        private double work(Element element) {
            double usual = bytes(in);
            double far = element.batch > in.batch && bytes(element) * element.batch > NEAR_BYTES
                    ? FAR_NANOS_PER_BYTE * bytes(element)
                    : 0;
            return element.kept * (opNanos / element.batch + far + nanos * (usual > 0 ? bytes(element) / usual : 1));
        }

        /** Of what it works on. */
        private double bytes(Element element) {
            return takesAll ? element.bytes() : element.bytes(reads);
        }
    }

    /** @param pipeline in the user's order */
    CostModel(List<Step> pipeline, List<StepMeasure> measured, OrderOptions.Prices prices) {
        this.steps = List.copyOf(pipeline);
        this.prices = prices;
        Map<String, StepMeasure> byName = new HashMap<>();
        measured.forEach(measure -> byName.put(measure.name(), measure));
        double yieldedBefore = 0;
        double batch = 1;
        int batches = 0;
        for (Step step : steps) {
            StepMeasure measure = byName.getOrDefault(step.name(), new StepMeasure(step.name(), 0, 0, 0, 0));
            double yielded = measure.elements();
            // a map yields as many as it takes; only of what leaves out or gathers it matters what the step before
            // yielded
            boolean counts = step.is(StepKind.FILTER, StepKind.BATCH, StepKind.BARRIER);
            double taken = counts && yieldedBefore > 0 ? yieldedBefore : yielded;
            boolean gathers = step.is(StepKind.BATCH) && yielded > 0;
            double together = gathers ? Math.max(1, taken / yielded) : 1;
            double kept = step.is(StepKind.FILTER) && taken > 0 ? Math.min(1, yielded / taken) : 1;
            Element in = element(step.before(), (double) measure.bytesIn(), taken, batches, batch);
            int batchesAfter = step.is(StepKind.BATCH) ? batches + 1 : batches;
            Element out = element(step.after(), (double) measure.bytesOut(), yielded, batchesAfter, batch * together);
            boolean called = !step.is(StepKind.BATCH, StepKind.BARRIER);
            double nanos = taken > 0 ? Math.max(0, measure.nanos() / taken - (called ? prices.callNanos() : 0)) : 0;
            double ops = called ? Math.min(nanos, step.ops().size() * prices.opNanos()) : 0;
            parts.add(new Part(step, in, out, kept, together, ops, (nanos - ops) / batch));
            yieldedBefore = yielded;
            batch *= together;
            batches = batchesAfter;
        }
    }

    /**
     * One of those that go together.
     *
     * @param elements that came with these bytes, batches where they are
     * @param batches how many dimensions in front are of batches
     */
    private static Element element(List<TensorSpec> specs, double bytes, double elements, int batches, double batch) {
        List<TensorSpec> ones =
                specs.stream().map(spec -> spec.without(batches)).toList();
        double[] values = new double[ones.size()];
        int[] widths = new int[ones.size()];
        double rest = elements > 0 ? bytes / elements / batch : 0;
        long unsaid = ones.stream().filter(one -> !isSaid(one)).count();
        for (int i = 0; i < values.length; i++) {
            widths[i] = ElementType.width(ones.get(i).type());
            if (isSaid(ones.get(i))) {
                values[i] = ones.get(i).values().getAsLong();
                rest -= values[i] * widths[i];
            }
        }
        for (int i = 0; i < values.length; i++) {
            if (!isSaid(ones.get(i))) {
                values[i] = Math.max(0, rest) / unsaid / widths[i];
            }
        }
        return new Element(values, widths, 1, batch);
    }

    /** Whether the graph says how many bytes it has; how long a string is only the data says. */
    static boolean isSaid(TensorSpec spec) {
        return spec.isStatic() && ElementType.isNumeric(spec.type());
    }

    /** An element as it comes to a step in the user's order, none left out since. */
    Element at(int step) {
        return parts.get(step).in;
    }

    /** What a step makes of an element, wherever it stands. */
    Element after(Element element, int at) {
        return parts.get(at).after(element);
    }

    /** Work of a step on an element that comes to it, without the call. */
    double work(Element element, int at) {
        return parts.get(at).work(element);
    }

    /** Bytes that leave over bytes that come, in the user's order, with what is left out; 1 where nothing is known to come. */
    double factor(int first, int last) {
        double in = at(first).bytes();
        Element out = at(first);
        for (int i = first; i <= last; i++) {
            out = after(out, i);
        }
        return in > 0 ? out.kept * out.bytes() / in : 1;
    }

    /** What it costs to begin a call for an element that comes. */
    double call(Element element) {
        return element.kept * prices.callNanos() / element.batch;
    }

    /** What it costs to put an element into an early batch, or to take it out again. */
    double gather(Element element) {
        return element.kept * (prices.gatherNanos() + COPY_NANOS_PER_BYTE * element.bytes());
    }

    /** Whether this step is called at all, and not with the one before it. */
    static boolean begins(Step step, boolean callIsOpen) {
        return !step.is(StepKind.BATCH, StepKind.BARRIER) && (!callIsOpen || step.is(StepKind.FILTER));
    }

    /** Whether a step behind this one may be in its call. */
    static boolean leavesOpen(Step step) {
        return !step.is(StepKind.BATCH, StepKind.BARRIER, StepKind.FILTER);
    }

    /** As the user wrote it: each transformation by itself. */
    Prediction asWritten() {
        return predict(IntStream.range(0, steps.size()).boxed().toList(), new int[steps.size()], true);
    }

    /**
     * @param order positions in the user's order, all of them
     * @param together of each place of the order how many go together in an early batch; 0: in none
     */
    Prediction joined(List<Integer> order, int[] together) {
        return predict(order, together, false);
    }

    private Prediction predict(List<Integer> order, int[] together, boolean asWritten) {
        List<StepCost> costs = new ArrayList<>();
        if (order.isEmpty()) {
            return new Prediction(List.of(), 0);
        }
        Element element = at(0);
        double sum = 0;
        boolean open = false;
        String transformation = "";
        for (int place = 0; place < order.size(); place++) {
            int at = order.get(place);
            Step step = steps.get(at);
            boolean gathers = together[place] > 0 && (place == 0 || together[place - 1] == 0);
            boolean spreads = together[place] > 0 && (place + 1 == order.size() || together[place + 1] == 0);
            boolean sameBatch = place == 0 || together[place - 1] == together[place];
            boolean same =
                    open && sameBatch && (!asWritten || step.transformation().equals(transformation));
            Element here = element.together(together[place]);
            Element next = after(element, at);
            double nanos = work(here, at)
                    + (begins(step, same) ? call(here) : 0)
                    + (gathers ? gather(element) : 0)
                    + (spreads ? gather(next) : 0);
            costs.add(new StepCost(step.name(), element.bytes(), next.bytes(), nanos));
            sum += nanos;
            element = next;
            open = leavesOpen(step);
            transformation = step.transformation();
        }
        return new Prediction(costs, sum + element.kept * element.bytes() * prices.nanosPerByteToClient());
    }
}
