package io.praline.client.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineYamlTest {

    private static Pipeline parse(String text) {
        return PipelineYaml.parse("p.yaml", text);
    }

    @Test
    void givesTheGraphThatTheBuilderGives() {
        Pipeline yaml = parse("""
                source: tfrecord
                steps:
                  - decode_jpeg: {channels: 3}
                  - random_crop: {height: 64, width: 64, seed: 7}
                  - resize: {height: 224, width: 224}
                  - flip: {seed: 8}
                  - normalise: {mean: 127.5, deviation: 127.5}
                  - shuffle: {size: 1000}
                  - batch: {size: 32, drop_remainder: true}
                  - prefetch
                names: [image]
                """);
        Pipeline builder = Pipeline.tfRecords()
                .map("decode_jpeg", Images.decodeJpeg(3))
                .map("random_crop", Images.randomCrop(64, 64, 7))
                .map("resize", Images.resize(224, 224))
                .map("flip", Images.flipLeftRight(8))
                .map("normalise", Images.normalise(127.5f, 127.5f))
                .shuffle(1000)
                .batch(32, true)
                .prefetch()
                .names("image");
        assertThat(yaml.graph()).isEqualTo(builder.graph());
        assertThat(yaml.components()).isEqualTo(builder.components());
    }

    @Test
    void everyStepCanBeKeptWhereItIs() {
        Pipeline yaml = parse("""
                source: tfrecord
                steps:
                  - decode_jpeg: {keep_position: true}
                  - batch: {size: 32, keep_position: true}
                  - prefetch: {keep_position: false}
                """);
        Pipeline builder = Pipeline.tfRecords()
                .map("decode_jpeg", Images.decodeJpeg(3))
                .keepPosition()
                .batch(32)
                .keepPosition()
                .prefetch();
        assertThat(yaml.graph()).isEqualTo(builder.graph());
        assertThatThrownBy(() -> parse("source: {tfrecord: {keep_position: true}}"))
                .isInstanceOf(RefusedPipelineFile.class)
                .hasMessageContaining("keep_position");
    }

    @Test
    void parsesExamplesWithDefaultsListsAndFilters() {
        Pipeline yaml = parse("""
                source: {tfrecord: {compression: none}}
                steps:
                  - parse_example:
                      name: parse
                      features:
                        image: string
                        label: {type: int64}
                        tokens: {type: int64, shape: [-1]}
                        weight: {type: float32, default: 0.5}
                  - decode_raw: {component: image, type: uint8, shape: [4, 4, 3]}
                  - cast: {component: image, type: float32, name: to_float}
                  - cast: {component: label, type: int32}
                  - filter: {component: tokens, at_least: [2], at_most: [6], name: sizes}
                  - padded_batch: {size: 8}
                """);
        Pipeline builder = Pipeline.tfRecords()
                .mapElement(
                        "parse",
                        Records.parseExample(List.of(
                                Feature.of("image", TensorType.STRING),
                                Feature.of("label", TensorType.INT64),
                                Feature.of("tokens", TensorType.INT64, -1),
                                Feature.of("weight", TensorType.FLOAT32).orElse("0.5"))))
                .map("decode_raw", "image", Records.decodeRaw(TensorType.UINT8, 4, 4, 3))
                .map("to_float", "image", Records.cast(TensorType.FLOAT32))
                .map("cast_2", "label", Records.cast(TensorType.INT32))
                .filter("sizes", (tf, x) -> Records.sizeBetween(List.of(2), List.of(6))
                        .apply(tf, Element.of("tokens", x.get("tokens"))))
                .paddedBatch(8);
        assertThat(yaml.graph()).isEqualTo(builder.graph());
        assertThat(yaml.componentNames()).containsExactly("image", "label", "tokens", "weight");
        assertThat(GraphRun.elements(yaml.reading(GraphRun.data("examples-*")))).isNotEmpty();
    }

    /** As Python has them: {@code default_value=""}, and a shape without dimensions. */
    @Test
    void takesAnEmptyTextAndTheShapeOfASingleNumber() {
        String features = """
                source: tfrecord
                steps:
                  - parse_example:
                      name: parse
                      features:
                        title: {type: string, default: %s}
                """;
        assertThat(parse(features.formatted("\"\"")).graph())
                .isEqualTo(Pipeline.tfRecords()
                        .mapElement(
                                "parse",
                                Records.parseExample(List.of(
                                        Feature.of("title", TensorType.STRING).orElse(""))))
                        .graph());
        assertThatThrownBy(() -> parse(features.formatted("")))
                .hasMessageContaining("'default' must be one value, is nothing");
        assertThat(parse("""
                source: {fixed: {record_bytes: 4}}
                steps:
                  - decode_raw: {type: int32, shape: []}
                """).components())
                .singleElement()
                .satisfies(number -> assertThat(number.shape().numDimensions()).isZero());
    }

    @Test
    void labelsWholeFilesByTheirFolders() {
        Pipeline yaml = parse("""
                source: files
                steps:
                  - label_from_path: {classes: [daisy, rose, tulip]}
                  - read_file: {component: 0}
                  - decode_jpeg: {component: 0}
                  - central_crop: {component: 0, height: 32, width: 32}
                  - batch: {size: 24}
                names: [image, label]
                """);
        assertThat(yaml.componentNames()).containsExactly("image", "label");
        List<GraphRun.Value> batch =
                GraphRun.elements(yaml.reading(GraphRun.data("*.jpg"))).get(0);
        assertThat(batch.get(0).shape()).containsExactly(24L, 32L, 32L, 3L);
        assertThat(batch.get(1).values()).startsWith(0.0).endsWith(2.0);
    }

    @Test
    void readsEverySource(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("text.yaml");
        List<String> texts = GraphRun.data("text-*");
        Files.writeString(
                file, "source: {text: {files: ['" + String.join("', '", texts) + "']}}\nsteps: [take: {size: 3}]\n");
        assertThat(GraphRun.elements(PipelineYaml.read(file))).hasSize(3);
        assertThat(parse("source: {fixed: {record_bytes: 12, header_bytes: 4, footer_bytes: 2}}")
                        .graph())
                .isEqualTo(Pipeline.fixedLength(4, 12, 2).graph());
        assertThat(parse("source: {range: {to: 9}}").graph())
                .isEqualTo(Pipeline.range(0, 9).graph());
        assertThat(parse("source: {memory: {elements: 10, bytes: 1024}}").graph())
                .isEqualTo(Pipeline.inMemory(10, 1024).graph());
    }

    // without a seed the second step draws by seed 2, so that two steps of one file do not draw alike
    @Test
    void seedsAStepByItsNumberWhenNobodySaysOtherwise() {
        Pipeline yaml = parse("{source: tfrecord, steps: [decode_jpeg, flip]}");
        Pipeline builder =
                Pipeline.tfRecords().map("decode_jpeg", Images.decodeJpeg(3)).map("flip", Images.flipLeftRight(2));
        assertThat(yaml.graph()).isEqualTo(builder.graph());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'source: tfrecords'|p.yaml line 1: unknown source 'tfrecords'; allowed: tfrecord, text, fixed, files, range, memory",
                "'source: tfrecord\nsteps:\n  - decode_png'|p.yaml line 3: unknown step 'decode_png'; allowed: read_file, decode_jpeg",
                "'source: tfrecord\nsteps:\n  - batch:\n      sise: 3'|p.yaml line 4: batch has no 'sise'; allowed: size, drop_remainder",
                "'source: tfrecord\nsteps:\n  - batch: {}'|p.yaml line 3: batch needs 'size'",
                "'source: tfrecord\nsteps:\n  - batch: {size: many}'|p.yaml line 3: batch: 'size' must be a whole number, is 'many'",
                "'source: tfrecord\nsteps:\n  - batch: {size: 0}'|p.yaml line 3: batch: the size of a batch must be at least 1, is 0",
                "'source: tfrecord\nsteps:\n  - decode_jpeg: 3'|p.yaml line 3: decode_jpeg takes keys and values (channels, component, name, keep_position), not '3'",
                "'source: tfrecord\nstep: []'|p.yaml line 2: a pipeline has no 'step'; allowed: source, steps, names",
                "'steps: []'|p.yaml line 1: a pipeline needs 'source'",
                "'source: tfrecord\nsteps:\n - cast: {type: int7}'|p.yaml line 3: cast: 'type' must be one of [uint8, uint16,",
                "'source: text\nsteps:\n - resize: {height: 2, width: 2}'|p.yaml line 3: resize: an image must be of numbers, is a TString",
                "'source: tfrecord\nsteps:\n - decode_jpeg\n - random_crop: {height: 2, width: 2, component: picture}'|p.yaml line 4: random_crop: no component 'picture', there are [0]",
                "'source: tfrecord\nnames: [a, b]'|p.yaml line 2: names: there must be a name for each component, are 2 for 1",
                "'source: tfrecord\nsteps: [take: {size: 1}, take: {size: 2, size: 3}]'|p.yaml line 2: 'size' is written a second time",
                "'source: &a tfrecord\nnames: [*a]'|p.yaml line 2: an alias (*a); write the value out",
                "'source: [tfrecord'|p.yaml line 1: no YAML: while parsing a flow sequence, expected ',' or ']', but got <stream end>",
                "'source: tfrecord\nsteps:\n  - decode_jpeg\n - batch: {size: 4}'|p.yaml line 4: no YAML: while parsing a block mapping, expected <block end>, but found",
                "'source: tfrecord\nsteps:\n\t- batch: {size: 4}'|p.yaml line 2: no YAML: while scanning for the next token, found character",
                "''|p.yaml line 1: nothing in it",
                "'source: tfrecord\nsteps:\n - parse_example:\n     features:\n       a: {type: uint8}'|p.yaml line 5: feature a must be one of [int64, float32, string], is uint8",
            })
    void saysInOneLineWhatIsWrongAndWhere(String text, String complaint) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(RefusedPipelineFile.class)
                .hasMessageStartingWith(complaint)
                .hasMessageNotContaining("\n");
    }
}
