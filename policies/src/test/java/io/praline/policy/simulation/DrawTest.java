package io.praline.policy.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Target;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DrawTest {
    private final Draw draw = new Draw(42);

    @Test
    void theSameSeedDrawsTheSameOnEveryMachine() {
        assertThat(draw.happens(0.5)).isFalse();
        assertThat(draw.lifetime(100)).isCloseTo(17.42467176876429, within(1e-12));
        assertThat(draw.around1(0.1)).isCloseTo(0.9549150124281139, within(1e-12));
        assertThat(draw.around1(0.1)).isCloseTo(1.0188352634115931, within(1e-12));
        assertThat(draw.heavyTailed()).isCloseTo(1.1785433367238773, within(1e-12));
        assertThat(draw.heavyTailed()).isCloseTo(1.31908807022042, within(1e-12));
        assertThat(draw.heavyTailed()).isCloseTo(1.1651616040162822, within(1e-12));
        assertThat(IntStream.range(0, 8).mapToDouble(i -> draw.nonsense(10)))
                .usingElementComparator((one, other) -> Math.abs(one - other) < 1e-9 ? 0 : 1)
                .containsExactly(
                        0.04559774915983145,
                        322.23927148208827,
                        -6.889463724014132,
                        -0.7305376910346484,
                        3472.7063842555986,
                        -7.41979305870816,
                        0.006533040545633864,
                        9595.39726278666);
        assertThat(draw.split().lifetime(1)).isCloseTo(0.3336790026210273, within(1e-12));
    }

    // 20,000 draws: a mean life of 100 within 5 %, a spread of 0.1 within 5 %, and of noise as much above 1 as below
    @Test
    void whatIsDrawnIsSpreadAsItSays() {
        assertThat(IntStream.range(0, 20_000)
                        .mapToDouble(i -> draw.lifetime(100))
                        .average()
                        .orElseThrow())
                .isBetween(95.0, 105.0);
        assertThat(StrictMath.sqrt(IntStream.range(0, 20_000)
                        .mapToDouble(i -> draw.around1(0.1) - 1)
                        .map(off -> off * off)
                        .average()
                        .orElseThrow()))
                .isBetween(0.095, 0.105);
        assertThat(IntStream.range(0, 20_000)
                        .filter(i -> draw.heavyTailed() > 1)
                        .count())
                .isBetween(9_700L, 10_300L);
        assertThat(IntStream.range(0, 20_000)
                        .mapToDouble(i -> draw.heavyTailed())
                        .max()
                        .orElseThrow())
                .isEqualTo(20);
        assertThat(IntStream.range(0, 20_000).filter(i -> draw.happens(0.25)).count())
                .isBetween(4_700L, 5_300L);
        assertThat(IntStream.range(0, 20_000)
                        .mapToDouble(i -> draw.nonsense(50_000))
                        .max()
                        .orElseThrow())
                .isEqualTo(86_400);
        assertThat(draw.around1(1e9)).isGreaterThanOrEqualTo(0.1);
    }

    @Test
    void worldsThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new Noise(-0.1, 0, 0)).hasMessage("noise.relative must be from 0 to 1, is -0.1");
        assertThatThrownBy(() -> new Noise(0, 1.1, 0)).hasMessage("noise.heavyTailShare must be from 0 to 1, is 1.1");
        assertThat(new Noise(1, 0, 1).relative()).isEqualTo(1);
        assertThatThrownBy(() -> new Delays(-1, 0, 0)).hasMessage("remoteStartSeconds must not be negative, is -1.0");
        assertThatThrownBy(() -> new Delays(0, 0, Double.POSITIVE_INFINITY))
                .hasMessage("localStartSeconds must not be negative, is Infinity");
        assertThatThrownBy(() -> new Rates(0, 1, List.of(), 0))
                .hasMessage("trainerElementsPerSecond must be above 0, is 0.0");
        assertThatThrownBy(() -> new Rates(1, 1, List.of(Double.POSITIVE_INFINITY), 0))
                .hasMessage("each of localElementsPerSecond must be above 0, is Infinity");
        assertThatThrownBy(() -> new Training(1, 1, 0, 1, 0)).hasMessage("epochs must be at least 1, is 0");
        assertThat(new Training(1, 1, 1, 1, 0).windowElements()).isEqualTo(1);
    }

    // 40/s of 100/s come from the local worker
    @Test
    void whatLocalWorkersDoNotMakeComesFromRemoteOnes() {
        Rates rates = new Rates(100, 50, List.of(40.0), 0);
        assertThat(rates.remoteRate(new Target(2, 1))).isEqualTo(60);
        assertThat(rates.remoteRate(new Target(0, 1))).isZero();
        assertThat(new Rates(30, 50, List.of(40.0), 0).remoteRate(new Target(1, 1)))
                .isZero();
    }

    // sorted 1 to 20: the mean is 10.5, and 19 of 20 do not exceed 19
    @Test
    void aSummaryTellsTheMeanAndWhat95Of100DoNotExceed() {
        List<Outcome> outcomes = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> new Outcome(
                        new Target(i, 2 * i), i, 1, 0.5, new Convergence(i > 5, 3, 4, i > 15 ? 1 : 0), 1, 30, 2, 60, 7))
                .toList();
        Summary summary = Summary.of("p", "s", outcomes);
        assertThat(summary.figure("finalRemote")).isEqualTo(new Summary.Figure("finalRemote", 10.5, 19));
        assertThat(summary.figure("converged")).isEqualTo(new Summary.Figure("converged", 0.75, 1));
        assertThat(summary.figure("atRest")).isEqualTo(new Summary.Figure("atRest", 0.5, 1));
        assertThat(summary.figure("spent")).isEqualTo(new Summary.Figure("spent", 7, 7));
        assertThatThrownBy(() -> summary.figure("speed")).hasMessage("there is no figure speed");
        assertThatThrownBy(() -> Summary.of("p", "s", List.of())).hasMessage("there is no run to summarise");
    }
}
