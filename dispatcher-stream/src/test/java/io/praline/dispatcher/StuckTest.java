package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.schema.JobState;
import io.praline.schema.JournalEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job of which nothing moves says which split waits on whom, and for how long. */
class StuckTest {
    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();
    private final PretendClient client = new PretendClient(rig, "job", 0, workers);

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendWorker worker(String id) {
        PretendWorker worker = new PretendWorker(rig, id, 1, 10);
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    /** Workers beat and do nothing else; the consumer too. */
    private void idle(int seconds) {
        for (int i = 0; i < seconds; i++) {
            workers.values().forEach(worker -> {
                worker.obey();
                worker.beat();
            });
            client.beat();
            client.report();
            rig.seconds(1, List.of());
        }
    }

    private List<String> journal() {
        return rig.journal().stream()
                .filter(entry -> entry.getObservation().getKind().equals(JournalKind.STUCK.text()))
                .map(JournalEntry::getReason)
                .toList();
    }

    private int stuck() {
        return rig.stuckJobs();
    }

    // in this order the third file comes first
    @Test
    void aWorkerThatDoesNotGetOnIsNamedWithTheSplitThatItHas() {
        worker("w1");
        rig.submit("job", Rig.submit().build());
        idle(30);
        assertThat(rig.status("job").getReason()).isEmpty();
        idle(40);
        String why = "split 2 (/data/part-00002.tfrecord) of epoch 0 waits for attempt 0 on worker w1";
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        assertThat(rig.status("job").getReason()).isEqualTo("nothing has moved for 1 min: " + why);
        assertThat(stuck()).isEqualTo(1);
        idle(120);
        assertThat(rig.status("job").getReason()).isEqualTo("nothing has moved for 3 min: " + why);
        assertThat(journal()).containsExactly("nothing has moved for 1 min: " + why);

        rig.seconds(60, workers.values(), client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(rig.status("job").getReason()).isEmpty();
        assertThat(stuck()).isZero();
    }

    // a loop that validates for some minutes asks for nothing, which is not its workers' fault
    @Test
    void whereBatchesAreReadyItIsSaidThatConsumersDoNotTakeThem() {
        worker("w1").hasReady(64 << 20);
        rig.submit("job", Rig.submit().build());
        idle(70);
        assertThat(rig.status("job").getReason())
                .isEqualTo(
                        "nothing has moved for 1 min: split 2 (/data/part-00002.tfrecord) of epoch 0 waits for attempt"
                                + " 0 on worker w1, of which batches are ready that its consumers have not taken");
    }

    @Test
    void aConsumerThatHoldsABatchIsNamed() {
        worker("w1");
        rig.submit("job", Rig.submit().build());
        rig.seconds(4, workers.values());
        client.beat();
        client.fetch(1);
        client.next();
        client.report();
        idle(70);
        assertThat(rig.status("job").getReason())
                .startsWith("nothing has moved for 1 min: split ")
                .contains(" of epoch 0 waits for ");
        rig.seconds(60, workers.values(), client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(rig.status("job").getReason()).isEmpty();
    }

    @Test
    void aJobThatWaitsForWorkersIsNotStuck() {
        rig.submit("job", Rig.submit().build());
        idle(200);
        assertThat(rig.status("job").getReason()).isEqualTo("no worker in pool default");
        assertThat(stuck()).isZero();
        assertThat(journal()).isEmpty();
    }
}
