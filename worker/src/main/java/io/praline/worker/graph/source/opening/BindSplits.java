package io.praline.worker.graph.source.opening;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Birth;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.Sources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;

/**
 * Lets splits come out of queues. Each source of the pipeline is replaced, under its own name, by
 *
 * <pre>
 *   FlatMap(Map(Range(0, infinity), dequeue), open)
 *
 *   dequeue()                       the next split of the source's queue; the queue's end ends the dataset
 *   open(split, captured tensors)   the dataset of one split's elements
 * </pre>
 *
 * A flat map and not the interleave that the user may have written: an interleave in front of an open queue waits for the
 * next split while it holds back the elements of those it has. In {@code open}, the node {@link #RECORDS} yields the
 * split's records as they are read; behind it stands what the user does to each file's records.
 *
 * <p>Where the user's program reads several files at a time, so does {@link ReadInParallel}, in the end.
 *
 * <p>Steps up to the last one that makes several elements of one belong to {@code open} too ({@link Birth}).
 *
 * <p>A {@code repeat} over the whole pipeline is taken out: epochs do its work. So is a {@code cache}, which would keep one
 * task's elements, and {@code assert_cardinality}, which would count them.
 */
public final class BindSplits implements Pass {
    /** The node in {@code open} that yields the split's records. */
    public static final String RECORDS = "praline_records";

    /** The attribute of a function that opens a split whose tickets number what comes out of it. */
    private static final String NUMBERED = "_praline_numbered";

    /** Marks a source that is read unsplit. */
    private static final String WHOLE = "_praline_whole";

    /** How the names of the functions that open a split begin. */
    private static final String OPEN = "praline_open_";

    /** Whether a dataset node yields what splits hold. */
    public static boolean isSource(NodeDef node) {
        return node.containsAttr("f")
                && node.getAttrOrThrow("f").getFunc().getName().startsWith(OPEN);
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Sources sources = Sources.of(pipeline);
        Scope scope = pipeline.scope();
        Map<String, FunctionDef> functions = new LinkedHashMap<>(pipeline.functions());
        String root = pipeline.root();
        for (String left : sources.bypassed()) {
            String input = scope.node(left).getInput(0);
            scope.redirect(left, input);
            root = Scope.nodeOf(root).equals(left) ? input : root;
        }
        ShortBatches.admit(scope, root);
        List<Birth> births = Birth.of(pipeline, sources);
        for (int k = 0; k < sources.found().size(); k++) {
            bind(sources.found().get(k), births.get(k), k, scope, functions);
        }
        return new PipelineGraph(scope.nodes(), functions.values(), root, pipeline.versions());
    }

    /** The nodes that are made once and cut by splits, of which every task sees all elements in one order. */
    public static Set<String> readAsAWhole(Scope scope) {
        Set<String> whole = new HashSet<>();
        List<String> open = new ArrayList<>();
        for (NodeDef node : scope.nodes()) {
            if (isSource(node)) {
                open.addAll(node.getInputList().subList(1, node.getInputCount()));
            }
        }
        while (!open.isEmpty()) {
            String name = Scope.nodeOf(open.remove(open.size() - 1));
            if (whole.add(name)) {
                open.addAll(scope.node(name).getInputList());
            }
        }
        return whole;
    }

    /** Whether a source is a dataset that is made once and read as one split. */
    public static boolean readsWhole(NodeDef source) {
        return source.containsAttr(WHOLE);
    }

    /** Whether what comes out of a source's splits is numbered, and not their records. */
    public static boolean isNumbered(FunctionDef open) {
        return open.containsAttr(NUMBERED);
    }

    private static void bind(
            FoundSource source, Birth birth, int number, Scope scope, Map<String, FunctionDef> functions) {
        NodeDef old = scope.node(source.node());
        FunctionDef.Builder open = new OpenFunction(OPEN + number, source, old, scope).from(functions).toBuilder();
        String prefix = "source_" + number + "/";
        String splits = splits(number, prefix, scope, functions);
        NodeDef.Builder read =
                Protos.node(birth.last(source), "FlatMapDataset", splits).putAttr("f", Protos.function(OPEN + number));
        List<DataType> captured = new ArrayList<>();
        if (source.how() == FoundSource.How.FUNCTION) {
            captured.addAll(old.getAttrOrDefault("Targuments", AttrValue.getDefaultInstance())
                    .getList()
                    .getTypeList());
            read.addAllInput(old.getInputList().subList(1, 1 + captured.size()));
        } else if (source.how() == FoundSource.How.SLICES) {
            read.addAllInput(old.getInputList());
            DatasetOps.components(old).forEach(component -> captured.add(component.dtype()));
        } else if (source.how() == FoundSource.How.WHOLE) {
            NodeDef once = old.toBuilder().setName(scope.fresh(prefix + "once")).build();
            read.addInput(scope.addDataset(once.toBuilder()));
            captured.add(DataType.DT_VARIANT);
            read.putAttr(WHOLE, Protos.bool(true));
        }
        if (birth.late()) {
            open.putAttr(NUMBERED, Protos.bool(true));
        }
        for (String step : birth.steps()) {
            takeIn(scope.node(step), scope, open, read, captured);
        }
        ReadInParallel.mark(read, source.reads());
        NodeDef last = scope.node(birth.last(source));
        if (birth.late()) {
            limitResult(open, DatasetOps.components(last));
            birth.children().count(scope, open, DatasetOps.components(last), functions, (ref, type) -> {
                read.addInput(ref);
                return captured(open, type, captured);
            });
        } else {
            limitRecords(open);
        }
        functions.put(OPEN + number, open.build());
        read.putAttr("Targuments", Protos.types(captured));
        DatasetOps.setComponents(read, "output_types", DatasetOps.components(last));
        if (last.containsAttr("metadata")) {
            read.putAttr("metadata", last.getAttrOrThrow("metadata"));
        }
        scope.put(read.build());
    }

    /**
     * Adds the dataset of the splits that come out of a queue, and gives its output.
     *
     * @param number of the queue
     * @param prefix of the names of nodes
     */
    public static String splits(int number, String prefix, Scope scope, Map<String, FunctionDef> functions) {
        FunctionDef dequeue = dequeue(number);
        functions.put(dequeue.getSignature().getName(), dequeue);
        String range = scope.addDataset(Protos.node(
                        scope.fresh(prefix + "range"),
                        "RangeDataset",
                        scope.constant(prefix + "first", Protos.int64(0)),
                        scope.constant(prefix + "last", Protos.int64(Long.MAX_VALUE)),
                        scope.constant(prefix + "step", Protos.int64(1)))
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))));
        return scope.addDataset(Protos.node(scope.fresh(prefix + "splits"), "MapDataset", range)
                .putAttr("f", Protos.function(dequeue.getSignature().getName()))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("output_types", Protos.types(SplitField.dtypes()))
                .putAttr("output_shapes", Protos.shapes(SplitField.shapes()))
                .putAttr("use_inter_op_parallelism", Protos.bool(true))
                // with true, the end of the queue would be an error
                .putAttr("preserve_cardinality", Protos.bool(false)));
    }

    private static void limitResult(FunctionDef.Builder open, List<ElementComponent> components) {
        String result = open.getSignature().getOutputArg(0).getName();
        NodeDef.Builder limited =
                Protos.node("praline_limited", "TakeDataset", open.getRetOrThrow(result), SplitField.LIMIT.argument());
        DatasetOps.setComponents(limited, "output_types", components);
        open.addNodeDef(limited).putRet(result, "praline_limited:handle:0");
    }

    /**
     * Lets no more records be read than asked for. Where nothing bounds them yet, the node that reads them gets another name, so
     * that all who use it use what is left of them.
     */
    private static void limitRecords(FunctionDef.Builder open) {
        NodeDef.Builder read = open.getNodeDefBuilderList().stream()
                .filter(node -> node.getName().equals(RECORDS))
                .findFirst()
                .orElseThrow();
        if (read.getInputList().contains(SplitField.TAKE.argument())) {
            return;
        }
        NodeDef.Builder limited =
                Protos.node(RECORDS, "TakeDataset", "praline_read:handle:0", SplitField.TAKE.argument());
        DatasetOps.setComponents(limited, "output_types", DatasetOps.components(read.build()));
        read.setName("praline_read");
        open.addNodeDef(limited);
    }

    /** Puts a dataset node behind the others in the function that opens a split; what it takes besides is captured. */
    private static void takeIn(
            NodeDef step, Scope scope, FunctionDef.Builder open, NodeDef.Builder read, List<DataType> captured) {
        String result = open.getSignature().getOutputArg(0).getName();
        String name = "praline_step_" + open.getNodeDefCount();
        NodeDef.Builder inside = step.toBuilder().setName(name).clearInput().addInput(open.getRetOrThrow(result));
        for (int i = 1; i < step.getInputCount(); i++) {
            Optional<TensorProto> constant = Constants.value(scope, step.getInput(i));
            if (constant.isPresent()) {
                String held = name + "_" + i;
                open.addNodeDef(Protos.constant(held, constant.get()));
                inside.addInput(held + ":output:0");
            } else {
                read.addInput(step.getInput(i));
                inside.addInput(captured(open, Birth.captured(step, i).orElseThrow(), captured));
            }
        }
        open.addNodeDef(inside).putRet(result, name + ":handle:0");
    }

    /** One more argument of the function that opens a split. */
    private static String captured(FunctionDef.Builder open, DataType type, List<DataType> captured) {
        String argument = "praline_captured_" + captured.size();
        open.getSignatureBuilder().addInputArg(Protos.arg(argument, type));
        captured.add(type);
        return argument;
    }

    static String queueName(int source) {
        return "praline_splits_" + source;
    }

    /** The queue of a source; every node of that shared name in a session is the same queue. */
    public static NodeDef.Builder queue(String name, int source) {
        return Protos.node(name, "FIFOQueueV2")
                .putAttr("component_types", Protos.types(SplitField.dtypes()))
                .putAttr("shapes", Protos.shapes(List.of()))
                .putAttr("capacity", Protos.number(-1))
                .putAttr("shared_name", Protos.string(queueName(source)))
                .putAttr("container", Protos.string(""));
    }

    private static FunctionDef dequeue(int source) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder()
                .setName("praline_dequeue_" + source)
                .setIsStateful(true)
                .addInputArg(Protos.arg("number", DataType.DT_INT64));
        function.addNodeDef(queue("queue", source));
        function.addNodeDef(Protos.node("dequeue", "QueueDequeueV2", "queue:handle:0")
                .putAttr("component_types", Protos.types(SplitField.dtypes()))
                .putAttr("timeout_ms", Protos.number(-1)));
        for (SplitField field : SplitField.values()) {
            function.putRet(field.nodeName(), "dequeue:components:" + signature.getOutputArgCount());
            signature.addOutputArg(Protos.arg(field.nodeName(), field.dtype()));
        }
        return function.build();
    }
}
