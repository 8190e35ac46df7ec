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
 * @param children what becomes of that behind a shuffle, where several elements do: then these are numbered
 */
public record Birth(List<String> steps, boolean late, Children children) {
    public Birth {
        steps = List.copyOf(steps);
    }

    /** Of a source whose elements are its records. */
    private static final Birth AT_THE_RECORDS = new Birth(List.of(), false, Children.NONE);

    /** The node whose elements are those of the splits. */
    public String last(FoundSource source) {
        return steps.isEmpty() ? source.node() : steps.get(steps.size() - 1);
    }

    /** Of each source, in their order. */
    public static List<Birth> of(PipelineGraph pipeline, Sources sources) {
        Scope scope = pipeline.scope();
        Map<String, List<String>> users = users(scope);
        List<Birth> births = new ArrayList<>();
        for (FoundSource source : sources.found()) {
            Walk walk = new Walk(source.node(), scope, pipeline.functions(), users, new HashSet<>(sources.bypassed()));
            List<String> steps = walk.steps();
            Children children = walk.children();
            if (!children.isEmpty()) {
                births.add(new Birth(walk.all(), true, children));
            } else if (!steps.isEmpty()) {
                births.add(new Birth(steps, true, children));
            } else if (source.how() == FoundSource.How.WHOLE || source.numbered()) {
                births.add(new Birth(List.of(), true, children));
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

    /** The way from a source through steps that look at single elements in their order, and what stands behind it. */
    private static final class Walk {
        private final Scope scope;
        private final Map<String, FunctionDef> functions;
        private final Map<String, List<String>> users;
        private final Set<String> leftOut;
        private final List<String> all = new ArrayList<>();
        private boolean batched;
        private String at;

        Walk(
                String source,
                Scope scope,
                Map<String, FunctionDef> functions,
                Map<String, List<String>> users,
                Set<String> leftOut) {
            this.scope = scope;
            this.functions = functions;
            this.users = users;
            this.leftOut = leftOut;
            this.at = source;
        }

        List<String> all() {
            return all;
        }

        /** The only node that uses the elements here; empty where there are several or none. */
        private Optional<NodeDef> next() {
            while (users.getOrDefault(at, List.of()).size() == 1) {
                NodeDef node = scope.node(users.get(at).get(0));
                if (!leftOut.contains(node.getName()) && !node.getOp().equals("Identity")) {
                    return Optional.of(node)
                            .filter(each -> Scope.nodeOf(each.getInput(0)).equals(at));
                }
                at = node.getName();
            }
            return Optional.empty();
        }

        /** The steps up to the last that makes several of one. */
        List<String> steps() {
            int several = 0;
            for (Optional<NodeDef> next = next(); next.isPresent(); next = next()) {
                NodeDef node = next.get();
                OpTraits.Family family = OpTraits.of(node).family();
                if (!canMove(node, scope)) {
                    break;
                }
                if (family == OpTraits.Family.BATCH) {
                    if (batched || DatasetOps.dropsRemainder(node, scope).orElse(true)) {
                        break;
                    }
                    batched = true;
                } else if (EarlyBatches.undone(node, scope, functions).isPresent()) {
                    batched = false;
                } else if (family == OpTraits.Family.UNBATCH || family == OpTraits.Family.INTERLEAVE) {
                    several = all.size() + 1;
                    batched = false;
                } else if (family != OpTraits.Family.MAP
                        && family != OpTraits.Family.FILTER
                        && family != OpTraits.Family.TRANSPARENT) {
                    break;
                }
                all.add(node.getName());
                at = node.getName();
            }
            return List.copyOf(all.subList(0, several));
        }

        /** What becomes of single elements behind these steps and a shuffle. */
        Children children() {
            if (batched || next().filter(Walk::shuffles).isEmpty()) {
                return Children.NONE;
            }
            List<NodeDef> behind = new ArrayList<>();
            int made = 0;
            for (Optional<NodeDef> next = next(); next.isPresent(); next = next()) {
                NodeDef node = next.get();
                boolean makes = Children.makesSeveral(node, scope);
                if (!makes && !Children.passes(node, scope)) {
                    break;
                }
                behind.add(node);
                at = node.getName();
                if (makes && made > 0) {
                    return Children.NONE;
                }
                made = makes ? behind.size() : made;
            }
            List<NodeDef> steps = behind.subList(0, made);
            return made > 0 && Children.areKnown(steps.get(made - 1), functions) && Children.comeAgain(steps, functions)
                    ? new Children(steps.stream().map(NodeDef::getName).toList())
                    : Children.NONE;
        }

        private static boolean shuffles(NodeDef node) {
            return OpTraits.of(node).family() == OpTraits.Family.SHUFFLE;
        }
    }

    /** Whether a node can go into a function: what it takes besides its elements is a constant, or captured. */
    static boolean canMove(NodeDef node, Scope scope) {
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
    public static Optional<DataType> captured(NodeDef node, int input) {
        List<DataType> types = node.getAttrOrDefault("Targuments", AttrValue.getDefaultInstance())
                .getList()
                .getTypeList();
        return input >= 1 && input <= types.size() ? Optional.of(types.get(input - 1)) : Optional.empty();
    }
}
