package io.praline.policy.scaling.fitted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.scaling.fitted.LeastSquares.Estimate;
import org.junit.jupiter.api.Test;

class LeastSquaresTest {

    // 3 and 5, each to 1: in the middle, and surer by a root of 2
    @Test
    void whatIsSeenTwiceIsTheirMeanAndSurer() {
        LeastSquares seen = new LeastSquares(1);
        seen.see(3, 1, new int[] {0}, new double[] {1});
        seen.see(5, 1, new int[] {0}, new double[] {1});
        Estimate estimate = seen.estimate();
        assertThat(estimate.mean(0)).isCloseTo(4, within(1e-12));
        assertThat(estimate.covariance(0, 0)).isCloseTo(0.5, within(1e-12));
    }

    // x + 2y = 8 and x - y = -1: x = 2, y = 3
    @Test
    void sumsTellTheirParts() {
        LeastSquares seen = new LeastSquares(2);
        seen.see(8, 0.1, new int[] {0, 1}, new double[] {1, 2});
        seen.see(-1, 0.1, new int[] {0, 1}, new double[] {1, -1});
        Estimate estimate = seen.estimate();
        assertThat(estimate.mean(0)).isCloseTo(2, within(1e-9));
        assertThat(estimate.mean(1)).isCloseTo(3, within(1e-9));
    }

    // only the sum is known well: if one is larger, the other is smaller by as much
    @Test
    void partsOfAKnownSumAreUnsureTogether() {
        LeastSquares seen = new LeastSquares(2);
        seen.see(1, 1, new int[] {0}, new double[] {1});
        seen.see(1, 1, new int[] {1}, new double[] {1});
        seen.see(2, 1e-3, new int[] {0, 1}, new double[] {1, 1});
        Estimate estimate = seen.estimate();
        assertThat(estimate.covariance(0, 1)).isCloseTo(-estimate.covariance(0, 0), within(1e-5));
    }

    @Test
    void whatNothingTellsOfIsNamed() {
        LeastSquares seen = new LeastSquares(2);
        seen.see(1, 1, new int[] {0}, new double[] {1});
        assertThatThrownBy(seen::estimate).hasMessage("unknown 1 cannot be told from what was seen");
    }
}
