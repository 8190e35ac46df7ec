package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.replay.JobJournal;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolSize;
import io.praline.policy.scaling.Bounded;
import io.praline.policy.scaling.Policies;
import io.praline.schema.FailureKind;
import io.praline.schema.JournalEntry;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.Submit;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy that throws costs nobody anything but its own job, and that no more than its next decision. */
class BrokenPolicyTest {
    private static final int FILES = 400;

    /**
     * Throws.
     *
     * @param decides whether it has one worker for its job before: it throws from the first window on, and as time passes
     */
    private record Breaking(boolean decides) implements Policy {
        @Override
        public String name() {
            return decides ? "breaks-later" : "breaks-at-once";
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public SortedMap<String, String> parameters() {
            return Collections.emptySortedMap();
        }

        @Override
        public boolean elastic(PolicyState state) {
            throw new IllegalStateException("elastic?");
        }

        @Override
        public Decision decide(PolicyState state, Observation seen) {
            if (decides && state.windows().isEmpty()) {
                return state.wanted().workers() == 1
                        ? Decision.nothing(seen.at(), "it has one")
                        : Decision.of(seen.at(), new ScaleTo(1, 0), "it needs one");
            }
            throw new IllegalStateException("divided\n  by zero");
        }
    }

    private static Policy named(String name, Map<String, String> settings) {
        return switch (name) {
            case "breaks-later" -> new Bounded(new Breaking(true));
            case "breaks-at-once" -> new Bounded(new Breaking(false));
            default -> Policies.named(name, settings);
        };
    }

    private static final Rules RULES = new Rules(
            "every-worker",
            BrokenPolicyTest::named,
            new FairShare(Duration.ofSeconds(30)),
            new PoolSize(0, 20, Duration.ofMinutes(1)),
            ProtocolLimits.USUAL);

    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();

    private void workers(Rig rig, String... ids) {
        for (String id : ids) {
            PretendWorker worker = new PretendWorker(rig, id, 1, FILES);
            workers.put(id, worker);
            worker.beat();
        }
    }

    private static Submit by(String policy) {
        return Rig.submit().setPolicy(policy).build();
    }

    private static void window(Rig rig, String job) {
        rig.clientBeat(
                job, 0, "consumer-0", List.of(new MeasurementWindow(100L, 800L, 0L, 4.0, 0.1, 2.5, 0, 1, false)));
    }

    private static List<JournalEntry> journal(Rig rig, String job) {
        return rig.journal().stream()
                .filter(entry -> entry.getJob().equals(job))
                .toList();
    }

    private static List<String> told(Rig rig, String job) {
        return journal(rig, job).stream()
                .map(entry -> entry.getObservation().getKind() + ": " + entry.getReason())
                .filter(told -> told.contains("broke"))
                .toList();
    }

    @Test
    void aJobWhosePolicyThrowsKeepsItsTargetAndOthersGoOn() {
        try (Rig rig = new Rig(1, RULES)) {
            workers(rig, "w1", "w2");
            rig.submit("broken", by("breaks-later"));
            rig.submit("sound", by("every-worker"));
            PretendClient broken = new PretendClient(rig, "broken", 0, workers);
            PretendClient sound = new PretendClient(rig, "sound", 0, workers);
            rig.seconds(4, workers.values(), broken, sound);
            window(rig, "broken");
            rig.seconds(12, workers.values(), broken, sound);
            window(rig, "broken");
            window(rig, "sound");
            rig.seconds(2, workers.values(), broken, sound);
            assertThat(told(rig, "broken"))
                    .containsExactly(
                            "windowClosed: policy breaks-later broke, the target stays as it is:"
                                    + " java.lang.IllegalStateException: divided by zero",
                            "windowClosed: its policy broke again, the target stays as it is");
            assertThat(rig.status("broken").getState()).isEqualTo(io.praline.schema.JobState.RUNNING);
            assertThat(rig.status("sound").getState()).isEqualTo(io.praline.schema.JobState.RUNNING);
            assertThat(told(rig, "sound")).isEmpty();
            assertThat(rig.metrics()).contains("praline_dispatcher_policies_broken_total 1.0");
        }
    }

    @Test
    void aPolicyThatBrokeAgreesWithItsOwnJournal() {
        try (Rig rig = new Rig(1, RULES)) {
            workers(rig, "w1");
            rig.submit("job", by("breaks-later"));
            PretendClient client = new PretendClient(rig, "job", 0, workers);
            rig.seconds(4, workers.values(), client);
            window(rig, "job");
            rig.seconds(12, workers.values(), client);
            assertThat(JobJournal.of(journal(rig, "job"))
                            .replay(named("breaks-later", Map.of()))
                            .differences())
                    .isEmpty();
        }
    }

    @Test
    void aJobWhosePolicyThrowsAtItsFirstDecisionFails() {
        try (Rig rig = new Rig(1, RULES)) {
            workers(rig, "w1");
            rig.submit("broken", by("breaks-at-once"));
            rig.submit("sound", by("every-worker"));
            rig.seconds(3, workers.values(), new PretendClient(rig, "sound", 0, workers));
            assertThat(rig.status("broken").getState()).isEqualTo(io.praline.schema.JobState.FAILED);
            assertThat(rig.status("broken").getFailure()).isEqualTo(FailureKind.FAILED);
            assertThat(rig.status("broken").getReason())
                    .isEqualTo("policy breaks-at-once broke at its first decision:"
                            + " java.lang.IllegalStateException: divided by zero");
            assertThat(rig.status("sound").getState()).isEqualTo(io.praline.schema.JobState.RUNNING);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"breaks-at-once", "breaks-later"})
    void aShadowThatThrowsIsWrittenDownAndAskedNoMore(String shadow) {
        try (Rig rig = new Rig(1, RULES)) {
            workers(rig, "w1");
            rig.submit(
                    "job",
                    Rig.submit().setPolicy("every-worker").setShadow(shadow).build());
            PretendClient client = new PretendClient(rig, "job", 0, workers);
            rig.seconds(4, workers.values(), client);
            window(rig, "job");
            rig.seconds(12, workers.values(), client);
            window(rig, "job");
            String seen = shadow.equals("breaks-later") ? "windowClosed" : "planned";
            assertThat(told(rig, "job"))
                    .containsExactly("shadow:" + seen + ": shadow policy " + shadow
                            + " broke and is not asked again: java.lang.IllegalStateException: divided by zero");
            assertThat(rig.status("job").getState()).isEqualTo(io.praline.schema.JobState.RUNNING);
        }
    }

    @Test
    void aShadowThatBrokeIsNotAskedByTheNextDispatcherEither() {
        try (Rig rig = new Rig(RULES)) {
            workers(rig, "w1");
            rig.submit(
                    "job",
                    Rig.submit()
                            .setPolicy("every-worker")
                            .setShadow("breaks-at-once")
                            .build());
            PretendClient client = new PretendClient(rig, "job", 0, workers);
            rig.seconds(4, workers.values(), client);
            rig.restart();
            rig.seconds(12, workers.values(), client);
            window(rig, "job");
            assertThat(told(rig, "job")).hasSize(1);
            assertThat(rig.broken()).containsExactly("job: breaks-at-once");
        }
    }
}
