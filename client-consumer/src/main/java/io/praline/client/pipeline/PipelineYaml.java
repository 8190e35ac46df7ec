package io.praline.client.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.tensorflow.Operand;
import org.tensorflow.exceptions.TensorFlowException;
import org.tensorflow.op.Ops;

/**
 * Pipelines from a YAML file of named steps:
 *
 * <pre>
 * source: tfrecord                     # or text, fixed, files, range, memory; settings as {tfrecord: {compression: gzip}}
 * steps:
 *   - decode_jpeg: {channels: 3}
 *   - random_crop: {height: 200, width: 200, seed: 7}
 *   - resize: {height: 224, width: 224}
 *   - normalise: {mean: 127.5, deviation: 127.5}
 *   - shuffle: {size: 1000}
 *   - batch: {size: 32}
 *   - prefetch
 * names: [image]
 * </pre>
 *
 * <p>Every step is one of the builder's, so the same steps give the same graph here and there. A step that maps takes {@code name} (else
 * it is named for its kind) and, where an element has several components, {@code component}. Steps that draw at random take a {@code seed};
 * without one it is the step's number. No step moves that has {@code keep_position: true}. An unknown step or key is refused.
 */
public final class PipelineYaml {

    /** Every step takes it. */
    private static final String KEEP_POSITION = "keep_position";

    private static final List<String> TOP = List.of("source", "steps", "names");

    private static final Map<String, Kind> SOURCES = sources();
    private static final Map<String, Kind> STEPS = steps();

    /** A file of data that was named by mistake is refused before it fills the memory. */
    private static final int MOST_BYTES = 16 << 20;

    private final String file;
    private final Map<String, Integer> kindsSeen = new HashMap<>();

    private PipelineYaml(String file) {
        this.file = file;
    }

    public static Pipeline read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(MOST_BYTES);
            if (in.read() >= 0) {
                throw new RefusedPipelineFile(
                        file.toString(), 1, "more than " + (MOST_BYTES >> 20) + " MiB, which no list of steps has");
            }
            return parse(
                    file.toString(),
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(text))
                            .toString());
        } catch (CharacterCodingException e) {
            throw new RefusedPipelineFile(file.toString(), 1, "no text in UTF-8", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The pipeline in a text; complaints call it {@code file}. */
    public static Pipeline parse(String file, String text) {
        return new PipelineYaml(file).pipeline(YamlNode.parse(file, text));
    }

    private Pipeline pipeline(YamlNode root) {
        YamlSettings top = YamlSettings.of(file, "a pipeline", root, TOP);
        Pipeline pipeline = source(top.required("source"));
        if (top.node("steps").isPresent()) {
            YamlNode steps = top.required("steps");
            if (!(steps instanceof YamlNode.Sequence sequence)) {
                throw new RefusedPipelineFile(file, steps.line(), "'steps' must be a list, is " + steps.kind());
            }
            for (int at = 0; at < sequence.items().size(); at++) {
                pipeline = step(pipeline, sequence.items().get(at), at + 1);
            }
        }
        if (top.node("names").isPresent()) {
            List<String> names = top.texts("names");
            Pipeline unnamed = pipeline;
            pipeline = built(top.required("names").line(), "names", () -> unnamed.names(names.toArray(String[]::new)));
        }
        return pipeline;
    }

    private Pipeline source(YamlNode node) {
        Named named = named(node, "source", SOURCES);
        YamlSettings settings = named.settings();
        Pipeline source = built(node.line(), settings.owner(), () -> named.kind()
                .make()
                .make(new Place(Pipeline.files(), settings, settings.owner(), 0)));
        return settings.node("files").isPresent() ? source.reading(settings.texts("files")) : source;
    }

    private Pipeline step(Pipeline before, YamlNode node, int number) {
        Named named = named(node, "step", STEPS);
        YamlSettings settings = named.settings();
        int seen = kindsSeen.merge(settings.owner(), 1, Integer::sum);
        String name =
                settings.optionalText("name").orElse(seen == 1 ? settings.owner() : settings.owner() + "_" + seen);
        boolean pinned = settings.flag(KEEP_POSITION, false);
        return built(node.line(), settings.owner(), () -> {
            Pipeline made = named.kind().make().make(new Place(before, settings, name, number));
            return pinned ? made.keepPosition() : made;
        });
    }

    /** {@code prefetch}, or one key with its settings: {@code batch: {size: 32}}. */
    private Named named(YamlNode node, String what, Map<String, Kind> kinds) {
        String name;
        YamlNode settings;
        if (node instanceof YamlNode.Scalar scalar) {
            name = scalar.text();
            settings = new YamlNode.Scalar(node.line(), "", false);
        } else if (node instanceof YamlNode.Mapping mapping && mapping.entries().size() == 1) {
            Map.Entry<String, YamlNode> only =
                    mapping.entries().entrySet().iterator().next();
            name = only.getKey();
            settings = only.getValue();
        } else {
            throw new RefusedPipelineFile(
                    file, node.line(), "a " + what + " is a name, or one name with its settings, not " + node.kind());
        }
        Kind kind = kinds.get(name);
        if (kind == null) {
            throw new RefusedPipelineFile(
                    file,
                    node.line(),
                    "unknown " + what + " '" + name + "'; allowed: " + String.join(", ", kinds.keySet()));
        }
        List<String> keys = new ArrayList<>(kind.keys());
        if (kinds.equals(STEPS)) {
            keys.add(KEEP_POSITION);
        }
        return new Named(kind, YamlSettings.of(file, name, settings, keys));
    }

    /** What the builder or TensorFlow say against it, said of this line. */
    private Pipeline built(int line, String owner, Supplier<Pipeline> builder) {
        try {
            return builder.get();
        } catch (IllegalArgumentException | TensorFlowException e) {
            String reason =
                    String.valueOf(e.getMessage()).strip().lines().findFirst().orElse("refused");
            throw new RefusedPipelineFile(file, line, owner + ": " + reason, e);
        }
    }

    private record Named(Kind kind, YamlSettings settings) {}

    /** A kind of source or step: the keys it takes, and the builder's call that it stands for. */
    private record Kind(List<String> keys, Make make) {}

    private interface Make {
        Pipeline make(Place place);
    }

    /** Where a step stands: behind this pipeline, with these settings, under this name, as the so-manieth from 1. */
    private record Place(Pipeline before, YamlSettings settings, String name, int number) {

        Pipeline map(BiFunction<Ops, Element, ? extends Operand<?>> function) {
            return before.map(name, component(), function);
        }

        String component() {
            List<String> names = before.componentNames();
            return settings.optionalText("component").orElseGet(() -> {
                if (names.size() > 1) {
                    throw new IllegalArgumentException(
                            "there are the components " + names + ": say which by 'component'");
                }
                return names.get(0);
            });
        }

        long seed() {
            return settings.integer("seed", number);
        }
    }

    private static Map<String, Kind> sources() {
        Map<String, Kind> sources = new LinkedHashMap<>();
        sources.put(
                "tfrecord",
                new Kind(
                        List.of("compression", "files"),
                        at -> Pipeline.tfRecords(at.settings().compression())));
        sources.put(
                "text",
                new Kind(
                        List.of("compression", "files"),
                        at -> Pipeline.textLines(at.settings().compression())));
        sources.put(
                "fixed",
                new Kind(
                        List.of("record_bytes", "header_bytes", "footer_bytes", "files"),
                        at -> Pipeline.fixedLength(
                                at.settings().integer("header_bytes", 0),
                                at.settings().integer("record_bytes"),
                                at.settings().integer("footer_bytes", 0))));
        sources.put("files", new Kind(List.of("files"), Place::before));
        sources.put(
                "range",
                new Kind(
                        List.of("from", "to"),
                        at -> Pipeline.range(
                                at.settings().integer("from", 0), at.settings().integer("to"))));
        sources.put(
                "memory",
                new Kind(
                        List.of("elements", "bytes"),
                        at -> Pipeline.inMemory(
                                at.settings().integer("elements"), at.settings().integer("bytes"))));
        return sources;
    }

    private static Map<String, Kind> steps() {
        Map<String, Kind> steps = new LinkedHashMap<>();
        mapping(steps, "read_file", List.of(), at -> at.map(Records.readFile()));
        mapping(
                steps,
                "decode_jpeg",
                List.of("channels"),
                at -> at.map(Images.decodeJpeg((int) at.settings().integer("channels", 3))));
        mapping(
                steps,
                "decode_raw",
                List.of("type", "shape"),
                at -> at.map(
                        at.settings().node("shape").isPresent()
                                ? Records.decodeRaw(
                                        at.settings().type("type"),
                                        at.settings().shape("shape"))
                                : Records.decodeRaw(at.settings().type("type"))));
        mapping(
                steps,
                "random_crop",
                List.of("height", "width", "seed"),
                at -> at.map(Images.randomCrop(
                        at.settings().size("height"), at.settings().size("width"), at.seed())));
        mapping(
                steps,
                "central_crop",
                List.of("height", "width"),
                at -> at.map(Images.centralCrop(
                        at.settings().size("height"), at.settings().size("width"))));
        mapping(
                steps,
                "resize",
                List.of("height", "width"),
                at -> at.map(Images.resize(
                        at.settings().size("height"), at.settings().size("width"))));
        mapping(steps, "flip", List.of("seed"), at -> at.map(Images.flipLeftRight(at.seed())));
        mapping(
                steps,
                "normalise",
                List.of("mean", "deviation"),
                at -> at.map(Images.normalise(
                        at.settings().numbers("mean"), at.settings().numbers("deviation"))));
        mapping(
                steps,
                "cast",
                List.of("type"),
                at -> at.map(Records.cast(at.settings().type("type"))));
        mapping(steps, "label_from_path", List.of("classes"), PipelineYaml::label);
        steps.put("parse_example", new Kind(List.of("features", "name"), at -> at.before()
                .mapElement(at.name(), Records.parseExample(at.settings().features("features")))));
        mapping(steps, "filter", List.of("at_least", "at_most"), PipelineYaml::filter);
        steps.put(
                "shuffle",
                new Kind(
                        List.of("size", "seed"),
                        at -> at.settings().node("seed").isPresent()
                                ? at.before()
                                        .shuffle(
                                                at.settings().integer("size"),
                                                at.settings().integer("seed"))
                                : at.before().shuffle(at.settings().integer("size"))));
        steps.put("batch", new Kind(List.of("size", "drop_remainder"), at -> at.before()
                .batch(at.settings().integer("size"), at.settings().flag("drop_remainder", false))));
        steps.put("padded_batch", new Kind(List.of("size", "drop_remainder"), at -> at.before()
                .paddedBatch(at.settings().integer("size"), at.settings().flag("drop_remainder", false))));
        steps.put("unbatch", new Kind(List.of(), at -> at.before().unbatch()));
        steps.put(
                "prefetch",
                new Kind(
                        List.of("size"),
                        at -> at.settings().node("size").isPresent()
                                ? at.before().prefetch(at.settings().integer("size"))
                                : at.before().prefetch()));
        steps.put("sleep", new Kind(List.of("microseconds"), at -> at.before()
                .sleep(at.settings().integer("microseconds"))));
        steps.put("take", new Kind(List.of("size"), at -> at.before()
                .take(at.settings().integer("size"))));
        steps.put("skip", new Kind(List.of("size"), at -> at.before()
                .skip(at.settings().integer("size"))));
        steps.put("repeat", new Kind(List.of("times"), at -> at.before()
                .repeat(at.settings().integer("times"))));
        return steps;
    }

    /** A step with a function, on one component. */
    private static void mapping(Map<String, Kind> steps, String name, List<String> keys, Make make) {
        List<String> all = new ArrayList<>(keys);
        all.add("component");
        all.add("name");
        steps.put(name, new Kind(List.copyOf(all), make));
    }

    /** Adds a component {@code label} behind the others. */
    private static Pipeline label(Place at) {
        String path = at.component();
        var labelled = Images.labelFromPath(at.settings().texts("classes"));
        return at.before()
                .mapElement(at.name(), (tf, x) -> x.and("label", labelled.apply(tf, Element.of(path, x.get(path)))));
    }

    private static Pipeline filter(Place at) {
        String component = at.component();
        var between = Records.sizeBetween(
                at.settings().sizes("at_least"), at.settings().sizes("at_most"));
        return at.before().filter(at.name(), (tf, x) -> between.apply(tf, Element.of(component, x.get(component))));
    }
}
