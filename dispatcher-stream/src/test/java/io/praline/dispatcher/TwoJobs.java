package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.JobState;
import io.praline.schema.Submit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Two jobs on two workers: one that something is done to, and a steady one, which must not notice. */
final class TwoJobs implements AutoCloseable {
    static final String VICTIM = "victim";
    static final String STEADY = "steady";
    private static final int FILES = 40;
    private static final int MOST_SECONDS = 300;

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();
    private final PretendClient victim = new PretendClient(rig, VICTIM, 0, workers, "of-the-victim");
    private final PretendClient steady = new PretendClient(rig, STEADY, 0, workers, "of-the-steady");

    Rig rig() {
        return rig;
    }

    /** Both are submitted, and live for so long. */
    void begin(int seconds) {
        for (String id : new String[] {"w1", "w2"}) {
            PretendWorker worker = new PretendWorker(rig, id, 2, FILES);
            workers.put(id, worker);
            worker.beat();
        }
        rig.submit(VICTIM, submit("of-the-victim"));
        rig.submit(STEADY, submit("of-the-steady"));
        rig.attach(VICTIM, 0, victim.incarnation());
        rig.attach(STEADY, 0, steady.incarnation());
        live(seconds);
    }

    private static Submit submit(String tenant) {
        return Rig.submit().setTenant(tenant).setEpochs(2).build();
    }

    void live(int seconds) {
        rig.seconds(seconds, workers.values(), victim, steady);
    }

    /** The steady one goes on to its end, and was given each element once. */
    void assertSteady() {
        for (int second = 0; second < MOST_SECONDS && state(STEADY) != JobState.COMPLETED; second++) {
            live(1);
        }
        assertThat(state(STEADY)).as(rig.status(STEADY).toString()).isEqualTo(JobState.COMPLETED);
        for (int epoch = 0; epoch < 2; epoch++) {
            assertThat(steady.given(epoch)).hasSize((int) PretendWorker.recordsOf(FILES));
            assertThat(steady.given(epoch).values()).containsOnly(1);
        }
    }

    /** The worker's process is gone without a word. */
    void kill(String worker) {
        workers.get(worker).kill();
    }

    JobState state(String job) {
        return rig.status(job).getState();
    }

    @Override
    public void close() {
        rig.close();
    }
}
