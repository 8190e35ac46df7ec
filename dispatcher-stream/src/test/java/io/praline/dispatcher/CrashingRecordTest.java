package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A record that ends the process of whoever reads it. */
class CrashingRecordTest {
    private static final int FILES = 15;

    /** Split 9 has 28 records. */
    private static final long KILLER = Ticket.of(9, 11);

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();
    private final PretendClient client = new PretendClient(rig, "job", 0, workers);

    @AfterEach
    void close() {
        rig.close();
    }

    private void start(int count, int skipBad) {
        for (int i = 1; i <= count; i++) {
            PretendWorker worker = new PretendWorker(rig, "w" + i, 1, FILES);
            worker.diesOf(KILLER);
            workers.put("w" + i, worker);
            worker.beat();
        }
        rig.submit("job", Rig.submit().setSkipBad(skipBad).build());
        rig.attach("job", 0, client.incarnation());
    }

    /** Time passes until the job is over; who crashed is there again two seconds later, as another process. */
    private void live(Duration most) {
        for (long second = 0; second < most.toSeconds() && running(); second += 2) {
            rig.seconds(2, workers.values(), client);
            workers.values().stream().filter(PretendWorker::dead).forEach(PretendWorker::restart);
        }
    }

    private boolean running() {
        return switch (rig.status("job").getState()) {
            case PLANNING, WAITING, RUNNING -> true;
            case COMPLETED, FAILED, CANCELLED -> false;
        };
    }

    private int crashes() {
        return workers.values().stream().mapToInt(PretendWorker::crashes).sum();
    }

    // three crashes until it is suspected; then alone: 28, 14, 7, 4, 2, 1, 1, 1 records, and each time either half
    // may have it
    @Test
    void itIsFoundAndLeftOutAndAllOthersComeOnce() {
        start(3, 1);
        live(Duration.ofMinutes(20));
        assertThat(rig.status("job").getState())
                .as(rig.status("job").getReason())
                .isEqualTo(JobState.COMPLETED);
        assertThat(rig.status("job").getBadRecords()).containsExactly(line());
        assertThat(client.given(0)).doesNotContainKey(KILLER);
        assertThat(client.given(0)).hasSize((int) PretendWorker.recordsOf(FILES) - 1);
        assertThat(client.given(0).values()).containsOnly(1);
        assertThat(crashes()).isLessThanOrEqualTo(3 + 6 + 2);
    }

    private static String line() {
        return "record 11 of " + "/data/part-00009.tfrecord" + " crashes the worker that reads it";
    }

    @Test
    void whereNoneMayBeSkippedTheJobFailsByItsName() {
        start(2, 0);
        live(Duration.ofMinutes(20));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .isEqualTo("1 record is bad, more than the 0 that may be skipped: repair it or raise --skip-bad;"
                        + " the first of them: " + line());
    }

    // a task that reads all by itself has all that is left of it, and reads in order
    @Test
    void whereNothingCanBeReadInPartsTheJobFailsByTheSplitAtWhichItsTaskWas() {
        for (int i = 1; i <= 2; i++) {
            PretendWorker worker = new PretendWorker(rig, "w" + i, 1, FILES);
            worker.plans(Guarantee.EXACTLY_ONCE, true);
            worker.diesOf(KILLER);
            workers.put("w" + i, worker);
            worker.beat();
        }
        rig.submit("job", Rig.submit().build());
        rig.attach("job", 0, client.incarnation());
        live(Duration.ofMinutes(20));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .startsWith(
                        "/data/part-00009.tfrecord, or one of 5 splits behind it, was open when 6 workers crashed, w")
                .endsWith(" the last of them, and cannot be read in parts: look for what crashes them in their logs");
    }

    // one every twenty minutes, in a job of one task that goes on for three hours
    @Test
    void workersThatCrashNowAndThenFailNoJobThatGetsOn() {
        PretendWorker worker = new PretendWorker(rig, "w1", 1, 400);
        worker.plans(Guarantee.EXACTLY_ONCE, true);
        workers.put("w1", worker);
        worker.beat();
        rig.submit("job", Rig.submit().build());
        rig.attach("job", 0, client.incarnation());
        for (int crash = 0; crash < 9; crash++) {
            rig.seconds(4, workers.values(), client);
            for (int minute = 0; minute < 20; minute++) {
                slowly();
            }
            worker.kill();
            worker.restart();
            rig.seconds(4, workers.values(), client);
        }
        assertThat(running()).as(rig.status("job").getReason()).isTrue();
        assertThat(client.given(0)).isNotEmpty();
        rig.untilCompleted("job", workers.values(), client);
        assertThat(client.given(0)).hasSize((int) PretendWorker.recordsOf(400));
        assertThat(client.given(0).values()).containsOnly(1);
    }

    /** A minute in which everybody lives and nobody reads. */
    private void slowly() {
        for (int second = 0; second < 60; second++) {
            workers.values().forEach(PretendWorker::beat);
            client.beat();
            rig.pass(Duration.ofSeconds(1));
        }
    }

    // whoever takes over in between goes on where the one before was
    @Test
    void itIsFoundByTheNextDispatcherToo() {
        start(2, 1);
        for (int round = 0; round < 200 && running(); round++) {
            live(Duration.ofSeconds(20));
            rig.restart();
        }
        assertThat(rig.status("job").getState())
                .as(rig.status("job").getReason())
                .isEqualTo(JobState.COMPLETED);
        assertThat(client.given(0)).hasSize((int) PretendWorker.recordsOf(FILES) - 1);
        assertThat(client.given(0).values()).containsOnly(1);
    }

    @Test
    void whoeverLeavesInOrderOrIsOnlySilentBlamesNothing() {
        start(2, 0);
        workers.values().forEach(worker -> worker.diesOf(-1));
        for (int round = 0; round < 5; round++) {
            workers.get("w1").kill();
            rig.seconds(8, workers.values(), client);
            workers.get("w1").restart();
            rig.seconds(1, workers.values(), client);
        }
        assertThat(rig.journal())
                .extracting(entry -> entry.getObservation().getKind())
                .doesNotContain("splitSuspected");
    }
}
