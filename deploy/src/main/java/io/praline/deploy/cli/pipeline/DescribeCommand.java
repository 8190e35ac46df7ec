package io.praline.deploy.cli.pipeline;

import io.praline.deploy.cli.pipeline.OpenedPipeline.Planned;
import io.praline.deploy.cluster.StorageOptions;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.policy.Counted;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformation;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.graph.ordering.step.TensorSpec;
import io.praline.worker.graph.source.PipelineSource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is in a pipeline. */
@Command(
        name = "describe",
        description = "Show what a pipeline reads and does, what is promised for it, and what a distributed run"
                + " does differently; with data, also what each step costs.",
        footer = {
            "",
            "Examples:  praline pipeline describe train.pb",
            "           praline pipeline describe train.pb --data '/data/train-*.tfrecord'",
            "           praline pipeline describe arrays.pb --measure",
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
            description =
                    "Files to read, as this machine sees them: shows how they would be split, reads some seconds of"
                            + " them, and shows what each step costs.")
    private List<String> data = List.of();

    @Option(names = "--measure", description = "The same for what the pipeline itself names or holds.")
    private boolean measure;

    @Option(
            names = "--traits",
            description = "Show what is known of each operation that does more than compute from its inputs.")
    private boolean traits;

    @Mixin
    private StorageOptions storage;

    @Override
    public void run() {
        try (LocalStorage open = new LocalStorage(storage.settings())) {
            run(OpenedPipeline.open(file, open));
        }
    }

    private void run(OpenedPipeline pipeline) {
        PipelineAnalysis found = pipeline.analysis();
        Optional<Planned> planned = data.isEmpty() && !measure ? Optional.empty() : Optional.of(pipeline.plan(data));
        Optional<ProfileView> measured = planned.filter(plan -> plan.plan().getSplits() > 0)
                .map(plan -> new ProfileView(pipeline.measure(plan)));
        describe(pipeline.graph(), found, pipeline.file().names());
        Map<String, Object> object = object(pipeline.graph(), found, measured);
        if (traits) {
            List<OpTraits> rows = OpTraits.in(pipeline.graph());
            rows.forEach(row -> output.line(String.format(Locale.ROOT, "trait       %-26s %s", row.op(), row.words())));
            object.put("traits", rows.stream().map(DescribeCommand::object).toList());
        }
        planned.map(Planned::plan).ifPresent(plan -> {
            output.line("plan        " + Counted.of(plan.getSplits(), "split") + ", " + plan.getBytes()
                    + " bytes in an epoch");
            object.put("splits", plan.getSplits());
            object.put("bytes", plan.getBytes());
            // what was found on planning; the others are told already
            plan.getNotes().stream()
                    .filter(note -> !found.notes().contains(note))
                    .forEach(note -> output.line("note        " + note));
            object.put("notes", plan.getNotes());
        });
        measured.ifPresent(view -> {
            view.lines().forEach(output::line);
            object.put("measured", view.sample());
            object.put("steps", view.steps());
        });
        output.object(object);
    }

    private void describe(PipelineGraph graph, PipelineAnalysis found, List<String> names) {
        output.line("digest      " + graph.digest());
        for (PipelineSource source : found.sources()) {
            output.line("source      " + source.words());
        }
        for (Transformation one : found.transformations()) {
            output.line(String.format(
                            Locale.ROOT,
                            "  %-16s %-26s %s",
                            one.name(),
                            one.kind(),
                            Shapes.ofComponents(one.components()))
                    .stripTrailing());
        }
        output.line("element     " + Shapes.ofComponents(found.components())
                + (names.isEmpty() ? "" : " named " + String.join(", ", names)));
        output.line("guarantee   " + guarantee(found));
        found.whole().ifPresent(why -> output.line("tasks       one at a time, since " + why));
        if (found.epochs() != 1) {
            output.line("epochs      " + (found.epochs() < 0 ? "without end" : found.epochs()) + ", by its repeat");
        }
        for (Transformation one : found.transformations()) {
            List<String> draws = draws(one);
            if (!draws.isEmpty()) {
                output.line("random      " + one.name() + ": " + String.join(", ", draws));
            }
        }
        found.drops().forEach(drop -> output.line("drop        " + drop.words()));
        CachePoints points = CachePoints.of(graph, found, 0);
        points.points().forEach(point -> output.line("cache       behind " + point.step()));
        if (!points.blocked().isEmpty()) {
            output.line("cache       no " + (points.points().isEmpty() ? "" : "later ") + "point: " + points.blocked());
        }
        found.notes().forEach(note -> output.line("note        " + note));
    }

    /** Ops of a transformation that draw at random, itself among them. */
    private static List<String> draws(Transformation one) {
        return Stream.concat(Stream.of(one.kind()), one.functionOps().stream())
                .filter(op -> OpTraits.of(op).draws() != OpTraits.Draws.NOTHING
                        || OpTraits.of(op).family() == OpTraits.Family.SHUFFLE)
                .toList();
    }

    private static String guarantee(PipelineAnalysis found) {
        return found.exactlyOnce() ? "exactly once" : "at least once: " + String.join("; ", found.guaranteeReasons());
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

    private static Map<String, Object> object(
            PipelineGraph graph, PipelineAnalysis found, Optional<ProfileView> measured) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("digest", graph.digest());
        object.put(
                "sources", found.sources().stream().map(PipelineSource::words).toList());
        object.put(
                "transformations",
                found.transformations().stream()
                        .map(one -> object(one, measured))
                        .toList());
        object.put(
                "components",
                TensorSpec.of(found.components()).stream().map(Shapes::of).toList());
        object.put("guarantee", found.exactlyOnce() ? "EXACTLY_ONCE" : "AT_LEAST_ONCE");
        object.put("guaranteeReasons", found.guaranteeReasons());
        object.put("singleTask", found.singleTask());
        object.put("singleTaskReason", found.whole().orElse(null));
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
        CachePoints cached = CachePoints.of(graph, found, 0);
        object.put("cachePoints", cached.points().stream().map(CachePoint::step).toList());
        object.put("cacheBlocked", cached.blocked());
        return object;
    }

    private static Map<String, Object> object(Transformation one, Optional<ProfileView> measured) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", one.name());
        object.put("kind", one.kind());
        object.put("functions", one.functionOps());
        object.put("components", Shapes.ofComponents(one.components()));
        object.put("note", one.note());
        object.put("random", draws(one));
        measured.ifPresent(view -> object.putAll(view.transformation(one.name())));
        return object;
    }
}
