package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** What is said of an argument goes with it when others come or go. */
class FunctionArgumentsTest {
    /** Of {@code a}, {@code b} and {@code c}, of each of which its own name is said. */
    private static FunctionDef function() {
        FunctionDef.Builder function = FunctionDef.newBuilder().putResourceArgUniqueId(1, 5);
        for (String name : List.of("a", "b", "c")) {
            int place = function.getSignature().getInputArgCount();
            function.getSignatureBuilder().setName("f").addInputArg(Protos.arg(name, DataType.DT_FLOAT));
            function.putArgAttr(place, said(name));
        }
        return function.build();
    }

    private static FunctionDef.ArgAttrs said(String name) {
        return FunctionDef.ArgAttrs.newBuilder()
                .putAttr("_user_specified_name", Protos.string(name))
                .build();
    }

    private static List<String> arguments(FunctionDef function) {
        return function.getSignature().getInputArgList().stream()
                .map(OpDef.ArgDef::getName)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"0, n a b c, 1 2 3", "1, a n b c, 0 2 3", "3, a b c n, 0 1 2"})
    void anArgumentMovesUpThoseBehindIt(int place, String names, String places) {
        FunctionDef inserted =
                FunctionArguments.inserted(function(), place, "n").build();

        assertThat(arguments(inserted)).isEqualTo(List.of(names.split(" ", -1)));
        assertThat(inserted.getSignature().getInputArg(place)).isEqualTo(Protos.arg("n", DataType.DT_INT64));
        assertThat(inserted.getArgAttrMap()).isEqualTo(saidAt(places, List.of("a", "b", "c")));
        assertThat(inserted.getResourceArgUniqueIdCount()).isZero();
    }

    @Test
    void whatIsPassedIsYieldedInItsPlace() {
        FunctionDef.Builder function = function().toBuilder().putRet("sum", "add:z:0");
        function.getSignatureBuilder().addOutputArg(Protos.arg("sum", DataType.DT_FLOAT));
        // a component and two that are captured
        FunctionDef passing = FunctionArguments.passing(
                        function.build(), List.of(DataType.DT_STRING), 1, List.of(DataType.DT_INT32, DataType.DT_BOOL))
                .build();

        assertThat(arguments(passing))
                .containsExactly("praline_before_0", "a", "praline_behind_0", "praline_behind_1", "b", "c");
        assertThat(passing.getArgAttrMap()).isEqualTo(saidAt("1 4 5", List.of("a", "b", "c")));
        assertThat(passing.getSignature().getOutputArgList())
                .extracting(argument -> passing.getRetOrThrow(argument.getName()))
                .containsExactly("praline_before_0", "add:z:0", "praline_behind_0", "praline_behind_1");
        assertThat(passing.getSignature().getOutputArgList())
                .extracting(OpDef.ArgDef::getType)
                .containsExactly(DataType.DT_STRING, DataType.DT_FLOAT, DataType.DT_INT32, DataType.DT_BOOL);
        // again, under other names
        assertThat(arguments(FunctionArguments.passing(passing, List.of(DataType.DT_INT64), 4, List.of())
                        .build()))
                .doesNotHaveDuplicates()
                .hasSize(7);
    }

    @ParameterizedTest
    @CsvSource({"0, b c", "1, a c", "2, a b"})
    void withoutOneThoseBehindItMoveDown(int place, String names) {
        FunctionDef removed = FunctionArguments.removed(function(), place);

        assertThat(arguments(removed)).isEqualTo(List.of(names.split(" ", -1)));
        assertThat(removed.getArgAttrMap()).isEqualTo(saidAt("0 1", arguments(removed)));
        assertThat(removed.getResourceArgUniqueIdCount()).isZero();
    }

    private static Map<Integer, FunctionDef.ArgAttrs> saidAt(String places, List<String> names) {
        Map<Integer, FunctionDef.ArgAttrs> said = new HashMap<>();
        for (String place : places.split(" ", -1)) {
            said.put(Integer.valueOf(place), said(names.get(said.size())));
        }
        return said;
    }

    @Test
    void anotherFunctionIsCalledAsTheOneBefore() {
        NodeDef map = Protos.node("map", "MapDataset", "data")
                .putAttr("f", Protos.function("f"))
                .build();

        assertThat(FunctionArguments.called(map, "f", "g")).isEqualTo(Protos.function("g"));
    }

    // what is not yielded takes a name, too
    @Test
    void whatIsPassedIsCalledAsNoOtherArgument() {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder().setName("f").addInputArg(Protos.arg("praline_behind_0", DataType.DT_FLOAT));
        FunctionDef passing = FunctionArguments.passing(function.build(), List.of(), 1, List.of(DataType.DT_INT32))
                .build();

        assertThat(arguments(passing)).containsExactly("praline_behind_0", "praline_behind_0_again");
    }
}
