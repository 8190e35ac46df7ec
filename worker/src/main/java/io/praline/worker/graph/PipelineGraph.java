package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** A pipeline: dataset nodes, functions, and the dataset that is asked for. Immutable. */
public final class PipelineGraph {
    private static final String HOW_TO_WRITE = "write to the file what dataset._as_serialized_graph().numpy() gives";

    private final Map<String, NodeDef> nodes;
    private final Map<String, FunctionDef> functions;
    private final String root;
    private final VersionDef versions;

    /** Keeps only what the root needs. */
    public PipelineGraph(Iterable<NodeDef> nodes, Iterable<FunctionDef> functions, String root, VersionDef versions) {
        Map<String, NodeDef> allNodes = new LinkedHashMap<>();
        nodes.forEach(node -> allNodes.put(node.getName(), node));
        Map<String, FunctionDef> allFunctions = new LinkedHashMap<>();
        functions.forEach(function -> allFunctions.put(function.getSignature().getName(), function));
        Set<String> reached = reachedNodes(allNodes, root);
        allNodes.keySet().retainAll(reached);
        allFunctions.keySet().retainAll(reachedFunctions(allNodes.values(), allFunctions));
        this.nodes = Collections.unmodifiableMap(allNodes);
        this.functions = Collections.unmodifiableMap(allFunctions);
        this.root = root;
        this.versions = versions;
    }

    /**
     * Reads a serialised {@code GraphDef} as {@code tf.data} gives it.
     *
     * @throws RefusedPipeline if it is none, is empty, or holds what cannot run here
     */
    public static PipelineGraph parse(byte[] graphDef, OpCatalogue ops) {
        return parse(UnsafeByteOperations.unsafeWrap(graphDef), ops);
    }

    /**
     * The same of bytes that do not change: constants stay where they lie.
     *
     * @throws RefusedPipeline if it is none, is empty, or holds what cannot run here
     */
    public static PipelineGraph parse(ByteString graphDef, OpCatalogue ops) {
        if (graphDef.isEmpty()) {
            throw new RefusedPipeline("the pipeline is empty; " + HOW_TO_WRITE);
        }
        GraphDef graph;
        try {
            CodedInputStream in = graphDef.newCodedInput();
            in.enableAliasing(true);
            graph = GraphDef.parseFrom(in);
            in.checkLastTagWas(0);
        } catch (InvalidProtocolBufferException broken) {
            throw new RefusedPipeline(
                    "the pipeline is not a GraphDef (" + reason(broken) + "); " + HOW_TO_WRITE, broken);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        if (graph.getNodeCount() == 0) {
            throw new RefusedPipeline("the pipeline is a GraphDef without nodes; " + HOW_TO_WRITE);
        }
        List<NodeDef> results = graph.getNodeList().stream()
                .filter(node -> node.getOp().equals("_Retval"))
                .toList();
        if (results.size() != 1 || results.get(0).getInputCount() == 0) {
            throw new RefusedPipeline("the pipeline must return one dataset (a node _Retval), it returns "
                    + (results.isEmpty() ? "none; " : results.size() + " things; ") + HOW_TO_WRITE);
        }
        PipelineGraph pipeline = new PipelineGraph(
                graph.getNodeList(),
                graph.getLibrary().getFunctionList(),
                results.get(0).getInput(0),
                graph.getVersions());
        PipelineGraph valid = new Validate(ops).apply(pipeline);
        return RelativeNames.marked(new SharedDatasets().apply(valid), graph);
    }

    /** SHA-256 of the canonical form, in hex. */
    public String digest() {
        return new CanonicalForm(this).digest();
    }

    /** The canonical form: equal for equal programs, whatever process serialised them. */
    public GraphDef canonical() {
        return new CanonicalForm(this).graph();
    }

    /** Folders of saved datasets that the pipeline loads, as it names them. */
    public List<Folder> folders() {
        Scope scope = scope();
        return nodes.values().stream()
                .flatMap(node -> OpTraits.of(node).input(node, OpTraits.Input.FOLDER).stream()
                        .flatMap(folder -> Constants.string(scope, folder).stream())
                        .map(name -> new Folder(name, RelativeNames.directory(node))))
                .toList();
    }

    /**
     * A folder that the pipeline reads.
     *
     * @param name as the pipeline has it
     * @param directory within which it is, where it is relative and the pipeline's program said so
     */
    public record Folder(String name, Optional<String> directory) {}

    /** What an element consists of. */
    public List<ElementComponent> components() {
        return scope().components(root);
    }

    /** How many bytes its nodes and functions have where they are written down. */
    public long bytes() {
        return nodes.values().stream().mapToLong(NodeDef::getSerializedSize).sum()
                + functions.values().stream()
                        .mapToLong(FunctionDef::getSerializedSize)
                        .sum();
    }

    public String root() {
        return root;
    }

    public Map<String, NodeDef> nodes() {
        return nodes;
    }

    public Map<String, FunctionDef> functions() {
        return functions;
    }

    public VersionDef versions() {
        return versions;
    }

    /** The nodes, to be read or rewritten; the pipeline itself does not change. */
    public Scope scope() {
        return Scope.ofGraph(nodes.values());
    }

    public GraphDef.Builder toGraphDef() {
        GraphDef.Builder graph = GraphDef.newBuilder().setVersions(versions).addAllNode(nodes.values());
        graph.getLibraryBuilder().addAllFunction(functions.values());
        return graph;
    }

    /** A serialised {@code GraphDef} as {@code tf.data} gives it: {@code tf.data} and {@link #parse} read it. */
    public byte[] toBytes() {
        return written().toByteArray();
    }

    /** What {@link #toBytes} serialises, of which a large one is better written without its bytes in Java's heap. */
    public GraphDef written() {
        NodeDef.Builder result = Protos.node("dataset", "_Retval", root)
                .putAttr("T", Protos.type(DataType.DT_VARIANT))
                .putAttr("index", Protos.number(0));
        return toGraphDef().addNode(result).build();
    }

    /** Names of the functions that a node calls. */
    public static Stream<String> functionsOf(NodeDef node) {
        Stream<String> inAttributes = node.getAttrMap().values().stream()
                .flatMap(value -> value.getValueCase() == AttrValue.ValueCase.FUNC
                        ? Stream.of(value.getFunc().getName())
                        : value.getList().getFuncList().stream().map(function -> function.getName()));
        return Stream.concat(inAttributes, Stream.of(node.getOp()));
    }

    /** What protobuf says, which ends in a full stop and goes on with guesses. */
    private static String reason(InvalidProtocolBufferException broken) {
        String message = broken.getMessage() == null ? "" : broken.getMessage();
        return message.lines().findFirst().orElse("no reason given").replaceFirst("\\.(\\s.*)?$", "");
    }

    private static Set<String> reachedNodes(Map<String, NodeDef> nodes, String root) {
        Set<String> reached = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(Scope.nodeOf(root)));
        while (!open.isEmpty()) {
            String name = open.pop();
            if (!reached.add(name)) {
                continue;
            }
            NodeDef node = nodes.get(name);
            if (node == null) {
                throw new RefusedPipeline("the graph refers to a node that it does not hold: " + name);
            }
            node.getInputList().forEach(input -> open.push(Scope.nodeOf(input)));
        }
        return reached;
    }

    /** All nodes, of the pipeline and of its functions. */
    public Stream<NodeDef> work() {
        return Stream.concat(
                nodes.values().stream(),
                functions.values().stream().flatMap(function -> function.getNodeDefList().stream()));
    }

    /** The nodes of the functions that a step runs, and of those that they call. */
    public Stream<NodeDef> workOf(NodeDef step) {
        return reachedFunctions(List.of(step), functions).stream()
                .flatMap(name -> functions.get(name).getNodeDefList().stream());
    }

    /**
     * A name that no function has.
     *
     * @param hint what it is called or begins with
     */
    public static String freshName(String hint, Map<String, FunctionDef> functions) {
        String name = hint;
        for (int suffix = 1; functions.containsKey(name); suffix++) {
            name = hint + "_" + suffix;
        }
        return name;
    }

    /** Whether what a step does with an element depends on those before it, by something that lives longer than a call. */
    public boolean remembers(NodeDef step) {
        return workOf(step)
                .anyMatch(inner -> !DatasetOps.isDataset(inner)
                        && !functions.containsKey(inner.getOp())
                        && OpTraits.of(inner).position());
    }

    public static Set<String> reachedFunctions(Iterable<NodeDef> nodes, Map<String, FunctionDef> functions) {
        Set<String> reached = new LinkedHashSet<>();
        Deque<NodeDef> open = new ArrayDeque<>();
        nodes.forEach(open::add);
        while (!open.isEmpty()) {
            functionsOf(open.remove())
                    .filter(name -> functions.containsKey(name) && reached.add(name))
                    .forEach(name -> open.addAll(functions.get(name).getNodeDefList()));
        }
        return reached;
    }
}
