package io.praline.deploy.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.sample.TfRecordWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code pipeline describe} measures of data. */
class DescribeCommandTest {
    private static final String NUMBERS = """
            source: tfrecord
            steps:
              - decode_raw: {type: uint8, shape: [100]}
              - cast: {type: float32}
              - shuffle: {size: 8}
              - batch: {size: 10}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int describe(String yaml, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("--data", folder + "/*.tfrecord"));
        options.addAll(List.of(more));
        return describeBy(yaml, options);
    }

    private int describeBy(String yaml, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "pipeline",
                "describe",
                Files.writeString(folder.resolve("p.yaml"), yaml).toString()));
        command.addAll(options);
        return Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), command.toArray(String[]::new));
    }

    private Path records(String name, int count, int bytes) throws IOException {
        Path file = folder.resolve(name);
        try (TfRecordWriter writer = new TfRecordWriter(file)) {
            for (int i = 0; i < count; i++) {
                writer.write(new byte[bytes]);
            }
        }
        return file;
    }

    private void assertOneLine(String said) {
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines()).singleElement().asString().contains(said);
    }

    // 800 records of 100 bytes; a float takes four bytes for one; what was there before stays as it was
    @Test
    void eachStepIsToldWithWhatItCosts() throws IOException {
        records("a.tfrecord", 400, 100);
        records("b.tfrecord", 400, 100);
        assertThat(describe(NUMBERS, "--json")).as(err.toString()).isZero();

        JsonNode object = new ObjectMapper().readTree(out.toString());
        assertThat(object.fieldNames())
                .toIterable()
                .contains("digest", "sources", "transformations", "components", "guarantee", "splits", "measured");
        JsonNode measured = object.get("measured");
        // on a busy machine as many as its first elements say that there is time for
        long elements = measured.get("elements").asLong();
        assertThat(elements).isBetween(300L, 800L);
        assertThat(measured.get("splits").asLong()).isEqualTo(2);
        assertThat(measured.get("ended").asBoolean()).isTrue();
        assertThat(measured.get("enough").asBoolean()).isTrue();
        List<String> names = new ArrayList<>();
        double shares = 0;
        for (JsonNode step : object.get("transformations")) {
            names.add(step.get("name").asText());
            assertThat(step.fieldNames())
                    .toIterable()
                    .contains("kind", "functions", "components", "note", "random")
                    .contains("elements", "bytesIn", "bytesOut", "inflation", "nanos", "nanosPerElement", "share");
            shares += step.get("share").asDouble();
        }
        assertThat(shares).isBetween(0.5, 1.001);
        assertThat(names).contains(measured.get("bottleneck").asText());
        assertThat(object.get("steps")).allSatisfy(step -> assertThat(step.fieldNames())
                .toIterable()
                .contains("name", "transformation", "kind", "random", "components", "inflation", "share"));
        assertThat(object.get("steps").get(1).get("components").asText()).isEqualTo("float32[100]");
        JsonNode cast = object.get("transformations").get(names.indexOf("cast"));
        assertThat(cast.get("elements").asLong()).isEqualTo(elements);
        assertThat(cast.get("inflation").asDouble()).isBetween(3.7, 4.0);
        JsonNode shuffle = object.get("transformations").get(names.indexOf("cast") + 1);
        assertThat(shuffle.get("random")).hasSize(1);
    }

    @Test
    void peopleSeeATableAndTheBottleneck() throws IOException {
        records("a.tfrecord", 400, 100);
        assertThat(describe(NUMBERS)).as(err.toString()).isZero();

        assertThat(out.toString().lines())
                .anyMatch(line -> line.startsWith("plan        1 split, "))
                .anyMatch(line ->
                        line.matches("measured    [34]\\d\\d elements of 1 split in \\d\\.\\d\\d s, on one thread"))
                .anyMatch(line -> line.matches(
                        "  cast +elementwise +\\d.* us +\\d+\\.\\d % +\\d+ +\\d\\.\\d\\d  float32\\[100\\]"))
                .anyMatch(line -> line.matches("bottleneck  \\w+: \\d+ % of the time, .* an element"))
                .anyMatch(line -> line.matches("random      shuffle_\\d: ShuffleDatasetV3"));
    }

    @Test
    void fewElementsAreSaid() throws IOException {
        records("a.tfrecord", 3, 100);
        assertThat(describe(NUMBERS)).as(err.toString()).isZero();

        assertThat(out.toString())
                .contains("3 elements of 1 split in ")
                .contains("; there are no more, and 300 were wanted: take the figures with care");
    }

    @Test
    void withoutAnyMapTheReaderIsMeasured() throws IOException {
        records("a.tfrecord", 3, 100);
        assertThat(describe("source: tfrecord\nsteps:\n  - batch: {size: 2}\n", "--json"))
                .isZero();

        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .get("measured")
                        .get("elements")
                        .asLong())
                .isEqualTo(3);
    }

    @Test
    void whatAPipelineHoldsItselfIsMeasuredWhereThatIsAskedFor() throws IOException {
        String held =
                "source:\n  range: {from: 0, to: 500}\nsteps:\n  - cast: {type: float32}\n  - batch: {size: 10}\n";
        assertThat(describeBy(held, List.of("--json"))).as(err.toString()).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).has("measured")).isFalse();

        out.getBuffer().setLength(0);
        assertThat(describeBy(held, List.of("--json", "--measure")))
                .as(err.toString())
                .isZero();
        assertThat(new ObjectMapper()
                        .readTree(out.toString())
                        .get("measured")
                        .get("elements")
                        .asLong())
                .isBetween(300L, 500L);
    }

    @Test
    void aRecordThatTheStepsCannotTakeIsOneLine() throws IOException {
        Path file = records("a.tfrecord", 5, 100);
        assertThat(describe("source: tfrecord\nsteps:\n  - decode_jpeg\n  - resize: {height: 8, width: 8}\n"))
                .isEqualTo(3);
        assertOneLine("the sample cannot be measured: " + file + ": record 0 cannot be processed: ");
    }

    @Test
    void aFileThatIsCutOffIsOneLine() throws IOException {
        Path whole = records("whole", 5, 100);
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = folder.resolve("cut.tfrecord");
        Files.write(cut, Arrays.copyOf(bytes, bytes.length - 50));
        assertThat(describe(NUMBERS)).isEqualTo(3);
        assertOneLine("the sample cannot be measured: " + cut + ": record 4 ");
        assertThat(err.toString())
                .contains("; mend it, or take a sample without it")
                .doesNotContain("--skip-bad");
    }

    @Test
    void emptyFilesAreNamed() throws IOException {
        Files.createFile(folder.resolve("a.tfrecord"));
        assertThat(describe(NUMBERS)).isZero();
        assertThat(out.toString())
                .contains("plan        1 split, 0 bytes in an epoch")
                .contains("note        there is nothing to read: ")
                .contains("a length of zero");
    }
}
