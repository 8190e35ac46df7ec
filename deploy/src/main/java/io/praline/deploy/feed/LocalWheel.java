package io.praline.deploy.feed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code praline_data[local]} adds to Python's package on one platform: workers, brokers and dispatchers, and TensorFlow's
 * library, as {@code praline_data_local-VERSION-py3-none-PLATFORM.whl}. The same files make the same bytes.
 *
 * @param base the package that it belongs to
 */
public record LocalWheel(Wheel base) {
    private static final String LIBRARY = "tensorflow-core-native-";

    /** By what the library's jar is called: its platform, as pip knows it. TensorFlow's library is built for glibc 2.17. */
    private static final Map<String, String> PLATFORMS =
            Map.of("linux-x86_64.jar", "manylinux_2_17_x86_64", "linux-arm64.jar", "manylinux_2_17_aarch64");

    /** Pools are carried out by an actuator, which a program's own cluster has not. */
    private static final List<String> ACTUATORS = List.of("kubernetes-", "snakeyaml-engine-", "zjsonpatch-");

    private static final String METADATA = """
            Summary: Workers and a cluster on one machine, with TensorFlow's library: what praline_data[local] adds.
            License: Apache-2.0
            Requires-Python: >=3.10
            Requires-Dist: praline_data==%s
            """;

    private static final String MODULE = """
            \"""What praline_data[local] adds: jars beside this file, which the package praline finds.\"""
            """;

    /** Writes it into a folder, in place of one of the same version; empty where the jars have no library for a platform of pip's. */
    public Optional<Path> write(Path folder) throws IOException {
        Optional<String> platform = platform();
        if (platform.isEmpty()) {
            return Optional.empty();
        }
        String version = base.pythonVersion();
        List<WheelFile.Content> contents = new ArrayList<>();
        contents.add(WheelFile.Content.of("praline_local/__init__.py", MODULE));
        contents.addAll(base.jars(
                "praline_local",
                base.otherJars().stream()
                        .filter(jar ->
                                ACTUATORS.stream().noneMatch(jar.getFileName().toString()::startsWith))
                        .toList()));
        String tag = "py3-none-" + platform.get();
        return Optional.of(
                new WheelFile("praline_data_local", version, tag, METADATA.formatted(version), contents).write(folder));
    }

    private Optional<String> platform() {
        return base.otherJars().stream()
                .map(jar -> jar.getFileName().toString())
                .filter(name -> name.startsWith(LIBRARY))
                .flatMap(name -> PLATFORMS.entrySet().stream()
                        .filter(platform -> name.endsWith(platform.getKey()))
                        .map(Map.Entry::getValue))
                .findFirst();
    }
}
