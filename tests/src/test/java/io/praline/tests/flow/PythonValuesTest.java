package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.client.Batch;
import io.praline.client.BatchComponent;
import io.praline.client.BatchStream;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.schema.JobState;
import io.praline.tests.rig.Cluster;
import io.praline.wire.ElementType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What comes out of a whole cluster is what the same program yields in one Python process, value by value: integers, strings
 * and truth values alike, floats up to rounding. {@code record_values.py} wrote the values down and says what a row is.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PythonValuesTest {
    private static final Path PIPELINES = Path.of("..", "worker", "src", "test", "resources", "pipelines")
            .toAbsolutePath()
            .normalize();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SAMPLES = 48;

    /** Nine digits were written down; the engine may add in another order than Python did. */
    private static final double ROUNDING = 1e-4;

    /**
     * One component of one row.
     *
     * @param exact what must be the same to the last bit; empty for floats
     * @param floats the mean and values at equal distances, or all of them; empty for all else
     */
    private record Cell(String type, List<Long> shape, List<String> exact, List<Double> floats) {
        @Override
        public String toString() {
            return type + shape + exact;
        }
    }

    private record Row(List<Cell> cells) {
        static final Comparator<Row> ORDER = Comparator.comparing((Row row) -> row.cells.toString())
                .thenComparing(row -> row.floats().findFirst().orElse(0));

        DoubleStream floats() {
            return cells.stream().flatMap(cell -> cell.floats.stream()).mapToDouble(Double::doubleValue);
        }
    }

    private record Recorded(String glob, List<Integer> mirrored, List<Integer> padded, List<Row> rows) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flowers",
                "examples_big_map",
                "text_bucketed",
                "jpeg_evaluation",
                "lookup_table",
                "padded_batch",
                "strings",
                "text_lines",
                "type_bool",
                "type_uint8"
            })
    void theValuesArePythons(String pipeline) throws IOException {
        Recorded recorded = recorded(pipeline);
        byte[] graph = Files.readAllBytes(PIPELINES.resolve(pipeline + ".pb"));
        List<Row> came = new ArrayList<>();
        JobResult result;
        try (PralineClient client = Cluster.shared().client();
                BatchStream stream = client.submit(JobSpec.of(graph)
                        .named(pipeline)
                        .data(PIPELINES.resolve(recorded.glob()).toString())
                        .seed(11))) {
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    came.addAll(rows(batch, recorded));
                }
            }
            result = stream.result();
        }

        assertThat(result.state()).isEqualTo(JobState.COMPLETED);
        came.sort(Row.ORDER);
        List<Row> expected = recorded.rows().stream().sorted(Row.ORDER).toList();
        assertThat(came.stream().map(Row::cells).map(List::toString).toList())
                .isEqualTo(expected.stream().map(Row::cells).map(List::toString).toList());
        for (int i = 0; i < expected.size(); i++) {
            double[] found = came.get(i).floats().toArray();
            double[] wanted = expected.get(i).floats().toArray();
            assertThat(found).hasSameSizeAs(wanted);
            for (int value = 0; value < wanted.length; value++) {
                assertThat(found[value])
                        .as("value %d of row %s", value, expected.get(i).cells())
                        .isCloseTo(wanted[value], within(ROUNDING * Math.max(1, Math.abs(wanted[value]))));
            }
        }
    }

    private static Recorded recorded(String pipeline) throws IOException {
        List<String> lines = Files.readAllLines(PIPELINES.resolve("values").resolve(pipeline + ".jsonl"));
        JsonNode head = JSON.readTree(lines.get(0));
        List<Row> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<Cell> cells = new ArrayList<>();
            for (JsonNode cell : JSON.readTree(line)) {
                String type = cell.get("type").asText();
                List<JsonNode> values = list(cell.get("values"));
                boolean floats = type.startsWith("float") || values.stream().anyMatch(JsonNode::isDouble);
                cells.add(new Cell(
                        type,
                        list(cell.get("shape")).stream().map(JsonNode::asLong).toList(),
                        floats
                                ? List.of()
                                : values.stream().map(JsonNode::asText).toList(),
                        floats ? values.stream().map(JsonNode::asDouble).toList() : List.of()));
            }
            rows.add(new Row(cells));
        }
        assertThat(rows).isNotEmpty();
        return new Recorded(
                head.get("glob").asText(), numbers(head.get("mirrored")), numbers(head.get("padded")), rows);
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> all = new ArrayList<>();
        array.forEach(all::add);
        return all;
    }

    private static List<Integer> numbers(JsonNode array) {
        return list(array).stream().map(JsonNode::asInt).toList();
    }

    private static List<Row> rows(Batch batch, Recorded recorded) {
        return IntStream.range(0, (int) batch.component(0).shape()[0])
                .mapToObj(index -> new Row(IntStream.range(0, batch.size())
                        .mapToObj(place -> cell(
                                batch.component(place),
                                index,
                                recorded.mirrored().contains(place),
                                recorded.padded().contains(place)))
                        .toList()))
                .toList();
    }

    private static Cell cell(BatchComponent component, int row, boolean mirrored, boolean padded) {
        String type = component.dtype().toString();
        List<Long> shape = Arrays.stream(component.shape()).skip(1).boxed().toList();
        int size = shape.stream().mapToInt(Long::intValue).reduce(1, (a, b) -> a * b);
        if (component.dtype() == ElementType.STRING) {
            List<String> hex = component.byteStrings().subList(row * size, (row + 1) * size).stream()
                    .map(HexFormat.of()::formatHex)
                    .toList();
            return new Cell(type, shape, hex, List.of());
        }
        double[] values = values(component, row * size, size);
        if (mirrored) {
            values = mirrored(values, shape);
        }
        if (padded) {
            int length = size;
            while (length > 0 && values[length - 1] == 0) {
                length--;
            }
            values = Arrays.copyOf(values, length);
            shape = List.of((long) length);
        }
        boolean floats = component.dtype() == ElementType.FLOAT32;
        if (!floats && values.length <= SAMPLES) {
            List<String> exact = Arrays.stream(values)
                    .mapToObj(value -> Long.toString((long) value))
                    .toList();
            return new Cell(type, shape, exact, List.of());
        }
        double[] kept = values.length <= SAMPLES ? values : sampled(values);
        return new Cell(type, shape, List.of(), Arrays.stream(kept).boxed().toList());
    }

    private static double[] values(BatchComponent component, int from, int size) {
        ByteBuffer bytes = component.bytes();
        int start = bytes.position();
        return IntStream.range(from, from + size)
                .mapToDouble(i -> switch (component.dtype()) {
                    case FLOAT32 -> bytes.getFloat(start + i * Float.BYTES);
                    case INT32 -> bytes.getInt(start + i * Integer.BYTES);
                    case INT64 -> bytes.getLong(start + i * Long.BYTES);
                    case UINT8, BOOL -> Byte.toUnsignedInt(bytes.get(start + i));
                    default -> throw new AssertionError("no values are recorded of " + component.dtype());
                })
                .toArray();
    }

    private static double[] sampled(double[] values) {
        double mean = Arrays.stream(values).average().getAsDouble();
        return DoubleStream.concat(
                        DoubleStream.of(mean),
                        IntStream.range(0, SAMPLES)
                                .mapToDouble(i -> values[(int) ((long) i * values.length / SAMPLES)]))
                .toArray();
    }

    /** The orientation whose left half is not the heavier one: a flip by chance is no difference. */
    private static double[] mirrored(double[] values, List<Long> shape) {
        int width = shape.get(1).intValue();
        int channels = shape.get(2).intValue();
        double left = 0;
        double right = 0;
        for (int i = 0; i < values.length; i++) {
            int column = i / channels % width;
            if (column < width / 2) {
                left += values[i];
            } else if (column >= width - width / 2) {
                right += values[i];
            }
        }
        if (left <= right) {
            return values;
        }
        double[] turned = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            int column = i / channels % width;
            turned[i + (width - 1 - 2 * column) * channels] = values[i];
        }
        return turned;
    }
}
