package io.praline.worker.graph.caching;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Which files functions open. What a key tells of is those whose names elements consist of, as they are: a name that is made,
 * captured or written down names a file that changes without anybody's knowing.
 */
final class OpenedFiles {
    /** Ops that open files and are no readers of datasets; their names begin so. */
    private static final List<String> OPENING =
            List.of("Restore", "InitializeTableFromTextFile", "WriteFile", "Save", "ImmutableConst");

    private final Map<String, FunctionDef> functions;
    private final Set<String> within = new HashSet<>(); // functions that are being looked through

    OpenedFiles(Map<String, FunctionDef> functions) {
        this.functions = functions;
    }

    /**
     * What a step opens.
     *
     * @param components of its elements' that name files
     * @param other the op that opens a file by another name; empty where none does
     */
    record Opened(Set<Integer> components, Optional<String> other) {}

    /** Whether an op opens a file, lists some, or writes one. */
    static boolean opens(NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        String op = node.getOp();
        return traits.inputs().containsKey(OpTraits.Input.FILES)
                || traits.inputs().containsKey(OpTraits.Input.FOLDER)
                || RelativeNames.matches(node)
                || traits.isCache()
                || op.contains("Reader")
                || op.equals("GenerateVocabRemapping")
                || op.equals("SnapshotChunkDataset")
                || OPENING.stream().anyMatch(op::startsWith)
                || describedElsewhere(node);
    }

    /** Protos that are described in a file. */
    private static boolean describedElsewhere(NodeDef node) {
        String source = node.getAttrOrDefault("descriptor_source", AttrValue.getDefaultInstance())
                .getS()
                .toStringUtf8();
        return !source.isEmpty() && !source.equals("local://") && !source.startsWith("bytes://");
    }

    /** What the functions open that a step runs on its elements. */
    Opened of(NodeDef step, int components) {
        Set<Integer> named = new HashSet<>();
        Optional<String> other = Optional.empty();
        for (String name : PipelineGraph.functionsOf(step).toList()) {
            FunctionDef function = functions.get(name);
            if (function != null && other.isEmpty()) {
                List<OptionalInt> arguments = new ArrayList<>();
                for (int i = 0; i < function.getSignature().getInputArgCount(); i++) {
                    // behind its elements stands what it captured
                    arguments.add(i < components ? OptionalInt.of(i) : OptionalInt.empty());
                }
                other = follow(function, arguments, named);
            }
        }
        return new Opened(named, other);
    }

    /**
     * The op in a function that opens a file by another name than one of the elements.
     *
     * @param arguments which component each is; empty where it is none
     * @param named gets the components that name files
     */
    private Optional<String> follow(FunctionDef function, List<OptionalInt> arguments, Set<Integer> named) {
        Map<String, NodeDef> nodes = new HashMap<>();
        function.getNodeDefList().forEach(each -> nodes.put(each.getName(), each));
        Map<String, OptionalInt> places = new HashMap<>();
        for (OpDef.ArgDef argument : function.getSignature().getInputArgList()) {
            places.put(argument.getName(), arguments.get(places.size()));
        }
        for (NodeDef node : function.getNodeDefList()) {
            if (opens(node)) {
                OptionalInt component =
                        node.getOp().equals("ReadFile") ? origin(node.getInput(0), nodes, places) : OptionalInt.empty();
                if (component.isEmpty()) {
                    return Optional.of(node.getOp());
                }
                named.add(component.getAsInt());
            }
            Optional<String> called = called(node, nodes, places, named);
            if (called.isPresent()) {
                return called;
            }
        }
        return Optional.empty();
    }

    private Optional<String> called(
            NodeDef node, Map<String, NodeDef> nodes, Map<String, OptionalInt> places, Set<Integer> named) {
        boolean call = functions.containsKey(node.getOp()) || node.getOp().endsWith("PartitionedCall");
        for (String name : PipelineGraph.functionsOf(node).toList()) {
            FunctionDef function = functions.get(name);
            if (function == null) {
                continue;
            }
            List<OptionalInt> given = new ArrayList<>(
                    Collections.nCopies(function.getSignature().getInputArgCount(), OptionalInt.empty()));
            // what a branch, a loop or a dataset is given is not followed
            for (int i = 0; call && i < given.size(); i++) {
                given.set(i, origin(node.getInput(i), nodes, places));
            }
            Optional<String> other = within.add(name) ? follow(function, given, named) : Optional.empty();
            within.remove(name);
            if (other.isPresent()) {
                return other;
            }
        }
        return Optional.empty();
    }

    /** The component that a value is, as it is. */
    private static OptionalInt origin(String ref, Map<String, NodeDef> nodes, Map<String, OptionalInt> places) {
        String at = Scope.nodeOf(ref);
        NodeDef from = nodes.get(at);
        while (from != null && from.getOp().equals("Identity")) {
            at = Scope.nodeOf(from.getInput(0));
            from = nodes.get(at);
        }
        return from == null ? places.getOrDefault(at, OptionalInt.empty()) : OptionalInt.empty();
    }

    /** The op that opens a file beside the one that a source's function opens, which is the split's. */
    Optional<String> besides(NodeDef source) {
        List<String> all = new ArrayList<>();
        PipelineGraph.functionsOf(source).forEach(name -> all(name, all));
        return all.size() > 1 ? Optional.of(all.get(all.size() - 1)) : Optional.empty();
    }

    /** As often as it would be run, not as often as it is written down: a function may be called for one file and another. */
    private void all(String name, List<String> into) {
        FunctionDef function = functions.get(name);
        if (function == null || into.size() > 1 || !within.add(name)) {
            return;
        }
        for (NodeDef node : function.getNodeDefList()) {
            if (opens(node)) {
                into.add(node.getOp());
            }
            PipelineGraph.functionsOf(node).forEach(called -> all(called, into));
        }
        within.remove(name);
    }
}
