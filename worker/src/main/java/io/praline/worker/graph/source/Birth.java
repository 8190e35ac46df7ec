package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Where the tickets of a source's elements are made. A ticket is a number within a split: of a record, where everything that
 * reads the split looks at one record at a time; else of what comes out behind the last step that makes several elements of
 * one, which nobody can count beside the graph. All steps up to that one then belong to the reading of a split.
 *
 * @param steps the dataset nodes behind the source that belong to the reading of a split, in order; the last one makes
 *     several elements of one; empty where none does
 * @param late whether what comes out is numbered, and not the records
 */
public record Birth(List<String> steps, boolean late) {
    public Birth {
        steps = List.copyOf(steps);
    }

    /** Of a source whose elements are its records. */
    private static final Birth AT_THE_RECORDS = new Birth(List.of(), false);

    /** The node whose elements are those of the splits. */
    String last(Sources.Found source) {
        return steps.isEmpty() ? source.node() : steps.get(steps.size() - 1);
    }

    /** Of each source, in their order. */
    public static List<Birth> of(PipelineGraph pipeline, Sources sources) {
        Scope scope = pipeline.scope();
        Map<String, List<String>> users = users(scope);
        List<Birth> births = new ArrayList<>();
        for (Sources.Found source : sources.found()) {
            List<String> steps =
                    steps(source.node(), scope, pipeline.functions(), users, new HashSet<>(sources.bypassed()));
            if (!steps.isEmpty()) {
                births.add(new Birth(steps, true));
            } else if (source.how() == Sources.How.WHOLE || source.numbered()) {
                births.add(new Birth(List.of(), true));
            } else {
                births.add(AT_THE_RECORDS);
            }
        }
        return births;
    }

    private static Map<String, List<String>> users(Scope scope) {
        Map<String, List<String>> users = new LinkedHashMap<>();
        for (NodeDef node : scope.nodes()) {
            for (String input : node.getInputList()) {
                users.computeIfAbsent(Scope.nodeOf(input), name -> new ArrayList<>())
                        .add(node.getName());
            }
        }
        return users;
    }

    /** The steps up to the last that makes several of one, as long as each looks at single elements in their order. */
    private static List<String> steps(
            String source,
            Scope scope,
            Map<String, FunctionDef> functions,
            Map<String, List<String>> users,
            Set<String> leftOut) {
        List<String> steps = new ArrayList<>();
        int several = 0;
        boolean batched = false;
        String at = source;
        while (users.getOrDefault(at, List.of()).size() == 1) {
            NodeDef node = scope.node(users.get(at).get(0));
            if (leftOut.contains(node.getName()) || node.getOp().equals("Identity")) {
                at = node.getName();
                continue;
            }
            if (!Scope.nodeOf(node.getInput(0)).equals(at) || !canMove(node, scope)) {
                break;
            }
            OpTraits.Family family = OpTraits.of(node).family();
            if (family == OpTraits.Family.BATCH) {
                if (batched || DatasetOps.dropsRemainder(node, scope).orElse(true)) {
                    break;
                }
                batched = true;
            } else if (EarlyBatches.undone(node, scope, functions).isPresent()) {
                batched = false;
            } else if (family == OpTraits.Family.UNBATCH || family == OpTraits.Family.INTERLEAVE) {
                several = steps.size() + 1;
                batched = false;
            } else if (family != OpTraits.Family.MAP
                    && family != OpTraits.Family.FILTER
                    && family != OpTraits.Family.TRANSPARENT) {
                break;
            }
            steps.add(node.getName());
            at = node.getName();
        }
        return steps.subList(0, several);
    }

    /** Whether a node can go into a function: what it takes besides its elements is a constant, or captured. */
    private static boolean canMove(NodeDef node, Scope scope) {
        for (int i = 1; i < node.getInputCount(); i++) {
            if (node.getInput(i).startsWith("^")
                    || (Constants.value(scope, node.getInput(i)).isEmpty()
                            && captured(node, i).isEmpty())) {
                return false;
            }
        }
        return true;
    }

    /** The type of an input that a node's function captures; empty where the input is another one. */
    static Optional<DataType> captured(NodeDef node, int input) {
        List<DataType> types = node.getAttrOrDefault("Targuments", AttrValue.getDefaultInstance())
                .getList()
                .getTypeList();
        return input >= 1 && input <= types.size() ? Optional.of(types.get(input - 1)) : Optional.empty();
    }
}
