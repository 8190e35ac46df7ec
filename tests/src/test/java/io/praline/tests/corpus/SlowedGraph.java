package io.praline.tests.corpus;

import com.google.protobuf.InvalidProtocolBufferException;
import java.time.Duration;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** A program that sleeps before each element that it yields, so that there is time to kill the worker that makes them. */
final class SlowedGraph {
    private SlowedGraph() {}

    static byte[] of(byte[] program, Duration sleep) {
        GraphDef graph;
        try {
            graph = GraphDef.parseFrom(program);
        } catch (InvalidProtocolBufferException unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
        GraphDef.Builder slowed = graph.toBuilder();
        NodeDef.Builder end = slowed.getNodeBuilderList().stream()
                .filter(node -> node.getOp().equals("_Retval"))
                .findFirst()
                .orElseThrow();
        String last = end.getInput(0);
        NodeDef yields = graph.getNodeList().stream()
                .filter(node -> last.equals(node.getName()) || last.equals(node.getName() + ":0"))
                .findFirst()
                .orElseThrow();
        end.setInput(0, "slowed");
        slowed.addNode(NodeDef.newBuilder()
                .setName("slowed/microseconds")
                .setOp("Const")
                .putAttr("dtype", type(DataType.DT_INT64))
                .putAttr(
                        "value",
                        AttrValue.newBuilder()
                                .setTensor(TensorProto.newBuilder()
                                        .setDtype(DataType.DT_INT64)
                                        .setTensorShape(TensorShapeProto.getDefaultInstance())
                                        .addInt64Val(sleep.toNanos() / 1_000))
                                .build()));
        slowed.addNode(NodeDef.newBuilder()
                .setName("slowed")
                .setOp("SleepDataset")
                .addInput(last)
                .addInput("slowed/microseconds")
                .putAttr("output_types", types(yields))
                .putAttr("output_shapes", shapes(yields)));
        return slowed.build().toByteArray();
    }

    /** Readers of files have no such attribute: what they yield are strings. */
    private static AttrValue types(NodeDef dataset) {
        AttrValue strings = AttrValue.newBuilder()
                .setList(AttrValue.ListValue.newBuilder().addType(DataType.DT_STRING))
                .build();
        return dataset.getAttrOrDefault("output_types", dataset.getAttrOrDefault("Toutput_types", strings));
    }

    private static AttrValue shapes(NodeDef dataset) {
        return dataset.getAttrOrDefault(
                "output_shapes",
                AttrValue.newBuilder()
                        .setList(AttrValue.ListValue.newBuilder().addShape(TensorShapeProto.getDefaultInstance()))
                        .build());
    }

    private static AttrValue type(DataType type) {
        return AttrValue.newBuilder().setType(type).build();
    }
}
