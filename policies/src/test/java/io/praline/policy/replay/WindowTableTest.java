package io.praline.policy.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Target;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowTableTest {
    private static List<WindowTable.Row> rows(String table) {
        return WindowTable.parse(table.lines().toList());
    }

    private static WindowClosed window(String at, double seconds, double wait, double queue, int remote, int local) {
        return new WindowClosed(Instant.parse(at), 0, 500, 500, seconds, wait, queue, local, remote, false);
    }

    // 500 batches of 100 ms are 50 s; where seconds are not told, ten pass
    @Test
    void eachRowIsAWindowOf500Batches() {
        assertThat(rows("""
                                \uFEFFbatchMillis, seconds, remote, local, waitShare, queueDepth

                                100,,2,1,0,0
                                50,,2,1,1,3.5
                                0,12.5,2,2,,
                                172800,12.5,,,,
                                172800.1,13,,,,
                                """))
                .containsExactly(
                        new WindowTable.Row(
                                0, new Target(2, 1), Optional.of(window("2000-01-01T00:00:00Z", 50, 0, 0, 2, 1))),
                        new WindowTable.Row(
                                10, new Target(2, 1), Optional.of(window("2000-01-01T00:00:10Z", 25, 1, 3.5, 2, 1))),
                        new WindowTable.Row(12.5, new Target(2, 2), Optional.empty()),
                        new WindowTable.Row(
                                12.5, Target.NONE, Optional.of(window("2000-01-01T00:00:12.500Z", 86_400, 0, 0, 0, 0))),
                        new WindowTable.Row(13, Target.NONE, Optional.empty()));
    }

    @Test
    void aRowsSecondsComeBackFromItsWindow() {
        Instant at = rows("batchMillis,seconds\n100,7.25")
                .get(0)
                .window()
                .orElseThrow()
                .at();
        assertThat(WindowTable.seconds(at)).isEqualTo(7.25);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    batchMillis;1,2                      | line 2: it has 2 columns, the first line has 1
                    batchMillis,speed                    | line 1: there is no column 'speed': there are seconds,remote,local,batchMillis,waitShare,queueDepth
                    batchMillis,batchMillis              | line 1: it must name batchMillis, and no column twice
                    remote                               | line 1: it must name batchMillis, and no column twice
                    batchMillis,seconds;1,5;1,4          | line 3: seconds must not go back
                    batchMillis,remote;1,-1              | line 2: remote must be not negative, is '-1'
                    batchMillis,remote;1,x               | line 2: remote must be a whole number, is 'x'
                    batchMillis;x                        | line 2: batchMillis must be a number, is 'x'
                    batchMillis;Infinity                 | line 2: batchMillis must be a finite number, is 'Infinity'
                    batchMillis,waitShare;1,1.01         | line 2: waitShare must be from 0 to 1 and queueDepth not negative
                    batchMillis,waitShare;1,-0.01        | line 2: waitShare must be from 0 to 1 and queueDepth not negative
                    batchMillis,queueDepth;1,-1          | line 2: waitShare must be from 0 to 1 and queueDepth not negative
                    """)
    void whatCannotBeReadIsToldWithItsLine(String table, String message) {
        List<String> lines = List.of(table.strip().split(";"));
        assertThatThrownBy(() -> WindowTable.parse(lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void anEmptyTableIsRefused() {
        assertThatThrownBy(() -> WindowTable.parse(List.of()))
                .hasMessage("it is empty: its first line must name columns of"
                        + " seconds,remote,local,batchMillis,waitShare,queueDepth");
    }
}
