package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.FunctionText;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.Written;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Functions whose draws are keyed: what they call, and what they are given for that. */
class KeyedFunctionsTest {
    private static final String KEYED = "StatelessRandomUniformV2<float32>([], [KEY], Pack(0, Cast<uint64>(";

    private final Map<String, FunctionDef> functions;
    private final String map;

    KeyedFunctionsTest() {
        PipelineGraph stamped = new StampDraws()
                .apply(Written.of("float32")
                        .function("noise", List.of("float32"), "r = RandomUniform [] dtype=float32", "-> r")
                        .function("still", List.of("float32"), "-> a")
                        .map(
                                "a = PartitionedCall x f=@noise Tout={float32}",
                                "b = noise x",
                                "c = Less x 0.5",
                                "d = StatelessIf c x Tout={float32} then_branch=@noise else_branch=@still",
                                "e = PartitionedCall x f=@still Tout={float32}",
                                "r = RandomUniform [] dtype=float32",
                                "-> a b d e r")
                        .graph());
        functions = new LinkedHashMap<>(stamped.functions());
        map = stamped.nodes().get(stamped.root()).getAttrOrThrow("f").getFunc().getName();
    }

    private KeyedFunctions keyed() {
        return new KeyedFunctions(functions, new DrawKeys(1, 0, 0), (function, identity, ofAttempt) -> function);
    }

    private static String shown(FunctionDef function, String... names) {
        return FunctionText.shown(function, List.of(names))
                .replaceAll("\\[-?\\d{5,}\\]", "[KEY]")
                .replaceAll("_at_[0-9a-f]+", "_AT");
    }

    @Test
    void whatIsCalledIsGivenTheIdentityWhereItDraws() {
        KeyedFunctions keyed = keyed();
        FunctionDef made = keyed.keyed(functions.get(map), Optional.of("x"), false);

        assertThat(shown(made, "x"))
                .isEqualTo("PartitionedCall<f=noise_AT_drawn>(x, x), noise_AT_drawn(x, x),"
                        + " StatelessIf<else_branch=still_drawn then_branch=noise_AT_drawn>(Less(x, 0.5), x, x),"
                        + " PartitionedCall<f=still>(x), " + KEYED + "x)), 1)");
        List<FunctionDef> drawn = made.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("PartitionedCall"))
                .limit(1)
                .map(node -> keyed.get(node.getAttrOrThrow("f").getFunc().getName()))
                .toList();
        assertThat(shown(drawn.get(0), "a", "id")).isEqualTo(KEYED + "id)), 1)");
        assertThat(shown(keyed.get("still_drawn"), "a", "id")).isEqualTo("a");
    }

    @Test
    void eachPlaceHasAKeyOfItsOwnAndEachTurnOfTheSameJobTheSame() {
        String once = keyed().keyed(functions.get(map), Optional.of("x"), false).toString();

        assertThat(keyed().keyed(functions.get(map), Optional.of("x"), false)).hasToString(once);
        assertThat(keyed().keyed(functions.get(map), Optional.of("x"), true).toString())
                .isNotEqualTo(once);
    }

    // each call draws what it likes, as it does in one process
    @Test
    void whereNothingTellsForWhatIsDrawnDrawsStayAsTheyAre() {
        assertThat(shown(keyed().keyed(functions.get(map), Optional.empty(), false), "x"))
                .endsWith(" PartitionedCall<f=still>(x), RandomUniform<float32>([])");
    }

    @Test
    void whatFunctionsDrawIsToldOfThoseThatTheyCallToo() {
        assertThat(keyed().draws(map)).isTrue();
        assertThat(keyed().draws("still")).isFalse();
        assertThat(keyed().draws("gone")).isFalse();
    }

    @Test
    void theLastArgumentIsTakenOffAgain() {
        KeyedFunctions keyed = keyed();
        String without = keyed.withoutLast(Stream.of("float32[3]", "string", "int64")
                .map(Written::component)
                .toList());

        assertThat(shown(keyed.get(without), "x", "y", "id")).isEqualTo("x, y");
    }

    @Test
    void theFirstNumberOfATensorStandsForAllOfIt() {
        FunctionDef.Builder function = functions.get("still").toBuilder();
        String first = KeyedFunctions.firstOf("a", function);
        function.putRet(function.getSignature().getOutputArg(0).getName(), first);

        assertThat(shown(function.build(), "x")).isEqualTo("GatherV2(Reshape(x, [-1]), 0, 0)");
    }

    // a reading's own number lies 2^31 times as far apart
    @Test
    void numbersOfAReadingAreOthersInTheNext() {
        KeyedFunctions keyed = keyed();
        Scope scope = Scope.ofGraph(List.of());
        NodeDef both = scope.node(new Readings(keyed).of(scope, "rising"));
        FunctionDef together = keyed.get(both.getAttrOrThrow("f").getFunc().getName());

        assertThat(FunctionText.shown(together, List.of("rising", "reading")))
                .isEqualTo("AddV2(rising, Mul(reading, 2147483648))");
        assertThat(scope.node(both.getInput(0)).getInput(0)).isEqualTo("rising");
    }
}
