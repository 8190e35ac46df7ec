package io.praline.worker.profile;

import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformations;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.SplitPipeline;
import io.praline.worker.graph.ordering.Steps;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.spelling.SpellOut;
import io.praline.worker.planning.DataReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pipeline cut into its steps, and what a sample of its data told of them.
 *
 * @param steps between source and end, in the user's order
 * @param profile of the cut pipeline, whose steps have the names that transformations have there
 * @param measured those names by the steps' own
 * @param links of which transformation each step is a part, from the sources on
 */
public record MeasuredSteps(
        List<StepDescription> steps, Profile profile, Map<String, String> measured, List<SplitPipeline.Link> links) {
    public MeasuredSteps {
        links = List.copyOf(links);
        steps = List.copyOf(steps);
        measured = Map.copyOf(measured);
    }

    /**
     * Cuts it and reads the sample.
     *
     * @param reader who reads
     * @param cancellation ends the reading
     * @throws SampleFailed where the sample cannot be read
     * @throws RefusedPipeline where the pipeline cannot be cut
     * @throws RefusedRecipe likewise
     */
    public static MeasuredSteps of(
            PipelineGraph written, OpInference ops, DataReader reader, SplitSample sample, Cancellation cancellation)
            throws InterruptedException {
        SplitPipeline split = new Variants(ops).split(written);
        PipelineGraph graph = split.graph();
        Map<String, String> transformations =
                Transformations.of(new SpellOut().apply(graph)).names();
        Map<String, String> measured = new HashMap<>();
        split.links().forEach(link -> Optional.ofNullable(transformations.get(link.node()))
                .ifPresent(name -> measured.put(link.name(), name)));
        Profile profile = new Profiler(reader, new KnownPipeline(graph, PipelineAnalysis.of(graph)), SampleSize.USUAL)
                .run(sample, cancellation);
        return new MeasuredSteps(new Steps(ops).of(split), profile, measured, split.links());
    }

    /** What was measured of a step; empty where it took no part. */
    public Optional<StepMeasure> measure(String step) {
        return Optional.ofNullable(measured.get(step)).flatMap(profile::step);
    }

    /** What was measured of those that took part, under their own names. */
    public List<StepMeasure> measures() {
        return steps.stream()
                .flatMap(step -> measure(step.name()).stream().map(measure -> measure.named(step.name())))
                .toList();
    }
}
