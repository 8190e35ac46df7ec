package io.praline.deploy.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.replay.Explanation;
import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExplanationViewTest {
    private final List<JournalEntry> entries = new ArrayList<>();

    private void took(Observation seen, Decision decision) {
        entries.add(JournalEntry.newBuilder()
                .setJob("train")
                .setPool("default")
                .setSequence(entries.size())
                .setAtMillis(seen.at().toEpochMilli())
                .setObservation(DecisionWriter.observed("train", seen))
                .setDecision(DecisionWriter.decided("train", decision))
                .setReason(decision.reason())
                .setNumbers(new TreeMap<>(decision.numbers()))
                .build());
    }

    private void saw(Observation seen) {
        took(seen, Decision.nothing(seen.at(), "as before"));
    }

    private List<String> lines() {
        return Explanation.all(entries).stream()
                .flatMap(one -> new ExplanationView(one).lines().stream())
                .toList();
    }

    private static WindowClosed window(long second, int remote, int local, long batches) {
        return new WindowClosed(
                Instant.ofEpochSecond(second), 0, batches, 32 * batches, 2, 0.5, 1, local, remote, false);
    }

    // 80 batches of 32 in 2 s are 1,280 elements/s; 1,344 were expected, 5 % more
    @Test
    void aDecisionIsToldWithItsAlternativesAndWhatCameOfIt() {
        Map<String, Double> numbers = Map.of(
                "expectedElementsPerSecond",
                1_344.0,
                "remoteElementsPerSecond",
                640.0,
                "alternative 1+1: elementsPerSecond",
                1_280.0);
        took(
                window(10, 1, 1, 60),
                Decision.of(Instant.ofEpochSecond(10), new ScaleTo(0, 2), "it is cheaper")
                        .with(new TreeMap<>(numbers)));
        saw(new Granted(Instant.ofEpochSecond(13), new Target(0, 2)));
        saw(window(17, 0, 2, 80));
        assertThat(lines())
                .containsExactly(
                        "    0  1970-01-01T00:00:10Z  windowClosed: 2.0 s served by 1 remote and 1 local: 33.3 ms a"
                                + " batch, 960.0 elements/s, waiting 50 %, 1.0 batches ready",
                        "       scaleTo 0 remote and 2 local: it is cheaper",
                        "       by       remoteElementsPerSecond 640",
                        "       expects  elementsPerSecond 1344",
                        "       instead  with 1 remote and 1 local: elementsPerSecond 1280",
                        "       then     it had 0 remote and 2 local after 3.0 s",
                        "       then     after 7.0 s a window served by 0 remote and 2 local: 25.0 ms a batch, 1280.0"
                                + " elements/s, waiting 50 %, 1.0 batches ready",
                        "       came     elementsPerSecond 1280 where 1344 was expected: off by +5.0 %",
                        "    1  1970-01-01T00:00:13Z  granted: 0 remote and 2 local serve it",
                        "       nothing: as before",
                        "       then     after 4.0 s a window served by 0 remote and 2 local: 25.0 ms a batch, 1280.0"
                                + " elements/s, waiting 50 %, 1.0 batches ready",
                        "    2  1970-01-01T00:00:17Z  windowClosed: 2.0 s served by 0 remote and 2 local: 25.0 ms a"
                                + " batch, 1280.0 elements/s, waiting 50 %, 1.0 batches ready",
                        "       nothing: as before");
    }

    // the cluster was down for 135 s before: people's time is ahead of the dispatcher's by as much
    @Test
    void whatCameOfADecisionIsTimedByTheClockThatTimedTheDecision() {
        took(window(10, 1, 1, 60), Decision.of(Instant.ofEpochSecond(10), new ScaleTo(0, 2), "it is cheaper"));
        saw(new Granted(Instant.ofEpochSecond(13), new Target(0, 2)));
        saw(window(17, 0, 2, 80));
        entries.replaceAll(entry -> JournalEntry.newBuilder(entry)
                .setWallMillis(entry.getAtMillis() + 135_000)
                .build());
        assertThat(lines())
                .contains("       then     it had 0 remote and 2 local after 3.0 s")
                .anyMatch(
                        line -> line.startsWith("       then     after 7.0 s a window served by 0 remote and 2 local"));
        assertThat(new ExplanationView(Explanation.all(entries).get(0)).object().toString())
                .contains("granted={afterSeconds=3.0,")
                .contains("window={afterSeconds=7.0,");
    }

    @Test
    void whatADecisionSaysInWordsIsToldUnderIt() {
        saw(new Granted(Instant.ofEpochSecond(3), new Target(1, 0)));
        entries.set(
                0,
                JournalEntry.newBuilder(entries.get(0))
                        .setDecision(List.of(new Decided(
                                "runVariant",
                                "d2",
                                Map.of("measuredGain", 3.2),
                                Map.of("moved", "cast behind batch_4", "expected", "3.5 times as fast"))))
                        .setReason("it is faster")
                        .build());

        assertThat(lines())
                .containsExactly(
                        "    0  1970-01-01T00:00:03Z  granted: 1 remote and 0 local serve it",
                        "       runVariant d2 (measuredGain 3.200): it is faster",
                        "       expected 3.5 times as fast",
                        "       moved    cast behind batch_4");
        assertThat(new ExplanationView(Explanation.all(entries).get(0)).object().toString())
                .contains("texts={expected=3.5 times as fast, moved=cast behind batch_4}");
    }

    // nobody knows how many workers these mean: not none
    @Test
    void aCommandThatCannotBeReadIsToldAsItIsWritten() {
        saw(new Granted(Instant.ofEpochSecond(3), new Target(1, 0)));
        entries.set(
                0,
                JournalEntry.newBuilder(entries.get(0))
                        .setObservation(new Observed("rebalanced", "train", Map.of(), Map.of()))
                        .setDecision(List.of(
                                new Decided("scaleTo", "train", Map.of("workers", 3.0), Map.of()),
                                new Decided("scaleTo", "train", Map.of("remote", 2.5, "local", 1.0), Map.of())))
                        .setReason("it is faster")
                        .build());

        assertThat(lines())
                .containsExactly(
                        "    0  1970-01-01T00:00:03Z  rebalanced train",
                        "       scaleTo train (workers 3); scaleTo train (local 1, remote 2.500): it is faster");
    }

    // as a dispatcher of another version may write it: what came of the decisions before it ends there
    @Test
    void aTargetThatCannotBeReadIsToldAsItIsWrittenBesideWhatAPolicySaw() {
        took(window(10, 1, 1, 60), Decision.of(Instant.ofEpochSecond(10), new ScaleTo(0, 2), "it is cheaper"));
        saw(window(17, 0, 2, 80));
        JournalEntry other = entries.get(1);
        entries.set(
                1,
                JournalEntry.newBuilder(other)
                        .setDecision(List.of(new Decided("scaleTo", "train", Map.of("workers", 3.0), Map.of())))
                        .build());
        saw(window(24, 3, 0, 80));
        assertThat(lines())
                .contains("       scaleTo train (workers 3): as before")
                .anyMatch(
                        line -> line.startsWith("       then     after 7.0 s a window served by 0 remote and 2 local"));
    }

    @Test
    void aNumberThatIsNotKnownIsToldByItsName() {
        Map<String, Double> numbers = Map.of(
                "expectedMood", 1.0,
                "expectedBatchMillis", 25.0,
                "alternative 10+0: mood", 2.0,
                "alternative 10+0: batchMillis", 20.0,
                "alternative 2+0: batchMillis", 30.0);
        took(
                window(10, 1, 1, 60),
                Decision.nothing(Instant.ofEpochSecond(10), "as before").with(new TreeMap<>(numbers)));
        assertThat(lines())
                .endsWith(
                        "       by       alternative 10+0: mood 2, expectedMood 1",
                        "       expects  batchMillis 25",
                        "       instead  with 10 remote and 0 local: batchMillis 20",
                        "       instead  with 2 remote and 0 local: batchMillis 30");
    }

    @Test
    void whatMattersToAJobAndWhatAWorkerMakesAreToldInWords() {
        Terms terms = new Terms(
                Terms.Goal.COST, new Terms.Prices(3, 0.2, 0), new Terms.Limits(3, 2), Double.POSITIVE_INFINITY);
        saw(new TermsSet(Instant.ofEpochSecond(1), terms));
        saw(new RateMeasured(Instant.ofEpochSecond(2), "w1", true, 2, 640));
        saw(new RateMeasured(Instant.ofEpochSecond(3), "w2", false, 1, 320.5));
        assertThat(lines())
                .containsExactly(
                        "    0  1970-01-01T00:00:01Z  termsSet: cost is to be small; an hour costs 3 for the trainer's"
                                + " host and 0.2000 for a remote worker, a GB of egress 0; at most 3 remote and 2 local"
                                + " workers",
                        "       nothing: as before",
                        "    1  1970-01-01T00:00:02Z  rateMeasured: local worker w1, one of 2 there, makes 640"
                                + " elements/s",
                        "       nothing: as before",
                        "    2  1970-01-01T00:00:03Z  rateMeasured: remote worker w2 makes 320.5 elements/s",
                        "       nothing: as before");
    }
}
