package io.praline.worker.graph.ordering;

import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.ordering.step.StepDescription;
import java.util.List;

/** A user's pipeline in other orders. What comes out runs wherever the user's does, and draws what that draws. */
public final class Variants {
    private final OpInference ops;

    public Variants(OpInference ops) {
        this.ops = ops;
    }

    /** The pipeline cut into its steps, by whose names a recipe speaks of them. */
    public SplitPipeline split(PipelineGraph written) {
        return new SplitMaps(ops).apply(written);
    }

    /** What the steps are, from the sources to the root. */
    public List<StepDescription> steps(PipelineGraph written) {
        return new Steps(ops).of(split(written));
    }

    /** What the user's own maps are, none of them cut. */
    public List<StepDescription> transformations(PipelineGraph written) {
        return new Steps(ops).of(new SplitMaps(ops).uncut(written));
    }

    /**
     * The pipeline in another order. Steps that run alike and follow each other are one map again.
     *
     * @return the user's own where nothing moves
     * @throws RefusedRecipe if it cannot be carried out
     */
    public PipelineGraph apply(PipelineGraph written, Recipe recipe) {
        SplitPipeline split = split(written);
        SplitPipeline reordered = new Reorder(ops).apply(split, recipe);
        if (reordered.graph() == split.graph()) {
            return written;
        }
        PipelineGraph variant = new JoinMaps(ops).apply(reordered.graph());
        // the whole graph is taken once more, as a session will take it
        ops.outputs(variant.toGraphDef().build(), List.of(variant.root()));
        PipelineAnalysis before = PipelineAnalysis.of(written);
        PipelineAnalysis after = PipelineAnalysis.of(variant);
        boolean same = before.sources().equals(after.sources())
                && before.exactlyOnce() == after.exactlyOnce()
                && before.singleTask() == after.singleTask()
                && before.batched() == after.batched()
                && before.epochs() == after.epochs();
        if (!same) {
            throw new RefusedRecipe("in that order the pipeline's elements cannot be told apart as in the user's");
        }
        return variant;
    }
}
