package io.praline.deploy.sample;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Consumes a job as training loops would: takes a batch, pretends to work on it, takes the next.
 *
 * @param consumers how many loops share the job, a thread each
 * @param step how long a loop works on a batch
 * @param warmUp what comes in this time after the first batch is not counted: JVMs that have just started are slow
 * @param enough ends the loops before the job's end; the job is then cancelled. Zero: never
 * @param meters read at the first batch and at the last, such as the processor time of a worker
 */
public record Trainer(int consumers, Duration step, Duration warmUp, Duration enough, List<LongSupplier> meters) {

    private static final long TELL_NANOS = Duration.ofMillis(200).toNanos();

    public Trainer {
        if (consumers < 1) {
            throw new IllegalArgumentException("consumers must be at least 1, is " + consumers);
        }
        if (step.isNegative()) {
            throw new IllegalArgumentException("a step must not be negative, is " + step);
        }
        meters = List.copyOf(meters);
    }

    public static Trainer of(int consumers, Duration step) {
        return new Trainer(consumers, step, Duration.ZERO, Duration.ZERO, List.of());
    }

    /**
     * What the loops saw together.
     *
     * @param result of the first consumer, with the ledger's numbers
     * @param elements over all epochs and consumers
     * @param seconds from the first batch of any that was counted to the last of any
     * @param metered how far each meter went in that time
     */
    public record Outcome(
            JobResult result,
            long elements,
            long batches,
            long bytes,
            double seconds,
            double firstBatchMs,
            double endWaitMs,
            List<Long> metered) {

        public double elementsPerSecond() {
            return seconds > 0 ? elements / seconds : 0;
        }

        public double mbPerSecond() {
            return seconds > 0 ? bytes / 1e6 / seconds : 0;
        }
    }

    /** One loop's share. */
    private record Taken(
            JobResult result,
            long elements,
            long batches,
            long bytes,
            long firstNanos,
            long countedFromNanos,
            long lastNanos,
            List<Long> metered) {}

    /**
     * Runs the job to its end.
     *
     * @param told gets the job's status as it changes and how many elements were taken; on the first consumer's thread, and
     *     each second on another one, since the loop may wait for long
     */
    public Outcome train(PralineClient client, JobSpec spec, Consumer<Moment> told) throws InterruptedException {
        long submittedNanos = System.nanoTime();
        LongAdder elements = new LongAdder();
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService others = Executors.newCachedThreadPool(Trainer::daemon);
        try (BatchStream first = client.submit(spec.consumers(consumers))) {
            List<Future<Taken>> loops = new ArrayList<>();
            for (int consumer = 1; consumer < consumers; consumer++) {
                int number = consumer;
                loops.add(others.submit(() -> {
                    try (BatchStream stream = client.attach(first.job(), number)) {
                        return loop(stream, elements, stop, moment -> {});
                    }
                }));
            }
            List<Taken> all = new ArrayList<>();
            all.add(told(first, elements, stop, told));
            for (Future<Taken> loop : loops) {
                all.add(loop.get());
            }
            return together(all, submittedNanos);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } finally {
            stop.set(true);
            others.shutdownNow();
        }
    }

    /**
     * Takes a consumer's place in a job that is there, and consumes its share to the end.
     *
     * @param replace whether the process that had the place before is known to be dead
     */
    public Outcome attend(PralineClient client, String job, int consumer, boolean replace, Consumer<Moment> told)
            throws InterruptedException {
        long askedNanos = System.nanoTime();
        try (BatchStream stream = client.attach(job, consumer, replace)) {
            return together(List.of(told(stream, new LongAdder(), new AtomicBoolean(), told)), askedNanos);
        }
    }

    /**
     * How it stands.
     *
     * @param elements taken so far by all loops
     */
    public record Moment(Optional<JobStatus> status, long elements) {

        /** Elements over all epochs, by what is counted so far; -1 while nothing is. */
        long expected() {
            long counted = 0;
            long epochs = 0;
            for (EpochProgress epoch : status.map(JobStatus::getProgress).orElse(List.of())) {
                long excluded = epoch.getExcluded().stream()
                        .mapToLong(Exclusion::getElements)
                        .sum();
                counted = Math.max(counted, epoch.getElements() - excluded);
                epochs = status.orElseThrow().getEpochs();
            }
            return counted == 0 ? -1 : counted * epochs;
        }

        /** What to say of it in a word or two. */
        String inWords() {
            return status.map(known -> known.getState() == JobState.RUNNING
                            ? known.getAttempts().stream()
                                            .filter(place -> !place.getFenced())
                                            .map(place -> place.getWorker())
                                            .distinct()
                                            .count()
                                    + " at work"
                            : known.getState() + (known.getReason().isEmpty() ? "" : ": " + known.getReason()))
                    .orElse("submitted");
        }
    }

    private Taken told(BatchStream stream, LongAdder elements, AtomicBoolean stop, Consumer<Moment> told)
            throws InterruptedException {
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Trainer::daemon);
        try {
            // it goes on until it is shut down
            Future<?> unused = clock.scheduleWithFixedDelay(
                    () -> told.accept(new Moment(stream.status(), elements.sum())), 1, 1, TimeUnit.SECONDS);
            return loop(stream, elements, stop, told);
        } finally {
            clock.shutdownNow();
        }
    }

    private Taken loop(BatchStream stream, LongAdder elements, AtomicBoolean stop, Consumer<Moment> told)
            throws InterruptedException {
        long firstNanos = 0;
        long countedFromNanos = 0;
        long lastNanos = 0;
        long toldNanos = 0;
        boolean warm = warmUp.isZero();
        List<Long> atFirst = read();
        long taken = 0;
        long batches = 0;
        long bytes = 0;
        told.accept(new Moment(stream.status(), 0));
        while (!stop.get() && stream.hasNext()) {
            try (Batch batch = stream.next()) {
                lastNanos = System.nanoTime();
                long count = batch.elements();
                if (firstNanos == 0) {
                    firstNanos = lastNanos;
                    countedFromNanos = lastNanos;
                    atFirst = read();
                } else if (!warm && lastNanos - firstNanos > warmUp.toNanos()) {
                    warm = true;
                    countedFromNanos = lastNanos;
                    atFirst = read();
                    taken = 0;
                    batches = 0;
                    bytes = 0;
                }
                taken += count;
                batches++;
                bytes += batch.bytes();
                elements.add(count);
                if (!step.isZero()) {
                    TimeUnit.NANOSECONDS.sleep(step.toNanos());
                }
            }
            if (lastNanos - toldNanos > TELL_NANOS) {
                toldNanos = lastNanos;
                told.accept(new Moment(stream.status(), elements.sum()));
                if (!enough.isZero() && lastNanos - countedFromNanos > enough.toNanos()) {
                    stop.set(true);
                }
            }
        }
        List<Long> atLast = read();
        told.accept(new Moment(stream.status(), elements.sum()));
        return new Taken(
                stream.result(),
                taken,
                batches,
                bytes,
                firstNanos,
                countedFromNanos,
                lastNanos,
                difference(atFirst, atLast));
    }

    private static Outcome together(List<Taken> all, long submittedNanos) {
        List<Taken> some = all.stream().filter(one -> one.batches() > 0).toList();
        long first = some.stream().mapToLong(Taken::firstNanos).min().orElse(submittedNanos);
        long from = some.stream().mapToLong(Taken::countedFromNanos).min().orElse(first);
        long last = some.stream().mapToLong(Taken::lastNanos).max().orElse(first);
        return new Outcome(
                all.get(0).result(),
                all.stream().mapToLong(Taken::elements).sum(),
                all.stream().mapToLong(Taken::batches).sum(),
                all.stream().mapToLong(Taken::bytes).sum(),
                (last - from) / 1e9,
                (first - submittedNanos) / 1e6,
                all.stream()
                        .mapToDouble(one -> one.result().taken().endWaitMs())
                        .max()
                        .orElse(0),
                all.get(0).metered());
    }

    private List<Long> read() {
        return meters.stream().map(LongSupplier::getAsLong).toList();
    }

    private static List<Long> difference(List<Long> from, List<Long> to) {
        return IntStream.range(0, from.size())
                .mapToObj(at -> to.get(at) - from.get(at))
                .toList();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "consumer");
        thread.setDaemon(true);
        return thread;
    }
}
