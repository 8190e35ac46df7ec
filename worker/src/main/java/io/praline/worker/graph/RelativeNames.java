package io.praline.worker.graph;

import io.praline.topics.Agreements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
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

    private final PipelineGraph graph;
    private final AttrValue directory;
    private final boolean listsReplaced;

    private RelativeNames(PipelineGraph graph, NodeDef said) {
        this.graph = graph;
        this.directory = said.getAttrOrThrow(ATTRIBUTE);
        this.listsReplaced = said.getAttrOrDefault(Agreements.LISTS_REPLACED, AttrValue.getDefaultInstance())
                .getB();
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
        if (node.getOp().startsWith("InitializeTableFromTextFile")) {
            return OptionalInt.of(1);
        }
        return node.getOp().startsWith("MatchingFiles") ? OptionalInt.of(0) : OptionalInt.empty();
    }

    private PipelineGraph marked() {
        Scope scope = graph.scope();
        boolean madeOfRelative = graph.nodes().values().stream().anyMatch(node -> holdsRelative(node, scope))
                || graph.functions().values().stream().anyMatch(RelativeNames::joinsToRelative);
        List<NodeDef> nodes = graph.nodes().values().stream()
                .map(node -> marked(node, scope, madeOfRelative))
                .toList();
        List<FunctionDef> functions = new ArrayList<>();
        for (FunctionDef function : graph.functions().values()) {
            Scope body = Scope.ofFunction(function);
            functions.add(function.toBuilder()
                    .clearNodeDef()
                    .addAllNodeDef(function.getNodeDefList().stream()
                            .map(node -> marked(node, body, madeOfRelative))
                            .toList())
                    .build());
        }
        return new PipelineGraph(nodes, functions, graph.root(), graph.versions());
    }

    private NodeDef marked(NodeDef node, Scope scope, boolean madeOfRelative) {
        OptionalInt name = nameInput(node);
        boolean needs = isList(node)
                ? !listsReplaced && holdsRelative(node, scope)
                : name.isPresent() && mayBeGivenRelative(node, node.getInput(name.getAsInt()), scope, madeOfRelative);
        return needs ? node.toBuilder().putAttr(ATTRIBUTE, directory).build() : node;
    }

    private boolean mayBeGivenRelative(NodeDef node, String ref, Scope scope, boolean madeOfRelative) {
        boolean replaced = listsReplaced && OpTraits.of(node).isReader();
        boolean written = Constants.value(scope, ref).isPresent();
        return !replaced && (written ? anyRelative(scope, ref) : madeOfRelative);
    }

    private static boolean isList(NodeDef node) {
        OpTraits.Family family = OpTraits.of(node).family();
        return family == OpTraits.Family.SLICES || node.getOp().equals("TensorDataset");
    }

    /** Whether elements, or what functions are given beside them, may be parts of relative names. */
    private boolean holdsRelative(NodeDef node, Scope scope) {
        OpTraits.Family family = OpTraits.of(node).family();
        boolean captures = family == OpTraits.Family.MAP || family == OpTraits.Family.INTERLEAVE;
        boolean takes = isList(node) ? !listsReplaced : captures;
        return takes && node.getInputList().stream().anyMatch(input -> anyRelative(scope, input));
    }

    /** Whether a function puts something behind the name of a relative folder. */
    private static boolean joinsToRelative(FunctionDef function) {
        Scope body = Scope.ofFunction(function);
        Predicate<NodeDef> joins = node -> node.getOp().equals("StringJoin")
                || (node.getOp().startsWith("Add")
                        && node.getAttrOrDefault("T", AttrValue.getDefaultInstance())
                                        .getType()
                                == DataType.DT_STRING);
        return function.getNodeDefList().stream().filter(joins).anyMatch(node -> anyRelative(body, node.getInput(0)));
    }

    private static boolean anyRelative(Scope scope, String ref) {
        return Constants.value(scope, ref)
                .filter(constant -> constant.getDtype() == DataType.DT_STRING)
                .map(constant -> Constants.strings(constant).stream().anyMatch(RelativeNames::isRelative))
                .orElse(false);
    }
}
