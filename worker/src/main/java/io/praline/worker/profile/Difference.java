package io.praline.worker.profile;

import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.tensorflow.proto.DataType;

/**
 * How far what two graphs yield is apart, element by element. Elements are found by their tickets, in whatever batches they
 * come; where a batch cannot be taken apart into its elements, it is compared as a whole with the one of the same tickets, and
 * where there are no tickets, with the one that came at the same place. Batches are kept until all of their elements are
 * compared: they lie in TensorFlow's memory, of which there is more than a worker's heap. Not safe for several threads.
 */
final class Difference implements AutoCloseable {
    private static final int BITS_OF_BFLOAT16 = 16;

    private final long most;
    private final Map<String, Element> waiting = new HashMap<>();
    private final Set<Kept> kept = new HashSet<>();
    private long keptBytes;
    private final List<Range> ranges = new ArrayList<>();
    private final long[] batches = new long[2];
    private final long[] seen = new long[2];
    private long elements;
    private long incomparable;
    private long unequal;

    /** A batch, until all of its elements are compared. */
    private static final class Kept {
        private final EngineBatch batch;
        private int open;

        Kept(EngineBatch batch, int open) {
            this.batch = batch;
            this.open = open;
        }
    }

    private record Element(List<Values> values, Kept of) {}

    /** One component of an element, where it lies in its batch. */
    private record Values(DataType type, List<Long> shape, ByteBuffer bytes) {

        boolean isLike(Values other) {
            return type == other.type && shape.equals(other.shape);
        }
    }

    /** What was seen of a component. */
    private static final class Range {
        private double least = Double.POSITIVE_INFINITY;
        private double most = Double.NEGATIVE_INFINITY;
        private double apart;

        void take(double value) {
            if (Double.isFinite(value)) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }

        double relative() {
            double range = most - least;
            return apart == 0 || Double.isNaN(apart) ? apart : range > 0 && Double.isFinite(range) ? apart / range : 1;
        }
    }

    /** @param most bytes of batches that may be kept at a time */
    Difference(long most) {
        this.most = most;
    }

    /**
     * A batch of the first graph, which is taken over.
     *
     * @throws SampleFailed where too much has to be kept
     */
    void first(EngineBatch batch) {
        take(batch, 0);
    }

    /**
     * A batch of the second graph, which is taken over.
     *
     * @throws SampleFailed where too much has to be kept
     */
    void second(EngineBatch batch) {
        take(batch, 1);
    }

    /** Whether the second graph is behind the first one, so that its batch is to come next. */
    boolean secondIsBehind() {
        return seen[1] < seen[0];
    }

    private void take(EngineBatch batch, int side) {
        long[] tickets = batch.tickets();
        long place = batches[side]++;
        seen[side] += Math.max(1, tickets.length);
        boolean rows = tickets.length > 0
                && batch.tensors().stream()
                        .allMatch(tensor ->
                                !tensor.shape().isEmpty() && tensor.shape().get(0) == tickets.length);
        Kept taken = new Kept(batch, rows ? tickets.length : 1);
        kept.add(taken);
        keptBytes += batch.bytes();
        if (rows) {
            for (int row = 0; row < tickets.length; row++) {
                int at = row;
                match(
                        side,
                        Long.toString(tickets[row]),
                        new Element(
                                batch.tensors().stream()
                                        .map(tensor -> row(tensor, at))
                                        .toList(),
                                taken));
            }
        } else {
            match(
                    side,
                    tickets.length > 0 ? Arrays.toString(tickets) : "batch " + place,
                    new Element(batch.tensors().stream().map(Difference::whole).toList(), taken));
        }
        if (keptBytes > most) {
            throw new SampleFailed("what comes out in both orders is too large to be compared here: " + keptBytes
                    + " bytes wait for each other; make the batches smaller");
        }
    }

    private void match(int side, String key, Element element) {
        Optional<Element> other = Optional.ofNullable(waiting.remove((1 - side) + " " + key));
        if (other.isPresent()) {
            Element first = side == 0 ? element : other.get();
            Element second = side == 0 ? other.get() : element;
            compare(first.values(), second.values());
            release(first);
            release(second);
        } else {
            // one that comes once more on its own side is one that the other side lacks
            Optional.ofNullable(waiting.put(side + " " + key, element)).ifPresent(again -> {
                incomparable++;
                release(again);
            });
        }
    }

    private void release(Element compared) {
        Kept of = compared.of();
        if (--of.open == 0 && kept.remove(of)) {
            keptBytes -= of.batch.bytes();
            of.batch.close();
        }
    }

    /** Gives back what is still kept. */
    @Override
    public void close() {
        kept.forEach(one -> one.batch.close());
        kept.clear();
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
        boolean same = first.bytes().equals(second.bytes());
        if (first.type() == DataType.DT_STRING) {
            range.apart = same ? range.apart : Double.POSITIVE_INFINITY;
            return same;
        }
        ByteBuffer some = read(first);
        ByteBuffer others = read(second);
        long count = first.shape().stream().reduce(1L, (product, size) -> product * size);
        for (long i = 0; i < count; i++) {
            double value = number(first.type(), some);
            range.take(value);
            if (!same) {
                range.apart = Math.max(range.apart, apart(value, number(second.type(), others)));
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
        return new Values(type(tensor), tensor.shape(), tensor.bytes());
    }

    private static Values row(EngineTensor tensor, int row) {
        List<Long> shape = tensor.shape().subList(1, tensor.shape().size());
        int rows = Math.toIntExact(tensor.shape().get(0));
        if (type(tensor) == DataType.DT_STRING) {
            int each = Math.toIntExact(shape.stream().reduce(1L, (some, size) -> some * size));
            return new Values(DataType.DT_STRING, shape, strings(tensor.bytes(), row * each, each, rows * each));
        }
        int size = tensor.bytes().limit() / rows;
        return new Values(type(tensor), shape, tensor.bytes().slice(row * size, size));
    }

    private static DataType type(EngineTensor tensor) {
        return DataType.forNumber(tensor.dtype());
    }

    private static ByteBuffer read(Values values) {
        return values.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Some of the strings, each with its length in front. */
    private static ByteBuffer strings(ByteBuffer body, int from, int count, int all) {
        int base = (all + 1) * Long.BYTES;
        long[] offsets = LongStream.rangeClosed(from, from + count)
                .map(at -> body.getLong(Math.toIntExact(at * Long.BYTES)))
                .toArray();
        int length = Math.toIntExact(offsets[count] - offsets[0]);
        ByteBuffer strings = ByteBuffer.allocate(count * Long.BYTES + length);
        for (int i = 0; i < count; i++) {
            strings.putLong(offsets[i + 1] - offsets[i]);
        }
        return strings.put(body.slice(Math.toIntExact(base + offsets[0]), length))
                .flip();
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
