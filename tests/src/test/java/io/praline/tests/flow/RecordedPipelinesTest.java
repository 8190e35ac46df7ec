package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.tests.rig.Ended;
import io.praline.tests.rig.Python;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pipelines and data that tests read are those that the scripts beside them write, up to what needs TensorFlow. */
class RecordedPipelinesTest {
    private static final Path TESTS = Path.of("..", "worker", "src", "test");

    @BeforeAll
    static void findPython() throws InterruptedException {
        Python.require("numpy", "numpy");
    }

    @Test
    void agreeWithTheScriptsThatMakeThem() throws Exception {
        Ended check = Python.run(
                "-B",
                TESTS.resolve("python").resolve("check_pipelines.py").toString(),
                TESTS.resolve("resources").resolve("pipelines").toString());
        assertThat(check.lines()).isEmpty();
        assertThat(check.code()).isZero();
    }
}
