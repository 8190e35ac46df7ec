package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** Reads values of {@code Const} nodes, whichever of its encodings TensorFlow chose. */
public final class Constants {
    private Constants() {}

    /** The value of a node that is a constant, also through identities. */
    public static Optional<TensorProto> value(Scope scope, String ref) {
        return scope.producer(scope.behindIdentities(ref))
                .filter(found -> found.getOp().equals("Const"))
                .map(found -> found.getAttrOrThrow("value").getTensor());
    }

    /** The value that a variable is given before the pipeline runs; empty where that is no constant, or nothing is a variable. */
    public static Optional<TensorProto> ofVariable(Scope scope, String ref) {
        Optional<NodeDef> variable = scope.producer(scope.behindIdentities(ref))
                .filter(node -> node.getOp().equals("VarHandleOp"));
        if (variable.isEmpty()) {
            return Optional.empty();
        }
        List<String> given = new ArrayList<>();
        for (NodeDef node : scope.nodes()) {
            if (node.getOp().equals("AssignVariableOp")
                    && Scope.nodeOf(node.getInput(0)).equals(variable.get().getName())) {
                given.add(node.getInput(1));
            }
        }
        return given.size() == 1 ? value(scope, given.get(0)) : Optional.empty();
    }

    public static Optional<Long> integer(Scope scope, String ref) {
        return value(scope, ref).filter(tensor -> elements(tensor) == 1).flatMap(tensor -> integers(tensor).stream()
                .findFirst());
    }

    public static Optional<String> string(Scope scope, String ref) {
        return value(scope, ref)
                .filter(tensor -> tensor.getDtype() == DataType.DT_STRING && elements(tensor) == 1)
                // an empty string may be left out altogether
                .map(tensor -> strings(tensor).stream().findFirst().orElse(""));
    }

    public static Optional<Boolean> bool(Scope scope, String ref) {
        return value(scope, ref)
                .filter(tensor -> tensor.getDtype() == DataType.DT_BOOL)
                .map(Constants::bool);
    }

    /** The strings of a tensor of any shape, flat. */
    public static List<String> strings(TensorProto tensor) {
        return byteStrings(tensor).stream().map(ByteString::toStringUtf8).toList();
    }

    /** As values, the last of which may be left out where it repeats; or as content: all lengths as varints, then all bytes. */
    private static List<ByteString> byteStrings(TensorProto tensor) {
        int count = Math.toIntExact(elements(tensor));
        List<ByteString> values = new ArrayList<>(tensor.getStringValList());
        if (!tensor.getTensorContent().isEmpty()) {
            CodedInputStream content = tensor.getTensorContent().newCodedInput();
            try {
                int[] lengths = new int[count];
                for (int i = 0; i < count; i++) {
                    lengths[i] = content.readRawVarint32();
                }
                for (int length : lengths) {
                    values.add(ByteString.copyFrom(content.readRawBytes(length)));
                }
            } catch (IOException cutOff) {
                throw new RefusedPipeline("a constant of " + count + " strings is cut off", cutOff);
            }
        }
        while (!values.isEmpty() && values.size() < count) {
            values.add(values.get(values.size() - 1));
        }
        return values;
    }

    public static long elements(TensorProto tensor) {
        return tensor.getTensorShape().getDimList().stream()
                .mapToLong(TensorShapeProto.Dim::getSize)
                .reduce(1, (a, b) -> a * b);
    }

    /** Whether all values of a tensor are known to be the same. */
    public static boolean areAlike(TensorProto tensor) {
        ByteString content = tensor.getTensorContent();
        if (content.isEmpty()) {
            // fewer values than there are say that the last one repeats
            return tensor.getAllFields().entrySet().stream()
                    .filter(field -> field.getKey().getName().endsWith("_val"))
                    .allMatch(field ->
                            ((List<?>) field.getValue()).stream().distinct().count() == 1);
        }
        int bytes = Math.toIntExact(content.size() / Math.max(1, elements(tensor)));
        return tensor.getDtype() != DataType.DT_STRING
                && content.substring(bytes).equals(content.substring(0, content.size() - bytes));
    }

    /** The integers of a tensor of any shape, flat; none of one of another type. */
    public static List<Long> integers(TensorProto tensor) {
        boolean isLong = tensor.getDtype() == DataType.DT_INT64;
        if (!isLong && tensor.getDtype() != DataType.DT_INT32) {
            return List.of();
        }
        List<Long> values = new ArrayList<>(tensor.getInt64ValList());
        tensor.getIntValList().forEach(value -> values.add((long) value));
        ByteBuffer content = tensor.getTensorContent().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        while (content.remaining() >= (isLong ? Long.BYTES : Integer.BYTES)) {
            values.add(isLong ? content.getLong() : content.getInt());
        }
        // the last one may be left out where it repeats, and zeroes altogether
        for (long last = values.isEmpty() ? 0 : values.get(values.size() - 1); values.size() < elements(tensor); ) {
            values.add(last);
        }
        return values;
    }

    private static boolean bool(TensorProto tensor) {
        if (tensor.getBoolValCount() > 0) {
            return tensor.getBoolVal(0);
        }
        return !tensor.getTensorContent().isEmpty() && tensor.getTensorContent().byteAt(0) != 0;
    }
}
