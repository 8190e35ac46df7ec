package io.praline.worker.profile;

import io.praline.schema.PipelineStep;
import io.praline.schema.StepFactors;
import io.praline.schema.StepOperation;
import io.praline.schema.StepTensor;
import io.praline.worker.graph.ordering.step.SettingWords;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepOp;
import io.praline.worker.graph.ordering.step.TensorSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Steps as the dispatcher hears of them. */
public final class StepRecords {
    private StepRecords() {}

    static List<PipelineStep> steps(MeasuredSteps measured) {
        return measured.steps().stream().map(StepRecords::step).toList();
    }

    static List<StepFactors> factors(MeasuredSteps measured) {
        return measured.measures().stream()
                .map(step ->
                        new StepFactors(step.name(), step.elements(), step.bytesIn(), step.bytesOut(), step.nanos()))
                .toList();
    }

    static PipelineStep step(StepDescription step) {
        return PipelineStep.newBuilder()
                .setName(step.name())
                .setTransformation(step.transformation())
                .setKind(step.kind().name())
                .setOps(step.told().stream().map(StepRecords::operation).toList())
                .setDraws(step.draws())
                .setDrawsFromShape(step.drawsFromShape())
                .setStateful(step.stateful())
                .setMayFail(step.mayFail())
                .setKeepPosition(step.keepPosition())
                .setReads(step.reads())
                .setWrites(step.writes())
                .setRestructures(step.restructures())
                .setBefore(tensors(step.before()))
                .setAfter(tensors(step.after()))
                .build();
    }

    private static StepOperation operation(StepOp op) {
        return new StepOperation(op.op(), op.inputTypes(), op.outputTypes(), settings(op));
    }

    /** With flags that do not hold: of those that nothing is said of nobody knows, as older workers do not know of all. */
    public static SortedMap<String, String> settings(StepOp op) {
        SortedMap<String, String> settings = new TreeMap<>(op.settings());
        SettingWords.FLAGS.forEach(flag -> settings.putIfAbsent(flag, SettingWords.FALSE));
        return settings;
    }

    private static List<StepTensor> tensors(List<TensorSpec> specs) {
        return specs.stream()
                .map(spec -> new StepTensor(spec.type(), spec.shape().orElse(null)))
                .toList();
    }
}
