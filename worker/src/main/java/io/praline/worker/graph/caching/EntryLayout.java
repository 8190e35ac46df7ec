package io.praline.worker.graph.caching;

import io.praline.worker.graph.ElementComponent;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.DataType;

/**
 * How an element lies in a record of an entry, little-endian, with zeroes of the file's behind it:
 *
 * <pre>
 *   the components of a fixed size, each from a multiple of 64 bytes on, so that TensorFlow reads them where they lie
 *   int64            the element's number within its split
 *   int64 ...        how long each of the others is
 *   bytes ...        the others one behind the other, each a serialised TensorProto
 * </pre>
 *
 * @param fields in the order of the components
 * @param headAt where the element's number lies
 */
public record EntryLayout(List<Field> fields, int headAt) {
    /** TensorFlow's own alignment: a slice from such a place on is no copy. */
    private static final int ALIGNED = 64;

    /** What a component of a fixed size may take; a larger one is written as a proto, whose limit is the same. */
    private static final long MOST_BYTES = 1L << 30;

    public EntryLayout {
        fields = List.copyOf(fields);
    }

    /**
     * A component.
     *
     * @param bytes that it takes; -1 where that varies
     * @param at where it lies, if its size is fixed; else the how manieth of those it is whose size varies
     */
    public record Field(ElementComponent component, int bytes, int at) {
        public boolean fixed() {
            return bytes >= 0;
        }
    }

    /** Of elements that consist of these, without their ticket. */
    public static EntryLayout of(List<ElementComponent> components) {
        List<Field> fields = new ArrayList<>();
        int at = 0;
        int varying = 0;
        for (ElementComponent component : components) {
            long bytes = bytes(component);
            if (bytes < 0 || at + bytes > MOST_BYTES) {
                fields.add(new Field(component, -1, varying++));
            } else {
                fields.add(new Field(component, (int) bytes, at));
                at = Math.toIntExact((at + bytes + ALIGNED - 1) / ALIGNED * ALIGNED);
            }
        }
        return new EntryLayout(fields, at);
    }

    private static long bytes(ElementComponent component) {
        if (!component.isStatic() || width(component.dtype()) == 0) {
            return -1;
        }
        long bytes = width(component.dtype());
        for (long size : component.shape()) {
            if (size > 0 && bytes > MOST_BYTES / size) {
                return -1;
            }
            bytes *= size;
        }
        return bytes;
    }

    /** Whether values of a type can be kept: plain bytes, or what TensorFlow itself writes down. */
    static boolean holds(DataType type) {
        return width(type) > 0 || type == DataType.DT_STRING;
    }

    /** Bytes of a value that can be reread from plain bytes; 0 where it cannot. */
    static int width(DataType type) {
        return switch (type) {
            case DT_UINT8, DT_INT8, DT_BOOL -> 1;
            case DT_HALF, DT_BFLOAT16, DT_INT16, DT_UINT16 -> 2;
            case DT_FLOAT, DT_INT32, DT_UINT32 -> 4;
            case DT_DOUBLE, DT_INT64, DT_UINT64, DT_COMPLEX64 -> 8;
            case DT_COMPLEX128 -> 16;
            default -> 0;
        };
    }

    /** How many components have no fixed size. */
    public int varying() {
        return (int) fields.stream().filter(field -> !field.fixed()).count();
    }

    /** Bytes up to where the components begin that have no fixed size. */
    public int headEnd() {
        return headAt + Long.BYTES * (1 + varying());
    }
}
