package io.praline.wire;

import java.util.Arrays;

/**
 * What a BATCH says of one tensor.
 *
 * @param dtype TensorFlow's number of its data type
 * @param shape its dimensions; not to be written to
 * @param bytes of its body
 */
@SuppressWarnings("ArrayRecordComponent") // equals is ours
public record TensorLayout(int dtype, long[] shape, long bytes) {
    /** dtype, rank, bytes. */
    private static final int FIXED_BYTES = 16;

    public TensorLayout {
        if (shape.length > FrameLimits.MAX_RANK) {
            throw new IllegalArgumentException(
                    "a tensor must have at most " + FrameLimits.MAX_RANK + " dimensions, has " + shape.length);
        }
        if (bytes < 0 || bytes > Integer.MAX_VALUE) { // so that a frame's sum cannot overflow
            throw new IllegalArgumentException("a tensor must have 0.." + Integer.MAX_VALUE + " bytes, has " + bytes);
        }
        long elements = elements(shape);
        ElementType type = ElementType.of(dtype);
        boolean fits = type == ElementType.STRING
                ? bytes >= Long.BYTES && bytes / Long.BYTES - 1 >= elements
                : bytes == saturatedProduct(elements, type.bytes());
        if (!fits) {
            throw new IllegalArgumentException(
                    "a tensor of " + type + Arrays.toString(shape) + " must not have " + bytes + " bytes");
        }
    }

    /** How many elements it has. */
    public long elements() {
        return elements(shape);
    }

    public int headerBytes() {
        return FIXED_BYTES + Long.BYTES * shape.length;
    }

    private static long elements(long[] shape) {
        long elements = 1;
        boolean empty = false;
        for (long dimension : shape) {
            if (dimension < 0) {
                throw new IllegalArgumentException("a dimension must not be negative, is " + dimension);
            }
            empty |= dimension == 0;
            elements = saturatedProduct(elements, Math.max(1, dimension));
        }
        return empty ? 0 : elements;
    }

    private static long saturatedProduct(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TensorLayout that
                && dtype == that.dtype
                && bytes == that.bytes
                && Arrays.equals(shape, that.shape);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * dtype + Long.hashCode(bytes)) + Arrays.hashCode(shape);
    }

    @Override
    public String toString() {
        return "TensorLayout[" + ElementType.of(dtype) + Arrays.toString(shape) + ", " + bytes + " bytes]";
    }
}
