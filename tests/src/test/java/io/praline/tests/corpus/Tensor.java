package io.praline.tests.corpus;

import io.praline.client.BatchComponent;
import io.praline.wire.ElementType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The values of one component of one row, on their way to a {@link Cell}. Its methods are those of {@code elements.py}.
 */
@SuppressWarnings("ArrayRecordComponent") // up to a picture's values, which nobody compares here
record Tensor(ElementType type, List<Long> shape, List<String> strings, double[] numbers) {
    private static final int SAMPLES = 48;

    /** All of a component. */
    static Tensor of(BatchComponent component) {
        return part(component, 0, Math.toIntExact(component.size()), shape(component));
    }

    /** The part of a component that belongs to a row: its slice along the leading dimension, or all where it has none. */
    static Tensor row(BatchComponent component, int row) {
        List<Long> whole = shape(component);
        if (whole.isEmpty()) {
            return of(component);
        }
        List<Long> shape = whole.subList(1, whole.size());
        int size = Math.toIntExact(shape.stream().reduce(1L, (a, b) -> a * b));
        return part(component, row * size, size, shape);
    }

    private static List<Long> shape(BatchComponent component) {
        return Arrays.stream(component.shape()).boxed().toList();
    }

    private static Tensor part(BatchComponent component, int from, int size, List<Long> shape) {
        ElementType type = recorded(component.dtype());
        if (type == ElementType.STRING) {
            List<String> hex = component.byteStrings().subList(from, from + size).stream()
                    .map(HexFormat.of()::formatHex)
                    .toList();
            return new Tensor(type, shape, hex, new double[0]);
        }
        ByteBuffer bytes = component.bytes();
        int start = bytes.position();
        int perElement = type == ElementType.COMPLEX64 ? 2 : 1;
        double[] numbers = IntStream.range(from * perElement, (from + size) * perElement)
                .mapToDouble(i -> number(bytes, start, type, i))
                .toArray();
        return new Tensor(type, shape, List.of(), numbers);
    }

    /** What Python's arrays call it: they know no quantised numbers. */
    private static ElementType recorded(ElementType type) {
        return switch (type) {
            case QINT8 -> ElementType.INT8;
            case QUINT8 -> ElementType.UINT8;
            case QINT16 -> ElementType.INT16;
            case QUINT16 -> ElementType.UINT16;
            case QINT32 -> ElementType.INT32;
            default -> type;
        };
    }

    private static double number(ByteBuffer bytes, int start, ElementType type, int i) {
        return switch (type) {
            case FLOAT32, COMPLEX64 -> bytes.getFloat(start + i * Float.BYTES);
            case FLOAT64 -> bytes.getDouble(start + i * Double.BYTES);
            case FLOAT16 -> half(bytes.getShort(start + i * Short.BYTES));
            case BFLOAT16 -> Float.intBitsToFloat(bytes.getShort(start + i * Short.BYTES) << Short.SIZE);
            case INT8 -> bytes.get(start + i);
            case INT16 -> bytes.getShort(start + i * Short.BYTES);
            case INT32 -> bytes.getInt(start + i * Integer.BYTES);
            case INT64 -> bytes.getLong(start + i * Long.BYTES);
            case UINT8, BOOL -> Byte.toUnsignedInt(bytes.get(start + i));
            case UINT16 -> Short.toUnsignedInt(bytes.getShort(start + i * Short.BYTES));
            case UINT32 -> Integer.toUnsignedLong(bytes.getInt(start + i * Integer.BYTES));
            case UINT64 -> unsigned(bytes.getLong(start + i * Long.BYTES));
            default -> throw new AssertionError("no values are recorded of " + type);
        };
    }

    // sign, 5 bits of exponent above -15, 10 of the fraction
    private static double half(short bits) {
        int exponent = bits >> 10 & 0x1f;
        int fraction = bits & 0x3ff;
        double size;
        if (exponent == 0x1f) {
            size = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else if (exponent == 0) {
            size = Math.scalb((double) fraction, -24);
        } else {
            size = Math.scalb((double) (fraction | 0x400), exponent - 25);
        }
        return bits < 0 ? -size : size;
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : Double.parseDouble(Long.toUnsignedString(bits));
    }

    /** The orientation whose left half is not the heavier one: a flip by chance is no difference. */
    Tensor mirrored() {
        int width = shape.get(1).intValue();
        int channels = shape.get(2).intValue();
        double left = 0;
        double right = 0;
        for (int i = 0; i < numbers.length; i++) {
            int column = i / channels % width;
            if (column < width / 2) {
                left += numbers[i];
            } else if (column >= width - width / 2) {
                right += numbers[i];
            }
        }
        if (left <= right) {
            return this;
        }
        double[] turned = new double[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            int column = i / channels % width;
            turned[i + (width - 1 - 2 * column) * channels] = numbers[i];
        }
        return new Tensor(type, shape, strings, turned);
    }

    /** Without its trailing zeroes, or empty strings. */
    Tensor unpadded() {
        if (type == ElementType.STRING) {
            int last = strings.size();
            while (last > 0 && strings.get(last - 1).isEmpty()) {
                last--;
            }
            return new Tensor(type, List.of((long) last), strings.subList(0, last), numbers);
        }
        int length = numbers.length;
        while (length > 0 && numbers[length - 1] == 0) {
            length--;
        }
        return new Tensor(type, List.of((long) length), strings, Arrays.copyOf(numbers, length));
    }

    Cell cell() {
        if (type == ElementType.STRING) {
            return new Cell(type.toString(), shape, strings, List.of());
        }
        if (isWhole() && numbers.length <= SAMPLES) {
            return new Cell(
                    type.toString(),
                    shape,
                    Arrays.stream(numbers).mapToObj(Tensor::digits).toList(),
                    List.of());
        }
        return new Cell(
                type.toString(),
                shape,
                List.of(),
                Arrays.stream(sampled()).boxed().toList());
    }

    /** Types that NumPy calls integers. */
    private boolean isWhole() {
        return switch (type) {
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, BOOL -> true;
            default -> false;
        };
    }

    private static String digits(double whole) {
        return new BigDecimal(whole).toBigInteger().toString();
    }

    /** What stands for the values; the same for two tensors whose values are the same. */
    double[] sampled() {
        if (numbers.length <= SAMPLES) {
            return numbers;
        }
        double mean = Arrays.stream(numbers).average().getAsDouble();
        return DoubleStream.concat(
                        DoubleStream.of(mean),
                        IntStream.range(0, SAMPLES)
                                .mapToDouble(i -> numbers[(int) ((long) i * numbers.length / SAMPLES)]))
                .toArray();
    }
}
