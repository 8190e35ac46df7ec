package io.praline.deploy.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of one object of a scenario's file, each with what is allowed for it.
 *
 * @param file as complaints call it
 * @param where in the file: nothing at the top, else {@code changes[0].} and the like
 * @param nodes by field
 */
record Fields(String file, String where, Map<String, JsonNode> nodes) {

    static Fields of(String file, String where, JsonNode object, List<String> allowed) {
        if (!object.isObject()) {
            throw new RefusedScenario(
                    file, (where.isEmpty() ? "it" : where.replaceAll("\\.$", "")) + " must be fields with values");
        }
        Map<String, JsonNode> nodes = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!allowed.contains(field.getKey())) {
                throw new RefusedScenario(
                        file, "unknown field '" + where + field.getKey() + "'; allowed: " + String.join(", ", allowed));
            }
            nodes.put(field.getKey(), field.getValue());
        }
        return new Fields(file, where, nodes);
    }

    /** These, and those of {@code outer} that are not among them. */
    Fields within(Fields outer) {
        Map<String, JsonNode> both = new LinkedHashMap<>(outer.nodes);
        both.putAll(nodes);
        return new Fields(file, where, both);
    }

    Optional<JsonNode> node(String field) {
        return Optional.ofNullable(nodes.get(field));
    }

    Optional<String> text(String field) {
        return node(field).map(JsonNode::asText);
    }

    double notNegative(String field) {
        return notNegative(field, required(field));
    }

    double notNegativeOr(String field, double otherwise) {
        return node(field).map(node -> notNegative(field, node)).orElse(otherwise);
    }

    private double notNegative(String field, JsonNode node) {
        return number(field, node, node.isNumber() && node.doubleValue() >= 0, "a number of at least 0");
    }

    double above0(String field) {
        return above0(field, required(field));
    }

    double above0Or(String field, double otherwise) {
        return node(field).map(node -> above0(field, node)).orElse(otherwise);
    }

    private double above0(String field, JsonNode node) {
        return number(field, node, node.isNumber() && node.doubleValue() > 0, "a number above 0");
    }

    double shareOr(String field, double otherwise) {
        return node(field)
                .map(node -> number(
                        field,
                        node,
                        node.isNumber() && node.doubleValue() >= 0 && node.doubleValue() <= 1,
                        "a number from 0 to 1"))
                .orElse(otherwise);
    }

    long whole(String field, long least) {
        return whole(field, required(field), least, Long.MAX_VALUE);
    }

    long wholeOr(String field, long least, long otherwise) {
        return node(field)
                .map(node -> whole(field, node, least, Long.MAX_VALUE))
                .orElse(otherwise);
    }

    /** A number of workers or jobs. */
    int count(String field, int least) {
        return (int) whole(field, required(field), least, Integer.MAX_VALUE);
    }

    int countOr(String field, int least, int otherwise) {
        return node(field)
                .map(node -> (int) whole(field, node, least, Integer.MAX_VALUE))
                .orElse(otherwise);
    }

    private long whole(String field, JsonNode node, long least, long most) {
        boolean fits = node.canConvertToExactIntegral()
                && node.canConvertToLong()
                && node.longValue() >= least
                && node.longValue() <= most;
        return (long) number(field, node, fits, "a whole number of at least " + least);
    }

    List<Double> ratesOrNone(String field) {
        JsonNode list = nodes.get(field);
        if (list == null) {
            return List.of();
        }
        if (!list.isArray()) {
            throw wrong(field, list, "a list of numbers above 0, with 1, with 2, ... workers");
        }
        List<Double> rates = new ArrayList<>();
        for (JsonNode node : list) {
            rates.add(above0(field + "[" + rates.size() + "]", node));
        }
        return rates;
    }

    <E extends Enum<E>> E oneOf(String field, Class<E> kind, E otherwise) {
        JsonNode node = nodes.get(field);
        if (node == null) {
            return otherwise;
        }
        List<E> all = Arrays.asList(kind.getEnumConstants());
        return all.stream()
                .filter(one -> one.name().equalsIgnoreCase(node.asText()))
                .findFirst()
                .orElseThrow(() -> wrong(
                        field,
                        node,
                        "one of "
                                + String.join(
                                        ", ",
                                        all.stream()
                                                .map(one -> one.name().toLowerCase(Locale.ROOT))
                                                .toList())));
    }

    private double number(String field, JsonNode node, boolean fits, String allowed) {
        if (!fits || Double.isInfinite(node.doubleValue())) {
            throw wrong(field, node, allowed);
        }
        return node.doubleValue();
    }

    private JsonNode required(String field) {
        return node(field).orElseThrow(() -> new RefusedScenario(file, where + field + " is missing"));
    }

    private RefusedScenario wrong(String field, JsonNode node, String allowed) {
        return new RefusedScenario(file, where + field + " must be " + allowed + ", is " + node);
    }
}
