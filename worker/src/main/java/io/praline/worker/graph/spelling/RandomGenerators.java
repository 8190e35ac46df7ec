package io.praline.worker.graph.spelling;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Draws what the generators of {@code tf.random.Generator} count. Such a generator keeps a counter and a key in a variable, and
 * each draw takes what is there and moves it on: two tasks would move it alike, and draw the same for different elements. In
 * place of what is taken stands a draw of three numbers, seeded by what the variable begins with and by which of the
 * generator's draws it is: so two generators of one seed still do the same in a function, as one that changes a picture and one
 * that changes its mask. A graph does not tell whether two steps use one generator or two of one seed: they go on counting,
 * which is said, since draws that should be independent must not be the same.
 *
 * <pre>
 *   state = RngReadAndSkip(variable, ...)      state = RandomUniformInt([3], 0, 2^62)
 * </pre>
 *
 * A generator whose state is set, moved or looked at by a function stays as it is, and so does one of which nothing is known:
 * what it draws hangs on all that it drew before.
 */
public final class RandomGenerators {
    /** Behind the last number of a state. */
    private static final long STATES = 1L << 62;

    private final Map<String, FunctionDef> functions;
    private final Map<String, FunctionDef> made = new LinkedHashMap<>();
    private final Map<String, Generator> generators;

    /** How many draws the steps before this one make of generators that begin alike. */
    private final Map<Long, Integer> before = new HashMap<>();

    /** A variable that begins with a known state, and how many draws of this state are found. */
    private static final class Generator {
        private final long state;
        private int draws;

        private Generator(long state) {
            this.state = state;
        }
    }

    private RandomGenerators(Map<String, FunctionDef> functions, Map<String, Generator> generators) {
        this.functions = functions;
        this.generators = generators;
    }

    /** Gives the functions that are new; puts nodes that call them into the scope. */
    static Map<String, FunctionDef> drawn(Scope scope, Map<String, FunctionDef> functions) {
        Map<String, Generator> generators = new LinkedHashMap<>();
        for (NodeDef node : scope.nodes()) {
            if (node.getOp().equals("VarHandleOp")) {
                Constants.ofVariable(scope, node.getName())
                        .filter(state -> state.getDtype() == DataType.DT_INT64)
                        .filter(state -> onlyRead(node.getName(), scope, functions))
                        .ifPresent(state -> generators.put(node.getName(), new Generator(SeedGenerators.hash(state))));
            }
        }
        if (generators.isEmpty()) {
            return Map.of();
        }
        RandomGenerators drawing = new RandomGenerators(functions, generators);
        for (NodeDef node : scope.nodes()) {
            Map<Integer, String> given = given(node, scope, generators.keySet());
            given.values().stream().distinct().map(generators::get).forEach(drawing::begin);
            NodeDef changed = drawing.called(node, given);
            if (!changed.equals(node)) {
                scope.put(changed);
            }
            given.values().stream().distinct().map(generators::get).forEach(drawing::end);
        }
        return drawing.made;
    }

    /** Whether a node takes what a draw needs of a generator's state, and moves it on. */
    public static boolean isDraw(NodeDef node) {
        return node.getOp().equals("RngReadAndSkip");
    }

    private void begin(Generator generator) {
        generator.draws = before.getOrDefault(generator.state, 0);
    }

    private void end(Generator generator) {
        before.merge(generator.state, generator.draws, Math::max);
    }

    /**
     * A line for each state that generators of several steps begin with.
     *
     * @param names of transformations, by the names of their nodes
     */
    public static List<String> notes(PipelineGraph written, Map<String, String> names) {
        Scope scope = written.scope();
        Map<Long, Set<String>> steps = new LinkedHashMap<>();
        names.forEach((node, name) -> {
            NodeDef step = written.nodes().get(node);
            if (step != null && written.workOf(step).anyMatch(RandomGenerators::isDraw)) {
                step.getInputList().stream()
                        .flatMap(input -> Constants.ofVariable(scope, input).stream())
                        .forEach(state -> steps.computeIfAbsent(
                                        SeedGenerators.hash(state), hash -> new LinkedHashSet<>())
                                .add(name));
            }
        });
        return steps.values().stream()
                .filter(several -> several.size() > 1)
                .flatMap(several -> StepNote.of(
                        several,
                        "generators that begin alike draw other numbers in each of these steps, since a graph does not"
                                + " tell whether they are one generator; two of one seed draw the same in one process. Draw once,"
                                + " and hand on what was drawn")
                        .stream())
                .toList();
    }

    /**
     * Whether a variable that a function moves on is nothing but the state of generators, or what layers of Keras count seeds by: what
     * begins with another value draws other numbers, and nobody sees the value itself.
     */
    public static boolean isState(String variable, Scope scope, Map<String, FunctionDef> functions) {
        return VariableUse.isOnly(variable, scope, functions, (function, name, node) -> movesOn(node))
                || VariableUse.isOnly(
                        variable, scope, functions, (function, name, node) -> SeedGenerators.counts(function, name));
    }

    private static boolean movesOn(NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        return traits.draws() == OpTraits.Draws.UNKEYABLE && traits.position();
    }

    /** Whether draws take a variable's state, at least one, and nothing else does anything with it. */
    private static boolean onlyRead(String variable, Scope scope, Map<String, FunctionDef> functions) {
        return VariableUse.isOnly(variable, scope, functions, (function, name, node) -> isDraw(node));
    }

    /** The generators that a node is given, by the places of its inputs. */
    private static Map<Integer, String> given(NodeDef node, Scope scope, Set<String> names) {
        Map<Integer, String> given = new LinkedHashMap<>();
        for (int i = 0; i < node.getInputCount(); i++) {
            String ref = node.getInput(i);
            if (!ref.startsWith("^")) {
                String stands = Scope.nodeOf(scope.behindIdentities(ref));
                if (names.contains(stands)) {
                    given.put(i, stands);
                }
            }
        }
        return given;
    }

    /**
     * A node that calls functions which draw; each call has a copy of its own, since its draws are others.
     *
     * @param given the generators of its inputs
     */
    private NodeDef called(NodeDef node, Map<Integer, String> given) {
        Map<String, Map<Integer, String>> arguments = new LinkedHashMap<>();
        given.forEach(
                (input, generator) -> Argument.given(node, input, functions).forEach(argument -> arguments
                        .computeIfAbsent(argument.function(), name -> new LinkedHashMap<>())
                        .put(argument.place(), generator)));
        NodeDef changed = node;
        for (Map.Entry<String, Map<Integer, String>> each : arguments.entrySet()) {
            FunctionDef function = drawn(functions.get(each.getKey()), each.getValue());
            if (!function.equals(functions.get(each.getKey()))) {
                String name = PipelineGraph.freshName(each.getKey() + "_by_generators", all());
                FunctionDef.Builder named = function.toBuilder();
                named.getSignatureBuilder().setName(name);
                made.put(name, named.build());
                changed = renamed(changed, each.getKey(), name);
            }
        }
        return changed;
    }

    private Map<String, FunctionDef> all() {
        Map<String, FunctionDef> all = new HashMap<>(functions);
        all.putAll(made);
        return all;
    }

    private static NodeDef renamed(NodeDef node, String from, String to) {
        NodeDef.Builder changed = node.toBuilder();
        if (node.getOp().equals(from)) {
            changed.setOp(to);
        }
        node.getAttrMap().forEach((key, value) -> {
            if (value.hasFunc() && value.getFunc().getName().equals(from)) {
                changed.putAttr(key, FunctionArguments.called(node, key, to));
            } else if (value.getList().getFuncCount() > 0) {
                AttrValue.Builder list = value.toBuilder();
                list.getListBuilder().getFuncBuilderList().forEach(function -> {
                    if (function.getName().equals(from)) {
                        function.setName(to);
                    }
                });
                changed.putAttr(key, list.build());
            }
        });
        return changed.build();
    }

    /** @param given the generators among its arguments, by their places */
    private FunctionDef drawn(FunctionDef function, Map<Integer, String> given) {
        Map<String, String> names = new HashMap<>();
        given.forEach((place, generator) ->
                names.put(function.getSignature().getInputArg(place).getName(), generator));
        Scope body = Scope.ofFunction(function);
        FunctionDef.Builder drawn = function.toBuilder().clearNodeDef();
        Set<String> reads = new HashSet<>();
        for (NodeDef node : function.getNodeDefList()) {
            Map<Integer, String> here = new LinkedHashMap<>();
            given(node, body, names.keySet()).forEach((input, name) -> here.put(input, names.get(name)));
            if (isDraw(node) && here.containsKey(0)) {
                reads.add(node.getName());
                draw(drawn, node, generators.get(here.get(0)));
            } else {
                drawn.addNodeDef(called(node, here));
            }
        }
        drawn.getNodeDefBuilderList().forEach(node -> {
            for (int i = 0; i < node.getInputCount(); i++) {
                node.setInput(i, state(node.getInput(i), reads));
            }
        });
        function.getRetMap().forEach((name, ref) -> drawn.putRet(name, state(ref, reads)));
        return drawn.build();
    }

    /** What was read of a generator is now an output of another name. */
    private static String state(String ref, Set<String> reads) {
        return !ref.startsWith("^") && reads.contains(Scope.nodeOf(ref)) ? Scope.nodeOf(ref) + ":output:0" : ref;
    }

    private static void draw(FunctionDef.Builder function, NodeDef read, Generator generator) {
        generator.draws++;
        SeedGenerators.numbers(
                function, read.getName(), read.getName() + "/praline_", 3, STATES, generator.state, generator.draws);
    }
}
