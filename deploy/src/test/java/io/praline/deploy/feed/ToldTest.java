package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.client.JobFailed;
import io.praline.client.JobResult;
import io.praline.deploy.sample.Trainer;
import io.praline.deploy.sample.TrainingReport;
import io.praline.deploy.terminal.JobView;
import io.praline.schema.AttemptPlace;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.TransformationMetrics;
import io.praline.topics.ServiceUnreachable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ToldTest {
    private static String told(Throwable failure) {
        return StandardCharsets.UTF_8.decode(Told.failure(failure, "ID")).toString();
    }

    // the cluster is there: what cannot be reached is where the data lies
    @Test
    void whoMustReachWhatCannotBeReachedIsSaid() {
        assertThat(told(new JobFailed("j1", FailureKind.UNREACHABLE, "the store does not answer")))
                .contains("\"kind\":\"Unreachable\"", "it is the workers that must reach it; 'praline job j1'");
        assertThat(told(new ServiceUnreachable("Kafka at h:1", new IllegalStateException("no answer"))))
                .contains("\"kind\":\"Unreachable\"", "start a cluster with 'praline up'");
    }

    @Test
    void whatIsWrongInTheCallIsLookedUpThereAndWhatIsWrongInThePipelineWithItsOwnCommand() {
        assertThat(told(new IllegalArgumentException("epochs must be at least 1, is 0")))
                .contains("\"kind\":\"Refused\"", "help(praline.feed)");
        assertThat(told(new JobFailed("j1", FailureKind.REFUSED, "the pipeline calls Python code")))
                .contains("\"kind\":\"Refused\"", "'praline pipeline describe FILE'");
    }

    @Test
    void optionsOfCommandsAreArgumentsInPython() {
        assertThat(told(new JobFailed(
                        "j1", FailureKind.REFUSED, "record 3 is bad; tolerate such records with --skip-bad N")))
                .contains("record 3 is bad; tolerate such records with skip_bad=N\"");
        assertThat(told(new IllegalArgumentException("--max-local is 0; see --give-up CONSUMER of praline job")))
                .contains("\"max_local is 0; see --give-up CONSUMER of praline job\"");
        assertThat(told(new IllegalArgumentException("check the file of --kafka-config, and --secret-file FILE")))
                .contains("\"check the file of kafka_config, and secret_file=FILE\"");
    }

    @Test
    void settingsOfJavaProgramsAreArgumentsInPython() {
        assertThat(told(new IllegalArgumentException("skipBad must not be negative, is -1")))
                .contains("\"skip_bad must not be negative, is -1\"");
        assertThat(told(new IllegalArgumentException("/data/maxLocal is of somebodyElse must be read")))
                .contains("\"/data/maxLocal is of somebodyElse must be read\"");
    }

    @Test
    void whatMayHaveBeenTrainedTwiceIsToldOfAllEpochsAndOfEach() throws IOException {
        JsonNode told = new ObjectMapper()
                .readTree(StandardCharsets.UTF_8.decode(Told.result(result())).toString());
        assertThat(told.path("possibly_twice").asLong()).isEqualTo(320);
        assertThat(told.path("epochs").findValuesAsText("possibly_twice")).containsExactly("20", "300");
    }

    private static JobResult result() {
        return new JobResult(
                "j1",
                JobState.COMPLETED,
                1,
                0,
                Guarantee.EXACTLY_ONCE,
                List.of(),
                List.of(),
                new JobResult.Taken(0, 0, 0, 0, 0, 0),
                new JobResult.Workers(0, 0),
                List.of(epoch(0, 20), epoch(1, 300)),
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                new JobResult.Cache(0, ""));
    }

    /** A name of Java's as Python's are. */
    private static String inPython(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static Set<String> namesIn(JsonNode told) {
        Set<String> names = new TreeSet<>();
        told.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void pythonIsToldOfAJobWhatTheCommandTells() throws IOException {
        JobStatus status = JobStatus.newBuilder()
                .setJob("j1")
                .setPool("default")
                .setTenant("default")
                .setState(JobState.RUNNING)
                .setReason("")
                .setPipelineName("p")
                .setPipelineDigest("d")
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of())
                .setNotes(List.of("a note"))
                .setSplits(8)
                .setEpochs(2)
                .setConsumers(1)
                .setSeed(7)
                .setProgress(List.of(epoch(0, 20)))
                .setAttempts(List.of(new AttemptPlace(0, 0, "w1", "w1-1", "here", List.of(), true, false)))
                .setRequester("r")
                .setFailure(FailureKind.NONE)
                .setPlan(1)
                .setComponents(List.of())
                .setConfirmed(List.of())
                .setBadRecords(List.of("a bad one"))
                .setTransformations(List.of(new TransformationMetrics("map", "Map", 10L, 20L, 30L)))
                .setCacheHits(80)
                .setCache("it is kept")
                .setSpent(0.5)
                .setSubmittedAtMillis(1)
                .setChangedAtMillis(2)
                .build();
        JsonNode told = new ObjectMapper()
                .readTree(StandardCharsets.UTF_8.decode(Told.status(status)).toString());
        Map<String, Object> command = new JobView(status).object();
        assertThat(namesIn(told))
                .isEqualTo(command.keySet().stream()
                        .map(ToldTest::inPython)
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(told.path("cache_hits").asLong()).isEqualTo(80);
        assertThat(told.path("workers_local").asLong()).isEqualTo(1);
        assertThat(told.path("spent").asDouble()).isEqualTo(0.5);
        assertThat(told.path("progress").path(0).path("splits_closed").asInt()).isEqualTo(8);
        assertThat(told.path("epochs").findValuesAsText("possibly_twice")).containsExactly("20");
    }

    @Test
    void pythonIsToldOfARunWhatTheCommandTells() throws IOException {
        JobResult result = result();
        JsonNode told = new ObjectMapper()
                .readTree(StandardCharsets.UTF_8.decode(Told.result(result)).toString());
        Set<String> command = new TrainingReport(new Trainer.Outcome(result, 0, 0, 0, 0, 0, 0, List.of()), "element")
                .object().keySet().stream().map(ToldTest::inPython).collect(Collectors.toCollection(TreeSet::new));
        // of what this loop took and when, which Python knows
        command.removeAll(Set.of("elements_per_second", "mb_per_second"));
        assertThat(namesIn(told)).isEqualTo(command);
    }

    private static EpochProgress epoch(int number, long possiblyTwice) {
        return EpochProgress.newBuilder()
                .setEpoch(number)
                .setElements(1_000)
                .setConsumed(1_000)
                .setExcluded(List.of())
                .setSplitsClosed(8)
                .setPossiblyTwice(possiblyTwice)
                .setComplete(true)
                .build();
    }
}
