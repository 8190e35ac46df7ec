package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.praline.deploy.feed.LocalWheel;
import io.praline.deploy.feed.Wheel;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.Ended;
import io.praline.tests.rig.Numbers;
import io.praline.tests.rig.PythonPackages;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code praline wheel} writes, installed by pip into a folder of its own. */
class PythonWheelTest {
    /** Its jars are enough for a graph on a cluster that is named, and say what they are not enough for. */
    @Test
    @Tag("long")
    void theWheelIsEnoughForAClient() throws Exception {
        Path python = PythonPackages.require("numpy", "ml_dtypes", "pytest");
        Cluster cluster = Cluster.shared();
        Path folder = Files.createDirectories(cluster.folder().resolve("wheel"));
        Path graph = Files.write(
                folder.resolve("numbers.pb"), Numbers.inBatchesOf(10).graph());
        Numbers numbers = Numbers.write(folder.resolve("data"), 2, 50);
        Wheel wheel = new Wheel(
                "9.8.7-SNAPSHOT", "of today", PythonSuite.PYTHON.resolve("praline"), jars(folder.resolve("jars")));
        Path file = wheel.write(folder);
        assertThat(file.getFileName()).hasToString("praline_data-9.8.7.dev0-py3-none-any.whl");
        assertThat(wheel.write(folder.resolve("again"))).hasSameBinaryContentAs(file);
        Path installed = folder.resolve("installed");
        Ended pip = Command.of(
                        python.toString(), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps")
                .and("--no-index", "--target", installed.toString(), file.toString())
                .run();
        assertThat(pip.code()).as(pip.err()).isZero();
        // some 20 MB that only a broker, a worker, an actuator or a page has a use for
        assertThat(installed.resolve("praline").resolve("jars"))
                .isDirectoryContaining("glob:**/kafka-clients-*.jar")
                .isDirectoryNotContaining(
                        "glob:**/{caffeine,httpclient,micrometer-core,netty-codec-http,protobuf-java,s3,sdk-core,sts}-*.jar");

        String program = """
                import importlib.metadata, praline, sys
                print(importlib.metadata.metadata("praline_data").get_all("Provides-Extra"))
                with praline.feed(sys.argv[1], sys.argv[2], names=["number"], bootstrap=sys.argv[3], registry=sys.argv[4], secret_file=sys.argv[5]) as feed:
                    print(sorted(number for batch in feed for number in batch["number"].tolist()))
                    print("planned: " in str(feed.explain()))
                try:
                    praline.feed(sys.argv[1])
                except praline.Refused as refused:
                    print(refused, *refused.__notes__, sep="\\n")
                """;
        Ended ended = Command.of(python.toString(), "-c", program, graph.toString(), numbers.glob())
                .and(
                        cluster.kafka().bootstrap(),
                        cluster.kafka().registryUrl(),
                        cluster.secretFile().toString())
                .with("PYTHONPATH", installed.toString())
                .with("PRALINE_HOME", folder.resolve("home").toString())
                .with("JAVA_HOME", System.getProperty("java.home"))
                .in(folder)
                .run();
        assertThat(ended.out().lines())
                .as(ended.err())
                .satisfiesExactly(
                        extras -> assertThat(extras).isEqualTo("['jre', 'local', 'torch', 'jax', 'tf', 'notebook']"),
                        came -> assertThat(came).isEqualTo(numbers.all().toString()),
                        explained -> assertThat(explained).isEqualTo("True"),
                        refused -> assertThat(refused)
                                .isEqualTo("no cluster is named or up, and one for the time of this program needs"
                                        + " workers and TensorFlow's library, which come with praline_data[local]:"
                                        + " install that"),
                        next -> assertThat(next).startsWith("pip install --find-links FOLDER 'praline_data[local]'"));
    }

    /** Both wheels, found by pip in a folder, are enough for steps, workers on the trainer's host and a cluster of one's own. */
    @Test
    @Tag("long")
    void withWhatLocalAddsItIsEnoughForAClusterOfOnesOwn() throws Exception {
        Path python = PythonPackages.require("numpy", "ml_dtypes");
        Path folder = Files.createDirectories(Cluster.shared().folder().resolve("local-wheel"));
        Wheel wheel =
                new Wheel("9.8.7", "of today", PythonSuite.PYTHON.resolve("praline"), jars(folder.resolve("jars")));
        wheel.write(folder);
        Optional<Path> file = new LocalWheel(wheel).write(folder);
        assumeTrue(file.isPresent(), "no wheel is made of TensorFlow's library for this platform");
        Path installed = folder.resolve("installed");
        Ended pip = Command.of(
                        python.toString(), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index")
                .and("--no-deps", "--target", installed.toString(), "--find-links", folder.toString())
                .and("praline_data[local]", "praline_data_local")
                .run();
        assertThat(pip.code()).as(pip.err()).isZero();
        String program = """
                import praline
                steps = [{"memory": {"elements": 40, "bytes": 8}}, {"batch": {"size": 10}}]
                for _ in range(2):
                    with praline.feed(steps, max_local=1, max_remote=0) as feed:
                        print(sum(batch.size for batch in feed), feed.result().workers_local)
                """;
        Path cache = folder.resolve("cache");
        Command run = Command.of(python.toString(), "-c", program)
                .with("PYTHONPATH", installed.toString())
                .with("PRALINE_HOME", folder.resolve("home").toString())
                .with("XDG_CACHE_HOME", cache.toString())
                .with("JAVA_HOME", System.getProperty("java.home"))
                .in(folder);
        Ended ended = run.run(Duration.ofMinutes(4));
        assertThat(ended.out()).as(ended.err()).isEqualTo("40 1\n40 1\n");
        assertThat(cache.resolve("praline").resolve("libraries")).isNotEmptyDirectory();
    }

    /** This JVM's class path as jars: modules that are built here lie in folders. */
    private static List<Path> jars(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<Path> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isRegularFile(path)) {
                jars.add(path);
            } else if (Files.isDirectory(path) && path.endsWith(Path.of("target", "classes"))) {
                Path module = path.getParent().getParent().getFileName();
                jars.add(packed(path, folder.resolve(module + "-9.8.7-SNAPSHOT.jar")));
            }
        }
        return jars;
    }

    private static Path packed(Path classes, Path jar) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
        return jar;
    }
}
