package io.praline.deploy.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.cli.Praline;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.replay.JournalFile;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Turn;
import io.praline.policy.scaling.Policies;
import io.praline.schema.JournalEntry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyReplayCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int replay(String... args) {
        List<String> all = new ArrayList<>(List.of("policy", "replay"));
        all.addAll(Arrays.asList(args));
        return Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    }

    private String error() {
        assertThat(err.toString().lines()).hasSize(1);
        return err.toString().strip();
    }

    private Path table(String text) throws IOException {
        return Files.writeString(folder.resolve("run.csv"), text);
    }

    private static final String THREE_WINDOWS = """
            seconds,remote,local,batchMillis,waitShare,queueDepth
            0,1,0,100,,
            60,2,0,50,,
            90,3,0,25,,
            """;

    @Test
    void aTableIsReplayedAndToldAsAnObject() throws IOException {
        assertThat(replay("--windows", table(THREE_WINDOWS).toString(), "--policy", "pecan", "--json"))
                .isZero();
        assertThat(out.toString().strip())
                .isEqualTo(
                        "{\"policy\":\"pecan\",\"steps\":2,\"matched\":2,\"firstDifference\":null,\"differences\":[]}");
    }

    @Test
    void aParameterChangesWhatIsDecided() throws IOException {
        String file = table(THREE_WINDOWS).toString();
        assertThat(replay("--windows", file, "--policy", "pecan", "--set", "thresholdUp=0.6", "--set", "maxLocal=4"))
                .isZero();
        assertThat(out.toString().lines().toList())
                .containsExactly(
                        "pecan matches 1 of 2 steps",
                        "  step 2 at 60.0 s: 1 remote and 1 local, where 3 remote and 0 local is recorded; a batch takes"
                                + " 50.0 ms with 2 remote and 0 local and took 100.0 ms with 1 remote and 0 local (only"
                                + " remote): the last one did not help, from now on local workers");
    }

    @Test
    void badInputIsToldInOneLine() throws IOException {
        String file = table(THREE_WINDOWS).toString();
        assertThat(replay("--windows", file, "--policy", "peacan")).isEqualTo(2);
        assertThat(error()).startsWith("praline: there is no policy 'peacan': there are fitted, pecan");
        err.getBuffer().setLength(0);
        assertThat(replay("--windows", file, "--policy", "fixed", "--set", "remotes=2"))
                .isEqualTo(2);
        assertThat(error()).isEqualTo("praline: policy fixed has no parameter 'remotes': it has remote, local");
        err.getBuffer().setLength(0);
        assertThat(replay("--windows", file, "train-7")).isEqualTo(2);
        assertThat(error()).contains("either JOURNAL or --windows CSV");
        err.getBuffer().setLength(0);
        assertThat(replay("--windows", "/nowhere/run.csv")).isEqualTo(3);
        assertThat(error()).contains("/nowhere/run.csv cannot be read");
        err.getBuffer().setLength(0);
        assertThat(replay("--windows", table("remote,batchMillis\n1,fast\n").toString()))
                .isEqualTo(3);
        assertThat(error()).endsWith("run.csv: line 2: batchMillis must be a number, is 'fast'");
        err.getBuffer().setLength(0);
        assertThat(replay("/nowhere/train.avro")).isEqualTo(3);
        assertThat(error()).contains("there is no file /nowhere/train.avro");
        err.getBuffer().setLength(0);
        assertThat(replay(file)).isEqualTo(3);
        assertThat(error()).contains("run.csv is no Avro container file");
    }

    private Path journal() throws IOException {
        Policy policy = Policies.named("every-worker", Map.of());
        List<Observation> seen = List.of(
                new PoolChanged(Instant.ofEpochSecond(1), 2, 4),
                new Planned(Instant.ofEpochSecond(2), 40, 0, false),
                new PoolChanged(Instant.ofEpochSecond(3), 3, 6));
        PolicyState state = PolicyState.UNKNOWN;
        List<JournalEntry> entries = new ArrayList<>();
        for (Observation one : seen) {
            Turn turn = Turn.take(state, one, policy);
            entries.add(JournalEntry.newBuilder()
                    .setJob("train")
                    .setPool("default")
                    .setSequence(entries.size())
                    .setAtMillis(one.at().toEpochMilli())
                    .setObservation(DecisionWriter.observed("train", one))
                    .setDecision(DecisionWriter.decided("train", turn.decision()))
                    .setReason(turn.decision().reason())
                    .setNumbers(new TreeMap<>(turn.decision().numbers()))
                    .setSnapshot(entries.isEmpty() ? DecisionWriter.snapshot(policy, state) : null)
                    .build());
            state = turn.state();
        }
        Path file = folder.resolve("train.avro");
        JournalFile.write(file, entries);
        return file;
    }

    @Test
    void aJournalIsReplayedWithItsOwnPolicyUnlessAnotherIsNamed() throws IOException {
        String file = journal().toString();
        assertThat(replay(file, "--json")).isZero();
        assertThat(replay(file, "--policy", "fixed", "--set", "remote=2", "--json"))
                .isZero();
        List<String> told = out.toString().lines().toList();
        assertThat(told.get(0))
                .isEqualTo("{\"policy\":\"every-worker\",\"steps\":3,\"matched\":3,\"firstDifference\":null,"
                        + "\"differences\":[]}");
        JsonNode other = new ObjectMapper().readTree(told.get(1));
        assertThat(other.path("matched").asInt()).isEqualTo(2);
        assertThat(other.path("firstDifference").path("step").asInt()).isEqualTo(3);
        assertThat(other.path("firstDifference").path("at").asText()).isEqualTo("1970-01-01T00:00:03Z");
        assertThat(other.path("firstDifference").path("recorded").path("remote").asInt())
                .isEqualTo(3);
    }
}
