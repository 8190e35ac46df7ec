package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * What a session would not take of a graph, or take and run wrong: names of what is not there, functions that are given or give
 * something else than they say, elements that change their types on the way, queues that hold other things than are put in.
 */
public final class GraphFaults {
    private final Map<String, FunctionDef> functions = new HashMap<>();
    private final Map<String, List<DataType>> queues = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private GraphFaults() {}

    /** In sentences, none where there is nothing wrong. */
    public static List<String> of(GraphDef graph) {
        GraphFaults found = new GraphFaults();
        graph.getLibrary().getFunctionList().forEach(each -> {
            if (found.functions.put(each.getSignature().getName(), each) != null) {
                found.faults.add(
                        "two functions are called " + each.getSignature().getName());
            }
        });
        found.new Nodes("the graph", graph.getNodeList(), Map.of()).look();
        graph.getLibrary().getFunctionList().forEach(found::function);
        return found.faults;
    }

    private void function(FunctionDef function) {
        Map<String, DataType> arguments = new LinkedHashMap<>();
        function.getSignature().getInputArgList().forEach(each -> {
            if (arguments.put(each.getName(), each.getType()) != null) {
                faults.add("two arguments of " + function.getSignature().getName() + " are called " + each.getName());
            }
        });
        Nodes nodes = new Nodes(function.getSignature().getName(), function.getNodeDefList(), arguments);
        nodes.look();
        Set<String> results = new TreeSet<>();
        function.getSignature().getOutputArgList().forEach(each -> results.add(each.getName()));
        if (!results.equals(new TreeSet<>(function.getRetMap().keySet()))) {
            nodes.says("it gives " + function.getRetMap().keySet() + " and says " + results);
        }
        function.getRetMap().values().forEach(ref -> nodes.refers("its result", ref));
        function.getControlRetMap().values().forEach(ref -> nodes.refers("its end", ref));
        function.getSignature().getControlOutputList().forEach(name -> {
            if (!function.containsControlRet(name)) {
                nodes.says("it has no end " + name);
            }
        });
    }

    private static List<DataType> types(NodeDef node, String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance())
                .getList()
                .getTypeList();
    }

    private static List<DataType> with(List<DataType> some, List<DataType> more) {
        List<DataType> both = new ArrayList<>(some);
        both.addAll(more);
        return both;
    }

    private static String text(NodeDef node, String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance()).getS().toStringUtf8();
    }

    /** The nodes of the graph, or of a function. */
    private final class Nodes {
        private final String where;
        private final Map<String, NodeDef> nodes = new LinkedHashMap<>();
        private final Map<String, DataType> arguments;

        Nodes(String where, List<NodeDef> nodes, Map<String, DataType> arguments) {
            this.where = where;
            this.arguments = arguments;
            nodes.forEach(node -> {
                if (this.nodes.put(node.getName(), node) != null || arguments.containsKey(node.getName())) {
                    says("two nodes are called " + node.getName());
                }
            });
        }

        void says(String fault) {
            faults.add(where + ": " + fault);
        }

        void look() {
            nodes.values().forEach(this::node);
            nodes.keySet().forEach(name -> waitsForItself(name, name, new HashSet<>()));
        }

        private String name(String ref) {
            return ref.replaceFirst("^\\^", "").replaceFirst(":.*", "");
        }

        void refers(String who, String ref) {
            if (!nodes.containsKey(name(ref)) && !arguments.containsKey(name(ref))) {
                says(who + " is " + ref + ", which is not there");
            }
        }

        private void waitsForItself(String from, String at, Set<String> seen) {
            NodeDef node = nodes.get(at);
            // what a loop gives its next turn goes round
            if (node == null || node.getOp().equals("NextIteration")) {
                return;
            }
            for (String input : node.getInputList()) {
                if (name(input).equals(from)) {
                    says(from + " waits for itself");
                } else if (seen.add(name(input))) {
                    waitsForItself(from, name(input), seen);
                }
            }
        }

        private void node(NodeDef node) {
            boolean waits = false;
            for (String input : node.getInputList()) {
                refers("an input of " + node.getName(), input);
                if (waits && !input.startsWith("^")) {
                    says(node.getName() + " has data behind what it only waits for");
                }
                waits |= input.startsWith("^");
            }
            node.getAttrMap().forEach((key, value) -> {
                List<String> called = new ArrayList<>();
                if (value.hasFunc()) {
                    called.add(value.getFunc().getName());
                }
                value.getList().getFuncList().forEach(each -> called.add(each.getName()));
                called.stream()
                        .filter(name -> !functions.containsKey(name))
                        .forEach(name -> says(node.getName() + " calls " + name + ", which is not there"));
            });
            calls(node);
            elements(node);
            queue(node);
            if (node.getOp().equals("Const")
                    && node.getAttrOrThrow("dtype").getType()
                            != node.getAttrOrThrow("value").getTensor().getDtype()) {
                says("the type of " + node.getName() + " is not that of its value");
            }
        }

        private void calls(NodeDef node) {
            List<DataType> given = types(node, "Tin");
            List<DataType> gives = types(node, "Tout");
            switch (node.getOp()) {
                case "If", "StatelessIf" -> {
                    called(node, "then_branch", given, gives);
                    called(node, "else_branch", given, gives);
                }
                case "PartitionedCall", "StatefulPartitionedCall" -> called(node, "f", given, gives);
                case "While", "StatelessWhile" -> {
                    called(node, "cond", types(node, "T"), List.of(DataType.DT_BOOL));
                    called(node, "body", types(node, "T"), types(node, "T"));
                }
                default -> {
                    FunctionDef function = functions.get(node.getOp());
                    long data = node.getInputList().stream()
                            .filter(input -> !input.startsWith("^"))
                            .count();
                    if (function != null && function.getSignature().getInputArgCount() != data) {
                        says(node.getName() + " gives " + node.getOp() + " " + data + " of "
                                + function.getSignature().getInputArgCount());
                    }
                }
            }
        }

        private void called(NodeDef node, String key, List<DataType> given, List<DataType> gives) {
            FunctionDef function =
                    functions.get(node.getAttrOrThrow(key).getFunc().getName());
            if (function == null) {
                return;
            }
            String name = node.getName() + " with " + function.getSignature().getName();
            List<DataType> takes = function.getSignature().getInputArgList().stream()
                    .map(OpDef.ArgDef::getType)
                    .toList();
            List<DataType> returns = function.getSignature().getOutputArgList().stream()
                    .map(OpDef.ArgDef::getType)
                    .toList();
            if (!takes.equals(given)) {
                says(name + " gives it " + given + ", it takes " + takes);
            }
            if (!returns.equals(gives)) {
                says(name + " wants " + gives + " of it, it gives " + returns);
            }
        }

        private Optional<List<DataType>> yielded(NodeDef node) {
            if (!DatasetOps.isDataset(node)) {
                return Optional.empty();
            }
            try {
                return Optional.of(DatasetOps.components(node).stream()
                        .map(ElementComponent::dtype)
                        .toList());
            } catch (RefusedPipeline untold) {
                return Optional.empty();
            }
        }

        /** What the dataset at an input yields; empty where that is an argument, or what a branch gives. */
        private Optional<List<DataType>> input(NodeDef node, int place) {
            NodeDef from = nodes.get(name(node.getInput(place)));
            while (from != null && from.getOp().equals("Identity")) {
                from = nodes.get(name(from.getInput(0)));
            }
            return Optional.ofNullable(from).flatMap(this::yielded);
        }

        private void elements(NodeDef node) {
            if (DatasetOps.isDataset(node) && yielded(node).isEmpty()) {
                says(node.getName() + " does not say what its elements consist of");
            }
            List<DataType> yields = yielded(node).orElse(List.of());
            List<DataType> captured = types(node, "Targuments");
            switch (node.getOp()) {
                case "MapDataset", "ParallelMapDataset", "ParallelMapDatasetV2" ->
                    input(node, 0).ifPresent(given -> called(node, "f", with(given, captured), yields));
                case "FilterDataset" ->
                    input(node, 0)
                            .ifPresent(given ->
                                    called(node, "predicate", with(given, captured), List.of(DataType.DT_BOOL)));
                case "FlatMapDataset", "InterleaveDataset", "ParallelInterleaveDatasetV4" ->
                    input(node, 0)
                            .ifPresent(given -> called(node, "f", with(given, captured), List.of(DataType.DT_VARIANT)));
                case "ScanDataset" -> {
                    List<DataType> state = types(node, "Tstate");
                    input(node, 0)
                            .ifPresent(given ->
                                    called(node, "f", with(with(state, given), captured), with(state, yields)));
                }
                case "GroupByWindowDataset" -> {
                    List<DataType> key = types(node, "Tkey_func_other_arguments");
                    List<DataType> reduce = types(node, "Treduce_func_other_arguments");
                    input(node, 0)
                            .ifPresent(given -> called(node, "key_func", with(given, key), List.of(DataType.DT_INT64)));
                    called(
                            node,
                            "reduce_func",
                            with(List.of(DataType.DT_INT64, DataType.DT_VARIANT), reduce),
                            List.of(DataType.DT_VARIANT));
                }
                default -> {}
            }
            switch (node.getOp()) {
                case "FilterDataset",
                        "TakeDataset",
                        "SkipDataset",
                        "ShuffleDatasetV3",
                        "PrefetchDataset",
                        "OptionsDataset",
                        "AssertCardinalityDataset",
                        "BatchDatasetV2",
                        "ParallelBatchDataset",
                        "IgnoreErrorsDataset",
                        "RepeatDataset" -> same(node, 0, yields);
                case "ConcatenateDataset" -> {
                    same(node, 0, yields);
                    same(node, 1, yields);
                }
                case "DirectedInterleaveDataset" -> {
                    for (int i = 1;
                            i < node.getInputCount() && !node.getInput(i).startsWith("^");
                            i++) {
                        same(node, i, yields);
                    }
                }
                case "ZipDataset" -> zipped(node, yields);
                case "MakeIterator" -> same(node, 0, types(nodes.get(name(node.getInput(1))), "output_types"));
                default -> {}
            }
        }

        private void same(NodeDef node, int place, List<DataType> yields) {
            input(node, place)
                    .filter(given -> !given.equals(yields))
                    .ifPresent(given -> says(node.getName() + " is given " + given + " and yields " + yields));
        }

        private void zipped(NodeDef node, List<DataType> yields) {
            List<DataType> all = new ArrayList<>();
            int data = 0;
            for (int i = 0; i < node.getInputCount() && !node.getInput(i).startsWith("^"); i++) {
                data++;
                Optional<List<DataType>> given = input(node, i);
                if (given.isEmpty()) {
                    return;
                }
                all.addAll(given.get());
            }
            if (!all.equals(yields) || node.getAttrOrThrow("N").getI() != data) {
                says(node.getName() + " is given " + all + " by " + data + " and yields " + yields);
            }
        }

        private void queue(NodeDef node) {
            if (node.getOp().equals("FIFOQueueV2")) {
                List<DataType> holds = types(node, "component_types");
                List<DataType> before = queues.putIfAbsent(text(node, "shared_name"), holds);
                if (before != null && !before.equals(holds)) {
                    says("the queue " + text(node, "shared_name") + " holds " + holds + ", and elsewhere " + before);
                }
            }
            switch (node.getOp()) {
                case "QueueEnqueueV2", "QueueEnqueueManyV2" -> {
                    holds(node, types(node, "Tcomponents"));
                    long data = node.getInputList().stream()
                            .filter(input -> !input.startsWith("^"))
                            .count();
                    if (data != 1 + types(node, "Tcomponents").size()) {
                        says(node.getName() + " puts in " + (data - 1) + " of "
                                + types(node, "Tcomponents").size());
                    }
                }
                case "QueueDequeueV2", "QueueDequeueUpToV2" -> holds(node, types(node, "component_types"));
                default -> {}
            }
        }

        private void holds(NodeDef node, List<DataType> types) {
            NodeDef queue = nodes.get(name(node.getInput(0)));
            if (queue != null
                    && queue.getOp().equals("FIFOQueueV2")
                    && !types(queue, "component_types").equals(types)) {
                says(node.getName() + " has " + types + " of a queue of " + types(queue, "component_types"));
            }
        }
    }

    /** What is wrong with a pipeline between two passes. */
    public static List<String> of(PipelineGraph pipeline) {
        return of(pipeline.toGraphDef().build());
    }
}
