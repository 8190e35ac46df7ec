package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

class ScopeTest {
    private static final NodeDef NUMBERS = Protos.node("numbers", "RangeDataset")
            .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
            .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
            .build();

    private static final ElementComponent NUMBER = new ElementComponent(DataType.DT_INT64, true, List.of());

    private static FunctionDef function(NodeDef... nodes) {
        return FunctionDef.newBuilder().addAllNodeDef(List.of(nodes)).build();
    }

    @Test
    void aReferenceNamesItsNodeInGraphsFunctionsAndWhereItIsOnlyWaitedFor() {
        assertThat(Scope.nodeOf("a")).isEqualTo("a");
        assertThat(Scope.nodeOf("a:1")).isEqualTo("a");
        assertThat(Scope.nodeOf("a:handle:0")).isEqualTo("a");
        assertThat(Scope.nodeOf("^a")).isEqualTo("a");
    }

    @Test
    void outputsAreNamedAsTheirLevelNamesThem() {
        Scope graph = Scope.ofGraph(List.of());
        Scope body = Scope.ofFunction(function());

        assertThat(graph.addDataset(NUMBERS.toBuilder())).isEqualTo("numbers");
        assertThat(body.addDataset(NUMBERS.toBuilder())).isEqualTo("numbers:handle:0");
        assertThat(graph.constant("one", Protos.int64(1))).isEqualTo("praline/one");
        assertThat(graph.constant("one", Protos.int64(1))).isEqualTo("praline/one_1");
        assertThat(graph.constant("one", Protos.int64(1))).isEqualTo("praline/one_2");
        assertThat(body.constant("one", Protos.int64(1))).isEqualTo("praline/one:output:0");
        assertThat(graph.isFunction()).isFalse();
        assertThat(body.isFunction()).isTrue();
    }

    @Test
    void behindIdentitiesStandsWhatTheyWereGiven() {
        Scope body = Scope.ofFunction(function(
                NUMBERS,
                Protos.node("one", "Identity", "numbers:handle:0").build(),
                Protos.node("other", "Identity", "one:output:0").build(),
                Protos.node("given", "Identity", "x").build()));

        assertThat(body.behindIdentities("other:output:0")).isEqualTo("numbers:handle:0");
        assertThat(body.behindIdentities("given:output:0")).isEqualTo("x");
        assertThat(body.isArgument("given:output:0")).isTrue();
        assertThat(body.isArgument("other:output:0")).isFalse();
        assertThat(body.producer("other:output:0")).map(NodeDef::getName).contains("other");
        assertThat(body.producer("x")).isEmpty();
    }

    @Test
    void allThatUseANodeOrWaitForItUseAnother() {
        Scope graph = Scope.ofGraph(List.of(
                NUMBERS,
                Protos.node("taken", "TakeDataset", "numbers", "count", "^numbers")
                        .build(),
                Protos.node("second", "MapDataset", "numbers:1", "other").build(),
                Protos.node("new", "SkipDataset", "numbers", "count").build()));

        graph.redirect("numbers", "new:2");

        assertThat(graph.node("taken").getInputList()).containsExactly("new:2", "count", "^new");
        assertThat(graph.node("second").getInputList()).containsExactly("new:2", "other");
        assertThat(graph.node("new").getInputList()).containsExactly("numbers", "count");
    }

    @Test
    void whatANodeIsMissingIsSaidWithItsName() {
        assertThatThrownBy(() -> Scope.ofGraph(List.of()).node("gone"))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessage("the graph refers to a node that it does not hold: gone");
    }

    @Test
    void elementsConsistOfWhatTheDatasetSaysOrOfWhatWasGivenOfAnArgument() {
        FunctionDef function = function(
                NUMBERS,
                Protos.node("same", "Identity", "numbers:handle:0").build(),
                Protos.node("window", "Identity", "w").build(),
                Protos.node("value", "Neg", "x").build());
        Scope body = Scope.ofFunction(function, Map.of("w", List.of(NUMBER, NUMBER)));

        assertThat(body.components("same:output:0")).containsExactly(NUMBER);
        assertThat(body.components("window:output:0")).containsExactly(NUMBER, NUMBER);
        assertThat(body.knownComponents("x")).isEqualTo(Optional.empty());
        assertThat(body.knownComponents("value:y:0")).isEqualTo(Optional.empty());
        assertThatThrownBy(() -> body.components("x"))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessage("nothing is known of the elements of the dataset x");
    }
}
