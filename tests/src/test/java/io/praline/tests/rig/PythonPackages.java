package io.praline.tests.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Packages of Python that tests need: those of the {@code python3} that is found on the path, else in a virtual environment
 * that the build makes in {@code target}.
 */
public final class PythonPackages {
    private static final Path ENVIRONMENT = Path.of("target", "python").toAbsolutePath();

    private PythonPackages() {}

    /**
     * Its Python, with these packages. Skips the test, with a line that says so, where there is no Python or they cannot be
     * had; in CI that is a failure.
     */
    public static synchronized Path require(String... distributions) throws InterruptedException, IOException {
        String imports = "import " + String.join(", ", distributions);
        if (isThere("python3", imports)) {
            return Path.of("python3");
        }
        Path python = ENVIRONMENT.resolve("bin").resolve("python3");
        String missing = missing(python, imports, distributions);
        if (!missing.isEmpty()) {
            Python.skip(missing);
        }
        return python;
    }

    private static boolean isThere(String python, String imports) throws InterruptedException {
        try {
            return Command.of(python, "-c", imports).run().code() == 0;
        } catch (IOException noPython) {
            return false;
        }
    }

    /** Makes what is not there; empty where all is then, else what is missing. */
    private static String missing(Path python, String imports, String... distributions)
            throws InterruptedException, IOException {
        if (isThere(python.toString(), imports)) {
            return "";
        }
        if (!Files.isExecutable(python)) {
            if (!isThere("python3", "import venv, ensurepip")) {
                return "python3 is missing, or its module venv";
            }
            Ended made =
                    Command.of("python3", "-m", "venv", ENVIRONMENT.toString()).run();
            if (made.code() != 0) {
                return "python3 makes no virtual environment: " + made.lines();
            }
        }
        Ended installed = Command.of(python.toString(), "-m", "pip", "install", "-q", "--disable-pip-version-check")
                .and(distributions)
                .run();
        return installed.code() == 0 ? "" : "pip cannot install what '" + imports + "' needs: " + installed.lines();
    }
}
