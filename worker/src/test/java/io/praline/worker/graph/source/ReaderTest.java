package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.Protos;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What reads the records of the file that a function is given the name of, and whether parts of it give parts of the elements. */
class ReaderTest {
    private static final long BUFFER = 256 << 10;

    /** A function of a name, with constants {@code plain}, {@code gzip}, {@code none} (-1), {@code four} and {@code zero}. */
    private static FunctionDef.Builder function(String name, String result, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(name)
                .addInputArg(Protos.arg("name", DataType.DT_STRING))
                .addOutputArg(Protos.arg("dataset", DataType.DT_VARIANT));
        Stream.of(
                        Protos.constant("plain", Protos.bytes(ByteString.EMPTY)),
                        Protos.constant("gzip", Protos.bytes(ByteString.copyFromUtf8("GZIP"))),
                        Protos.constant("none", Protos.int64(-1)),
                        Protos.constant("four", Protos.int64(4)),
                        Protos.constant("zero", Protos.int64(0)))
                .forEach(function::addNodeDef);
        Stream.of(nodes).forEach(function::addNodeDef);
        return function.putRet("dataset", result + ":handle:0");
    }

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static NodeDef.Builder records(String of) {
        return node("read", "TFRecordDataset", of, "plain:output:0", "none:output:0");
    }

    private static Optional<Reader> in(String result, NodeDef.Builder... nodes) {
        return Reader.in(function("f", result, nodes).build(), Map.of());
    }

    private static Reader tfRecord(boolean rangeable, boolean recordByRecord) {
        return new Reader("read", new SourceKind.TfRecord(""), BUFFER, rangeable, recordByRecord);
    }

    @Test
    void recordsAreFoundWithTheirFormatAndBuffer() {
        assertThat(in("read", records("name"))).contains(tfRecord(true, true));
        assertThat(in("read", node("read", "TFRecordDataset", "name", "gzip:output:0", "four:output:0")))
                .contains(new Reader("read", new SourceKind.TfRecord("GZIP"), 4, false, true));
        assertThat(in("read", node("read", "TFRecordDataset", "name", "plain:output:0", "zero:output:0")))
                .contains(tfRecord(true, true));
        assertThat(in("read", node("read", "TextLineDataset", "name", "gzip:output:0", "four:output:0")))
                .contains(new Reader("read", new SourceKind.TextLines("GZIP"), 4, false, true));
    }

    @Test
    void recordsOfOneLengthHaveAHeaderAndAFooter() {
        String[] old = {"name", "none:output:0", "four:output:0", "zero:output:0", "four:output:0"};
        assertThat(in("read", node("read", "FixedLengthRecordDataset", old)))
                .contains(new Reader("read", new SourceKind.FixedLength(-1, 4, 0, ""), 4, true, true));
        assertThat(in("read", node("read", "FixedLengthRecordDatasetV2", old).addInput("gzip:output:0")))
                .contains(new Reader("read", new SourceKind.FixedLength(-1, 4, 0, "GZIP"), 4, false, true));
        for (int input = 1; input <= 3; input++) {
            assertThat(in("read", node("read", "FixedLengthRecordDataset", old).setInput(input, "name")))
                    .isEmpty();
        }
        assertThat(in("read", node("read", "FixedLengthRecordDatasetV2", old).addInput("name")))
                .isEmpty();
    }

    @Test
    void whatOnlyRunningItTellsIsNoKnownFormat() {
        assertThat(in("read", node("read", "TFRecordDataset", "name", "name", "none:output:0")))
                .isEmpty();
        assertThat(in("read", node("read", "TextLineDataset", "name", "name", "none:output:0")))
                .isEmpty();
    }

    // the newer op can begin within a file
    @Test
    void aReaderThatDoesNotBeginAtTheBeginningIsNone() {
        NodeDef.Builder read = records("name").setOp("TFRecordDatasetV2").addInput("from:output:0");

        assertThat(in("read", read, Protos.constant("from", Protos.int64s(List.of(0L, 0L)))))
                .contains(tfRecord(true, true));
        assertThat(in("read", read, Protos.constant("from", Protos.int64s(List.of(0L, 16L)))))
                .isEmpty();
        assertThat(in("read", read, node("from", "Neg", "name"))).isEmpty();
        assertThat(in("read", records("name").setOp("TFRecordDatasetV2"))).contains(tfRecord(true, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MapDataset", "ParallelMapDatasetV2", "FilterDataset", "PrefetchDataset", "Identity"})
    void partsGivePartsWhereOneRecordIsLookedAtAtATime(String op) {
        assertThat(in("step", records("name"), node("step", op, "read:handle:0")))
                .contains(tfRecord(true, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TakeDataset",
                "BatchDatasetV2",
                "ShuffleDatasetV3",
                "FlatMapDataset",
                "RepeatDataset",
                "ScanDataset",
                "IgnoreErrorsDataset"
            })
    void theyDoNotWhereMoreIsDone(String op) {
        NodeDef.Builder step = node("step", op, "read:handle:0").putAttr("f", Protos.function("elsewhere"));
        assertThat(in("step", records("name"), step)).contains(tfRecord(false, false));
        assertThat(in("behind", records("name"), step, node("behind", "MapDataset", "step:handle:0")))
                .contains(tfRecord(false, false));
    }

    // each part of the file would draw again
    @Test
    void whatIsDrawnOnceForAFileKeepsItWhole() {
        FunctionDef drawing = function("drawing", "plain", node("drawn", "RandomUniform", "plain:output:0"))
                .build();
        FunctionDef still = function("still", "plain").build();
        NodeDef.Builder call = node("call", "PartitionedCall", "name");

        assertThat(in("read", records("name"), node("drawn", "RandomUniform", "four:output:0")))
                .contains(tfRecord(false, true));
        assertThat(Reader.in(
                        function("f", "read", records("name"), call.clone().putAttr("f", Protos.function("drawing")))
                                .build(),
                        Map.of("drawing", drawing)))
                .contains(tfRecord(false, true));
        assertThat(Reader.in(
                        function("f", "read", records("name"), call.clone().putAttr("f", Protos.function("still")))
                                .build(),
                        Map.of("still", still)))
                .contains(tfRecord(true, true));
    }

    @Test
    void soDoesADatasetBesideItsRecordsThatDraws() {
        NodeDef.Builder map = node("step", "MapDataset", "read:handle:0", "beside:handle:0");
        NodeDef.Builder random = node("beside", "RandomDatasetV2", "zero:output:0", "zero:output:0");
        NodeDef.Builder seeded = node("beside", "RandomDatasetV2", "four:output:0", "zero:output:0");
        NodeDef.Builder shuffled =
                node("beside", "ShuffleDatasetV3", "range:handle:0", "four:output:0", "four:output:0", "four:output:0");

        assertThat(in("step", records("name"), random, map)).contains(tfRecord(false, true));
        assertThat(in("step", records("name"), shuffled, map)).contains(tfRecord(false, true));
        assertThat(in("step", records("name"), seeded, map)).contains(tfRecord(true, true));
        assertThat(in(
                        "step",
                        records("name"),
                        shuffled.clone().putAttr("reshuffle_each_iteration", Protos.bool(false)),
                        map))
                .contains(tfRecord(true, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ReduceDataset", "MapDataset"})
    void soDoesWhatADatasetBesideItsRecordsIsMadeInto(String op) {
        NodeDef.Builder beside = node("beside", op, "range:handle:0").putAttr("f", Protos.function("drawing"));
        FunctionDef drawing = function("drawing", "plain", node("drawn", "RandomUniform", "plain:output:0"))
                .build();

        assertThat(Reader.in(function("f", "read", records("name"), beside).build(), Map.of("drawing", drawing)))
                .contains(tfRecord(false, true));
        // for each of its records it may draw
        assertThat(Reader.in(
                        function(
                                        "f",
                                        "step",
                                        records("name"),
                                        node("step", "MapDataset", "read:handle:0")
                                                .putAttr("f", Protos.function("drawing")))
                                .build(),
                        Map.of("drawing", drawing)))
                .contains(tfRecord(true, true));
    }

    @Test
    void theFileIsTheOneThatTheFunctionIsGiven() {
        assertThat(in("read", records("same:output:0"), node("same", "Reshape", "name", "four:output:0")))
                .contains(tfRecord(true, true));
        assertThat(in("read", records("same:output:0"), node("same", "Pack", "name")))
                .contains(tfRecord(true, true));
        assertThat(in("read", records("same:output:0"), node("same", "Pack", "name", "name")))
                .isEmpty();
        assertThat(in("read", records("same:output:0"), node("same", "StringJoin", "name", "plain:output:0")))
                .isEmpty();
        assertThat(in("read", records("plain:output:0"))).isEmpty();
    }

    // of a split it would see a part
    @Test
    void whatIsReadTwiceIsNotFound() {
        assertThat(in("both", records("name"), node("both", "ZipDataset", "read:handle:0", "read:handle:0")))
                .isEmpty();
        assertThat(in(
                        "step",
                        records("name"),
                        node("step", "MapDataset", "read:handle:0"),
                        node("counted", "DatasetCardinality", "read:handle:0")))
                .isEmpty();
        assertThat(in(
                        "step",
                        records("name"),
                        node("step", "MapDataset", "read:handle:0"),
                        node("waits", "NoOp", "^read")))
                .contains(tfRecord(true, true));
    }

    @Test
    void onlyAFunctionOfOneNameOpensAFile() {
        FunctionDef.Builder open = function("f", "read", records("name"));
        FunctionDef.Builder ofNumbers = open.clone();
        ofNumbers.getSignatureBuilder().setInputArg(0, Protos.arg("name", DataType.DT_INT64));
        FunctionDef.Builder ofNothing = open.clone();
        ofNothing.getSignatureBuilder().clearInputArg();
        FunctionDef.Builder ofTwo = open.clone();
        ofTwo.getSignatureBuilder().addOutputArg(Protos.arg("other", DataType.DT_VARIANT));

        assertThat(Reader.in(ofNumbers.build(), Map.of())).isEmpty();
        assertThat(Reader.in(ofNothing.build(), Map.of())).isEmpty();
        assertThat(Reader.in(ofTwo.build(), Map.of())).isEmpty();
        assertThat(Reader.in(function("f", "name").build(), Map.of())).isEmpty();
    }

    /** As Python writes a reader of one file: a flat map over the one name. */
    @Test
    void aFlatMapOverTheNameIsItsReader() {
        NodeDef.Builder slices = node("slices", "TensorSliceDataset", "names:output:0");
        NodeDef.Builder names = node("names", "Pack", "name");
        NodeDef.Builder each = node("each", "FlatMapDataset", "slices:handle:0").putAttr("f", Protos.function("open"));
        FunctionDef function = function("f", "each", names, slices, each).build();
        Reader reader = new Reader("each", new SourceKind.TfRecord(""), BUFFER, true, true);

        assertThat(Reader.in(
                        function,
                        Map.of("open", function("open", "read", records("name")).build())))
                .contains(reader);
        assertThat(Reader.in(
                        function,
                        Map.of(
                                "open",
                                function("open", "same", records("name"), node("same", "Identity", "read:handle:0"))
                                        .putRet("dataset", "same:output:0")
                                        .build())))
                .contains(reader);
        // what does more than read is not the reader, and what it opens is not the file
        assertThat(Reader.in(
                        function,
                        Map.of(
                                "open",
                                function("open", "step", records("name"), node("step", "MapDataset", "read:handle:0"))
                                        .build())))
                .isEmpty();
        assertThat(Reader.in(function, Map.of())).isEmpty();
    }
}
