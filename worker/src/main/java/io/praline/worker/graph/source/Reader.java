package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * What reads a file's records, found in a function that opens one file by its name.
 *
 * @param node the dataset node in that function that yields the file's records as they are
 * @param kind the format
 * @param bufferBytes the reader's buffer in bytes
 * @param rangeable whether reading a part of the file gives that part of the elements: between the reader and the
 *     function's result stand only steps that look at one record at a time, and nothing is drawn for the file
 * @param recordByRecord whether only such steps stand there, so that a record's number is its elements'
 */
public record Reader(String node, SourceKind kind, long bufferBytes, boolean rangeable, boolean recordByRecord) {
    private static final Set<String> RESHAPES = Set.of("Identity", "Reshape", "ExpandDims", "Pack", "EnsureShape");

    /**
     * The reader in a function whose first argument is a file name; empty where it reads in another way, or where something
     * else in the function reads the file's records too: of a split it would see a part of them.
     */
    public static Optional<Reader> in(FunctionDef function, Map<String, FunctionDef> functions) {
        if (function.getSignature().getInputArgCount() == 0
                || function.getSignature().getInputArg(0).getType() != DataType.DT_STRING
                || function.getSignature().getOutputArgCount() != 1) {
            return Optional.empty();
        }
        Scope scope = Scope.ofFunction(function);
        String fileName = function.getSignature().getInputArg(0).getName();
        String ref = Scope.result(function, 0);
        boolean recordByRecord = true;
        Set<String> passed = new HashSet<>();
        Optional<NodeDef> next = scope.producer(ref);
        while (next.isPresent()) {
            NodeDef node = next.get();
            passed.add(node.getName());
            Optional<Reader> found = at(node, scope, fileName, functions);
            if (found.isPresent() && areReadOnce(passed, function)) {
                Reader reader = found.get();
                return Optional.of(new Reader(
                        reader.node,
                        reader.kind,
                        reader.bufferBytes,
                        reader.rangeable && recordByRecord && !drawsForAFile(function, passed, functions),
                        recordByRecord));
            }
            recordByRecord &= looksAtOneRecord(node);
            next = node.getInputCount() == 0 ? Optional.empty() : scope.producer(node.getInput(0));
        }
        return Optional.empty();
    }

    /** The reader that a node is, if its file names are a constant or come from the named argument. */
    public static Optional<Reader> of(NodeDef node, Scope scope) {
        OpTraits traits = OpTraits.of(node);
        if (!traits.isReader()) {
            return Optional.empty();
        }
        if (traits.family() == OpTraits.Family.TFRECORD) {
            if (node.getOp().equals("TFRecordDatasetV2") && node.getInputCount() > 3 && !startsAtZero(scope, node)) {
                return Optional.empty();
            }
            return Constants.string(scope, node.getInput(1))
                    .map(compression -> new Reader(
                            node.getName(),
                            new SourceKind.TfRecord(compression),
                            buffer(scope, node, 2),
                            compression.isEmpty(),
                            true));
        }
        if (traits.family() == OpTraits.Family.TEXT_LINES) {
            return Constants.string(scope, node.getInput(1))
                    .map(compression -> new Reader(
                            node.getName(),
                            new SourceKind.TextLines(compression),
                            buffer(scope, node, 2),
                            false,
                            true));
        }
        Optional<Long> header = Constants.integer(scope, node.getInput(1));
        Optional<Long> record = Constants.integer(scope, node.getInput(2));
        Optional<Long> footer = Constants.integer(scope, node.getInput(3));
        Optional<String> compression =
                node.getInputCount() > 5 ? Constants.string(scope, node.getInput(5)) : Optional.of("");
        if (header.isEmpty() || record.isEmpty() || footer.isEmpty() || compression.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Reader(
                node.getName(),
                new SourceKind.FixedLength(header.get(), record.get(), footer.get(), compression.get()),
                buffer(scope, node, 4),
                compression.get().isEmpty(),
                true));
    }

    private static Optional<Reader> at(NodeDef node, Scope scope, String fileName, Map<String, FunctionDef> functions) {
        OpTraits traits = OpTraits.of(node);
        if (traits.isReader()) {
            return isFileName(node.getInput(0), scope, fileName) ? of(node, scope) : Optional.empty();
        }
        if (traits.family() != OpTraits.Family.INTERLEAVE) {
            return Optional.empty();
        }
        // TFRecordDataset(name) in Python: flat_map over the one name, with a function that opens it
        Optional<NodeDef> slices = scope.producer(node.getInput(0))
                .filter(input -> OpTraits.of(input).family() == OpTraits.Family.SLICES && input.getInputCount() == 1)
                .filter(input -> isFileName(input.getInput(0), scope, fileName));
        FunctionDef inner = functions.get(node.getAttrOrThrow("f").getFunc().getName());
        if (slices.isEmpty() || inner == null) {
            return Optional.empty();
        }
        return in(inner, functions)
                .filter(reader -> onlyReads(inner, reader))
                .map(reader -> new Reader(
                        node.getName(), reader.kind, reader.bufferBytes, reader.rangeable, reader.recordByRecord));
    }

    /** Whether datasets that lead from one to the next, and the last out of the function, lead nowhere else. */
    private static boolean areReadOnce(Set<String> datasets, FunctionDef function) {
        return Stream.concat(
                                function.getNodeDefList().stream().flatMap(node -> node.getInputList().stream()),
                                function.getRetMap().values().stream())
                        .filter(input -> !input.startsWith("^") && datasets.contains(Scope.nodeOf(input)))
                        .count()
                == datasets.size();
    }

    /**
     * Whether something is drawn when a file is opened, once for all of its records, or in an order of its own from its first
     * record on: its parts would each draw again, or begin again.
     *
     * @param passed the datasets that hold its records, whose functions are run for one at a time
     */
    private static boolean drawsForAFile(FunctionDef function, Set<String> passed, Map<String, FunctionDef> functions) {
        Scope scope = Scope.ofFunction(function);
        return function.getNodeDefList().stream()
                .filter(node -> !passed.contains(node.getName()))
                .anyMatch(node -> OpTraits.of(node).draws() != OpTraits.Draws.NOTHING
                        || (DatasetOps.isDrawn(node)
                                && (DatasetOps.isUnseeded(node, scope) || DatasetOps.drawsAnew(node)))
                        || PipelineGraph.functionsOf(node)
                                .anyMatch(called -> functions.containsKey(called)
                                        && drawsForAFile(functions.get(called), Set.of(), functions)));
    }

    /** Whether a part of a file's records, passed through a node, gives that part of what all of them would give. */
    private static boolean looksAtOneRecord(NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        return switch (traits.family()) {
            case MAP, FILTER -> true;
            // what comes behind a record that cannot be read depends on where reading began
            case TRANSPARENT -> traits.drops() == OpTraits.Drops.NOTHING;
            default -> node.getOp().equals("Identity");
        };
    }

    private static boolean onlyReads(FunctionDef function, Reader reader) {
        Scope scope = Scope.ofFunction(function);
        String result = Scope.result(function, 0);
        return scope.producer(scope.behindIdentities(result))
                .filter(node -> node.getName().equals(reader.node))
                .isPresent();
    }

    private static boolean isFileName(String ref, Scope scope, String argument) {
        String at = ref;
        Optional<NodeDef> node = scope.producer(at);
        while (node.isPresent() && RESHAPES.contains(node.get().getOp())) {
            if (node.get().getOp().equals("Pack") && node.get().getInputCount() != 1) {
                return false;
            }
            at = node.get().getInput(0);
            node = scope.producer(at);
        }
        return node.isEmpty() && Scope.nodeOf(at).equals(argument);
    }

    private static boolean startsAtZero(Scope scope, NodeDef node) {
        return Constants.value(scope, node.getInput(3))
                .filter(offsets -> offsets.getTensorContent().isEmpty()
                        && offsets.getInt64ValList().stream().allMatch(offset -> offset == 0))
                .isPresent();
    }

    private static long buffer(Scope scope, NodeDef node, int input) {
        return Constants.integer(scope, node.getInput(input))
                .filter(bytes -> bytes > 0)
                .orElse(256L << 10);
    }
}
