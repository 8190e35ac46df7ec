package io.praline.worker.profile;

import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.NodeMetrics;
import io.praline.worker.graph.task.TaskGraph;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

/**
 * What a graph did with some splits, which it was given at once. The queue behind them stays open: TensorFlow's model forgets
 * an iterator that has come to its end, so what was done is asked for again and again until nothing more happens.
 *
 * @param steps from the sources on
 * @param nanos from the first batch that was asked for until nothing more happened
 * @param pulls how many batches came
 * @param ended whether nothing more happened; false where the time was up before
 */
record SampleRun(List<NodeMetrics> steps, long nanos, long pulls, boolean ended) {
    /** Shorter runs are mostly their own beginning, and tell no rate. */
    private static final Duration TELLING = Duration.ofMillis(200);

    private static final long FIRST_RECORDS = 64;
    private static final long GROWTH = 8;

    private static final long LOOK_EVERY_MS = 10;

    /** Nothing more happens where nothing has for so long, and for so many times the longest pause until then. */
    private static final Duration STILL = Duration.ofMillis(60);

    private static final long PAUSES = 4;

    /** An op that does not come back from a cancellation is left to itself. */
    private static final long PATIENCE_MS = 10_000;

    SampleRun {
        steps = List.copyOf(steps);
    }

    /**
     * Runs it; the pulling is done by a thread of its own, which only a cancellation ends.
     *
     * @param records that one source has in these splits; empty where nobody knows
     * @throws EngineFailure if TensorFlow does not take the graph, or an element could not be made
     */
    static SampleRun of(TaskGraph graph, List<FeedSplit> splits, OptionalLong records, Duration most)
            throws InterruptedException {
        Cancellation cancellation = new Cancellation();
        GraphSession session = new GraphSession(graph, cancellation);
        Puller puller = new Puller(session);
        Thread pulling = new Thread(puller, "profile");
        pulling.setDaemon(true);
        try {
            splits.forEach(session::enqueue);
            ends(splits, session.readers()).forEach(session::enqueue);
            pulling.start();
            return watched(session, pulling, puller, records, most);
        } finally {
            cancellation.request();
            pulling.join(PATIENCE_MS);
            if (!pulling.isAlive()) {
                session.close();
            }
        }
    }

    /** Of each source one for each of its readers that holds nothing: who takes it has come to the end of those before. */
    private static List<FeedSplit> ends(List<FeedSplit> splits, int readers) {
        Map<Integer, FeedSplit> last = new TreeMap<>();
        splits.forEach(
                split -> last.put(split.source(), split.limited(0).taking(0).counted(0)));
        return last.values().stream()
                .flatMap(end -> Collections.nCopies(readers, end).stream())
                .toList();
    }

    private static SampleRun watched(
            GraphSession session, Thread pulling, Puller puller, OptionalLong records, Duration most)
            throws InterruptedException {
        long began = System.nanoTime();
        SampleRun seen = new SampleRun(List.of(), 0, 0, false);
        Reading reading = new Reading();
        long longestPause = 0;
        while (true) {
            pulling.join(LOOK_EVERY_MS);
            // asked before its failure, which it leaves behind when it ends
            boolean ended = !pulling.isAlive();
            puller.failure.ifPresent(failure -> {
                throw failure;
            });
            // asked before what was done: after it, what is done meanwhile would be missing
            boolean taken = session.queueSize() == 0;
            long now = System.nanoTime() - began;
            SampleRun next = new SampleRun(reading.with(session.metrics()), now, puller.pulls, false);
            if (next.elements() > seen.elements()) {
                longestPause = Math.max(longestPause, now - seen.nanos);
                seen = next;
            }
            long still = Math.max(STILL.toNanos(), PAUSES * longestPause);
            boolean allRead = records.isEmpty() || seen.records() >= records.getAsLong();
            boolean any = seen.elements() > 0 || records.equals(OptionalLong.of(0));
            boolean over = ended || (any && allRead && taken && now - seen.nanos > still);
            if (over || now >= most.toNanos()) {
                return new SampleRun(seen.steps, over ? seen.nanos : now, seen.pulls, over);
            }
        }
    }

    /** What a record takes, by runs that grow until they tell; warms TensorFlow up. */
    static double nanosPerRecord(TaskGraph graph, Sample sample, Duration most) throws InterruptedException {
        for (long records = FIRST_RECORDS; ; records *= GROWTH) {
            SampleRun run =
                    of(graph, Sample.upTo(sample.firsts(), records), Sample.records(sample.firsts(), records), most);
            if (run.tells() || !run.ended || !Sample.longerThan(sample.firsts(), records)) {
                return Math.max(1, (double) run.nanos / Math.max(1, run.records()));
            }
        }
    }

    /** Whether it was more than its own beginning, so that a rate can be told. */
    boolean tells() {
        return nanos >= TELLING.toNanos();
    }

    /** Records that were read. */
    long records() {
        return steps.stream()
                .filter(step -> step.bytesIn() == 0)
                .mapToLong(NodeMetrics::elements)
                .max()
                .orElse(0);
    }

    private long elements() {
        return steps.stream().mapToLong(NodeMetrics::elements).sum();
    }

    /**
     * What reading took, from look to look: the model forgets each file that was read to its end, and what was done to it since
     * the last look.
     */
    private static final class Reading {
        private final Map<String, Long> last = new HashMap<>();
        private final Map<String, Long> sum = new HashMap<>();

        List<NodeMetrics> with(List<NodeMetrics> steps) {
            return steps.stream()
                    .map(step -> step.bytesIn() == 0 ? summed(step) : step)
                    .toList();
        }

        private NodeMetrics summed(NodeMetrics step) {
            long before = last.getOrDefault(step.name(), 0L);
            last.put(step.name(), step.nanos());
            long nanos = sum.merge(step.name(), Math.max(0, step.nanos() - before), Long::sum);
            return new NodeMetrics(step.name(), step.kind(), step.elements(), step.bytesIn(), step.bytes(), nanos);
        }
    }

    /** Takes batch after batch and throws them away. Others look at how far it is. */
    private static final class Puller implements Runnable {
        private final GraphSession from;
        private volatile long pulls;
        private volatile Optional<RuntimeException> failure = Optional.empty();

        Puller(GraphSession from) {
            this.from = from;
        }

        @Override
        public void run() {
            long taken = 0;
            try {
                for (Optional<EngineBatch> next = from.next(); next.isPresent(); next = from.next()) {
                    next.get().close();
                    pulls = ++taken;
                }
            } catch (CancellationException timeIsUp) {
                // what was done until then was looked at before
            } catch (RuntimeException broken) {
                failure = Optional.of(broken);
            }
        }
    }
}
