package io.praline.deploy.ordering;

import io.praline.policy.ordering.Step;
import io.praline.policy.ordering.StepKind;
import io.praline.policy.ordering.StepOp;
import io.praline.policy.ordering.TensorSpec;
import io.praline.worker.attempt.KnownPipeline;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.SpellOut;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformations;
import io.praline.worker.graph.ordering.SplitPipeline;
import io.praline.worker.graph.ordering.StepDescription;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.profile.Profile;
import io.praline.worker.profile.Profiler;
import io.praline.worker.profile.SampleFailed;
import io.praline.worker.profile.SampleSize;
import io.praline.worker.profile.SplitSample;
import io.praline.worker.profile.StepMeasure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A pipeline cut into its steps, and what a sample of its data told of them.
 *
 * @param steps between source and end, in the user's order
 * @param profile of the cut pipeline, whose steps have the names that transformations have there
 * @param measured those names by the steps' own
 */
public record MeasuredSteps(List<StepDescription> steps, Profile profile, Map<String, String> measured) {
    public MeasuredSteps {
        steps = List.copyOf(steps);
        measured = Map.copyOf(measured);
    }

    /**
     * Cuts it and reads the sample.
     *
     * @param reader who reads, for messages
     * @throws SampleFailed where the sample cannot be read
     */
    public static MeasuredSteps of(PipelineGraph written, OpInference ops, String reader, SplitSample sample)
            throws InterruptedException {
        SplitPipeline split = new Variants(ops).split(written);
        PipelineGraph graph = split.graph();
        Map<String, String> transformations =
                Transformations.of(new SpellOut().apply(graph)).names();
        Map<String, String> measured = new HashMap<>();
        split.links().forEach(link -> Optional.ofNullable(transformations.get(link.node()))
                .ifPresent(name -> measured.put(link.name(), name)));
        Profile profile = new Profiler(reader, new KnownPipeline(graph, PipelineAnalysis.of(graph)), SampleSize.USUAL)
                .run(sample);
        return new MeasuredSteps(new Steps(ops).of(split), profile, measured);
    }

    /** What was measured of a step; empty where it took no part. */
    public Optional<StepMeasure> measure(String step) {
        return Optional.ofNullable(measured.get(step)).flatMap(profile::step);
    }

    /** The steps as policies know them. */
    List<Step> forPolicy() {
        return steps.stream().map(MeasuredSteps::step).toList();
    }

    /** What was measured of them, as policies know it. */
    List<io.praline.policy.ordering.StepMeasure> measuresForPolicy() {
        return steps.stream()
                .map(StepDescription::name)
                .flatMap(name -> measure(name).stream()
                        .map(measure -> new io.praline.policy.ordering.StepMeasure(
                                name, measure.elements(), measure.bytesIn(), measure.bytesOut(), measure.nanos())))
                .toList();
    }

    private static Step step(StepDescription step) {
        return new Step(
                step.name(),
                step.transformation(),
                StepKind.valueOf(step.kind().name()),
                step.ops().stream()
                        .map(op -> new StepOp(op.op(), op.inputTypes(), op.outputTypes(), new TreeMap<>(op.settings())))
                        .toList(),
                step.draws(),
                step.drawsFromShape(),
                step.stateful(),
                step.mayFail(),
                step.keepPosition(),
                new TreeSet<>(step.reads()),
                new TreeSet<>(step.writes()),
                step.restructures(),
                step.before().stream().map(MeasuredSteps::spec).toList(),
                step.after().stream().map(MeasuredSteps::spec).toList());
    }

    private static TensorSpec spec(io.praline.worker.graph.ordering.TensorSpec spec) {
        return new TensorSpec(spec.type(), spec.shape());
    }
}
