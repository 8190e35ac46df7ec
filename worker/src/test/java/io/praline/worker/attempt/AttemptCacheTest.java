package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.CacheOrder;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.metrics.AttemptReport;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptCacheTest {
    @TempDir
    private Path folder;

    // it comes from Kafka, or from a file, and a worker that does not beat for five seconds is lost
    @Test
    void aBeatDoesNotWaitUntilAPipelineIsRead() throws Exception {
        CompletableFuture<Void> reading = new CompletableFuture<>();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Function<String, KnownPipeline> slow = digest -> {
            reading.complete(null);
            gone.join();
            throw new AttemptFailed(FailureKind.FAILED, "the topic is gone");
        };
        try (CacheStore store = CacheStore.open(folder, true, "w1", 1 << 20, InstantSource.system())) {
            AttemptCache cache = new AttemptCache(
                    Starts.of(Guarantee.EXACTLY_ONCE)
                            .setCache(new CacheOrder("t", "p", 0, true))
                            .build(),
                    new Surroundings("w1", new TaskShare(2, 0), slow, Runnable::run, () -> {}).with(store),
                    new Settlement());
            CompletableFuture<Void> counter = CompletableFuture.runAsync(cache::get);
            reading.get(90, TimeUnit.SECONDS);

            assertThat(CompletableFuture.supplyAsync(cache::totals).get(90, TimeUnit.SECONDS))
                    .isEqualTo(AttemptReport.Cached.NOTHING);

            gone.complete(null);
            assertThat(counter.handle((none, failed) -> failed).get(90, TimeUnit.SECONDS))
                    .hasRootCauseMessage("the topic is gone");
        }
    }
}
