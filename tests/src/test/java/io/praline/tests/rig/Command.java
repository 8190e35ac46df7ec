package io.praline.tests.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A program in a process of its own.
 *
 * @param words the program and its arguments
 * @param environment set beside what this process has
 * @param folder where it works; empty: where this process does
 */
public record Command(List<String> words, Map<String, String> environment, Optional<Path> folder) {

    /** Longer than any program here takes, on a machine that does other work too. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    public Command {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** One that works where this process does. */
    public Command(List<String> words, Map<String, String> environment) {
        this(words, environment, Optional.empty());
    }

    public static Command of(String... words) {
        return new Command(List.of(words), Map.of());
    }

    /** A small JVM with this one's class path. */
    public static Command java(Class<?> program, String... args) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m"));
        words.addAll(ClassArchive.flags());
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        words.addAll(Arrays.asList(args));
        return new Command(words, Map.of());
    }

    /** The same with further arguments. */
    public Command and(String... args) {
        List<String> more = new ArrayList<>(words);
        more.addAll(Arrays.asList(args));
        return new Command(more, environment, folder);
    }

    public Command with(String variable, String value) {
        Map<String, String> more = new TreeMap<>(environment);
        more.put(variable, value);
        return new Command(words, more, folder);
    }

    /** The same, working in another folder. */
    public Command in(Path other) {
        return new Command(words, environment, Optional.of(other));
    }

    /** For who starts it and does not wait for its end. */
    public ProcessBuilder builder() {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().putAll(environment);
        folder.ifPresent(path -> builder.directory(path.toFile()));
        return builder;
    }

    /**
     * Runs it to its end. What it prints goes through files: a pipe is read until all who hold it are gone, which a
     * child of the program may outlive, and that wait cannot be interrupted.
     *
     * @throws AssertionError when it has not ended after three minutes; it is killed then
     */
    public Ended run() throws IOException, InterruptedException {
        return run(PATIENCE);
    }

    /**
     * As {@link #run()}, for a program that does more.
     *
     * @throws AssertionError when it has not ended after so long; it is killed then
     */
    public Ended run(Duration patience) throws IOException, InterruptedException {
        Path out = Files.createTempFile("command", ".out");
        Path err = Files.createTempFile("command", ".err");
        try {
            Process process = builder()
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            try {
                if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
                    throw new AssertionError(words + " has not ended after " + patience + "; it said: "
                            + Files.readString(out) + Files.readString(err));
                }
                return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
