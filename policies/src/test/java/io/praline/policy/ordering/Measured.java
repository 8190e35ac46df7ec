package io.praline.policy.ordering;

import io.praline.policy.ordering.plan.OrderPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A pipeline as it was measured. */
record Measured(List<Step> steps, List<StepMeasure> measures) {
    static final long ELEMENTS = 1000;

    Measured() {
        this(List.of(), List.of());
    }

    /** A step that takes and gives so many bytes an element, and is busy with it for so long. */
    Measured then(Steps step, long bytesIn, long bytesOut, long micros) {
        return then(step, ELEMENTS, bytesIn, bytesOut, micros);
    }

    Measured then(Steps step, long elements, long bytesIn, long bytesOut, long micros) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step.step());
        List<StepMeasure> more = new ArrayList<>(measures);
        more.add(new StepMeasure(
                step.step().name(), elements, bytesIn * ELEMENTS, bytesOut * ELEMENTS, micros * 1000 * ELEMENTS));
        return new Measured(longer, more);
    }

    OrderPlan exact() {
        return new ExactOrder(OrderOptions.USUAL).plan(steps, measures);
    }

    OrderPlan tolerant() {
        return new TolerantOrder(OrderOptions.USUAL).plan(steps, measures);
    }

    OrderPlan pecan() {
        return new PecanOrder(OrderOptions.USUAL).plan(steps, measures);
    }

    List<Integer> usual() {
        return IntStream.range(0, steps.size()).boxed().toList();
    }
}
