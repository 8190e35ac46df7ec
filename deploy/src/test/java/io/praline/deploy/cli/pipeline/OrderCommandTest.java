package io.praline.deploy.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.sample.TfRecordWriter;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.storage.StorageSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderCommandTest {
    /** As people write it: each record by itself, and batches behind. */
    private static final String RAW = """
            source: tfrecord
            steps:
              - decode_raw: {type: uint8}
              - batch: {size: 100}
            """;

    private static final String NOTHING = """
            source: tfrecord
            steps:
              - batch: {size: 100}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int order(String yaml, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "pipeline",
                "order",
                Files.writeString(folder.resolve("p.yaml"), yaml).toString(),
                "--data",
                folder + "/*.tfrecord"));
        command.addAll(List.of(more));
        return Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), command.toArray(String[]::new));
    }

    private void records(String name, int count) throws IOException {
        try (TfRecordWriter writer = new TfRecordWriter(folder.resolve(name))) {
            for (int i = 0; i < count; i++) {
                byte[] record = new byte[100];
                record[i % 100] = (byte) i;
                writer.write(record);
            }
        }
    }

    private List<JsonNode> objects() throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (String line : out.toString().lines().toList()) {
            objects.add(new ObjectMapper().readTree(line));
        }
        return objects;
    }

    // 1,200 records: decoding them by the batch is the same bit for bit
    @Test
    void whatMovesIsToldStepByStepAndWrittenAndDrawn() throws IOException {
        records("a.tfrecord", 1200);
        Path written = folder.resolve("out.pb");
        Path picture = folder.resolve("out.svg");
        assertThat(order(RAW, "--json", "--out", written.toString(), "--plot", picture.toString()))
                .as(err.toString())
                .isZero();

        List<JsonNode> objects = objects();
        JsonNode last = objects.remove(objects.size() - 1);
        assertThat(objects).allSatisfy(step -> assertThat(step.fieldNames())
                .toIterable()
                .contains("name", "kind", "from", "to", "inflation", "nanosPerElement", "proof"));
        assertThat(objects.stream().map(step -> step.get("kind").asText())).contains("DECODE", "BATCH");
        JsonNode batch = objects.get(objects.size() - 1);
        assertThat(batch.get("kind").asText()).isEqualTo("BATCH");
        assertThat(batch.get("to").asInt()).isLessThan(batch.get("from").asInt());
        assertThat(batch.get("proof").asText()).isEqualTo("EXACT");
        assertThat(last.get("moved").asInt()).isPositive();
        assertThat(last.get("predictedGain").asDouble()).isGreaterThan(1);
        assertThat(last.get("measuredGain").asDouble()).isPositive();
        assertThat(last.get("largestDifference").asDouble()).isZero();
        assertThat(last.get("compared").asInt()).isEqualTo(300);
        assertThat(last.get("unequal").asInt()).isZero();
        assertThat(last.get("missing").asInt()).isZero();
        assertThat(last.get("pairs").asInt()).isEqualTo(5);
        PipelineGraph reordered = PipelineGraph.parse(Files.readAllBytes(written), new TensorFlowOps());
        assertThat(reordered.nodes().get(reordered.root()).getOp()).contains("Map");
        assertThat(Files.readString(picture)).startsWith("<svg ").contains("as written", "as found", "batch");
        assertThat(err.toString()).contains("wrote " + picture, "wrote " + written);
    }

    @Test
    void peopleReadWhatMovesByWhichRuleAndWhatItGains() throws IOException {
        records("a.tfrecord", 1200);
        assertThat(order(RAW)).as(err.toString()).isZero();

        assertThat(out.toString().lines())
                .anyMatch(line -> line.startsWith("order       the cheapest order"))
                .anyMatch(line -> line.startsWith("move        batch_") && line.contains("bit for bit the same"))
                .anyMatch(line -> line.matches("predicted   \\d+\\.\\d\\d times as many elements"))
                .anyMatch(line -> line.matches("measured    .* by 5 pairs of runs"))
                .anyMatch(line -> line.equals("difference  none of 300 elements"))
                .anyMatch(line -> line.startsWith("verdict     "));
    }

    // the same bytes come out, and a picture that shows the same order twice
    @Test
    void whereNothingCanMoveItIsSaidWhy() throws IOException {
        records("a.tfrecord", 400);
        Path written = folder.resolve("out.pb");
        assertThat(order(NOTHING, "--out", written.toString()))
                .as(err.toString())
                .isZero();

        assertThat(out.toString()).contains("order       nothing can move, because ");
        assertThat(err.toString()).contains("wrote " + written + ": the pipeline as it is, since nothing moves");
        assertThat(PipelineGraph.parse(Files.readAllBytes(written), new TensorFlowOps())
                        .digest())
                .isEqualTo(OpenedPipeline.open(folder.resolve("p.yaml"), new LocalStorage(StorageSettings.usual()))
                        .graph()
                        .digest());
    }

    // read by Praline an element's draws are its own; by tf.data alone the next ones, whatever was left out before
    @Test
    void thatAFilterPassesWhatDrawsIsSaidWhereTheOrderIsWritten() throws IOException {
        records("a.tfrecord", 1200);
        Path written = folder.resolve("out.pb");
        String drawn = "../worker/src/test/resources/pipelines/ordering/drawn_before_a_filter.pb";
        int code = Praline.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                "pipeline",
                "order",
                drawn,
                "--data",
                folder + "/*.tfrecord",
                "--out",
                written.toString());

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("filter_4 moves before map_3");
        assertThat(err.toString())
                .contains("; read by tf.data alone it draws other numbers for an element, since a filter");
    }

    // log(x + 1) becomes log1p(x), which rounds otherwise, where both stand in one function
    @Test
    void thatTensorFlowByItselfRoundsByWhatStandsTogetherIsSaidWhereTheOrderIsWritten() throws IOException {
        records("a.tfrecord", 1200);
        String written = folder.resolve("out.pb").toString();
        String rounds = "; read by tf.data alone the last bits of what is computed may be others";
        String decoded = """
                source: tfrecord
                steps:
                  - decode_raw: {type: uint8, shape: [100]}
                  - cast: {type: float32}
                  - normalise: {mean: 127.5, deviation: 20}
                  - batch: {size: 100}
                """;
        assertThat(order(decoded, "--out", written)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("bit for bit the same");
        assertThat(err.toString()).contains(rounds);

        err.getBuffer().setLength(0);
        assertThat(order(RAW, "--out", written)).as(err.toString()).isZero();
        assertThat(err.toString()).contains("wrote " + written).doesNotContain(rounds);
    }

    @Test
    void whereThereIsNothingToMeasureThatIsWhy() throws IOException {
        records("a.tfrecord", 0);
        assertThat(order(RAW)).as(err.toString()).isZero();

        assertThat(out.toString())
                .contains("order       nothing can move, because no record of the sample was read")
                .doesNotContain("the time was up");
    }

    @Test
    void oneOpaqueOrPinnedStepStaysWhereItIs() throws IOException {
        records("a.tfrecord", 400);
        assertThat(order(RAW.replace("uint8}", "uint8, name: keep_position_raw}"), "--json"))
                .as(err.toString())
                .isZero();

        List<JsonNode> objects = objects();
        assertThat(objects.get(objects.size() - 1).get("moved").asInt()).isZero();
        assertThat(objects.get(objects.size() - 1).get("measuredGain").asDouble())
                .isEqualTo(1);
        assertThat(objects.get(objects.size() - 1).get("reason").asText()).startsWith("nothing can move, because ");
    }

    // numbers are no files, of which some could be given in their place
    @Test
    void aPipelineThatHoldsItsOwnDataNeedsNone() {
        String numbers = "../worker/src/test/resources/pipelines/ordering/read_twice.pb";
        int code = Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), "pipeline", "order", numbers);

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("measured    20 elements of ").contains("order       ");
    }

    @Test
    void wrongUseIsOneLine() throws IOException {
        records("a.tfrecord", 3);
        assertThat(order(RAW, "--allow", "resize")).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .isEqualTo("praline: --allow resize: a leave must name what may move"
                        + " before what, as resize>rotate, is resize");

        err.getBuffer().setLength(0);
        assertThat(order(RAW, "--allow", "rezise>rotate")).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("praline: --allow rezise>rotate: no step is called rezise; the steps are ");

        err.getBuffer().setLength(0);
        assertThat(order(NOTHING, "--mode", "pecan", "--allow", "resize>rotate"))
                .isZero();
        assertThat(err.toString()).contains("--allow changes nothing in mode pecan, which asks for no leave");

        err.getBuffer().setLength(0);
        assertThat(order(RAW, "--mode", "wild")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("--mode");
    }

    // measuring takes minutes of large data, behind which nobody wants to hear it
    @Test
    void aFileThatCannotBeWrittenIsOneLineBeforeAnythingIsMeasured() throws IOException {
        records("a.tfrecord", 400);
        assertThat(order(NOTHING, "--plot", folder.toString())).isEqualTo(3);
        assertThat(err.toString())
                .isEqualTo("praline: " + folder + " cannot be written: Is a directory; name a file in"
                        + " a folder that may be written to" + System.lineSeparator());

        err.getBuffer().setLength(0);
        assertThat(order(NOTHING, "--out", folder + "/nowhere/out.pb")).isEqualTo(3);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .endsWith(folder
                        + "/nowhere/out.pb cannot be written: its folder is not there; name a file in a folder that"
                        + " may be written to");
    }

    @Test
    void aBrokenRecordIsOneLine() throws IOException {
        records("a.tfrecord", 5);
        assertThat(order(RAW.replace("uint8}", "uint8, shape: [99]}"))).isEqualTo(3);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("the sample cannot be measured: " + folder + "/a.tfrecord: record 0 cannot be processed")
                .endsWith("; mend it, or take a sample without it");
    }
}
