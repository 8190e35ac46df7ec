package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Follows names of files back to where they come from, to tell whether they may be relative. Only what begins with something that
 * is written in the graph and is absolute is not: what is read, computed or looked up in a table may be any name.
 */
final class NameOrigins {
    /** Ops whose results begin as their first input does. */
    private static final Set<String> KEEP_BEGINNING =
            Set.of("Identity", "StridedSlice", "GatherV2", "Unpack", "Reshape", "Squeeze", "ExpandDims");

    /** Patterns that find nothing where an absolute name or an address begins: of letters that neither begins with. */
    private static final Pattern FURTHER_ON = Pattern.compile("(?s)([A-Za-egi-rt-z0-9_-]|\\\\[.])(?![?*{])[^|]*");

    private final Map<String, FunctionDef> functions;
    private final boolean listsReplaced;
    private final Map<String, List<Call>> calls = new HashMap<>();
    private final Set<String> followed = new HashSet<>();

    /** Where a node stands: in a function, or in the graph itself, which has no name. */
    record Place(Scope scope, String function) {}

    /** A node that runs a function. */
    private record Call(NodeDef node, Place at) {}

    /** @param listsReplaced whether other, absolute names stand in for those of lists */
    NameOrigins(PipelineGraph graph, boolean listsReplaced) {
        this.functions = graph.functions();
        this.listsReplaced = listsReplaced;
        index(new Place(graph.scope(), ""));
        functions.values().forEach(function -> index(place(function)));
    }

    static Place place(FunctionDef function) {
        return new Place(Scope.ofFunction(function), function.getSignature().getName());
    }

    private void index(Place at) {
        for (NodeDef node : at.scope().nodes()) {
            PipelineGraph.functionsOf(node).forEach(name -> calls.computeIfAbsent(name, unused -> new ArrayList<>())
                    .add(new Call(node, at)));
        }
    }

    /** Whether a constant has a string such as this. */
    static boolean any(Scope scope, String ref, Predicate<String> such) {
        return Constants.value(scope, ref)
                .filter(constant -> constant.getDtype() == DataType.DT_STRING)
                .map(constant -> Constants.strings(constant).stream().anyMatch(such))
                .orElse(false);
    }

    private static boolean anyRelative(Scope scope, String ref) {
        return any(scope, ref, RelativeNames::isRelative);
    }

    /** Whether a value may be a relative name. */
    boolean mayBeRelative(String ref, Place at) {
        followed.clear();
        return open(ref, at);
    }

    private boolean open(String ref, Place at) {
        if (Constants.value(at.scope(), ref).isPresent()) {
            return anyRelative(at.scope(), ref);
        }
        Optional<NodeDef> producer = at.scope().producer(ref);
        if (!followed.add(at.function() + " " + ref)) {
            return false; // a loop, whose beginning is asked where it is entered
        }
        if (producer.isEmpty()) {
            return argument(Scope.nodeOf(ref), at);
        }
        NodeDef node = producer.get();
        if (node.getOp().equals("StringFormat")) {
            return RelativeNames.isRelative(
                    node.getAttrOrThrow("template").getS().toStringUtf8());
        }
        if (isCall(node)) {
            return function(node)
                    .map(called -> open(result(called, output(ref)), place(called)))
                    .orElse(true);
        }
        if (joins(node)) {
            return beginsRelative(node, at);
        }
        boolean follows = keepsBeginning(node, at.scope()) || KEEP_BEGINNING.contains(node.getOp());
        return !follows || open(node.getInput(0), at);
    }

    /** Whether text is replaced behind a name's beginning alone, or by what begins an absolute one. */
    private static boolean keepsBeginning(NodeDef node, Scope scope) {
        Optional<String> pattern = Optional.empty();
        Optional<String> rewrite = Optional.empty();
        if (node.getOp().equals("StaticRegexReplace")) {
            pattern = Optional.of(node.getAttrOrThrow("pattern").getS().toStringUtf8());
            rewrite = Optional.of(node.getAttrOrThrow("rewrite").getS().toStringUtf8());
        } else if (node.getOp().equals("RegexReplace")) {
            pattern = Constants.string(scope, node.getInput(1));
            rewrite = Constants.string(scope, node.getInput(2));
        }
        return pattern.filter(each -> FURTHER_ON.matcher(each).matches()).isPresent()
                || rewrite.filter(each -> each.startsWith("/")).isPresent();
    }

    /** What is joined begins as the first of its parts that is not empty. */
    private boolean beginsRelative(NodeDef joined, Place at) {
        for (String part : joined.getInputList()) {
            if (!part.startsWith("^") && open(part, at)) {
                return true;
            }
            if (!any(at.scope(), part, String::isEmpty)) {
                return false;
            }
        }
        return false;
    }

    private static boolean joins(NodeDef node) {
        DataType type =
                node.getAttrOrDefault("T", AttrValue.getDefaultInstance()).getType();
        return node.getOp().equals("StringJoin") || (node.getOp().startsWith("Add") && type == DataType.DT_STRING);
    }

    private boolean isCall(NodeDef node) {
        return functions.containsKey(node.getOp()) || node.getOp().endsWith("PartitionedCall");
    }

    /** Which output of its node a reference is. */
    private static int output(String ref) {
        String last = ref.substring(ref.lastIndexOf(':') + 1);
        return !last.isEmpty() && last.chars().allMatch(Character::isDigit) ? Integer.parseInt(last) : 0;
    }

    private boolean argument(String name, Place at) {
        FunctionDef function = functions.get(at.function());
        List<Call> callers = calls.getOrDefault(at.function(), List.of());
        if (function == null || callers.isEmpty()) {
            return true;
        }
        List<String> arguments = function.getSignature().getInputArgList().stream()
                .map(OpDef.ArgDef::getName)
                .toList();
        return callers.stream().anyMatch(call -> given(call, arguments.indexOf(name), arguments.size()));
    }

    private boolean given(Call call, int argument, int arguments) {
        NodeDef node = call.node();
        return switch (OpTraits.of(node).family()) {
            case MAP, FILTER, INTERLEAVE -> {
                int captured = node.getAttrOrDefault("Targuments", AttrValue.getDefaultInstance())
                        .getList()
                        .getTypeCount();
                int components = arguments - captured;
                yield argument < components
                        ? elements(node.getInput(0), call.at(), argument)
                        : open(node.getInput(1 + argument - components), call.at());
            }
            default -> {
                boolean branches = node.getOp().endsWith("If") || node.getOp().endsWith("Case");
                boolean follows = branches || isCall(node);
                yield !follows || open(node.getInput(argument + (branches ? 1 : 0)), call.at());
            }
        };
    }

    /** Whether a component of a dataset's elements may be a relative name. */
    private boolean elements(String dataset, Place at, int component) {
        Optional<NodeDef> producer = at.scope().producer(dataset);
        if (producer.isEmpty() || !followed.add(at.function() + " " + dataset + " " + component)) {
            return producer.isEmpty();
        }
        NodeDef node = producer.get();
        if (RelativeNames.isList(node)) {
            String given = node.getInput(component);
            return Constants.value(at.scope(), given).isPresent()
                    ? !listsReplaced && anyRelative(at.scope(), given)
                    : open(given, at);
        }
        return switch (OpTraits.of(node).family()) {
            case RANGE, RANDOM -> false;
            case MATCHING_FILES -> open(node.getInput(0), at);
            case MAP ->
                function(node)
                        .map(made -> open(result(made, component), place(made)))
                        .orElse(true);
            case INTERLEAVE ->
                function(node)
                        .map(made -> elements(result(made, 0), place(made), component))
                        .orElse(true);
            case ZIP -> zipped(node, at, component);
            case CONCATENATE -> node.getInputList().stream().anyMatch(input -> elements(input, at, component));
            // the first says which of the others is next
            case CHOOSE -> node.getInputList().stream().skip(1).anyMatch(input -> elements(input, at, component));
            case FILTER,
                    SHUFFLE,
                    CACHE,
                    SNAPSHOT,
                    TAKE,
                    SKIP,
                    SHARD,
                    TAKE_WHILE,
                    UNIQUE,
                    REPEAT,
                    BATCH,
                    PADDED_BATCH,
                    UNBATCH,
                    REBATCH,
                    TRANSPARENT,
                    ASSERT -> elements(node.getInput(0), at, component);
            default -> true;
        };
    }

    private boolean zipped(NodeDef zip, Place at, int component) {
        int within = component;
        for (String input : zip.getInputList()) {
            int components = at.scope().components(input).size();
            if (within < components) {
                return elements(input, at, within);
            }
            within -= components;
        }
        return true;
    }

    /** The function that a node runs; empty where it runs none or several. */
    private Optional<FunctionDef> function(NodeDef node) {
        List<FunctionDef> run = PipelineGraph.functionsOf(node)
                .filter(functions::containsKey)
                .map(functions::get)
                .toList();
        return run.size() == 1 ? Optional.of(run.get(0)) : Optional.empty();
    }

    private static String result(FunctionDef function, int number) {
        String name = function.getSignature().getOutputArg(number).getName();
        return function.getRetOrThrow(name);
    }
}
