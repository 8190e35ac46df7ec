package io.praline.worker.graph.source.opening;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Reads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Lets a task read several splits at a time, where the user's program reads several files at a time. In place of a source
 * that {@link BindSplits} made stands, under its name,
 *
 * <pre>
 *   ParallelInterleave(Range(0, readers), read, readers at a time, in any order)
 *
 *   read(number, captured tensors)  the source as it was: FlatMap(Map(Range(0, infinity), dequeue), open)
 * </pre>
 *
 * The readers share one queue of splits, each takes the next split when it has read one, and an element goes on as soon as
 * any of them has one. It holds nothing back while the queue is open, as an interleave behind the queue would: its own input
 * are the readers, which are all there at once. The elements of one split come in their order, and are the same. Comes behind
 * all passes that look into sources.
 */
public final class ReadInParallel implements Pass {
    /** TensorFlow's op that reads. */
    public static final String OP = "ParallelInterleaveDatasetV4";

    private static final String FILES = "_praline_reads";

    private static final String BLOCK = "_praline_reads_in_turn";

    /** Handing an element from thread to thread costs more than reading a small one: so they go by the handful. */
    private static final long LEAST_BLOCK = 8;

    /** Notes at a source how it is to be read. */
    static void mark(NodeDef.Builder source, Reads reads) {
        if (reads.files() > 1) {
            source.putAttr(FILES, Protos.number(reads.files())).putAttr(BLOCK, Protos.number(reads.block()));
        }
    }

    /** How many splits of one source are read at a time, of the source that has most. */
    public static int most(PipelineGraph pipeline) {
        return pipeline.nodes().values().stream()
                .mapToInt(node ->
                        (int) node.getAttrOrDefault(FILES, Protos.number(1)).getI())
                .max()
                .orElse(1);
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Map<String, FunctionDef> functions = new LinkedHashMap<>(pipeline.functions());
        for (NodeDef node : scope.nodes()) {
            if (BindSplits.isSource(node) && node.containsAttr(FILES)) {
                FunctionDef read = read(node, scope);
                functions.put(read.getSignature().getName(), read);
                scope.put(beside(node, read.getSignature().getName(), scope));
            }
        }
        return new PipelineGraph(scope.nodes(), functions.values(), pipeline.root(), pipeline.versions());
    }

    private static List<DataType> captured(NodeDef source) {
        return source.getAttrOrDefault("Targuments", AttrValue.getDefaultInstance())
                .getList()
                .getTypeList();
    }

    private static FunctionDef read(NodeDef source, Scope scope) {
        String open = source.getAttrOrThrow("f").getFunc().getName();
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder()
                .setName("praline_read_by_" + open)
                .setIsStateful(true)
                .addInputArg(Protos.arg("number", DataType.DT_INT64))
                .addOutputArg(Protos.arg("dataset", DataType.DT_VARIANT));
        NodeDef.Builder elements = source.toBuilder()
                .setName("elements")
                .removeAttr(FILES)
                .removeAttr(BLOCK)
                .clearInput()
                .addInput("splits:handle:0");
        for (DataType type : captured(source)) {
            String argument = "captured_" + signature.getInputArgCount();
            signature.addInputArg(Protos.arg(argument, type));
            elements.addInput(argument);
        }
        NodeDef splits = scope.node(Scope.nodeOf(source.getInput(0)));
        NodeDef numbers = scope.node(Scope.nodeOf(splits.getInput(0)));
        return function.addNodeDef(Protos.constant("first", Protos.int64(0)))
                .addNodeDef(Protos.constant("last", Protos.int64(Long.MAX_VALUE)))
                .addNodeDef(Protos.constant("step", Protos.int64(1)))
                .addNodeDef(numbers.toBuilder()
                        .setName("numbers")
                        .clearInput()
                        .addAllInput(List.of("first:output:0", "last:output:0", "step:output:0")))
                .addNodeDef(splits.toBuilder().setName("splits").clearInput().addInput("numbers:handle:0"))
                .addNodeDef(elements)
                .putRet("dataset", "elements:handle:0")
                .build();
    }

    private static NodeDef beside(NodeDef source, String read, Scope scope) {
        long files = source.getAttrOrThrow(FILES).getI();
        long block = Math.max(LEAST_BLOCK, source.getAttrOrThrow(BLOCK).getI());
        String readers = scope.addDataset(Protos.node(
                        scope.fresh("readers"),
                        "RangeDataset",
                        scope.constant("readers/first", Protos.int64(0)),
                        scope.constant("readers/last", Protos.int64(files)),
                        scope.constant("readers/step", Protos.int64(1)))
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))));
        List<ElementComponent> components = DatasetOps.components(source);
        NodeDef.Builder beside = Protos.node(source.getName(), OP, readers)
                .addAllInput(source.getInputList().subList(1, source.getInputCount()))
                .addInput(scope.constant("readers/cycle_length", Protos.int64(files)))
                .addInput(scope.constant("readers/block_length", Protos.int64(block)))
                .addInput(scope.constant("readers/buffer_output_elements", Protos.int64(2 * block)))
                .addInput(scope.constant("readers/prefetch_input_elements", Protos.int64(0)))
                .addInput(scope.constant("readers/num_parallel_calls", Protos.int64(files)))
                .putAttr("f", Protos.function(read))
                .putAttr("Targuments", Protos.types(captured(source)))
                .putAttr("deterministic", Protos.string("false"))
                .putAttr(FILES, Protos.number(files));
        if (source.containsAttr("metadata")) {
            beside.putAttr("metadata", source.getAttrOrThrow("metadata"));
        }
        DatasetOps.setComponents(beside, "output_types", components);
        return beside.build();
    }
}
