package io.praline.policy.ordering.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.ordering.plan.Proof;
import io.praline.policy.ordering.verification.GainBound.Pair;
import io.praline.policy.ordering.verification.Verdict.Comparison;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
    private static final Comparison SAME = new Comparison(300, 0, 0, 0);
    private static final GainBound TWICE = GainBound.of(Collections.nCopies(5, new Pair(200, 100)));

    // as printed in tables of Student's distribution
    @ParameterizedTest
    @CsvSource({"4, 1.5332", "5, 1.4759", "6, 1.4398", "9, 1.3830", "14, 1.3450", "20, 1.3253", "30, 1.3104"})
    void theQuantileIsStudents(int degrees, double quantile) {
        assertThat(GainBound.quantile(degrees)).isCloseTo(quantile, within(0.001));
    }

    @Test
    void whatIsAlwaysTwiceAsFastIsSoForSure() {
        assertThat(TWICE.gain()).isCloseTo(2, within(1e-12));
        assertThat(TWICE.lower()).isCloseTo(2, within(1e-12));
        assertThat(TWICE.upper()).isCloseTo(2, within(1e-12));
    }

    // ln 1.21, ln 1, ln 1.1, ln 1.1, ln 1.1: mean ln 1.1 = 0.0953, deviation 0.0674, 1.5332 * 0.0674 / sqrt 5 = 0.0462
    @Test
    void theMoreTimesVaryTheLowerIsTheBound() {
        GainBound bound = GainBound.of(List.of(
                new Pair(121, 100), new Pair(100, 100), new Pair(110, 100), new Pair(110, 100), new Pair(110, 100)));
        assertThat(bound.gain()).isCloseTo(1.1, within(1e-9));
        assertThat(bound.lower()).isCloseTo(1.1 * Math.exp(-0.0462), within(1e-3));
        assertThat(bound.upper()).isCloseTo(1.1 * Math.exp(0.0462), within(1e-3));
    }

    @Test
    void fourPairsAreTooFew() {
        List<Pair> four = Collections.nCopies(4, new Pair(200, 100));
        assertThatThrownBy(() -> GainBound.of(four)).hasMessage("a gain's bounds need at least 5 pairs, have 4");
    }

    @Test
    void equalResultsAndASureGainAreAccepted() {
        assertThat(Verdict.of(Proof.EXACT, 0, SAME, TWICE))
                .isEqualTo(new Verdict(
                        true,
                        "300 elements compared, the largest difference 0.0e+00 of the range; 2.000 times as fast, at"
                                + " least 2.000 for sure"));
    }

    @Test
    void whatShouldBeEqualBitForBitMustBe() {
        Comparison signs = new Comparison(300, 0, 2, 0);
        assertThat(Verdict.of(Proof.EXACT, 0, signs, TWICE))
                .isEqualTo(
                        new Verdict(false, "2 of 300 elements differ, by up to 0.0e+00 of the range, and none should"));
        assertThat(Verdict.of(Proof.TOLERANT, 1e-6, signs, TWICE).accepted()).isTrue();
    }

    @Test
    void aToleranceIsKept() {
        assertThat(Verdict.of(Proof.TOLERANT, 1e-6, new Comparison(300, 0, 9, 1e-6), TWICE)
                        .accepted())
                .isTrue();
        assertThat(Verdict.of(Proof.TOLERANT, 1e-6, new Comparison(300, 0, 9, 2e-6), TWICE))
                .isEqualTo(new Verdict(
                        false, "elements differ by up to 2.0e-06 of the range, and 1.0e-06 is what its moves allow"));
        assertThat(Verdict.of(Proof.TOLERANT, 1e-6, new Comparison(300, 0, 9, Double.NaN), TWICE)
                        .accepted())
                .isFalse();
        assertThat(Verdict.of(Proof.BY_LEAVE, 0, new Comparison(300, 0, 300, 0.09), TWICE)
                        .accepted())
                .isTrue();
    }

    @Test
    void nothingMayBeMissing() {
        assertThat(Verdict.of(Proof.BY_LEAVE, 0, new Comparison(300, 1, 0, 0), TWICE)
                        .reason())
                .isEqualTo("1 element came from one of the two only");
        assertThat(Verdict.of(Proof.EXACT, 0, new Comparison(0, 0, 0, 0), TWICE).reason())
                .isEqualTo("no element was compared: the sample yields none, try one of other files");
    }

    @Test
    void aGainThatIsNotSureDoesNotPay() {
        GainBound little = GainBound.of(Collections.nCopies(7, new Pair(102, 100)));
        assertThat(Verdict.of(Proof.EXACT, 0, SAME, little))
                .isEqualTo(new Verdict(
                        false, "it is 1.020 times as fast, but only 1.020 for sure, and less than 1.02 does not pay"));
    }
}
