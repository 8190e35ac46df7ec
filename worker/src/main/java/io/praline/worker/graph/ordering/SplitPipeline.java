package io.praline.worker.graph.ordering;

import io.praline.worker.graph.PipelineGraph;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pipeline whose maps are cut into steps: each step is a dataset node of its own. Draws are stamped, calls inlined. It yields
 * what the user's does.
 *
 * @param graph whose nodes carry the names of their steps
 * @param links from the sources to the root
 */
public record SplitPipeline(PipelineGraph graph, List<Link> links) {
    public SplitPipeline {
        links = List.copyOf(links);
    }

    /**
     * A step.
     *
     * @param node its dataset node
     * @param name that no other step has
     * @param transformation the user's that it comes from
     */
    public record Link(String node, String name, String transformation) {}

    /** Names of steps by their nodes. */
    public Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        links.forEach(link -> names.put(link.node(), link.name()));
        return names;
    }
}
