package io.praline.tests.flow;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What people do to notebooks leaves nothing behind, and the package's annotations hold: as it says by its own tests. */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PythonRestartsTest {
    static final List<String> FILES = List.of("test_restarts", "test_types");

    @Test
    void nothingIsLeftBehind() throws Exception {
        PythonSuite.passes("long", Duration.ofMinutes(8), FILES);
    }
}
