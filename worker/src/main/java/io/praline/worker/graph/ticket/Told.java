package io.praline.worker.graph.ticket;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.Collections;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * What a task's graph tells beside its elements, in a queue of int64:
 *
 * <pre>
 *   ticket          a filter dropped this element
 *   ~ticket         this element was in a batch that came short, and is owed, or dropped where the user said so
 * </pre>
 *
 * Where elements are kept behind a cache point, filters before it tell theirs in a queue of the same kind of their own: what is
 * rejected behind the point is kept all the same.
 *
 * <p>And of splits whose elements are numbered as they come out, in a queue of pairs of int64:
 *
 * <pre>
 *   ticket, fingerprint   one of the first elements ({@link FirstElements}), and what it consists of
 *   end of a split, ticket  {@link io.praline.identity.Ticket#endOf}: its elements came out to the last; and the last one that
 *                         came and was left out as nobody wanted it, -1 where there was none
 *   ~ticket, 0            this number was used, or this child came out; told where bad elements are passed over, the last among
 *                         them
 * </pre>
 */
public final class Told {
    /** The shared name of the queue. */
    private static final String TOLD = "praline_told";

    /** The shared name of the same queue of what lies before a cache point. */
    private static final String TOLD_BEFORE = "praline_told_before";

    /** The shared name of the queue of pairs. */
    private static final String READ = "praline_read_marks";

    /** The shared name of the table of the last number of each split that came out and was not wanted. */
    private static final String LEFT_OUT = "praline_left_out";

    /** The shared name of a queue that holds something as soon as short batches may go on, for nothing will complete them. */
    private static final String TAIL = "praline_tail";

    private Told() {}

    public static NodeDef.Builder queue(String name) {
        return queue(name, TOLD, 1);
    }

    public static NodeDef.Builder queueBefore(String name) {
        return queue(name, TOLD_BEFORE, 1);
    }

    /** A predicate that tells what it rejects, as one that stands before the cache point. */
    public static FunctionDef before(FunctionDef predicate, String name) {
        FunctionDef.Builder before = predicate.toBuilder();
        before.getSignatureBuilder().setName(name);
        for (NodeDef.Builder node : before.getNodeDefBuilderList()) {
            boolean queue = node.getAttrOrDefault("shared_name", AttrValue.getDefaultInstance())
                    .getS()
                    .equals(ByteString.copyFromUtf8(TOLD));
            if (queue) {
                node.putAttr("shared_name", Protos.string(TOLD_BEFORE));
            }
        }
        return before.build();
    }

    public static NodeDef.Builder readQueue(String name) {
        return queue(name, READ, 2);
    }

    /**
     * Tells a ticket, or several, and what is told of each, into the read queue that the function has as {@code marks}.
     *
     * @param op that puts one into a queue, or several
     */
    static NodeDef.Builder tell(String op, String tickets, String values) {
        return Protos.node("tell", op, "marks:handle:0", tickets, values)
                .putAttr("Tcomponents", Protos.types(List.of(DataType.DT_INT64, DataType.DT_INT64)))
                .putAttr("timeout_ms", Protos.number(-1));
    }

    /**
     * The table of the last number of each split that came out and was not wanted, by the ticket of the split's first element: a
     * split of which nothing is wanted may have millions, which a queue would hold until its end. In a function, which has it as
     * {@code left_out}.
     */
    static NodeDef.Builder leftOut() {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        return Protos.node("left_out", "MutableHashTableV2")
                .putAttr("shared_name", Protos.string(LEFT_OUT))
                .putAttr("key_dtype", int64)
                .putAttr("value_dtype", int64);
    }

    /** Puts the number of an element that is not wanted into the table {@link #leftOut}; the function has it there. */
    static NodeDef.Builder leaveOut(String base, String ticket) {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        return Protos.node("leave_out", "LookupTableInsertV2", "left_out:table_handle:0", base, ticket)
                .putAttr("Tin", int64)
                .putAttr("Tout", int64);
    }

    /**
     * A function that opens a split whose elements it numbers, where each number tells as it is asked for that the one before was
     * used, be it by an element that could not be made: the last one is asked for behind the last element, and tells of that.
     */
    public static FunctionDef used(WidenedFunctions functions, FunctionDef open) {
        Scope body = Scope.ofFunction(open);
        NodeDef tickets = body.node(TicketBirth.TICKETS);
        String step = tickets.getInput(2);
        String behind = body.add(Protos.sum("praline_second", tickets.getInput(0), step), "z");
        String first = body.addDataset(
                tickets.toBuilder().setName("praline_first_number").setInput(1, behind));
        String others = body.addDataset(
                tickets.toBuilder().setName("praline_other_numbers").setInput(0, behind));
        List<ElementComponent> number = DatasetOps.components(tickets);
        NodeDef.Builder telling = Protos.node("praline_telling", "MapDataset", others)
                .putAttr("f", Protos.function(tellsOfTheOneBefore(functions)))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("use_inter_op_parallelism", Protos.bool(false))
                .putAttr("preserve_cardinality", Protos.bool(true));
        DatasetOps.setComponents(telling, "output_types", number);
        NodeDef.Builder all = Protos.node(tickets.getName(), "ConcatenateDataset", first, body.addDataset(telling));
        DatasetOps.setComponents(all, "output_types", number);
        body.put(all.build());
        return open.toBuilder().clearNodeDef().addAllNodeDef(body.nodes()).build();
    }

    private static String tellsOfTheOneBefore(WidenedFunctions functions) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(functions.freshName("praline_used"))
                .setIsStateful(true)
                .addInputArg(Protos.arg("number", DataType.DT_INT64))
                .addOutputArg(Protos.arg("same", DataType.DT_INT64))
                .addControlOutput("tell");
        // the complement of n - 1 is -n
        return functions.add(
                function.addNodeDef(Protos.node("before", "Neg", "number").putAttr("T", Protos.type(DataType.DT_INT64)))
                        .addNodeDef(Protos.constant("zero", Protos.int64(0)))
                        .addNodeDef(readQueue("marks"))
                        .addNodeDef(tell("QueueEnqueueV2", "before:y:0", "zero:output:0"))
                        .putRet("same", "number")
                        .putControlRet("tell", "tell")
                        .build());
    }

    /**
     * A filter that keeps all and tells that they came; its name and its input are for the caller to set.
     *
     * @param components of the elements, the last of which is the ticket, or those of what it will become
     */
    public static NodeDef.Builder come(WidenedFunctions functions, List<ElementComponent> components) {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        FunctionDef.Builder function = functions.predicate("praline_come", components, List.of());
        function.addNodeDef(Protos.constant("yes", Protos.flag(true)))
                .putRet("keep", "yes:output:0")
                .addNodeDef(Protos.constant("flat", Protos.int32s(-1)))
                .addNodeDef(Protos.node("row", "Reshape", TrackProvenance.TICKET, "flat:output:0")
                        .putAttr("T", int64)
                        .putAttr("Tshape", Protos.type(DataType.DT_INT32)))
                .addNodeDef(Protos.node("other", "Invert", "row:output:0").putAttr("T", int64))
                // of a child that is not wanted its complement is there already
                .addNodeDef(Protos.node("come", "Minimum", "row:output:0", "other:y:0")
                        .putAttr("T", int64))
                .addNodeDef(Protos.node("nothing", "ZerosLike", "come:z:0").putAttr("T", int64))
                .addNodeDef(readQueue("marks"))
                .addNodeDef(tell("QueueEnqueueManyV2", "come:z:0", "nothing:y:0"))
                .putControlRet("tell", "tell");
        function.getSignatureBuilder().setIsStateful(true).addControlOutput("tell");
        return Protos.node("come", "FilterDataset")
                .putAttr("predicate", Protos.function(functions.add(function.build())))
                .putAttr("Targuments", Protos.types(List.of()));
    }

    public static NodeDef.Builder tailQueue(String name) {
        return queue(name, TAIL, 1);
    }

    private static NodeDef.Builder queue(String name, String shared, int numbers) {
        return Protos.node(name, "FIFOQueueV2")
                .putAttr("component_types", Protos.types(Collections.nCopies(numbers, DataType.DT_INT64)))
                .putAttr("shapes", Protos.shapes(Collections.nCopies(numbers, Protos.SCALAR)))
                .putAttr("capacity", Protos.number(-1))
                .putAttr("shared_name", Protos.string(shared))
                .putAttr("container", Protos.string(""));
    }

    /**
     * Lets a predicate tell the ticket of what it rejects, or those of a batch.
     *
     * @param owed whether they are told as short of a batch
     */
    static void rejected(FunctionDef.Builder predicate, boolean owed) {
        String keep = Scope.result(predicate, 0);
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        String rows = "praline_row:output:0";
        // of an element that is kept only the switch runs
        predicate
                .addNodeDef(Protos.node("praline_switch", "Switch", TrackProvenance.TICKET, keep)
                        .putAttr("T", int64))
                .addNodeDef(Protos.node("praline_no", "Identity", "praline_switch:output_false:0")
                        .putAttr("T", int64))
                .addNodeDef(Protos.constant("praline_flat", Protos.int32s(-1)).addInput("^praline_no"))
                .addNodeDef(Protos.node("praline_row", "Reshape", "praline_no:output:0", "praline_flat:output:0")
                        .putAttr("T", int64)
                        .putAttr("Tshape", Protos.type(DataType.DT_INT32)))
                .addNodeDef(queue("praline_told").addInput("^praline_no"));
        if (owed) {
            predicate.addNodeDef(Protos.node("praline_owed", "Invert", rows).putAttr("T", int64));
            rows = "praline_owed:y:0";
        }
        predicate
                .addNodeDef(Protos.node("praline_enqueue", "QueueEnqueueManyV2", "praline_told:handle:0", rows)
                        .putAttr("Tcomponents", Protos.types(List.of(DataType.DT_INT64)))
                        .putAttr("timeout_ms", Protos.number(-1)))
                .putControlRet("praline_enqueue", "praline_enqueue");
        predicate.getSignatureBuilder().setIsStateful(true).addControlOutput("praline_enqueue");
    }
}
