package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Birth;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.Reads;
import io.praline.worker.graph.source.SourceKind;
import io.praline.worker.graph.source.Sources;
import io.praline.worker.graph.source.WholeBatches;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * How elements are counted that need not carry their tickets: where one source is read split after split, and every step
 * keeps the order and drops nothing without its number being known, the n-th element that comes out is the n-th that went in.
 *
 * @param batch how many elements the pipeline puts into a batch; 1 where it yields single elements
 * @param dropsRemainder whether a short last batch does not come
 */
public record Counting(long batch, boolean dropsRemainder) {
    public Counting {
        if (batch < 1) {
            throw new IllegalArgumentException("batch must be positive, is " + batch);
        }
    }

    /** Of a pipeline as the user wrote it; empty where each element must carry its ticket. */
    public static Optional<Counting> of(PipelineGraph pipeline) {
        Sources sources = Sources.of(pipeline);
        if (sources.found().size() != 1) {
            return Optional.empty();
        }
        FoundSource source = sources.found().get(0);
        if (source.reads().files() != Reads.ONE_BY_ONE.files()
                || Birth.of(pipeline, sources).get(0).late()
                || isDear(source)
                || !inOrder(pipeline)) {
            return Optional.empty();
        }
        return steps(pipeline.scope(), pipeline.functions(), source, sources);
    }

    /** Whether all of what a split holds must be read to count it: then reading would wait for the counting. */
    private static boolean isDear(FoundSource source) {
        return source.source().kind().match(DEAR);
    }

    private static final SourceKind.Cases<Boolean> DEAR = new SourceKind.Cases<>() {
        @Override
        public Boolean tfRecord(SourceKind.TfRecord files) {
            return !files.compression().isEmpty();
        }

        @Override
        public Boolean textLines(SourceKind.TextLines files) {
            return true;
        }

        @Override
        public Boolean fixedLength(SourceKind.FixedLength files) {
            return !files.compression().isEmpty();
        }

        @Override
        public Boolean fileNames(SourceKind.FileNames names) {
            return false;
        }

        @Override
        public Boolean integers(SourceKind.Integers range) {
            return false;
        }

        @Override
        public Boolean indexes(SourceKind.Indexes constant) {
            return false;
        }

        @Override
        public Boolean whole(SourceKind.Whole graph) {
            return true;
        }
    };

    private static Optional<Counting> steps(
            Scope scope, Map<String, FunctionDef> functions, FoundSource source, Sources sources) {
        Set<String> leftOut = new HashSet<>(sources.bypassed());
        leftOut.add(source.node());
        Optional<Counting> batched = Optional.empty();
        for (NodeDef node : sources.path()) {
            if (leftOut.contains(node.getName())) {
                continue;
            }
            OpTraits traits = OpTraits.of(node);
            switch (traits.family()) {
                case MAP, TRANSPARENT -> {
                    // short ones are held back by their tickets
                    boolean whole = traits.family() == OpTraits.Family.MAP
                            && WholeBatches.areWanted(
                                    node, functions, scope.components(node.getInput(0)), batched.map(Counting::batch));
                    if (whole || traits.drops() != OpTraits.Drops.NOTHING || !traits.keepsOrder()) {
                        return Optional.empty();
                    }
                }
                case UNBATCH -> {
                    if (EarlyBatches.undone(node, scope, functions).isEmpty()) {
                        return Optional.empty();
                    }
                    batched = Optional.empty();
                }
                case BATCH, PADDED_BATCH -> {
                    Optional<Long> size = DatasetOps.batchSize(node, scope);
                    if (batched.isPresent() || size.isEmpty()) {
                        return Optional.empty();
                    }
                    batched = Optional.of(new Counting(
                            size.get(), DatasetOps.dropsRemainder(node, scope).orElse(false)));
                }
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(batched.orElse(new Counting(1, false)));
    }

    /** Whether nothing in the pipeline and its functions draws, loses the order or leaves elements out. */
    private static boolean inOrder(PipelineGraph pipeline) {
        return pipeline.work().allMatch(Counting::inOrder);
    }

    private static boolean inOrder(NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        boolean drops = DatasetOps.isDataset(node)
                && (traits.family() == OpTraits.Family.FILTER || DatasetOps.ignoresErrors(node));
        return traits.draws() == OpTraits.Draws.NOTHING && !DatasetOps.losesOrder(node) && !drops;
    }
}
