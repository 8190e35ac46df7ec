package io.praline.deploy.ordering;

import io.praline.policy.ordering.ExactOrder;
import io.praline.policy.ordering.OrderOptions;
import io.praline.policy.ordering.OrderOptions.Leave;
import io.praline.policy.ordering.OrderOptions.Prices;
import io.praline.policy.ordering.PecanOrder;
import io.praline.policy.ordering.TolerantOrder;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Proof;
import io.praline.policy.ordering.verification.GainBound;
import io.praline.policy.ordering.verification.Verdict;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.planning.DataReader;
import io.praline.worker.profile.MeasuredSteps;
import io.praline.worker.profile.Profile;
import io.praline.worker.profile.SampleFailed;
import io.praline.worker.profile.SampleSize;
import io.praline.worker.profile.SplitSample;
import io.praline.worker.profile.VariantFailed;
import io.praline.worker.profile.Verified;
import io.praline.worker.profile.Verifier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The order that was found for a pipeline, and how it did on a sample.
 *
 * @param measured in the user's order
 * @param plan what moves
 * @param trial of what it makes; empty where nothing moves
 * @param refused why the order cannot be carried out, or fails on the sample; empty where it does
 */
public record Ordering(MeasuredSteps measured, OrderPlan plan, Optional<Trial> trial, Optional<String> refused) {
    /** Of each of ten runs: a pair of them shows a difference of some percent. */
    private static final SampleSize RUN = new SampleSize(300, Duration.ofMillis(700), Duration.ofSeconds(3));

    /** How equal results must be. */
    public enum Mode {
        exact,
        tolerant,
        pecan
    }

    /**
     * A variant of the pipeline beside the pipeline itself.
     *
     * @param variant the other order
     * @param seen what both did
     * @param gain how much faster it is
     * @param verdict whether it is worth it, and right as far as the sample tells
     * @param wrong how results differ that its moves promise to be the same; empty where they do not
     */
    public record Trial(
            PipelineGraph variant, Verified seen, GainBound gain, Verdict verdict, Optional<String> wrong) {}

    /**
     * Finds an order, and tries it.
     *
     * @param allowed moves that the user allows though results change
     * @param reader who reads
     * @param threads of the runs that are compared
     * @throws SampleFailed where the sample cannot be read
     */
    public static Ordering of(
            PipelineGraph written,
            MeasuredSteps measured,
            Mode mode,
            List<Leave> allowed,
            OpInference ops,
            DataReader reader,
            SplitSample sample,
            int threads) {
        OrderPlan plan = plan(measured, mode, allowed);
        if (plan.movesNothing()) {
            return new Ordering(measured, plan, Optional.empty(), Optional.empty());
        }
        try {
            PipelineGraph variant = new Variants(ops).apply(written, new Recipe(plan.changed()));
            Profile profile = measured.profile();
            Verified seen = new Verifier(reader, known(written), known(variant), RUN, threads, new Cancellation())
                    .run(sample, profile.records(), profile.took());
            return new Ordering(measured, plan, Optional.of(trial(plan, variant, seen)), Optional.empty());
        } catch (RefusedRecipe | VariantFailed refused) {
            return new Ordering(measured, plan, Optional.empty(), Optional.of(refused.getMessage()));
        }
    }

    private static Trial trial(OrderPlan plan, PipelineGraph variant, Verified seen) {
        GainBound gain = GainBound.of(seen.pairs().stream()
                .map(pair -> new GainBound.Pair(pair.usualNanos(), pair.variantNanos()))
                .toList());
        Verdict verdict = Verdict.of(plan.proof(), plan.tolerance(), comparison(seen), gain);
        return new Trial(variant, seen, gain, verdict, wrong(plan.proof(), plan.tolerance(), seen));
    }

    /**
     * How results differ more than they may, however fast the variant is. Of a sample that yields nothing they do not.
     *
     * @param proof what its moves promise
     * @param tolerance how far results may differ where they need not be the same
     */
    static Optional<String> wrong(Proof proof, double tolerance, Verified seen) {
        return Verdict.difference(proof, tolerance, comparison(seen));
    }

    private static Verdict.Comparison comparison(Verified seen) {
        return new Verdict.Comparison(seen.elements(), seen.missing(), seen.unequal(), seen.largestDifference());
    }

    private static OrderPlan plan(MeasuredSteps measured, Mode mode, List<Leave> allowed) {
        Prices prices = new Prices(measured.profile().callNanos(), Prices.USUAL.nanosPerByteToClient());
        OrderOptions options = new OrderOptions(false, allowed, prices);
        var steps = PolicySteps.steps(measured.steps());
        var measures = PolicySteps.measures(measured);
        return switch (mode) {
            case exact -> new ExactOrder(options).plan(steps, measures);
            case tolerant -> new TolerantOrder(options).plan(steps, measures);
            case pecan -> new PecanOrder(options).plan(steps, measures);
        };
    }

    private static KnownPipeline known(PipelineGraph graph) {
        return new KnownPipeline(graph, PipelineAnalysis.of(graph));
    }
}
