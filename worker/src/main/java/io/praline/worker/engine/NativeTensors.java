package io.praline.worker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.praline.worker.graph.Carrier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.RawTensor;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.buffer.DataStorageVisitor;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** TensorFlow's tensors as bytes for the channel: where they lie, without a copy; strings are encoded. */
final class NativeTensors {
    private NativeTensors() {}

    /** A tensor, or the carrier of one, of a component of this type. */
    static EngineTensor of(Tensor tensor, DataType component) {
        int values = Carrier.of(component).map(Carrier::values).orElse(1);
        List<Long> shape = new ArrayList<>();
        for (int i = 0; i < tensor.shape().numDimensions() - (values > 1 ? 1 : 0); i++) {
            shape.add(tensor.shape().get(i));
        }
        ByteBuf body = tensor instanceof TString strings ? encoded(strings) : where(tensor);
        return new EngineTensor(component.getNumber(), shape, body);
    }

    static long[] longs(TInt64 tensor) {
        ByteBuf bytes = where(tensor);
        long[] values = new long[bytes.readableBytes() / Long.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = bytes.getLongLE(i * Long.BYTES);
        }
        return values;
    }

    private static ByteBuf where(Tensor tensor) {
        return tensor.asRawTensor().numBytes() == 0 ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(memory(tensor));
    }

    /** Where a tensor lies that is not empty, to be read and written as long as it is open. */
    static ByteBuffer memory(Tensor tensor) {
        RawTensor raw = tensor.asRawTensor();
        return NativeMemory.at(raw.data().accept(ADDRESS), raw.numBytes()).asByteBuffer();
    }

    private static ByteBuf encoded(TString strings) {
        RawTensor raw = strings.asRawTensor();
        int count = Math.toIntExact(raw.numBytes() / NativeStrings.CELL_BYTES);
        return new NativeStrings(count == 0 ? 0 : raw.data().accept(ADDRESS), count).encoded();
    }

    private static final DataStorageVisitor<Long> ADDRESS = new DataStorageVisitor<>() {
        @Override
        public Long visit(long address, long length, long scale) {
            return address;
        }

        @Override
        public Long fallback() {
            throw new IllegalStateException("a tensor's memory is not native");
        }
    };
}
