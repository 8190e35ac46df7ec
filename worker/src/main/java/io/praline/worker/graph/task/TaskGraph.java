package io.praline.worker.graph.task;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.caching.EntryLayout;
import io.praline.worker.graph.ticket.Counting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.tensorflow.proto.GraphDef;

/**
 * A graph that a session can run: the user's pipeline behind queues of splits, with an iterator at its end. {@link
 * TaskNodes} names the nodes that are fed and fetched.
 *
 * @param components of an element as the iterator yields it, the ticket included
 * @param ticket which component is the ticket; empty where elements carry none, and nothing is told beside them
 * @param counting how elements are known that carry no ticket; empty where they are not tracked, or carry it
 * @param packed whether one fetch holds several elements, stacked along a leading dimension
 * @param sources how many queues of splits there are
 * @param roads how entries stand in for splits, from one more queue; empty where none do
 * @param readers how many splits of one source are read at a time
 * @param root the last dataset node, from which TensorFlow's measurements are matched to transformations
 * @param written for each source, names of files as the graph knows them, by paths of splits; what is not in here it knows by its
 *     path
 */
public record TaskGraph(
        GraphDef graph,
        List<ElementComponent> components,
        OptionalInt ticket,
        Optional<Counting> counting,
        boolean packed,
        int sources,
        Optional<Roads> roads,
        int readers,
        Stage root,
        List<Map<String, String>> written) {
    /**
     * A cache point within the graph. The queue of entries is numbered behind those of the sources.
     *
     * @param layout how elements lie in entries
     * @param keeps whether computed elements are handed out to be kept
     */
    public record Roads(EntryLayout layout, boolean keeps) {}

    public TaskGraph {
        components = List.copyOf(components);
        written = written.stream().map(Map::copyOf).toList();
    }
}
