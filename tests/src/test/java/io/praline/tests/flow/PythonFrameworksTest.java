package io.praline.tests.flow;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Feeds in PyTorch, TensorFlow and JAX, each where it is installed, are as Python's package says by its own tests. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PythonFrameworksTest {
    static final List<String> FILES = List.of("test_frameworks");

    private static final Duration WITHIN = Duration.ofMinutes(8);

    @Test
    @Tag("sample")
    void whatTheyTakeTheyTakeFromAFeed() throws Exception {
        PythonSuite.passes("not long", WITHIN, FILES);
    }

    @Test
    @Tag("long")
    void andWhatTakesLonger() throws Exception {
        PythonSuite.passes("long or not long", WITHIN, FILES);
    }
}
