package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.praline.worker.graph.Protos;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.tensorflow.Graph;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.types.TInt64;

class FedConstantsTest {
    private static final int MANY = 50_000;

    @Test
    void aLargeConstantIsTheSameWhereItIsHandedOver() {
        GraphDef graph = graph(constant("large", MANY), constant("small", 10), both(), sum());
        FedConstants constants = FedConstants.of(graph);

        assertThat(constants.values()).containsOnlyKeys("large");
        assertThat(constants.graph().getSerializedSize()).isLessThan(2_000);
        assertThat(sum(constants))
                .isEqualTo(sum(new FedConstants(graph, Map.of())))
                .isEqualTo(LongStream.range(0, MANY).sum()
                        + LongStream.range(0, 10).sum());
    }

    @Test
    void aConstantThatLiesInTheBytesOfItsGraphIsTheSame() throws IOException {
        GraphDef graph = graph(constant("large", MANY), constant("small", 10), both(), sum());
        CodedInputStream in =
                UnsafeByteOperations.unsafeWrap(graph.toByteArray()).newCodedInput();
        in.enableAliasing(true);

        assertThat(sum(FedConstants.of(GraphDef.parseFrom(in))))
                .isEqualTo(LongStream.range(0, MANY).sum()
                        + LongStream.range(0, 10).sum());
    }

    @Test
    void whatIsNoTensorOfPlainNumbersStaysInTheGraph() {
        NodeDef strings = Protos.constant(
                        "strings",
                        TensorProto.newBuilder()
                                .setDtype(DataType.DT_STRING)
                                .setTensorShape(Protos.SCALAR)
                                .addStringVal(ByteString.copyFrom(new byte[1 << 20]))
                                .build())
                .build();
        GraphDef graph = graph(strings, constant("small", 10));

        assertThat(FedConstants.of(graph).graph()).isEqualTo(graph);
        assertThat(FedConstants.of(graph).values()).isEmpty();
    }

    private static long sum(FedConstants constants) {
        try (Graph graph = new Graph()) {
            graph.importGraphDef(constants.graph());
            try (Session session = new Session(graph)) {
                Session.Runner run = session.runner().fetch("sum");
                List<Tensor> fed = constants.feed(run);
                try (TInt64 sum = (TInt64) run.run().get(0)) {
                    return sum.getLong();
                } finally {
                    fed.forEach(Tensor::close);
                }
            }
        }
    }

    private static GraphDef graph(NodeDef... nodes) {
        return GraphDef.newBuilder()
                .addAllNode(List.of(nodes))
                .addNode(Protos.constant("zero", Protos.int32(0)))
                .build();
    }

    private static NodeDef constant(String name, int numbers) {
        ByteBuffer content = ByteBuffer.allocate(numbers * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        LongStream.range(0, numbers).forEach(content::putLong);
        return Protos.constant(
                        name,
                        TensorProto.newBuilder()
                                .setDtype(DataType.DT_INT64)
                                .setTensorShape(Protos.shape(numbers))
                                .setTensorContent(ByteString.copyFrom(content.flip()))
                                .build())
                .build();
    }

    private static NodeDef both() {
        return Protos.node("both", "ConcatV2", "large", "small", "zero")
                .putAttr("N", Protos.number(2))
                .putAttr("T", Protos.type(DataType.DT_INT64))
                .putAttr("Tidx", Protos.type(DataType.DT_INT32))
                .build();
    }

    private static NodeDef sum() {
        return Protos.node("sum", "Sum", "both", "zero")
                .putAttr("keep_dims", Protos.bool(false))
                .putAttr("T", Protos.type(DataType.DT_INT64))
                .putAttr("Tidx", Protos.type(DataType.DT_INT32))
                .build();
    }
}
