package io.praline.dispatcher.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.Command;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.WindowClosed;
import io.praline.schema.JournalEntry;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.Observed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ObservationReaderTest {

    @Property(tries = 1_000)
    void whatWasObservedIsReadBackAsItWas(@ForAll("observations") Observation seen) {
        assertThat(ObservationReader.observation(DecisionWriter.observed("train", seen), seen.at()))
                .contains(seen);
    }

    @Provide
    Arbitrary<Observation> observations() {
        return Observations.any();
    }

    @Test
    void whatWasDecidedIsReadBackAsItWas() {
        Decision decision = Decision.of(Instant.EPOCH, new Command.ScaleTo(3, 2), "as a test");
        assertThat(ObservationReader.commands(DecisionWriter.decided("train", decision)))
                .isEqualTo(decision.commands());
    }

    @Test
    void aWindowOfAnOlderJournalTellsNoBytes() {
        Instant at = Instant.ofEpochSecond(9);
        Observed older =
                DecisionWriter.observed("train", new WindowClosed(at, 0, 500, 16_000, 77_000, 25, 0.5, 1, 0, 2, false));
        older.getNumbers().remove("bytes");
        assertThat(ObservationReader.observation(older, at))
                .contains(new WindowClosed(at, 0, 500, 16_000, 25, 0.5, 1, 0, 2, false));
    }

    @Test
    void aClientsWindowTellsItsBytes() {
        Instant at = Instant.ofEpochSecond(9);
        assertThat(EventReader.window(at, 3, window(77_000)))
                .isEqualTo(new WindowClosed(at, 3, 500, 16_000, 77_000, 25, 0.5, 1, 1, 2, false));
        assertThatThrownBy(() -> EventReader.window(at, 3, window(-1)))
                .hasMessage("bytes must not be negative, are -1");
    }

    private static MeasurementWindow window(long bytes) {
        return new MeasurementWindow(500L, 16_000L, bytes, 25.0, 0.5, 1.0, 1, 2, false);
    }

    @Test
    void whatIsTheDispatchersOwnIsPassedOver() {
        Observed own = DecisionWriter.observed(JournalKind.WORKER_JOINED, "w1", Map.of("slots", 2.0));
        assertThat(ObservationReader.observation(own, Instant.EPOCH)).isEmpty();
        assertThat(ObservationReader.commands(
                        List.of(DecisionWriter.decided(JournalCommand.START_ATTEMPT, "w1", Map.of()))))
                .isEmpty();
    }

    @Test
    void aKindOfAnotherVersionIsPassedOver() {
        Observed theirs = Observed.newBuilder(DecisionWriter.observed(JournalKind.GRANTED, "train", Map.of()))
                .setKind("moonRose")
                .build();
        assertThat(ObservationReader.observation(theirs, Instant.EPOCH)).isEmpty();
    }

    @Test
    void whatIsMissingOrCannotBeIsToldWithItsEntry() {
        assertThatThrownBy(
                        () -> ObservationReader.observation(entry(JournalKind.GRANTED, "train", Map.of("remote", 1.0))))
                .hasMessage("entry 7 of job train: a granted has no local");
        assertThatThrownBy(() -> ObservationReader.observation(
                        entry(JournalKind.GRANTED, "train", Map.of("remote", 1.5, "local", 0.0))))
                .hasMessage("entry 7 of job train: remote of a granted must be whole, is 1.5");
        assertThatThrownBy(() -> ObservationReader.observation(
                        entry(JournalKind.POOL_CHANGED, "train", Map.of("workers", 1e12, "slots", 1e12))))
                .hasMessage("entry 7 of job train: workers of a poolChanged is too large: 1000000000000");
        assertThatThrownBy(() -> ObservationReader.observation(entry(JournalKind.WINDOW_CLOSED, "first", Map.of())))
                .hasMessage("entry 7 of job train: a windowClosed has no consumer 'first'");
        assertThatThrownBy(() -> ObservationReader.observation(entry(JournalKind.TERMS_SET, "train", Map.of())))
                .hasMessage("entry 7 of job train: a termsSet has no goal ''");
    }

    private static JournalEntry entry(JournalKind kind, String subject, Map<String, Double> numbers) {
        return JournalEntry.newBuilder()
                .setJob("train")
                .setPool("default")
                .setSequence(7)
                .setAtMillis(1_000)
                .setObservation(DecisionWriter.observed(kind, subject, numbers))
                .setDecision(List.of())
                .setReason("as a test")
                .setNumbers(new TreeMap<>())
                .build();
    }
}
