package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.FunctionText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;

/** Functions of fractions {@code x} and a number {@code n}: do they fail where a batch has another number of rows than they assert? */
class SizeChecksTest {
    private final Map<String, FunctionDef> functions = new LinkedHashMap<>();

    private FunctionDef function(String name, String... lines) {
        Map<String, DataType> arguments = new LinkedHashMap<>();
        arguments.put("x", DataType.DT_FLOAT);
        arguments.put("n", DataType.DT_INT32);
        FunctionDef function = FunctionText.of(name, arguments, functions, lines);
        functions.put(name, function);
        return function;
    }

    private boolean fails(String... lines) {
        return new SizeChecks(functions).areMadeBy(function("f", lines));
    }

    @Test
    void aSizeThatIsAssertedFailsForOthers() {
        assertThat(fails("s = Size x out_type=int32", "ok = Less s 9", "check = Assert ok 'large'", "-> x"))
                .isTrue();
        assertThat(fails(
                        "check = Assert ok 'large'", "ok = Less t 9", "t = Neg s", "s = Size x out_type=int32", "-> x"))
                .isTrue();
    }

    @Test
    void valuesThatAreAssertedAndSizesThatAreSaidAreNone() {
        assertThat(fails("ok = Less n 9", "check = Assert ok 'large'", "-> x")).isFalse();
        assertThat(fails("s = Size x out_type=int32", "ok = Less n 9", "check = Assert ok s", "-> x"))
                .isFalse();
        assertThat(fails("s = Size x out_type=int32", "ok = Less n 9 ^s", "check = Assert ok 'large'", "-> x"))
                .isFalse();
    }

    // of (rows, 4, 5) only the first is the number of rows
    @ParameterizedTest
    @ValueSource(strings = {"[0]", "[0] begin_mask=0", "[1] begin_mask=1", "[-1]", "n"})
    void theFirstSizeIsTheNumberOfRows(String from) {
        assertThat(sliced(from)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "[2]", "[1] begin_mask=2"})
    void theOthersAreTheSameForAllBatches(String from) {
        assertThat(sliced(from)).isFalse();
    }

    private boolean sliced(String from) {
        String[] begin = from.split(" ", -1);
        return fails(
                "s = Shape x out_type=int32",
                "cut = StridedSlice s " + begin[0] + " [9] [1]" + (begin.length > 1 ? " " + begin[1] : ""),
                "ok = Less cut 9",
                "check = Assert ok 'large'",
                "-> x");
    }

    @Test
    void aFunctionThatIsCalledIsToldWhichOfItsArgumentsAreSizes() {
        function("asserts", "ok = Less n 9", "check = Assert ok 'large'", "-> x n");
        String[] call = {"s = Size x out_type=int32", "a = PartitionedCall x s f=@asserts Tout={float32,int32}", "-> a"
        };
        assertThat(fails(call)).isTrue();
        call[1] = "a = PartitionedCall x n f=@asserts Tout={float32,int32}";
        assertThat(fails(call)).isFalse();
        call[1] = "a = PartitionedCall x s f=@elsewhere Tout={float32,int32}";
        assertThat(fails(call)).isFalse();
        function("calls", "a = PartitionedCall x n f=@asserts Tout={float32,int32}", "-> a n");
        call[1] = "a = PartitionedCall x s f=@calls Tout={float32,int32}";
        assertThat(fails(call)).isTrue();
    }

    // the condition stands in front of what a branch is given
    @Test
    void aBranchThatRunsForSomeSizesOnlyMayAssertAnything() {
        function("asserts", "ok = Less n 9", "check = Assert ok 'large'", "-> x n");
        function("same", "-> x n");
        function("calls", "a = PartitionedCall x n f=@asserts Tout={float32,int32}", "-> a n");
        for (String branch : List.of("asserts", "calls")) {
            assertThat(chosen("c = Less s 9", "n", branch)).isTrue();
            assertThat(chosen("c = Less n 9", "n", branch)).isFalse();
            assertThat(chosen("c = Less n 9", "s", branch)).isTrue();
        }
        assertThat(chosen("c = Less s 9", "s", "same")).isFalse();
    }

    private boolean chosen(String condition, String given, String branch) {
        return fails(
                "s = Size x out_type=int32",
                condition,
                "a = StatelessIf c x " + given + " Tout={float32,int32} then_branch=@" + branch + " else_branch=@same",
                "-> a");
    }
}
