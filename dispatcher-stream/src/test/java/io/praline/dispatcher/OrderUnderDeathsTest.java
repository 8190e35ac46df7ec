package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.StartAttempt;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerCommand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A job measures its order and changes over to a better one, while workers die and come back, the dispatcher is another one
 * again and again, attempts of the new order break, and trainers are replaced by such as know them to be dead, most often
 * within a second of a fence: each element comes once, or is on record.
 */
class OrderUnderDeathsTest {
    private static final int WORLDS = Integer.getInteger("orders.worlds", 20);
    private static final int FIRST = Integer.getInteger("orders.first", 0);
    private static final int FILES = 150;
    private static final int ALL = (int) PretendWorker.recordsOf(FILES);
    private static final int TROUBLED_SECONDS = 150;
    private static final int MOST_SECONDS = 900;

    @Test
    void eachElementComesOnceOrIsOnRecordWhileAJobChangesItsOrder() {
        int changed = 0;
        int replaced = 0;
        for (int seed = FIRST; seed < FIRST + WORLDS; seed++) {
            World world = new World(seed);
            world.run();
            changed += world.changedOver ? 1 : 0;
            replaced += world.replaced;
        }
        // what it is about did happen
        assertThat(changed).isPositive();
        assertThat(replaced).isPositive();
    }

    /** One job, its workers and its trainers. */
    private static final class World {
        private final int seed;
        private final Random random;
        private final Rig rig = new Rig();
        private final Map<String, PretendWorker> workers = new LinkedHashMap<>();
        private final Map<String, Integer> backAt = new HashMap<>();
        private final List<PretendClient> clients = new ArrayList<>();
        private final List<PretendClient> dead = new ArrayList<>();
        private final Map<Integer, List<Runnable>> answers = new HashMap<>();
        private final int epochs;
        private int lives;
        private int looked;
        private int fences;
        private boolean changedOver;
        private int replaced;

        private World(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.epochs = 1 + random.nextInt(3);
        }

        private void run() {
            for (int number = 1; number <= 2 + random.nextInt(2); number++) {
                PretendWorker worker = new PretendWorker(rig, "w" + number, 2, FILES);
                worker.busy(0.1);
                workers.put(worker.id(), worker);
                worker.beat();
            }
            int consumers = 1 + random.nextInt(2);
            rig.submit(
                    "job",
                    Rig.submit()
                            .setOrder("tolerant")
                            .setEpochs(epochs)
                            .setConsumers(consumers)
                            .build());
            for (int consumer = 0; consumer < consumers; consumer++) {
                clients.add(new PretendClient(rig, "job", consumer, workers, "c" + consumer + "-" + lives++));
            }
            for (int second = 0; second < MOST_SECONDS && !isOver(); second++) {
                answer(second);
                trouble(second);
                rig.seconds(1, workers.values(), clients.toArray(PretendClient[]::new));
            }
            judge();
            rig.close();
        }

        private boolean isOver() {
            return rig.status("job").getState() == JobState.COMPLETED
                    || rig.status("job").getState() == JobState.FAILED;
        }

        /** Who was asked to measure answers some seconds later, if its process is there then. */
        private void answer(int second) {
            List<WorkerCommand> sent = rig.everSent();
            for (; looked < sent.size(); looked++) {
                WorkerCommand command = sent.get(looked);
                String worker = command.getWorker();
                Runnable answer = null;
                if (command.getBody() instanceof ProfilePipeline asked) {
                    answer = () -> rig.measured(PipelineProfiled.newBuilder(OrderingTest.profiled(worker, asked))
                            .setIncarnation(command.getIncarnation())
                            .build());
                } else if (command.getBody() instanceof VerifyVariant asked) {
                    answer = () -> rig.measured(OrderingTest.verified(worker, asked)
                            .setIncarnation(command.getIncarnation())
                            .build());
                } else if (command.getBody() instanceof StartAttempt start) {
                    changedOver |= start.getPipelineDigest().equals("the-variant");
                }
                if (answer != null && random.nextInt(10) > 0) {
                    answers.computeIfAbsent(second + random.nextInt(5), none -> new ArrayList<>())
                            .add(answer);
                }
            }
            answers.getOrDefault(second, List.of()).forEach(Runnable::run);
            answers.remove(second);
        }

        private void trouble(int second) {
            for (PretendWorker worker : workers.values()) {
                if (backAt.getOrDefault(worker.id(), Integer.MAX_VALUE) <= second) {
                    backAt.remove(worker.id());
                    worker.restart();
                }
            }
            if (second >= TROUBLED_SECONDS) {
                return;
            }
            for (PretendWorker worker : workers.values()) {
                if (!worker.dead() && random.nextInt(40) == 0) {
                    worker.kill();
                    backAt.put(worker.id(), second + random.nextInt(15));
                } else if (!worker.dead() && random.nextInt(60) == 0) {
                    breaks(worker);
                }
            }
            if (random.nextInt(25) == 0) {
                rig.restart();
            }
            int now = (int) rig.journal().stream()
                    .filter(entry -> entry.getObservation().getKind().equals(JournalKind.ATTEMPT_LOST.text()))
                    .count();
            boolean fenced = now > fences;
            fences = now;
            if (random.nextInt(fenced ? 3 : 60) == 0) {
                replace(random.nextInt(clients.size()));
            }
        }

        /** An attempt that runs another order than the user's breaks. */
        private void breaks(PretendWorker worker) {
            for (WorkerCommand command : rig.everSent()) {
                if (command.getBody() instanceof StartAttempt start
                        && command.getWorker().equals(worker.id())
                        && start.getPipelineDigest().equals("the-variant")
                        && worker.attempt(new AttemptKey("job", start.getEpoch(), start.getAttempt()))
                                .isPresent()) {
                    AttemptProgress broken = ToldProgress.of(
                                    new AttemptKey("job", start.getEpoch(), start.getAttempt()))
                            .setPhase(AttemptPhase.FAILED)
                            .setAssignedThrough(0)
                            .setFailure(new AttemptFailure(FailureKind.REFUSED, "a record is no picture", 0L))
                            .build();
                    rig.beat(Rig.worker(worker.id(), 2)
                            .setIncarnation(command.getIncarnation())
                            .setAttempts(List.of(broken))
                            .build());
                    return;
                }
            }
        }

        /** Its process dies with a batch in its hands, and another says so. */
        private void replace(int which) {
            PretendClient before = clients.get(which);
            int consumer = before.consumer();
            dead.add(before);
            String incarnation = "c" + consumer + "-" + lives++;
            clients.set(which, new PretendClient(rig, "job", consumer, workers, incarnation));
            rig.replace("job", consumer, incarnation);
            replaced++;
        }

        private void judge() {
            assertThat(rig.status("job").getState())
                    .as("world %d: %s", seed, rig.status("job"))
                    .isEqualTo(JobState.COMPLETED);
            for (EpochProgress progress : rig.status("job").getProgress()) {
                Map<Long, Integer> given = new HashMap<>();
                List<PretendClient> all = new ArrayList<>(clients);
                all.addAll(dead);
                all.forEach(client -> client.given(progress.getEpoch())
                        .forEach((ticket, times) -> given.merge(ticket, times, Integer::sum)));
                assertThat(given)
                        .as("world %d, epoch %d", seed, progress.getEpoch())
                        .hasSize(ALL);
                long twice =
                        given.values().stream().mapToLong(times -> times - 1).sum();
                assertThat(twice)
                        .as("world %d, epoch %d: %s", seed, progress.getEpoch(), progress)
                        .isLessThanOrEqualTo(progress.getPossiblyTwice());
            }
            assertThat(rig.setAside()).as("world %d", seed).isEmpty();
        }
    }
}
