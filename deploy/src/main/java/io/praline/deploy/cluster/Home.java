package io.praline.deploy.cluster;

import io.praline.wire.ConsumerToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The folder under the user's home where the command keeps what outlives it.
 *
 * @param folder {@code PRALINE_HOME}, else {@code ~/.praline}
 */
public record Home(Path folder) {

    public Home {
        if (!folder.isAbsolute()) {
            throw new IllegalArgumentException("PRALINE_HOME must be an absolute path, is " + folder);
        }
    }

    static Home of(Map<String, String> environment, String userHome) {
        String set = environment.getOrDefault("PRALINE_HOME", "");
        return new Home(
                set.isEmpty() ? Path.of(userHome, ".praline") : Path.of(set).toAbsolutePath());
    }

    /** Where {@code praline up} writes down what it started. */
    public Path endpoints() {
        return folder.resolve("endpoints");
    }

    /** The embedded cluster's data unless the user says otherwise. */
    public Path data() {
        return folder.resolve("data");
    }

    /** Sample data of the demo and the benchmarks. */
    public Path demo() {
        return folder.resolve("demo");
    }

    /** The file of the secret that clients and workers of this user share: made on first use, for the user's eyes only. */
    public Path secret() {
        Path file = folder.resolve("secret");
        if (!Files.exists(file)) {
            ConsumerToken.createSecret(file);
        }
        return file;
    }
}
