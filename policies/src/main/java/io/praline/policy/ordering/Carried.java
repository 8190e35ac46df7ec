package io.praline.policy.ordering;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an element consists of behind steps in an order that nobody wrote, as a worker carries it out: only copies, casts and a
 * bilinear resize take other types than those that they were written for, and what cuts or turns a picture makes another size
 * of another size.
 */
final class Carried {
    private static final Set<String> KEEPING_TYPES = Set.of("Reshape", "Pack", "Pad", "Tile", "Roll");

    private Carried() {}

    /**
     * Behind these steps.
     *
     * @return empty where one cannot be given what comes, or may make sizes of it that are not known
     */
    static Optional<List<TensorSpec>> behind(List<Step> steps, List<TensorSpec> given) {
        Optional<List<TensorSpec>> carried = Optional.of(given);
        for (Step step : steps) {
            carried = carried.flatMap(come -> behind(step, come));
        }
        return carried;
    }

    private static Optional<List<TensorSpec>> behind(Step step, List<TensorSpec> come) {
        if (come.size() != step.before().size()) {
            return Optional.empty();
        }
        return step.reads().stream().allMatch(component -> isTaken(step, component, come.get(component)))
                ? Optional.of(passed(step, come))
                : Optional.empty();
    }

    private static boolean isTaken(Step step, int component, TensorSpec comes) {
        TensorSpec written = step.before().get(component);
        boolean anyType = !step.is(StepKind.FILTER) && (copies(step) || Ops.onlyCasts(step) || Ops.isBilinear(step));
        // a cut to a size that the graph tells, from whatever comes
        boolean fixed = Ops.onlyCopies(step)
                && !written.isStatic()
                && step.writes().contains(component)
                && step.after().get(component).isStatic();
        boolean anySize = !step.is(StepKind.GEOMETRIC) || Ops.keepSizes(step) || fixed;
        return (anyType || comes.type().equals(written.type()))
                && (anySize || comes.shape().equals(written.shape()));
    }

    private static boolean copies(Step step) {
        return Ops.onlyCopies(step)
                || (step.is(StepKind.GEOMETRIC)
                        && step.all(op -> Ops.COPYING.contains(op.op())
                                || Ops.PASSING.contains(op.op())
                                || KEEPING_TYPES.contains(op.op())));
    }

    private static List<TensorSpec> passed(Step step, List<TensorSpec> come) {
        List<TensorSpec> behind = new ArrayList<>(come);
        for (int component : step.writes()) {
            TensorSpec in = step.before().get(component);
            TensorSpec out = step.after().get(component);
            TensorSpec comes = come.get(component);
            boolean sized = step.is(StepKind.RESAMPLE) || !out.shape().equals(in.shape());
            boolean typed = !(copies(step) && out.type().equals(in.type()));
            behind.set(
                    component, new TensorSpec(typed ? out.type() : comes.type(), sized ? out.shape() : comes.shape()));
        }
        return behind;
    }
}
