package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.client.BatchStream;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cli.Praline;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.tests.rig.Cluster;
import io.praline.topics.KafkaSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real job's journal: explained, exported, replayed from the topic and from the file. */
class JournalTest {

    private static Cluster cluster;
    private static String job;

    private record Ended(int code, List<String> out, List<String> err) {}

    @BeforeAll
    static void trains() {
        cluster = Cluster.shared();
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(
                        JobSpec.of(Pipeline.range(0, 2_000).batch(1).names("number")))) {
            while (stream.hasNext()) {
                stream.next().close();
            }
            job = stream.status().orElseThrow().getJob();
        }
    }

    private static Ended praline(String... args) {
        KafkaSettings kafka = cluster.kafka();
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.addAll(List.of("--bootstrap", kafka.bootstrap(), "--registry", kafka.registryUrl()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        return new Ended(
                code, out.toString().lines().toList(), err.toString().lines().toList());
    }

    @Test
    void everyDecisionOnAJobIsExplained() throws IOException {
        Ended told = praline("explain", job, "--json");
        assertThat(told.code()).as(told.err().toString()).isZero();
        List<String> kinds = new ArrayList<>();
        for (int i = 0; i < told.out().size(); i++) {
            JsonNode one = new ObjectMapper().readTree(told.out().get(i));
            assertThat(one.path("sequence").asInt()).isEqualTo(i);
            assertThat(one.path("reason").asText()).isNotEmpty();
            kinds.add(one.path("seen").path("kind").asText());
        }
        assertThat(kinds).contains(JournalKind.PLANNED.text(), JournalKind.GRANTED.text());
        assertThat(praline("explain", job).out()).anyMatch(line -> line.contains(JournalKind.PLANNED.text()));
    }

    @Test
    void theJournalIsReplayedAlikeFromTheTopicAndFromAFile() throws IOException {
        Path file = cluster.folder().resolve("journal.avro");
        Ended exported = praline("journal", "export", job, "--to", file.toString());
        assertThat(exported.code()).as(exported.err().toString()).isZero();
        Ended live = praline("policy", "replay", job, "--json");
        assertThat(live.code()).as(live.err().toString()).isZero();
        JsonNode told = new ObjectMapper().readTree(live.out().get(0));
        assertThat(told.path("steps").asInt()).isPositive();
        assertThat(told.path("matched")).as(told.toString()).isEqualTo(told.path("steps"));
        assertThat(praline("policy", "replay", file.toString(), "--json").out()).isEqualTo(live.out());
    }

    @Test
    void aJobThatThereIsNotIsNamed() {
        for (List<String> command : List.of(
                List.of("explain", "nobody"),
                List.of("policy", "replay", "nobody"),
                List.of("journal", "export", "nobody", "--to", "nobody.avro"))) {
            Ended ended = praline(command.toArray(String[]::new));
            assertThat(ended.code()).isEqualTo(3);
            assertThat(ended.err()).singleElement().asString().contains("no job with the id nobody", "praline jobs");
        }
    }
}
