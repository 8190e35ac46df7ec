package io.praline.deploy.cli;

import io.praline.deploy.feed.LocalWheel;
import io.praline.deploy.feed.Wheel;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Python's packages as pip installs them. */
@Command(
        name = "wheel",
        description = {
            "Build Python's package with the jars of its Java side, praline_data-VERSION-py3-none-any.whl, and what"
                    + " praline_data[local] adds on this platform: workers and TensorFlow's library, for steps, workers on"
                    + " the trainer's host and a cluster of a program's own."
        },
        footer = {
            "",
            "Example:  praline wheel --out dist && python3 -m pip install --find-links dist 'praline_data[local]'"
        })
public final class WheelCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output;

    @Option(names = "--out", paramLabel = "DIR", description = "Where they go (${DEFAULT-VALUE}).")
    private Path out = Path.of(".");

    @Override
    public Integer call() {
        String root = System.getProperty("praline.root", "");
        Path sources = Path.of(root, "client-consumer", "python", "praline");
        List<Path> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
        if (root.isEmpty() || !Files.isDirectory(sources) || !jars.stream().allMatch(Files::isRegularFile)) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "the package's sources or jars are not where they should be; run ./praline wheel in a checkout or a release");
        }
        try {
            Version version = Version.built();
            Wheel wheel = new Wheel(version.number(), version.line(), sources, jars);
            print(wheel.write(out));
            Optional<Path> local = new LocalWheel(wheel).write(out);
            if (local.isPresent()) {
                print(local.get());
            }
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.WRONG_USE, "cannot write the wheel to " + out + ": " + e.getMessage(), e);
        }
        return ExitCode.DONE.number();
    }

    private void print(Path file) throws IOException {
        output.line(file.toString());
        output.object(Map.of("wheel", file.toString(), "bytes", Files.size(file)));
    }
}
