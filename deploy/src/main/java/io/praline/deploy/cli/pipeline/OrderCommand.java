package io.praline.deploy.cli.pipeline;

import io.praline.deploy.cli.pipeline.OpenedPipeline.Planned;
import io.praline.deploy.cluster.StorageOptions;
import io.praline.deploy.ordering.OrderPlot;
import io.praline.deploy.ordering.OrderView;
import io.praline.deploy.ordering.Ordering;
import io.praline.deploy.ordering.PolicySteps;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputFile;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.policy.ordering.OrderOptions.Leave;
import io.praline.policy.ordering.Step;
import io.praline.policy.ordering.plan.Proof;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import io.praline.worker.profile.MeasuredSteps;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** In which order a pipeline's steps should run. */
@Command(
        name = "order",
        description = "Find an order of a pipeline's steps that costs less: what moves where, by which rule, and what a"
                + " sample of the data says of its speed and of its results.",
        footer = {
            "",
            "Examples:  praline pipeline order train.pb --data '/data/train-*.tfrecord'",
            "           praline pipeline order train.pb --data '/data/train-*.tfrecord' --mode tolerant --out faster.pb",
            "           praline pipeline order train.pb --data '/data/train-*.tfrecord' --allow 'resize>rotate'"
        })
final class OrderCommand implements Runnable {

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "FILE", description = "A GraphDef as tf.data serialises it (.pb), or a YAML file.")
    private Path file;

    @Option(
            names = "--data",
            paramLabel = "GLOB",
            description =
                    "Files to read, as this machine sees them; without it what the pipeline itself names or holds.")
    private List<String> data = List.of();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description =
                    "exact: results are the same bit for bit; tolerant: up to rounding; pecan: the published order,"
                            + " whatever becomes of results (${DEFAULT-VALUE}).")
    private Ordering.Mode mode = Ordering.Mode.exact;

    @Option(
            names = "--allow",
            paramLabel = "A>B",
            description =
                    "Lets A move before B though results change, by names of steps or words such as resize; may be"
                            + " repeated.")
    private List<String> allow = List.of();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the pipeline in that order, as tf.data and Praline read it.")
    private Path out;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Write a picture (SVG) of bytes and time at each step, before and after.")
    private Path plot;

    @Mixin
    private StorageOptions storage;

    @Override
    public void run() {
        // measuring takes minutes, behind which nobody wants to hear it
        Stream.of(out, plot).filter(Objects::nonNull).forEach(OutputFile::check);
        try (LocalStorage open = new LocalStorage(storage.settings())) {
            run(OpenedPipeline.open(file, open));
        }
    }

    private void run(OpenedPipeline pipeline) {
        List<Leave> leaves = allow.stream().map(OrderCommand::leave).toList();
        if (mode == Ordering.Mode.pecan && !leaves.isEmpty()) {
            output.note("--allow changes nothing in mode pecan, which asks for no leave");
        }
        Planned planned = pipeline.plan(data);
        MeasuredSteps measured = pipeline.measure(planned);
        leaves.forEach(leave -> known(leave, PolicySteps.steps(measured.steps())));
        new ProfileView(measured).lines().forEach(output::line);
        Ordering found = pipeline.order(planned, measured, mode, leaves);
        OrderView view = new OrderView(found);
        view.lines().forEach(output::line);
        view.steps().forEach(output::object);
        output.object(view.summary());
        if (plot != null) {
            write(plot, OrderPlot.svg(pipeline.file().name(), found.plan()).getBytes(StandardCharsets.UTF_8), "");
        }
        if (out != null) {
            write(out, ordered(found, pipeline), written(found));
        }
    }

    private static Leave leave(String text) {
        try {
            return Leave.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailed(ExitCode.WRONG_USE, "--allow " + text + ": " + wrong.getMessage());
        }
    }

    private static void known(Leave leave, List<Step> steps) {
        leave.stranger(steps).ifPresent(side -> {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "--allow " + leave + ": no step is called " + side + "; the steps are "
                            + steps.stream().map(Step::name).collect(Collectors.joining(", ")));
        });
    }

    /** The user's own bytes where nothing moves. */
    private byte[] ordered(Ordering found, OpenedPipeline pipeline) {
        Optional<String> wrong = found.trial().flatMap(Ordering.Trial::wrong);
        if (wrong.isPresent()) {
            throw new CommandFailed(
                    ExitCode.REFUSED,
                    out + " is not written, since that order gives other results on the sample: " + wrong.get()
                            + "; leave --out out, and report the pipeline");
        }
        return found.trial()
                .map(trial -> trial.variant().toBytes())
                .orElse(pipeline.file().graph());
    }

    /** What a file holds that is not what was asked for; empty where it is. */
    static String written(Ordering found) {
        if (found.refused().isPresent()) {
            return ": the pipeline as it is, since the order that was found cannot be used";
        }
        if (found.trial().isEmpty()) {
            return ": the pipeline as it is, since nothing moves";
        }
        String used = found.trial().get().verdict().accepted()
                ? ""
                : " in the order that was found, which a job would not use";
        String drawn = filtersPassDraws(found)
                ? "; read by tf.data alone it draws other numbers for an element, since a filter changes places with"
                        + " what draws: a job's draws follow the element, tf.data's the order in which elements come"
                : "";
        String rounded = found.plan().proof() == Proof.EXACT && computes(found)
                ? "; read by tf.data alone the last bits of what is computed may be others, as TensorFlow's optimizer"
                        + " rewrites arithmetic by what stands together in a function; a job runs without it"
                : "";
        return used + drawn + rounded;
    }

    /** Whether a step that moves, or past which one moves, does arithmetic on fractions. */
    private static boolean computes(Ordering found) {
        Set<String> moved = found.plan().moves().stream()
                .flatMap(move -> Stream.of(move.step(), move.past()))
                .collect(Collectors.toSet());
        return found.measured().steps().stream()
                .filter(step -> moved.contains(step.name()))
                .anyMatch(OrderCommand::computes);
    }

    private static boolean computes(StepDescription step) {
        return step.kind() == StepKind.ELEMENTWISE
                && step.ops().stream().anyMatch(op -> !op.op().equals("Cast"))
                && step.writes().stream()
                        .anyMatch(place -> step.after().get(place).type().matches("b?float.*|half"));
    }

    private static boolean filtersPassDraws(Ordering found) {
        Map<String, StepDescription> steps =
                found.measured().steps().stream().collect(Collectors.toMap(StepDescription::name, step -> step));
        return found.plan().moves().stream()
                .map(move -> Stream.of(move.step(), move.past())
                        .flatMap(name -> Optional.ofNullable(steps.get(name)).stream())
                        .toList())
                .anyMatch(pair -> pair.stream().anyMatch(StepDescription::draws)
                        && pair.stream().anyMatch(step -> step.kind() == StepKind.FILTER));
    }

    /** @param holds what there is to say of it */
    private void write(Path to, byte[] bytes, String holds) {
        OutputFile.write(to, bytes);
        output.note("wrote " + to + holds);
    }
}
