package io.praline.tests.flow;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that train with each framework that is installed, as a user starts them. */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PythonExamplesTest {
    static final List<String> FILES = List.of("test_examples");

    @Test
    void eachLearns() throws Exception {
        PythonSuite.passes("long", Duration.ofMinutes(8), FILES);
    }
}
