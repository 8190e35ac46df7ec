package io.praline.worker.graph.spelling;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;

/**
 * Writes transformations that TensorFlow has in one piece as those they consist of, through which elements can be followed:
 *
 * <pre>
 *   MapAndBatch(f, n)      a parallel map with f, and a batch of n
 *   ParseExampleDataset    a parallel map with ParseExampleV2, where all features are dense
 *   a zip of constants     slices of one of several components: {@link ZippedConstants}
 *   several CSV files      a flat map over their names: {@link CsvFiles}
 *   a layer's seeds        draws, in place of a variable that counts: {@link SeedGenerators}
 *   a generator's state    a draw, in place of a variable that is moved on: {@link RandomGenerators}
 *   a fixed shuffle        one with seeds, where it had none and parts of it are taken: {@link FixedShuffles}
 * </pre>
 *
 * What comes out is the same, in the same order. Comes before all that looks into a pipeline.
 */
public final class SpellOut implements Pass {
    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Map<String, FunctionDef> functions = new LinkedHashMap<>(pipeline.functions());
        boolean changed = false;
        for (NodeDef node : scope.nodes()) {
            if (node.getOp().endsWith("MapAndBatchDataset")) {
                mapAndBatch(node, scope);
                changed = true;
            } else if (node.getOp().matches("(Experimental)?ParseExampleDataset(V2)?") && isDense(node)) {
                parse(node, scope, functions);
                changed = true;
            }
        }
        changed |= ZippedConstants.joined(scope, functions);
        changed |= CsvFiles.opened(scope, functions);
        changed |= FixedShuffles.seed(pipeline, scope);
        Map<String, FunctionDef> drawing = SeedGenerators.drawn(scope, functions);
        functions.putAll(drawing);
        changed |= !drawing.isEmpty();
        Map<String, FunctionDef> generating = RandomGenerators.drawn(scope, functions);
        functions.putAll(generating);
        changed |= !generating.isEmpty();
        return changed
                ? new PipelineGraph(scope.nodes(), functions.values(), pipeline.root(), pipeline.versions())
                : pipeline;
    }

    private static void mapAndBatch(NodeDef node, Scope scope) {
        OpTraits traits = OpTraits.of(node);
        List<String> inputs = inputs(node);
        int captured = inputs.size() - 4;
        List<ElementComponent> batches = DatasetOps.components(node);
        // a name as the user's steps have: it fails, and is passed over, as they do
        NodeDef.Builder map = Protos.node(scope.unused(node.getName() + "/map"), "ParallelMapDatasetV2")
                .addAllInput(inputs.subList(0, 1 + captured))
                .addInput(inputs.get(captured + 2))
                .putAttr("f", node.getAttrOrThrow("f"))
                .putAttr("Targuments", node.getAttrOrThrow("Targuments"))
                .putAttr("use_inter_op_parallelism", Protos.bool(true))
                .putAttr("deterministic", Protos.string("default"))
                .putAttr("preserve_cardinality", node.getAttrOrDefault("preserve_cardinality", Protos.bool(false)));
        DatasetOps.setComponents(
                map, "output_types", batches.stream().map(SpellOut::elementOf).toList());
        NodeDef.Builder batch = Protos.node(
                        node.getName(),
                        "BatchDatasetV2",
                        scope.addDataset(map),
                        traits.input(node, OpTraits.Input.SIZE).orElseThrow(),
                        traits.input(node, OpTraits.Input.REMAINDER).orElseThrow())
                .putAttr("parallel_copy", Protos.bool(false));
        DatasetOps.setComponents(batch, "output_types", batches);
        keepName(node, batch);
        scope.put(batch.build());
    }

    private static ElementComponent elementOf(ElementComponent batch) {
        List<Long> shape = batch.shape();
        return new ElementComponent(
                batch.dtype(), batch.rankKnown(), shape.isEmpty() ? shape : shape.subList(1, shape.size()));
    }

    private static boolean isDense(NodeDef node) {
        return strings(node, "sparse_keys").isEmpty()
                && strings(node, "ragged_keys").isEmpty();
    }

    private static List<String> strings(NodeDef node, String key) {
        return node.getAttrOrDefault(key, AttrValue.getDefaultInstance()).getList().getSList().stream()
                .map(value -> value.toStringUtf8())
                .toList();
    }

    private static void parse(NodeDef node, Scope scope, Map<String, FunctionDef> functions) {
        String name = PipelineGraph.freshName("praline_parse", functions);
        functions.put(name, parsing(name, node));
        List<String> inputs = inputs(node);
        NodeDef.Builder map = Protos.node(node.getName(), "ParallelMapDatasetV2", inputs.get(0))
                .addAllInput(inputs.subList(2, inputs.size()))
                .addInput(inputs.get(1))
                .putAttr("f", Protos.function(name))
                .putAttr("Targuments", node.getAttrOrThrow("Tdense"))
                .putAttr("use_inter_op_parallelism", Protos.bool(true))
                .putAttr("deterministic", Protos.string(order(node)))
                .putAttr("preserve_cardinality", Protos.bool(true));
        DatasetOps.setComponents(map, "output_types", DatasetOps.components(node));
        keepName(node, map);
        scope.put(map.build());
    }

    private static String order(NodeDef parse) {
        if (parse.containsAttr("deterministic")) {
            return parse.getAttrOrThrow("deterministic").getS().toStringUtf8();
        }
        return parse.getAttrOrDefault("sloppy", Protos.bool(false)).getB() ? "false" : "default";
    }

    /** Features come in the order of their names, as the dataset has them. */
    private static FunctionDef parsing(String name, NodeDef node) {
        List<DataType> types = node.getAttrOrThrow("Tdense").getList().getTypeList();
        List<String> keys = strings(node, "dense_keys");
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature =
                function.getSignatureBuilder().setName(name).addInputArg(Protos.arg("serialized", DataType.DT_STRING));
        NodeDef.Builder parse = Protos.node(
                        "parsed",
                        "ParseExampleV2",
                        "serialized",
                        "names:output:0",
                        "none:output:0",
                        "keys:output:0",
                        "none:output:0")
                .putAttr("Tdense", node.getAttrOrThrow("Tdense"))
                .putAttr("num_sparse", Protos.number(0))
                .putAttr("sparse_types", Protos.types(List.of()))
                .putAttr("ragged_value_types", Protos.types(List.of()))
                .putAttr("ragged_split_types", Protos.types(List.of()))
                .putAttr("dense_shapes", node.getAttrOrThrow("dense_shapes"));
        Map<String, Integer> places = new TreeMap<>();
        for (int i = 0; i < keys.size(); i++) {
            signature.addInputArg(Protos.arg("default_" + i, types.get(i)));
            parse.addInput("default_" + i);
            places.put(keys.get(i), i);
        }
        for (int place : new ArrayList<>(places.values())) {
            signature.addOutputArg(Protos.arg("feature_" + place, types.get(place)));
            function.putRet("feature_" + place, "parsed:dense_values:" + place);
        }
        return function.addNodeDef(vector("names", List.of()))
                .addNodeDef(vector("none", List.of()))
                .addNodeDef(vector(
                        "keys", node.getAttrOrThrow("dense_keys").getList().getSList()))
                .addNodeDef(parse)
                .build();
    }

    private static NodeDef.Builder vector(String name, List<ByteString> values) {
        return Protos.constant(
                name,
                TensorProto.newBuilder()
                        .setDtype(DataType.DT_STRING)
                        .setTensorShape(Protos.shape((long) values.size()))
                        .addAllStringVal(values)
                        .build());
    }

    private static List<String> inputs(NodeDef node) {
        return Scope.given(node).toList();
    }

    private static void keepName(NodeDef from, NodeDef.Builder to) {
        if (from.containsAttr("metadata")) {
            to.putAttr("metadata", from.getAttrOrThrow("metadata"));
        }
    }
}
