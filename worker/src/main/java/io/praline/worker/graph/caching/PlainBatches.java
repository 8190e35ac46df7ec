package io.praline.worker.graph.caching;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Sources;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/**
 * What a pipeline makes of the elements behind a cache point, where that is batches and nothing else: each a number of elements
 * in a row, whose components all have one size. Whoever has the elements as bytes can put them together without the graph.
 *
 * @param size elements of a batch
 * @param dropsRemainder whether a short last one does not come
 * @param layout how an element lies in an entry
 */
public record PlainBatches(int size, boolean dropsRemainder, EntryLayout layout) {
    /** From where on each component of a batch lies. */
    private static final int ALIGNED = 64;

    /** A larger one is left to the graph. */
    private static final long MOST_BYTES = 1L << 30;

    public PlainBatches {
        if (size < 1) {
            throw new IllegalArgumentException("size must be positive, is " + size);
        }
        if (layout.varying() > 0) {
            throw new IllegalArgumentException("components must all have one size");
        }
    }

    /**
     * Finds them.
     *
     * @param point the dataset node of a cache point of the pipeline
     * @return empty where anything else is done behind it
     */
    public static Optional<PlainBatches> behind(PipelineGraph written, String point) {
        PipelineGraph pipeline = new SpellOut().apply(written);
        Scope scope = pipeline.scope();
        Sources sources = Sources.of(pipeline);
        Optional<NodeDef> batch = Optional.empty();
        boolean behind = false;
        for (NodeDef node : sources.path()) {
            if (node.getName().equals(point)) {
                behind = true;
            } else if (behind && isBatch(node) && batch.isEmpty()) {
                batch = Optional.of(node);
            } else if (behind && !isPassed(node, sources)) {
                return Optional.empty();
            }
        }
        EntryLayout layout = EntryLayout.of(scope.components(point));
        return batch.flatMap(each -> DatasetOps.batchSize(each, scope)
                .filter(size -> layout.varying() == 0 && size >= 1 && bytes(layout, size) <= MOST_BYTES)
                .map(size -> new PlainBatches(
                        Math.toIntExact(size),
                        DatasetOps.dropsRemainder(each, scope).orElse(false),
                        layout)));
    }

    private static boolean isBatch(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.BATCH;
    }

    /** Whether batches pass a node as they are. One that sleeps is there for its time. */
    private static boolean isPassed(NodeDef node, Sources sources) {
        OpTraits traits = OpTraits.of(node);
        return sources.bypassed().contains(node.getName())
                || (traits.family() == OpTraits.Family.TRANSPARENT
                        && traits.drops() == OpTraits.Drops.NOTHING
                        && !node.getOp().endsWith("SleepDataset"));
    }

    private static long bytes(EntryLayout layout, long size) {
        long bytes = 0;
        for (EntryLayout.Field field : layout.fields()) {
            if (field.bytes() > 0 && size > MOST_BYTES / field.bytes()) {
                return Long.MAX_VALUE;
            }
            bytes += aligned(size * field.bytes());
        }
        return bytes;
    }

    private static long aligned(long at) {
        return (at + ALIGNED - 1) / ALIGNED * ALIGNED;
    }

    /** Bytes of a whole batch, in which components lie one behind the other; one at least. */
    public int bytes() {
        return Math.max(1, Math.toIntExact(bytes(layout, size)));
    }

    /** Where the components lie in a batch, each with room for a whole one. */
    public List<Integer> places() {
        List<Integer> places = new ArrayList<>();
        long at = 0;
        for (EntryLayout.Field field : layout.fields()) {
            places.add(Math.toIntExact(at));
            at += aligned((long) size * field.bytes());
        }
        return places;
    }

    /** The shape of a component in a batch of so many elements. */
    public static List<Long> shape(ElementComponent component, int elements) {
        List<Long> shape = new ArrayList<>();
        shape.add((long) elements);
        shape.addAll(component.shape());
        return shape;
    }
}
