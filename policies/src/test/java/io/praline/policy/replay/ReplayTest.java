package io.praline.policy.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Turn;
import io.praline.policy.scaling.Policies;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final Policy PECAN = Policies.named("pecan", Map.of("maxLocal", "3"));

    private static Replay replay(Policy policy, String table) {
        return Replay.ofWindows(WindowTable.parse(table.lines().toList()), policy);
    }

    // remote workers help up to the third, which is given back; then local ones in place of remote ones
    private static final String RUN = """
            seconds,remote,local,batchMillis,waitShare,queueDepth
            0,1,0,100,,
            60,2,0,50,,
            90,3,0,-3,,
            120,3,0,49.9,,
            150,2,1,50,,
            180,2,2,50,,
            210,2,3,50,,
            240,1,3,50,,
            270,0,3,90,,
            300,1,3,50,,
            330,1,3,50,,
            """;

    // 11 rows, of which one is dropped and one is the last
    @Test
    void pecanDecidesWhatItsRunShows() {
        Replay replay = replay(PECAN, RUN);
        assertThat(replay.differences()).isEmpty();
        assertThat(replay.steps()).isEqualTo(9);
        assertThat(replay.matched()).isEqualTo(9);
    }

    // the second local worker hurts and one remote one is tried less, but local ones are not taken away: from there on
    // it
    // increases local again
    @Test
    void pecanGoesOnWhereALocalWorkerWasNotTakenAway() {
        Replay replay = replay(PECAN, """
                remote,local,batchMillis
                4,0,50
                5,0,50
                4,1,50
                4,2,60
                3,2,60
                3,3,60
                """);
        assertThat(replay.steps()).isEqualTo(5);
        assertThat(replay.differences()).singleElement().satisfies(one -> {
            assertThat(one.step()).isEqualTo(4);
            assertThat(one.decided()).isEqualTo(new Target(3, 1));
            assertThat(one.recorded()).isEqualTo(new Target(3, 2));
            assertThat(one.reason())
                    .isEqualTo("a batch takes 60.0 ms with 4 remote and 2 local and took 50.0 ms with 4 remote"
                            + " and 1 local (increasing local): that did harm, from now on fewer remote"
                            + " workers");
        });
    }

    // 100 ms to 230 ms is a loss of 130 %
    @Test
    void pecanPassesOverWhatCannotBe() {
        String table = """
                remote,local,batchMillis
                1,0,100
                2,0,%s
                3,0,50
                """;
        assertThat(replay(PECAN, table.formatted("231")).differences())
                .extracting(Replay.Difference::decided)
                .containsExactly(new Target(2, 0));
        assertThat(replay(PECAN, table.formatted("60")).differences()).isEmpty();
    }

    // 8 % is more than cachew wants, 5 % is not; then it stays with two
    @Test
    void cachewAddsOneAtATimeAndTakesBackTheOneThatDidNotHelp() {
        Replay replay = replay(Policies.named("cachew", Map.of()), """
                remote,local,batchMillis
                1,0,100
                2,0,92
                3,0,87.4
                2,0,92
                2,0,92
                """);
        assertThat(replay.differences()).isEmpty();
    }

    // in the third window of rest the queue is longer by half and more: one less, which does harm
    @Test
    void cachewTakesOneAwayWhenTheQueueGrew() {
        Replay replay = replay(Policies.named("cachew", Map.of("stableReports", "2")), """
                remote,local,batchMillis,queueDepth
                1,0,100,2
                2,0,50,2
                3,0,49,2
                2,0,50,2
                2,0,50,4
                2,0,50,4
                1,0,100,0
                2,0,50,4
                """);
        assertThat(replay.differences()).isEmpty();
    }

    // the same, but batches take longer
    @Test
    void cachewAddsOneWhenBatchesTakeLonger() {
        Replay replay = replay(Policies.named("cachew", Map.of("stableReports", "1")), """
                remote,local,batchMillis,queueDepth
                1,0,100,0
                2,0,99,0
                1,0,100,0
                1,0,160,0
                2,0,80,0
                3,0,79,0
                2,0,80,0
                """);
        assertThat(replay.differences()).isEmpty();
    }

    @Test
    void everyWorkerWantsTheFreeOneToo() {
        assertThat(replay(Policies.named("every-worker", Map.of()), RUN)
                        .differences()
                        .get(0)
                        .step())
                .isEqualTo(3);
    }

    @Test
    void aTableThatCannotBeReadIsToldByLineAndColumn() {
        assertThatThrownBy(() -> WindowTable.parse(List.of()))
                .hasMessage("it is empty: its first line must name columns of"
                        + " seconds,remote,local,batchMillis,waitShare,queueDepth");
        assertThatThrownBy(() -> WindowTable.parse(List.of("seconds,workers,batchMillis")))
                .hasMessage("line 1: there is no column 'workers': there are"
                        + " seconds,remote,local,batchMillis,waitShare,queueDepth");
        assertThatThrownBy(() -> WindowTable.parse(List.of("seconds,remote")))
                .hasMessage("line 1: it must name batchMillis, and no column twice");
        assertThatThrownBy(() -> WindowTable.parse(List.of("remote,batchMillis", "1,2", "1")))
                .hasMessage("line 3: it has 1 column, the first line has 2");
        assertThatThrownBy(() -> WindowTable.parse(List.of("remote,batchMillis", "one,2")))
                .hasMessage("line 2: remote must be a whole number, is 'one'");
        assertThatThrownBy(() -> WindowTable.parse(List.of("remote,batchMillis", "-1,2")))
                .hasMessage("line 2: remote must be not negative, is '-1'");
        assertThatThrownBy(() -> WindowTable.parse(List.of("batchMillis", "fast")))
                .hasMessage("line 2: batchMillis must be a number, is 'fast'");
        assertThatThrownBy(() -> WindowTable.parse(List.of("seconds,batchMillis", "5,1", "4,1")))
                .hasMessage("line 3: seconds must not go back");
        assertThatThrownBy(() -> WindowTable.parse(List.of("batchMillis,waitShare", "5,1.5")))
                .hasMessage("line 2: waitShare must be from 0 to 1 and queueDepth not negative");
    }

    @Test
    void whereTwoPoliciesPartIsToldWithTheStepAndTheReason() {
        Policy one = Policies.named("fixed", Map.of());
        Instant at = Instant.ofEpochSecond(5);
        Turn planned = Turn.take(PolicyState.UNKNOWN, new Observation.Planned(at, 9, 0, false), one);
        Turn after = Turn.take(planned.state(), new Observation.Clock(at), one);
        Replay replay = Replay.ofTurns(
                PolicyState.UNKNOWN,
                Stream.of(planned, after)
                        .map(turn -> new Recorded(turn.seen(), turn.decision().commands()))
                        .toList(),
                Policies.named("fixed", Map.of("remote", "2")));
        assertThat(replay)
                .isEqualTo(new Replay(
                        2,
                        List.of(
                                new Replay.Difference(
                                        1,
                                        at,
                                        new Target(1, 0),
                                        new Target(2, 0),
                                        "its number of workers is fixed: 2 remote and 0 local"),
                                new Replay.Difference(
                                        2,
                                        at,
                                        new Target(1, 0),
                                        new Target(2, 0),
                                        "it has its fixed number: 2 remote and 0 local"))));
        assertThat(replay.matched()).isZero();
    }
}
