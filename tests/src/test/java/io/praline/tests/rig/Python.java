package io.praline.tests.rig;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The {@code python3} that is found on the path. */
public final class Python {

    private Python() {}

    /**
     * Skips the test, with a line that says so, where Python has no such module. In CI, which installs what tests need,
     * that is a failure: a proof that is not run proves nothing.
     *
     * @param module as it is imported
     * @param distribution as pip installs it
     */
    public static void require(String module, String distribution) throws InterruptedException {
        boolean found;
        try {
            found = run("-c", "import " + module).code() == 0;
        } catch (IOException noPython) {
            found = false;
        }
        if (!found) {
            skip("python3 with " + module + " is missing; install it with: python3 -m pip install '" + distribution
                    + "'");
        }
    }

    /** Skips the test, with a line that says what it lacks; in CI it fails. */
    public static void skip(String missing) {
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError(missing);
        }
        System.out.println("Skipped: " + missing);
        assumeTrue(false, missing);
    }

    public static Ended run(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("python3"));
        words.addAll(Arrays.asList(arguments));
        return new Command(words, Map.of()).run();
    }
}
