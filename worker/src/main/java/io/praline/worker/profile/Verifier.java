package io.praline.worker.profile;

import io.praline.schema.Guarantee;
import io.praline.worker.attempt.KnownPipeline;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.profile.Verified.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Holds a variant of a pipeline against the pipeline itself, on a sample: how much faster it is, both run in turns as attempts
 * run them; and how far results are apart, both with the same draws. Draws must be stamped on what the variant is made of, so
 * that they follow from the ticket and from the place that an op had.
 */
public final class Verifier {
    private static final int PAIRS = 5;

    private final String worker;
    private final KnownPipeline pipeline;
    private final KnownPipeline variant;
    private final SampleSize size;
    private final TaskSettings settings;

    /**
     * @param worker who reads, for messages
     * @param pipeline in the user's order
     * @param size of each run
     * @param threads as many as an attempt has
     */
    public Verifier(String worker, KnownPipeline pipeline, KnownPipeline variant, SampleSize size, int threads) {
        this.worker = worker;
        this.pipeline = pipeline;
        this.variant = variant;
        this.size = size;
        boolean tracked = pipeline.tracked(Guarantee.EXACTLY_ONCE) && variant.tracked(Guarantee.EXACTLY_ONCE);
        this.settings = TaskSettings.of(threads).withTracked(tracked).withPack(true);
    }

    /**
     * Reads the sample, again and again.
     *
     * @param profile of the pipeline, by which it is known how much can be read
     * @throws SampleFailed where the sample cannot be read, or the variant fails on it
     */
    public Verified run(SplitSample splits, Profile profile) {
        Sample sample = Sample.of(worker, pipeline, splits, size.elements());
        double nanosPerRecord = Math.max(1, (double) profile.took().toNanos() / Math.max(1, profile.records()));
        long affordable = Math.max(1, (long) (size.most().toNanos() / nanosPerRecord));
        long telling = (long) (settings.threads() * size.least().toNanos() / nanosPerRecord);
        try {
            long compared = sample.limit(Math.min(size.elements(), affordable));
            Difference difference = difference(Sample.upTo(sample.parts(), compared));
            long timed = sample.limit(Math.min(Math.max(size.elements(), telling), affordable));
            return new Verified(
                    pairs(Sample.upTo(sample.parts(), timed)),
                    difference.elements(),
                    difference.missing(),
                    difference.unequal(),
                    difference.largest());
        } catch (EngineFailure failed) {
            throw sample.failed(failed, settings);
        }
    }

    private static TaskGraph graph(KnownPipeline of, TaskSettings settings) {
        return TaskGraphs.build(of.graph(), of.analysis(), settings);
    }

    /** Both at once, since neither's results have to be kept then. */
    private Difference difference(List<FeedSplit> feed) {
        Difference difference = new Difference();
        try (GraphSession first = started(graph(pipeline, settings), feed);
                GraphSession second = started(graph(variant, settings), feed)) {
            boolean more = true;
            while (more) {
                boolean one = pull(first, difference::first);
                boolean other = pull(second, difference::second);
                more = one || other;
            }
        }
        return difference;
    }

    /** The one that goes first is the other one each time. */
    private List<Pair> pairs(List<FeedSplit> feed) {
        TaskGraph usual = asAttempt(pipeline);
        TaskGraph other = asAttempt(variant);
        List<Pair> pairs = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            boolean usualFirst = pair % 2 == 0;
            long first = nanos(usualFirst ? usual : other, feed);
            long second = nanos(usualFirst ? other : usual, feed);
            pairs.add(usualFirst ? new Pair(first, second) : new Pair(second, first));
        }
        return pairs;
    }

    private TaskGraph asAttempt(KnownPipeline one) {
        return graph(one, settings.withCounted(settings.tracked() && one.counted(Guarantee.EXACTLY_ONCE, 0)));
    }

    private static long nanos(TaskGraph graph, List<FeedSplit> feed) {
        try (GraphSession session = started(graph, feed)) {
            long began = System.nanoTime();
            boolean more = true;
            while (more) {
                more = pull(session, batch -> {});
            }
            return Math.max(1, System.nanoTime() - began);
        }
    }

    private static GraphSession started(TaskGraph graph, List<FeedSplit> feed) {
        GraphSession session = new GraphSession(graph);
        try {
            feed.forEach(session::enqueue);
            session.allowTail();
            session.closeQueue();
            return session;
        } catch (RuntimeException broken) {
            session.close();
            throw broken;
        }
    }

    private static boolean pull(GraphSession from, Consumer<EngineBatch> into) {
        Optional<EngineBatch> next = from.next();
        next.ifPresent(batch -> {
            try (batch) {
                into.accept(batch);
            }
        });
        return next.isPresent();
    }
}
