package io.praline.tests.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is said of a program beside its rows: the first line of its file of values, see {@code programs.py}.
 *
 * @param glob the files it reads; '-': none
 * @param whole whether each element is compared as it is, instead of row by row
 * @param mirrored components flipped by chance
 * @param padded components whose trailing zeroes, or empty strings, are padding
 * @param drawn components drawn by chance, and their bounds, ends included
 * @param distinct pairs of drawn components that are never equal within a row
 * @param spread drawn components that are distinct in more than half of the rows
 * @param loose components of which type and shape behind the leading dimension are compared
 * @param choice whether which rows come is drawn: those recorded are all that there may be
 * @param count how many rows there may be
 * @param mixed whether what stands together in an element is decided by their order
 * @param ordered whether a single task keeps the order
 * @param refused whether it cannot run outside Python
 * @param empty whether it yields nothing
 */
public record Said(
        String glob,
        boolean whole,
        List<Integer> mirrored,
        List<Integer> padded,
        Map<Integer, Bounds> drawn,
        List<List<Integer>> distinct,
        List<Integer> spread,
        List<Integer> loose,
        boolean choice,
        Bounds count,
        boolean mixed,
        boolean ordered,
        boolean refused,
        boolean empty) {

    /** Ends included. */
    record Bounds(double low, double high) {
        boolean hold(double lowest, double highest) {
            return low <= lowest && highest <= high;
        }

        private static Bounds of(JsonNode pair) {
            return new Bounds(pair.get(0).asDouble(), pair.get(1).asDouble());
        }

        @Override
        public String toString() {
            return low + " to " + high;
        }
    }

    /** @param rows how many rows were recorded, for where nothing is said of their number */
    static Said of(JsonNode head, int rows) {
        Map<Integer, Bounds> drawn = new LinkedHashMap<>();
        head.path("drawn")
                .properties()
                .forEach(one -> drawn.put(Integer.valueOf(one.getKey()), Bounds.of(one.getValue())));
        List<List<Integer>> distinct = new ArrayList<>();
        head.path("distinct").forEach(pair -> distinct.add(numbers(pair)));
        int expected = head.path("rows").asInt(rows);
        return new Said(
                head.get("glob").asText(),
                head.path("unit").asText().equals("element"),
                numbers(head.path("mirrored")),
                numbers(head.path("padded")),
                drawn,
                distinct,
                numbers(head.path("spread")),
                numbers(head.path("loose")),
                head.path("choice").asBoolean(),
                Optional.of(head.path("count"))
                        .filter(JsonNode::isArray)
                        .map(Bounds::of)
                        .orElse(new Bounds(expected, expected)),
                head.path("mixed").asBoolean(),
                head.path("ordered").asBoolean(),
                head.path("refused").asBoolean(),
                head.path("empty").asBoolean());
    }

    private static List<Integer> numbers(JsonNode array) {
        List<Integer> all = new ArrayList<>();
        array.forEach(one -> all.add(one.asInt()));
        return all;
    }

    boolean hasValues(int component) {
        return !drawn.containsKey(component) && !loose.contains(component);
    }

    /** Whether all that comes is compared with what Python yielded, value by value. */
    boolean exact() {
        return mirrored.isEmpty() && drawn.isEmpty() && loose.isEmpty() && !choice && !mixed;
    }
}
