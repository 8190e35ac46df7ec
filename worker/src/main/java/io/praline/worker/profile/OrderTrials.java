package io.praline.worker.profile;

import io.praline.schema.PipelineProfiled;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.TimedPair;
import io.praline.schema.VariantVerified;
import io.praline.schema.VerifyVariant;
import io.praline.topics.Agreements;
import io.praline.topics.BoundedText;
import io.praline.worker.attempt.AttemptFailed;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.graph.ordering.Recipe;
import io.praline.worker.graph.ordering.RefusedRecipe;
import io.praline.worker.graph.ordering.Variants;
import io.praline.worker.planning.DataReader;
import io.praline.worker.planning.GraphFile;
import io.praline.worker.planning.Planner;
import io.praline.worker.storage.stage.StagedSplits;
import io.praline.worker.storage.stage.Staging;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.apache.avro.specific.SpecificRecord;
import org.tensorflow.proto.GraphDef;

/**
 * Answers what the dispatcher asks of the order of a pipeline's steps. Knows nothing between one request and the next. What is
 * wrong with the request, the pipeline or the data is an answer too.
 */
public final class OrderTrials {
    /** Of each of ten runs, beside attempts that have the same processors. */
    private static final SampleSize RUN = new SampleSize(300, Duration.ofMillis(300), Duration.ofMillis(1_500));

    /** Kafka's default limit for a record is 1 MiB. */
    private static final int MOST_BYTES = 512 << 10;

    private final Planner.Identity who;
    private final OpCatalogue catalogue;
    private final OpInference inference;
    private final int threads;
    private final Library pipelines;
    private final Staging staging;
    private final Optional<CacheStore> store;

    /** The pipelines of jobs. */
    public interface Library {
        /**
         * The pipeline of a digest.
         *
         * @throws AttemptFailed where it cannot be had
         */
        KnownPipeline of(String digest);

        /**
         * Where the graph of a digest lies, which the log has only the address of; empty where the log has it itself.
         *
         * @throws AttemptFailed where that cannot be told
         */
        Optional<Path> file(String digest);
    }

    /**
     * Another order of a pipeline.
     *
     * @param graph that runs
     * @param file in which it lies for others, where it is too large for the log
     */
    public record Variant(PipelineGraph graph, Optional<Path> file) {}

    /**
     * What is to be told.
     *
     * @param body for the dispatcher
     * @param variant for the other workers, beforehand
     */
    public record Answer(SpecificRecord body, Optional<Variant> variant) {
        private Answer(SpecificRecord body) {
            this(body, Optional.empty());
        }
    }

    /**
     * @param threads that an attempt has
     * @param staging where objects of stores come to lie
     * @param store where entries are kept; empty: nowhere
     */
    public OrderTrials(
            Planner.Identity who,
            OpCatalogue catalogue,
            OpInference inference,
            int threads,
            Library pipelines,
            Staging staging,
            Optional<CacheStore> store) {
        this.who = who;
        this.catalogue = catalogue;
        this.inference = inference;
        this.threads = threads;
        this.pipelines = pipelines;
        this.staging = staging;
        this.store = store;
    }

    /**
     * Cuts a pipeline and measures its steps.
     *
     * @throws CancellationException once it is cancelled, or {@link InterruptedException} where the thread is interrupted too
     */
    public Answer profile(ProfilePipeline request, Cancellation cancellation) throws InterruptedException {
        try (StagedSplits staged = staging.reading()) {
            DataReader reader = new DataReader(who.worker(), staged);
            KnownPipeline written = pipelines.of(request.getPipelineDigest());
            MeasuredSteps measured = MeasuredSteps.of(
                    written.graph(), inference, reader, SplitSample.of(request.getSample()), cancellation);
            if (measured.profile().records() == 0) {
                return failed(
                        request,
                        "no record of the sample was read within "
                                + SampleSize.USUAL.most().toSeconds() + " s");
            }
            CachePoints points = CachePoints.of(written.graph(), written.analysis(), request.getSeed());
            PipelineProfiled told = profiled(request)
                    .setSteps(StepRecords.steps(measured))
                    .setFactors(StepRecords.factors(measured))
                    .setRecords(measured.profile().records())
                    .setNanos(measured.profile().took().toNanos())
                    .setCallNanos(measured.profile().callNanos())
                    .setCachePoints(Planner.points(points))
                    .setCacheBlocked(BoundedText.reason(points.blocked()))
                    .setPointMeasures(PointMeasures.of(points, measured, store))
                    .setAllNanos(PointMeasures.allNanos(measured))
                    .build();
            int bytes = told.toByteBuffer().remaining();
            return bytes > MOST_BYTES
                    ? failed(request, "the pipeline's steps take " + bytes + " bytes to tell, more than " + MOST_BYTES)
                    : new Answer(told);
        } catch (AttemptFailed | RefusedPipeline | RefusedRecipe | SampleFailed | EngineFailure known) {
            return failed(request, known.getMessage());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** The answer to a request that came to nothing. */
    public Answer failed(ProfilePipeline request, String why) {
        return new Answer(profiled(request).setFailure(line(why)).build());
    }

    private PipelineProfiled.Builder profiled(ProfilePipeline request) {
        return PipelineProfiled.newBuilder()
                .setWorker(who.worker())
                .setIncarnation(who.incarnation())
                .setJob(request.getJob())
                .setTrial(request.getTrial())
                .setFailure("")
                .setSteps(List.of())
                .setFactors(List.of())
                .setRecords(0)
                .setNanos(0)
                .setCallNanos(0);
    }

    /**
     * Makes a variant and holds it against the pipeline itself: the very graph that others will read.
     *
     * @throws CancellationException once it is cancelled
     */
    public Answer verify(VerifyVariant request, Cancellation cancellation) {
        try (StagedSplits staged = staging.reading()) {
            KnownPipeline written = pipelines.of(request.getPipelineDigest());
            PipelineGraph made = new Variants(inference).apply(written.graph(), new Recipe(request.getSections()));
            if (made == written.graph()) {
                return failed(request, "nothing moves in that order");
            }
            Variant variant = written(made, request.getPipelineDigest());
            KnownPipeline known = new KnownPipeline(variant.graph(), PipelineAnalysis.of(variant.graph()));
            CachePoints points = CachePoints.of(variant.graph(), known.analysis(), request.getSeed());
            Verified seen = new Verifier(
                            new DataReader(who.worker(), staged),
                            written,
                            known,
                            RUN.within(Verifier.each(Duration.ofNanos(request.getNanos()), threads)),
                            threads,
                            cancellation)
                    .run(
                            SplitSample.of(request.getSample()),
                            request.getRecords(),
                            Duration.ofNanos(request.getNanos()));
            return new Answer(
                    verified(request)
                            .setVariantDigest(variant.graph().digest())
                            .setCachePoints(Planner.points(points))
                            .setCacheBlocked(BoundedText.reason(points.blocked()))
                            .setPairs(seen.pairs().stream()
                                    .map(pair -> new TimedPair(pair.usualNanos(), pair.variantNanos()))
                                    .toList())
                            .setElements(seen.elements())
                            .setMissing(seen.missing())
                            .setUnequal(seen.unequal())
                            .setLargestDifference(seen.largestDifference())
                            .build(),
                    Optional.of(variant));
        } catch (AttemptFailed | RefusedPipeline | RefusedRecipe | SampleFailed | EngineFailure known) {
            return failed(request, known.getMessage());
        }
    }

    /** As others will read it; a large one is written where the user's lies, which workers see under the same path. */
    private Variant written(PipelineGraph made, String pipeline) {
        GraphDef graph = made.written();
        int bytes = graph.getSerializedSize();
        if (bytes <= Agreements.INLINE_GRAPH_BYTES) {
            return new Variant(PipelineGraph.parse(graph.toByteString(), catalogue), Optional.empty());
        }
        Path folder = pipelines
                .file(pipeline)
                .filter(file -> file.getFileName().toString().startsWith(Agreements.GRAPH_FILE + "-"))
                .map(Path::getParent)
                .orElseThrow(() -> new RefusedRecipe("the pipeline in that order takes " + bytes
                        + " bytes, more than the " + Agreements.INLINE_GRAPH_BYTES
                        + " that the log takes, and the pipeline itself lies in no folder for graphs (--graph-dir)"));
        try {
            Path file = GraphFile.write(folder, graph);
            return new Variant(PipelineGraph.parse(GraphFile.read(file), catalogue), Optional.of(file));
        } catch (IOException e) {
            throw new RefusedRecipe("the pipeline in that order takes " + bytes + " bytes and cannot be put beside the"
                    + " pipeline itself in " + folder + ": " + e.getMessage());
        }
    }

    /** The answer to a request that came to nothing. */
    public Answer failed(VerifyVariant request, String why) {
        return new Answer(verified(request).setFailure(line(why)).build());
    }

    private VariantVerified.Builder verified(VerifyVariant request) {
        return VariantVerified.newBuilder()
                .setWorker(who.worker())
                .setIncarnation(who.incarnation())
                .setJob(request.getJob())
                .setTrial(request.getTrial())
                .setFailure("")
                .setVariantDigest("")
                .setPairs(List.of())
                .setElements(0)
                .setMissing(0)
                .setUnequal(0)
                .setLargestDifference(0);
    }

    private static String line(String why) {
        String line = why.strip().replaceAll("\\s*\\R\\s*", "; ");
        return BoundedText.reason(line.isEmpty() ? "no reason given" : line);
    }
}
