package io.praline.worker.graph.spelling;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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
    /** What an op's functions capture stands in this order among its inputs: the function's attribute, that of the types. */
    private static final Map<String, String> CAPTURED = captured();

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
                .map(several -> String.join(" and ", several)
                        + ": generators that begin alike draw other numbers in each of these steps, since a graph does not"
                        + " tell whether they are one generator; two of one seed draw the same in one process. Draw once,"
                        + " and hand on what was drawn")
                .toList();
    }

    /** What a function may do with a variable of which it is given the handle. */
    private interface Uses {
        boolean are(FunctionDef function, String variable, NodeDef node);
    }

    /**
     * Whether a variable that a function moves on is nothing but the state of generators, or what layers of Keras count seeds by: what
     * begins with another value draws other numbers, and nobody sees the value itself.
     */
    public static boolean isState(String variable, Scope scope, Map<String, FunctionDef> functions) {
        return isOnly(variable, scope, functions, (function, name, node) -> movesOn(node))
                || isOnly(variable, scope, functions, (function, name, node) -> SeedGenerators.counts(function, name));
    }

    private static boolean movesOn(NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        return traits.draws() == OpTraits.Draws.UNKEYABLE && traits.position();
    }

    /** Whether draws take a variable's state, at least one, and nothing else does anything with it. */
    private static boolean onlyRead(String variable, Scope scope, Map<String, FunctionDef> functions) {
        return isOnly(variable, scope, functions, (function, name, node) -> isDraw(node));
    }

    /** Whether a variable is used so, at least once, and in no other way. */
    private static boolean isOnly(String variable, Scope scope, Map<String, FunctionDef> functions, Uses uses) {
        Set<String> followed = new HashSet<>();
        boolean used = false;
        for (NodeDef node : scope.nodes()) {
            // what it begins with is known by now
            if (node.getOp().equals("Identity") || node.getOp().equals("AssignVariableOp")) {
                continue;
            }
            Optional<Boolean> use = use(node, scope, variable, functions, followed, uses, direct -> false);
            if (use.isEmpty()) {
                return false;
            }
            used |= use.get();
        }
        return used;
    }

    /** Whether a node, or what it calls, uses a variable so; empty where something else is done with it. */
    private static Optional<Boolean> use(
            NodeDef node,
            Scope scope,
            String variable,
            Map<String, FunctionDef> functions,
            Set<String> followed,
            Uses uses,
            Predicate<NodeDef> isUse) {
        boolean used = false;
        for (int i = 0; i < node.getInputCount(); i++) {
            String input = node.getInput(i);
            if (input.startsWith("^") || !stands(scope, input, variable)) {
                continue;
            }
            if (isUse.test(node)) {
                used = true;
                continue;
            }
            List<Argument> arguments = arguments(node, i, functions);
            if (arguments.isEmpty()) {
                return Optional.empty();
            }
            for (Argument argument : arguments) {
                if (!followed.add(argument.toString())) {
                    continue;
                }
                Optional<Boolean> within = within(argument, functions, followed, isLoop(node), uses);
                if (within.isEmpty()) {
                    return Optional.empty();
                }
                used |= within.get();
            }
        }
        return Optional.of(used);
    }

    /** @param loop whether the function is a loop's, which hands its variables on */
    private static Optional<Boolean> within(
            Argument argument, Map<String, FunctionDef> functions, Set<String> followed, boolean loop, Uses uses) {
        FunctionDef function = functions.get(argument.function());
        String name = function.getSignature().getInputArg(argument.place()).getName();
        Scope body = Scope.ofFunction(function);
        boolean returned = function.getRetMap().values().stream().anyMatch(ref -> stands(body, ref, name));
        if (returned && !loop) {
            return Optional.empty();
        }
        boolean used = false;
        for (NodeDef node : function.getNodeDefList()) {
            if (node.getOp().equals("Identity")) {
                continue;
            }
            Optional<Boolean> use =
                    use(node, body, name, functions, followed, uses, each -> uses.are(function, name, each));
            if (use.isEmpty()) {
                return Optional.empty();
            }
            used |= use.get();
        }
        return Optional.of(used);
    }

    private static boolean stands(Scope scope, String ref, String variable) {
        return Scope.nodeOf(scope.behindIdentities(ref)).equals(variable);
    }

    private static boolean isLoop(NodeDef node) {
        return node.getOp().equals("While") || node.getOp().equals("StatelessWhile");
    }

    /** An argument of a function, by its place. */
    private record Argument(String function, int place) {}

    /** What a node's functions are given of one of its inputs; empty where that is not known. */
    private static List<Argument> arguments(NodeDef node, int input, Map<String, FunctionDef> functions) {
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
        given.forEach((input, generator) -> arguments(node, input, functions).forEach(argument -> arguments
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
