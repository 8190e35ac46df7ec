package io.praline.policy.ordering;

import io.praline.policy.ordering.Prediction.StepCost;
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
 *   work        = (measured nanos - callNanos, at least 0) * bytes of what it reads here / bytes of it in the user's order
 *   call        = callNanos where a call begins, behind a batch divided by its size; 0 where the step before it is in
 *                 the same call. Filters are called by themselves; a batch is no call
 *   bytes       = sum over components of values * width of the type
 *   values      = those that came, times (values out / values in) of each step before; where the graph says to what size a
 *                 step resizes, that size, whatever came
 * </pre>
 *
 * As the user wrote it, a call begins with each transformation; in an order that is computed here neighbours are joined. How
 * many values a component has where the graph does not say so follows from the bytes that were measured, less those of
 * components of which it does. A step that was not measured is taken to cost nothing.
 */
final class CostModel {
    private final List<Step> steps;
    private final List<StepMeasure> measures;
    private final OrderOptions.Prices prices;
    private final List<double[]> valuesIn = new ArrayList<>();
    private final List<double[]> valuesOut = new ArrayList<>();
    private final double[] elementsIn;

    /** One element somewhere on its way; it does not change, its step gives another one. */
    static final class Element {
        private final double[] values;
        private final String[] types;
        private final double kept;
        private final double batch;

        /**
         * @param values of each component
         * @param types of each component
         * @param kept how many of those that came to the first step are left
         * @param batch how many go together
         */
        private Element(double[] values, String[] types, double kept, double batch) {
            this.values = values;
            this.types = types;
            this.kept = kept;
            this.batch = batch;
        }

        double bytes(Iterable<Integer> components) {
            double bytes = 0;
            for (int component : components) {
                if (component < values.length) {
                    bytes += values[component] * ElementType.width(types[component]);
                }
            }
            return bytes;
        }

        double bytes() {
            double bytes = 0;
            for (int i = 0; i < values.length; i++) {
                bytes += values[i] * ElementType.width(types[i]);
            }
            return bytes;
        }
    }

    /** @param pipeline in the user's order */
    CostModel(List<Step> pipeline, List<StepMeasure> measured, OrderOptions.Prices prices) {
        this.steps = List.copyOf(pipeline);
        this.prices = prices;
        Map<String, StepMeasure> byName = new HashMap<>();
        measured.forEach(measure -> byName.put(measure.name(), measure));
        this.measures = steps.stream()
                .map(step -> byName.getOrDefault(step.name(), new StepMeasure(step.name(), 0, 0, 0, 0)))
                .toList();
        this.elementsIn = new double[steps.size()];
        double batch = 1;
        for (int i = 0; i < steps.size(); i++) {
            elementsIn[i] = elementsBefore(i);
            valuesIn.add(values(steps.get(i).before(), measures.get(i).bytesIn(), elementsIn[i], batch));
            batch *= batchSize(i);
            valuesOut.add(values(
                    steps.get(i).after(),
                    measures.get(i).bytesOut(),
                    (double) measures.get(i).elements(),
                    batch));
        }
    }

    /** A map yields as many as it takes; only of what leaves out or gathers it matters what the step before yielded. */
    private double elementsBefore(int step) {
        boolean counts = steps.get(step).is(StepKind.FILTER, StepKind.BATCH, StepKind.BARRIER);
        return counts && step > 0 && measures.get(step - 1).elements() > 0
                ? measures.get(step - 1).elements()
                : measures.get(step).elements();
    }

    private double batchSize(int step) {
        return steps.get(step).is(StepKind.BATCH) && measures.get(step).elements() > 0
                ? Math.max(1, elementsIn[step] / measures.get(step).elements())
                : 1;
    }

    private double kept(int step) {
        return steps.get(step).is(StepKind.FILTER) && elementsIn[step] > 0
                ? Math.min(1, measures.get(step).elements() / elementsIn[step])
                : 1;
    }

    /** Of one element, also where several go together. */
    private static double[] values(List<TensorSpec> specs, long bytes, double elements, double batch) {
        double[] values = new double[specs.size()];
        double rest = elements > 0 ? bytes / elements : 0;
        int unknown = 0;
        for (int i = 0; i < values.length; i++) {
            if (isSaid(specs.get(i))) {
                values[i] = specs.get(i).values().getAsLong();
                rest -= values[i] * ElementType.width(specs.get(i).type());
            } else {
                unknown++;
            }
        }
        for (int i = 0; i < values.length; i++) {
            if (!isSaid(specs.get(i))) {
                values[i] = Math.max(0, rest)
                        / unknown
                        / ElementType.width(specs.get(i).type());
            }
            values[i] /= batch;
        }
        return values;
    }

    /** Whether the graph says how many bytes it has; how long a string is only the data says. */
    static boolean isSaid(TensorSpec spec) {
        return spec.isStatic() && ElementType.isNumeric(spec.type());
    }

    /** An element as it comes to a step in the user's order, none left out since. */
    Element at(int step) {
        double batch = 1;
        for (int i = 0; i < step; i++) {
            batch *= batchSize(i);
        }
        return new Element(valuesIn.get(step).clone(), types(steps.get(step).before()), 1, batch);
    }

    private static String[] types(List<TensorSpec> specs) {
        return specs.stream().map(TensorSpec::type).toArray(String[]::new);
    }

    /** What a step makes of an element, wherever it stands. */
    Element after(Element element, int at) {
        Step step = steps.get(at);
        double kept = element.kept * kept(at);
        double batch = element.batch * batchSize(at);
        if (step.restructures() || step.is(StepKind.BARRIER)) {
            return new Element(valuesOut.get(at).clone(), types(step.after()), kept, batch);
        }
        double[] values = element.values.clone();
        String[] types = element.types.clone();
        for (int component : step.writes()) {
            double in = valuesIn.get(at)[component];
            double out = valuesOut.get(at)[component];
            if (step.is(StepKind.BATCH) || !step.mayResize(component)) {
                continue;
            }
            boolean said = isSaid(step.after().get(component));
            values[component] = said || in <= 0 ? out : values[component] * out / in;
        }
        if (!step.is(StepKind.BATCH) && !Ops.onlyCopies(step)) {
            step.writes()
                    .forEach(component ->
                            types[component] = step.after().get(component).type());
        }
        return new Element(values, types, kept, batch);
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

    /** Work of a step on an element that comes to it, without the call. */
    double work(Element element, int at) {
        StepMeasure measure = measures.get(at);
        Step step = steps.get(at);
        if (elementsIn[at] <= 0) {
            return 0;
        }
        boolean called = !step.is(StepKind.BATCH, StepKind.BARRIER);
        double nanos = Math.max(0, measure.nanos() / elementsIn[at] - (called ? prices.callNanos() : 0));
        Element usual = at(at);
        double each = nanos / usual.batch;
        double before = step.is(StepKind.BATCH, StepKind.BARRIER) ? usual.bytes() : usual.bytes(step.reads());
        double here = step.is(StepKind.BATCH, StepKind.BARRIER) ? element.bytes() : element.bytes(step.reads());
        return element.kept * each * (before > 0 ? here / before : 1);
    }

    /** What it costs to begin a call for an element that comes. */
    double call(Element element) {
        return element.kept * prices.callNanos() / element.batch;
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
        return predict(IntStream.range(0, steps.size()).boxed().toList(), true);
    }

    /** @param order positions in the user's order, all of them */
    Prediction joined(List<Integer> order) {
        return predict(order, false);
    }

    private Prediction predict(List<Integer> order, boolean asWritten) {
        List<StepCost> costs = new ArrayList<>();
        if (order.isEmpty()) {
            return new Prediction(List.of(), 0);
        }
        Element element = at(0);
        double sum = 0;
        boolean open = false;
        String transformation = "";
        for (int at : order) {
            Step step = steps.get(at);
            boolean same = open && (!asWritten || step.transformation().equals(transformation));
            double nanos = work(element, at) + (begins(step, same) ? call(element) : 0);
            Element next = after(element, at);
            costs.add(new StepCost(step.name(), element.bytes(), next.bytes(), nanos));
            sum += nanos;
            element = next;
            open = leavesOpen(step);
            transformation = step.transformation();
        }
        return new Prediction(costs, sum + element.kept * element.bytes() * prices.nanosPerByteToClient());
    }
}
