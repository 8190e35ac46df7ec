package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.GraphFaults;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Pipelines whose elements carry tickets, each of which holds together. */
final class Tracked {
    private Tracked() {}

    static PipelineGraph pipeline(IntegerGraph graph) {
        return pipeline(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP));
    }

    static PipelineGraph pipeline(String name) {
        return pipeline(new SpellOut().apply(Pipelines.parse(name)));
    }

    static PipelineGraph pipeline(PipelineGraph written) {
        PipelineGraph tracked = new TrackProvenance().apply(new BindSplits().apply(written));
        assertThat(GraphFaults.of(tracked)).isEmpty();
        return tracked;
    }

    /** A function that can be given batches of seven only, of which each number has another added to it. */
    static FunctionDef forSeven() {
        FunctionDef.Builder seven = FunctionDef.newBuilder()
                .addNodeDef(Protos.constant("more", Protos.int64s(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L))))
                .addNodeDef(Protos.sum("sum", "x", "more:output:0"))
                .putRet("sums", "sum:z:0");
        seven.getSignatureBuilder()
                .setName("seven")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addOutputArg(Protos.arg("sums", DataType.DT_INT64));
        return seven.build();
    }

    /** The shape of an element's tickets. */
    static List<Long> tickets(PipelineGraph tracked) {
        List<ElementComponent> components = tracked.components();
        ElementComponent last = components.get(components.size() - 1);
        assertThat(last.dtype()).isEqualTo(DataType.DT_INT64);
        assertThat(last.rankKnown()).isTrue();
        return last.shape();
    }

    /** The only node of an op in the graph and its functions. */
    static NodeDef only(PipelineGraph pipeline, String op) {
        List<NodeDef> found = Stream.concat(
                        pipeline.nodes().values().stream(),
                        pipeline.functions().values().stream().flatMap(function -> function.getNodeDefList().stream()))
                .filter(node -> node.getOp().equals(op))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    /** The only function whose name begins so. */
    static FunctionDef function(PipelineGraph pipeline, String name) {
        List<FunctionDef> found = functions(pipeline, name);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    static List<FunctionDef> functions(PipelineGraph pipeline, String name) {
        return pipeline.functions().values().stream()
                .filter(function -> function.getSignature().getName().startsWith(name))
                .toList();
    }

    /** The ops of what a dataset is made of, each with those of its inputs: {@code BatchDatasetV2(RangeDataset)}. */
    static String made(Scope scope, String ref) {
        Optional<NodeDef> node = scope.producer(ref);
        if (node.isEmpty()) {
            return ref;
        }
        String inputs = node.get().getInputList().stream()
                .filter(input -> !input.startsWith("^"))
                .filter(input -> scope.producer(scope.behindIdentities(input))
                        .filter(DatasetOps::isDataset)
                        .isPresent())
                .map(input -> made(scope, input))
                .collect(Collectors.joining(", "));
        return node.get().getOp() + (inputs.isEmpty() ? "" : "(" + inputs + ")");
    }

    /** The same of what a function yields. */
    static String made(FunctionDef function) {
        return made(
                Scope.ofFunction(function),
                function.getRetOrThrow(function.getSignature().getOutputArg(0).getName()));
    }
}
