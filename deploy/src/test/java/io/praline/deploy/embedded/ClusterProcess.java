package io.praline.deploy.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A cluster in a process of its own, which a test can kill. It ends by itself when the test's process is gone. */
final class ClusterProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process process;
    private final String firstLine;

    private ClusterProcess(Process process, String firstLine) {
        this.process = process;
        this.firstLine = firstLine;
    }

    /** Starts one and waits until it serves, or has said why not. */
    static ClusterProcess start(Path dataDir) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClusterProcess.class.getName(),
                        dataDir.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            // a thread of its own: a read from a pipe cannot be interrupted
            return new ClusterProcess(
                    process,
                    CompletableFuture.supplyAsync(() -> firstLine(process))
                            .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                            .join());
        } catch (CompletionException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    private static String firstLine(Process process) {
        try {
            return process.inputReader(StandardCharsets.UTF_8).readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it said first: {@code ready after N ms at HOST:PORT}, or why it is not. */
    String firstLine() {
        return firstLine;
    }

    long pid() {
        return process.pid();
    }

    /** Kills it, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    /**
     * Runs one until stdin ends.
     *
     * @param args the data directory
     */
    public static void main(String[] args) throws IOException {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(Path.of(args[0])))) {
            long started = ManagementFactory.getRuntimeMXBean().getStartTime();
            System.out.println("ready after " + (System.currentTimeMillis() - started) + " ms at "
                    + cluster.settings().bootstrap());
            int unused = System.in.read();
        } catch (ClusterRefused refused) {
            System.out.println(refused.getMessage());
        }
    }
}
