package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Feeds, and what they refuse, are as Python's package says by its own tests. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PythonFeedTest {
    /** Without any that takes long. */
    private static final List<String> FILES =
            List.of("test_feed", "test_arguments", "test_pipe", "test_runtime", "test_shown");

    /** Of a suite that starts processes for each of its tests, on a machine that does other work too. */
    private static final Duration WITHIN = Duration.ofMinutes(8);

    @Test
    void feedsAreAsThePackagesOwnTestsSay() throws Exception {
        PythonSuite.passes("not long", WITHIN, FILES);
    }

    /** What no class of tests here runs would be left out without a word. */
    @Test
    void eachTestOfThePackageIsRunByAClass() throws Exception {
        List<String> run = new ArrayList<>(FILES);
        run.addAll(PythonFrameworksTest.FILES);
        run.addAll(PythonRestartsTest.FILES);
        run.addAll(PythonExamplesTest.FILES);
        assertThat(PythonSuite.files()).containsExactlyInAnyOrderElementsOf(run);
        for (String file : FILES) {
            Path path = PythonSuite.PYTHON.resolve("tests").resolve(file + ".py");
            assertThat(path).content().doesNotContain("mark.long");
        }
    }
}
