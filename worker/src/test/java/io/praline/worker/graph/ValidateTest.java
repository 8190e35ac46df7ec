package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** What is no pipeline that can run here is refused where it is read, in words that say where it is and why. */
class ValidateTest {
    private static final String WRITE = "; write to the file what dataset._as_serialized_graph().numpy() gives";

    private static GraphDef.Builder graph(NodeDef.Builder... nodes) {
        GraphDef.Builder graph = GraphDef.newBuilder();
        Stream.of(nodes).forEach(graph::addNode);
        return graph;
    }

    private static NodeDef.Builder returned(String name) {
        return Protos.node("result", "_Retval", name);
    }

    private static void refused(String why, GraphDef.Builder graph) {
        assertThatThrownBy(() -> PipelineGraph.parse(graph.build().toByteArray(), Pipelines.ANY_OP))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessage(why);
    }

    private static NodeDef.Builder yields(NodeDef.Builder node, DataType type) {
        return node.putAttr("output_types", Protos.types(List.of(type)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)));
    }

    private static NodeDef.Builder one() {
        return Protos.constant("one", Protos.int64(1));
    }

    private static NodeDef.Builder range() {
        return yields(Protos.node("range", "RangeDataset", "one", "one", "one"), DataType.DT_INT64);
    }

    /** A map over the range, whose function has a node of an op, behind a call of another function or not. */
    private static GraphDef.Builder running(NodeDef.Builder inner, boolean behindACall) {
        FunctionDef.Builder function = FunctionDef.newBuilder().addNodeDef(inner);
        function.getSignatureBuilder().setName("inner");
        FunctionDef.Builder calling = FunctionDef.newBuilder()
                .addNodeDef(Protos.node("call", "PartitionedCall").putAttr("f", Protos.function("inner")))
                .addNodeDef(Protos.node("again", "PartitionedCall").putAttr("f", Protos.function("calling")));
        calling.getSignatureBuilder().setName("calling");
        GraphDef.Builder graph = graph(
                one(),
                range(),
                yields(Protos.node("map", "MapDataset", "range"), DataType.DT_INT64)
                        .putAttr("f", Protos.function(behindACall ? "calling" : "inner")),
                returned("map"));
        graph.getLibraryBuilder().addFunction(function).addFunction(calling);
        return graph;
    }

    @Test
    void whatReturnsNoDatasetIsNoPipeline() {
        refused("the pipeline is a GraphDef without nodes" + WRITE, graph().setVersions(Written.VERSIONS));
        refused(
                "the pipeline must return one dataset (a node _Retval), it returns none" + WRITE,
                graph(one(), range()));
        refused(
                "the pipeline must return one dataset (a node _Retval), it returns 2 things" + WRITE,
                graph(one(), range(), returned("range"), returned("one")));
        refused(
                "the pipeline must return one dataset (a node _Retval), it returns 1 things" + WRITE,
                graph(one(), Protos.node("result", "_Retval")));
        refused(
                "the pipeline must return a dataset, it returns the output of one (Const)",
                graph(one(), returned("one")));
        refused("the graph refers to a node that it does not hold: one", graph(range(), returned("range")));
    }

    @Test
    void onlyWhatJavaHasTensorsOfIsDelivered() {
        for (DataType type : List.of(DataType.DT_VARIANT, DataType.DT_RESOURCE)) {
            refused(
                    "component 0 of the pipeline's elements is ragged, sparse or a dataset ("
                            + new ElementComponent(type, true, List.of()).dtypeName()
                            + "): only dense tensors can be delivered, use to_tensor, to_dense or flat_map in the"
                            + " transformation take",
                    graph(one(), yields(Protos.node("take", "TakeDataset", "one", "one"), type), returned("take")));
        }
        refused(
                "component 0 of the pipeline's elements is float8_e5m2, which cannot be delivered: cast it in the"
                        + " transformation take",
                graph(
                        one(),
                        yields(Protos.node("take", "TakeDataset", "one", "one"), DataType.DT_FLOAT8_E5M2),
                        returned("take")));
    }

    @Test
    void pythonDoesNotTravelWithTheGraph() {
        for (String op : List.of("PyFunc", "PyFuncStateless", "EagerPyFunc")) {
            for (boolean behindACall : List.of(false, true)) {
                refused(
                        "the transformation map calls Python code (" + op + " in node python): it does not travel with"
                                + " the graph and cannot run here; write it with TensorFlow's operations",
                        running(Protos.node("python", op), behindACall));
            }
        }
    }

    @Test
    void anOpThatThisTensorFlowLacksIsNamed() {
        for (boolean behindACall : List.of(false, true)) {
            refused(
                    "the transformation map uses the operation AddFromTheFuture (node sum), which TensorFlow of the"
                            + " test does not have; use another",
                    running(Protos.node("sum", "AddFromTheFuture"), behindACall));
        }
        GraphDef.Builder calling = running(Protos.node("call", "sumFromTheFuture"), false);
        FunctionDef.Builder sum = FunctionDef.newBuilder();
        sum.getSignatureBuilder().setName("sumFromTheFuture");
        calling.getLibraryBuilder().addFunction(sum);

        assertThat(PipelineGraph.parse(calling.build().toByteArray(), Pipelines.ANY_OP)
                        .functions())
                .containsKey("sumFromTheFuture");
    }

    @Test
    void theUsersNameOfATransformationIsSaid() {
        refused(
                "the transformation decode uses the operation ReadFromTheFuture (node step_2), which TensorFlow of the"
                        + " test does not have; use another",
                renamed(Written.of("int32").named("decode").map("-> x").graph(), "ReadFromTheFuture"));
    }

    private static GraphDef.Builder renamed(PipelineGraph pipeline, String op) {
        GraphDef.Builder graph = pipeline.toGraphDef().addNode(returned(pipeline.root()));
        graph.getNodeBuilderList().stream()
                .filter(node -> node.getName().equals(pipeline.root()))
                .forEach(node -> node.setOp(op));
        return graph;
    }

    // of a table of the Python process the graph has a handle, which nobody else can open
    @Test
    void aResourceOfTheProcessIsNoConstant() {
        TensorProto handle =
                TensorProto.newBuilder().setDtype(DataType.DT_RESOURCE).build();
        GraphDef.Builder capturing = running(Protos.node("find", "LookupTableFindV2", "table"), false);
        capturing.addNode(Protos.constant("table", handle));
        capturing.getNodeBuilderList().stream()
                .filter(node -> node.getName().equals("map"))
                .forEach(node -> node.addInput("table"));

        refused(
                "the transformation map uses a table or another resource of the Python process, whose content is not in"
                        + " the graph: use tf.lookup.StaticHashTable or a constant",
                capturing);
        // the state of a shuffle is such a handle, and nobody needs what it holds
        GraphDef.Builder shuffle = graph(
                one(),
                range(),
                Protos.constant("state", handle),
                yields(
                        Protos.node("shuffle", "ShuffleDatasetV3", "range", "one", "one", "one", "state"),
                        DataType.DT_INT64),
                returned("shuffle"));
        assertThat(PipelineGraph.parse(shuffle.build().toByteArray(), Pipelines.ANY_OP)
                        .root())
                .isEqualTo("shuffle");
    }
}
