package io.praline.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.FenceAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.StartAttempt;
import io.praline.topics.Topics;
import io.praline.topics.log.PagedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever goes wrong in whatever order, each element comes to a loop once, or is on record. A schedule that fails is made
 * smaller and printed as it stands in {@link #failedOnce}.
 */
class SimulationTest {
    private static final int WITHOUT_FAULTS = 10;
    private static final int WITH_FAULTS = 25;
    private static final int WITH_ALL_FAULTS = 8;
    private static final int IN_A_LARGER_WORLD = 10;
    private static final int IN_WHATEVER_MANNER = 8;
    private static final int IN_ALL = 14;
    private static final int COMINGS = 5;

    @Test
    void aJobWithoutFaultsGivesEachElementOnceAndLeavesNothingBehind() {
        for (int number = 0; number < WITHOUT_FAULTS; number++) {
            Simulation.Result result = Simulation.run(Schedule.of(number, 0, 0), Mendings.ALL);

            assertThat(result.violations()).as("%s", result).isEmpty();
            assertThat(result.twice()).isZero();
        }
    }

    @Test
    void theSameScheduleIsTheSameRun() {
        Schedule schedule = Schedule.of(7, 10, 20);

        assertThat(Simulation.run(schedule, Mendings.ALL)).isEqualTo(Simulation.run(schedule, Mendings.ALL));
    }

    // stores are folders of the system's
    @Test
    void theSameScheduleWithEntriesIsTheSameRun() {
        Schedule any = Schedule.of(8, 5, 10);
        Schedule schedule = new Schedule(
                any.seed(),
                2,
                1,
                any.faults(),
                Schedule.Scene.of(extent(0, 0, 3, Schedule.Entries.SHARED, Schedule.Pools.ONE)));

        assertThat(Simulation.run(schedule, Mendings.ALL)).isEqualTo(Simulation.run(schedule, Mendings.ALL));
    }

    // many more are run by ManySchedulesTest
    @Test
    void aFewSchedulesWithFaultsHold() {
        for (int number = 0; number < WITH_FAULTS; number++) {
            Series.requireHolds(Schedule.of(number, 1, 12));
        }
        for (int number = 0; number < WITH_ALL_FAULTS; number++) {
            Series.requireHolds(Schedule.ofAll(number, 1, 12));
        }
        for (int number = 0; number < IN_A_LARGER_WORLD; number++) {
            Series.requireHolds(Schedule.ofMore(number, 1, 12));
        }
        for (int number = 0; number < IN_WHATEVER_MANNER; number++) {
            Series.requireHolds(Schedule.ofMost(number, 1, 12));
        }
        for (int number = IN_ALL; number < 2 * IN_ALL; number++) {
            Series.requireHolds(Schedule.ofWhole(number, 1, 12));
        }
    }

    static List<Schedule.Manner> manners() {
        return List.of(
                new Schedule.Manner(Schedule.Counts.BESIDE, false, false, false, false, false, false),
                new Schedule.Manner(Schedule.Counts.AT_THE_END, false, false, false, false, false, false),
                new Schedule.Manner(Schedule.Counts.PLANNED, true, true, true, false, true, false),
                new Schedule.Manner(Schedule.Counts.AT_THE_END, true, false, true, true, false, true));
    }

    @ParameterizedTest
    @MethodSource("manners")
    void inWhateverMannerItIsDoneAJobGivesEachElementOnce(Schedule.Manner manner) {
        Simulation simulation = calm(Schedule.Scene.of(manner));

        requireCompleted(simulation, "job");
    }

    static List<Schedule.Course> courses() {
        return List.of(
                new Schedule.Course(20, false, false, 3, true),
                new Schedule.Course(0, true, false, 1, false),
                new Schedule.Course(0, true, true, 1, true));
    }

    @ParameterizedTest
    @MethodSource("courses")
    void whateverCourseItTakesAJobGivesEachElementOnce(Schedule.Course course) {
        Simulation simulation = calm(Schedule.Scene.of(course));

        requireCompleted(simulation, "job");

        Kafka.Log statuses = simulation.kafka().log(Topics.JOBS);
        assertThat(IntStream.range(0, statuses.end())
                        .anyMatch(at -> PagedValue.isPage(statuses.entry(at).key())))
                .isEqualTo(course.paged());
    }

    // 20 s after its only consumer left, which nobody follows before
    @Test
    void aJobWithoutAConsumerFailsWhenItsPatienceIsOver() {
        List<Fault> all = List.of(new Fault(Fault.Kind.ABANDON, 3_000, 0, 0, 1));
        Schedule.Scene scene = Schedule.Scene.of(new Schedule.Course(20, false, false, 1, false));
        Simulation simulation = new Simulation(new Schedule(2, 2, 1, all, scene), Mendings.ALL);

        Simulation.Result result = simulation.run();

        assertThat(result.violations()).as("%s", result).isEmpty();
        assertThat(simulation.status("job").getReason()).contains("came within 20 s");
        assertThat(result.millis()).isLessThan(3_000 + 20_000 + 10_000 + 40_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whatAStuckSessionOwesIsReadByAnother(int alsoCancelled) {
        List<Fault> stick = List.of(new Fault(Fault.Kind.STICK, 4_000, 0, 1 - alsoCancelled, 2_000));
        Simulation simulation = new Simulation(new Schedule(2, 2, 2, stick), Mendings.ALL);

        requireCompleted(simulation, "job");

        assertThat(simulation.stuck()).isEqualTo(1);
    }

    // their lanes close, and attempts go on with those that are there: one that is fenced is waited for
    @Test
    void consumersThatComeAndGoInOrderHaveNoAttemptFenced() {
        for (int number = 0; number < COMINGS; number++) {
            List<Fault> comings = Schedule.of(number, 40, 60).faults().stream()
                    .filter(fault -> fault.kind() == Fault.Kind.LEAVE || fault.kind() == Fault.Kind.JOIN)
                    .map(fault -> new Fault(fault.kind(), fault.atMillis() / 4, fault.who(), fault.other(), 2_000))
                    .limit(4)
                    .toList();
            Simulation simulation = new Simulation(new Schedule(number, 2, 2, comings), Mendings.ALL);

            requireCompleted(simulation, "job");

            assertThat(commands(simulation))
                    .filteredOn(body -> body instanceof FenceAttempt fence && fence.getKeepSent())
                    .as("schedule %d", number)
                    .isEmpty();
        }
    }

    private static List<Object> commands(Simulation simulation) {
        Kafka.Log commands = simulation.kafka().log(Topics.WORKER_COMMANDS);
        return IntStream.range(0, commands.end())
                .mapToObj(at ->
                        Kafka.value(Topics.WORKER_COMMANDS, commands.entry(at)).getBody())
                .toList();
    }

    @Test
    void whatADispatcherReadsAgainChangesNothing() {
        for (long back : List.of(1_000, 5_000, 20_000)) {
            List<Fault> again = List.of(
                    new Fault(Fault.Kind.KILL_TRAINER, 2_000, 1, 1, 500),
                    new Fault(Fault.Kind.KILL_WORKER, 3_000, 0, 0, 500),
                    new Fault(Fault.Kind.REREAD, 9_000, 0, 0, back));
            Simulation simulation = new Simulation(new Schedule(2, 2, 2, again), Mendings.ALL);

            requireCompleted(simulation, "job");
        }
    }

    private static Simulation calm(Schedule.Scene scene) {
        return new Simulation(new Schedule(2, 2, 2, List.of(), scene), Mendings.ALL);
    }

    private static Schedule.Extent extent(
            int bad, int untolerated, int epochs, Schedule.Entries entries, Schedule.Pools pools) {
        return new Schedule.Extent(bad, untolerated, epochs, entries, pools);
    }

    private static Simulation calm(Schedule.Extent extent) {
        return calm(Schedule.Scene.of(extent));
    }

    private static void requireCompleted(Simulation simulation, String... jobs) {
        Simulation.Result result = simulation.run();
        assertThat(result.violations()).as("%s", result).isEmpty();
        for (String job : jobs) {
            assertThat(simulation.status(job).getState()).isEqualTo(JobState.COMPLETED);
        }
    }

    @Test
    void aJobThatComesLaterBeginsInTheOrderThatAnotherHasShown() {
        Simulation simulation = calm(new Schedule.Scene(true, true, false, false, false));

        requireCompleted(simulation, "job", "second");

        assertThat(simulation.status("job").getOrder().orElseThrow().getVariantDigest())
                .isEqualTo(PretendedOrders.VARIANT);
        assertThat(simulation.status("second").getOrder().orElseThrow().getReason())
                .contains("job job has shown it");
    }

    @Test
    void aRecordThatEndsItsReadersIsLeftOutAndNamed() {
        Simulation simulation = calm(new Schedule.Scene(false, false, true, false, false));

        requireCompleted(simulation, "job");

        assertThat(simulation.status("job").getBadRecords())
                .singleElement()
                .asString()
                .contains("crashes the worker that reads it");
    }

    // three of each of four epochs
    @Test
    void recordsThatFailAreLeftOutCountedAndNamed() {
        Simulation simulation = calm(extent(3, 0, 4, Schedule.Entries.NONE, Schedule.Pools.ONE));

        requireCompleted(simulation, "job");

        assertThat(simulation.status("job").getBadRecords()).hasSize(12).allSatisfy(line -> assertThat(line)
                .contains("cannot be processed", "is no picture"));
    }

    @Test
    void ofRecordsThatFailOneMoreThanIsToleratedFailsTheJob() {
        for (int untolerated : List.of(1, 12)) {
            Simulation simulation = calm(extent(3, untolerated, 4, Schedule.Entries.NONE, Schedule.Pools.ONE));

            Simulation.Result result = simulation.run();

            assertThat(result.violations()).as("%s", result).isEmpty();
            assertThat(simulation.status("job").getState()).isEqualTo(JobState.FAILED);
        }
    }

    @Test
    void aJobOfManyEpochsComesToItsEnd() {
        Simulation simulation = calm(extent(0, 0, 40, Schedule.Entries.NONE, Schedule.Pools.ONE));

        requireCompleted(simulation, "job");

        assertThat(simulation.status("job").getProgress()).hasSize(40);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void whatOneEpochKeepsIsReadInTheNextOnes(Schedule.Entries entries) {
        Simulation simulation = calm(extent(0, 0, 10, entries, Schedule.Pools.ONE));

        requireCompleted(simulation, "job");

        assertThat(simulation.status("job").getCacheHits()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ONE")
    void jobsOfTwoPoolsComeToTheirEndsWhereverDispatchersDie(Schedule.Pools pools) {
        List<Fault> kills = List.of(
                new Fault(Fault.Kind.KILL_DISPATCHER, 3_000, 0, 0, 1_000),
                new Fault(Fault.Kind.HAND_OVER, 15_000, 0, 0, 1_000),
                new Fault(Fault.Kind.KILL_DISPATCHER, 20_000, 1, 0, 1_000));
        Schedule.Scene scene = Schedule.Scene.of(extent(0, 0, 0, Schedule.Entries.NONE, pools));
        Simulation simulation = new Simulation(new Schedule(2, 2, 2, kills, scene), Mendings.ALL);

        requireCompleted(simulation, "job", "second");
    }

    @Test
    void aJobWithoutTicketsComesToItsEnd() {
        Simulation simulation = calm(new Schedule.Scene(true, false, false, true, true));

        requireCompleted(simulation, "job", "second");

        assertThat(simulation.status("job").getGuarantee()).isEqualTo(Guarantee.AT_LEAST_ONCE);
    }

    // each of two workers would read it in one attempt an epoch; elements may come again, and none may be missing
    @Test
    void attemptsWithoutTicketsAreRenewedAndNothingIsMissing() {
        Schedule.Scene larger = new Schedule.Scene(false, true, false, false, true);
        Simulation calm = new Simulation(new Schedule(7, 2, 2, List.of(), larger), Mendings.ALL);
        requireCompleted(calm, "job");
        int epochs = calm.status("job").getEpochs();
        assertThat(attempts(calm, "job")).isGreaterThan(2L * epochs);

        for (int number = 20; number < 25; number++) {
            Series.requireHolds(
                    new Schedule(number, 2, 2, Schedule.of(number, 1, 12).faults(), larger));
        }
    }

    /** Attempts of a job that were started. */
    private static long attempts(Simulation simulation, String job) {
        return commands(simulation).stream()
                .filter(StartAttempt.class::isInstance)
                .map(StartAttempt.class::cast)
                .filter(start -> start.getJob().equals(job))
                .map(start -> List.of(start.getEpoch(), start.getAttempt()))
                .distinct()
                .count();
    }

    // five processes of the one worker are killed within some hundred milliseconds of their start, and others are not
    @Test
    void aJobWhosePlannersAreAllLostMayFailIfItSaysSo() {
        List<Fault> kills = new ArrayList<>();
        for (int kill = 0; kill < 200; kill++) {
            kills.add(new Fault(Fault.Kind.KILL_WORKER, 100L * kill, 0, 0, 20));
        }
        Simulation.Result result = Simulation.run(new Schedule(3, 1, 1, kills), Mendings.ALL);

        assertThat(result.violations()).as("%s", result).isEmpty();
        assertThat(result.outOfBudget()).isEqualTo(1);
    }

    /** A channel is cut off, which fences an attempt, and then a trainer dies that has not answered. */
    static List<Schedule> fencedBeforeATrainerDied() {
        return List.of(
                new Schedule(
                        3L,
                        3,
                        2,
                        List.of(
                                new Fault(Fault.Kind.KILL_TRAINER, 482, 2, 3, 863),
                                new Fault(Fault.Kind.CUT_CHANNEL, 1805, 1, 2, 56796),
                                new Fault(Fault.Kind.CUT_CHANNEL, 1951, 3, 0, 88970),
                                new Fault(Fault.Kind.KILL_TRAINER, 5342, 5, 1, 39310))),
                new Schedule(
                        54L,
                        2,
                        3,
                        List.of(
                                new Fault(Fault.Kind.CUT_CHANNEL, 4160, 4, 5, 110),
                                new Fault(Fault.Kind.KILL_TRAINER, 9294, 2, 2, 35759),
                                new Fault(Fault.Kind.CUT_CHANNEL, 21621, 2, 3, 8478),
                                new Fault(Fault.Kind.KILL_TRAINER, 40867, 2, 3, 725))));
    }

    @ParameterizedTest
    @MethodSource("fencedBeforeATrainerDied")
    void ofAFencedAttemptNoMoreIsOnRecordThanItSent(Schedule schedule) {
        Simulation.Result result = Simulation.run(schedule, Mendings.ALL);
        Simulation.Result without = Simulation.run(schedule, Mendings.ALL.withoutMemoryOfFenced());

        assertThat(result.violations()).as("%s", result).isEmpty();
        assertThat(without.violations()).as("%s", without).isEmpty();
        assertThat(result.onRecord()).isLessThan(without.onRecord());
    }

    static List<Schedule> failedOnce() {
        return List.of(
                // nothing: a loop may still be given batches while its successor only asks for its place
                Schedule.of(40, 20, 40),
                // a loop waited for ever that had been told that nothing follows, since another gave something back
                new Schedule(
                        17051L,
                        3,
                        3,
                        List.of(
                                new Fault(Fault.Kind.CUT_TRAINER, 5615, 1, 3, 27903),
                                new Fault(Fault.Kind.STOP_TRAINER, 6501, 0, 3, 4450),
                                new Fault(Fault.Kind.LEAVE, 6781, 1, 4, 130),
                                new Fault(Fault.Kind.KILL_DISPATCHER, 15812, 1, 2, 3929),
                                new Fault(Fault.Kind.STOP_WORKER, 18265, 4, 2, 19206),
                                new Fault(Fault.Kind.LEAVE, 54183, 1, 1, 118))),
                // a loop that was cut off from Kafka took the end of what was the last attempt for the end of all,
                // while
                // another one came and gave back what it had of that attempt
                new Schedule(
                        7320531L,
                        3,
                        1,
                        List.of(
                                new Fault(Fault.Kind.CUT_TRAINER, 1018, 3, 5, 17958),
                                new Fault(Fault.Kind.JOIN, 4942, 0, 0, 5665),
                                new Fault(Fault.Kind.LEAVE, 7172, 5, 5, 2383))),
                // a split came to be read alone while an attempt had its last elements, and each waited for the other
                new Schedule(
                        1127L,
                        3,
                        3,
                        List.of(
                                new Fault(Fault.Kind.HAND_OVER, 369, 1, 2, 6371),
                                new Fault(Fault.Kind.KILL_WORKER, 4560, 1, 0, 7959),
                                new Fault(Fault.Kind.KILL_WORKER, 5213, 3, 5, 3899),
                                new Fault(Fault.Kind.LOSE, 5942, 2, 3, 32),
                                new Fault(Fault.Kind.KILL_WORKER, 8867, 5, 1, 6211),
                                new Fault(Fault.Kind.STOP_TRAINER, 11508, 2, 5, 2372),
                                new Fault(Fault.Kind.KILL_WORKER, 13379, 2, 0, 44),
                                new Fault(Fault.Kind.KAFKA_AWAY, 17398, 2, 0, 363),
                                new Fault(Fault.Kind.STOP_WORKER, 22899, 3, 5, 7902))),
                // two jobs that were to read a split alone waited for each other: the worker that the one had emptied
                // had a task
                // of the other's next epoch, of which nothing was taken before its own split was read
                new Schedule(
                        8204531L,
                        2,
                        2,
                        List.of(
                                new Fault(Fault.Kind.STOP_WORKER, 9478, 4, 4, 10509),
                                new Fault(Fault.Kind.KILL_WORKER, 24806, 1, 3, 15888),
                                new Fault(Fault.Kind.KILL_WORKER, 48759, 2, 0, 2886),
                                new Fault(Fault.Kind.STOP_WORKER, 52280, 1, 0, 8031)),
                        new Schedule.Scene(
                                true,
                                true,
                                false,
                                false,
                                false,
                                new Schedule.Extent(0, 0, 0, Schedule.Entries.SHARED, Schedule.Pools.ONE))),
                // a process that was replaced before it saw itself in its place waited for ever
                new Schedule(
                        937L,
                        2,
                        1,
                        List.of(
                                new Fault(Fault.Kind.CUT_CHANNEL, 5833, 5, 4, 7881),
                                new Fault(Fault.Kind.JOIN, 8562, 4, 4, 3104),
                                new Fault(Fault.Kind.LOSE, 10422, 3, 0, 766),
                                new Fault(Fault.Kind.LEAVE, 11892, 1, 1, 43),
                                new Fault(Fault.Kind.LAG, 12826, 0, 2, 1026),
                                new Fault(Fault.Kind.CUT_TRAINER, 14096, 4, 3, 4698),
                                new Fault(Fault.Kind.LOSE, 14495, 4, 1, 37),
                                new Fault(Fault.Kind.KILL_TRAINER, 15184, 4, 1, 164),
                                new Fault(Fault.Kind.REPLACE_TRAINER, 17959, 4, 5, 17),
                                new Fault(Fault.Kind.LEAVE, 20030, 4, 1, 1556))),
                // a split was given again to the attempt that had not yet told what of it had been dropped
                new Schedule(28L, 2, 3, List.of(new Fault(Fault.Kind.KILL_TRAINER, 10694, 4, 5, 55))),
                // an attempt was given again what it was about to tell as sent to who was gone, and that was given back
                // once more
                new Schedule(
                        57L,
                        3,
                        2,
                        List.of(
                                new Fault(Fault.Kind.REPLACE_TRAINER, 27015, 2, 0, 28),
                                new Fault(Fault.Kind.STOP_DISPATCHER, 27154, 1, 3, 1159))),
                // the same behind a backlog, in which ten seconds of log time passed before the worker could tell
                new Schedule(
                        9L,
                        1,
                        1,
                        List.of(
                                new Fault(Fault.Kind.CUT_TRAINER, 3117, 2, 0, 2006),
                                new Fault(Fault.Kind.KILL_WORKER, 13600, 0, 2, 901),
                                new Fault(Fault.Kind.KILL_DISPATCHER, 18561, 2, 2, 3893),
                                new Fault(Fault.Kind.LEAVE, 24745, 3, 2, 481))),
                // a start was lost, and with it the lane of a generation that was replaced: nothing told of it
                new Schedule(
                        550L,
                        1,
                        2,
                        List.of(
                                new Fault(Fault.Kind.STOP_TRAINER, 887, 4, 3, 20396),
                                new Fault(Fault.Kind.STOP_TRAINER, 6944, 1, 1, 39626),
                                new Fault(Fault.Kind.KAFKA_AWAY, 8587, 5, 1, 444),
                                new Fault(Fault.Kind.CUT_WORKER, 42669, 5, 5, 7020),
                                new Fault(Fault.Kind.KILL_WORKER, 51821, 2, 4, 35895),
                                new Fault(Fault.Kind.LOSE, 54112, 3, 5, 2149),
                                new Fault(Fault.Kind.KILL_TRAINER, 59199, 2, 1, 15508))),
                // an attempt that had ended when it was fenced was never let go of by the stream, which waited for its
                // epoch
                new Schedule(
                        18L,
                        2,
                        1,
                        List.of(
                                new Fault(Fault.Kind.REPLACE_TRAINER, 1462, 3, 5, 38105),
                                new Fault(Fault.Kind.CUT_WORKER, 14467, 1, 1, 6448))),
                // who came after another took an END for the last word, and knew nothing of what the other had been
                // sent
                new Schedule(
                        419L,
                        2,
                        1,
                        List.of(
                                new Fault(Fault.Kind.CUT_TRAINER, 9019, 4, 5, 14251),
                                new Fault(Fault.Kind.LEAVE, 16402, 5, 2, 562))));
    }

    @ParameterizedTest
    @MethodSource
    void failedOnce(Schedule schedule) {
        Simulation.Result result = Simulation.run(schedule, Mendings.ALL);

        assertThat(result.violations()).as("%s", result).isEmpty();
    }
}
