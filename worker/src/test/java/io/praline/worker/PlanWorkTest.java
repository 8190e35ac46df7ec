package io.praline.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.metrics.WorkerReporter;
import io.praline.worker.planning.Planner;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.patience.Asking;
import io.praline.worker.storage.stage.ObjectIndexes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans are made one after the other; a file system that does not answer keeps none but its own. */
class PlanWorkTest {
    private final List<PlanMessage> told = Collections.synchronizedList(new ArrayList<>());
    private final List<String> pipelines = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch answer = new CountDownLatch(1);
    private final CountDownLatch came = new CountDownLatch(1);
    private final AtomicBoolean hangs = new AtomicBoolean();
    private final WorkerReporter reporter = new WorkerReporter(
            "p",
            () -> {
                throw new IllegalStateException("nobody beats");
            },
            beat -> {});

    private final PlanWork work = new PlanWork(
            new Planner(
                    new Planner.Identity("p", "w1", "i1"),
                    new Ops(),
                    Path.of("").toAbsolutePath(),
                    new FileStores(S3Settings.USUAL),
                    ObjectIndexes.none()),
            new PlanWork.Output() {
                @Override
                public void pipeline(PipelineEntry entry, PipelineGraph graph) {
                    pipelines.add(entry.getDigest());
                }

                @Override
                public void message(PlanMessage message) {
                    told.add(message);
                }
            },
            reporter,
            Duration.ofSeconds(3));

    /** Where a file system is asked about the first plan, nobody answers. */
    private final class Ops implements OpCatalogue {
        @Override
        public boolean holds(String op) {
            if (hangs.getAndSet(false)) {
                Asking.about("/nfs/data");
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                Asking.nothing();
                came.countDown();
            }
            return true;
        }

        @Override
        public String version() {
            return "2.18.0";
        }
    }

    private static PlanSplits order(String job, String glob) {
        return PlanSplits.newBuilder()
                .setJob(job)
                .setPlan(1)
                .setPipelineName("")
                .setGraph(ByteBuffer.wrap(Pipelines.bytes("batch")))
                .setGraphAddress(null)
                .setComponentNames(List.of())
                .setDataGlobs(List.of(glob))
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .build();
    }

    private List<Object> told(String job) {
        return List.copyOf(told).stream()
                .filter(message -> message.getJob().equals(job))
                .map(PlanMessage::getBody)
                .toList();
    }

    private void awaitEnd(String job, Class<?> kind) {
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(told(job)).isNotEmpty().last().isInstanceOf(kind));
    }

    @AfterEach
    void close() {
        answer.countDown();
        work.close();
    }

    @Test
    void aRepeatedOrderIsFollowedOnce(@TempDir Path data) throws IOException {
        Files.createFile(data.resolve("part-0"));
        work.take(order("a", data + "/part-*"));
        work.take(order("a", data + "/part-*"));
        work.take(order("b", data + "/none-*"));
        awaitEnd("b", PlanFailed.class);
        assertThat(told("a")).filteredOn(PlanCompleted.class::isInstance).hasSize(1);
        assertThat(pipelines).hasSize(1);
    }

    @Test
    void whereAFileSystemDoesNotAnswerOthersArePlannedAndTheJobHearsWhichFileItIs(@TempDir Path data)
            throws IOException, InterruptedException {
        Files.createFile(data.resolve("part-0"));
        hangs.set(true);
        work.take(order("hanging", data + "/part-*"));
        work.take(order("fine", data + "/part-*"));
        awaitEnd("fine", PlanCompleted.class);
        awaitEnd("hanging", PlanFailed.class);
        assertThat(((PlanFailed) told("hanging").get(0)).getKind()).isEqualTo(FailureKind.UNREACHABLE);
        assertThat(((PlanFailed) told("hanging").get(0)).getReason())
                .matches(
                        "worker w1 cannot plan: /nfs/data has not answered for [0-9]+ s; see to the file system that it"
                                + " lies on, there");

        // nothing more is told of it when the file system answers after all
        answer.countDown();
        came.await();
        work.take(order("last", data + "/part-*"));
        awaitEnd("last", PlanCompleted.class);
        assertThat(told("hanging")).hasSize(1);
        assertThat(pipelines).hasSize(2);
    }
}
