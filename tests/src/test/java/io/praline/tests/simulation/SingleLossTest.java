package io.praline.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any single record that is lost, on whatever topic and whenever, is told again: a job is held up by it for some seconds. */
class SingleLossTest {
    /** Loops, their paces and what is read follow from it. */
    private static final long SEED = 3;

    private static final int TOPICS = 6;
    private static final int TIMES = 12;
    private static final long EVERY_MILLIS = 1_700;

    private static final long HELD_UP_MILLIS = 10_000;
    private static final Simulation.Result CALM = run(List.of());

    private static Simulation.Result run(List<Fault> faults) {
        return Simulation.run(new Schedule(SEED, 2, 2, faults), Mendings.ALL);
    }

    static Stream<Fault> losses() {
        return IntStream.range(0, TIMES).boxed().flatMap(time -> {
            long at = time * EVERY_MILLIS;
            return Stream.concat(
                    IntStream.range(0, TOPICS).mapToObj(topic -> new Fault(Fault.Kind.LOSE, at, topic, 0, 1)),
                    Stream.of(new Fault(Fault.Kind.LOSE_REQUEST, at, 0, 0, 1)));
        });
    }

    @ParameterizedTest
    @MethodSource("losses")
    void aRecordThatIsLostHoldsUpTheJobForSomeSeconds(Fault loss) {
        Simulation.Result result = run(List.of(loss));

        assertThat(result.violations()).as("%s", result).isEmpty();
        assertThat(result.millis()).as("%s", result).isLessThan(CALM.millis() + HELD_UP_MILLIS);
    }
}
