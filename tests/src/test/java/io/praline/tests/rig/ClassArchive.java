package io.praline.tests.rig;

import io.praline.deploy.cli.WarmUp;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * An archive of classes for the processes that tests start, as the {@code praline} script has one: where hundreds start,
 * each costs a second of processor time less. It is made beside the first tests, by one of the JVMs that run them, and serves
 * from the next class of tests on. There is none where {@code praline.tests.archive} does not say where it goes, nor where
 * Praline's own classes lie in folders, which Java archives nothing of.
 */
public final class ClassArchive implements TestExecutionListener {
    private static final String WHERE = "praline.tests.archive";

    /** {@link io.praline.deploy.local.ChildProcess} gives it to its children. */
    private static final String USED = "praline.archive";

    private static final String CLASS_PATH = "java.class.path";

    private static final Path OUR_TESTS = Path.of("target", "test-classes");

    private boolean tried;

    /** For a JVM that is started with this one's class path. */
    static List<String> flags() {
        String archive = System.getProperty(USED, "");
        // without a word where it does not fit, and for the processes that this one starts too
        return archive.isEmpty()
                ? List.of()
                : List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off", "-D" + USED + "=" + archive);
    }

    /** Surefire runs a class at a time in a JVM: called for each. */
    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        String where = System.getProperty(WHERE, "");
        if (where.isEmpty()) {
            return;
        }
        List<String> all = Arrays.stream(System.getProperty(CLASS_PATH).split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .toList();
        List<String> jars = all.stream().filter(entry -> entry.endsWith(".jar")).toList();
        boolean packed = all.stream()
                .filter(entry -> !jars.contains(entry) && Files.exists(Path.of(entry)))
                .allMatch(entry -> Path.of(entry).endsWith(OUR_TESTS));
        if (packed) {
            // what is archived must come first, and no folder among it
            System.setProperty(
                    CLASS_PATH,
                    Stream.concat(jars.stream(), all.stream().filter(entry -> !jars.contains(entry)))
                            .collect(Collectors.joining(File.pathSeparator)));
            useOrMake(Path.of(where), jars);
        }
    }

    private void useOrMake(Path archive, List<String> jars) {
        try {
            if (fits(archive, jars)) {
                System.setProperty(USED, archive.toString());
            } else if (!tried) {
                tried = true;
                make(archive, jars);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("there is no archive of classes: " + failed.getMessage(), failed);
        }
    }

    private static boolean fits(Path archive, List<String> jars) throws IOException {
        if (!Files.exists(archive)) {
            return false;
        }
        FileTime made = Files.getLastModifiedTime(archive);
        for (String jar : jars) {
            if (Files.getLastModifiedTime(Path.of(jar)).compareTo(made) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Starts it, unless another JVM does; it ends with this one at the latest. */
    private static void make(Path archive, List<String> jars) throws IOException {
        FileChannel file =
                FileChannel.open(beside(archive, ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Optional<FileLock> held = Optional.ofNullable(file.tryLock());
        if (held.isEmpty()) {
            file.close();
            return;
        }
        Path written = beside(archive, ".part");
        List<String> words = new ArrayList<>(Command.java(WarmUp.class).words());
        words.set(words.indexOf("-cp") + 1, String.join(File.pathSeparator, jars));
        words.addAll(1, List.of("-Xlog:disable", "-XX:ArchiveClassesAtExit=" + written));
        File log = beside(archive, ".log").toFile();
        Process warmUp = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(warmUp::destroyForcibly, "end of the archive of classes"));
        Thread waiting = new Thread(() -> keep(warmUp, written, archive, file), "archive of classes");
        waiting.setDaemon(true);
        waiting.start();
    }

    private static void keep(Process warmUp, Path written, Path archive, FileChannel lock) {
        try (lock) {
            if (warmUp.waitFor() == 0 && Files.exists(written)) {
                Files.move(written, archive, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException ends) {
            Thread.currentThread().interrupt();
        }
    }

    private static Path beside(Path archive, String ending) {
        return archive.resolveSibling(archive.getFileName() + ending);
    }
}
