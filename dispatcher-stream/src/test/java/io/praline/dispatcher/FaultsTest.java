package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.schema.EpochProgress;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/**
 * Whatever goes wrong, and in whatever order: every consumer of a job is given each element of each epoch once between
 * them, and the job completes.
 */
class FaultsTest {

    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    void everyElementIsGivenOnceThoughWorkersDispatchersTurnsAndChannelsBreak(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int consumers, @ForAll boolean singleTask) {
        Random random = new Random(seed);
        int files = 20 + random.nextInt(60);
        int epochs = 1 + random.nextInt(3);
        try (Rig rig = new Rig()) {
            rig.stumble(random);
            Map<String, PretendWorker> workers = new LinkedHashMap<>();
            List<PretendClient> clients = new ArrayList<>();
            rig.submit(
                    "job",
                    Rig.submit()
                            .setEpochs(epochs)
                            .setConsumers(consumers)
                            .setSeed(seed)
                            .build());
            for (int i = 0; i < consumers; i++) {
                clients.add(new PretendClient(rig, "job", i, workers));
            }
            int born = 0;
            for (int second = 0; second < 2000 && !over(rig); second++) {
                long alive = workers.values().stream().filter(it -> !it.dead()).count();
                if (alive == 0 || (alive < 4 && random.nextInt(12) == 0)) {
                    PretendWorker worker = new PretendWorker(rig, "w" + born++, 1 + random.nextInt(2), files);
                    worker.plans(Guarantee.EXACTLY_ONCE, singleTask);
                    workers.put(worker.id(), worker);
                    worker.beat();
                }
                for (PretendWorker worker : workers.values()) {
                    live(worker, random);
                }
                for (PretendClient client : clients) {
                    live(client, workers, random);
                }
                if (random.nextInt(60) == 0) {
                    rig.restart();
                }
                rig.pass(Duration.ofSeconds(1));
            }
            assertThat(rig.status("job").getState())
                    .as(rig.status("job").toString())
                    .isEqualTo(JobState.COMPLETED);
            for (int epoch = 0; epoch < epochs; epoch++) {
                Map<Long, Integer> given = new LinkedHashMap<>();
                for (PretendClient client : clients) {
                    client.given(epoch).forEach((ticket, times) -> given.merge(ticket, times, Integer::sum));
                }
                assertThat(given).hasSize((int) PretendWorker.recordsOf(files));
                assertThat(given.values()).containsOnly(1);
            }
            JobStatus status = rig.status("job");
            assertThat(status.getProgress())
                    .extracting(EpochProgress::getConsumed)
                    .containsOnly(PretendWorker.recordsOf(files));
        }
    }

    private static boolean over(Rig rig) {
        return rig.status("job") != null && rig.status("job").getState() == JobState.COMPLETED;
    }

    private static void live(PretendWorker worker, Random random) {
        worker.obey();
        int reads = random.nextInt(3);
        for (int i = 0; i < reads; i++) {
            worker.read();
        }
        if (random.nextInt(10) > 0) {
            worker.beat();
        }
        worker.obey();
        int fate = random.nextInt(150);
        if (fate == 0) {
            worker.kill();
        } else if (fate == 1) {
            worker.drain();
        }
    }

    private static void live(PretendClient client, Map<String, PretendWorker> workers, Random random) {
        client.beat();
        client.fetch(random.nextInt(5));
        int steps = random.nextInt(6);
        for (int i = 0; i < steps; i++) {
            client.next();
        }
        if (random.nextInt(40) == 0) {
            List<PretendWorker> alive =
                    workers.values().stream().filter(it -> !it.dead()).toList();
            if (!alive.isEmpty()) {
                PretendWorker unlucky = alive.get(random.nextInt(alive.size()));
                List<AttemptKey> started = unlucky.started();
                if (!started.isEmpty()) {
                    client.lose(started.get(random.nextInt(started.size())), unlucky.id() + "-1");
                }
            }
        }
        if (random.nextInt(3) > 0) {
            client.report();
        }
        if (random.nextInt(10) == 0) {
            client.repeat(random.nextInt());
        }
    }
}
