package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** What becomes of some components of a dataset's elements on the way to the pipeline's end. */
final class ComponentUse {
    /** Ops that make other text of text, or numbers: what they give is no name that they were given. */
    private static final Set<String> MAKES_ANOTHER = Set.of(
            "Add",
            "AddV2",
            "AsString",
            "DecodeBase64",
            "DecodeCSV",
            "DecodeRaw",
            "EncodeBase64",
            "LookupTableFind",
            "LookupTableFindV2",
            "ReduceJoin",
            "RegexReplace",
            "StaticRegexReplace",
            "StringFormat",
            "StringJoin",
            "StringLower",
            "StringNGrams",
            "StringSplit",
            "StringSplitV2",
            "StringStrip",
            "StringToNumber",
            "StringUpper",
            "Substr",
            "UnicodeDecode",
            "UnicodeTranscode",
            "UnsortedSegmentJoin");

    private final Map<String, FunctionDef> functions;
    private final Scope scope;

    ComponentUse(PipelineGraph pipeline) {
        this.functions = pipeline.functions();
        this.scope = pipeline.scope();
    }

    /**
     * Whether a function reads any of them, or the pipeline yields them; true where that cannot be told.
     *
     * @param places of the components among all
     * @param from the dataset node that has them
     * @param above the dataset nodes that its elements pass, from the nearest on
     */
    boolean isRead(Set<Integer> places, NodeDef from, Iterable<NodeDef> above) {
        Set<Integer> carried = places;
        String below = from.getName();
        for (NodeDef node : above) {
            Optional<Set<Integer>> next = passed(carried, node, below);
            if (next.isEmpty()) {
                return true;
            }
            carried = next.get();
            below = node.getName();
        }
        return !carried.isEmpty();
    }

    /**
     * Whether a file is opened that one of them names as it is, as far as that can be followed: what is joined to a folder's
     * name, or cut out of a line, is data.
     *
     * @param places of the components among all
     * @param from the dataset node that has them
     * @param above the dataset nodes that its elements pass, from the nearest on
     */
    boolean opensFiles(Set<Integer> places, NodeDef from, Iterable<NodeDef> above) {
        Set<Integer> carried = places;
        String below = from.getName();
        for (NodeDef node : above) {
            Set<Integer> made = new HashSet<>();
            for (String name : PipelineGraph.functionsOf(node).toList()) {
                FunctionDef function = functions.get(name);
                if (function != null && opens(function, carried, made)) {
                    return true;
                }
            }
            carried = switch (OpTraits.of(node).family()) {
                case MAP -> made;
                // of its elements that are made of names nothing tells which components
                case INTERLEAVE -> made.isEmpty() ? Set.of() : all(node);
                case ZIP -> shifted(carried, node, below).orElseGet(() -> all(node));
                default -> carried;
            };
            below = node.getName();
        }
        return false;
    }

    private static Set<Integer> all(NodeDef node) {
        Set<Integer> all = new HashSet<>();
        for (int i = 0; i < DatasetOps.components(node).size(); i++) {
            all.add(i);
        }
        return all;
    }

    /** @param results gets the places of the function's results that are those arguments, or hold them */
    private boolean opens(FunctionDef function, Set<Integer> arguments, Set<Integer> results) {
        List<OpDef.ArgDef> inputs = function.getSignature().getInputArgList();
        Set<String> made = new HashSet<>();
        arguments.stream()
                .filter(place -> place < inputs.size())
                .forEach(place -> made.add(inputs.get(place).getName()));
        boolean found = true;
        while (found) {
            found = false;
            for (NodeDef node : function.getNodeDefList()) {
                Set<Integer> given = new HashSet<>();
                for (int i = 0; i < node.getInputCount(); i++) {
                    if (!node.getInput(i).startsWith("^") && made.contains(Scope.nodeOf(node.getInput(i)))) {
                        given.add(i);
                    }
                }
                // what a pattern matches are other names than it
                boolean another = RelativeNames.matches(node) || MAKES_ANOTHER.contains(node.getOp());
                if (!another && !given.isEmpty() && made.add(node.getName())) {
                    found = true;
                    if (opens(node, given)) {
                        return true;
                    }
                }
            }
        }
        List<OpDef.ArgDef> outputs = function.getSignature().getOutputArgList();
        for (int i = 0; i < outputs.size(); i++) {
            if (made.contains(Scope.nodeOf(function.getRetOrThrow(outputs.get(i).getName())))) {
                results.add(i);
            }
        }
        return false;
    }

    /** Whether a node opens what some of its inputs name, itself or by a function that it calls. */
    private boolean opens(NodeDef node, Set<Integer> given) {
        OpTraits traits = OpTraits.of(node);
        if (traits.input(node, OpTraits.Input.FILES).isPresent()
                && given.contains(traits.inputs().get(OpTraits.Input.FILES))) {
            return true;
        }
        boolean dataset = DatasetOps.isDataset(node);
        int first = traits.inputs().getOrDefault(OpTraits.Input.ARGUMENTS, 0);
        return PipelineGraph.functionsOf(node)
                .flatMap(name -> Optional.ofNullable(functions.get(name)).stream())
                .anyMatch(function -> {
                    Set<Integer> arguments = new HashSet<>();
                    for (int i = 0; i < function.getSignature().getInputArgCount(); i++) {
                        // what of a dataset's elements is made of names is not told apart
                        if (dataset || given.contains(i + first)) {
                            arguments.add(i);
                        }
                    }
                    return opens(function, arguments, new HashSet<>());
                });
    }

    /** Where they are behind a node; empty where it reads one. */
    private Optional<Set<Integer>> passed(Set<Integer> places, NodeDef node, String below) {
        switch (OpTraits.of(node).family()) {
            case BATCH, PADDED_BATCH, UNBATCH, REBATCH, SHUFFLE, CACHE, SNAPSHOT, TAKE, SKIP, SHARD, REPEAT -> {
                return Optional.of(places);
            }
            case TRANSPARENT, ASSERT, CONCATENATE, CHOOSE -> {
                return Optional.of(places);
            }
            case MAP -> {
                return returned(places, node, "f");
            }
            case FILTER, TAKE_WHILE -> {
                return returned(places, node, "predicate").map(unread -> places);
            }
            case INTERLEAVE -> {
                return returned(places, node, "f").filter(Set::isEmpty);
            }
            case ZIP -> {
                return shifted(places, node, below);
            }
            default -> {
                return node.getOp().equals("Identity") ? Optional.of(places) : Optional.empty();
            }
        }
    }

    /** Where components of one of the inputs of a zip are among those of all. */
    private Optional<Set<Integer>> shifted(Set<Integer> places, NodeDef zip, String below) {
        int before = 0;
        for (String input : zip.getInputList()) {
            if (Scope.nodeOf(input).equals(below)) {
                int shift = before;
                return Optional.of(places.stream().map(place -> place + shift).collect(Collectors.toSet()));
            }
            before += input.startsWith("^") ? 0 : scope.components(input).size();
        }
        return Optional.empty();
    }

    /** Which results of a function are arguments as they came; empty where it does anything else with one of them. */
    private Optional<Set<Integer>> returned(Set<Integer> arguments, NodeDef node, String key) {
        FunctionDef function = functions.get(node.getAttrOrThrow(key).getFunc().getName());
        if (function == null) {
            return Optional.empty();
        }
        Set<String> names = new HashSet<>();
        for (int place : arguments) {
            names.add(function.getSignature().getInputArg(place).getName());
        }
        List<NodeDef> users = new ArrayList<>();
        // an identity of one of them is one of them; nodes stand in any order
        boolean found = true;
        while (found) {
            found = false;
            users.clear();
            for (NodeDef each : function.getNodeDefList()) {
                boolean uses = each.getInputList().stream().anyMatch(input -> names.contains(Scope.nodeOf(input)));
                if (uses && each.getOp().equals("Identity")) {
                    found |= names.add(each.getName());
                } else if (uses) {
                    users.add(each);
                }
            }
        }
        if (!users.isEmpty()) {
            return Optional.empty();
        }
        Set<Integer> results = new HashSet<>();
        List<OpDef.ArgDef> outputs = function.getSignature().getOutputArgList();
        for (int i = 0; i < outputs.size(); i++) {
            if (names.contains(
                    Scope.nodeOf(function.getRetOrThrow(outputs.get(i).getName())))) {
                results.add(i);
            }
        }
        return Optional.of(results);
    }
}
