package io.praline.worker.graph.spelling;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * An argument of a function.
 *
 * @param function the function's name
 * @param place from 0 on
 */
record Argument(String function, int place) {
    /** What an op's functions capture stands in this order among its inputs: the function's attribute, that of the types. */
    private static final Map<String, String> CAPTURED = captured();

    private static Map<String, String> captured() {
        Map<String, String> captured = new LinkedHashMap<>();
        captured.put("f", "Targuments");
        captured.put("predicate", "Targuments");
        captured.put("key_func", "Tkey_func_other_arguments");
        captured.put("init_func", "Tinit_func_other_arguments");
        captured.put("reduce_func", "Treduce_func_other_arguments");
        captured.put("window_size_func", "Twindow_size_func_other_arguments");
        captured.put("finalize_func", "Tfinalize_func_other_arguments");
        return captured;
    }

    /** What a node's functions are given of one of its inputs; empty where that is not known. */
    static List<Argument> given(NodeDef node, int input, Map<String, FunctionDef> functions) {
        if (functions.containsKey(node.getOp())) {
            return List.of(new Argument(node.getOp(), input));
        }
        int at = 1 + types(node, "Tstate");
        for (Map.Entry<String, String> each : CAPTURED.entrySet()) {
            if (!node.containsAttr(each.getKey()) || !node.containsAttr(each.getValue())) {
                continue;
            }
            int captured = types(node, each.getValue());
            String function = node.getAttrOrThrow(each.getKey()).getFunc().getName();
            if (input >= at && input < at + captured && functions.containsKey(function)) {
                int all = functions.get(function).getSignature().getInputArgCount();
                return List.of(new Argument(function, all - captured + input - at));
            }
            at += captured;
        }
        Integer first = OpTraits.of(node).inputs().get(OpTraits.Input.ARGUMENTS);
        return first == null || input < first
                ? List.of()
                : PipelineGraph.functionsOf(node)
                        .filter(functions::containsKey)
                        .map(function -> new Argument(function, input - first))
                        .toList();
    }

    private static int types(NodeDef node, String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance())
                .getList()
                .getTypeCount();
    }
}
