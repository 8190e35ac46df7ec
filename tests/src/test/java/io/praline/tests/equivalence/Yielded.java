package io.praline.tests.equivalence;

import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineTensor;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.source.SourceKind;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.tensorflow.proto.DataType;

/**
 * What a pipeline yields, each element by its ticket; a batch that cannot be taken apart, as a whole by its tickets.
 *
 * @param rows components by tickets
 */
record Yielded(Map<String, List<Values>> rows) {

    /** One component. */
    record Values(DataType type, List<Long> shape, ByteBuffer bytes) {

        /** As numbers, where it is of a floating type. */
        Optional<double[]> numbers() {
            ByteBuffer little = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            return switch (type) {
                case DT_FLOAT -> Optional.of(numbers(Float.BYTES, little::getFloat));
                case DT_DOUBLE -> Optional.of(numbers(Double.BYTES, little::getDouble));
                case DT_BFLOAT16 ->
                    Optional.of(numbers(Short.BYTES, at -> Float.intBitsToFloat(little.getShort(at) << Short.SIZE)));
                case DT_HALF -> Optional.of(numbers(Short.BYTES, at -> half(little.getShort(at))));
                default -> Optional.empty();
            };
        }

        /** Of one bit for the sign, five for the exponent and ten for the fraction. */
        private static double half(short bits) {
            int exponent = bits >> 10 & 31;
            int fraction = bits & 1023;
            double size = exponent == 0
                    ? fraction * 0x1p-24
                    : exponent < 31
                            ? (1024 + fraction) * Math.pow(2, exponent - 25.0)
                            : fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
            return bits < 0 ? -size : size;
        }

        private double[] numbers(int width, IntToDoubleFunction read) {
            double[] numbers = new double[bytes.limit() / width];
            Arrays.setAll(numbers, i -> read.applyAsDouble(i * width));
            return numbers;
        }
    }

    /** Runs it as a tracked task, with the splits that a planner would make. */
    static Yielded of(PipelineGraph pipeline) {
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        Map<String, List<Values>> rows = new TreeMap<>();
        TaskSettings settings = TaskSettings.of(2).withTracked(true).withSeed(1);
        try (GraphSession session = new GraphSession(TaskGraphs.build(pipeline, analysis, settings))) {
            splits(analysis).forEach(session::enqueue);
            session.allowTail();
            session.closeQueue();
            for (Optional<EngineBatch> next = session.next(); next.isPresent(); next = session.next()) {
                try (EngineBatch batch = next.get()) {
                    add(batch, rows);
                }
            }
        }
        return new Yielded(rows);
    }

    private static List<FeedSplit> splits(PipelineAnalysis analysis) {
        List<FeedSplit> splits = new ArrayList<>();
        PipelineSource source = analysis.sources().get(0);
        if (source.kind() instanceof SourceKind.Integers range) {
            splits.add(FeedSplit.integers(0, 0, range.from(), range.until(), range.step()));
        } else if (source.kind() instanceof SourceKind.Indexes constant) {
            splits.add(FeedSplit.indexes(0, 0, 0, constant.count()));
        } else {
            throw new IllegalArgumentException(
                    "a pipeline of numbers or of a constant's rows only, not " + source.kind());
        }
        return splits;
    }

    private static void add(EngineBatch batch, Map<String, List<Values>> rows) {
        long[] tickets = batch.tickets();
        List<EngineTensor> tensors = batch.tensors();
        boolean stacked = tensors.stream()
                .allMatch(tensor -> !tensor.shape().isEmpty() && tensor.shape().get(0) == tickets.length);
        if (!stacked) {
            rows.put(
                    Arrays.toString(tickets),
                    tensors.stream()
                            .map(tensor -> new Values(type(tensor), tensor.shape(), copy(tensor.bytes())))
                            .toList());
            return;
        }
        for (int row = 0; row < tickets.length; row++) {
            int at = row;
            rows.put(
                    Long.toString(tickets[row]),
                    tensors.stream().map(tensor -> row(tensor, at)).toList());
        }
    }

    private static Values row(EngineTensor tensor, int row) {
        List<Long> shape = tensor.shape().subList(1, tensor.shape().size());
        int rows = Math.toIntExact(tensor.shape().get(0));
        ByteBuffer body = tensor.bytes();
        if (type(tensor) != DataType.DT_STRING) {
            int size = body.limit() / rows;
            return new Values(type(tensor), shape, copy(body.slice(row * size, size)));
        }
        int each = Math.toIntExact(shape.stream().reduce(1L, (some, size) -> some * size));
        ByteBuffer texts = ByteBuffer.allocate(body.limit() + each * Integer.BYTES);
        int base = (rows * each + 1) * Long.BYTES;
        for (int i = row * each; i < (row + 1) * each; i++) {
            int from = (int) body.getLong(i * Long.BYTES);
            int until = (int) body.getLong((i + 1) * Long.BYTES);
            texts.putInt(until - from).put(body.slice(base + from, until - from));
        }
        return new Values(DataType.DT_STRING, shape, texts.flip());
    }

    /** Types and sizes of its components, by tickets. */
    Map<String, List<String>> described() {
        Map<String, List<String>> described = new TreeMap<>();
        rows.forEach((tickets, values) -> described.put(
                tickets,
                values.stream().map(value -> value.type() + " " + value.shape()).toList()));
        return described;
    }

    private static DataType type(EngineTensor tensor) {
        return DataType.forNumber(tensor.dtype());
    }

    private static ByteBuffer copy(ByteBuffer body) {
        return ByteBuffer.allocate(body.remaining()).put(body.duplicate()).flip();
    }

    /**
     * The largest difference of any component beside its largest value, or the range of its values where that is larger: what
     * a constant shifted far away has the last bit of where it is now. Infinite where something else differs.
     */
    double apartFrom(Yielded other) {
        return apartFrom(
                other, (least, most) -> Math.max(Math.max(most, -least), Math.max(most - least, Double.MIN_NORMAL)));
    }

    /** The largest difference of any component beside the range of its values. Infinite where something else differs. */
    double apartInRange(Yielded other) {
        return apartFrom(other, (least, most) -> most - least);
    }

    private double apartFrom(Yielded other, DoubleBinaryOperator range) {
        if (!rows.keySet().equals(other.rows.keySet())) {
            return Double.POSITIVE_INFINITY;
        }
        double[] least = new double[99];
        double[] most = new double[99];
        double[] apart = new double[99];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        Arrays.fill(most, Double.NEGATIVE_INFINITY);
        for (Map.Entry<String, List<Values>> row : rows.entrySet()) {
            List<Values> others = other.rows.get(row.getKey());
            for (int i = 0; i < others.size(); i++) {
                Values one = row.getValue().get(i);
                Optional<double[]> numbers = one.numbers();
                if (numbers.isEmpty() || !others.get(i).type().equals(one.type())) {
                    apart[i] = one.equals(others.get(i)) ? apart[i] : Double.POSITIVE_INFINITY;
                    continue;
                }
                double[] held = others.get(i).numbers().orElseThrow();
                for (int at = 0; at < held.length; at++) {
                    double value = numbers.get()[at];
                    least[i] = Double.isFinite(value) ? Math.min(least[i], value) : least[i];
                    most[i] = Double.isFinite(value) ? Math.max(most[i], value) : most[i];
                    apart[i] = Math.max(apart[i], apart(value, held[at]));
                }
            }
        }
        return Stream.iterate(0, i -> i < apart.length, i -> i + 1)
                .mapToDouble(i -> apart[i] == 0 ? 0 : apart[i] / range.applyAsDouble(least[i], most[i]))
                .max()
                .orElse(0);
    }

    private static double apart(double one, double other) {
        if (Double.compare(one, other) == 0 || one == other) {
            return 0;
        }
        double apart = Math.abs(one - other);
        return Double.isNaN(apart) ? Double.POSITIVE_INFINITY : apart;
    }
}
