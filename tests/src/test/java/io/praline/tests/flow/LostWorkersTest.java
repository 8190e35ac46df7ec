package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.local.ChildProcess;
import io.praline.schema.JobState;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.Numbers;
import io.praline.worker.WorkerDied;
import io.praline.worker.WorkerMain;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers that die while a job runs. */
class LostWorkersTest {

    // 400 batches, each made in 20 ms on each of a few tasks: when 20 are taken, most are not made
    @Test
    @Tag("long")
    void aJobWithoutAWorkerWaitsAndSaysSoAndGoesOnWithANewOne() throws Exception {
        Cluster cluster = Cluster.shared();
        Numbers numbers = Numbers.write(cluster.folder().resolve("lost"), 40, 100);
        List<Long> taken = new ArrayList<>();
        try (PralineClient client = cluster.client();
                BatchStream stream =
                        client.submit(JobSpec.of(Numbers.inBatchesOf(10).sleep(20_000))
                                .data(numbers.glob())
                                .seed(3))) {
            for (int batch = 0; batch < 20; batch++) {
                take(stream, taken);
            }
            cluster.workers().forEach(ChildProcess::kill);
            CompletableFuture<Void> loop = CompletableFuture.runAsync(() -> {
                while (stream.hasNext()) {
                    take(stream, taken);
                }
            });
            await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                assertThat(stream.status().orElseThrow().getState()).isEqualTo(JobState.WAITING);
                assertThat(stream.status().orElseThrow().getReason()).contains("worker");
            });

            ChildProcess again = cluster.worker(Cluster.FIRST_WORKER);
            loop.get();
            assertThat(again.alive()).isTrue();
            JobResult result = stream.result();
            assertThat(taken).containsExactlyInAnyOrderElementsOf(numbers.all());
            assertThat(result.missing()).hasValue(0);
            assertThat(result.duplicates()).hasValue(0);
        } finally {
            cluster.worker(Cluster.SECOND_WORKER);
        }
    }

    // a file's elements are numbered behind the unbatch; other numbers lie in the files when they are read again, as
    // many
    @Test
    @Tag("long")
    void aJobWhoseFilesChangeWhileNobodyReadsThemFailsAndNamesOne() throws Exception {
        Cluster cluster = Cluster.shared();
        Path folder = cluster.folder().resolve("changing");
        Numbers numbers = Numbers.write(folder, 4, 1_000);
        List<Long> taken = new ArrayList<>();
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(
                        JobSpec.of(Numbers.inBatchesOf(5).unbatch().batch(10).sleep(20_000))
                                .data(numbers.glob())
                                .seed(3))) {
            for (int batch = 0; batch < 30; batch++) {
                take(stream, taken);
            }
            cluster.workers().forEach(ChildProcess::kill);
            Numbers.write(folder, 4, 1_000, 500);
            cluster.worker(Cluster.FIRST_WORKER);

            assertThatThrownBy(() -> {
                        while (stream.hasNext()) {
                            take(stream, taken);
                        }
                    })
                    .hasMessageContaining(folder.resolve("numbers-").toString())
                    .hasMessageContaining("comes out otherwise when it is read again");
            assertThat(stream.status().orElseThrow().getState()).isEqualTo(JobState.FAILED);
        } finally {
            // what it stopped sleeps in TensorFlow, which does not always come back from that: it would end a minute
            // later
            cluster.workers().forEach(ChildProcess::kill);
            cluster.worker(Cluster.FIRST_WORKER);
            cluster.worker(Cluster.SECOND_WORKER);
        }
    }

    // its first element reads a pipe that nobody writes to, from which nothing wakes TensorFlow: a minute until it is
    // given
    // up, and one more for it to come back
    @Test
    @Tag("long")
    void aWorkerWhoseGraphDoesNotComeBackEndsAndSaysWhy() throws Exception {
        Cluster cluster = Cluster.shared();
        String pipe = cluster.folder().resolve("pipe").toString();
        assertThat(Command.of("mkfifo", pipe).run().code()).isZero();
        ChildProcess hangs = ChildProcess.start(new ChildProcess.Spec(
                "hangs",
                WorkerMain.class.getName(),
                List.of(
                        "--id",
                        "hangs",
                        "--pool",
                        "hanging",
                        "--stuck-after",
                        "1",
                        "--secret-file",
                        cluster.secretFile().toString(),
                        "--bootstrap",
                        cluster.kafka().bootstrap(),
                        "--registry",
                        cluster.kafka().registryUrl()),
                cluster.folder().resolve("hangs.log"),
                256,
                256,
                Map.of()));
        try (PralineClient client = PralineClient.connect(cluster.config().withPool("hanging"));
                BatchStream stream = client.submit(JobSpec.of(Pipeline.range(0, 100)
                        .map("read", (tf, x) -> tf.io.readFile(tf.constant(pipe)))
                        .batch(10)
                        .names("content")))) {
            assertThat(hangs.awaitEnd(Duration.ofMinutes(4))).isTrue();
            assertThat(hangs.exitCode()).isEqualTo(WorkerDied.EXIT_CODE);
            assertThat(hangs.lines())
                    .anyMatch(line -> line.startsWith("worker hangs cannot go on: TensorFlow has not come back from"
                            + " attempt " + stream.job()));
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> stream.status().orElseThrow().getState(), JobState.WAITING::equals);
            stream.cancel("nobody writes to its pipe");
        } finally {
            hangs.close();
        }
    }

    private static void take(BatchStream stream, List<Long> taken) {
        try (Batch batch = stream.next()) {
            LongBuffer values = batch.component("number").longs();
            while (values.hasRemaining()) {
                taken.add(values.get());
            }
        }
    }
}
