package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.page.PageData;
import io.praline.deploy.page.PageServer;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Numbers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The page of a cluster with a job, by its figures. */
class ConsoleTest {
    private static final Duration SOON = Duration.ofSeconds(90);

    private final HttpClient http = HttpClient.newHttpClient();
    private PageServer server;

    /** What is told there; nothing of what the page does not know yet. */
    private JsonNode json(String path) throws Exception {
        HttpRequest asked =
                HttpRequest.newBuilder(URI.create(server.url()).resolve(path)).build();
        HttpResponse<String> told = http.send(asked, HttpResponse.BodyHandlers.ofString());
        return told.statusCode() == 404 ? MissingNode.getInstance() : new ObjectMapper().readTree(told.body());
    }

    private JsonNode find(String path, String field, String value) throws Exception {
        for (JsonNode one : json(path)) {
            if (one.path(field).asText().equals(value)) {
                return one;
            }
        }
        return new ObjectMapper().createObjectNode();
    }

    @Test
    void aJobIsFollowedFromItsSubmissionToItsEnd() throws Exception {
        Cluster cluster = Cluster.shared();
        try (PageData data = PageData.live(cluster.kafka(), DispatcherConfig.USUAL_APPLICATION);
                PageServer page = PageServer.start(data, "127.0.0.1", 0, Optional.empty())) {
            server = page;
            String job;
            try (PralineClient client = cluster.client();
                    BatchStream stream = client.submit(
                            JobSpec.of(Pipeline.range(0, 2_000).batch(1).names("number")))) {
                stream.next().close();
                job = stream.status().orElseThrow().getJob();
                await().atMost(SOON).until(() -> find("/api/v1/jobs", "job", job)
                        .path("state")
                        .asText()
                        .equals("RUNNING"));
                await().atMost(SOON).until(() -> !find("/api/v1/workers", "worker", Cluster.FIRST_WORKER)
                        .isEmpty());
                while (stream.hasNext()) {
                    stream.next().close();
                }
            }
            await().atMost(SOON)
                    .until(() ->
                            json("/api/v1/jobs/" + job).path("state").asText().equals("COMPLETED"));
            assertThat(json("/api/v1/jobs/" + job).path("now").path("sentence").asText())
                    .isEqualTo("Done: 2,000 elements in 1 epoch were trained on.");
            JsonNode explained = json("/api/v1/jobs/" + job + "/explanation");
            assertThat(explained.path("explanation").get(0).path("sequence").asLong())
                    .isZero();
            await().atMost(SOON)
                    .until(() -> json("/api/v1/jobs/" + job)
                                    .path("now")
                                    .path("decisions")
                                    .asLong()
                            >= explained.path("entries").asLong());
            await().atMost(SOON).until(() -> json("/api/v1/topics").path("lag").has("consumption"));
            assertThat(json("/api/v1/source").path("trouble").isNull()).isTrue();
        }
    }

    // four batches a file: while two of the twelve are not acknowledged, one file is done at least and not all are
    @Test
    void whichOfAJobsFilesAreDoneIsToldWhileItRunsAndBehindItsEnd() throws Exception {
        Cluster cluster = Cluster.shared();
        Numbers numbers = Numbers.write(cluster.folder().resolve("console-files"), 3, 40);
        try (PageData data = PageData.live(cluster.kafka(), DispatcherConfig.USUAL_APPLICATION);
                PageServer page = PageServer.start(data, "127.0.0.1", 0, Optional.empty())) {
            server = page;
            String job;
            try (PralineClient client = cluster.client();
                    BatchStream stream =
                            client.submit(JobSpec.of(Numbers.inBatchesOf(10)).data(numbers.glob()))) {
                for (int batch = 0; batch < 10; batch++) {
                    stream.next().close();
                }
                try (Batch held = stream.next()) {
                    job = stream.status().orElseThrow().getJob();
                    String files = "/api/v1/jobs/" + job + "/files";
                    await().atMost(SOON)
                            .until(() -> json(files).path("filesClosed").asInt() > 0);
                    assertThat(json(files).path("filesClosed").asInt()).isLessThan(3);
                    assertThat(json(files).path("files").asInt()).isEqualTo(3);
                    assertThat(json(files).path("untold").asInt()).isZero();
                    assertThat(json(files + "?open=true")
                                    .path("rows")
                                    .get(0)
                                    .path("closed")
                                    .asInt())
                            .isZero();
                    assertThat(held.elements()).isEqualTo(10);
                }
                while (stream.hasNext()) {
                    stream.next().close();
                }
            }
            await().atMost(SOON)
                    .until(() -> json("/api/v1/jobs/" + job + "/files")
                                    .path("filesClosed")
                                    .asInt()
                            == 3);
            assertThat(json("/api/v1/jobs/" + job + "/files?open=true").path("rows"))
                    .isEmpty();
        }
    }
}
