package io.praline.worker.profile;

import io.praline.schema.Guarantee;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.NodeMetrics;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.analysis.Transformation;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.planning.DataReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what each step of a pipeline costs: runs the graph of an attempt, tickets and all, over a sample of a plan's splits,
 * with tf.data's own rewrites off so that each step has a node of its own. As much is read of each split of the sample, so
 * that all of them speak; how much that is follows from a short run beforehand, which also warms TensorFlow up.
 *
 * <p>On one thread, one element after the other: what steps cost is to be compared, and where several run at a time each waits
 * for a processor and for the others too, which TensorFlow counts as its work. A task's own threads share the same work; what
 * parallel maps cost besides, which for small elements is as much again, is not told.
 *
 * <p>Times are those of TensorFlow's model of the iterator, and one thing more: of a function that a map calls it counts what
 * the ops do and not the call, which for small elements is more. What is missing from the time that the sample took is shared
 * out evenly over the calls, as far as calls can cost so much, and a little of it to reading. Why not timed prefixes of the pipeline: what a cheap step costs is lost in the noise of the dear
 * one before it, and each step would need a run. How far the two are apart, {@code ProfileBenchmark} tells.
 */
public final class Profiler {
    /** So much more is read the second time than should be enough. */
    private static final double SPARE = 1.1;

    /** What the model does not tell of reading a record, in calls of a function: by {@code ProfileBenchmark}. */
    private static final double READING = 1 / 6.0;

    /** Of a call, on machines of 2025: in a run that is mostly its own beginning more is missing, and not because of calls. */
    private static final double USUAL_CALL_NANOS = 5_000;

    /** No call takes longer: what is missing beyond that went to other programs on the same processors. */
    private static final double MOST_CALL_NANOS = 50_000;

    private final DataReader reader;
    private final KnownPipeline pipeline;
    private final SampleSize size;
    private final TaskSettings settings;

    /** @param reader who reads */
    public Profiler(DataReader reader, KnownPipeline pipeline, SampleSize size) {
        this.reader = reader;
        this.pipeline = pipeline;
        this.size = size;
        this.settings = TaskSettings.of(1)
                .withTracked(pipeline.tracked(Guarantee.EXACTLY_ONCE))
                .withPack(true)
                .withProfile(true)
                .withRenaming(reader.renaming());
    }

    /**
     * Reads the sample.
     *
     * @throws SampleFailed where a file or a record of it cannot be read or processed
     */
    public Profile run(SplitSample splits) throws InterruptedException {
        return run(splits, new Cancellation());
    }

    /**
     * Reads the sample, unless this is cancelled and the thread interrupted.
     *
     * @throws SampleFailed where a file or a record of it cannot be read or processed
     */
    Profile run(SplitSample splits, Cancellation cancellation) throws InterruptedException {
        Sample sample = Sample.of(reader, pipeline, splits, size.elements(), cancellation);
        boolean counted = pipeline.counted(Guarantee.EXACTLY_ONCE, 0) && sample.counted();
        TaskGraph graph = TaskGraphs.build(pipeline.graph(), pipeline.analysis(), settings.withCounted(counted));
        try {
            long began = System.nanoTime();
            double nanosPerRecord =
                    SampleRun.nanosPerRecord(graph, sample, size.most().dividedBy(2));
            return profile(graph, sample, nanosPerRecord, System.nanoTime() - began);
        } catch (EngineFailure failed) {
            throw sample.failed(failed, settings);
        }
    }

    /** Reads as much as is wanted; once more where that took less time than expected, since TensorFlow was cold before. */
    private Profile profile(TaskGraph graph, Sample sample, double nanosPerRecord, long spent)
            throws InterruptedException {
        Duration left = longer(size.most().minusNanos(spent), size.least());
        long wanted = Math.max(size.elements(), (long) (size.least().toNanos() / nanosPerRecord));
        long limit = sample.limit(wanted);
        SampleRun run = read(graph, sample, limit, left);
        boolean tooSoon = run.ended() && run.nanos() < size.least().toNanos();
        if (tooSoon && run.records() > 0 && Sample.longerThan(sample.parts(), limit)) {
            double more = SPARE * size.least().toNanos() / Math.max(1, run.nanos());
            limit = sample.limit((long) (more * run.records()));
            run = read(graph, sample, limit, longer(left.minusNanos(run.nanos()), size.least()));
        }
        return profile(run, sample, limit);
    }

    /** However long it took to come so far, a run that tells nothing is worth nothing. */
    private static Duration longer(Duration left, Duration least) {
        return left.compareTo(least) > 0 ? left : least;
    }

    private static SampleRun read(TaskGraph graph, Sample sample, long limit, Duration most)
            throws InterruptedException {
        return SampleRun.of(graph, Sample.upTo(sample.parts(), limit), Sample.records(sample.parts(), limit), most);
    }

    private Profile profile(SampleRun run, Sample sample, long limit) {
        Map<String, Double> calls = calls(run.steps());
        long worked = run.steps().stream().mapToLong(NodeMetrics::nanos).sum();
        double called = calls.values().stream().mapToDouble(Double::doubleValue).sum();
        // what fetches a batch is a call like the others
        double missing = Math.max(0, (run.nanos() - worked) / Math.max(1, called + run.pulls()));
        double callNanos = callNanos(missing, run.tells());
        List<StepMeasure> steps = run.steps().stream()
                .map(step -> new StepMeasure(
                        step.name(),
                        step.elements(),
                        step.bytesIn(),
                        step.bytes(),
                        step.nanos() + (long) (callNanos * calls.get(step.name()))))
                .toList();
        return new Profile(
                steps,
                sample.parts().size(),
                run.records(),
                Duration.ofNanos(run.nanos()),
                size,
                run.ended(),
                sample.all() && !Sample.longerThan(sample.parts(), limit),
                callNanos);
    }

    /**
     * What a call costs.
     *
     * @param missing what a call would cost if all of the time that the model does not tell of went to calls
     * @param tells whether the run was long enough for that
     */
    static double callNanos(double missing, boolean tells) {
        return Math.min(missing, tells ? MOST_CALL_NANOS : USUAL_CALL_NANOS);
    }

    /** How often each step called its function; what is missing of reading counts as a part of a call. */
    private Map<String, Double> calls(List<NodeMetrics> steps) {
        Map<String, String> ops = new HashMap<>();
        for (Transformation one : pipeline.analysis().transformations()) {
            ops.put(one.name(), one.kind());
        }
        Map<String, Double> calls = new HashMap<>();
        long given = 0;
        for (NodeMetrics step : steps) {
            long called =
                    switch (OpTraits.of(ops.get(step.name())).family()) {
                        case MAP -> step.elements();
                        case FILTER -> given;
                        default -> 0;
                    };
            calls.put(step.name(), step.bytesIn() == 0 ? READING * step.elements() : called);
            given = step.elements();
        }
        return calls;
    }
}
