package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.TensorProto;

/** Constants in each of the ways in which TensorFlow writes them: as values, as content, with what repeats left out. */
class ConstantsTest {
    private static TensorProto.Builder tensor(DataType type, long... shape) {
        return TensorProto.newBuilder().setDtype(type).setTensorShape(Protos.shape(shape));
    }

    private static ByteString longs(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            bytes.putLong(value);
        }
        return ByteString.copyFrom(bytes.flip());
    }

    private static ByteString ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.putInt(value);
        }
        return ByteString.copyFrom(bytes.flip());
    }

    private static Scope holding(TensorProto.Builder constant) {
        return Scope.ofFunction(FunctionDef.newBuilder()
                .addNodeDef(Protos.constant("constant", constant.build()))
                .addNodeDef(Protos.node("same", "Identity", "constant:output:0"))
                .addNodeDef(Protos.node("computed", "Neg", "constant:output:0"))
                .build());
    }

    private static Optional<Long> integer(TensorProto.Builder constant) {
        return Constants.integer(holding(constant), "constant:output:0");
    }

    @Test
    void anIntegerIsReadFromValuesAndFromContent() {
        assertThat(integer(tensor(DataType.DT_INT64).addInt64Val(-7))).contains(-7L);
        assertThat(integer(tensor(DataType.DT_INT64).setTensorContent(longs(1L << 40))))
                .contains(1L << 40);
        assertThat(integer(tensor(DataType.DT_INT32).addIntVal(-7))).contains(-7L);
        assertThat(integer(tensor(DataType.DT_INT32).setTensorContent(ints(70_000))))
                .contains(70_000L);
        assertThat(integer(tensor(DataType.DT_INT64, 1).addInt64Val(3))).contains(3L);
    }

    @Test
    void anIntegerOfWhichNothingIsWrittenIsNought() {
        assertThat(integer(tensor(DataType.DT_INT64))).contains(0L);
        assertThat(integer(tensor(DataType.DT_INT32))).contains(0L);
    }

    @Test
    void severalAreNoInteger() {
        assertThat(integer(tensor(DataType.DT_INT64, 2).addInt64Val(3).addInt64Val(4)))
                .isEmpty();
    }

    @Test
    void whatIsNoIntegerIsNone() {
        assertThat(integer(tensor(DataType.DT_FLOAT).addFloatVal(1))).isEmpty();
    }

    @Test
    void whatIsComputedIsNoConstantAndWhatIsPassedOnIs() {
        Scope scope = holding(tensor(DataType.DT_INT64).addInt64Val(5));
        assertThat(Constants.integer(scope, "same:output:0")).contains(5L);
        assertThat(Constants.integer(scope, "computed:y:0")).isEmpty();
    }

    @Test
    void allIntegersAreReadAndTheLastMayStandForThoseBehindIt() {
        assertThat(Constants.integers(tensor(DataType.DT_INT64, 3)
                        .addInt64Val(1)
                        .addInt64Val(2)
                        .build()))
                .containsExactly(1L, 2L, 2L);
        assertThat(Constants.integers(
                        tensor(DataType.DT_INT32, 2).addIntVal(-1).addIntVal(5).build()))
                .containsExactly(-1L, 5L);
        assertThat(Constants.integers(tensor(DataType.DT_INT64, 2)
                        .setTensorContent(longs(-3, 1L << 33))
                        .build()))
                .containsExactly(-3L, 1L << 33);
        assertThat(Constants.integers(tensor(DataType.DT_INT32, 3)
                        .setTensorContent(ints(4, -5, 6))
                        .build()))
                .containsExactly(4L, -5L, 6L);
        assertThat(Constants.integers(tensor(DataType.DT_INT32, 2).build())).containsExactly(0L, 0L);
        assertThat(Constants.integers(tensor(DataType.DT_INT32, 0).build())).isEmpty();
    }

    @Test
    void ofOtherTypesThereAreNoIntegers() {
        assertThat(Constants.integers(
                        tensor(DataType.DT_FLOAT, 2).addFloatVal(1).build()))
                .isEmpty();
        assertThat(Constants.integers(tensor(DataType.DT_INT8, 2).addIntVal(1).build()))
                .isEmpty();
    }

    private static Optional<Boolean> bool(TensorProto.Builder constant) {
        return Constants.bool(holding(constant), "constant:output:0");
    }

    @Test
    void aBooleanIsReadFromValuesAndFromContentAndIsFalseWhereNothingIsWritten() {
        assertThat(bool(tensor(DataType.DT_BOOL).addBoolVal(true))).contains(true);
        assertThat(bool(tensor(DataType.DT_BOOL).addBoolVal(false))).contains(false);
        assertThat(bool(tensor(DataType.DT_BOOL).setTensorContent(ByteString.copyFrom(new byte[] {1}))))
                .contains(true);
        assertThat(bool(tensor(DataType.DT_BOOL).setTensorContent(ByteString.copyFrom(new byte[] {0}))))
                .contains(false);
        assertThat(bool(tensor(DataType.DT_BOOL))).contains(false);
        assertThat(bool(tensor(DataType.DT_INT32).addIntVal(1))).isEmpty();
    }

    private static Optional<String> string(TensorProto.Builder constant) {
        return Constants.string(holding(constant), "constant:output:0");
    }

    @Test
    void aStringIsReadAndIsEmptyWhereNothingIsWritten() {
        assertThat(string(tensor(DataType.DT_STRING).addStringVal(ByteString.copyFromUtf8("GZIP"))))
                .contains("GZIP");
        assertThat(string(tensor(DataType.DT_STRING))).contains("");
        assertThat(string(tensor(DataType.DT_STRING, 2)
                        .addStringVal(ByteString.copyFromUtf8("a"))
                        .addStringVal(ByteString.copyFromUtf8("b"))))
                .isEmpty();
        assertThat(string(tensor(DataType.DT_INT32).addIntVal(1))).isEmpty();
    }

    // lengths 1, 0 and 2, then the bytes
    @Test
    void stringsAreReadFromContentAndTheLastMayStandForThoseBehindIt() {
        ByteString content = ByteString.copyFrom(new byte[] {1, 0, 2}).concat(ByteString.copyFromUtf8("abc"));
        assertThat(Constants.strings(
                        tensor(DataType.DT_STRING, 3).setTensorContent(content).build()))
                .containsExactly("a", "", "bc");
        assertThat(Constants.strings(tensor(DataType.DT_STRING, 4)
                        .addAllStringVal(List.of(ByteString.copyFromUtf8("a"), ByteString.copyFromUtf8("b")))
                        .build()))
                .containsExactly("a", "b", "b", "b");
        assertThat(Constants.strings(tensor(DataType.DT_STRING, 0).build())).isEmpty();
    }

    @Test
    void stringsThatAreCutOffAreRefused() {
        TensorProto cutOff = tensor(DataType.DT_STRING, 2)
                .setTensorContent(ByteString.copyFrom(new byte[] {5, 5, 'a'}))
                .build();
        assertThatThrownBy(() -> Constants.strings(cutOff))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessage("a constant of 2 strings is cut off");
    }
}
