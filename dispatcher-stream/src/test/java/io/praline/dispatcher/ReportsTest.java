package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Confirmation;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobState;
import io.praline.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What consumers tell, in the order in which they told it, and what they are told of that. */
class ReportsTest {
    private final Rig rig = new Rig();

    @BeforeEach
    void begin() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.attach("job", 0, "c");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void beat(String incarnation, long number) {
        rig.send(
                Topics.CLIENT_HEARTBEATS,
                Rig.POOL,
                ClientHeartbeat.newBuilder()
                        .setPool(Rig.POOL)
                        .setJob("job")
                        .setConsumer(0)
                        .setIncarnation(incarnation)
                        .setHost("trainer")
                        .setClosing(false)
                        .setWindows(List.of())
                        .setBeat(number)
                        .build());
    }

    private void report(long sequence) {
        rig.report(ConsumptionReport.newBuilder()
                .setPool(Rig.POOL)
                .setJob("job")
                .setConsumer(0)
                .setIncarnation("c")
                .setReportSequence(sequence)
                .setBatches(List.of())
                .setEnded(List.of())
                .setFencesAnswered(List.of())
                .setChannelsDown(List.of())
                .setMarks(List.of())
                .setDiscarded(List.of())
                .setLeft(false)
                .setUnsure(false)
                .build());
    }

    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            rig.beat(Rig.worker("w1", 1).build());
            rig.pass(Duration.ofSeconds(1));
        }
    }

    private long echoed() {
        return rig.status("job").getSlots().get(0).getBeat();
    }

    private List<Long> confirmed() {
        return rig.status("job").getConfirmed().stream()
                .map(Confirmation::getReportSequence)
                .toList();
    }

    // a lease runs from the sending of the newest beat that a status echoes, and a status of a job is 5 s old at most
    @Test
    void theNewestBeatOfWhoHasThePlaceIsEchoedWithinSixSeconds() {
        beat("c", 7);
        beat("c", 8);
        pass(6);
        beat("c", 9);
        pass(6);
        assertThat(echoed()).isEqualTo(9);
    }

    @Test
    void aBeatOfWhoHasThePlaceNoMoreIsNotEchoed() {
        beat("c", 7);
        pass(6);
        rig.attach("job", 0, "d");
        beat("d", 1);
        beat("c", 8);
        pass(8);
        assertThat(echoed()).isEqualTo(1);
    }

    @Test
    void whatComesBehindAGapIsNotTakenBeforeTheGapIsFilled() {
        report(0);
        report(2);
        pass(2);
        assertThat(rig.ignored(Ignored.GAP)).isEqualTo(1);
        assertThat(confirmed()).containsExactly(0L);

        report(1);
        report(2);
        pass(2);
        assertThat(confirmed()).containsExactly(2L);
    }

    @Test
    void aReportThatComesAgainMovesNothing() {
        report(0);
        report(0);
        pass(2);
        assertThat(rig.ignored(Ignored.DUPLICATE)).isEqualTo(1);
        assertThat(confirmed()).containsExactly(0L);
    }

    // the accounts are gone with the job's end: what is confirmed is not sent again
    @Test
    void whatIsToldOfAJobThatHasEndedIsConfirmed() {
        rig.cancel("job", "enough");
        report(0);
        report(1);
        pass(2);
        assertThat(confirmed()).containsExactly(1L);
    }

    // no time passes: whatever follows, follows from what is told
    @Test
    void theReportThatAcknowledgesTheLastBatchEndsTheJob() {
        try (Rig still = new Rig()) {
            PretendWorker worker = new PretendWorker(still, "w1", 1, 2);
            PretendClient client = new PretendClient(still, "job", 0, Map.of("w1", worker));
            worker.beat();
            still.submit("job", Rig.submit().build());
            for (int round = 0; round < 20; round++) {
                worker.obey();
                worker.read();
                worker.beat();
                client.beat();
                client.fetch(4);
                for (int batch = 0; batch < 4; batch++) {
                    client.next();
                }
                client.report();
            }
            assertThat(still.status("job").getState()).isEqualTo(JobState.COMPLETED);
        }
    }
}
