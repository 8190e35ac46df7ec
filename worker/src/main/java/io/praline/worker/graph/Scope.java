package io.praline.worker.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.FunctionDefOrBuilder;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * The nodes of one level, the graph's own or those of a function, while they are being rewritten. In a graph an output is
 * named {@code node} or {@code node:1}, in a function {@code node:argument:1}.
 */
public final class Scope {
    private final boolean function;
    private final Map<String, NodeDef> nodes = new LinkedHashMap<>();
    private final Map<String, List<ElementComponent>> datasetArguments;

    private Scope(boolean function, List<NodeDef> nodes, Map<String, List<ElementComponent>> datasetArguments) {
        this.function = function;
        this.datasetArguments = datasetArguments;
        nodes.forEach(node -> this.nodes.put(node.getName(), node));
    }

    public static Scope ofGraph(Iterable<NodeDef> nodes) {
        Scope scope = new Scope(false, List.of(), Map.of());
        nodes.forEach(scope::put);
        return scope;
    }

    public static Scope ofFunction(FunctionDef body) {
        return ofFunction(body, Map.of());
    }

    /** A function some of whose arguments are datasets, whose elements are given. */
    public static Scope ofFunction(FunctionDef body, Map<String, List<ElementComponent>> datasetArguments) {
        return new Scope(true, body.getNodeDefList(), datasetArguments);
    }

    public static String nodeOf(String ref) {
        int from = ref.startsWith("^") ? 1 : 0;
        int colon = ref.indexOf(':');
        return ref.substring(from, colon < 0 ? ref.length() : colon);
    }

    /** The node that gives this output; empty for an argument of the function. */
    public Optional<NodeDef> producer(String ref) {
        return Optional.ofNullable(nodes.get(nodeOf(ref)));
    }

    /** What a reference stands for, behind identities: another output, or an argument of the function. */
    public String behindIdentities(String ref) {
        String at = ref;
        Optional<NodeDef> node = producer(at);
        while (node.isPresent() && node.get().getOp().equals("Identity")) {
            at = node.get().getInput(0);
            node = producer(at);
        }
        return at;
    }

    /** Whether a reference stands for an argument of the function, as it is. */
    public boolean isArgument(String ref) {
        return producer(behindIdentities(ref)).isEmpty();
    }

    public NodeDef node(String name) {
        NodeDef node = nodes.get(name);
        if (node == null) {
            throw new RefusedPipeline("the graph refers to a node that it does not hold: " + name);
        }
        return node;
    }

    public Iterable<NodeDef> nodes() {
        return List.copyOf(nodes.values());
    }

    public boolean isFunction() {
        return function;
    }

    public void put(NodeDef node) {
        nodes.put(node.getName(), node);
    }

    /** Adds a dataset node and gives the name of its output. */
    public String addDataset(NodeDef.Builder node) {
        return add(node, "handle");
    }

    /** Adds a node and gives the name of its only output, which its op calls {@code argument}. */
    public String add(NodeDef.Builder node, String argument) {
        put(node.build());
        return output(node.getName(), argument);
    }

    public String constant(String hint, TensorProto value) {
        return add(Protos.constant(fresh(hint), value), "output");
    }

    public String output(String node, String argument) {
        return function ? node + ":" + argument + ":0" : node;
    }

    /** A name that no node has yet. Functions allow no slash at the start, graphs allow it inside. */
    public String fresh(String hint) {
        return unused("praline/" + hint);
    }

    /** A name that no node has yet, for one that stands for a step of the user's. */
    public String unused(String hint) {
        String name = hint;
        int suffix = 1;
        while (nodes.containsKey(name)) {
            name = hint + "_" + suffix++;
        }
        return name;
    }

    /** Lets all that use an output, or wait for its node, use another one instead. */
    public void redirect(String fromNode, String toRef) {
        String waiting = "^" + nodeOf(toRef);
        for (NodeDef node : nodes()) {
            if (node.getName().equals(nodeOf(toRef))) {
                continue;
            }
            boolean uses =
                    node.getInputList().stream().anyMatch(input -> nodeOf(input).equals(fromNode));
            if (uses) {
                NodeDef.Builder changed = node.toBuilder().clearInput();
                for (String input : node.getInputList()) {
                    boolean hit = nodeOf(input).equals(fromNode);
                    changed.addInput(!hit ? input : input.startsWith("^") ? waiting : toRef);
                }
                put(changed.build());
            }
        }
    }

    /** The output that a function gives as one of its results, counted from 0. */
    public static String result(FunctionDefOrBuilder function, int which) {
        return function.getRetOrThrow(
                function.getSignature().getOutputArg(which).getName());
    }

    /** What a node is given, without what it only waits for. */
    public static Stream<String> given(NodeDef node) {
        return node.getInputList().stream().filter(input -> !input.startsWith("^"));
    }

    /**
     * How often nodes are given something of one, or wait for it.
     *
     * @param gone nodes that do not count
     */
    public long readers(String node, Set<String> gone) {
        long readers = 0;
        for (NodeDef each : nodes()) {
            if (!gone.contains(each.getName())) {
                readers += each.getInputList().stream()
                        .filter(input -> nodeOf(input).equals(node))
                        .count();
            }
        }
        return readers;
    }

    /** The nodes that an output is made of, by their names, with its own: not those that are only waited for. */
    public Set<String> madeOf(String ref) {
        Set<String> reached = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(ref));
        while (!open.isEmpty()) {
            Optional<NodeDef> node = producer(open.pop());
            if (node.isPresent() && reached.add(node.get().getName())) {
                given(node.get()).forEach(open::add);
            }
        }
        return reached;
    }

    /** The variables that a node is given, by the names of their nodes. */
    public List<String> variablesOf(NodeDef node) {
        return node.getInputList().stream()
                .flatMap(input -> producer(behindIdentities(input)).stream())
                .filter(given -> given.getOp().equals("VarHandleOp"))
                .map(NodeDef::getName)
                .distinct()
                .toList();
    }

    /** What the elements of a dataset consist of. */
    public List<ElementComponent> components(String ref) {
        return knownComponents(ref)
                .orElseThrow(() -> new RefusedPipeline("nothing is known of the elements of the dataset " + ref));
    }

    /** What they consist of; empty where that is not written down, as for an argument of which nothing was given. */
    public Optional<List<ElementComponent>> knownComponents(String ref) {
        String at = behindIdentities(ref);
        return Optional.ofNullable(datasetArguments.get(nodeOf(at)))
                .or(() -> producer(at).filter(DatasetOps::isDataset).map(DatasetOps::components));
    }
}
