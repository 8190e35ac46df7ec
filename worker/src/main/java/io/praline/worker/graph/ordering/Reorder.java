package io.praline.worker.graph.ordering;

import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.ordering.SplitPipeline.Link;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Puts the steps of a pipeline in the order of a recipe: dataset nodes read each other as it says, their functions are given
 * the types that come there, or whole batches. Whether that is the same pipeline is the recipe's matter; that each step takes
 * what it is given, and that in the end the same types and shapes come out, is checked here.
 */
final class Reorder {
    private final OpInference ops;

    Reorder(OpInference ops) {
        this.ops = ops;
    }

    /**
     * In another order; the same where nothing changes.
     *
     * @throws RefusedRecipe if it cannot be carried out
     */
    SplitPipeline apply(SplitPipeline split, Recipe recipe) {
        Scope scope = split.graph().scope();
        Map<String, FunctionDef> functions = new LinkedHashMap<>(split.graph().functions());
        List<Link> links = new ArrayList<>(split.links());
        String root = split.graph().root();
        Set<String> named = new HashSet<>();
        boolean changed = false;
        for (List<String> written : recipe.sections()) {
            List<String> spelt = written.stream()
                    .flatMap(name -> pieces(name, links).stream())
                    .toList();
            Recipe.Section asked =
                    Recipe.Section.of(spelt, links.stream().map(Link::name).collect(Collectors.toSet()));
            List<String> section = asked.names();
            for (String name : section) {
                if (!named.add(name)) {
                    throw new RefusedRecipe("the recipe names the step " + name + " twice");
                }
            }
            if (section.isEmpty()) {
                continue;
            }
            int from = first(section, links, scope);
            List<Link> users = List.copyOf(links.subList(from, from + section.size()));
            List<Link> ordered =
                    section.stream().map(name -> named(name, users)).toList();
            if (!ordered.equals(users) || !asked.early().isEmpty()) {
                SectionOrder order =
                        new SectionOrder(scope, functions, split.graph().versions(), ops);
                root = order.apply(users, ordered, asked.early(), root);
                changed = true;
                for (int i = 0; i < ordered.size(); i++) {
                    links.set(from + i, ordered.get(i));
                }
            }
        }
        if (!changed) {
            return split;
        }
        return new SplitPipeline(
                new PipelineGraph(
                        scope.nodes(), functions.values(), root, split.graph().versions()),
                links);
    }

    /** A step, or all that a transformation is cut into. */
    private static List<String> pieces(String name, List<Link> links) {
        List<String> pieces = links.stream()
                .filter(link -> link.transformation().equals(name))
                .map(Link::name)
                .toList();
        return pieces.isEmpty() ? List.of(name) : pieces;
    }

    /** Where a section begins: its steps follow one another, and none of them is a barrier. */
    private static int first(List<String> section, List<Link> links, Scope scope) {
        Map<String, Integer> places = IntStream.range(0, links.size())
                .boxed()
                .collect(Collectors.toMap(i -> links.get(i).name(), i -> i));
        int first = Integer.MAX_VALUE;
        int last = -1;
        for (String name : section) {
            Integer place = places.get(name);
            if (place == null) {
                throw new RefusedRecipe("the pipeline has no step " + name);
            }
            NodeDef node = scope.node(links.get(place).node());
            if (SectionOrder.isBarrier(node, links.get(place))) {
                throw new RefusedRecipe(name + " is a barrier, nothing moves past it");
            }
            first = Math.min(first, place);
            last = Math.max(last, place);
        }
        if (last - first + 1 != section.size()) {
            String missing = links.subList(first, last + 1).stream()
                    .map(Link::name)
                    .filter(name -> !section.contains(name))
                    .collect(Collectors.joining(", "));
            throw new RefusedRecipe("the recipe leaves out " + missing + ", which stands between steps that it orders");
        }
        return first;
    }

    private static Link named(String name, List<Link> links) {
        return links.stream()
                .filter(link -> link.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
