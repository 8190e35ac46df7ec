package io.praline.client.pipeline;

import static io.praline.client.pipeline.GraphRun.data;
import static io.praline.client.pipeline.GraphRun.elements;
import static io.praline.client.pipeline.GraphRun.python;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.client.pipeline.GraphRun.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.tensorflow.ConcreteFunction;
import org.tensorflow.Operand;
import org.tensorflow.Output;
import org.tensorflow.Signature;
import org.tensorflow.op.Ops;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint8;

class PipelineTest {

    private static final List<String> NUMBERS = data("numbers-*");
    private static final List<String> JPEGS = data("jpegs-*");
    private static final List<String> EXAMPLES = data("examples-*");

    private static Operand<TInt64> ident(Ops tf, Element record) {
        Operand<TString> first = tf.strings.substr(record.as(TString.class), tf.constant(0), tf.constant(8));
        return tf.reshape(tf.io.decodeRaw(first, TInt64.class), tf.constant(new int[0]));
    }

    private static Pipeline ids() {
        return Pipeline.tfRecords().reading(NUMBERS).map("ident", PipelineTest::ident);
    }

    private static List<Object> flat(List<List<Value>> elements, int component) {
        List<Object> all = new ArrayList<>();
        elements.forEach(element -> all.addAll(element.get(component).values()));
        return all;
    }

    // files of 100, 100, 75 and 25 records, numbered 1000 x file + index
    private static List<Object> allIds() {
        List<Object> ids = new ArrayList<>();
        int[] counts = {100, 100, 75, 25};
        for (int file = 0; file < counts.length; file++) {
            for (int index = 0; index < counts[file]; index++) {
                ids.add((double) (1000 * file + index));
            }
        }
        return ids;
    }

    @Test
    void readsEveryRecordInOrder() {
        assertThat(flat(elements(ids()), 0)).isEqualTo(allIds());
    }

    // 300 / 32 = 9 batches and 12 elements
    @Test
    void batchesWithAShortLastOneUnlessItIsDropped() {
        List<List<Value>> whole = elements(ids().batch(32));
        assertThat(whole).hasSize(10);
        assertThat(whole.get(9).get(0).shape()).containsExactly(12L);
        assertThat(elements(ids().batch(32, true))).hasSize(9);
    }

    @Test
    void hasTheShapeOfAGraphFromPython() throws Exception {
        GraphDef graph = GraphDef.parseFrom(Pipeline.tfRecords()
                .map("ident", PipelineTest::ident)
                .shuffle(50, 3)
                .batch(8)
                .graph());
        GraphDef python = GraphDef.parseFrom(python("shuffle", NUMBERS));
        List<String> ops = graph.getNodeList().stream()
                .map(NodeDef::getOp)
                .filter(op -> !op.equals("Const"))
                .toList();
        assertThat(ops)
                .containsExactly(
                        "TensorSliceDataset",
                        "FlatMapDataset",
                        "ParallelMapDatasetV2",
                        "ShuffleDatasetV3",
                        "BatchDatasetV2",
                        "_Retval");
        for (NodeDef ours : graph.getNodeList()) {
            for (NodeDef theirs : python.getNodeList()) {
                if (ours.getOp().equals(theirs.getOp()) && !ours.getOp().equals("Const")) {
                    assertThat(ours.getAttrMap().keySet())
                            .isEqualTo(theirs.getAttrMap().keySet());
                    assertThat(ours.getInputCount()).isEqualTo(theirs.getInputCount());
                }
            }
        }
        assertThat(graph.getNode(graph.getNodeCount() - 1).getName()).isEqualTo("dataset");
    }

    @Test
    void givesTheSameBytesForTheSameSteps() {
        assertThat(jpegs(Pipeline.tfRecords()).graph())
                .isEqualTo(jpegs(Pipeline.tfRecords()).graph());
    }

    @Test
    void filtersShufflesTakesSkipsAndRepeats() {
        Pipeline even = ids().filter(
                        "even",
                        (tf, x) ->
                                tf.math.equal(tf.math.floorMod(x.as(TInt64.class), tf.constant(2L)), tf.constant(0L)));
        assertThat(elements(even)).hasSize(151);
        assertThat(flat(elements(ids().shuffle(40, 1)), 0))
                .isNotEqualTo(allIds())
                .hasSameElementsAs(allIds());
        assertThat(flat(elements(ids().shuffle(40, 1)), 0)).isEqualTo(flat(elements(ids().shuffle(40, 1)), 0));
        assertThat(flat(elements(ids().skip(10).take(5)), 0)).containsExactly(10.0, 11.0, 12.0, 13.0, 14.0);
        assertThat(elements(ids().batch(100).repeat(2).prefetch())).hasSize(6);
    }

    @Test
    void takesABatchApartAgain() {
        assertThat(flat(elements(ids().batch(7).unbatch()), 0)).isEqualTo(allIds());
    }

    @Test
    void readsTextFixedLengthAndPackedFilesAsPythonDoes() {
        List<String> texts = data("text-*");
        assertThat(elements(Pipeline.textLines().reading(texts).batch(8)))
                .isEqualTo(elements(python("text_lines", texts)));
        List<String> fixed = data("fixed-*");
        assertThat(elements(Pipeline.fixedLength(4, 12, 2)
                        .reading(fixed)
                        .map("ident", PipelineTest::ident)
                        .batch(8)))
                .isEqualTo(elements(python("fixed_length", fixed)));
        List<String> gzip = data("gzip-*");
        assertThat(elements(Pipeline.tfRecords(Compression.GZIP)
                        .reading(gzip)
                        .map("ident", PipelineTest::ident)
                        .batch(8)))
                .isEqualTo(elements(python("gzip_tfrecord", gzip)));
    }

    @Test
    void decodesCropsResizesAndNormalisesAsPythonDoes() {
        Pipeline pipeline = Pipeline.tfRecords()
                .reading(JPEGS)
                .map("decode", Images.decodeJpeg(3))
                .map("crop", Images.centralCrop(64, 64))
                .map("resize", Images.resize(96, 80))
                .map("normalise", Images.normalise(127.5f, 127.5f))
                .batch(16)
                .prefetch();
        assertThat(elements(pipeline)).isEqualTo(elements(python("jpeg_evaluation", JPEGS)));
    }

    private static Pipeline jpegs(Pipeline source) {
        return source.map("decode", Images.decodeJpeg(3))
                .map("crop", Images.randomCrop(48, 64, 7))
                .map("flip", Images.flipLeftRight(8))
                .names("image");
    }

    @Test
    void cropsAndFlipsAtRandomWithinTheImage() {
        Pipeline pipeline = jpegs(Pipeline.tfRecords().reading(JPEGS));
        assertThat(pipeline.components().get(0).shape().asArray()).containsExactly(48, 64, 3);
        List<List<Value>> images = elements(pipeline);
        assertThat(images).hasSize(48);
        assertThat(images).allSatisfy(image -> assertThat(image.get(0).shape()).containsExactly(48L, 64L, 3L));
    }

    // 48 flips of which all, or none, happen come up once in 2^47 runs; here the seed decides for good
    @Test
    void flipsSomeImagesAndLeavesOthers() {
        Pipeline rows = Pipeline.range(0, 48).map("row", (tf, x) -> tf.constant(new int[][][] {{{1}, {2}}}));
        List<List<Value>> flipped = elements(rows.map("flip", Images.flipLeftRight(3)));
        Set<List<Object>> seen = new HashSet<>();
        flipped.forEach(row -> seen.add(row.get(0).values()));
        assertThat(seen).containsExactlyInAnyOrder(List.of(1.0, 2.0), List.of(2.0, 1.0));
    }

    @Test
    void saysWhichSizesDoNotFitWhenAnImageIsTooSmallToCrop() {
        Pipeline pipeline = Pipeline.tfRecords()
                .reading(JPEGS)
                .map("decode", Images.decodeJpeg(3))
                .map("crop", Images.randomCrop(500, 64, 7));
        assertThatThrownBy(() -> elements(pipeline)).hasMessageContaining("Expected size[0] in [0, 72], but got 500");
    }

    @Test
    void parsesExamplesOneByOneAndInBatches() {
        List<Feature> features = List.of(
                Feature.of("label", TensorType.INT64),
                Feature.of("weight", TensorType.FLOAT32).orElse("1.0"));
        Pipeline source = Pipeline.tfRecords().reading(EXAMPLES);
        List<List<Value>> python = elements(python("examples_vectorised", EXAMPLES));
        Pipeline behind = source.batch(16).mapElement("parse", Records.parseExample(features));
        Pipeline before =
                source.mapElement("parse", Records.parseExample(features)).batch(16);
        assertThat(behind.componentNames()).containsExactly("label", "weight");
        assertThat(elements(behind)).isEqualTo(python);
        assertThat(elements(before)).isEqualTo(python);
    }

    @Test
    void padsListsOfAnyLengthAsPythonDoes() {
        Pipeline pipeline = Pipeline.tfRecords()
                .reading(EXAMPLES)
                .mapElement(
                        "parse",
                        Records.parseExample(List.of(
                                Feature.of("tokens", TensorType.INT64, -1), Feature.of("label", TensorType.INT64))))
                .paddedBatch(6);
        assertThat(elements(pipeline)).isEqualTo(elements(python("padded_batch", EXAMPLES)));
    }

    @Test
    void putsTheDefaultWhereAFeatureIsMissingAndFailsWithoutOne() {
        Pipeline source = Pipeline.tfRecords().reading(EXAMPLES);
        Feature name = Feature.of("name", TensorType.STRING);
        List<List<Value>> names =
                elements(source.mapElement("parse", Records.parseExample(List.of(name.orElse("nobody")))));
        assertThat(flat(names, 0).subList(0, 3)).containsExactly("nobody", "example 1", "example 2");
        assertThatThrownBy(() -> elements(source.mapElement("parse", Records.parseExample(List.of(name)))))
                .hasMessageContaining("name");
    }

    @Test
    void filtersBySize() {
        Feature tokens = Feature.of("tokens", TensorType.INT64, -1);
        List<List<Value>> kept = elements(Pipeline.tfRecords()
                .reading(EXAMPLES)
                .mapElement("parse", Records.parseExample(List.of(tokens)))
                .filter("short", Records.sizeBetween(List.of(2), List.of(5))));
        assertThat(kept)
                .isNotEmpty()
                .allSatisfy(element -> assertThat(element.get(0).shape().get(0)).isBetween(2L, 5L));
    }

    @Test
    void readsWholeFilesWithLabelsFromTheirFolders() {
        List<String> flowers = data("*.jpg");
        Pipeline pipeline = Pipeline.files()
                .reading(flowers)
                .mapElement("label", (tf, x) -> Element.of("image", x.get())
                        .and(
                                "label",
                                Images.labelFromPath(List.of("daisy", "rose", "tulip"))
                                        .apply(tf, x)))
                .map("read", "image", Records.readFile())
                .map("decode", "image", Images.decodeJpeg(3));
        assertThat(pipeline.componentNames()).containsExactly("image", "label");
        List<List<Value>> elements = elements(pipeline);
        assertThat(elements).hasSize(24);
        assertThat(flat(elements, 1).subList(6, 10)).containsExactly(0.0, 0.0, 1.0, 1.0);
        assertThat(elements.get(0).get(0).shape()).containsExactly(40L, 48L, 3L);
    }

    @Test
    void failsOnAFolderThatIsNoneOfTheClasses() {
        Pipeline pipeline = Pipeline.files()
                .reading(List.of("flowers/orchid/1.jpg"))
                .map("label", Images.labelFromPath(List.of("daisy", "rose")));
        assertThatThrownBy(() -> elements(pipeline)).hasMessageContaining("folder_is_one_of_the_classes");
    }

    @Test
    void handsOutBytesFromMemory() {
        Pipeline pipeline = Pipeline.inMemory(5, 1000);
        assertThat(pipeline.components()).extracting(Component::type).containsExactly(DataType.DT_UINT8);
        assertThat(elements(pipeline))
                .hasSize(5)
                .allSatisfy(element -> assertThat(element.get(0).shape()).containsExactly(1000L));
    }

    @Test
    void passesOtherComponentsOnWhenOneIsMapped() {
        Pipeline pipeline = Pipeline.range(0, 3)
                .mapElement("pair", (tf, x) -> Element.of("a", x.get()).and("b", x.get()))
                .map("square", "b", (tf, x) -> tf.math.square(x.as(TInt64.class)));
        assertThat(elements(pipeline).get(2)).extracting(Value::values).containsExactly(List.of(2.0), List.of(4.0));
    }

    @Test
    void callsFunctionsThatAFunctionCalls() {
        try (ConcreteFunction twice = ConcreteFunction.create(tf -> {
            Operand<TInt64> in = tf.placeholder(TInt64.class);
            return Signature.builder()
                    .key("twice")
                    .input("x", in)
                    .output("y", tf.math.add(in, in))
                    .build();
        })) {
            Pipeline pipeline = Pipeline.range(1, 4).map("twice", (tf, x) -> tf.call(twice, x.get()));
            assertThat(flat(elements(pipeline), 0)).containsExactly(2.0, 4.0, 6.0);
        }
    }

    // outputs of an operation with a list of outputs, and of one with several named ones
    @Test
    void refersToEachOutputOfAnOperation() {
        Pipeline pipeline = Pipeline.range(0, 1).mapElement("parts", (tf, x) -> {
            List<Output<TInt32>> parts = tf.split(tf.constant(0), tf.constant(new int[] {1, 2, 3}), 3L)
                    .output();
            var unique = tf.unique(tf.constant(new int[] {5, 5, 6}), tf.constant(new int[] {0}));
            return Element.of(parts.get(2), parts.get(0), unique.idx(), unique.y());
        });
        assertThat(elements(pipeline).get(0))
                .extracting(Value::values)
                .containsExactly(List.of(3.0), List.of(1.0), List.of(0.0, 0.0, 1.0), List.of(5.0, 6.0));
    }

    @Test
    void keepsControlInputsAndWhatIsRunForItsEffect() throws Exception {
        Pipeline pipeline = Pipeline.range(0, 5).map("checked", (tf, x) -> {
            Operand<TInt64> number = x.as(TInt64.class);
            tf.assertThat(tf.math.less(number, tf.constant(3L)), List.of(tf.constant("three is too many")));
            return number;
        });
        FunctionDef function = GraphDef.parseFrom(pipeline.graph()).getLibrary().getFunction(0);
        assertThat(function.getControlRetCount()).isEqualTo(1);
        assertThatThrownBy(() -> elements(pipeline)).hasMessageContaining("three is too many");
    }

    @Test
    void carriesTheNamesOfSteps() throws Exception {
        GraphDef graph = GraphDef.parseFrom(Pipeline.tfRecords()
                .map("keep_position_decode", Images.decodeJpeg(3))
                .graph());
        NodeDef map = graph.getNodeList().stream()
                .filter(node -> node.getOp().equals("ParallelMapDatasetV2"))
                .findFirst()
                .orElseThrow();
        assertThat(map.getAttrOrThrow("metadata")).isEqualTo(Attributes.metadata("keep_position_decode"));
    }

    // a batch has no name of its own
    @Test
    void keepsTheLastStepInItsPlaceByItsName() throws Exception {
        GraphDef graph = GraphDef.parseFrom(Pipeline.tfRecords()
                .map("decode", Images.decodeJpeg(3))
                .keepPosition()
                .batch(8)
                .keepPosition()
                .prefetch()
                .graph());

        assertThat(graph.getNodeList().stream()
                        .filter(node -> node.containsAttr("metadata"))
                        .filter(node ->
                                Attributes.name(node.getAttrOrThrow("metadata")).isPresent())
                        .map(node -> node.getOp() + " "
                                + Attributes.name(node.getAttrOrThrow("metadata"))
                                        .orElseThrow()))
                .containsExactly("ParallelMapDatasetV2 keep_position_decode", "BatchDatasetV2 keep_position_batch");
    }

    @Test
    void namesWhatIsWrong() {
        assertThatThrownBy(() -> Pipeline.tfRecords().map("not a name", Records.readFile()))
                .hasMessageContaining("is 'not a name'");
        assertThatThrownBy(() -> Pipeline.tfRecords().map("cast", (tf, x) -> x.as(TUint8.class)))
                .hasMessage("component 0 is a TString, not a TUint8");
        assertThatThrownBy(() -> Pipeline.tfRecords().names("image", "label"))
                .hasMessageContaining("there must be a name for each component, are 2 for 1");
        assertThatThrownBy(() -> Pipeline.tfRecords().map("crop", "image", Images.centralCrop(1, 1)))
                .hasMessage("no component 'image', there are [0]");
        assertThatThrownBy(() -> Pipeline.range(0, 4).reading(List.of("a"))).hasMessageContaining("reads integers");
        assertThatThrownBy(() -> Pipeline.range(0, 4).batch(0))
                .hasMessage("the size of a batch must be at least 1, is 0");
    }

    // a tf.function called by a map must be inlined by the session: with the whole optimiser off it cannot run
    @Test
    void runsPipelinesFromPythonThatCallFunctionsAndLoop() {
        assertThat(flat(elements(python("calls_function", NUMBERS)), 1).subList(0, 4))
                .containsExactly(0.0, 4.0, 6.0, 6.0);
        assertThat(flat(elements(python("while_loop", NUMBERS)), 1).subList(8, 12))
                .containsExactly(1.0, 1.0, 2.0, 2.0);
    }

    /** As the README shows it. */
    @Test
    void runsTheProgramOfTheReadme() {
        Pipeline pipeline = Pipeline.tfRecords()
                .map("decode", Images.decodeJpeg(3))
                .map("crop", Images.randomCrop(64, 64, 7))
                .map("resize", Images.resize(224, 224))
                .map("flip", Images.flipLeftRight(8))
                .map(
                        "normalise",
                        (tf, x) -> tf.math.div(
                                tf.math.sub(x.as(TFloat32.class), tf.constant(127.5f)), tf.constant(127.5f)))
                .shuffle(1000)
                .batch(32)
                .prefetch()
                .names("image");
        List<List<Value>> batches = elements(pipeline.reading(JPEGS));
        assertThat(batches).hasSize(2);
        assertThat(batches.get(0).get(0).shape()).containsExactly(32L, 224L, 224L, 3L);
    }
}
