package io.praline.tests.bench;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskNodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * The beginning of a task's graph, up to one of its datasets. What comes out there is thrown away within TensorFlow, many
 * elements at a time, since a fetch of each would cost more than what is to be measured: windows keep elements as they are,
 * and a window becomes a number.
 *
 * @param node the last dataset's
 * @param elements of a window
 */
record Prefix(String node, int elements) {
    private static final String WINDOW = "bench/window";
    private static final String NUMBER = "bench/number";
    private static final String OPTIONS = "praline/budget";
    private static final ElementComponent INT64 = ElementComponent.of(DataType.DT_INT64, Protos.SCALAR);

    /** The datasets between a source and the end, from the source on. */
    static List<NodeDef> datasets(TaskGraph task) {
        Map<String, NodeDef> nodes = new HashMap<>();
        task.graph().getNodeList().forEach(node -> nodes.put(node.getName(), node));
        List<NodeDef> path = new ArrayList<>();
        NodeDef at = nodes.get(nodes.get(OPTIONS).getInput(0));
        path.add(at);
        while (!at.getOp().equals("FlatMapDataset")) {
            at = nodes.get(Scope.nodeOf(at.getInput(0)));
            path.add(0, at);
        }
        return path;
    }

    TaskGraph of(TaskGraph task) {
        GraphDef.Builder graph = task.graph().toBuilder().clearNode();
        int components = 0;
        for (NodeDef given : task.graph().getNodeList()) {
            if (given.getName().equals(node)) {
                components = DatasetOps.components(given).size();
            }
            boolean fetched = given.getInputList().stream().anyMatch(input -> input.startsWith(TaskNodes.NEXT));
            if (!fetched) {
                graph.addNode(changed(given));
            }
        }
        graph.addNode(Protos.constant("bench/elements", Protos.int64(elements)));
        graph.addNode(Protos.constant("bench/one", Protos.int64(1)));
        graph.addNode(Protos.constant("bench/no", Protos.flag(false)));
        graph.addNode(
                Protos.node(WINDOW, "WindowDataset", node, "bench/elements", "bench/elements", "bench/one", "bench/no")
                        .putAttr("output_types", Protos.types(Collections.nCopies(components, DataType.DT_VARIANT)))
                        .putAttr("output_shapes", Protos.shapes(Collections.nCopies(components, Protos.SCALAR))));
        FunctionDef.Builder number = FunctionDef.newBuilder();
        number.getSignatureBuilder().setName("bench_number").addOutputArg(Protos.arg("number", DataType.DT_INT64));
        for (int i = 0; i < components; i++) {
            number.getSignatureBuilder().addInputArg(Protos.arg("component_" + i, DataType.DT_VARIANT));
        }
        number.addNodeDef(Protos.constant("zero", Protos.int64(0))).putRet("number", "zero:output:0");
        graph.getLibraryBuilder().addFunction(number);
        graph.addNode(typed(Protos.node(NUMBER, "MapDataset", WINDOW)
                .putAttr("f", Protos.function("bench_number"))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("use_inter_op_parallelism", Protos.bool(true))
                .putAttr("preserve_cardinality", Protos.bool(true))));
        return new TaskGraph(
                graph.build(),
                List.of(INT64),
                OptionalInt.empty(),
                Optional.empty(),
                false,
                task.sources(),
                Optional.empty(),
                task.readers(),
                task.root(),
                task.written());
    }

    private static NodeDef changed(NodeDef given) {
        NodeDef.Builder node = given.toBuilder();
        if (given.getName().equals(OPTIONS)) {
            node.setInput(0, NUMBER);
        }
        boolean ofTheEnd = given.getName().equals(OPTIONS)
                || given.getOp().equals("IteratorV2")
                || given.getName().equals(TaskNodes.NEXT);
        return ofTheEnd ? typed(node).build() : node.build();
    }

    private static NodeDef.Builder typed(NodeDef.Builder node) {
        AttrValue types = Protos.types(List.of(INT64.dtype()));
        return node.putAttr("output_types", types).putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)));
    }
}
