package io.praline.policy.scaling.fitted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.FittedMemory.Point;
import io.praline.policy.scaling.fitted.FittedMemory.Rate;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class RateModelTest {
    private static final FittedMemory CLOCKS =
            FittedMemory.NOTHING.withRemote(rate(170)).withLocal(1, rate(390)).withLocal(10, rate(191.2));

    private static Rate rate(double elementsPerSecond) {
        return new Rate("worker", elementsPerSecond);
    }

    @Test
    void nothingIsPlannedBeforeTheTrainersRateIsBelieved() {
        assertThat(RateModel.of(CLOCKS, 10).known()).isFalse();
        Point lone = new Point(new Target(1, 1), 300, 900, 0.6, 0.5);
        assertThat(RateModel.of(CLOCKS.with(lone), 10).known()).isFalse();
    }

    // 170 + 390 by the clocks, 550 by a window
    @Test
    void aLoneWindowIsBelievedWhereTheClocksConfirmIt() {
        Point lone = new Point(new Target(1, 1), 550, 3200, 0.83, 0.5);
        assertThat(RateModel.of(CLOCKS.with(lone), 10).known()).isTrue();
    }

    @Test
    void clocksTellWhatWorkersMake() {
        RateModel fit = RateModel.of(CLOCKS, 10);
        assertThat(fit.remote(1)).isCloseTo(170, within(1.0));
        assertThat(fit.local(1)).isCloseTo(390, within(5.0));
        assertThat(fit.local(10)).isCloseTo(1912, within(20.0));
        assertThat(fit.local(5)).isBetween(1000.0, 1500.0);
        assertThat(fit.supplyError(new Target(0, 5))).isGreaterThan(fit.supplyError(new Target(0, 1)));
    }

    // clocks say 5 x 170 = 850, three windows 510: 0.6 of it
    @Test
    void workersThatMakeLessThanTheirClocksSayAreCorrected() {
        FittedMemory learned =
                FittedMemory.NOTHING.withRemote(rate(170)).with(new Point(new Target(5, 0), 510, 1700, 0.7, 0.03));
        RateModel fit = RateModel.of(learned, 0);
        assertThat(fit.clockFactor()).isCloseTo(0.6, within(0.05));
        assertThat(fit.supply(new Target(10, 0))).isCloseTo(1020, within(60.0));
    }

    private static final FittedMemory BENT = FittedMemory.NOTHING
            .withRemote(rate(25))
            .with(new Point(new Target(5, 0), 400, 1000, 0.6, 0.03))
            .with(new Point(new Target(10, 0), 500, 1000, 0.5, 0.03))
            .with(new Point(new Target(20, 0), 500, 1000, 0.5, 0.03));

    // 5 make 400/s, and 10 and 20 make 500/s: no more make more
    @Test
    void remoteWorkersThatShareWhatTheyReadFromBringLessAndLess() {
        RateModel fit = RateModel.of(BENT, 0);
        assertThat(fit.remote(0)).isZero();
        assertThat(fit.remote(3)).isCloseTo(240, within(1e-6));
        assertThat(fit.remote(5)).isCloseTo(400, within(1e-6));
        assertThat(fit.remote(7)).isCloseTo(400 * Math.pow(1.4, Math.log(1.25) / Math.log(2)), within(1e-6));
        assertThat(fit.remote(20)).isCloseTo(500, within(1e-6));
        assertThat(fit.remote(80)).isCloseTo(500, within(1e-6));
        assertThat(fit.bends()).containsExactly(5, 10, 20);
        assertThat(fit.supplyError(new Target(80, 0))).isGreaterThan(5 * fit.supplyError(new Target(20, 0)));
        assertThat(fit.supplyError(new Target(0, 0))).isLessThan(1e-6);
    }

    // 10 make 8 % less than twice what 5 make, which is within the errors
    @Test
    void littleLessIsNoBend() {
        FittedMemory learned = FittedMemory.NOTHING
                .withRemote(rate(100))
                .with(new Point(new Target(5, 0), 500, 2000, 0.7, 0.03))
                .with(new Point(new Target(10, 0), 920, 2000, 0.5, 0.03));
        RateModel fit = RateModel.of(learned, 0);
        assertThat(fit.bends()).isEmpty();
        assertThat(fit.remote(20)).isCloseTo(20 * fit.remote(1), within(1e-6));
    }

    // two windows of 10 were nonsense: beside others, 10 made 900/s while the trainer did not wait
    @Test
    void whatCameOfRemoteWorkersTheyCanMake() {
        Point came = new Point(new Target(10, 1), 900, 900, 0, 0.03);
        List<Point> points = List.of(
                new Point(new Target(3, 0), 400, 1000, 0.6, 0.03),
                new Point(new Target(10, 0), 500, 1000, 0.5, 0.03),
                came);
        RemoteCurve curve = RemoteCurve.of(points, workers -> 0, workers -> 0).orElseThrow();
        assertThat(curve.at(3)).isEqualTo(400);
        assertThat(curve.at(10)).isCloseTo(900, within(1e-9));
        assertThat(RemoteCurve.of(points, workers -> 20.0 * workers, workers -> 0)
                        .orElseThrow()
                        .at(10))
                .isCloseTo(880, within(1e-9));
    }

    // 1665 with 3 remote ones and 560 with one, but how much of it 4 local ones made is not known to 100 elements/s
    @Test
    void whatMayBeTheLocalWorkersIsNoBend() {
        List<Point> points = List.of(
                new Point(new Target(3, 4), 1665, 3200, 0.5, 0.01), new Point(new Target(1, 1), 560, 1600, 0.6, 0.01));
        IntToDoubleFunction local = workers -> workers == 1 ? 390 : 1351;
        assertThat(RemoteCurve.of(points, local, workers -> workers == 1 ? 8 : 100))
                .isEmpty();
        assertThat(RemoteCurve.of(points, local, workers -> 0)).isPresent();
    }

    @Test
    void theFewestThatMakeSoMuchAreFound() {
        RateModel straight = RateModel.of(FittedMemory.NOTHING.withRemote(rate(100)), 0);
        assertThat(straight.remotesFor(1234, 100)).isEqualTo(13);
        assertThat(straight.remotesFor(1234, 7)).isEqualTo(7);
        assertThat(straight.remotesFor(-5, 100)).isZero();
        RateModel bent = RateModel.of(BENT, 0);
        assertThat(bent.remotesFor(240, 100)).isEqualTo(3);
        assertThat(bent.remotesFor(450, 100)).isEqualTo(8);
        assertThat(bent.remotesFor(600, 100)).isEqualTo(100);
        assertThat(bent.remotesFor(0, 100)).isZero();
    }

    // 1,000 beside 4 and 1,200 beside 2: another 10 % with each that goes
    @Test
    void aTrainerThatLocalWorkersSlowDownIsSeen() {
        FittedMemory learned = FittedMemory.NOTHING
                .with(new Point(new Target(9, 4), 1000, 1000, 0, 0.02))
                .with(new Point(new Target(9, 2), 1200, 1200, 0, 0.02));
        RateModel fit = RateModel.of(learned, 4);
        assertThat(fit.trainer(4)).isCloseTo(1000, within(30.0));
        assertThat(fit.trainer(0)).isBetween(1300.0, 1500.0);
    }

    // the clocks say 1,000/s, but the trainer was fed with 3,000/s
    @Test
    void whatCameCanBeMade() {
        FittedMemory learned =
                FittedMemory.NOTHING.withRemote(rate(100)).with(new Point(new Target(10, 0), 3000, 3000, 0, 0.02));
        assertThat(RateModel.of(learned, 0).supply(new Target(10, 0))).isGreaterThan(1500);
    }

    @Test
    void manyLocalWorkersAreToldApartInSteps() {
        int[] locals = RateModel.of(CLOCKS, 100).locals();
        assertThat(locals).hasSizeLessThan(25).startsWith(0, 1, 2).endsWith(100);
        assertThat(RateModel.of(CLOCKS, Integer.MAX_VALUE).locals())
                .hasSizeLessThan(100)
                .endsWith(Integer.MAX_VALUE);
    }

    // steps by 1 to 12, then by 1.3; 92 is 5 of the 13 from 87 to 100
    @Test
    void betweenTwoStepsTheTrainerTakesOfEachAsMuchAsItIsNear() {
        FittedMemory learned = CLOCKS.with(new Point(new Target(9, 4), 1000, 1000, 0, 0.02))
                .with(new Point(new Target(9, 2), 1200, 1200, 0, 0.02));
        RateModel fit = RateModel.of(learned, 100);
        assertThat(fit.locals())
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 19, 24, 31, 40, 52, 67, 87, 100);
        assertThat(RateModel.of(learned, 12).locals()).endsWith(11, 12).hasSize(13);
        assertThat(fit.trainerLog(87)).isNotEqualTo(fit.trainerLog(100));
        assertThat(fit.trainerLog(92))
                .isCloseTo(fit.trainerLog(87) * 8 / 13 + fit.trainerLog(100) * 5 / 13, within(1e-12));
        assertThat(fit.trainerLog(200)).isEqualTo(fit.trainerLog(100));
    }
}
