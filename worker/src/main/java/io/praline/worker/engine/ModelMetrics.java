package io.praline.worker.engine;

import com.google.protobuf.InvalidProtocolBufferException;
import io.praline.worker.graph.source.opening.ReadInParallel;
import io.praline.worker.graph.task.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.data.model.Model.ModelProto;

/**
 * Matches TensorFlow's model of a running iterator to the transformations it runs: both are trees, walked from the root. Where
 * TensorFlow has fused transformations into one node, the last of them in the pipeline takes its numbers.
 */
final class ModelMetrics {
    private final Map<Long, ModelProto.Node> nodes;
    private final List<NodeMetrics> metrics = new ArrayList<>();
    private final Set<String> taken = new HashSet<>();

    private ModelMetrics(Map<Long, ModelProto.Node> nodes) {
        this.nodes = nodes;
    }

    static List<NodeMetrics> of(byte[] model, Stage root) {
        try {
            ModelProto proto = ModelProto.parseFrom(model);
            ModelMetrics walk = new ModelMetrics(proto.getNodesMap());
            if (proto.getNodesMap().containsKey(proto.getOutput())) {
                walk.visit(proto.getNodesOrThrow(proto.getOutput()), Optional.of(root));
            }
            return List.copyOf(walk.metrics);
        } catch (InvalidProtocolBufferException unreadable) {
            throw new IllegalStateException("TensorFlow's model of an iterator cannot be read", unreadable);
        }
    }

    private void visit(ModelProto.Node node, Optional<Stage> from) {
        Optional<Stage> stage = from.flatMap(at -> match(node.getName(), at));
        List<Stage> next = stage.or(() -> from).map(Stage::inputs).orElse(List.of());
        if (stage.isPresent() && isFused(node.getName()) && next.size() == 1) {
            // the map that went into the batch has no node of its own
            next = next.get(0).inputs();
        }
        if (stage.isEmpty() && from.isPresent()) {
            next = List.of(from.get());
        }
        boolean source = stage.map(ModelMetrics::readsSplits).orElse(false);
        if (!source) {
            for (int i = 0; i < node.getInputsCount(); i++) {
                Optional<Stage> input = i < next.size() ? Optional.of(next.get(i)) : Optional.empty();
                ModelProto.Node below = nodes.get(node.getInputs(i));
                if (below != null && (input.isPresent() || i == 0)) {
                    visit(below, input);
                }
            }
        }
        stage.flatMap(Stage::transformation)
                .filter(taken::add)
                .ifPresent(name -> metrics.add(new NodeMetrics(
                        name,
                        node.getName(),
                        node.getNumElements(),
                        source ? 0 : node.getBytesConsumed(),
                        node.getBytesProduced(),
                        nanos(node, source))));
    }

    /** A source's time is that of all it opens: the files lie below it, one node each. */
    private long nanos(ModelProto.Node node, boolean withInputs) {
        long nanos = node.getProcessingTime();
        if (withInputs) {
            for (int i = 0; i < node.getInputsCount(); i++) {
                ModelProto.Node below = nodes.get(node.getInputs(i));
                nanos += below == null ? 0 : nanos(below, true);
            }
        }
        return nanos;
    }

    private static boolean readsSplits(Stage stage) {
        if (stage.inputs().isEmpty() || stage.inputs().get(0).transformation().isPresent()) {
            return false;
        }
        String from = stage.inputs().get(0).op();
        return (stage.op().equals("FlatMapDataset") && from.equals("MapDataset"))
                || (stage.op().equals(ReadInParallel.OP) && from.equals("RangeDataset"));
    }

    /** The nearest stage from here towards the sources that a node of TensorFlow's can be. */
    private static Optional<Stage> match(String name, Stage from) {
        Stage at = from;
        while (true) {
            if (isClassOf(name, at.op())) {
                return Optional.of(at);
            }
            if (at.inputs().size() != 1) {
                return Optional.empty();
            }
            at = at.inputs().get(0);
        }
    }

    private static boolean isFused(String name) {
        return name.startsWith("MapAndBatch");
    }

    /** {@code ParallelMapV2} for {@code ParallelMapDatasetV2}, with or without a version, or fused with a batch. */
    private static boolean isClassOf(String name, String op) {
        String node = name.replaceAll("V\\d+$", "").replaceAll(":.*$", "");
        String stem = op.replaceAll("V\\d+$", "").replaceAll("Dataset$", "");
        return node.equals(stem) || (isFused(node) && stem.endsWith("Batch")) || node.equals("Parallel" + stem);
    }
}
