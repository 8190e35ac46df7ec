package io.praline.deploy.ordering;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.ordering.plan.Proof;
import io.praline.worker.profile.Verified;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderingTest {

    private static Verified seen(long elements, long missing, long unequal, double largestDifference) {
        return new Verified(List.of(), elements, missing, unequal, largestDifference);
    }

    @Test
    void whatIsAsPromisedIsNotWrongHoweverSlow() {
        assertThat(Ordering.wrong(Proof.EXACT, 0, seen(300, 0, 0, 0))).isEmpty();
        assertThat(Ordering.wrong(Proof.TOLERANT, 1e-6, seen(300, 0, 300, 9e-7)))
                .isEmpty();
        assertThat(Ordering.wrong(Proof.BY_LEAVE, 0, seen(300, 0, 300, 0.5))).isEmpty();
    }

    @Test
    void otherResultsThanPromisedAreWrong() {
        assertThat(Ordering.wrong(Proof.EXACT, 0, seen(300, 0, 1, 1e-9)))
                .hasValue("1 of 300 elements differs, by up to 1.0e-09 of the range, and none should");
        assertThat(Ordering.wrong(Proof.TOLERANT, 1e-6, seen(300, 0, 1, 2e-6)))
                .hasValue("elements differ by up to 2.0e-06 of the range, and 1.0e-06 is what its moves allow");
        assertThat(Ordering.wrong(Proof.TOLERANT, 1e-6, seen(300, 0, 1, Double.NaN)))
                .isPresent();
        assertThat(Ordering.wrong(Proof.BY_LEAVE, 0, seen(300, 2, 0, 0)))
                .hasValue("2 elements came from one of the two only");
    }

    // a filter that nothing of the sample passes
    @Test
    void whereNeitherYieldsAnythingResultsAreNotOthers() {
        assertThat(Ordering.wrong(Proof.EXACT, 0, seen(0, 0, 0, 0))).isEmpty();
        assertThat(Ordering.wrong(Proof.EXACT, 0, seen(0, 3, 0, 0)))
                .hasValue("3 elements came from one of the two only");
    }
}
