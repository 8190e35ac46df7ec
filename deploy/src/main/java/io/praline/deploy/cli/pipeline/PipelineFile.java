package io.praline.deploy.cli.pipeline;

import io.praline.client.pipeline.Pipeline;
import io.praline.client.pipeline.PipelineYaml;
import io.praline.client.pipeline.RefusedPipelineFile;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.NamedFile;
import io.praline.topics.Agreements;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * A pipeline as the user keeps it.
 *
 * @param name what people call it: the file's name without its ending
 * @param graph the serialised GraphDef
 * @param names of the components; empty where the file does not tell
 */
@SuppressWarnings("ArrayRecordComponent")
public record PipelineFile(String name, byte[] graph, List<String> names) {

    /** Which ops there are is known where the pipeline runs. */
    private static final OpCatalogue ANY_OPS = new OpCatalogue() {
        @Override
        public boolean holds(String op) {
            return true;
        }

        @Override
        public String version() {
            return "";
        }
    };

    public PipelineFile {
        names = List.copyOf(names);
    }

    public static PipelineFile read(Path file) {
        if (!Files.exists(file)) {
            throw new CommandFailed(ExitCode.REFUSED, "no pipeline file " + file + "; check the path");
        }
        if (Files.isDirectory(file)) {
            throw new CommandFailed(
                    ExitCode.REFUSED, "the pipeline file " + file + " is a directory; name a file in it");
        }
        String name = file.getFileName().toString().replaceFirst("\\.(pb|ya?ml)$", "");
        if (file.toString().matches(".*\\.ya?ml")) {
            return readYaml(name, file);
        }
        try {
            byte[] graph = NamedFile.bytes(file, Agreements.LARGEST_GRAPH_BYTES);
            requireRunnable(graph);
            return new PipelineFile(name, graph, List.of());
        } catch (RefusedPipeline refused) {
            throw new CommandFailed(
                    ExitCode.REFUSED, "the pipeline file " + file + " is refused: " + refused.getMessage(), refused);
        } catch (IOException unreadable) {
            throw new CommandFailed(
                    ExitCode.REFUSED,
                    "cannot read the pipeline file " + file + ": " + Failures.why(unreadable),
                    unreadable);
        }
    }

    /** TensorFlow itself takes a second to load: it is asked only about what looks wrong, as it knows the cause better. */
    private static void requireRunnable(byte[] graph) {
        try {
            PipelineGraph.parse(graph, ANY_OPS);
        } catch (RefusedPipeline suspected) {
            PipelineGraph.parse(graph, new TensorFlowOps());
        }
    }

    /**
     * A pipeline of named steps that lies in no file.
     *
     * @param text as a file would hold it
     */
    public static PipelineFile ofSteps(String text) {
        return built("", () -> PipelineYaml.parse("the pipeline's steps,", text));
    }

    private static PipelineFile readYaml(String name, Path file) {
        return built(name, () -> PipelineYaml.read(file));
    }

    private static PipelineFile built(String name, Supplier<Pipeline> steps) {
        try {
            Pipeline pipeline = steps.get();
            return new PipelineFile(name, pipeline.graph(), pipeline.componentNames());
        } catch (RefusedPipelineFile refused) {
            throw new CommandFailed(ExitCode.REFUSED, refused.getMessage(), refused);
        }
    }
}
