package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** TensorFlow's ops that draw, and what takes their place so that the draw is a function of a key and of an identity. */
final class Chance {
    /** Those that take a seed of two numbers; the others take a key and a counter behind the shape or the value. */
    private static final Set<String> BY_SEED =
            Set.of("StatelessMultinomial", "StatelessRandomPoisson", "StatelessSampleDistortedBoundingBox");

    private static final Set<String> SEEDS = Set.of("seed", "seed2");

    private Chance() {}

    /** Whether a node draws by seeds of its own. */
    static boolean isDrawn(NodeDef node) {
        return DatasetOps.isDrawn(node)
                || canBeKeyed(node)
                // what may be deterministic takes no seeds where it is not
                || (node.containsAttr("seed") && node.containsAttr("seed2") && !node.containsAttr("deterministic"));
    }

    /** The place of a dataset's first seed among its inputs; the second follows. */
    static int firstSeed(NodeDef dataset) {
        return OpTraits.of(dataset).inputs().get(OpTraits.Input.SEED);
    }

    /** Whether an op has a counterpart that draws by a key. */
    static boolean canBeKeyed(NodeDef node) {
        return OpTraits.of(node).draws() == OpTraits.Draws.KEYABLE;
    }

    static long seed(NodeDef node) {
        return node.getAttrOrDefault("seed", AttrValue.getDefaultInstance()).getI();
    }

    static long seed2(NodeDef node) {
        return node.getAttrOrDefault("seed2", AttrValue.getDefaultInstance()).getI();
    }

    /** The same op with other seeds: the draw stays a sequence, which begins anew in each session. */
    static NodeDef reseeded(NodeDef node, long key) {
        // 0 and 0 would mean: no seed
        return node.toBuilder()
                .putAttr("seed", Protos.number(key | 1))
                .putAttr("seed2", Protos.number(DrawKeys.mix(key)))
                .build();
    }

    /** The same op without seeds. */
    static NodeDef unseeded(NodeDef node) {
        return node.toBuilder()
                .putAttr("seed", Protos.number(0))
                .putAttr("seed2", Protos.number(0))
                .build();
    }

    /**
     * Puts a draw by key and identity into a function, under the name of the op whose place it takes.
     *
     * @param identity the reference of an int64 that tells for what is drawn
     * @param number of the draw in the function, for names
     */
    static void keyed(FunctionDef.Builder function, NodeDef node, long key, String identity, int number) {
        String stateless = OpTraits.of(node).stateless().orElseThrow();
        NodeDef.Builder drawn = BY_SEED.contains(stateless)
                ? bySeed(function, node, key, identity, "praline_draw_" + number)
                : byCounter(function, node, key, identity, "praline_draw_" + number);
        function.addNodeDef(drawn.setName(node.getName()).setOp(stateless));
    }

    // the identity goes into the counter's high word, since the draw itself advances the low one
    private static NodeDef.Builder byCounter(
            FunctionDef.Builder function, NodeDef node, long key, String identity, String prefix) {
        AttrValue uint64 = Protos.type(DataType.DT_UINT64);
        function.addNodeDef(Protos.constant(prefix + "_key", Protos.uint64s(key)))
                .addNodeDef(Protos.constant(prefix + "_low", Protos.uint64(0)))
                .addNodeDef(Protos.node(prefix + "_high", "Cast", identity)
                        .putAttr("SrcT", Protos.type(DataType.DT_INT64))
                        .putAttr("DstT", uint64))
                .addNodeDef(Protos.node(prefix + "_counter", "Pack", prefix + "_low:output:0", prefix + "_high:y:0")
                        .putAttr("N", Protos.number(2))
                        .putAttr("axis", Protos.number(0))
                        .putAttr("T", uint64))
                .addNodeDef(Protos.constant(prefix + "_philox", Protos.int32(1)));
        List<String> inputs = new ArrayList<>(node.getInputList());
        Map<String, AttrValue> attributes = new HashMap<>(withoutSeeds(node));
        switch (node.getOp()) {
            case "RandomShuffle" -> {}
            case "RandomGamma" -> {
                inputs.set(0, shapeOfAll(function, node, prefix));
                attributes = new HashMap<>(
                        Map.of("dtype", node.getAttrOrThrow("T"), "shape_dtype", node.getAttrOrThrow("S")));
            }
            default ->
                attributes = new HashMap<>(Map.of(
                        "Tshape",
                        node.getAttrOrThrow("T"),
                        "dtype",
                        node.getAttrOrThrow(node.containsAttr("Tout") ? "Tout" : "dtype")));
        }
        inputs.addAll(1, List.of(prefix + "_key:output:0", prefix + "_counter:output:0", prefix + "_philox:output:0"));
        return NodeDef.newBuilder().addAllInput(inputs).putAllAttr(attributes);
    }

    private static NodeDef.Builder bySeed(
            FunctionDef.Builder function, NodeDef node, long key, String identity, String prefix) {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        function.addNodeDef(Protos.constant(prefix + "_key", Protos.int64(key)))
                .addNodeDef(Protos.node(prefix + "_seed", "Pack", prefix + "_key:output:0", identity)
                        .putAttr("N", Protos.number(2))
                        .putAttr("axis", Protos.number(0))
                        .putAttr("T", int64));
        List<String> inputs = new ArrayList<>(node.getInputList());
        Map<String, AttrValue> attributes = new HashMap<>(withoutSeeds(node));
        int place = 2;
        switch (node.getOp()) {
            case "RandomPoisson", "RandomPoissonV2" -> {
                inputs.set(0, shapeOfAll(function, node, prefix));
                AttrValue dtype = node.getAttrOrThrow("dtype");
                attributes = new HashMap<>(Map.of(
                        "Rtype", node.getAttrOrDefault("R", dtype), "dtype", dtype, "T", node.getAttrOrThrow("S")));
                place = 1;
            }
            case "SampleDistortedBoundingBox" -> {
                float covered = attributes
                        .getOrDefault(
                                "min_object_covered",
                                AttrValue.newBuilder().setF(0.1f).build())
                        .getF();
                attributes.remove("min_object_covered");
                function.addNodeDef(Protos.constant(prefix + "_covered", Protos.float32(covered)));
                inputs.add(2, prefix + "_covered:output:0");
                place = 3;
            }
            case "SampleDistortedBoundingBoxV2" -> place = 3;
            default -> {}
        }
        inputs.add(place, prefix + "_seed:output:0");
        attributes.put("Tseed", int64);
        return NodeDef.newBuilder().addAllInput(inputs).putAllAttr(attributes);
    }

    private static Map<String, AttrValue> withoutSeeds(NodeDef node) {
        Map<String, AttrValue> attributes = new HashMap<>(node.getAttrMap());
        attributes.keySet().removeIf(key -> SEEDS.contains(key) || key.startsWith("_praline"));
        return attributes;
    }

    /** The shape behind which the ops with a distribution's parameters append that of the parameter. */
    private static String shapeOfAll(FunctionDef.Builder function, NodeDef node, String prefix) {
        AttrValue shapeType = node.getAttrOrThrow("S");
        AttrValue parameter = node.getOp().equals("RandomGamma")
                ? node.getAttrOrThrow("T")
                : node.getAttrOrDefault("R", node.getAttrOrThrow("dtype"));
        function.addNodeDef(Protos.node(prefix + "_parameter_shape", "Shape", node.getInput(1))
                        .putAttr("T", parameter)
                        .putAttr("out_type", shapeType))
                .addNodeDef(Protos.constant(prefix + "_axis", Protos.int32(0)))
                .addNodeDef(Protos.node(
                                prefix + "_shape",
                                "ConcatV2",
                                node.getInput(0),
                                prefix + "_parameter_shape:output:0",
                                prefix + "_axis:output:0")
                        .putAttr("N", Protos.number(2))
                        .putAttr("T", shapeType)
                        .putAttr("Tidx", Protos.type(DataType.DT_INT32)));
        return prefix + "_shape:output:0";
    }
}
