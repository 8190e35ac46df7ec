package io.praline.worker.graph.caching;

import com.google.protobuf.ByteString;
import io.praline.identity.Ticket;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.source.opening.SplitField;
import io.praline.worker.graph.ticket.Told;
import io.praline.worker.graph.ticket.WantedRecords;
import io.praline.worker.graph.ticket.WidenedFunctions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Lets the splits of one attempt come to a cache point on two roads. In place of the dataset node at the point stands
 *
 * <pre>
 *   ParallelInterleave(Range(0, 2), road, both at a time, in any order)
 *
 *   road(0)      what the node yields, each element written into a queue too where elements are to be kept
 *   road(1)      FlatMap(Map(Range(0, infinity), dequeue), read)       another queue, of entries
 *   read(entry)  its elements, with the tickets that they had when they were kept
 * </pre>
 *
 * Whichever has an element gives it on, so that a road whose queue is empty holds nobody back, and both end when both queues
 * are closed. Comes behind the passes that carry tickets and draw, whose last component the ticket is.
 *
 * @param node the dataset node at the point
 * @param queue the number of the queue of entries, one more than the last source's
 * @param keeps whether what is computed is written into the queue {@link #KEPT} too
 */
public record CacheRoads(String node, int queue, boolean keeps) implements Pass {
    /** The shared name of the queue of elements that are to be kept: their components as bytes, then the ticket. */
    private static final String KEPT = "praline_kept";

    /** Elements go from thread to thread by the handful. */
    private static final long BLOCK = 8;

    /** What one read of an entry takes from its file. */
    private static final long READ_BYTES = 1 << 20;

    /** What may wait to be written. */
    private static final long WAITING_BYTES = 32 << 20;

    private static final long MOST_WAITING = 4_096;

    /** Where nobody knows how large elements are. */
    private static final long FEW_WAITING = 64;

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        WidenedFunctions functions = new WidenedFunctions(pipeline.functions());
        List<ElementComponent> components = scope.components(node);
        EntryLayout layout = layout(components);
        String computed = scope.fresh("computed");
        String met = scope.fresh("met");
        scope.redirect(node, met);
        String from = node;
        if (keeps) {
            tellBefore(scope, functions);
            from = scope.addDataset(typed(
                    Protos.node(computed, "MapDataset", node)
                            .putAttr("f", Protos.function(functions.add(kept(functions, components, layout))))
                            .putAttr("Targuments", Protos.types(List.of()))
                            // the executor of one thread knows no switches
                            .putAttr("use_inter_op_parallelism", Protos.bool(true))
                            .putAttr("preserve_cardinality", Protos.bool(true)),
                    components));
        }
        Map<String, FunctionDef> dequeue = new LinkedHashMap<>();
        String entries = BindSplits.splits(queue, "entries/", scope, dequeue);
        dequeue.values().forEach(functions::add);
        String cached = scope.addDataset(typed(
                Protos.node(scope.fresh("cached"), "FlatMapDataset", entries)
                        .putAttr("f", Protos.function(functions.add(read(functions, components, layout))))
                        .putAttr("Targuments", Protos.types(List.of())),
                components));
        scope.put(typed(meeting(scope, met, from, cached, functions.add(road(functions))), components)
                .build());
        String root = Scope.nodeOf(pipeline.root()).equals(node) ? met : pipeline.root();
        return new PipelineGraph(scope.nodes(), functions.all(), root, pipeline.versions());
    }

    /** An entry lists what filters before the point reject, and nothing of what is rejected behind it. */
    private void tellBefore(Scope scope, WidenedFunctions functions) {
        Deque<String> left = new ArrayDeque<>(List.of(node));
        Set<String> seen = new HashSet<>();
        while (!left.isEmpty()) {
            String name = left.remove();
            if (!seen.add(name)) {
                continue;
            }
            NodeDef each = scope.node(name);
            if (OpTraits.of(each).family() == OpTraits.Family.FILTER) {
                FunctionDef predicate = functions.calledBy(each, "predicate");
                String before = functions.freshName(predicate.getSignature().getName());
                functions.add(Told.before(predicate, before));
                scope.put(each.toBuilder()
                        .putAttr("predicate", FunctionArguments.called(each, "predicate", before))
                        .build());
            }
            Scope.given(each).map(Scope::nodeOf).forEach(left::add);
        }
    }

    /** How elements lie in entries, whose last component is the ticket. */
    public static EntryLayout layout(List<ElementComponent> components) {
        return EntryLayout.of(components.subList(0, components.size() - 1));
    }

    /** The queue of elements to be kept; every node of that shared name in a session is the same queue. */
    public static NodeDef.Builder keptQueue(String name, EntryLayout layout) {
        long bytes = layout.fields().stream()
                .mapToLong(field -> Math.max(0, field.bytes()))
                .sum();
        return Protos.node(name, "FIFOQueueV2")
                .putAttr("component_types", Protos.types(keptTypes(layout)))
                .putAttr(
                        "shapes",
                        Protos.shapes(Stream.concat(
                                        layout.fields().stream()
                                                .map(field -> field.fixed()
                                                        ? Protos.shape((long) field.bytes())
                                                        : Protos.SCALAR),
                                        Stream.of(Protos.SCALAR))
                                .toList()))
                .putAttr(
                        "capacity",
                        Protos.number(Math.max(
                                4,
                                Math.min(
                                        layout.varying() > 0 ? FEW_WAITING : MOST_WAITING,
                                        WAITING_BYTES / Math.max(1, bytes)))))
                .putAttr("shared_name", Protos.string(KEPT))
                .putAttr("container", Protos.string(""));
    }

    /** Types of what waits in it. */
    public static List<DataType> keptTypes(EntryLayout layout) {
        return Stream.concat(
                        layout.fields().stream().map(field -> field.fixed() ? DataType.DT_UINT8 : DataType.DT_STRING),
                        Stream.of(DataType.DT_INT64))
                .toList();
    }

    private static NodeDef.Builder typed(NodeDef.Builder node, List<ElementComponent> components) {
        DatasetOps.setComponents(node, "output_types", components);
        return node;
    }

    private static NodeDef.Builder meeting(Scope scope, String name, String computed, String cached, String road) {
        String roads = scope.addDataset(Protos.node(
                        scope.fresh("roads"),
                        "RangeDataset",
                        scope.constant("roads/first", Protos.int64(0)),
                        scope.constant("roads/last", Protos.int64(2)),
                        scope.constant("roads/step", Protos.int64(1)))
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))));
        return Protos.node(name, "ParallelInterleaveDatasetV4", roads, computed, cached)
                .addInput(scope.constant("roads/cycle_length", Protos.int64(2)))
                .addInput(scope.constant("roads/block_length", Protos.int64(BLOCK)))
                .addInput(scope.constant("roads/buffer_output_elements", Protos.int64(2 * BLOCK)))
                .addInput(scope.constant("roads/prefetch_input_elements", Protos.int64(0)))
                .addInput(scope.constant("roads/num_parallel_calls", Protos.int64(2)))
                .putAttr("f", Protos.function(road))
                .putAttr("Targuments", Protos.types(List.of(DataType.DT_VARIANT, DataType.DT_VARIANT)))
                .putAttr("deterministic", Protos.string("false"));
    }

    private static FunctionDef road(WidenedFunctions functions) {
        String first = functions.add(choice(functions, "praline_computed_road", "computed"));
        String second = functions.add(choice(functions, "praline_cached_road", "cached"));
        FunctionDef.Builder road = FunctionDef.newBuilder();
        road.getSignatureBuilder()
                .setName(functions.freshName("praline_road"))
                .addInputArg(Protos.arg("number", DataType.DT_INT64))
                .addInputArg(Protos.arg("computed", DataType.DT_VARIANT))
                .addInputArg(Protos.arg("cached", DataType.DT_VARIANT))
                .addOutputArg(Protos.arg("dataset", DataType.DT_VARIANT));
        List<DataType> both = List.of(DataType.DT_VARIANT, DataType.DT_VARIANT);
        return road.addNodeDef(Protos.constant("zero", Protos.int64(0)))
                .addNodeDef(Protos.node("later", "Greater", "number", "zero:output:0")
                        .putAttr("T", Protos.type(DataType.DT_INT64)))
                .addNodeDef(Protos.node("chosen", "If", "later:z:0", "computed", "cached")
                        .putAttr("Tcond", Protos.type(DataType.DT_BOOL))
                        .putAttr("Tin", Protos.types(both))
                        .putAttr("Tout", Protos.types(List.of(DataType.DT_VARIANT)))
                        .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                        .putAttr("then_branch", Protos.function(second))
                        .putAttr("else_branch", Protos.function(first)))
                .putRet("dataset", "chosen:output:0")
                .build();
    }

    private static FunctionDef choice(WidenedFunctions functions, String name, String taken) {
        FunctionDef.Builder choice = FunctionDef.newBuilder();
        choice.getSignatureBuilder()
                .setName(functions.freshName(name))
                .addInputArg(Protos.arg("computed", DataType.DT_VARIANT))
                .addInputArg(Protos.arg("cached", DataType.DT_VARIANT))
                .addOutputArg(Protos.arg("dataset", DataType.DT_VARIANT));
        return choice.putRet("dataset", taken).build();
    }

    /** Yields its arguments, and puts them into the queue. */
    private static FunctionDef kept(WidenedFunctions functions, List<ElementComponent> components, EntryLayout layout) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder()
                .setName(functions.freshName("praline_keep"))
                .setIsStateful(true);
        NodeDef.Builder enqueue = Protos.node("keep", "QueueEnqueueV2", "queue:handle:0")
                .putAttr("Tcomponents", Protos.types(keptTypes(layout)))
                .putAttr("timeout_ms", Protos.number(-1));
        for (int i = 0; i < components.size(); i++) {
            DataType type = components.get(i).dtype();
            String argument = "x" + i;
            signature.addInputArg(Protos.arg(argument, type)).addOutputArg(Protos.arg("y" + i, type));
            function.putRet("y" + i, argument);
            if (i == components.size() - 1) {
                enqueue.addInput(ifItFits(function, argument, components, layout));
            } else if (layout.fields().get(i).fixed()) {
                enqueue.addInput(bytes(function, argument, type));
            } else {
                function.addNodeDef(Protos.node("proto_" + argument, "SerializeTensor", argument)
                        .putAttr("T", Protos.type(type)));
                enqueue.addInput("proto_" + argument + ":serialized:0");
            }
        }
        function.addNodeDef(keptQueue("queue", layout)).addNodeDef(enqueue).putControlRet("keep", "keep");
        signature.addControlOutput("keep");
        return function.build();
    }

    /**
     * The ticket, where each component of a fixed size has the shape that the graph says it has; else nothing, so that nothing
     * is written of the element, and its split gets no entry. What a program says of a shape may be wrong, and nobody minds as
     * long as no step looks at it: bytes alone do not tell.
     */
    private static String ifItFits(
            FunctionDef.Builder function, String ticket, List<ElementComponent> components, EntryLayout layout) {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        String fits = "";
        for (int i = 0; i < layout.fields().size(); i++) {
            if (!layout.fields().get(i).fixed()) {
                continue;
            }
            List<Long> shape = components.get(i).shape();
            String of = "x" + i;
            function.addNodeDef(Protos.constant("all_" + of, Protos.int32s(0)))
                    .addNodeDef(Protos.constant("sizes_" + of, Protos.int64s(shape)))
                    .addNodeDef(Protos.constant("rank_" + of, Protos.int32(shape.size())))
                    .addNodeDef(Protos.node("shape_" + of, "Shape", of)
                            .putAttr("T", Protos.type(components.get(i).dtype()))
                            .putAttr("out_type", int64))
                    .addNodeDef(Protos.node("axes_" + of, "Size", "shape_" + of + ":output:0")
                            .putAttr("T", int64)
                            .putAttr("out_type", Protos.type(DataType.DT_INT32)))
                    .addNodeDef(equal("as_many_" + of, "axes_" + of + ":output:0", "rank_" + of, DataType.DT_INT32))
                    .addNodeDef(equal("same_" + of, "shape_" + of + ":output:0", "sizes_" + of, DataType.DT_INT64))
                    .addNodeDef(Protos.node("alike_" + of, "All", "same_" + of + ":z:0", "all_" + of + ":output:0")
                            .putAttr("Tidx", Protos.type(DataType.DT_INT32))
                            .putAttr("keep_dims", Protos.bool(false)))
                    .addNodeDef(Protos.node(
                            "fits_" + of, "LogicalAnd", "as_many_" + of + ":z:0", "alike_" + of + ":output:0"));
            if (!fits.isEmpty()) {
                function.addNodeDef(Protos.node("fit_" + of, "LogicalAnd", fits, "fits_" + of + ":z:0"));
            }
            fits = (fits.isEmpty() ? "fits_" : "fit_") + of + ":z:0";
        }
        if (fits.isEmpty()) {
            return ticket;
        }
        function.addNodeDef(Protos.node("fitting", "Switch", ticket, fits).putAttr("T", int64));
        return "fitting:output_true:0";
    }

    /** Whether two are equal; false where they cannot be compared. */
    private static NodeDef.Builder equal(String name, String one, String constant, DataType type) {
        return Protos.node(name, "Equal", one, constant + ":output:0")
                .putAttr("T", Protos.type(type))
                .putAttr("incompatible_shape_error", Protos.bool(false));
    }

    /** The bytes of a value, in a row; without a copy, but for truth values. */
    private static String bytes(FunctionDef.Builder function, String of, DataType type) {
        String plain = of;
        if (type == DataType.DT_BOOL) {
            function.addNodeDef(Protos.node("plain_" + of, "Cast", of)
                    .putAttr("SrcT", Protos.type(type))
                    .putAttr("DstT", Protos.type(DataType.DT_UINT8)));
            plain = "plain_" + of + ":y:0";
        } else if (type != DataType.DT_UINT8) {
            function.addNodeDef(Protos.node("plain_" + of, "Bitcast", of)
                    .putAttr("T", Protos.type(type))
                    .putAttr("type", Protos.type(DataType.DT_UINT8)));
            plain = "plain_" + of + ":output:0";
        }
        function.addNodeDef(Protos.constant("row_" + of, Protos.int32s(-1)))
                .addNodeDef(Protos.node("bytes_" + of, "Reshape", plain, "row_" + of + ":output:0")
                        .putAttr("T", Protos.type(DataType.DT_UINT8))
                        .putAttr("Tshape", Protos.type(DataType.DT_INT32)));
        return "bytes_" + of + ":output:0";
    }

    /** The elements of an entry, whose file is the split's only path, and {@link SplitField#TAKE} how many there are. */
    private static FunctionDef read(WidenedFunctions functions, List<ElementComponent> components, EntryLayout layout) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder().setName(functions.freshName("praline_read_entry"));
        for (SplitField field : SplitField.values()) {
            signature.addInputArg(Protos.arg(field.argument(), field.dtype()));
        }
        signature.addOutputArg(Protos.arg("dataset", DataType.DT_VARIANT));
        Scope body = Scope.ofFunction(function.build());
        List<ElementComponent> record = List.of(ElementComponent.of(DataType.DT_STRING, Protos.SCALAR));
        String file = body.addDataset(Protos.node(
                "praline_file",
                "TFRecordDataset",
                SplitField.PATHS.argument(),
                body.constant("plain", Protos.bytes(ByteString.EMPTY)),
                body.constant("buffer", Protos.int64(READ_BYTES))));
        String behindHead = body.addDataset(typed(
                Protos.node("praline_behind_head", "SkipDataset", file, body.constant("head", Protos.int64(1))),
                record));
        String records = body.addDataset(
                typed(Protos.node("praline_elements", "TakeDataset", behindHead, SplitField.TAKE.argument()), record));
        String base = body.add(
                Protos.times(
                        "praline_base",
                        SplitField.ORDINAL.argument(),
                        body.constant("span", Protos.int64(1L << Ticket.RECORD_BITS))),
                "z");
        String elements = body.addDataset(typed(
                Protos.node("praline_read", "MapDataset", records, base)
                        .putAttr("f", Protos.function(functions.add(element(functions, components, layout))))
                        .putAttr("Targuments", Protos.types(List.of(DataType.DT_INT64)))
                        .putAttr("use_inter_op_parallelism", Protos.bool(false))
                        .putAttr("preserve_cardinality", Protos.bool(true)),
                components));
        String wanted = new WantedRecords(functions).chosen(body, elements, base, components, WantedRecords.Read.ONCE);
        return function.addAllNodeDef(body.nodes()).putRet("dataset", wanted).build();
    }

    /** An element of a record, see {@link EntryLayout}. */
    private static FunctionDef element(
            WidenedFunctions functions, List<ElementComponent> components, EntryLayout layout) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(functions.freshName("praline_element"))
                .addInputArg(Protos.arg("record", DataType.DT_STRING))
                .addInputArg(Protos.arg("base", DataType.DT_INT64));
        return new EntryReading(function, layout).of(components).build();
    }
}
