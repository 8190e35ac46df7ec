package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** A function that calls others holds what they do: what it makes of {@code x}, and what waits for what. */
class InlineCallsTest {
    private static final String CALL = "a = PartitionedCall x f=@f Tout={int32}";

    /** The last function of the pipeline, of the map. */
    private static FunctionDef inlined(InlineCalls inlining, Written written) {
        PipelineGraph pipeline = inlining.apply(written.graph());
        NodeDef map = pipeline.nodes().get(pipeline.root());
        return pipeline.functions().get(map.getAttrOrThrow("f").getFunc().getName());
    }

    private static FunctionDef inlined(Written written) {
        return inlined(new InlineCalls(), written);
    }

    private static Written numbers() {
        return Written.of("int32");
    }

    private static Map<String, List<String>> waits(FunctionDef function) {
        return function.getNodeDefList().stream()
                .filter(node -> node.getInputList().stream().anyMatch(input -> input.startsWith("^")))
                .collect(Collectors.toMap(NodeDef::getName, node -> node.getInputList().stream()
                        .filter(input -> input.startsWith("^"))
                        .toList()));
    }

    @Test
    void whatIsCalledIsComputedInPlaceOfTheCall() {
        FunctionDef function = inlined(numbers()
                .function("f", List.of("int32"), "r = Neg a", "-> r")
                .map(CALL, "b = PartitionedCall a f=@f Tout={int32}", "c = Abs b", "-> c"));

        assertThat(FunctionText.shown(function, List.of("x"))).isEqualTo("Abs(Neg(Neg(x)))");
        assertThat(function.getNodeDefList())
                .extracting(NodeDef::getOp)
                .doesNotContain("PartitionedCall")
                .contains("Neg", "Abs");
    }

    @Test
    void eachResultIsTheOneOfItsPlaceAlsoAnArgument() {
        FunctionDef function = inlined(numbers()
                .function("f", List.of("int32", "int32"), "r = Neg a", "-> r b")
                .function("g", List.of("int32"), "s = PartitionedCall a 3 f=@f Tout={int32,int32}", "-> s:1 s")
                .map("t = PartitionedCall x f=@g Tout={int32,int32}", "-> t t:1"));

        assertThat(FunctionText.shown(function, List.of("x"))).isEqualTo("3, Neg(x)");
    }

    // what stood behind the call waits for the results, and what the call waited for goes before all that is in it
    @Test
    void whatWaitedForTheCallWaitsForAllThatItDid() {
        FunctionDef function = inlined(numbers()
                .function("f", List.of("int32"), "r = Neg a", "s = Abs r ^r", "-> s a")
                .map(
                        "first = Exp 1.0",
                        "a = PartitionedCall x ^first f=@f Tout={int32,int32}",
                        "b = Neg a ^a",
                        "-> b"));

        assertThat(waits(function))
                .isEqualTo(Map.of(
                        "a/r", List.of("^first"),
                        "a/s", List.of("^first", "^a/r"),
                        "a/praline_end", List.of("^a/s", "^first"),
                        "b", List.of("^a/praline_end")));
    }

    @Test
    void whatMustRunInWhatIsCalledMustRunInTheCaller() {
        FunctionDef function = inlined(checked(numbers()
                .function("f", List.of("int32"), "ok = Less a 9", "check = Assert ok 'large'", "-> a")
                .map(CALL, "-> a")));

        assertThat(function.getControlRetMap()).isEqualTo(Map.of("a/praline_end", "a/praline_end"));
        assertThat(function.getSignature().getControlOutputList()).containsExactly("a/praline_end");
        assertThat(waits(function)).isEqualTo(Map.of("a/praline_end", List.of("^a/check")));
    }

    private static Written checked(Written written) {
        return written.changed("f", function -> {
            function.putControlRet("check", "check")
                    .getSignatureBuilder()
                    .setIsStateful(true)
                    .addControlOutput("check");
        });
    }

    // compiled it rounds otherwise than op by op
    @Test
    void whatIsToBeCompiledStaysCalledWhereThatIsAsked() {
        AttrValue compiled = Protos.bool(true);
        Written written = numbers()
                .function("f", List.of("int32"), "r = Neg a", "-> r")
                .changed("f", function -> function.putAttr("_XlaMustCompile", compiled))
                .map(CALL, "-> a");

        assertThat(FunctionText.shown(inlined(InlineCalls.ofUncompiled(), written), List.of("x")))
                .isEqualTo("PartitionedCall<f=f>(x)");
        assertThat(FunctionText.shown(inlined(written), List.of("x"))).isEqualTo("Neg(x)");
    }

    @Test
    void whatNothingHereDefinesStaysCalled() {
        assertThat(FunctionText.shown(inlined(numbers().map(CALL, "-> a")), List.of("x")))
                .isEqualTo("PartitionedCall<f=f>(x)");
    }
}
