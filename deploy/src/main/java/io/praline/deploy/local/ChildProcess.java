package io.praline.deploy.local;

import io.praline.deploy.embedded.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with this one's class path, that ends with this one at the latest: closed in order, or by itself when
 * this one is gone without that ({@link ChildMain}).
 */
public final class ChildProcess implements ServerProcess, AutoCloseable {

    /** JavaCPP's setting of where it unpacks TensorFlow's library. */
    private static final String LIBRARIES = "org.bytedeco.javacpp.cachedir";

    /** How long a child may take to end in order before it is killed. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /**
     * What to start.
     *
     * @param name for people
     * @param mainClass whose {@code main} it runs
     * @param args what that gets
     * @param log the file that its output and errors are appended to
     * @param heapMegabytes Java's heap; TensorFlow's memory is not in it
     * @param directMegabytes Java's own direct memory
     * @param environment set beside what this process has
     * @param folder where it works; empty: where this process does
     */
    public record Spec(
            String name,
            String mainClass,
            List<String> args,
            Path log,
            int heapMegabytes,
            int directMegabytes,
            Map<String, String> environment,
            Optional<Path> folder) {

        public Spec {
            if (heapMegabytes < 16 || directMegabytes < 16) {
                throw new IllegalArgumentException("heap and direct memory must be at least 16 MB, are " + heapMegabytes
                        + " and " + directMegabytes);
            }
            args = List.copyOf(args);
            environment = Map.copyOf(environment);
        }

        /** One that works where this process does. */
        public Spec(
                String name,
                String mainClass,
                List<String> args,
                Path log,
                int heapMegabytes,
                int directMegabytes,
                Map<String, String> environment) {
            this(name, mainClass, args, log, heapMegabytes, directMegabytes, environment, Optional.empty());
        }
    }

    private final Spec spec;
    private final Process process;

    private ChildProcess(Spec spec, Process process) {
        this.spec = spec;
        this.process = process;
    }

    public static ChildProcess start(Spec spec) {
        try {
            Files.createDirectories(spec.log().toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(withoutInterrupts(command(spec)));
            builder.redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.log().toFile()));
            // TensorFlow's own lines: warnings and errors only
            builder.environment().putIfAbsent("TF_CPP_MIN_LOG_LEVEL", "1");
            builder.environment().putAll(spec.environment());
            spec.folder().ifPresent(folder -> builder.directory(folder.toFile()));
            return new ChildProcess(spec, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + spec.name() + ": " + e.getMessage(), e);
        }
    }

    /** Ctrl-C goes to all processes of a terminal: this one ends its children itself, in order. */
    private static List<String> withoutInterrupts(List<String> command) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\""));
        words.addAll(command);
        return words;
    }

    private static List<String> command(Spec spec) {
        List<String> command = new ArrayList<>(java(spec.heapMegabytes(), spec.directMegabytes()));
        command.add(ChildMain.class.getName());
        command.add(spec.mainClass());
        command.addAll(spec.args());
        return command;
    }

    /** The words that start a JVM like this one, up to where the main class comes. */
    public static List<String> java(int heapMegabytes, int directMegabytes) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmFlags.of(Runtime.version().feature()));
        String archive = System.getProperty("praline.archive", "");
        if (!archive.isEmpty()) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        String libraries = System.getProperty(LIBRARIES, "");
        if (!libraries.isEmpty()) {
            command.add("-D" + LIBRARIES + "=" + libraries);
        }
        command.add("-Dpraline.log.level=" + System.getProperty("praline.child.log.level", "INFO"));
        command.add("-Xmx" + heapMegabytes + "m");
        command.add("-XX:MaxDirectMemorySize=" + directMegabytes + "m");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        return command;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public boolean alive() {
        return process.isAlive();
    }

    @Override
    public CompletionStage<?> ended() {
        return process.onExit();
    }

    /** Its exit code. Only of one that has ended. */
    public int exitCode() {
        return process.exitValue();
    }

    @Override
    public boolean awaitEnd(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void askToEnd() {
        // the process's own destroy() closes its standard input as well, which is what tells it that this one is gone
        process.toHandle().destroy();
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public String lastLine() {
        List<String> lines = lines();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /** What it wrote so far, without empty lines. */
    public List<String> lines() {
        try {
            return Files.readString(spec.log(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    /** Asks it to end, waits, and kills it when it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!awaitEnd(PATIENCE)) {
                process.destroyForcibly();
                awaitEnd(PATIENCE);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
