package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.spelling.SeedGenerators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorShapeProto;

/**
 * The functions of a pipeline while their draws are given keys. Every function that draws is called from one place, since
 * {@link StampDraws} made it so, and is changed under its name.
 */
final class KeyedFunctions {
    /** The argument of functions that are called within others: an int64, for what they draw. */
    static final String IDENTITY = "praline_identity";

    /** Odd and large: multiples of it by small numbers lie far apart, so that what is counted from them never meets. */
    static final long FAR = 0x9E3779B97F4A7C15L;

    private static final String TURN = "praline_turn";

    /** Ops that run a function on their inputs, with the place of its first argument among them. */
    private static final Map<String, Integer> CALLS = Map.of(
            "PartitionedCall", 0,
            "StatefulPartitionedCall", 0,
            "If", 1,
            "StatelessIf", 1,
            "Case", 1,
            "StatelessCase", 1);

    /** Keys what is drawn in the datasets that a function makes, whose own draws have their keys. */
    interface Datasets {
        /**
         * The function with them.
         *
         * @param identity of what it is called for; empty where nothing tells that
         */
        FunctionDef keyed(FunctionDef function, Optional<String> identity, boolean ofAttempt);
    }

    private final Map<String, FunctionDef> functions;
    private final DrawKeys keys;
    private final Datasets datasets;
    private final Map<String, Boolean> drawing = new HashMap<>();
    private final Map<String, String> passedBy = new HashMap<>();

    KeyedFunctions(Map<String, FunctionDef> functions, DrawKeys keys, Datasets datasets) {
        this.functions = new LinkedHashMap<>(functions);
        this.keys = keys;
        this.datasets = datasets;
    }

    Iterable<FunctionDef> all() {
        return functions.values();
    }

    FunctionDef get(String name) {
        return functions.get(name);
    }

    void put(FunctionDef function) {
        functions.put(function.getSignature().getName(), function);
    }

    void change(String name, UnaryOperator<FunctionDef> change) {
        functions.put(name, change.apply(functions.get(name)));
    }

    String freshName(String hint) {
        return PipelineGraph.freshName(hint, functions);
    }

    /** Whether a function, or one that it calls, draws. */
    boolean draws(String name) {
        if (!functions.containsKey(name)) {
            return false;
        }
        Boolean known = drawing.get(name);
        if (known == null) {
            drawing.put(name, false);
            known = functions.get(name).getNodeDefList().stream()
                    .anyMatch(node -> StampDraws.of(node).isPresent() || callsDrawing(node));
            drawing.put(name, known);
        }
        return known;
    }

    private boolean callsDrawing(NodeDef node) {
        return PipelineGraph.functionsOf(node).anyMatch(this::draws);
    }

    /**
     * A function with its draws made by key, but for those in the datasets that it makes.
     *
     * @param identity the reference of an int64 in it that tells for what is drawn; empty where nothing does: then draws
     *     without seeds stay as they are, others each time, and those of the user's seeds are others in each attempt
     * @param ofAttempt whether the identity means another thing in another attempt
     */
    FunctionDef keyed(FunctionDef function, Optional<String> identity, boolean ofAttempt) {
        FunctionDef.Builder keyed = function.toBuilder().clearNodeDef();
        int number = 0;
        for (NodeDef node : function.getNodeDefList()) {
            number++;
            Optional<StampDraws.Stamp> stamp = StampDraws.of(node);
            if (DatasetOps.isDataset(node) || (isReduce(node) && identity.isPresent())) {
                keyed.addNodeDef(node);
            } else if (stamp.isPresent()) {
                draw(keyed, node, stamp.get(), identity, ofAttempt, number);
            } else if (callsDrawing(node)) {
                keyed.addNodeDef(
                        identity.isPresent() && passes(node)
                                ? passing(keyed, node, identity.get(), ofAttempt, number)
                                : withoutIdentity(node));
            } else {
                keyed.addNodeDef(node);
            }
        }
        return keyed.build();
    }

    private void draw(
            FunctionDef.Builder function,
            NodeDef node,
            StampDraws.Stamp stamp,
            Optional<String> identity,
            boolean ofAttempt,
            int number) {
        long first = Chance.seed(node);
        long second = Chance.seed2(node);
        if (identity.isPresent() && Chance.canBeKeyed(node)) {
            long key = ofAttempt ? keys.ofAttempt(stamp, first, second) : keys.of(stamp, first, second);
            Chance.keyed(function, node, key, identity.get(), number);
        } else if ((first == 0 && second == 0) || SeedGenerators.isCounted(node)) {
            // a function that is called anew would begin with given seeds again, and draw for each element the same
            function.addNodeDef(Chance.unseeded(node));
        } else {
            function.addNodeDef(Chance.reseeded(node, keys.ofAttempt(stamp, first, second)));
        }
    }

    private boolean passes(NodeDef call) {
        return CALLS.containsKey(call.getOp()) || isLoop(call) || functions.containsKey(call.getOp());
    }

    private static boolean isLoop(NodeDef call) {
        return call.getOp().equals("While") || call.getOp().equals("StatelessWhile");
    }

    private NodeDef withoutIdentity(NodeDef call) {
        PipelineGraph.functionsOf(call)
                .filter(this::draws)
                .forEach(name -> change(name, function -> within(function, Optional.empty(), true)));
        return call;
    }

    /** A function that is called within another one, with all its draws keyed. */
    private FunctionDef within(FunctionDef function, Optional<String> identity, boolean ofAttempt) {
        return datasets.keyed(keyed(function, identity, ofAttempt), identity, ofAttempt);
    }

    /** Whether a node makes one value of a dataset, by a function that it calls for each element. */
    static boolean isReduce(NodeDef node) {
        return node.getOp().equals("ReduceDataset");
    }

    /** A call of functions that draw, given the identity as one more argument. */
    private NodeDef passing(FunctionDef.Builder caller, NodeDef call, String identity, boolean ofAttempt, int number) {
        if (isLoop(call)) {
            return loop(caller, call, identity, ofAttempt, number);
        }
        NodeDef.Builder changed = call.toBuilder();
        if (functions.containsKey(call.getOp())) {
            int arguments = functions.get(call.getOp()).getSignature().getInputArgCount();
            return changed.clearInput()
                    .addAllInput(withInputs(call, arguments, List.of(identity)))
                    .setOp(withIdentity(call.getOp(), ofAttempt))
                    .build();
        }
        int arguments =
                CALLS.get(call.getOp()) + call.getAttrOrThrow("Tin").getList().getTypeCount();
        AttrValue.Builder types = call.getAttrOrThrow("Tin").toBuilder();
        types.getListBuilder().addType(DataType.DT_INT64);
        changed.clearInput()
                .addAllInput(withInputs(call, arguments, List.of(identity)))
                .putAttr("Tin", types.build());
        call.getAttrMap().forEach((key, value) -> {
            if (value.hasFunc()) {
                changed.putAttr(
                        key,
                        AttrValue.newBuilder()
                                .setFunc(withIdentity(value.getFunc(), ofAttempt))
                                .build());
            } else if (value.getList().getFuncCount() > 0) {
                AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
                value.getList().getFuncList().forEach(function -> list.addFunc(withIdentity(function, ofAttempt)));
                changed.putAttr(key, AttrValue.newBuilder().setList(list).build());
            }
        });
        return changed.build();
    }

    private static List<String> withInputs(NodeDef call, int place, List<String> more) {
        List<String> inputs = new ArrayList<>(call.getInputList());
        inputs.addAll(place, more);
        return inputs;
    }

    private NameAttrList withIdentity(NameAttrList called, boolean ofAttempt) {
        return called.toBuilder()
                .setName(withIdentity(called.getName(), ofAttempt))
                .build();
    }

    /** A branch that draws nothing takes the identity too, since all branches take the same arguments. */
    private String withIdentity(String name, boolean ofAttempt) {
        String known = passedBy.get(name);
        if (known == null) {
            known = freshName(name + "_drawn");
            FunctionDef function = functions.get(name);
            FunctionDef.Builder widened =
                    FunctionArguments.inserted(function, function.getSignature().getInputArgCount(), IDENTITY);
            widened.getSignatureBuilder().setName(known);
            passedBy.put(name, known);
            put(draws(name) ? within(widened.build(), Optional.of(IDENTITY), ofAttempt) : widened.build());
        }
        return known;
    }

    /** A loop carries the identity and the number of its turn, and each turn draws by both. */
    private NodeDef loop(FunctionDef.Builder caller, NodeDef loop, String identity, boolean ofAttempt, int number) {
        String none = "praline_turns_" + number;
        caller.addNodeDef(Protos.constant(none, Protos.int64(0)));
        int variables = loop.getAttrOrThrow("T").getList().getTypeCount();
        AttrValue.Builder types = loop.getAttrOrThrow("T").toBuilder();
        types.getListBuilder().addType(DataType.DT_INT64).addType(DataType.DT_INT64);
        NodeDef.Builder changed = loop.toBuilder()
                .clearInput()
                .addAllInput(withInputs(loop, variables, List.of(none + ":output:0", identity)))
                .putAttr("T", types.build())
                .putAttr("cond", turned(loop, "cond", false, ofAttempt))
                .putAttr("body", turned(loop, "body", true, ofAttempt));
        if (loop.getAttrOrDefault("output_shapes", AttrValue.getDefaultInstance())
                        .getList()
                        .getShapeCount()
                > 0) {
            AttrValue.Builder shapes = loop.getAttrOrThrow("output_shapes").toBuilder();
            shapes.getListBuilder()
                    .addShape(TensorShapeProto.getDefaultInstance())
                    .addShape(TensorShapeProto.getDefaultInstance());
            changed.putAttr("output_shapes", shapes.build());
        }
        return changed.build();
    }

    private AttrValue turned(NodeDef loop, String key, boolean body, boolean ofAttempt) {
        String name = loop.getAttrOrThrow(key).getFunc().getName();
        FunctionDef function = functions.get(name);
        int arguments = function.getSignature().getInputArgCount();
        FunctionDef widened =
                FunctionArguments.inserted(function, arguments, TURN).build();
        FunctionDef.Builder turned = FunctionArguments.inserted(widened, arguments + 1, IDENTITY);
        turned.addNodeDef(Protos.constant("praline_one", Protos.int64(1)))
                .addNodeDef(Protos.constant("praline_odd", Protos.int64(FAR)))
                .addNodeDef(Protos.sum("praline_next", TURN, "praline_one:output:0"))
                .addNodeDef(Protos.times("praline_far", IDENTITY, "praline_odd:output:0"))
                .addNodeDef(Protos.sum("praline_here", "praline_far:z:0", "praline_next:z:0"));
        if (body) {
            turned.getSignatureBuilder()
                    .addOutputArg(Protos.arg("praline_turned", DataType.DT_INT64))
                    .addOutputArg(Protos.arg("praline_held", DataType.DT_INT64));
            turned.putRet("praline_turned", "praline_next:z:0").putRet("praline_held", IDENTITY);
        }
        String turnedName = freshName(name + "_turned");
        turned.getSignatureBuilder().setName(turnedName);
        boolean draws = draws(name);
        put(draws ? within(turned.build(), Optional.of("praline_here:z:0"), ofAttempt) : turned.build());
        return FunctionArguments.called(loop, key, turnedName);
    }

    /** Adds the first number of a tensor of any shape; gives its reference. */
    static String firstOf(String tensor, FunctionDef.Builder function) {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        AttrValue int32 = Protos.type(DataType.DT_INT32);
        function.addNodeDef(Protos.constant("praline_row_size", Protos.int32s(-1)))
                .addNodeDef(Protos.node("praline_row_of_tickets", "Reshape", tensor, "praline_row_size:output:0")
                        .putAttr("T", int64)
                        .putAttr("Tshape", int32))
                .addNodeDef(Protos.constant("praline_first_at", Protos.int32(0)))
                .addNodeDef(Protos.node(
                                "praline_first",
                                "GatherV2",
                                "praline_row_of_tickets:output:0",
                                "praline_first_at:output:0",
                                "praline_first_at:output:0")
                        .putAttr("Tparams", int64)
                        .putAttr("Tindices", int32)
                        .putAttr("Taxis", int32)
                        .putAttr("batch_dims", Protos.number(0)));
        return "praline_first:output:0";
    }

    /** The name of a function that yields all its arguments but the last. */
    String withoutLast(List<ElementComponent> components) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder().setName(freshName("praline_without_number"));
        for (int i = 0; i < components.size(); i++) {
            signature.addInputArg(Protos.arg("x" + i, components.get(i).dtype()));
            if (i < components.size() - 1) {
                signature.addOutputArg(Protos.arg("y" + i, components.get(i).dtype()));
                function.putRet("y" + i, "x" + i);
            }
        }
        put(function.build());
        return signature.getName();
    }
}
