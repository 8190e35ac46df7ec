package io.praline.client.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.ScalingTarget;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalWorkersTest {
    // its thread is gone then, and nobody starts workers any more
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
    void whateverBreaksItIsHeardOf(Class<? extends Throwable> type) throws Exception {
        Throwable unexpected = type.getDeclaredConstructor(String.class).newInstance("unexpected");
        CompletableFuture<RuntimeException> failed = new CompletableFuture<>();
        LocalWorkers.Targets broken = new LocalWorkers.Targets() {
            @Override
            public String subject() {
                return "job@host";
            }

            @Override
            public Optional<ScalingTarget> poll(Duration wait) {
                if (unexpected instanceof RuntimeException exception) {
                    throw exception;
                }
                throw (Error) unexpected;
            }

            @Override
            public void close() {}
        };
        LocalWorkers workers = new LocalWorkers(
                broken,
                new WorkerSet(1, number -> {
                    throw new IllegalStateException("none is started");
                }),
                new TargetReports("job@host", "i"),
                report -> {},
                failed::complete);

        assertThat(failed.get(90, TimeUnit.SECONDS)).hasMessageContaining("unexpected");
        workers.close();
    }
}
