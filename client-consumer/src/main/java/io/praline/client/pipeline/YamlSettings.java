package io.praline.client.pipeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.tensorflow.ndarray.Shape;

/** The keys and values of one thing in a pipeline's file: each is read as what it must be, and one that nobody knows is refused. */
record YamlSettings(String file, String owner, int line, Map<String, YamlNode> entries) {

    /** Nothing at all stands for no settings: {@code - prefetch}. */
    static YamlSettings of(String file, String owner, YamlNode node, List<String> allowed) {
        if (node instanceof YamlNode.Scalar scalar && scalar.text().isEmpty()) {
            return new YamlSettings(file, owner, node.line(), Map.of());
        }
        if (!(node instanceof YamlNode.Mapping mapping)) {
            throw new RefusedPipelineFile(
                    file,
                    node.line(),
                    owner + " takes keys and values (" + String.join(", ", allowed) + "), not " + node.kind());
        }
        for (String key : mapping.entries().keySet()) {
            if (!allowed.contains(key)) {
                throw new RefusedPipelineFile(
                        file,
                        mapping.keyLines().get(key),
                        owner + " has no '" + key + "'; allowed: " + String.join(", ", allowed));
            }
        }
        return new YamlSettings(file, owner, node.line(), mapping.entries());
    }

    Optional<YamlNode> node(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    YamlNode required(String key) {
        return node(key).orElseThrow(() -> new RefusedPipelineFile(file, line, owner + " needs '" + key + "'"));
    }

    String text(String key) {
        return text(key, required(key));
    }

    Optional<String> optionalText(String key) {
        return node(key).map(value -> text(key, value));
    }

    long integer(String key) {
        return integer(key, required(key));
    }

    long integer(String key, long otherwise) {
        return node(key).map(value -> integer(key, value)).orElse(otherwise);
    }

    /** A size in memory, which no tensor exceeds in one dimension. */
    int size(String key) {
        return size(key, required(key));
    }

    boolean flag(String key, boolean otherwise) {
        Optional<YamlNode> value = node(key);
        if (value.isEmpty()) {
            return otherwise;
        }
        return switch (text(key, value.get())) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused(key, value.get(), "true or false");
        };
    }

    /** One number, or a list of them. */
    float[] numbers(String key) {
        YamlNode value = required(key);
        List<YamlNode> items = value instanceof YamlNode.Sequence sequence ? sequence.items() : List.of(value);
        float[] numbers = new float[items.size()];
        for (int at = 0; at < numbers.length; at++) {
            try {
                numbers[at] = Float.parseFloat(text(key, items.get(at)));
            } catch (NumberFormatException e) {
                throw refused(key, items.get(at), "a number");
            }
        }
        return numbers;
    }

    List<String> texts(String key) {
        return list(key, item -> text(key, item));
    }

    List<Integer> sizes(String key) {
        return node(key).isEmpty() ? List.of() : list(key, item -> size(key, item));
    }

    /** Sizes of a shape; nothing where there is none. */
    Shape shape(String key) {
        if (node(key).isEmpty()) {
            return Shape.scalar();
        }
        return Shape.of(list(key, item -> integer(key, item)).stream()
                .mapToLong(Long::longValue)
                .toArray());
    }

    TensorType type(String key) {
        return type(key, required(key));
    }

    TensorType type(String key, YamlNode value) {
        return TensorType.named(text(key, value))
                .orElseThrow(() -> refused(key, value, "one of " + List.of(TensorType.values())));
    }

    Compression compression() {
        Optional<YamlNode> value = node("compression");
        if (value.isEmpty()) {
            return Compression.NONE;
        }
        return switch (text("compression", value.get())) {
            case "none" -> Compression.NONE;
            case "gzip" -> Compression.GZIP;
            case "zlib" -> Compression.ZLIB;
            default -> throw refused("compression", value.get(), "none, gzip or zlib");
        };
    }

    /** The features of an Example: {@code label: int64}, or {@code tokens: {type: int64, shape: [-1], default: 0}}. */
    List<Feature> features(String key) {
        YamlNode value = required(key);
        if (!(value instanceof YamlNode.Mapping mapping)) {
            throw refused(key, value, "features by name");
        }
        Map<String, Feature> features = new LinkedHashMap<>();
        mapping.entries().forEach((name, node) -> {
            Optional<YamlSettings> settings = node instanceof YamlNode.Scalar
                    ? Optional.empty()
                    : Optional.of(of(file, "feature " + name, node, List.of("type", "shape", "default")));
            TensorType type = settings.map(all -> all.type("type")).orElseGet(() -> type(name, node));
            Shape shape = settings.map(all -> all.shape("shape")).orElse(Shape.scalar());
            Optional<String> missing = settings.flatMap(all -> all.node("default")
                    .map(given -> type == TensorType.STRING ? string(all, given) : all.text("default")));
            try {
                features.put(name, new Feature(name, type, shape, missing));
            } catch (IllegalArgumentException e) {
                throw new RefusedPipelineFile(file, node.line(), String.valueOf(e.getMessage()), e);
            }
        });
        return List.copyOf(features.values());
    }

    /** A text that may be empty. */
    private static String string(YamlSettings settings, YamlNode value) {
        return value instanceof YamlNode.Scalar scalar && scalar.written() ? scalar.text() : settings.text("default");
    }

    RefusedPipelineFile refused(String key, YamlNode value, String wanted) {
        return new RefusedPipelineFile(
                file, value.line(), owner + ": '" + key + "' must be " + wanted + ", is " + value.kind());
    }

    private <T> List<T> list(String key, Function<YamlNode, T> item) {
        YamlNode value = required(key);
        if (!(value instanceof YamlNode.Sequence sequence)) {
            throw refused(key, value, "a list");
        }
        List<T> items = new ArrayList<>();
        sequence.items().forEach(each -> items.add(item.apply(each)));
        return List.copyOf(items);
    }

    private String text(String key, YamlNode value) {
        if (value instanceof YamlNode.Scalar scalar && !scalar.text().isEmpty()) {
            return scalar.text();
        }
        throw refused(key, value, "one value");
    }

    private long integer(String key, YamlNode value) {
        try {
            return Long.parseLong(text(key, value));
        } catch (NumberFormatException e) {
            throw refused(key, value, "a whole number");
        }
    }

    private int size(String key, YamlNode value) {
        long size = integer(key, value);
        if (size < 1 || size > Integer.MAX_VALUE) {
            throw refused(key, value, "a size of at least 1");
        }
        return (int) size;
    }
}
