package io.praline.worker.graph.ordering.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.Protos;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** Numbers that a graph holds, in whichever way TensorFlow wrote them down. */
class LiteralsTest {
    private static Optional<List<Number>> of(TensorProto.Builder tensor) {
        return Literals.of(Optional.of(Protos.constant("c", tensor.build()).build()));
    }

    private static TensorProto.Builder tensor(DataType type, long... shape) {
        return TensorProto.newBuilder().setDtype(type).setTensorShape(Protos.shape(shape));
    }

    private static TensorProto.Builder packed(DataType type, int count, ByteBuffer bytes) {
        return tensor(type, count).setTensorContent(ByteString.copyFrom(bytes.flip()));
    }

    private static ByteBuffer bytes() {
        return ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void eachTypeIsReadFromItsBytes() {
        assertThat(of(packed(DataType.DT_FLOAT, 2, bytes().putFloat(1.5f).putFloat(-2))))
                .contains(List.of(1.5f, -2f));
        assertThat(of(packed(DataType.DT_DOUBLE, 1, bytes().putDouble(0.1)))).contains(List.of(0.1));
        assertThat(of(packed(DataType.DT_INT64, 1, bytes().putLong(-5)))).contains(List.of(-5L));
        assertThat(of(packed(DataType.DT_INT32, 2, bytes().putInt(-5).putInt(7))))
                .contains(List.of(-5L, 7L));
        assertThat(of(packed(DataType.DT_INT16, 1, bytes().putShort((short) -5))))
                .contains(List.of(-5L));
        assertThat(of(packed(DataType.DT_INT8, 1, bytes().put((byte) -5)))).contains(List.of(-5L));
        assertThat(of(packed(DataType.DT_UINT8, 1, bytes().put((byte) 251)))).contains(List.of(251L));
        assertThat(of(packed(DataType.DT_BOOL, 2, bytes().put((byte) 1).put((byte) 0))))
                .contains(List.of(1L, 0L));
        assertThat(of(packed(DataType.DT_HALF, 1, bytes().putShort((short) 0xC500))))
                .contains(List.of(-5f));
        assertThat(of(packed(DataType.DT_UINT64, 1, bytes().putLong(5)))).isEmpty();
    }

    @Test
    void eachTypeIsReadFromItsList() {
        assertThat(of(tensor(DataType.DT_FLOAT, 1).addFloatVal(1.5f))).contains(List.of(1.5f));
        assertThat(of(tensor(DataType.DT_DOUBLE, 1).addDoubleVal(0.1))).contains(List.of(0.1));
        assertThat(of(tensor(DataType.DT_INT64).addInt64Val(3))).contains(List.of(3L));
        assertThat(of(tensor(DataType.DT_INT32, 2).addIntVal(3).addIntVal(4))).contains(List.of(3L, 4L));
        assertThat(of(tensor(DataType.DT_UINT8, 1).addIntVal(251))).contains(List.of(251L));
        assertThat(of(tensor(DataType.DT_BOOL, 2).addBoolVal(true).addBoolVal(false)))
                .contains(List.of(1L, 0L));
        assertThat(of(tensor(DataType.DT_UINT64, 1).addUint64Val(5))).isEmpty();
    }

    // 1 sign, 5 of the exponent, 10 of the fraction: 2^-24 is the smallest of all, 65,504 the largest
    @Test
    void halvesAreReadBitByBit() {
        TensorProto.Builder halves = tensor(DataType.DT_HALF, 7);
        for (int bits : new int[] {0x3C00, 0xB800, 0x0001, 0x7BFF, 0x7C00, 0xFC00, 0x8000}) {
            halves.addHalfVal(bits);
        }
        assertThat(of(halves))
                .contains(List.of(
                        1f, -0.5f, 5.9604645e-8f, 65504f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0f));
        assertThat(of(tensor(DataType.DT_HALF, 1).addHalfVal(0x7C01))).contains(List.of(Float.NaN));
    }

    @Test
    void whatRepeatsAndZeroesMayBeLeftOut() {
        assertThat(of(tensor(DataType.DT_INT32, 2, 2).addIntVal(1).addIntVal(7)))
                .contains(List.of(1L, 7L, 7L, 7L));
        assertThat(of(tensor(DataType.DT_INT32, 2))).contains(List.of(0L, 0L));
        assertThat(of(tensor(DataType.DT_FLOAT, 1))).contains(List.of(0f));
        assertThat(of(tensor(DataType.DT_HALF, 1))).contains(List.of(0f));
        assertThat(of(tensor(DataType.DT_DOUBLE, 1))).contains(List.of(0.0));
    }

    @Test
    void whatIsLongIsDataAndNoSetting() {
        TensorProto.Builder most = tensor(DataType.DT_INT32, 8, 8).addIntVal(2);
        TensorProto.Builder more = tensor(DataType.DT_INT32, 65).addIntVal(2);

        assertThat(of(most)).contains(Collections.nCopies(64, 2L));
        assertThat(of(more)).isEmpty();
        assertThat(Literals.all(Protos.constant("c", more.build()).build())).contains(Collections.nCopies(65, 2L));
        assertThat(Literals.all(
                        Protos.constant("c", tensor(DataType.DT_INT32, 65_537).build())
                                .build()))
                .isEmpty();
    }

    @Test
    void onlyAConstantIsOne() {
        assertThat(Literals.of(Optional.empty())).isEmpty();
        assertThat(Literals.of(Optional.of(Protos.node("n", "Identity", "x").build())))
                .isEmpty();
    }

    @Test
    void fractionsAreNoIntegers() {
        NodeDef fractions = Protos.constant("c", Protos.float32(2)).build();
        NodeDef doubles =
                Protos.constant("c", tensor(DataType.DT_DOUBLE, 1).build()).build();

        assertThat(Literals.integers(Optional.of(fractions))).isEmpty();
        assertThat(Literals.integers(Optional.of(doubles))).isEmpty();
        assertThat(Literals.integers(
                        Optional.of(Protos.constant("c", Protos.int32s(3, -4)).build())))
                .contains(List.of(3L, -4L));
    }

    @Test
    void oneLikeAnotherHasItsType() {
        NodeDef wide = Protos.constant("c", Protos.int64(1)).build();
        NodeDef narrow = Protos.constant("c", Protos.int32(1)).build();

        assertThat(Literals.like(wide, "d", List.of(2L), List.of(5L, 6L)).build())
                .isEqualTo(Protos.constant("d", Protos.int64s(List.of(5L, 6L))).build());
        assertThat(Literals.like(narrow, "d", List.of(2L), List.of(5L, 6L)).build())
                .isEqualTo(Protos.constant("d", Protos.int32s(5, 6)).build());
    }
}
