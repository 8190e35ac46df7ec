package io.praline.worker.graph.ordering;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DeclaredOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Written;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Which maps that follow each other become one, and what that does. */
class JoinMapsTest {
    private static final JoinMaps JOINING = new JoinMaps(new DeclaredOps());

    private static List<String> joined(Written written) {
        return Written.shown(JOINING.apply(written.graph()));
    }

    private static Written table() {
        return Written.of("float32[4,5]");
    }

    @Test
    void mapsThatFollowEachOtherAreOne() {
        assertThat(joined(table().named("one")
                        .map("a = Exp x", "-> a")
                        .named("two")
                        .map("a = Neg x", "-> a")
                        .named("three")
                        .map("a = Abs x", "-> a")))
                .containsExactly("one to three Abs(Neg(Exp(x))) : float32[4,5]");
        assertThat(joined(table().map("a = Exp x", "-> a x").map("a = Neg y", "-> a x")))
                .containsExactly("Neg(x), Exp(x) : float32[4,5], float32[4,5]");
        PipelineGraph alone = table().map("a = Exp x", "-> a").graph();
        assertThat(JOINING.apply(alone)).isSameAs(alone);
    }

    // both functions call what they capture k, and it is another one
    @Test
    void whatBothCaptureIsHandedToEach() {
        assertThat(joined(table().capturing(Protos.float32(2))
                        .map("a = Mul x k", "-> a")
                        .capturing(Protos.float32(3), Protos.float32(4))
                        .map("a = Sub x k", "b = AddV2 a l", "-> b")))
                .containsExactly("AddV2(Sub(Mul(x, 2.0), 3.0), 4.0) : float32[4,5]");
    }

    @Test
    void nodesThatAreCalledTheSameStayApart() {
        assertThat(joined(table().map("a = Exp x", "b = Neg a", "-> b").map("b = Abs x", "a = Exp b", "-> a")))
                .containsExactly("Exp(Abs(Neg(Exp(x)))) : float32[4,5]");
    }

    @Test
    void whatMustRunRunsInBoth() {
        String[] lines = {"m = Max x [0,1]", "ok = Less m 9.0", "check = Assert ok 'large'", "a = Exp x ^check", "-> a"
        };
        PipelineGraph joined =
                JOINING.apply(checked(table().map(lines).map(lines).graph()));
        FunctionDef function = new MapNode(joined.nodes().get(joined.root())).function(joined.functions());

        assertThat(function.getControlRetMap()).hasSize(2).containsEntry("check", "check");
        assertThat(function.getSignature().getControlOutputList())
                .containsExactlyElementsOf(function.getControlRetMap().keySet());
        assertThat(function.getSignature().getIsStateful()).isTrue();
        assertThat(function.getNodeDefList())
                .filteredOn(node -> node.getOp().equals("Exp"))
                .extracting(node -> node.getInput(1))
                .containsExactly("^check", "^check_1");
    }

    @Test
    void whereOneIsStatefulBothAre() {
        Written written = table().map("a = Exp x", "-> a").map("a = Neg x", "-> a");
        for (NodeDef map : written.graph().nodes().values()) {
            if (MapNode.isMap(map)) {
                String called = map.getAttrOrThrow("f").getFunc().getName();
                Written one = table().map("a = Exp x", "-> a").map("a = Neg x", "-> a");
                one.changed(called, function -> function.getSignatureBuilder().setIsStateful(true));
                PipelineGraph joined = JOINING.apply(one.graph());

                assertThat(joined.functions().values())
                        .extracting(function -> function.getSignature().getIsStateful())
                        .containsExactly(true);
            }
        }
    }

    /** As TensorFlow writes a function with an assertion. */
    private static PipelineGraph checked(PipelineGraph graph) {
        List<FunctionDef> functions = graph.functions().values().stream()
                .map(function -> {
                    FunctionDef.Builder checked = function.toBuilder().putControlRet("check", "check");
                    checked.getSignatureBuilder().setIsStateful(true).addControlOutput("check");
                    return checked.build();
                })
                .toList();
        return new PipelineGraph(graph.nodes().values(), functions, graph.root(), graph.versions());
    }

    @Test
    void mapsThatRunOtherwiseStayApart() {
        assertThat(joined(table().map("a = Exp x", "-> a").calls(2).map("a = Neg x", "-> a")))
                .hasSize(2);
        assertThat(joined(table().calls(3).map("a = Exp x", "-> a").calls(2).map("a = Neg x", "-> a")))
                .hasSize(2);
        assertThat(joined(table().calls(2).map("a = Exp x", "-> a").calls(2).map("a = Neg x", "-> a")))
                .containsExactly("Neg(Exp(x)) beside : float32[4,5]");
        assertThat(joined(table().map("a = Exp x", "-> a").prefetch().map("a = Neg x", "-> a")))
                .hasSize(3);
    }

    @Test
    void oneThatIsPinnedStaysByItself() {
        assertThat(joined(table().named("keep_position_1")
                        .map("a = Exp x", "-> a")
                        .map("a = Neg x", "-> a")))
                .hasSize(2);
        assertThat(joined(table().map("a = Exp x", "-> a")
                        .named("keep_position_2")
                        .map("a = Neg x", "-> a")))
                .hasSize(2);
    }

    @Test
    void mapsOfBatchesStayApartAsTheUserWroteThem() {
        assertThat(joined(table().batch(2, true).map("a = Exp x", "-> a").map("a = Neg x", "-> a")))
                .hasSize(3);
    }

    @Test
    void oneThatOthersReadOrThatWaitsForSomethingStays() {
        PipelineGraph graph =
                table().map("a = Exp x", "-> a").map("a = Neg x", "-> a").graph();
        NodeDef second = graph.nodes().get(graph.root());
        PipelineGraph waiting =
                with(graph, second.toBuilder().addInput("^slices").build());

        assertThat(JOINING.apply(waiting)).isSameAs(waiting);
        NodeDef reader = Protos.node("zip", "ZipDataset", second.getInput(0), second.getName())
                .build();
        PipelineGraph zipped = new PipelineGraph(
                java.util.stream.Stream.concat(graph.nodes().values().stream(), java.util.stream.Stream.of(reader))
                        .toList(),
                graph.functions().values(),
                "zip",
                graph.versions());
        assertThat(JOINING.apply(zipped)).isSameAs(zipped);
    }

    private static PipelineGraph with(PipelineGraph graph, NodeDef changed) {
        return new PipelineGraph(
                graph.nodes().values().stream()
                        .map(node -> node.getName().equals(changed.getName()) ? changed : node)
                        .toList(),
                graph.functions().values(),
                graph.root(),
                graph.versions());
    }
}
