package io.praline.client;

import java.util.Locale;

/** TensorFlow's data types, by its names and numbers. */
public enum DType {
    FLOAT32(1, 4),
    FLOAT64(2, 8),
    INT32(3, 4),
    UINT8(4, 1),
    INT16(5, 2),
    INT8(6, 1),
    /** Bytes of any length. */
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

    private static final DType[] BY_NUMBER = byNumber();

    private final int number;
    private final int bytes;

    DType(int number, int bytes) {
        this.number = number;
        this.bytes = bytes;
    }

    /** TensorFlow's number of it, as it stands on the wire. */
    public int number() {
        return number;
    }

    /** Bytes of one value; 0 for strings. */
    public int bytes() {
        return bytes;
    }

    /** TensorFlow's name of it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The type with this number.
     *
     * @throws IllegalArgumentException if there is none that a batch can hold
     */
    public static DType of(int number) {
        if (number < 0 || number >= BY_NUMBER.length || BY_NUMBER[number] == null) {
            throw new IllegalArgumentException("no data type of batches has the number " + number);
        }
        return BY_NUMBER[number];
    }

    private static DType[] byNumber() {
        DType[] types = new DType[32];
        for (DType type : values()) {
            types[type.number] = type;
        }
        return types;
    }
}
