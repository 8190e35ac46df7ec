package io.praline.worker;

import io.praline.topics.Patience;
import io.praline.topics.ServiceUnreachable;
import io.praline.wire.trace.BatchTraces;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Runs a worker until it is told to stop. Settings are {@code --name value}, or lines of a file in Java's format of
 * properties that {@code --config FILE} names; the command line wins.
 */
public final class WorkerMain {
    private static final int WRONG_USE = 2;
    private static final int FAILED = 4;
    private static final int UNREACHABLE = 5;

    private WorkerMain() {}

    /** The worker's program. */
    public static void main(String[] arguments) throws InterruptedException {
        int code = run(arguments, System.err);
        if (code != 0) {
            System.exit(code);
        }
    }

    private static int run(String[] arguments, PrintStream errors) throws InterruptedException {
        Worker worker;
        DeadThreads dead = DeadThreads.watch();
        try {
            WorkerConfig config = WorkerConfig.from(
                    settings(arguments),
                    InetAddress.getLocalHost().getHostName(),
                    Runtime.getRuntime().availableProcessors(),
                    memory());
            worker = Worker.start(
                    config, BatchTraces.fromEnvironment(System.getenv(), "praline-worker"), Patience.USUAL);
        } catch (ServiceUnreachable e) {
            errors.println(e.getMessage());
            return UNREACHABLE;
        } catch (IllegalArgumentException | UncheckedIOException e) {
            errors.println(e.getMessage());
            return WRONG_USE;
        } catch (IOException e) {
            errors.println(e.getMessage());
            return FAILED;
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                worker.drain();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        "drain"));
        RuntimeException failure =
                worker.failed().applyToEither(dead.first(), Function.identity()).join();
        errors.println("worker " + worker.id() + " cannot go on: " + failure.getMessage());
        if (failure instanceof WorkerDied) {
            return WorkerDied.EXIT_CODE;
        }
        return failure instanceof ServiceUnreachable ? UNREACHABLE : FAILED;
    }

    static Map<String, String> settings(String[] arguments) throws IOException {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            if (!arguments[i].startsWith("--") || i + 1 == arguments.length) {
                throw new IllegalArgumentException("settings are --name value, not " + arguments[i]);
            }
            given.put(arguments[i].substring(2), arguments[i + 1]);
        }
        Map<String, String> settings = new TreeMap<>();
        String file = given.remove("config");
        if (file != null) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
                properties.load(reader);
            } catch (java.nio.file.NoSuchFileException e) {
                throw new IllegalArgumentException("there is no file " + file + " of settings", e);
            }
            properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        }
        settings.putAll(given);
        return settings;
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }
}
