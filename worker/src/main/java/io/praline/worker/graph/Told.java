package io.praline.worker.graph;

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
 *   end of a split  {@link io.praline.identity.Ticket#endOf}: its elements came out to the last
 * </pre>
 */
final class Told {
    /** The shared name of the queue. */
    private static final String TOLD = "praline_told";

    /** The shared name of a queue that holds something as soon as short batches may go on, for nothing will complete them. */
    private static final String TAIL = "praline_tail";

    private Told() {}

    static NodeDef.Builder queue(String name) {
        return queue(name, TOLD);
    }

    static NodeDef.Builder tailQueue(String name) {
        return queue(name, TAIL);
    }

    private static NodeDef.Builder queue(String name, String shared) {
        return Protos.node(name, "FIFOQueueV2")
                .putAttr("component_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("shapes", Protos.shapes(List.of(Protos.SCALAR)))
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
        String result = predicate.getSignature().getOutputArg(0).getName();
        String keep = predicate.getRetOrThrow(result);
        AttrValue int32 = Protos.type(DataType.DT_INT32);
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        String rows = "praline_rows:output:0";
        predicate
                .addNodeDef(queue("praline_told"))
                .addNodeDef(Protos.node("praline_no", "LogicalNot", keep))
                .addNodeDef(Protos.node("praline_no_number", "Cast", "praline_no:y:0")
                        .putAttr("SrcT", Protos.type(DataType.DT_BOOL))
                        .putAttr("DstT", int32))
                .addNodeDef(Protos.constant("praline_flat", Protos.int32s(-1)))
                .addNodeDef(Protos.constant("praline_start", Protos.int32s(0)))
                .addNodeDef(Protos.node("praline_row", "Reshape", TrackProvenance.TICKET, "praline_flat:output:0")
                        .putAttr("T", int64)
                        .putAttr("Tshape", int32))
                .addNodeDef(Protos.node("praline_row_shape", "Shape", "praline_row:output:0")
                        .putAttr("T", int64)
                        .putAttr("out_type", int32))
                .addNodeDef(Protos.node("praline_dropped", "Mul", "praline_row_shape:output:0", "praline_no_number:y:0")
                        .putAttr("T", int32))
                .addNodeDef(Protos.node(
                                "praline_rows",
                                "Slice",
                                "praline_row:output:0",
                                "praline_start:output:0",
                                "praline_dropped:z:0")
                        .putAttr("T", int64)
                        .putAttr("Index", int32));
        if (owed) {
            predicate.addNodeDef(Protos.node("praline_owed", "Invert", rows).putAttr("T", int64));
            rows = "praline_owed:y:0";
        }
        predicate
                .addNodeDef(Protos.node("praline_enqueue", "QueueEnqueueManyV2", "praline_told:handle:0", rows)
                        .putAttr("Tcomponents", Protos.types(List.of(DataType.DT_INT64)))
                        .putAttr("timeout_ms", Protos.number(-1)))
                .addNodeDef(Protos.node("praline_keep", "Identity", keep, "^praline_enqueue")
                        .putAttr("T", Protos.type(DataType.DT_BOOL)))
                .putRet(result, "praline_keep:output:0");
        predicate.getSignatureBuilder().setIsStateful(true);
    }
}
