package io.praline.client.pipeline;

import static io.praline.client.pipeline.GraphRun.data;
import static io.praline.client.pipeline.GraphRun.elements;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.pipeline.GraphRun.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.Operand;
import org.tensorflow.types.TInt64;

/** The files in {@code examples}, and the pipelines of the builder that the worker's tests read. */
class ExamplesTest {

    private static final Path EXAMPLES = Path.of("examples");
    private static final Path WRITTEN = GraphRun.FIXTURES.resolve("builder");

    private static Pipeline example(String name) {
        return PipelineYaml.read(EXAMPLES.resolve(name + ".yaml"));
    }

    // The worker's tests cannot call the builder: what it writes lies among their pipelines. After a change on purpose:
    // mvn test -pl client-consumer -am -Dtest=ExamplesTest -Dpraline.pipelines.write=true
    @ParameterizedTest
    @ValueSource(strings = {"jpeg", "folders", "examples", "raw", "lines", "range", "memory", "seeded", "throttled"})
    void writesWhatTheWorkersTestsRead(String name) throws IOException {
        Map<String, Pipeline> withoutFile = Map.of(
                "range",
                        Pipeline.range(0, 1000)
                                .map("square", (tf, x) -> tf.math.mul(num(x), num(x)))
                                .batch(8),
                "memory", Pipeline.inMemory(1_000_000, 1024),
                "seeded",
                        Pipeline.tfRecords()
                                .map("decode", Images.decodeJpeg(3))
                                .map("crop", Images.randomCrop(32, 32, 1))
                                .map("flip", Images.flipLeftRight(2)));
        Pipeline pipeline = withoutFile.containsKey(name) ? withoutFile.get(name) : example(name);
        Path file = WRITTEN.resolve(name + ".pb");
        if (Boolean.getBoolean("praline.pipelines.write")) {
            Files.createDirectories(WRITTEN);
            Files.write(file, pipeline.graph());
        }
        assertThat(pipeline.graph()).isEqualTo(Files.readAllBytes(file));
    }

    private static Operand<TInt64> num(Element x) {
        return x.as(TInt64.class);
    }

    @Test
    void runsEveryExample() throws IOException {
        List<List<Value>> folders = elements(example("folders").reading(data("*.jpg")));
        assertThat(folders).hasSize(3);
        assertThat(folders.get(0).get(0).shape()).containsExactly(8L, 32L, 32L, 3L);
        assertThat(elements(example("examples").reading(data("examples-*")))).hasSizeBetween(9, 12);
        assertThat(elements(example("raw").reading(data("fixed-*")))).hasSize(128);
        assertThat(elements(example("lines").reading(data("text-*")))).hasSize(23);
        assertThat(example("jpeg").components())
                .singleElement()
                .satisfies(image -> assertThat(image.shape().asArray()).containsExactly(-1, 224, 224, 3));
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            assertThat(files.filter(file -> file.toString().endsWith(".yaml")))
                    .hasSize(6)
                    .allSatisfy(
                            file -> assertThat(PipelineYaml.read(file).graph()).isNotEmpty());
        }
    }
}
