package io.praline.deploy.ordering;

import io.praline.policy.ordering.Step;
import io.praline.policy.ordering.StepKind;
import io.praline.policy.ordering.StepMeasure;
import io.praline.policy.ordering.StepOp;
import io.praline.policy.ordering.TensorSpec;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.profile.MeasuredSteps;
import io.praline.worker.profile.StepRecords;
import java.util.List;
import java.util.TreeSet;

/** Steps of a worker as policies know them. */
public final class PolicySteps {
    private PolicySteps() {}

    public static List<Step> steps(List<StepDescription> steps) {
        return steps.stream().map(PolicySteps::step).toList();
    }

    static List<StepMeasure> measures(MeasuredSteps measured) {
        return measured.measures().stream()
                .map(one -> new StepMeasure(one.name(), one.elements(), one.bytesIn(), one.bytesOut(), one.nanos()))
                .toList();
    }

    private static Step step(StepDescription step) {
        return new Step(
                step.name(),
                step.transformation(),
                StepKind.valueOf(step.kind().name()),
                step.told().stream()
                        .map(op -> new StepOp(op.op(), op.inputTypes(), op.outputTypes(), StepRecords.settings(op)))
                        .toList(),
                step.draws(),
                step.drawsFromShape(),
                step.stateful(),
                step.mayFail(),
                step.keepPosition(),
                new TreeSet<>(step.reads()),
                new TreeSet<>(step.writes()),
                step.restructures(),
                step.before().stream().map(PolicySteps::spec).toList(),
                step.after().stream().map(PolicySteps::spec).toList());
    }

    private static TensorSpec spec(io.praline.worker.graph.ordering.step.TensorSpec spec) {
        return new TensorSpec(spec.type(), spec.shape());
    }
}
