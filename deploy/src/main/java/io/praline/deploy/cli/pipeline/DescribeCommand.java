package io.praline.deploy.cli.pipeline;

import io.praline.deploy.console.CommandFailed;
import io.praline.deploy.console.ExitCode;
import io.praline.deploy.console.OutputOptions;
import io.praline.schema.Guarantee;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformation;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.planning.Planner;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is in a pipeline. */
@Command(
        name = "describe",
        description = "Show what a pipeline reads and does, what is promised for it, and what a distributed run"
                + " does differently.",
        footer = {
            "",
            "Examples:  praline pipeline describe train.pb",
            "           praline pipeline describe train.pb --data '/data/train-*.tfrecord'",
            "           praline pipeline describe train.pb --traits"
        })
final class DescribeCommand implements Runnable {

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "FILE", description = "A GraphDef as tf.data serialises it (.pb), or a YAML file.")
    private Path file;

    @Option(
            names = "--data",
            paramLabel = "GLOB",
            description = "Files to read, as this machine sees them: shows how they would be split.")
    private List<String> data = List.of();

    @Option(
            names = "--traits",
            description = "Show what is known of each operation that does more than compute from its inputs.")
    private boolean traits;

    @Override
    public void run() {
        PipelineFile pipeline = PipelineFile.read(file);
        PipelineGraph graph;
        try {
            graph = PipelineGraph.parse(pipeline.graph(), new TensorFlowOps());
        } catch (RefusedPipeline refused) {
            throw new CommandFailed(ExitCode.REFUSED, file + ": " + refused.getMessage(), refused);
        }
        PipelineAnalysis found = PipelineAnalysis.of(graph);
        Optional<PlanCompleted> plan = data.isEmpty() ? Optional.empty() : Optional.of(plan(pipeline));
        output.line("digest      " + graph.digest());
        for (PipelineSource source : found.sources()) {
            output.line("source      " + source.words());
        }
        for (Transformation one : found.transformations()) {
            output.line(
                    String.format(Locale.ROOT, "  %-16s %-26s %s", one.name(), one.kind(), shapes(one.components()))
                            .stripTrailing());
        }
        output.line("element     " + shapes(found.components())
                + (pipeline.names().isEmpty() ? "" : " named " + String.join(", ", pipeline.names())));
        output.line("guarantee   " + guarantee(found));
        if (found.singleTask()) {
            output.line("tasks       one at a time: it depends on global position");
        }
        if (found.epochs() != 1) {
            output.line("epochs      " + (found.epochs() < 0 ? "without end" : found.epochs()) + ", by its repeat");
        }
        found.drops().forEach(drop -> output.line("drop        " + drop.words()));
        found.notes().forEach(note -> output.line("note        " + note));
        Map<String, Object> object = object(graph, found);
        if (traits) {
            List<OpTraits> rows = OpTraits.in(graph);
            rows.forEach(
                    row -> output.line(String.format(Locale.ROOT, "trait       %-26s %s", row.op(), row.words())));
            object.put("traits", rows.stream().map(DescribeCommand::object).toList());
        }
        plan.ifPresent(made -> {
            output.line("plan        " + made.getSplits() + " splits, " + made.getBytes() + " bytes in an epoch");
            object.put("splits", made.getSplits());
            object.put("bytes", made.getBytes());
        });
        output.object(object);
    }

    /** What a worker of this machine would plan. */
    private PlanCompleted plan(PipelineFile pipeline) {
        PlanSplits order = PlanSplits.newBuilder()
                .setJob("")
                .setPlan(1)
                .setPipelineName(pipeline.name())
                .setGraph(ByteBuffer.wrap(pipeline.graph()))
                .setComponentNames(pipeline.names())
                .setDataGlobs(data)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .build();
        Ending ending = new Ending();
        new Planner(new Planner.Identity("", "of this machine", ""), new TensorFlowOps(), Path.of(""))
                .plan(order, ending);
        if (ending.last instanceof PlanCompleted completed) {
            return completed;
        }
        throw new CommandFailed(ExitCode.REFUSED, ((PlanFailed) ending.last).getReason());
    }

    /** Of a plan only how it ended. */
    private static final class Ending implements Planner.Output {
        private Object last;

        @Override
        public void pipeline(PipelineEntry entry, PipelineGraph graph) {}

        @Override
        public void message(PlanMessage message) {
            last = message.getBody();
        }
    }

    private static String guarantee(PipelineAnalysis found) {
        return found.exactlyOnce() ? "exactly once" : "at least once: " + String.join("; ", found.reasons());
    }

    private static String shapes(List<ElementComponent> components) {
        return components.stream().map(DescribeCommand::shape).collect(Collectors.joining(", "));
    }

    private static String shape(ElementComponent component) {
        return component.dtypeName()
                + (component.rankKnown()
                        ? component.shape().stream()
                                .map(size -> size < 0 ? "?" : size.toString())
                                .collect(Collectors.joining(",", "[", "]"))
                        : "[...]");
    }

    private static Map<String, Object> object(OpTraits row) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("op", row.op());
        object.put("known", row.known());
        object.put("family", OpTraits.word(row.family()));
        object.put("grain", OpTraits.word(row.grain()));
        object.put("keepsOrder", row.keepsOrder());
        object.put("drops", OpTraits.word(row.drops()));
        object.put("repeats", OpTraits.word(row.repeats()));
        object.put("position", row.position());
        object.put("draws", OpTraits.word(row.draws()));
        object.put("stateless", row.stateless().orElse(null));
        object.put("perTask", row.perTask());
        return object;
    }

    private static Map<String, Object> object(PipelineGraph graph, PipelineAnalysis found) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("digest", graph.digest());
        object.put(
                "sources",
                found.sources().stream().map(PipelineSource::words).toList());
        object.put(
                "transformations",
                found.transformations().stream()
                        .map(one -> Map.of(
                                "name", one.name(),
                                "kind", one.kind(),
                                "functions", one.functionOps(),
                                "components", shapes(one.components()),
                                "note", one.note()))
                        .toList());
        object.put(
                "components",
                found.components().stream().map(DescribeCommand::shape).toList());
        object.put("guarantee", found.exactlyOnce() ? "EXACTLY_ONCE" : "AT_LEAST_ONCE");
        object.put("guaranteeReasons", found.reasons());
        object.put("singleTask", found.singleTask());
        object.put("epochs", found.epochs());
        object.put(
                "drops",
                found.drops().stream()
                        .map(drop -> Map.of(
                                "transformation",
                                drop.transformation(),
                                "op",
                                drop.op(),
                                "how",
                                OpTraits.word(drop.how()),
                                "where",
                                OpTraits.word(drop.where())))
                        .toList());
        object.put("notes", found.notes());
        return object;
    }
}
