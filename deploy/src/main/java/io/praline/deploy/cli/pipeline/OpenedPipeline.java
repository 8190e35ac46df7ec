package io.praline.deploy.cli.pipeline;

import io.praline.deploy.ordering.Ordering;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.policy.ordering.OrderOptions.Leave;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.SplitPage;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.TensorFlowInference;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.planning.Planner;
import io.praline.worker.profile.MeasuredSteps;
import io.praline.worker.profile.PlanSample;
import io.praline.worker.profile.SampleFailed;
import io.praline.worker.profile.SplitSample;
import io.praline.worker.storage.stage.ObjectIndexes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A pipeline as this machine's engine takes it. */
record OpenedPipeline(PipelineFile file, PipelineGraph graph, PipelineAnalysis analysis, LocalStorage storage) {
    /** Who plans and reads, in messages: "worker of this machine". */
    private static final String READER = "of this machine";

    /**
     * What a worker of this machine would plan.
     *
     * @param sample of its splits
     */
    record Planned(PlanCompleted plan, SplitSample sample) {}

    static OpenedPipeline open(Path path, LocalStorage storage) {
        PipelineFile file = PipelineFile.read(path);
        try {
            PipelineGraph graph = PipelineGraph.parse(file.graph(), new TensorFlowOps());
            return new OpenedPipeline(file, graph, PipelineAnalysis.of(graph), storage);
        } catch (RefusedPipeline refused) {
            throw new CommandFailed(ExitCode.REFUSED, path + ": " + refused.getMessage(), refused);
        }
    }

    Planned plan(List<String> data) {
        PlanSplits order = PlanSplits.newBuilder()
                .setJob("")
                .setPlan(1)
                .setPipelineName(file.name())
                .setGraph(ByteBuffer.wrap(file.graph()))
                .setComponentNames(file.names())
                .setDataGlobs(data)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .build();
        Pages pages = new Pages();
        new Planner(
                        new Planner.Identity("", READER, ""),
                        new TensorFlowOps(),
                        Path.of(""),
                        storage.stores(),
                        ObjectIndexes.none())
                .plan(order, pages);
        if (pages.last instanceof PlanCompleted completed) {
            return new Planned(completed, pages.sample.chosen());
        }
        PlanFailed failed = (PlanFailed) pages.last;
        throw new CommandFailed(
                failed.getKind() == FailureKind.UNREACHABLE ? ExitCode.UNREACHABLE : ExitCode.REFUSED,
                failed.getReason());
    }

    /** The steps, and what a sample of the plan says of them. */
    MeasuredSteps measure(Planned planned) {
        return sampled(() -> MeasuredSteps.of(
                graph, new TensorFlowInference(), storage.reader(READER), planned.sample(), new Cancellation()));
    }

    /** The order that is found for the steps, tried on the sample. */
    Ordering order(Planned planned, MeasuredSteps measured, Ordering.Mode mode, List<Leave> allowed) {
        int threads = Runtime.getRuntime().availableProcessors();
        return sampled(() -> Ordering.of(
                graph,
                measured,
                mode,
                allowed,
                new TensorFlowInference(),
                storage.reader(READER),
                planned.sample(),
                threads));
    }

    private interface OfSample<T> {
        T get() throws InterruptedException;
    }

    private <T> T sampled(OfSample<T> what) {
        try {
            return what.get();
        } catch (SampleFailed failed) {
            throw new CommandFailed(
                    failed.refused() ? ExitCode.REFUSED : ExitCode.JOB_FAILED,
                    "the sample cannot be measured: " + failed.getMessage(),
                    failed);
        } catch (RefusedPipeline | RefusedRecipe refused) {
            throw new CommandFailed(
                    ExitCode.REFUSED, file.name() + " cannot be taken apart: " + refused.getMessage(), refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailed(ExitCode.INTERRUPTED, "interrupted", interrupted);
        }
    }

    /** Of a plan a sample of its splits, and how it ended. */
    private static final class Pages implements Planner.Output {
        private final PlanSample sample = new PlanSample();
        private Object last;

        @Override
        public void pipeline(PipelineEntry entry, PipelineGraph graph) {}

        @Override
        public void message(PlanMessage message) {
            last = message.getBody();
            if (last instanceof SplitPage page) {
                page.getSplits().forEach(sample::add);
            }
        }
    }
}
