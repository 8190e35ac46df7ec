package io.praline.worker.engine;

import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TUint8;
import org.tensorflow.types.family.TType;

/**
 * The large constants of a graph, which TensorFlow is given as tensors when the graph's datasets are made: those that stand in
 * the graph itself it would copy whenever it imports, rewrites or optimises that.
 *
 * @param graph with a placeholder in the place of each
 * @param values by the names of their nodes
 */
record FedConstants(GraphDef graph, Map<String, TensorProto> values) {
    private static final int LARGE_BYTES = 256 << 10;

    static FedConstants of(GraphDef graph) {
        if (graph.getSerializedSize() < LARGE_BYTES) {
            return new FedConstants(graph, Map.of());
        }
        Map<String, TensorProto> values = new LinkedHashMap<>();
        GraphDef.Builder without = graph.toBuilder().clearNode();
        for (NodeDef node : graph.getNodeList()) {
            if (isLarge(node)) {
                TensorProto value = node.getAttrOrThrow("value").getTensor();
                values.put(node.getName(), value);
                without.addNode(Protos.node(node.getName(), "Placeholder")
                        .putAttr("dtype", Protos.type(value.getDtype()))
                        .putAttr(
                                "shape",
                                AttrValue.newBuilder()
                                        .setShape(value.getTensorShape())
                                        .build()));
            } else {
                without.addNode(node);
            }
        }
        return new FedConstants(without.build(), values);
    }

    /** Gives a run all of them; what comes back is to be closed behind it. */
    List<Tensor> feed(Session.Runner run) {
        List<Tensor> tensors = new ArrayList<>();
        values.forEach((name, value) -> {
            Tensor tensor = Tensor.of(
                    type(value.getDtype()).orElseThrow(),
                    Shape.of(value.getTensorShape().getDimList().stream()
                            .mapToLong(TensorShapeProto.Dim::getSize)
                            .toArray()),
                    // of what lies within a larger array, TensorFlow would read the array from its beginning
                    DataBuffers.of(
                            value.getTensorContent().asReadOnlyByteBuffer().slice()));
            tensors.add(tensor);
            run.feed(name, tensor);
        });
        return tensors;
    }

    private static boolean isLarge(NodeDef node) {
        if (!node.getOp().equals("Const")) {
            return false;
        }
        TensorProto value = node.getAttrOrThrow("value").getTensor();
        return value.getTensorContent().size() >= LARGE_BYTES
                && node.getInputCount() == 0
                && type(value.getDtype()).isPresent();
    }

    /** Of tensors that are made of their bytes; the others stay in the graph. */
    private static Optional<Class<? extends TType>> type(DataType type) {
        return switch (type) {
            case DT_UINT8 -> Optional.of(TUint8.class);
            case DT_INT32 -> Optional.of(TInt32.class);
            case DT_INT64 -> Optional.of(TInt64.class);
            case DT_FLOAT -> Optional.of(TFloat32.class);
            case DT_DOUBLE -> Optional.of(TFloat64.class);
            default -> Optional.empty();
        };
    }
}
