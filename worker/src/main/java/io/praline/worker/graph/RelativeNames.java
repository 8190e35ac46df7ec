package io.praline.worker.graph;

import io.praline.topics.Agreements;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * Relative names of files are read within the folder of the program that submitted the graph, not within that of a worker. Nodes
 * that may be given such names carry that folder as an attribute, which goes wherever they go and counts in the digest; a graph
 * of other names is the same whatever folder it came from.
 */
public final class RelativeNames {
    private static final String ATTRIBUTE = Agreements.DIRECTORY;

    /** What makes TensorFlow take a name for a pattern. */
    private static final String WILD = "*?[\\";

    private final PipelineGraph graph;
    private final String directory;
    private final boolean listsReplaced;
    private final NameOrigins origins;

    private RelativeNames(PipelineGraph graph, NodeDef said) {
        this.graph = graph;
        this.directory = directory(said).orElseThrow();
        this.listsReplaced = said.getAttrOrDefault(Agreements.LISTS_REPLACED, AttrValue.getDefaultInstance())
                .getB();
        this.origins = new NameOrigins(graph, listsReplaced);
    }

    /** The graph with the folder at the nodes that need it, where the submitted one says a folder. */
    static PipelineGraph marked(PipelineGraph graph, GraphDef submitted) {
        return submitted.getNodeList().stream()
                .filter(node -> node.getName().equals(Agreements.DIRECTORY_NODE) && node.containsAttr(ATTRIBUTE))
                .findFirst()
                .map(said -> new RelativeNames(graph, said).marked())
                .orElse(graph);
    }

    /** The folder within which the relative names that a node is given are read; empty where it is given none. */
    public static Optional<String> directory(NodeDef node) {
        return node.containsAttr(ATTRIBUTE)
                ? Optional.of(node.getAttrOrThrow(ATTRIBUTE).getS().toStringUtf8())
                : Optional.empty();
    }

    /** A node with what it needs to read relative names within a folder. */
    public static NodeDef in(String directory, NodeDef node) {
        return node.toBuilder().putAttr(ATTRIBUTE, Protos.string(directory)).build();
    }

    /** Has a node read relative names within the folder, if there is one, that another does. */
    public static void copied(NodeDef from, NodeDef.Builder to) {
        if (from.containsAttr(ATTRIBUTE)) {
            to.putAttr(ATTRIBUTE, from.getAttrOrThrow(ATTRIBUTE));
        }
    }

    public static boolean isRelative(String name) {
        return !name.isEmpty() && !name.startsWith("/") && !name.contains("://");
    }

    /** Which input of a node names what it opens. */
    public static OptionalInt nameInput(NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        for (OpTraits.Input kind : List.of(OpTraits.Input.FILES, OpTraits.Input.FOLDER)) {
            if (traits.inputs().containsKey(kind) && traits.input(node, kind).isPresent()) {
                return OptionalInt.of(traits.inputs().get(kind));
            }
        }
        // a database's driver, or the table's handle, stands in front
        if (node.getOp().startsWith("InitializeTableFromTextFile")
                || node.getOp().endsWith("SqlDataset")) {
            return OptionalInt.of(1);
        }
        return matches(node) ? OptionalInt.of(0) : OptionalInt.empty();
    }

    /** Whether a node gives names of files that match a pattern. */
    public static boolean matches(NodeDef node) {
        return node.getOp().equals("MatchingFiles") || OpTraits.of(node).family() == OpTraits.Family.MATCHING_FILES;
    }

    private PipelineGraph marked() {
        List<NodeDef> nodes = marked(graph.nodes().values(), new NameOrigins.Place(graph.scope(), ""));
        List<FunctionDef> functions = graph.functions().values().stream()
                .map(function -> function.toBuilder()
                        .clearNodeDef()
                        .addAllNodeDef(marked(function.getNodeDefList(), NameOrigins.place(function)))
                        .build())
                .toList();
        return new PipelineGraph(nodes, functions, graph.root(), graph.versions());
    }

    private List<NodeDef> marked(Collection<NodeDef> nodes, NameOrigins.Place at) {
        return nodes.stream()
                .map(node -> needsFolder(node, at) ? in(directory, matchable(node)) : node)
                .toList();
    }

    /** A pattern has no way to tell a folder whose own name looks like one, with what leads from there up again. */
    private NodeDef matchable(NodeDef node) {
        if (matches(node) && directory.chars().anyMatch(c -> WILD.indexOf(c) >= 0)) {
            throw new RefusedPipeline("files that match a relative pattern (" + node.getName()
                    + ") cannot be looked for within " + directory + ", whose name has one of " + WILD
                    + " itself; make the pattern absolute, or run the program in another folder");
        }
        return node;
    }

    private boolean needsFolder(NodeDef node, NameOrigins.Place at) {
        if (isList(node)) {
            // of the names of a list that elements hold another one may be read
            return !listsReplaced
                    && node.getInputList().stream()
                            .anyMatch(input -> NameOrigins.any(
                                    at.scope(), input, name -> isRelative(name) || name.startsWith("file://")));
        }
        OptionalInt name = nameInput(node);
        return name.isPresent() && origins.mayBeRelative(node.getInput(name.getAsInt()), at);
    }

    /** Whether a dataset's elements are written in the graph. */
    static boolean isList(NodeDef node) {
        OpTraits.Family family = OpTraits.of(node).family();
        return family == OpTraits.Family.SLICES || node.getOp().equals("TensorDataset");
    }
}
