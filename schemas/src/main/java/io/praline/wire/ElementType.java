package io.praline.wire;

import java.util.Locale;

/** TensorFlow's data types that can travel, by TensorFlow's numbers, and the bytes of an element. */
public enum ElementType {
    FLOAT32(1, 4),
    FLOAT64(2, 8),
    INT32(3, 4),
    UINT8(4, 1),
    INT16(5, 2),
    INT8(6, 1),
    /** Laid out as {@link StringTensor} says. */
    STRING(7, 0),
    COMPLEX64(8, 8),
    INT64(9, 8),
    BOOL(10, 1),
    QINT8(11, 1),
    QUINT8(12, 1),
    QINT32(13, 4),
    BFLOAT16(14, 2),
    QINT16(15, 2),
    QUINT16(16, 2),
    UINT16(17, 2),
    COMPLEX128(18, 16),
    /** TensorFlow calls it half; NumPy float16. */
    FLOAT16(19, 2),
    UINT32(22, 4),
    UINT64(23, 8),
    FLOAT8_E5M2(24, 1),
    FLOAT8_E4M3FN(25, 1),
    INT4(29, 1),
    UINT4(30, 1);

    private static final ElementType[] BY_NUMBER = new ElementType[32];

    static {
        for (ElementType type : values()) {
            BY_NUMBER[type.number] = type;
        }
    }

    private final int number;
    private final int bytes;

    ElementType(int number, int bytes) {
        this.number = number;
        this.bytes = bytes;
    }

    /** TensorFlow's number of it, as in {@code DataType}. */
    public int number() {
        return number;
    }

    /** Bytes of one element; 0 for strings, which have none that is fixed. */
    public int bytes() {
        return bytes;
    }

    /** TensorFlow's name of it, as people and NumPy write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The type with TensorFlow's number.
     *
     * @throws IllegalArgumentException for resources, variants, references and what is unknown: they cannot travel
     */
    public static ElementType of(int number) {
        if (number < 0 || number >= BY_NUMBER.length || BY_NUMBER[number] == null) {
            throw new IllegalArgumentException("tensors of TensorFlow's data type " + number + " cannot travel");
        }
        return BY_NUMBER[number];
    }
}
