package io.praline.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import io.praline.policy.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A trainer that takes 1,000/s; a remote worker makes 100/s for a tenth of the trainer's price, each of four local ones 150/s. */
class FittedPlacementTest {
    private static final Policy POLICY = new FittedPlacement();
    private static final double REMOTE = 100;
    private static final double LOCAL = 150;

    /** A job without noise, whose workers come at once. */
    private static final class Job {
        private PolicyState state = PolicyState.UNKNOWN;
        private Decision last;
        private Decision move;
        private long seconds = 1_000_000;
        private double trainer = 1000;
        private double remote = REMOTE;
        private double mostTogether = Double.POSITIVE_INFINITY;
        private int mostRemote = Integer.MAX_VALUE;
        private long bytesPerElement;
        private int mostLocal = Integer.MAX_VALUE;
        private double localClock;
        private final List<String> reasonsToMove = new ArrayList<>();

        private Job(Goal goal, int maxRemote, int maxLocal) {
            this(goal, maxRemote, maxLocal, 0, LOCAL);
        }

        private Job(Goal goal, int maxRemote, int maxLocal, double egressPerGb, double localClock) {
            this.localClock = localClock;
            Prices prices = new Prices(10, 1, egressPerGb);
            see(new TermsSet(at(), new Terms(goal, prices, new Limits(maxRemote, maxLocal), 1e9)));
            see(new Planned(at(), 1000, 0, false));
        }

        private Instant at() {
            return Instant.ofEpochSecond(seconds);
        }

        private void see(Observation seen) {
            Target before = state.wanted();
            Turn turn = Turn.take(state, seen, POLICY);
            state = turn.state();
            last = turn.decision();
            if (!state.wanted().equals(before)) {
                move = last;
                reasonsToMove.add(last.reason());
                Target serving = serving();
                see(new Granted(at(), serving));
                if (serving.local() > 0) {
                    clock();
                }
                if (serving.remote() > 0) {
                    see(new RateMeasured(at(), "r", false, 1, remoteTogether(serving) / serving.remote()));
                }
            }
        }

        /** The local workers' clocks are read. */
        private void clock() {
            see(new RateMeasured(at(), "l", true, serving().local(), localClock));
        }

        private double remoteTogether(Target tasks) {
            return Math.min(mostTogether, tasks.remote() * remote);
        }

        private Target serving() {
            return new Target(
                    Math.min(mostRemote, state.wanted().remote()),
                    Math.min(mostLocal, state.wanted().local()));
        }

        private void window() {
            window(1);
        }

        private void window(double factor) {
            Target tasks = serving();
            double supply = remoteTogether(tasks) + tasks.local() * LOCAL;
            double rate = Math.min(trainer, supply);
            seconds += 60;
            see(new WindowClosed(
                    at(),
                    0,
                    500,
                    16_000,
                    16_000 * bytesPerElement,
                    16_000 / rate * factor,
                    1 - rate / trainer,
                    2,
                    tasks.local(),
                    tasks.remote(),
                    false));
        }

        private void windows(int count) {
            for (int i = 0; i < count; i++) {
                window();
            }
        }
    }

    @Test
    void itBeginsWithOneWorkerOfEachKindThatIsAllowed() {
        assertThat(new Job(Goal.COST, 20, 4).state.wanted()).isEqualTo(new Target(1, 1));
        assertThat(new Job(Goal.COST, 20, 0).state.wanted()).isEqualTo(new Target(1, 0));
        assertThat(new Job(Goal.COST, 0, 4).state.wanted()).isEqualTo(new Target(0, 1));
    }

    // what is never reached costs neither memory nor time; 7 local ones are enough for 1,000/s, and one more costs
    // nothing
    @Test
    void limitsWithoutMeasureAreNoBurden() {
        Job job = new Job(Goal.COST, Integer.MAX_VALUE, Integer.MAX_VALUE);
        job.windows(12);
        assertThat(job.state.wanted().remote()).isZero();
        assertThat(job.state.wanted().local()).isBetween(7, 8);
        assertThat(job.state.memory()).hasSizeLessThan(60);
    }

    // local ones are free: 4 x 150, and 4 remote for the other 400
    @Test
    void afterOneWindowThatTheClocksConfirmItGoesNearTheBest() {
        Job job = new Job(Goal.COST, 20, 4);
        job.window();
        assertThat(job.state.wanted().local()).isBetween(3, 4);
        assertThat(job.state.wanted().remote()).isBetween(3, 6);
        assertThat(job.move.numbers())
                .containsKeys("expectedBatchMillis", "expectedCostPerHour", "trainerElementsPerSecond")
                .containsKey("alternative 1+1: costPerMillionElements");
        job.windows(8);
        assertThat(job.state.wanted()).isEqualTo(new Target(4, 4));
    }

    @Test
    void oneWindowOfNonsenseDecidesNothing() {
        Job job = new Job(Goal.COST, 20, 4);
        job.window(100);
        assertThat(job.state.wanted()).isEqualTo(new Target(1, 1));
        job.windows(10);
        Target rest = job.state.wanted();
        job.window(0.01);
        job.window();
        job.window(50);
        job.window();
        job.window(3);
        job.windows(20);
        assertThat(job.state.wanted()).isEqualTo(rest);
    }

    @Test
    void whereNothingChangesNothingIsChanged() {
        Job job = new Job(Goal.COST, 20, 4);
        job.windows(10);
        Instant rest = job.state.scaledAt();
        job.windows(200);
        assertThat(job.state.scaledAt()).isEqualTo(rest);
        assertThat(job.last)
                .isEqualTo(Decision.nothing(job.at(), "it holds 4 remote and 4 local")
                        .remembering(job.state.memory()));
        assertThat(job.state.memory()).hasSizeLessThan(60);
    }

    // 2,000/s less 600/s of the local ones
    @Test
    void aTrainerThatTakesTwiceAsMuchIsFollowed() {
        Job job = new Job(Goal.COST, 20, 4);
        job.windows(40);
        job.trainer = 2000;
        job.windows(5);
        assertThat(job.state.wanted().local()).isEqualTo(4);
        assertThat(job.state.wanted().remote()).isBetween(13, 14);
        job.trainer = 500;
        job.windows(8);
        assertThat(job.state.wanted().remote()).isZero();
    }

    // 12 wanted for 1,000/s, and 2 come: it goes on wishing, and does not ask up and down
    @Test
    void workersThatDoNotComeAreWishedForAndPlannedWithout() {
        Job job = new Job(Goal.COST, 20, 0);
        job.mostRemote = 2;
        job.windows(6);
        Target wish = job.state.wanted();
        Instant wished = job.state.scaledAt();
        assertThat(wish.remote()).isGreaterThan(5);
        job.windows(40);
        assertThat(job.state.wanted()).isEqualTo(wish);
        assertThat(job.state.scaledAt()).isEqualTo(wished);
    }

    // ten starve the trainer and twelve do not. When they make six times as much by their own clocks, what windows told
    // of
    // them is past: the trainer, which never waits, would not tell
    @Test
    void workersThatBecameFasterAreSentAwayThoughTheTrainerNeverWaits() {
        Job job = new Job(Goal.COST, 20, 0);
        job.trainer = 1200;
        job.mostRemote = 10;
        job.windows(10);
        job.mostRemote = 20;
        job.windows(20);
        assertThat(job.state.wanted()).isEqualTo(new Target(12, 0));
        job.remote = 600;
        job.see(new RateMeasured(job.at(), "r", false, 1, 600));
        job.windows(10);
        assertThat(job.state.wanted()).isEqualTo(new Target(2, 0));
    }

    // 100/s each up to 450/s together: the eleventh brings nothing, nor does the sixth
    @Test
    void remoteWorkersThatShareWhatTheyReadFromAreNotAskedForWithoutEnd() {
        Job job = new Job(Goal.COST, 100, 0);
        job.mostTogether = 450;
        job.windows(30);
        assertThat(job.state.wanted().remote()).isBetween(4, 12);
    }

    // where the trainer's host costs nothing an element costs the same with each number of remote workers
    @Test
    void theTrainerDoesNotWaitBecauseItsHostCostsNothing() {
        Job job = new Job(Goal.COST, 20, 0);
        job.see(new TermsSet(job.at(), new Terms(Goal.COST, new Prices(0, 1, 0), new Limits(20, 0), 1e9)));
        job.windows(20);
        assertThat(job.state.wanted().remote()).isBetween(9, 10);
    }

    // local ones are wished for and none comes: remote ones do the work meanwhile, and it is not asked up and down
    @Test
    void aKindOfWhichNoneComesIsWishedForBesideTheOther() {
        Job job = new Job(Goal.COST, 20, 4);
        job.mostLocal = 0;
        job.windows(30);
        Target wish = job.state.wanted();
        Instant wished = job.state.scaledAt();
        assertThat(wish.remote()).isBetween(9, 11);
        assertThat(wish.local()).isPositive();
        job.windows(40);
        assertThat(job.state.wanted()).isEqualTo(wish);
        assertThat(job.state.scaledAt()).isEqualTo(wished);
    }

    // 1+2 is the best: 11 / 350, and 2+1 12 / 350. A clock that tells 40/s where the local worker makes 150/s has
    // windows
    // of 250/s say that each makes more than its clock tells, remote ones too. Then the clock is put right
    @Test
    void aClockThatContradictsWhatItHoldsByOpensTheSearchAgain() {
        Job job = new Job(Goal.COST, 3, 2, 0, 40);
        job.trainer = 350;
        job.windows(20);
        Target rest = job.state.wanted();
        assertThat(rest).isNotEqualTo(new Target(1, 2));
        assertThat(job.last.reason()).isEqualTo("it holds " + rest);
        job.localClock = LOCAL;
        job.clock();
        assertThat(job.state.memory()).containsEntry("calm", 0.0);
        job.windows(4);
        assertThat(job.state.wanted()).isEqualTo(new Target(1, 2));
    }

    // windows of 2 s, and the local worker is still starting: nothing is known of it, and it costs nothing to wait
    @Test
    void whoeverItBeganWithIsWaitedForALittle() {
        PolicyState state = PolicyState.UNKNOWN;
        Instant begun = Instant.ofEpochSecond(1_000_000);
        List<Observation> seen = new ArrayList<>();
        seen.add(new TermsSet(begun, new Terms(Goal.COST, new Prices(10, 1, 0), new Limits(20, 4), 1e9)));
        seen.add(new Planned(begun, 1000, 0, false));
        seen.add(new Granted(begun, new Target(1, 0)));
        seen.add(new RateMeasured(begun.plusSeconds(4), "r", false, 1, REMOTE));
        for (int after = 5; after < 30; after += 2) {
            seen.add(new WindowClosed(begun.plusSeconds(after), 0, 10, 200, 2, 0.9, 1, 0, 1, false));
        }
        for (Observation one : seen) {
            state = Turn.take(state, one, POLICY).state();
        }
        assertThat(state.wanted()).isEqualTo(new Target(1, 1));
        WindowClosed late = new WindowClosed(begun.plusSeconds(31), 0, 10, 200, 2, 0.9, 1, 0, 1, false);
        assertThat(Turn.take(state, late, POLICY).state().wanted().remote()).isGreaterThan(5);
    }

    @Test
    void aMoveTellsWhatItGainsAndATrialWhatItHopesFor() {
        Job job = new Job(Goal.COST, 20, 4, 0, 30);
        job.windows(20);
        assertThat(job.reasonsToMove.get(1))
                .startsWith("a better one than 1 remote and 1 local is expected: ")
                .matches(".*/s, [0-9.]+ % better");
        assertThat(job.reasonsToMove)
                .anyMatch(reason -> reason.startsWith("the model is unsure, ")
                        && reason.matches(
                                ".*/s, and that it is better with a chance of [0-9]+ %: it hopes for [0-9.]+ %"));
    }

    // dear remote workers do not pay: 10 an hour for 600/s, and 1 more for each 100/s
    @Test
    void otherPricesAreOtherWorkers() {
        Job job = new Job(Goal.COST, 20, 4);
        job.windows(20);
        assertThat(job.state.wanted()).isEqualTo(new Target(4, 4));
        job.see(new TermsSet(job.at(), new Terms(Goal.COST, new Prices(10, 5, 0), new Limits(20, 4), 1e9)));
        assertThat(job.state.wanted()).isEqualTo(new Target(0, 4));
        job.see(new TermsSet(job.at(), new Terms(Goal.COST, new Prices(10, 5, 0), new Limits(20, 2), 1e9)));
        assertThat(job.state.wanted()).isEqualTo(new Target(0, 2));
        job.see(new TermsSet(job.at(), new Terms(Goal.TIME, new Prices(10, 5, 0), new Limits(20, 4), 1e9)));
        job.windows(8);
        assertThat(job.state.wanted()).isEqualTo(new Target(4, 4));
    }

    private static Job ofLargeElements(Goal goal, double egressPerGb) {
        Job job = new Job(goal, 20, 4, egressPerGb, LOCAL);
        job.bytesPerElement = 100_000;
        job.windows(20);
        return job;
    }

    // a million elements are 100 GB. 4+4: 14 an hour at 1,000/s are 3.89, and 400 of 1,000 come from remote workers: 40
    // GB.
    // 0+4: 10 an hour at 600/s are 4.63. So a GB may cost (4.63 - 3.89) / 40 = 0.0185.
    @Test
    void dearEgressIsWorkersOnTheTrainersHost() {
        assertThat(ofLargeElements(Goal.COST, 0.005).state.wanted()).isEqualTo(new Target(4, 4));
        assertThat(ofLargeElements(Goal.COST, 0.09).state.wanted()).isEqualTo(new Target(0, 4));
    }

    // for 4+4 a GB may cost what makes 3.89 + 40 x egress = 4.63 x 1,000 / 600: 0.0956
    @Test
    void whereTimeCountsTooEgressMayCostMore() {
        assertThat(ofLargeElements(Goal.BALANCED, 0.05).state.wanted()).isEqualTo(new Target(4, 4));
        assertThat(ofLargeElements(Goal.BALANCED, 0.2).state.wanted()).isEqualTo(new Target(0, 4));
    }

    @Test
    void whereOnlyTimeCountsEgressDoesNot() {
        assertThat(ofLargeElements(Goal.TIME, 0.2).state.wanted())
                .isEqualTo(ofLargeElements(Goal.TIME, 0).state.wanted());
    }

    @Test
    void egressThatBecomesDearMovesTheJobAndIsTold() {
        Job job = ofLargeElements(Goal.COST, 0.005);
        assertThat(job.move.numbers()).containsKey("expectedEgressPerHour");
        job.see(new TermsSet(job.at(), new Terms(Goal.COST, new Prices(10, 1, 0.09), new Limits(20, 4), 1e9)));
        assertThat(job.state.wanted()).isEqualTo(new Target(0, 4));
        assertThat(job.move.numbers()).containsEntry("expectedCostPerHour", 10.0);
    }

    @Test
    void whereNoWindowTellsItsBytesEgressIsNotCounted() {
        Job job = new Job(Goal.COST, 20, 4, 0.09, LOCAL);
        job.windows(20);
        assertThat(job.state.wanted()).isEqualTo(new Target(4, 4));
        assertThat(job.move.numbers()).doesNotContainKey("expectedEgressPerHour");
    }

    // only egress costs anything: nobody pays for workers on the trainer's host
    @Test
    void whereOnlyEgressCostsAnythingNothingComesFromFarAway() {
        Job job = ofLargeElements(Goal.COST, 0.09);
        job.see(new TermsSet(job.at(), new Terms(Goal.COST, new Prices(0, 0, 0.09), new Limits(20, 4), 1e9)));
        assertThat(job.state.wanted()).isEqualTo(new Target(0, 4));
    }

    @Test
    void parametersThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new FittedPlacement(-1, 0.02, 0.15, 3600, 60))
                .hasMessage("trials must not be negative, is -1");
        assertThatThrownBy(() -> new FittedPlacement(3, 0, 0.15, 3600, 60))
                .hasMessage("gain must be between 0 and 1 and departure above 0, are 0.0 and 0.15");
        assertThatThrownBy(() -> new FittedPlacement(3, 0.02, 0.15, 0, 60))
                .hasMessage("horizonSeconds must be above 0 and startSeconds not negative, are 0.0 and 60.0");
    }
}
