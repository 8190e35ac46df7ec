package io.praline.worker.profile;

import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.tensorflow.proto.DataType;

/**
 * How far what two graphs yield is apart, element by element. Elements are found by their tickets, in whatever batches they
 * come; where a batch cannot be taken apart into its elements, it is compared as a whole with the one of the same tickets, and
 * where there are no tickets, with the one that came at the same place. Not safe for several threads.
 */
final class Difference {
    private static final int BITS_OF_BFLOAT16 = 16;

    private final Map<String, List<Values>> waiting = new HashMap<>();
    private final List<Range> ranges = new ArrayList<>();
    private final long[] batches = new long[2];
    private long elements;
    private long incomparable;
    private long unequal;

    /** One component of an element. */
    @SuppressWarnings("ArrayRecordComponent") // compared by what they hold
    private record Values(DataType type, List<Long> shape, byte[] bytes) {

        boolean isLike(Values other) {
            return type == other.type && shape.equals(other.shape);
        }
    }

    /** What was seen of a component. */
    private static final class Range {
        private double least = Double.POSITIVE_INFINITY;
        private double most = Double.NEGATIVE_INFINITY;
        private double apart;

        double relative() {
            double range = most - least;
            return apart == 0 || Double.isNaN(apart) ? apart : range > 0 && Double.isFinite(range) ? apart / range : 1;
        }
    }

    /** A batch of the first graph. */
    void first(EngineBatch batch) {
        take(batch, 0);
    }

    /** A batch of the second graph. */
    void second(EngineBatch batch) {
        take(batch, 1);
    }

    private void take(EngineBatch batch, int side) {
        long[] tickets = batch.tickets();
        long place = batches[side]++;
        boolean rows = tickets.length > 0
                && batch.tensors().stream()
                        .allMatch(tensor ->
                                !tensor.shape().isEmpty() && tensor.shape().get(0) == tickets.length);
        if (rows) {
            for (int row = 0; row < tickets.length; row++) {
                int at = row;
                match(
                        side,
                        Long.toString(tickets[row]),
                        batch.tensors().stream().map(tensor -> row(tensor, at)).toList());
            }
        } else {
            match(
                    side,
                    tickets.length > 0 ? Arrays.toString(tickets) : "batch " + place,
                    batch.tensors().stream().map(Difference::whole).toList());
        }
    }

    private void match(int side, String key, List<Values> values) {
        String here = side + " " + key;
        Optional<List<Values>> other = Optional.ofNullable(waiting.remove((1 - side) + " " + key));
        if (other.isEmpty()) {
            waiting.put(here, values);
        } else {
            compare(side == 0 ? values : other.get(), side == 0 ? other.get() : values);
        }
    }

    private void compare(List<Values> first, List<Values> second) {
        boolean alike = first.size() == second.size()
                && IntStream.range(0, first.size()).allMatch(i -> first.get(i).isLike(second.get(i)));
        if (!alike) {
            incomparable++;
            return;
        }
        elements++;
        boolean same = true;
        for (int i = 0; i < first.size(); i++) {
            if (ranges.size() <= i) {
                ranges.add(new Range());
            }
            same &= compare(first.get(i), second.get(i), ranges.get(i));
        }
        unequal += same ? 0 : 1;
    }

    private static boolean compare(Values first, Values second, Range range) {
        boolean same = Arrays.equals(first.bytes(), second.bytes());
        if (first.type() == DataType.DT_STRING) {
            range.apart = same ? range.apart : Double.POSITIVE_INFINITY;
            return same;
        }
        double[] values = numbers(first);
        for (double value : values) {
            if (Double.isFinite(value)) {
                range.least = Math.min(range.least, value);
                range.most = Math.max(range.most, value);
            }
        }
        if (!same) {
            double[] others = numbers(second);
            for (int i = 0; i < values.length; i++) {
                range.apart = Math.max(range.apart, apart(values[i], others[i]));
            }
        }
        return same;
    }

    private static double apart(double one, double other) {
        return one == other || (Double.isNaN(one) && Double.isNaN(other)) ? 0 : Math.abs(one - other);
    }

    /** See {@link Verified#largestDifference}. */
    double largest() {
        return ranges.stream()
                .mapToDouble(Range::relative)
                .map(relative -> Math.min(1, relative))
                .max()
                .orElse(0);
    }

    /** How many elements, or batches that are compared as a whole, both yielded. */
    long elements() {
        return elements;
    }

    /** How many only one of both yielded, or both in other types or shapes. */
    long missing() {
        return waiting.size() + incomparable;
    }

    /** How many of those that both yielded are not the same bit for bit. */
    long unequal() {
        return unequal;
    }

    private static Values whole(EngineTensor tensor) {
        return new Values(
                type(tensor),
                tensor.shape(),
                bytes(tensor.bytes(), 0, tensor.bytes().limit()));
    }

    private static Values row(EngineTensor tensor, int row) {
        List<Long> shape = tensor.shape().subList(1, tensor.shape().size());
        int rows = Math.toIntExact(tensor.shape().get(0));
        if (type(tensor) == DataType.DT_STRING) {
            int each = Math.toIntExact(shape.stream().reduce(1L, (some, size) -> some * size));
            return new Values(DataType.DT_STRING, shape, strings(tensor.bytes(), row * each, each, rows * each));
        }
        int size = tensor.bytes().limit() / rows;
        return new Values(type(tensor), shape, bytes(tensor.bytes(), row * size, size));
    }

    private static DataType type(EngineTensor tensor) {
        return DataType.forNumber(tensor.dtype());
    }

    private static byte[] bytes(ByteBuffer body, int from, int length) {
        byte[] bytes = new byte[length];
        body.get(from, bytes);
        return bytes;
    }

    /** Some of the strings, each with its length in front. */
    private static byte[] strings(ByteBuffer body, int from, int count, int all) {
        int base = (all + 1) * Long.BYTES;
        long[] offsets = LongStream.rangeClosed(from, from + count)
                .map(at -> body.getLong(Math.toIntExact(at * Long.BYTES)))
                .toArray();
        int length = Math.toIntExact(offsets[count] - offsets[0]);
        ByteBuffer strings = ByteBuffer.allocate(count * Long.BYTES + length);
        for (int i = 0; i < count; i++) {
            strings.putLong(offsets[i + 1] - offsets[i]);
        }
        return strings.put(bytes(body, Math.toIntExact(base + offsets[0]), length))
                .array();
    }

    private static double[] numbers(Values values) {
        ByteBuffer bytes = ByteBuffer.wrap(values.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        long count = values.shape().stream().reduce(1L, (some, size) -> some * size);
        double[] numbers = new double[Math.toIntExact(count)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(values.type(), bytes);
        }
        return numbers;
    }

    private static double number(DataType type, ByteBuffer bytes) {
        return switch (type) {
            case DT_FLOAT -> bytes.getFloat();
            case DT_DOUBLE -> bytes.getDouble();
            case DT_BFLOAT16 -> Float.intBitsToFloat(bytes.getShort() << BITS_OF_BFLOAT16);
            case DT_HALF -> half(bytes.getShort());
            case DT_INT64, DT_UINT64 -> bytes.getLong();
            case DT_INT32 -> bytes.getInt();
            case DT_UINT32 -> Integer.toUnsignedLong(bytes.getInt());
            case DT_INT16 -> bytes.getShort();
            case DT_UINT16 -> Short.toUnsignedInt(bytes.getShort());
            case DT_INT8 -> bytes.get();
            case DT_UINT8, DT_BOOL -> Byte.toUnsignedInt(bytes.get());
            default -> throw new IllegalArgumentException("values of type " + type + " cannot be compared");
        };
    }

    /** Of IEEE's 16 bits: one of the sign, five of the exponent, ten of the fraction. */
    private static double half(short bits) {
        int exponent = (bits >> 10) & 31;
        int fraction = bits & 1023;
        double size =
                switch (exponent) {
                    case 0 -> fraction * 0x1p-24;
                    case 31 -> fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
                    default -> (1024 + fraction) * Math.pow(2, exponent - 25.0);
                };
        return bits < 0 ? -size : size;
    }
}
