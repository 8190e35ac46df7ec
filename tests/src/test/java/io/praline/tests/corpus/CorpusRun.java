package io.praline.tests.corpus;

import io.praline.client.CacheMode;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.tests.rig.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** Runs programs through the shared cluster, several at a time, and writes down what came of each. One thread. */
final class CorpusRun implements AutoCloseable {
    private static final long FIRST_SEED = 11;
    private static final long SECOND_SEED = 12;
    private static final long DEATHS_SEED = 13;

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** What a slowed attempt takes, so that all jobs of a group hold while there is something left of each. */
    private static final Duration SLOWED = Duration.ofSeconds(6);

    /** What a slowed job takes at the most, however many epochs it has. */
    private static final Duration SLOWED_JOB = SLOWED.multipliedBy(2);

    private static final int TRIES = 3;

    /** That of the programs, which has what they read as {@code data}. */
    private static final Path FOLDER = Path.of("..", "worker", "src", "test", "resources", "pipelines")
            .toAbsolutePath()
            .normalize();

    private final Cluster cluster = Cluster.shared();
    private final PralineClient client = cluster.client();
    private final Results results;
    private final int atATime;
    private final ExecutorService loops = Executors.newCachedThreadPool();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /** @param atATime how many jobs run at the same time */
    CorpusRun(Results results, int atATime) {
        this.results = results;
        this.atATime = atATime;
    }

    /** Each with one seed and with another, those left out of which there is a result. */
    void withTwoSeeds(List<Program> programs) throws InterruptedException {
        withFirstSeed(programs);
        each(programs, Result.Kind.SECOND_SEED, SECOND_SEED, UnaryOperator.identity());
    }

    /** Each with the first of them, those left out of which there is a result. */
    void withFirstSeed(List<Program> programs) throws InterruptedException {
        each(programs, Result.Kind.FIRST_SEED, FIRST_SEED, UnaryOperator.identity());
    }

    /** Each while all that can be kept is, and again from what was kept; those left out of which there is a result. */
    void withEntries(List<Program> programs) throws InterruptedException {
        each(programs, Result.Kind.ENTRIES_MADE, FIRST_SEED, job -> job.cache(CacheMode.FULL));
        each(programs, Result.Kind.ENTRIES_READ, FIRST_SEED, job -> job.cache(CacheMode.FULL));
    }

    private void each(List<Program> programs, Result.Kind kind, long seed, UnaryOperator<JobSpec> how)
            throws InterruptedException {
        Deque<Program> left = new ArrayDeque<>(without(programs, kind));
        List<CompletableFuture<Void>> loop = new ArrayList<>();
        for (int i = 0; i < atATime; i++) {
            loop.add(CompletableFuture.runAsync(
                    () -> {
                        for (Optional<Program> next = next(left); next.isPresent(); next = next(left)) {
                            Program program = next.get();
                            Recorded recorded = program.recorded();
                            Ended ended = new Loop(recorded, Loop.FREE)
                                    .run(client, how.apply(job(program, program.graph(), seed)), clock, PATIENCE);
                            Verdict verdict = attended(Verdict.of(recorded, ended));
                            results.add(Result.of(program, kind, seed, verdict, ended));
                        }
                    },
                    loops));
        }
        CompletableFuture.allOf(loop.toArray(CompletableFuture[]::new)).join();
    }

    private static Optional<Program> next(Deque<Program> left) {
        synchronized (left) {
            return Optional.ofNullable(left.poll());
        }
    }

    private List<Program> without(List<Program> programs, Result.Kind done) {
        return programs.stream()
                .filter(program -> results.of(program, done).isEmpty())
                .toList();
    }

    /** A worker that ended by itself is wrong, whatever else came of the jobs that run now; it is started again. */
    private synchronized Verdict attended(Verdict verdict) {
        try {
            for (String worker : List.of(Cluster.FIRST_WORKER, Cluster.SECOND_WORKER)) {
                if (!cluster.process(worker).alive()) {
                    int code = cluster.process(worker).exitCode();
                    cluster.worker(worker);
                    return new Verdict(
                            Verdict.Outcome.WRONG,
                            "worker " + worker + " ended with code " + code + " while it ran; " + verdict.remark());
                }
            }
            return verdict;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return verdict;
        }
    }

    /**
     * Each while a worker is killed that delivers its batches; those left out of which there is a result, and those that have
     * none to deliver. How many batches there are is known from the run with the first seed.
     */
    void withDeaths(List<Program> programs) throws InterruptedException {
        List<Program> left = without(programs, Result.Kind.DEATH).stream()
                .filter(program -> results.of(program, Result.Kind.FIRST_SEED)
                        .filter(before -> before.batches() == 0)
                        .isEmpty())
                .toList();
        for (int tried = 1; tried <= TRIES && !left.isEmpty(); tried++) {
            List<Program> again = new ArrayList<>();
            for (int from = 0; from < left.size(); from += atATime) {
                again.addAll(die(left.subList(from, Math.min(left.size(), from + atATime)), tried == TRIES));
            }
            left = again;
        }
    }

    /**
     * Gives those that lost no attempt, or came to no end, unless it is the last try: then that is wrong. The sleep is in the way
     * of being cancelled: it holds its lock while it waits for its input, and a worker in which it does is stuck.
     */
    private List<Program> die(List<Program> group, boolean last) throws InterruptedException {
        List<Program> again = new ArrayList<>();
        AtomicBoolean stuck = new AtomicBoolean();
        Killing killing = new Killing(group.size());
        List<CompletableFuture<Void>> loop = new ArrayList<>();
        for (Program program : group) {
            Result before = results.of(program, Result.Kind.FIRST_SEED).orElseThrow();
            double ofTask = Math.max(1, before.batches() / (double) Math.max(1, before.tasks()));
            double each = ofTask / before.epochs();
            Killing.Held held =
                    killing.hold(each < 2 ? Optional.empty() : Optional.of((int) (before.tasks() * each / 3)));
            Duration sleep = Duration.ofNanos(
                    (long) Math.min(SLOWED.toNanos() / Math.max(1, each), SLOWED_JOB.toNanos() / ofTask));
            loop.add(CompletableFuture.runAsync(
                    () -> {
                        Recorded recorded = program.recorded();
                        JobSpec job = job(program, SlowedGraph.of(program.graph(), sleep), DEATHS_SEED);
                        Ended ended = new Loop(recorded, held).run(client, job, clock, PATIENCE.multipliedBy(2));
                        held.ended();
                        Verdict verdict = Verdict.of(recorded, ended);
                        boolean broke = ended.result().isEmpty() && verdict.outcome() == Verdict.Outcome.WRONG;
                        boolean unharmed = ended.result().isPresent() && !ended.lost();
                        stuck.compareAndSet(false, broke);
                        if ((broke || unharmed) && !last) {
                            synchronized (again) {
                                again.add(program);
                            }
                        } else {
                            Verdict whole = unharmed
                                    ? new Verdict(Verdict.Outcome.WRONG, "it lost no attempt; " + verdict.remark())
                                    : verdict;
                            results.add(Result.of(program, Result.Kind.DEATH, DEATHS_SEED, whole, ended));
                        }
                    },
                    loops));
        }
        Optional<String> victim = killing.kill(cluster);
        if (victim.isPresent()) {
            cluster.worker(victim.get());
        }
        CompletableFuture.allOf(loop.toArray(CompletableFuture[]::new)).join();
        if (stuck.get()) {
            startAnew();
        }
        return again;
    }

    private void startAnew() throws InterruptedException {
        for (String worker : List.of(Cluster.FIRST_WORKER, Cluster.SECOND_WORKER)) {
            cluster.process(worker).kill();
            cluster.worker(worker);
        }
    }

    private static JobSpec job(Program program, byte[] graph, long seed) {
        return JobSpec.of(graph)
                .directory(FOLDER)
                .named(program.name())
                .seed(seed)
                .policy("every-worker");
    }

    @Override
    public void close() {
        loops.shutdownNow();
        clock.shutdownNow();
        client.close();
    }
}
