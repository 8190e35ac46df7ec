package io.praline.wire.memory;

import io.praline.wire.BatchFrame;
import io.praline.wire.FrameLimits;
import io.praline.wire.TensorLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A BATCH that came in whole.
 *
 * @param frame its header
 * @param memory its payload; whoever takes the batch frees it
 */
public record LandedBatch(BatchFrame frame, BatchMemory memory) {

    /** The tensors' bytes, in their order: where they landed, little-endian, aligned; good until the memory is freed. */
    public List<ByteBuffer> bodies() {
        List<ByteBuffer> bodies = new ArrayList<>(frame.tensors().size());
        long end = frame.headerBytes();
        for (TensorLayout tensor : frame.tensors()) {
            long start = FrameLimits.aligned(end);
            bodies.add(memory.slice(start, tensor.bytes()));
            end = start + tensor.bytes();
        }
        return bodies;
    }

    /** Where a tensor's bytes lie, if that is memory that other processes may map too; good until the memory is freed. */
    public Optional<SharedPlace> shared(int tensor) {
        long start = FrameLimits.aligned(frame.headerBytes());
        for (TensorLayout before : frame.tensors().subList(0, tensor)) {
            start = FrameLimits.aligned(start + before.bytes());
        }
        return memory.shared(start);
    }
}
