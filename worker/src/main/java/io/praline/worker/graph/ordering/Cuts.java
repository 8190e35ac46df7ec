package io.praline.worker.graph.ordering;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.ordering.function.Body;
import io.praline.worker.graph.ordering.function.Effects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/**
 * Where a function can be cut: between two nodes where no more tensors cross than it returns, and no draw that several read.
 * Nodes that follow from no argument belong to no side: each piece has its own. Those that several results need come first,
 * then those of each result by itself, each by its distance from the arguments.
 */
final class Cuts {
    private final Body body;
    private final Effects effects;
    private final Set<String> components = new LinkedHashSet<>();
    private final Set<String> dependent = new HashSet<>();
    private final Set<String> freeDraws = new HashSet<>();
    private final List<NodeDef> order = new ArrayList<>();

    /**
     * A run of nodes between two cuts.
     *
     * @param nodes those that follow from the element, and free draws
     * @param in refs of the element's components in front of it, in order
     * @param out those behind it
     */
    record Segment(List<NodeDef> nodes, List<String> in, List<String> out) {
        Segment with(Segment next) {
            List<NodeDef> all = new ArrayList<>(nodes);
            all.addAll(next.nodes);
            return new Segment(all, in, next.out);
        }
    }

    private Cuts(Body body, Effects effects, int components) {
        this.body = body;
        this.effects = effects;
        body.arguments().subList(0, components).forEach(argument -> this.components.add(argument.getName()));
    }

    /** All that can be told apart; one where nothing can be cut. */
    static List<Segment> of(Body body, Effects effects, Map<String, ElementComponent> types, int components) {
        Cuts cuts = new Cuts(body, effects, components);
        cuts.sort();
        return cuts.segments(types);
    }

    private void sort() {
        Map<String, Integer> depth = new HashMap<>();
        for (NodeDef node : body.nodes()) {
            int deepest = 0;
            boolean depends = false;
            boolean draws = effects.draws(node);
            for (String input : node.getInputList()) {
                String from = Scope.nodeOf(input);
                depends |= components.contains(from) || dependent.contains(from);
                draws |= freeDraws.contains(from);
                deepest = Math.max(deepest, depth.getOrDefault(from, 0));
            }
            if (depends) {
                dependent.add(node.getName());
            } else if (draws) {
                freeDraws.add(node.getName());
            }
            depth.put(node.getName(), deepest + 1);
        }
        Map<String, Set<Integer>> reached = reached();
        List<NodeDef> placed = new ArrayList<>(body.nodes().stream()
                .filter(node -> dependent.contains(node.getName()) && reached.containsKey(node.getName()))
                .toList());
        placed.sort(Comparator.comparing(
                        (NodeDef node) -> -reached.get(node.getName()).size())
                .thenComparing(node -> reached.get(node.getName()).toString())
                .thenComparing(node -> depth.get(node.getName())));
        for (NodeDef node : body.nodes()) {
            boolean effect = !reached.containsKey(node.getName());
            if (effect && (dependent.contains(node.getName()) || body.kept().contains(node.getName()))) {
                placed.add(behindInputs(node, placed), node);
            }
        }
        Set<String> done = new HashSet<>();
        placed.forEach(node -> place(node, done));
        body.results().forEach(ref -> body.producer(ref)
                .filter(node -> freeDraws.contains(node.getName()))
                .ifPresent(node -> place(node, done)));
    }

    /** With the free draws that it reads in front of it. */
    private void place(NodeDef node, Set<String> done) {
        if (!done.add(node.getName())) {
            return;
        }
        for (String input : node.getInputList()) {
            body.producer(input)
                    .filter(from -> freeDraws.contains(from.getName()))
                    .ifPresent(from -> place(from, done));
        }
        order.add(node);
    }

    private static int behindInputs(NodeDef node, List<NodeDef> placed) {
        Set<String> inputs = new HashSet<>();
        node.getInputList().forEach(input -> inputs.add(Scope.nodeOf(input)));
        int place = 0;
        for (int i = 0; i < placed.size(); i++) {
            if (inputs.contains(placed.get(i).getName())) {
                place = i + 1;
            }
        }
        return place;
    }

    /** The results that each node goes into. */
    private Map<String, Set<Integer>> reached() {
        Map<String, Set<Integer>> reached = new HashMap<>();
        for (int i = 0; i < body.results().size(); i++) {
            reached.computeIfAbsent(Scope.nodeOf(body.results().get(i)), name -> new TreeSet<>())
                    .add(i);
        }
        List<NodeDef> nodes = body.nodes();
        for (int i = nodes.size() - 1; i >= 0; i--) {
            Set<Integer> here = reached.get(nodes.get(i).getName());
            if (here != null) {
                for (String input : nodes.get(i).getInputList()) {
                    reached.computeIfAbsent(Scope.nodeOf(input), name -> new TreeSet<>())
                            .addAll(here);
                }
            }
        }
        return reached;
    }

    private List<Segment> segments(Map<String, ElementComponent> types) {
        Map<String, Integer> made = new HashMap<>();
        Map<String, Integer> lastUse = new HashMap<>();
        components.forEach(name -> made.put(name, -1));
        for (int i = 0; i < order.size(); i++) {
            made.put(order.get(i).getName(), i);
            for (String input : order.get(i).getInputList()) {
                lastUse.put(input, i);
            }
        }
        body.results().forEach(ref -> lastUse.put(ref, Integer.MAX_VALUE));
        List<Integer> places = new ArrayList<>();
        List<List<String>> frontiers = new ArrayList<>();
        for (int i = 0; i + 1 < order.size(); i++) {
            int place = i;
            List<String> frontier = lastUse.entrySet().stream()
                    .filter(use -> use.getValue() > place)
                    .map(Map.Entry::getKey)
                    .filter(ref -> made.getOrDefault(Scope.nodeOf(ref), Integer.MAX_VALUE) <= place)
                    .sorted(Comparator.comparing((String ref) -> made.get(Scope.nodeOf(ref)))
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
            if (isLegal(frontier, types)) {
                places.add(i);
                frontiers.add(frontier);
            }
        }
        return cut(places, frontiers);
    }

    private boolean isLegal(List<String> frontier, Map<String, ElementComponent> types) {
        return !frontier.isEmpty()
                && frontier.size() <= body.results().size()
                && frontier.stream().noneMatch(ref -> freeDraws.contains(Scope.nodeOf(ref)))
                && frontier.stream()
                        .map(ref -> Optional.ofNullable(types.get(ref)))
                        .allMatch(type -> type.isPresent()
                                && type.get().dtype() != DataType.DT_VARIANT
                                && type.get().dtype() != DataType.DT_RESOURCE);
    }

    /** From the end on, since components are the results' wherever they can be told to become one. */
    private List<Segment> cut(List<Integer> places, List<List<String>> frontiers) {
        List<Segment> segments = new ArrayList<>();
        List<String> out = body.results();
        int until = order.size();
        for (int i = places.size() - 1; i >= -1; i--) {
            int from = i < 0 ? 0 : places.get(i) + 1;
            List<NodeDef> nodes = List.copyOf(order.subList(from, until));
            List<String> in = i < 0 ? List.copyOf(components) : slots(frontiers.get(i), out, nodes);
            segments.add(0, new Segment(nodes, in, out));
            out = in;
            until = from;
        }
        return segments;
    }

    private List<String> slots(List<String> frontier, List<String> out, List<NodeDef> nodes) {
        Set<String> left = new LinkedHashSet<>(frontier);
        if (frontier.size() != out.size()) {
            List<String> sorted = new ArrayList<>(frontier);
            sorted.sort(Comparator.comparing(ref -> firstMadeOf(ref, out, nodes)));
            return sorted;
        }
        String[] slots = new String[out.size()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = left.remove(out.get(i)) ? out.get(i) : "";
        }
        for (int i = 0; i < slots.length; i++) {
            if (slots[i].isEmpty()) {
                int place = i;
                String ref = left.stream()
                        .filter(each -> isMadeOf(out.get(place), each, nodes))
                        .findFirst()
                        .orElse(left.iterator().next());
                left.remove(ref);
                slots[i] = ref;
            }
        }
        return List.of(slots);
    }

    private static int firstMadeOf(String ref, List<String> out, List<NodeDef> nodes) {
        for (int i = 0; i < out.size(); i++) {
            if (out.get(i).equals(ref) || isMadeOf(out.get(i), ref, nodes)) {
                return i;
            }
        }
        return out.size();
    }

    private static boolean isMadeOf(String result, String ref, List<NodeDef> nodes) {
        Set<String> made = new HashSet<>();
        for (NodeDef node : nodes) {
            boolean reads = node.getInputList().stream()
                    .anyMatch(input -> input.equals(ref) || made.contains(Scope.nodeOf(input)));
            if (reads) {
                made.add(node.getName());
            }
        }
        return made.contains(Scope.nodeOf(result));
    }
}
