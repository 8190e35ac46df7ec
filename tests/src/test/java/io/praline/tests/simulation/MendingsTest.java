package io.praline.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What was mended is found again where its mending is taken out, and by nothing else of the same schedules. */
class MendingsTest {
    private static final int MOST = 50;

    /** The first schedule from this number on, with faults of this kind alone, that fails. */
    private static Optional<Simulation.Result> found(
            Mendings mendings, int from, Fault.Kind first, Fault.Kind... others) {
        Set<Fault.Kind> kinds = EnumSet.of(first, others);
        return found(mendings, from, number -> {
            Schedule any = Schedule.of(number, 20, 40);
            return new Schedule(any.seed(), any.workers(), Math.max(2, any.consumers()), some(any, kinds::contains));
        });
    }

    private static List<Fault> some(Schedule any, Predicate<Fault.Kind> such) {
        return any.faults().stream()
                .filter(fault -> such.test(fault.kind()))
                .limit(4)
                .toList();
    }

    /** The first of these schedules from this number on that fails; with all mendings it holds. */
    private static Optional<Simulation.Result> found(Mendings mendings, int from, IntFunction<Schedule> schedules) {
        for (int number = from; number < from + MOST; number++) {
            Schedule schedule = schedules.apply(number);
            Simulation.Result result = Simulation.run(schedule, mendings);
            if (!result.holds()) {
                Simulation.Result whole = Simulation.run(schedule, Mendings.ALL);
                assertThat(whole.violations()).as("%s", whole).isEmpty();
                return Optional.of(result);
            }
        }
        return Optional.empty();
    }

    @Test
    void aLoopThatEndsWhileAnotherGaveSomethingBackIsFound() {
        assertThat(found(Mendings.ALL.withoutWaitingForOthers(), 122, Fault.Kind.LEAVE))
                .isPresent();
    }

    @Test
    void aLeaseThatIsNeverOverIsFound() {
        assertThat(found(Mendings.ALL.withoutLease(), 110, Fault.Kind.SUPERSEDE_TRAINER))
                .isPresent();
    }

    @Test
    void aTrainerThatTrainsBesideItsSuccessorIsFound() {
        assertThat(found(Mendings.ALL.withoutIncarnations(), 4, Fault.Kind.REPLACE_TRAINER))
                .isPresent();
    }

    @Test
    void ranksThatWaitForEachOtherAtTheEndOfAnEpochAreFound() {
        assertThat(found(Mendings.ALL.withoutDelivered().inLockstep(), 1, Fault.Kind.KILL_WORKER, Fault.Kind.RESET))
                .isPresent();
    }

    @Test
    void aRecordThatStopsTheDispatcherIsFound() {
        Schedule none = Schedule.of(1, 0, 0);

        assertThat(Simulation.run(none, Mendings.ALL.withPoison()).violations()).isEmpty();
        assertThat(Simulation.run(none, Mendings.ALL.withPoison().withoutContainment())
                        .violations())
                .isNotEmpty();
    }

    /** The first schedule from this number on, in this extent and with workers that are killed, that fails. */
    private static Optional<Simulation.Result> found(Mendings mendings, int from, Schedule.Extent extent) {
        return found(mendings, from, number -> {
            List<Fault> kills = some(Schedule.of(number, 20, 40), Fault.Kind.KILL_WORKER::equals);
            return new Schedule(number, 2, 1, kills, Schedule.Scene.of(extent));
        });
    }

    @Test
    void anEntryThatGivesWhatIsNotOwedIsFound() {
        Schedule.Extent kept = new Schedule.Extent(0, 0, 10, Schedule.Entries.SHARED, Schedule.Pools.ONE);

        assertThat(found(Mendings.ALL.withoutSkippingInEntries(), 0, kept)).isPresent();
    }

    @Test
    void aBadRecordThatIsToldAsFilteredIsFound() {
        Schedule.Extent bad = new Schedule.Extent(3, 0, 0, Schedule.Entries.NONE, Schedule.Pools.ONE);

        assertThat(found(Mendings.ALL.withoutTellingOfBad(), 0, bad)).isPresent();
    }

    @Test
    void whatIsGivenAgainWhileSomebodyMayTrainOnItIsFound() {
        assertThat(found(Mendings.ALL.withoutHoldingBack(), 0, Fault.Kind.REPLACE_TRAINER, Fault.Kind.STOP_DISPATCHER))
                .isPresent();
    }

    @Test
    void aReportThatIsConfirmedAndNotTakenIsFound() {
        assertThat(found(Mendings.ALL.confirmingTooMuch(), 0, Fault.Kind.LOSE)).isPresent();
    }

    @Test
    void whatWasSentAndIsNotToldIsFound() {
        assertThat(found(Mendings.ALL.withoutTellingOfSent(), 0, Fault.Kind.KILL_TRAINER, Fault.Kind.REPLACE_TRAINER))
                .isPresent();
    }

    /** The first schedule with trainers that sleep early in front of a batch, until they are lost, that fails. */
    private static Optional<Simulation.Result> foundBySleepers(Mendings mendings) {
        return found(mendings, 0, number -> {
            List<Fault> dozes = IntStream.range(0, 3)
                    .mapToObj(doze -> new Fault(Fault.Kind.DOZE, 3_000L * (1 + doze), doze, 2, 1_000L * (1 + number)))
                    .toList();
            return new Schedule(number, 2, 2, dozes);
        });
    }

    @Test
    void aBatchThatIsTakenBehindTheEndOfALeaseIsFound() {
        assertThat(foundBySleepers(Mendings.ALL.withoutLookingAgain())).isPresent();
    }

    @Test
    void whatWasPromisedAndIsToldAsDiscardedIsFound() {
        assertThat(foundBySleepers(Mendings.ALL.withoutClaimingFirst())).isPresent();
    }

    @Test
    void aFactThatIsToldOnceIsFound() {
        assertThat(found(Mendings.ALL.withoutTellingAgain(), 17, Fault.Kind.LOSE))
                .isPresent();
    }
}
