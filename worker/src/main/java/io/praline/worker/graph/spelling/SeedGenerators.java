package io.praline.worker.graph.spelling;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashMap;
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
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Draws what the layers of Keras count. Such a layer keeps a variable, uses its value as a seed, and adds to it: so it draws
 * other numbers each time. Two tasks would count alike, and draw the same for different elements. In place of the value stands
 * a draw of two numbers, seeded by what the variable begins with: so two layers of one seed still do the same, as one that
 * changes pictures and one that changes their masks.
 *
 * <pre>
 *   seed = Read(v); Assign(v, Read(v) + constant)      seed = Cast(RandomUniformInt([2], 0, 2^31 - 1))
 * </pre>
 *
 * What is used for anything else than seeds stays as it is, and so does what is counted in another way: seeds that a program
 * counts by itself are numbers that its author knows.
 */
public final class SeedGenerators {
    /** Behind the last seed that a generator gives. */
    private static final long SEEDS = (1L << 31) - 1;

    /** What such a layer adds to its variable. */
    private static final List<Long> STEP = List.of(0L, 1L);

    /** On a draw in place of what a variable counts. */
    private static final String COUNTED = "_praline_counted";

    /** Functions that a dataset runs for its elements; no op has two of them. */
    private static final List<String> FUNCTIONS = List.of("f", "predicate");

    /** What a seed passes on its way to a draw. */
    private static final Set<String> MAKE_SEEDS =
            Set.of("Mul", "FloorMod", "Cast", "Identity", "AddV2", "BitwiseXor", "Bitcast", "Reshape");

    /** What else draws by a seed without a state; of most others the seed becomes a key and a counter before. */
    private static final Set<String> TAKE_SEEDS = Set.of(
            "StatelessMultinomial", "StatelessParameterizedTruncatedNormal", "StatelessSampleDistortedBoundingBox");

    private SeedGenerators() {}

    /** Gives the functions that are new; puts nodes that call them into the scope. */
    static Map<String, FunctionDef> drawn(Scope scope, Map<String, FunctionDef> functions) {
        Map<String, FunctionDef> made = new LinkedHashMap<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (NodeDef node : scope.nodes()) {
            Optional<String> key = FUNCTIONS.stream().filter(node::containsAttr).findFirst();
            if (!DatasetOps.isDataset(node) || key.isEmpty()) {
                continue;
            }
            FunctionDef function =
                    functions.get(node.getAttrOrThrow(key.get()).getFunc().getName());
            // a scan's first state stands between what it reads and what its function captures
            int firstInput = 1
                    + node.getAttrOrDefault("Tstate", AttrValue.getDefaultInstance())
                            .getList()
                            .getTypeCount();
            int captured = node.getAttrOrDefault("Targuments", AttrValue.getDefaultInstance())
                    .getList()
                    .getTypeCount();
            if (function == null || captured == 0) {
                continue;
            }
            NodeDef.Builder changed = node.toBuilder();
            FunctionDef drawing = function;
            // from the last on, so that places stay while arguments are taken out
            for (int i = captured - 1; i >= 0; i--) {
                // elements come first, and what is captured last; of a dataset's inputs the elements are the first
                int place = drawing.getSignature().getInputArgCount()
                        - changed.getAttrOrThrow("Targuments").getList().getTypeCount()
                        + i;
                String variable = drawing.getSignature().getInputArg(place).getName();
                Optional<TensorProto> begin = begin(scope, node.getInput(firstInput + i));
                if (begin.isPresent()) {
                    FunctionDef drawn = drawn(drawing, variable, begin.get(), numbers);
                    if (!drawn.equals(drawing)) {
                        // what nothing counts by is no state that another reading would find changed
                        drawing = FunctionArguments.removed(drawn, place);
                        release(changed, firstInput, i);
                    }
                }
            }
            if (!drawing.equals(function)) {
                String name = function.getSignature().getName() + "_of_seeds_" + made.size();
                FunctionDef.Builder named = drawing.toBuilder();
                named.getSignatureBuilder().setName(name);
                made.put(name, named.build());
                scope.put(changed.putAttr(key.get(), FunctionArguments.called(node, key.get(), name))
                        .build());
            }
        }
        return made;
    }

    /** Takes out what a node's function captured there. */
    private static void release(NodeDef.Builder node, int firstInput, int captured) {
        List<String> inputs = new ArrayList<>(node.getInputList());
        inputs.remove(firstInput + captured);
        node.clearInput().addAllInput(inputs);
        List<DataType> types =
                new ArrayList<>(node.getAttrOrThrow("Targuments").getList().getTypeList());
        types.remove(captured);
        node.putAttr("Targuments", Protos.types(types));
    }

    /** The two numbers that a variable is given before the pipeline runs; empty where it is given something else. */
    private static Optional<TensorProto> begin(Scope scope, String captured) {
        return Constants.ofVariable(scope, captured).filter(given -> Constants.elements(given) == 2);
    }

    private static FunctionDef drawn(
            FunctionDef function, String variable, TensorProto begin, Map<String, Integer> numbers) {
        Set<String> gone = new HashSet<>();
        List<NodeDef> seeds = new ArrayList<>();
        if (!isGenerator(function, variable, gone, seeds)) {
            return function;
        }
        // handles have no names, and arguments have those of their layers: one that two functions call goes on counting
        String layer = variable + hash(begin);
        int first = 1 + numbers.getOrDefault(layer, 0);
        numbers.merge(layer, seeds.size(), Integer::sum);
        return without(function, gone, seeds, begin, first);
    }

    /** Whether a function takes nothing but seeds of a variable that it is given, and counts it on. */
    static boolean counts(FunctionDef function, String variable) {
        return isGenerator(function, variable, new HashSet<>(), new ArrayList<>());
    }

    /**
     * @param gone gets the nodes that count
     * @param seeds gets those that read the variable for a seed
     */
    private static boolean isGenerator(FunctionDef function, String variable, Set<String> gone, List<NodeDef> seeds) {
        Scope body = Scope.ofFunction(function);
        Map<String, List<NodeDef>> users = users(function);
        for (NodeDef user : users.getOrDefault(variable, List.of())) {
            if (user.getOp().equals("AssignVariableOp")) {
                NodeDef sum = body.producer(user.getInput(1)).orElse(user);
                boolean counts = sum.getOp().equals("AddV2")
                        && reads(body, sum.getInput(0), variable)
                        && Constants.value(body, sum.getInput(1))
                                .filter(step -> Constants.integers(step).equals(STEP))
                                .isPresent();
                if (!counts) {
                    return false;
                }
                gone.add(user.getName());
                gone.add(sum.getName());
                gone.add(Scope.nodeOf(sum.getInput(0)));
            } else if (!user.getOp().equals("ReadVariableOp")) {
                return false;
            }
        }
        for (NodeDef user : users.getOrDefault(variable, List.of())) {
            if (user.getOp().equals("ReadVariableOp") && !gone.contains(user.getName())) {
                if (!isSeed(user.getName(), function, users)) {
                    return false;
                }
                seeds.add(user);
            }
        }
        // what was read to be counted on is used for nothing else
        return !gone.isEmpty()
                && gone.stream().allMatch(name -> users.getOrDefault(name, List.of()).stream()
                        .allMatch(user -> gone.contains(user.getName()) || waits(user, name)));
    }

    private static boolean reads(Scope body, String ref, String variable) {
        return body.producer(ref)
                .filter(node -> node.getOp().equals("ReadVariableOp")
                        && Scope.nodeOf(node.getInput(0)).equals(variable))
                .isPresent();
    }

    private static boolean waits(NodeDef user, String name) {
        return user.getInputList().stream()
                .filter(input -> Scope.nodeOf(input).equals(name))
                .allMatch(input -> input.startsWith("^"));
    }

    /** Whether a value becomes nothing but seeds of draws without state. */
    private static boolean isSeed(String name, FunctionDef function, Map<String, List<NodeDef>> users) {
        if (function.getRetMap().values().stream()
                .anyMatch(returned -> Scope.nodeOf(returned).equals(name))) {
            return false;
        }
        return users.getOrDefault(name, List.of()).stream()
                .filter(user -> !waits(user, name))
                .allMatch(user -> user.getOp().startsWith("StatelessRandom")
                        || TAKE_SEEDS.contains(user.getOp())
                        || (MAKE_SEEDS.contains(user.getOp()) && isSeed(user.getName(), function, users)));
    }

    private static Map<String, List<NodeDef>> users(FunctionDef function) {
        Map<String, List<NodeDef>> users = new HashMap<>();
        for (NodeDef node : function.getNodeDefList()) {
            node.getInputList().stream().map(Scope::nodeOf).distinct().forEach(input -> users.computeIfAbsent(
                            input, name -> new ArrayList<>())
                    .add(node));
        }
        return users;
    }

    private static FunctionDef without(
            FunctionDef function, Set<String> gone, List<NodeDef> seeds, TensorProto begin, int first) {
        FunctionDef.Builder drawn = function.toBuilder().clearNodeDef();
        Set<String> read = new HashSet<>();
        seeds.forEach(seed -> read.add(seed.getName()));
        for (NodeDef node : function.getNodeDefList()) {
            if (gone.contains(node.getName())) {
                continue;
            }
            if (read.contains(node.getName())) {
                draw(drawn, node, begin, first + seeds.indexOf(node));
                continue;
            }
            NodeDef.Builder kept = node.toBuilder().clearInput();
            for (String input : node.getInputList()) {
                String name = Scope.nodeOf(input);
                if (!gone.contains(name)) {
                    kept.addInput(read.contains(name) && !input.startsWith("^") ? name + ":y:0" : input);
                }
            }
            drawn.addNodeDef(kept);
        }
        drawn.clearControlRet();
        function.getControlRetMap().forEach((key, node) -> {
            if (!gone.contains(node)) {
                drawn.putControlRet(key, node);
            }
        });
        drawn.getSignatureBuilder().clearControlOutput();
        function.getSignature().getControlOutputList().stream()
                .filter(drawn.getControlRetMap()::containsKey)
                .forEach(drawn.getSignatureBuilder()::addControlOutput);
        return drawn.build();
    }

    /** @param number of the seed among those that the variable gives, from 1 */
    private static void draw(FunctionDef.Builder function, NodeDef read, TensorProto begin, int number) {
        String name = read.getName() + "/praline_";
        numbers(function, name + "seed", name, 2, SEEDS, hash(begin), number);
        function.addNodeDef(Protos.node(read.getName(), "Cast", name + "seed:output:0")
                .putAttr("SrcT", Protos.type(DataType.DT_INT64))
                .putAttr("DstT", Protos.type(begin.getDtype()))
                .putAttr("Truncate", Protos.bool(false)));
    }

    /**
     * Puts a draw of int64s from 0 on into a function, under a name, and what it is asked for under names that begin with the
     * prefix.
     */
    static void numbers(
            FunctionDef.Builder function,
            String name,
            String prefix,
            int count,
            long behindLast,
            long seed,
            long seed2) {
        function.addNodeDef(Protos.constant(prefix + "shape", Protos.int32s(count)))
                .addNodeDef(Protos.constant(prefix + "first", Protos.int64(0)))
                .addNodeDef(Protos.constant(prefix + "last", Protos.int64(behindLast)))
                .addNodeDef(Protos.node(
                                name,
                                "RandomUniformInt",
                                prefix + "shape:output:0",
                                prefix + "first:output:0",
                                prefix + "last:output:0")
                        .putAttr("seed", Protos.number(seed))
                        .putAttr("seed2", Protos.number(seed2))
                        .putAttr(COUNTED, Protos.bool(true))
                        .putAttr("T", Protos.type(DataType.DT_INT32))
                        .putAttr("Tout", Protos.type(DataType.DT_INT64)));
    }

    /** Whether a draw stands for what a variable counts: its seeds are none that a function begins with when it is called. */
    public static boolean isCounted(NodeDef draw) {
        return draw.containsAttr(COUNTED);
    }

    /** Equal for equal values. */
    static long hash(TensorProto begin) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : begin.toBuilder()
                .setTensorShape(TensorShapeProto.getDefaultInstance())
                .build()
                .toByteArray()) {
            hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }
}
