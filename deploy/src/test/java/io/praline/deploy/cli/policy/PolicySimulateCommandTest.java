package io.praline.deploy.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.scenario.ScenarioFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicySimulateCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @Test
    void aLineForEachPolicyAndAPicture(@TempDir Path dir) throws Exception {
        Path picture = dir.resolve("run.svg");
        int code = run(
                "policy",
                "simulate",
                "input-light",
                "--policy",
                "pecan",
                "--policy",
                "fixed",
                "--set",
                "local=3",
                "--set",
                "remote=0",
                "--seeds",
                "2",
                "--json",
                "--plot",
                picture.toString());
        assertThat(err.toString()).isEqualTo("wrote " + picture + System.lineSeparator());
        assertThat(code).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(2);
        JsonNode fixed = new ObjectMapper().readTree(lines.get(1));
        for (String field : List.of(
                "finalRemote",
                "finalLocal",
                "costPerEpoch",
                "oracleCostPerEpoch",
                "regret",
                "windowsToConverge",
                "costUntilConverged",
                "changesFollowed")) {
            assertThat(fixed.has(field)).as(field).isTrue();
            assertThat(fixed.has(field + "P95")).as(field).isTrue();
        }
        // 3 local workers are the best there
        assertThat(fixed.get("policy").asText()).isEqualTo("fixed");
        assertThat(fixed.get("scenario").asText()).isEqualTo("input-light");
        assertThat(fixed.get("regret").asDouble()).isZero();
        assertThat(Files.readString(picture)).startsWith("<svg ").contains("pecan", "fixed");
    }

    // many seeds take minutes, behind which nobody wants to hear it
    @Test
    void aPictureThatCannotBeWrittenIsOneLineBeforeAnythingIsSimulated(@TempDir Path dir) {
        assertThat(run("policy", "simulate", "input-light", "--plot", dir.toString()))
                .isEqualTo(3);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("praline: " + dir + " cannot be written: Is a directory; ");
    }

    private JsonNode resnetOf(String... seeds) throws Exception {
        List<String> words = new ArrayList<>(List.of("policy", "simulate", "resnet50-v2-8", "--json"));
        words.addAll(List.of(seeds));
        out.getBuffer().setLength(0);
        assertThat(run(words.toArray(String[]::new))).isZero();
        return new ObjectMapper().readTree(out.toString());
    }

    // the mean of seeds 1 to 4 is that of 1, 2 and 3, 4
    @Test
    void seedsThatAPolicyNeverMetMayComeFirst() throws Exception {
        double all = resnetOf("--seeds", "4").get("costPerEpoch").asDouble();
        double first = resnetOf("--seeds", "2").get("costPerEpoch").asDouble();
        double others = resnetOf("--seeds", "2", "--first-seed", "3")
                .get("costPerEpoch")
                .asDouble();
        assertThat((first + others) / 2).isCloseTo(all, within(1e-9));
        assertThat(others).isNotEqualTo(first);
        assertThat(run("policy", "simulate", "drift", "--first-seed", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--first-seed must be at least 1, is 0");
    }

    @Test
    void aPoolIsToldWithItsFairness() throws Exception {
        assertThat(run("policy", "simulate", "crowd", "--json")).isZero();
        JsonNode crowd = new ObjectMapper().readTree(out.toString());
        assertThat(crowd.get("jobs").asInt()).isEqualTo(40);
        assertThat(crowd.get("jain").asDouble()).isGreaterThanOrEqualTo(0.95);
        assertThat(crowd.get("longestUnderShareWindows").asInt()).isLessThanOrEqualTo(3);
    }

    @Test
    void aScenarioWithATypoIsRefused(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(dir.resolve("mine.yaml"), "maxRemot: 3");
        assertThat(run("policy", "simulate", file.toString())).isEqualTo(3);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("praline: " + file + ": unknown field 'maxRemot'; allowed: ");
    }

    @Test
    void anUnknownPolicyOrParameterIsWrongUse() {
        assertThat(run("policy", "simulate", "drift", "--policy", "magic")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("magic", "pecan");
        assertThat(run("policy", "simulate", "drift", "--policy", "pecan", "--set", "speed=3"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("none of pecan has a parameter speed");
    }

    @Test
    void everyShippedScenarioIsInTheHelp() {
        assertThat(run("policy", "simulate", "--help")).isZero();
        assertThat(out.toString()).contains(String.join(", ", ScenarioFile.shipped()));
    }
}
