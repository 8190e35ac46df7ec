package io.praline.tests.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * One component of one row, as {@code elements.py} writes it down. What is said to be drawn or loose has no values.
 *
 * @param exact what must be the same to the last bit: strings in hexadecimal, few integers; empty for all else
 * @param floats the mean and values at equal distances, or all of them; empty where values are exact
 */
record Cell(String type, List<Long> shape, List<String> exact, List<Double> floats) {
    /** Nine digits were written down; the engine may add in another order than Python did. */
    private static final double ROUNDING = 1e-4;

    Cell {
        shape = List.copyOf(shape);
        exact = List.copyOf(exact);
        floats = List.copyOf(floats);
    }

    static Cell recorded(JsonNode written) {
        String type = written.get("type").asText();
        List<Long> shape = new ArrayList<>();
        written.get("shape").forEach(size -> shape.add(size.asLong()));
        List<JsonNode> values = new ArrayList<>();
        written.path("values").forEach(values::add);
        if (values.stream().anyMatch(JsonNode::isFloatingPointNumber)) {
            return new Cell(
                    type,
                    shape,
                    List.of(),
                    values.stream().map(JsonNode::asDouble).toList());
        }
        return new Cell(type, shape, values.stream().map(JsonNode::asText).toList(), List.of());
    }

    /** The same up to what rounding explains. */
    boolean isLike(Cell other) {
        if (!key().equals(other.key()) || floats.size() != other.floats.size()) {
            return false;
        }
        for (int i = 0; i < floats.size(); i++) {
            double value = floats.get(i);
            if (Math.abs(value - other.floats.get(i)) > ROUNDING * Math.max(1, Math.abs(value))) {
                return false;
            }
        }
        return true;
    }

    /** What must be the same to the last bit. */
    String key() {
        return type + shape + exact;
    }

    @Override
    public String toString() {
        return key() + (floats.isEmpty() ? "" : floats);
    }
}
