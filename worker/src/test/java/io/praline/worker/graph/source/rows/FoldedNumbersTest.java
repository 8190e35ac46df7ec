package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What {@code out} is, computed of constants. */
class FoldedNumbersTest {
    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static Optional<List<Long>> folded(NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        Stream.of(
                        Protos.constant("zero", Protos.int32(0)),
                        Protos.constant("one", Protos.int32(1)),
                        Protos.constant("three", Protos.int32(3)),
                        Protos.constant("last", Protos.int32s(-1)),
                        Protos.constant("list", Protos.int32s(5, 7)),
                        node("range", "Range", "zero:o:0", "three:o:0", "one:o:0"))
                .forEach(function::addNodeDef);
        Stream.of(nodes).forEach(function::addNodeDef);
        return new FoldedNumbers(Scope.ofFunction(function.build())).of("out:o:0");
    }

    private static NodeDef.Builder one(String list, String place) {
        return node("out", "StridedSlice", list, place, "zero:o:0", "one:o:0")
                .putAttr("shrink_axis_mask", Protos.number(1));
    }

    @Test
    void listsAreJoinedAndCountedAndTakenFrom() {
        assertThat(folded(node("out", "ConcatV2", "list:o:0", "range:o:0", "zero:o:0")))
                .contains(List.of(5L, 7L, 0L, 1L, 2L));
        assertThat(folded(node("out", "Pack", "three:o:0", "one:o:0"))).contains(List.of(3L, 1L));
        assertThat(folded(one("range:o:0", "last:o:0"))).contains(List.of(2L));
        assertThat(folded(node("out", "Sub", "three:o:0", "one:o:0"))).contains(List.of(2L));
        assertThat(folded(node("out", "AddV2", "list:o:0", "list:o:0"))).contains(List.of(10L, 14L));
        assertThat(folded(node("out", "Mul", "three:o:0", "three:o:0"))).contains(List.of(9L));
        assertThat(folded(node("out", "Maximum", "three:o:0", "one:o:0"))).contains(List.of(3L));
        assertThat(folded(node("out", "Minimum", "three:o:0", "one:o:0"))).contains(List.of(1L));
    }

    @Test
    void whatIsNotComputedOfConstantsIsNotKnown() {
        assertThat(folded(node("out", "Sub", "three:o:0", "x"))).isEmpty();
        assertThat(folded(node("out", "Sub", "list:o:0", "one:o:0"))).isEmpty();
        assertThat(folded(node("out", "Pack", "list:o:0", "one:o:0"))).isEmpty();
        assertThat(folded(node("out", "ConcatV2", "list:o:0", "three:o:0", "zero:o:0")))
                .isEmpty();
        assertThat(folded(node("out", "Range", "zero:o:0", "three:o:0", "three:o:0")))
                .isEmpty();
        assertThat(folded(one("range:o:0", "three:o:0"))).isEmpty();
        assertThat(folded(node("out", "MakeSomething", "three:o:0"))).isEmpty();
        assertThat(folded(node("out", "StridedSlice", "list:o:0", "last:o:0", "zero:o:0", "one:o:0")))
                .isEmpty();
    }
}
