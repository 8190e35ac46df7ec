package io.praline.dispatcher;

import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolSize;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.PlanSplits;
import io.praline.schema.StartAttempt;
import io.praline.schema.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a heartbeat costs in a job of ten attempts, of a thousand, of ten thousand, each on a worker of its own: the time in
 * the processor, without a broker, and with it that of starting them all. To run: {@code main}, from the class path of the
 * tests.
 */
public final class ManyAttemptsBenchmark {
    private static final int ROUNDS = 5;

    private ManyAttemptsBenchmark() {}

    /** Prints a line for each number of attempts: those of the arguments, else 10, 1,000 and 10,000. */
    public static void main(String[] args) {
        int[] sizes = args.length == 0
                ? new int[] {10, 1_000, 10_000}
                : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        for (int attempts : sizes) {
            try (Rig rig = rig()) {
                long from = System.nanoTime();
                List<Running> started = start(rig, attempts);
                double startSeconds = (System.nanoTime() - from) / 1e9;
                System.out.printf(
                        Locale.ROOT,
                        "%d attempts: started in %.1f s, a beat takes %.0f us%n",
                        started.size(),
                        startSeconds,
                        beatMicros(rig, started));
            }
        }
    }

    /** In a pool that may have as many workers as anybody wants. */
    static Rig rig() {
        return new Rig(new Rules(
                "every-worker",
                new FairShare(Duration.ofSeconds(30)),
                new PoolSize(0, 100_000, Duration.ofMinutes(1)),
                ProtocolLimits.USUAL));
    }

    /** An attempt, and the worker that it is on. */
    record Running(String worker, int attempt) {}

    /** Workers join, and each gets an attempt of the one job. */
    static List<Running> start(Rig rig, int attempts) {
        // so many records follow each other in little time
        rig.stamps((topic, millis) -> Instant.ofEpochMilli(millis / 10));
        rig.beat(Rig.worker("w0", 1).build());
        rig.submit("job", Rig.submit().setMaxRemote(attempts).build());
        rig.plan("job", (PlanSplits) rig.commands("w0").get(0), "w0", 100 * attempts);
        for (int worker = 1; worker < attempts; worker++) {
            rig.beat(Rig.worker("w" + worker, 1).build());
        }
        rig.pass(Duration.ofSeconds(5));
        List<Running> running = new ArrayList<>();
        for (WorkerCommand command : rig.allCommands()) {
            if (command.getBody() instanceof StartAttempt start) {
                running.add(new Running(command.getWorker(), start.getAttempt()));
            }
        }
        return running;
    }

    /** Median of some rounds' means. */
    private static double beatMicros(Rig rig, List<Running> started) {
        int beats = Math.max(200, Math.min(20_000, 2_000_000 / started.size()));
        beats(rig, started, beats);
        double[] rounds = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long from = System.nanoTime();
            beats(rig, started, beats);
            rounds[round] = (System.nanoTime() - from) / 1e3 / beats;
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    private static void beats(Rig rig, List<Running> started, int count) {
        for (int beat = 0; beat < count; beat++) {
            beat(rig, started.get(beat % started.size()));
        }
    }

    /** A worker's beat with its attempt, which has four splits ahead of it and has heard of all consumers. */
    static void beat(Rig rig, Running running) {
        rig.beat(Rig.worker(running.worker(), 1)
                .setAttempts(List.of(AttemptProgress.newBuilder()
                        .setJob("job")
                        .setEpoch(0)
                        .setAttempt(running.attempt())
                        .setPhase(AttemptPhase.RUNNING)
                        .setAssignedThrough(1)
                        .setUnopened(4)
                        .setMembership(1_000)
                        .setSplitSeconds(5)
                        .setOpened(List.of())
                        .setExcluded(List.of())
                        .setBatches(0)
                        .setElements(0)
                        .setBytes(0)
                        .setOutboxBytes(0)
                        .build()))
                .build());
    }
}
