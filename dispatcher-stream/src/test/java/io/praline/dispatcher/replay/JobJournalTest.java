package io.praline.dispatcher.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.Observations;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Policy;
import io.praline.policy.Target;
import io.praline.policy.replay.Replay;
import io.praline.policy.scaling.Policies;
import io.praline.schema.JournalEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class JobJournalTest {
    private static final Policy EVERY = Policies.named("every-worker", Map.of());

    @Property(tries = 200)
    void aPolicyOverItsOwnJournalAgreesOnEveryStep(
            @ForAll("policies") String name, @ForAll("observations") List<Observation> seen) {
        Policy policy = Policies.named(name, Map.of());
        JobJournal journal = JobJournal.of(Journals.of(policy, seen));
        assertThat(journal.replay(policy)).isEqualTo(new Replay(seen.size(), List.of()));
    }

    // a snapshot every 5 entries: retention leaves at most 4 of no use
    @Property(tries = 200)
    void alsoWhenRetentionHasCutIt(
            @ForAll("policies") String name,
            @ForAll("observations") List<Observation> seen,
            @ForAll @IntRange(max = 30) int cut) {
        Policy policy = Policies.named(name, Map.of());
        Journals written = new Journals(policy, 5);
        seen.forEach(observation -> {
            written.turn(observation);
            written.own(observation.at().toEpochMilli(), JournalKind.WORKER_JOINED);
        });
        List<JournalEntry> left = written.entries()
                .subList(
                        Math.min(cut, written.entries().size()),
                        written.entries().size());
        if (left.stream().anyMatch(entry -> entry.getSnapshot().isPresent())) {
            JobJournal journal = JobJournal.of(left);
            assertThat(journal.skipped()).isLessThan(5);
            assertThat(journal.replay(policy).differences()).isEmpty();
        }
    }

    @Provide
    Arbitrary<String> policies() {
        return Arbitraries.of(Policies.names());
    }

    @Provide
    Arbitrary<List<Observation>> observations() {
        return Observations.any().list().ofMinSize(1).ofMaxSize(40);
    }

    private static List<JournalEntry> growing() {
        return Journals.of(
                EVERY,
                List.of(
                        new PoolChanged(at(1), 2, 4),
                        new Planned(at(2), 40, 0, false),
                        new PoolChanged(at(3), 3, 6),
                        new PoolChanged(at(4), 2, 4)));
    }

    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    @Test
    void anotherPolicyDiffersFromWhereItWouldHaveDecidedOtherwise() {
        Replay replay = JobJournal.of(growing()).replay(Policies.named("fixed", Map.of("remote", "2")));
        assertThat(replay.steps()).isEqualTo(4);
        assertThat(replay.differences())
                .containsExactly(new Replay.Difference(
                        3, at(3), new Target(3, 0), new Target(2, 0), "it has its fixed number: 2 remote and 0 local"));
    }

    @Test
    void aJournalThatCannotBeReplayedSaysWhy() {
        assertThatThrownBy(() -> JobJournal.of(List.of())).hasMessage("the journal has no entry");
        assertThatThrownBy(() -> JobJournal.of(growing().subList(1, 3)))
                .hasMessage("the journal of job train begins with entry 1 and has no snapshot to go on from: there is"
                        + " one every 1000 entries");
        List<JournalEntry> gap = new ArrayList<>(growing());
        gap.remove(1);
        assertThatThrownBy(() -> JobJournal.of(gap))
                .hasMessage("the journal of job train has entry 2 where entry 1 should be: export it again");
        List<JournalEntry> two = new ArrayList<>(growing());
        two.add(JournalEntry.newBuilder(two.get(0)).setJob("other").build());
        assertThatThrownBy(() -> JobJournal.of(two))
                .hasMessage("the journal is of several jobs, train and other: export one of them");
    }
}
