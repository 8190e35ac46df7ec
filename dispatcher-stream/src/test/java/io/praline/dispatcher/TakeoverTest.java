package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.turn.Dispatching;
import io.praline.dispatcher.turn.whole.Partition;
import io.praline.identity.AttemptKey;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a dispatcher knows of jobs is in its rows: whenever another takes over, it tells the same of them. */
class TakeoverTest {
    private static final int FILES = 24;

    /** What happens to two jobs, second by second. */
    private static final class Life implements AutoCloseable {
        private final Rig rig = new Rig();
        private final Map<String, PretendWorker> workers = new LinkedHashMap<>();
        private final List<PretendClient> clients = new ArrayList<>();
        private int second;

        private PretendWorker worker(String id) {
            PretendWorker worker = new PretendWorker(rig, id, 1, FILES);
            workers.put(id, worker);
            return worker;
        }

        private void client(String job, int consumer, String incarnation) {
            clients.add(new PretendClient(rig, job, consumer, workers, incarnation));
        }

        private void happens() {
            switch (second) {
                case 0 -> {
                    worker("w1").beat();
                    worker("w2").beat();
                    rig.submit("job", Rig.submit().setEpochs(2).setConsumers(2).build());
                    client("job", 0, "first");
                    client("job", 1, "second");
                }
                case 2 -> rig.request("job", "client", new Pin(true, 1, 1));
                case 3 -> worker("local").onlyFor("job").beat();
                case 6 ->
                    rig.request(
                            "job", "client", Pause.newBuilder().setPaused(true).build());
                case 8 -> {
                    rig.request(
                            "job", "client", Pause.newBuilder().setPaused(false).build());
                    rig.submit(
                            "other",
                            Rig.submit().setTenant("other").setWeight(2).build());
                    client("other", 0, "third");
                }
                case 11 -> workers.get("w2").kill();
                case 13 -> {
                    List<AttemptKey> its = workers.get("w1").started();
                    clients.get(0).lose(its.get(its.size() - 1), "w1-1");
                }
                case 14 -> worker("w3").beat();
                case 17 -> {
                    rig.attach("job", 1, "fourth");
                    client("job", 1, "fourth");
                }
                case 20 -> rig.request("job", "client", new Pin(false, 0, 0));
                case 24 -> workers.get("w3").drain();
                case 26 -> worker("w4").beat();
                default -> {}
            }
        }

        void second() {
            happens();
            rig.seconds(1, workers.values(), clients.toArray(PretendClient[]::new));
            second++;
        }

        /** What is told of a job when one of its consumers asks is the same, by the one that dispatches and by another that takes over. */
        void asks(String job, String incarnation) {
            // with an assignment on its way nobody who takes over knows how much lies ahead of a task
            for (int round = 0; round < 2; round++) {
                workers.values().forEach(PretendWorker::obey);
                workers.values().forEach(PretendWorker::beat);
            }
            MapRows before = rig.rows().copy();
            List<Event> asked = new ArrayList<>();
            rig.eachEvent(asked::add);
            rig.attach(job, 0, incarnation);
            rig.eachEvent(event -> {});

            assertThat(lasting(toldByAnother(job, before, asked.get(0))))
                    .as("second " + second)
                    .isEqualTo(lasting(rig.status(job)));
        }

        private JobStatus toldByAnother(String job, MapRows rows, Event event) {
            List<JobStatus> told = new ArrayList<>();
            Partition another = new Partition(
                    rows,
                    (buffered, out, steps) ->
                            new Dispatching(new Ledger(buffered), new RowRecords(rig.codec()), Rig.RULES, out, steps),
                    effect -> told.addAll(effect.statuses()));
            another.take(event);
            return told.stream()
                    .filter(status -> status.getJob().equals(job))
                    .findFirst()
                    .orElseThrow();
        }

        boolean over() {
            return second > 8
                    && List.of("job", "other").stream()
                            .allMatch(job -> rig.status(job).getState() == JobState.COMPLETED);
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    /** But for what hangs on the time, which another knows as of the last clock. */
    private static JobStatus lasting(JobStatus status) {
        return JobStatus.newBuilder(status).setChangedAtMillis(0).setSpent(null).build();
    }

    @Test
    void anotherThatTakesOverTellsTheSameOfAJob() {
        try (Life life = new Life()) {
            while (!life.over() && life.second < 200) {
                life.second();
                life.asks("job", "first");
                if (life.second > 8) {
                    life.asks("other", "third");
                }
            }
            assertThat(life.over()).isTrue();
            // so that all of it has happened
            assertThat(life.second).isGreaterThan(30);
        }
    }
}
