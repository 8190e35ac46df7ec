package io.praline.worker.profile;

import io.praline.schema.Guarantee;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.planning.DataReader;
import io.praline.worker.profile.Verified.Pair;
import java.time.Duration;
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

    /** Both orders once to be compared, and in each pair. */
    private static final int RUNS = 2 + 2 * PAIRS;

    /** What a job is to lose to measuring and trying: a tenth of its first minute. */
    private static final Duration TO_LOSE = Duration.ofSeconds(6);

    /** A shorter run is its own beginning. */
    private static final Duration LEAST = Duration.ofMillis(100);

    /** Of batches that wait to be compared: those of both orders come at the same time, about. */
    private static final long KEPT_BYTES = 1L << 30;

    private final DataReader reader;
    private final KnownPipeline pipeline;
    private final KnownPipeline variant;
    private final SampleSize size;
    private final TaskSettings settings;
    private final Cancellation cancellation;

    /**
     * @param reader who reads
     * @param pipeline in the user's order
     * @param size of each run
     * @param threads as many as an attempt has
     * @param cancellation ends the reading
     */
    public Verifier(
            DataReader reader,
            KnownPipeline pipeline,
            KnownPipeline variant,
            SampleSize size,
            int threads,
            Cancellation cancellation) {
        this.reader = reader;
        this.pipeline = pipeline;
        this.variant = variant;
        this.size = size;
        this.cancellation = cancellation;
        boolean tracked = pipeline.tracked(Guarantee.EXACTLY_ONCE) && variant.tracked(Guarantee.EXACTLY_ONCE);
        this.settings =
                TaskSettings.of(threads).withTracked(tracked).withPack(true).withRenaming(reader.renaming());
    }

    /**
     * How much work each run may be, in the time of one processor, so that all of them and the profile before them take no
     * more of the job's processors than it is to lose.
     *
     * @param profiled what reading the profile's sample took: it was read once more to warm up
     * @param threads as many as the job's attempts have, which work meanwhile
     */
    static Duration each(Duration profiled, int threads) {
        Duration profile = profiled.multipliedBy(2).compareTo(SampleSize.USUAL.most()) < 0
                ? profiled.multipliedBy(2)
                : SampleSize.USUAL.most();
        Duration each = TO_LOSE.multipliedBy(threads).minus(profile).dividedBy(RUNS);
        return each.compareTo(LEAST) < 0 ? LEAST : each;
    }

    /**
     * Reads the sample, again and again.
     *
     * @param records that were read when the pipeline was profiled
     * @param took reading them; by both it is known how much can be read
     * @throws VariantFailed where the variant fails on the sample, and the user's order does not
     * @throws SampleFailed where the sample cannot be read
     */
    public Verified run(SplitSample splits, long records, Duration took) {
        Sample sample = Sample.of(reader, pipeline, splits, size.elements(), cancellation);
        double nanosPerRecord = Math.max(1, (double) took.toNanos() / Math.max(1, records));
        long affordable = Math.max(1, (long) (size.most().toNanos() / nanosPerRecord));
        long telling = (long) (settings.threads() * size.least().toNanos() / nanosPerRecord);
        long compared = sample.limit(Math.min(size.elements(), affordable));
        long timed = sample.limit(Math.min(Math.max(size.elements(), telling), affordable));
        List<FeedSplit> some = Sample.upTo(sample.parts(), compared);
        List<FeedSplit> more = Sample.upTo(sample.parts(), timed);
        try {
            return verified(some, more, true);
        } catch (EngineFailure failed) {
            Optional<EngineFailure> byItself = failure(some, true).or(() -> failure(more, true));
            if (byItself.isEmpty()) {
                throw new VariantFailed(failed);
            }
            // a sample ends anywhere, and the user's data where batches are whole ones
            if (failure(some, false).or(() -> failure(more, false)).isPresent()) {
                throw sample.failed(byItself.get(), settings);
            }
        }
        try {
            return verified(some, more, false);
        } catch (EngineFailure failed) {
            throw new VariantFailed(failed);
        }
    }

    private Verified verified(List<FeedSplit> some, List<FeedSplit> more, boolean tail) {
        Compared difference = compared(some, tail);
        return new Verified(
                pairs(more, tail),
                difference.elements(),
                difference.missing(),
                difference.unequal(),
                difference.largestDifference());
    }

    /** How the user's order fails, if it does. */
    private Optional<EngineFailure> failure(List<FeedSplit> feed, boolean tail) {
        try {
            nanos(graph(pipeline, settings), feed, tail);
            return Optional.empty();
        } catch (EngineFailure failed) {
            return Optional.of(failed);
        }
    }

    private static TaskGraph graph(KnownPipeline of, TaskSettings settings) {
        return TaskGraphs.build(of.graph(), of.analysis(), settings);
    }

    private record Compared(long elements, long missing, long unequal, double largestDifference) {}

    /**
     * Both at once, and the one that is behind first: little has to be kept then. Splits are read one after the other: what a
     * batch draws or is padded to hangs on what shares it, which would be chance.
     *
     * @param tail whether a batch may be short in front of what takes whole ones
     */
    private Compared compared(List<FeedSplit> feed, boolean tail) {
        TaskSettings alike = settings.withSideBySide(false);
        try (GraphSession first = started(graph(pipeline, alike), feed, tail);
                GraphSession second = started(graph(variant, alike), feed, tail);
                Difference difference = new Difference(KEPT_BYTES)) {
            boolean firstHasMore = true;
            boolean secondHasMore = true;
            while (firstHasMore || secondHasMore) {
                if (secondHasMore && (!firstHasMore || difference.secondIsBehind())) {
                    secondHasMore = pull(second, difference::second);
                } else {
                    firstHasMore = pull(first, difference::first);
                }
            }
            return new Compared(
                    difference.elements(), difference.missing(), difference.unequal(), difference.largest());
        }
    }

    /** The one that goes first is the other one each time. */
    private List<Pair> pairs(List<FeedSplit> feed, boolean tail) {
        TaskGraph usual = asAttempt(pipeline);
        TaskGraph other = asAttempt(variant);
        List<Pair> pairs = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            boolean usualFirst = pair % 2 == 0;
            long first = nanos(usualFirst ? usual : other, feed, tail);
            long second = nanos(usualFirst ? other : usual, feed, tail);
            pairs.add(usualFirst ? new Pair(first, second) : new Pair(second, first));
        }
        return pairs;
    }

    private TaskGraph asAttempt(KnownPipeline one) {
        return graph(one, settings.withCounted(settings.tracked() && one.counted(Guarantee.EXACTLY_ONCE, 0)));
    }

    private long nanos(TaskGraph graph, List<FeedSplit> feed, boolean tail) {
        try (GraphSession session = started(graph, feed, tail)) {
            long began = System.nanoTime();
            boolean more = true;
            while (more) {
                more = pull(session, EngineBatch::close);
            }
            return Math.max(1, System.nanoTime() - began);
        }
    }

    private GraphSession started(TaskGraph graph, List<FeedSplit> feed, boolean tail) {
        GraphSession session = new GraphSession(graph, cancellation);
        try {
            feed.forEach(session::enqueue);
            if (tail) {
                session.allowTail();
            }
            session.closeQueue();
            return session;
        } catch (RuntimeException broken) {
            session.close();
            throw broken;
        }
    }

    private static boolean pull(GraphSession from, Consumer<EngineBatch> into) {
        Optional<EngineBatch> next = from.next();
        next.ifPresent(into);
        return next.isPresent();
    }
}
