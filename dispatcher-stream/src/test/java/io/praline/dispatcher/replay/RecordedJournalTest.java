package io.praline.dispatcher.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.ObservationReader;
import io.praline.policy.Alternative;
import io.praline.policy.DecisionNumbers;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.PolicyStateText;
import io.praline.policy.Quantity;
import io.praline.policy.Target;
import io.praline.policy.Turn;
import io.praline.policy.scaling.Policies;
import io.praline.schema.JournalEntry;
import io.praline.schema.Snapshot;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Journals of two epochs in made-up worlds: one with egress that was written when the policy still put the names of its numbers
 * together itself, decided by version 2 of the usual policy, and one of the version that decides now, whose trainer takes twice
 * as much from then on.
 */
class RecordedJournalTest {
    private static List<JournalEntry> entries;

    @BeforeAll
    static void read() throws Exception {
        entries = JournalFile.read(file("fitted-2.avro"));
    }

    private static Path file(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(RecordedJournalTest.class.getResource(name))
                .toURI());
    }

    /** A change of the rule is another version, which gets a journal of its own here. */
    @Test
    void thePolicyDecidesTheSameAgainByTheSameNumbersUnderTheSameKeys() throws Exception {
        List<JournalEntry> current = JournalFile.read(file("fitted-4.avro"));
        Snapshot begun = JobJournal.of(current).begun().orElseThrow();
        Policy policy = Policies.named(begun.getPolicy(), begun.getParameters());
        assertThat(policy.version()).isEqualTo(begun.getPolicyVersion());
        PolicyState state = PolicyStateText.read(begun.getState());
        for (JournalEntry entry : current) {
            Turn turn = Turn.take(state, ObservationReader.observation(entry).orElseThrow(), policy);
            state = turn.state();
            assertThat(DecisionWriter.decided("train", turn.decision())).isEqualTo(entry.getDecision());
            assertThat(turn.decision().reason()).isEqualTo(entry.getReason());
            assertThat(turn.decision().numbers()).isEqualTo(entry.getNumbers());
        }
    }

    @Test
    void everyNumberIsReadForWhatItIs() {
        Set<String> grounds = new TreeSet<>();
        for (JournalEntry entry : entries) {
            DecisionNumbers numbers = DecisionNumbers.read(entry.getNumbers());
            assertThat(numbers.write()).isEqualTo(entry.getNumbers());
            grounds.addAll(numbers.grounds().keySet());
        }
        assertThat(grounds)
                .containsExactly(
                        "clockFactor", "localElementsPerSecond", "remoteElementsPerSecond", "trainerElementsPerSecond");
    }

    // entry 7 goes from 1 remote and 1 local to 2 and 3
    @Test
    void whatItExpectedIsHeldAgainstWhatCame() {
        Explanation move = Explanation.all(entries).get(7);
        DecisionNumbers numbers = DecisionNumbers.read(move.entry().getNumbers());
        assertThat(numbers.alternatives())
                .extracting(Alternative::workers)
                .containsExactly(new Target(1, 1), new Target(1, 3), new Target(3, 3), new Target(4, 3));
        assertThat(numbers.expected().quantities())
                .containsOnlyKeys(
                        Quantity.BATCH_MILLIS,
                        Quantity.COST_PER_HOUR,
                        Quantity.COST_PER_MILLION_ELEMENTS,
                        Quantity.EGRESS_PER_HOUR,
                        Quantity.ELEMENTS_PER_SECOND);
        assertThat(move.compared())
                .containsOnlyKeys(
                        Quantity.BATCH_MILLIS,
                        Quantity.COST_PER_HOUR,
                        Quantity.COST_PER_MILLION_ELEMENTS,
                        Quantity.ELEMENTS_PER_SECOND);
        move.compared().forEach((quantity, compared) -> assertThat(compared.expected())
                .isEqualTo(numbers.expected().quantities().get(quantity)));
    }
}
