package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.tensorflow.proto.NodeDef;

/** What the nodes of a function give, each from what its inputs give: a function may hold thousands of ops one behind another. */
final class InputsFirst {
    private InputsFirst() {}

    /** What a node is given; a node that it only waits for gives it nothing. */
    static List<String> values(NodeDef node) {
        return Scope.given(node).toList();
    }

    /**
     * Follows a node, behind all that it is made of. Where nodes go round, one is followed before its inputs are known.
     *
     * @param known what nodes give, by their names; what is followed is added
     * @param made what a node gives, asked when its inputs are known
     */
    static <V> void follow(Scope body, NodeDef last, Map<String, V> known, Function<NodeDef, V> made) {
        Deque<NodeDef> open = new ArrayDeque<>(List.of(last));
        Set<String> entered = new HashSet<>();
        while (!open.isEmpty()) {
            NodeDef node = open.peek();
            if (known.containsKey(node.getName())) {
                open.pop();
                continue;
            }
            entered.add(node.getName());
            Optional<NodeDef> missing = values(node).stream()
                    .flatMap(input -> body.producer(input).stream())
                    .filter(input -> !known.containsKey(input.getName()) && !entered.contains(input.getName()))
                    .findFirst();
            if (missing.isPresent()) {
                open.push(missing.get());
            } else {
                known.put(node.getName(), made.apply(open.pop()));
            }
        }
    }
}
