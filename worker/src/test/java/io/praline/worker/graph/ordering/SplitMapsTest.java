package io.praline.worker.graph.ordering;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DeclaredOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Written;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.graph.ordering.step.StepKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.TensorProto;

/** Into which steps a map is cut, of elements {@code x}, or {@code (x, y)}: what each is called, does and yields. */
class SplitMapsTest {
    private static SplitPipeline split(PipelineGraph graph) {
        return new SplitMaps(new DeclaredOps()).apply(graph);
    }

    private static List<String> cut(Written written) {
        return Written.shown(split(written.graph()).graph());
    }

    private static Written table() {
        return Written.of("float32[4,5]");
    }

    private static Written pair() {
        return Written.of("float32[4,5]", "int32");
    }

    // ---- where

    @Test
    void aFunctionIsCutWhereNoMoreTensorsFlowThanItReturns() {
        assertThat(cut(pair().map("a = Cast x DstT=float16", "b = Exp a", "c = Neg b", "-> c y")))
                .containsExactly(
                        "map_1.1:cast Cast<float16>(x), y : float16[4,5], int32",
                        "map_1.2:exp Exp(x), y : float16[4,5], int32",
                        "map_1.3:neg Neg(x), y : float16[4,5], int32");
        assertThat(cut(table().map("a = Exp x", "b = AddV2 a x", "c = Neg b", "-> c")))
                .containsExactly("map_1.1:add AddV2(Exp(x), x) : float32[4,5]", "map_1.2:neg Neg(x) : float32[4,5]");
    }

    // both results need the exponent: it comes first, then the first result, then the second
    @Test
    void whatSeveralResultsNeedComesBeforeWhatIsOfOne() {
        assertThat(cut(table().map("c = Neg b", "b = Exp x", "a = Abs b", "d = Neg a", "-> d c")))
                .containsExactly(
                        "map_1.1:exp Exp(x) : float32[4,5]",
                        "map_1.2:abs Abs(x), x : float32[4,5], float32[4,5]",
                        "map_1.3:neg Neg(x), y : float32[4,5], float32[4,5]",
                        "map_1.4:neg x, Neg(y) : float32[4,5], float32[4,5]");
    }

    @Test
    void eachResultIsMadeByItself() {
        assertThat(cut(pair().map("b = Neg y", "a = Exp x", "-> a b")))
                .containsExactly(
                        "map_1.1:exp Exp(x), y : float32[4,5], int32", "map_1.2:neg x, Neg(y) : float32[4,5], int32");
        assertThat(cut(pair().map("b = Neg y", "a = Exp x", "-> b a")))
                .containsExactly(
                        "map_1.1:neg Neg(y), x : int32, float32[4,5]", "map_1.2:exp x, Exp(y) : int32, float32[4,5]");
    }

    @Test
    void whatIsDroppedIsDroppedByTheFirstThatDoesNotNeedIt() {
        assertThat(cut(pair().map("a = Exp x", "b = Neg a", "-> b")))
                .containsExactly("map_1.1:exp Exp(x) : float32[4,5]", "map_1.2:neg Neg(x) : float32[4,5]");
        assertThat(cut(table().map("a = Exp x", "b = Neg a", "-> b a")))
                .containsExactly(
                        "map_1.1:exp Exp(x) : float32[4,5]", "map_1.2:neg Neg(x), x : float32[4,5], float32[4,5]");
    }

    // the first result is made of the second component, and the others of the first one
    @Test
    void whereFewerTensorsCrossTheyComeInTheOrderOfWhatIsMadeOfThem() {
        assertThat(cut(pair().map("a = Exp x", "b = Neg y", "p = Abs b", "q = Abs a", "r = Neg a", "-> p q r")))
                .containsExactly(
                        "map_1.1:exp y, Exp(x) : int32, float32[4,5]",
                        "map_1.2:neg Neg(x), y : int32, float32[4,5]",
                        "map_1.3:abs Abs(x), y : int32, float32[4,5]",
                        "map_1.4:abs x, Abs(y), y : int32, float32[4,5], float32[4,5]",
                        "map_1.5:neg x, y, Neg(v) : int32, float32[4,5], float32[4,5]");
    }

    @Test
    void whatFollowsFromNoElementIsGivenByTheLast() {
        assertThat(cut(table().map("a = Exp x", "b = Neg a", "-> b 3.0")))
                .containsExactly(
                        "map_1.1:exp Exp(x) : float32[4,5]", "map_1.2:neg Neg(x), 3.0 : float32[4,5], float32");
    }

    @Test
    void whatIsCheckedInTheEndIsNoStepOfItsOwn() {
        assertThat(cut(table().map(
                                "a = Exp x",
                                "b = Neg a",
                                "m = Max b [0,1]",
                                "ok = Less m 9.0",
                                "check = Assert ok 'large'",
                                "-> b")))
                .containsExactly(
                        "map_1.1:exp Exp(x) : float32[4,5]",
                        "map_1.2:less Neg(x), ^Assert(Less(Max(Neg(x), [0,1]), 9.0), large) : float32[4,5]");
    }

    @Test
    void piecesAreNodesBesideTheOneThatTheyCameFrom() {
        SplitPipeline split =
                split(table().map("a = Exp x", "b = Neg a", "c = Abs b", "-> c").graph());
        String whole = split.graph().root();

        assertThat(split.names())
                .isEqualTo(Map.of(
                        whole + "/piece_1", "map_1.1:exp", whole + "/piece_2", "map_1.2:neg", whole, "map_1.3:abs"));
    }

    @Test
    void aFunctionOfOneStepStaysAsItIs() {
        assertThat(cut(table().map("a = Exp x", "-> a"))).containsExactly("map_1 Exp(x) : float32[4,5]");
        assertThat(cut(pair().map("-> y x"))).containsExactly("map_1 y, x : int32, float32[4,5]");
    }

    // ---- what belongs together

    @Test
    void scalingByConstantsIsOneStepAndBothEndsOfAClip() {
        assertThat(cut(table().map(
                                "a = Mul x 2.0", "b = AddV2 1.0 a", "c = Minimum b 9.0", "d = Maximum c 0.0", "-> d")))
                .containsExactly(
                        "map_1.1:affine AddV2(1.0, Mul(x, 2.0)) : float32[4,5]",
                        "map_1.2:clip Maximum(Minimum(x, 9.0), 0.0) : float32[4,5]");
        assertThat(cut(table().map("a = Mul x x", "b = AddV2 a 1.0", "-> b")))
                .containsExactly("map_1.1:mul Mul(x, x) : float32[4,5]", "map_1.2:add AddV2(x, 1.0) : float32[4,5]");
        assertThat(cut(pair().map("a = Mul x 2.0", "b = Mul y 3", "-> a b"))).hasSize(2);
    }

    @Test
    void aPictureHasItsDimensionForTheResizeOnly() {
        Written picture = Written.of("float32[4,5,3]");
        assertThat(cut(picture.map(
                        "a = Exp x",
                        "b = ExpandDims a 0",
                        "c = ResizeBilinear b [8,8]",
                        "d = Squeeze c squeeze_dims=[0]",
                        "-> d")))
                .containsExactly(
                        "map_1.1:exp Exp(x) : float32[4,5,3]",
                        "map_1.2:resize Squeeze<squeeze_dims=[0]>(ResizeBilinear(ExpandDims(x, 0), [8,8])) :"
                                + " float32[8,8,3]");
        assertThat(cut(Written.of("float32[4,5,3]")
                        .map("b = ExpandDims x 0", "c = Exp b", "d = Squeeze c squeeze_dims=[0]", "-> d")))
                .containsExactly(
                        "map_1.1:expand_dims ExpandDims(x, 0) : float32[1,4,5,3]",
                        "map_1.2:exp Exp(x) : float32[1,4,5,3]",
                        "map_1.3:squeeze Squeeze<squeeze_dims=[0]>(x) : float32[4,5,3]");
    }

    @Test
    void aDimensionThatIsNotTakenBackIsAStepOfItsOwn() {
        assertThat(cut(Written.of("float32[4,5,3]").map("b = ExpandDims x 0", "c = ResizeBilinear b [8,8]", "-> c")))
                .containsExactly(
                        "map_1.1:expand_dims ExpandDims(x, 0) : float32[1,4,5,3]",
                        "map_1.2:resize ResizeBilinear(x, [8,8]) : float32[1,8,8,3]");
        assertThat(cut(Written.of("float32[?]")
                        .map("a = Exp x", "b = ExpandDims a 0", "c = ResizeBilinear b [8,8]", "-> c")))
                .hasSize(3);
    }

    @Test
    void bytesAndTheirShapeAreOneStep() {
        assertThat(cut(Written.of("string")
                        .map("a = DecodeRaw x out_type=float32", "b = Reshape a [4,5]", "c = Exp b", "-> c")))
                .containsExactly(
                        "map_1.1:decode_raw Reshape(DecodeRaw<float32>(x), [4,5]) : float32[4,5]",
                        "map_1.2:exp Exp(x) : float32[4,5]");
        assertThat(cut(Written.of("string").map("a = DecodeRaw x out_type=float32", "b = Reshape a [-1,5]", "-> b")))
                .hasSize(2);
        assertThat(cut(table().map("a = Exp x", "b = Reshape a [20]", "-> b"))).hasSize(2);
    }

    @Test
    void aShapeThatIsAssertedIsNoStepOfItsOwn() {
        assertThat(cut(Written.of("float32[-1,5]")
                        .map("a = Exp x", "b = EnsureShape a shape=<4,5>", "c = Neg b", "-> c")))
                .containsExactly(
                        "map_1.1:exp EnsureShape<shape=[4,5]>(Exp(x)) : float32[4,5]",
                        "map_1.2:neg Neg(x) : float32[4,5]");
        assertThat(cut(Written.of("float32[-1,5]").map("b = EnsureShape x shape=<4,5>", "c = Neg b", "-> c")))
                .containsExactly("map_1 Neg(EnsureShape<shape=[4,5]>(x)) : float32[4,5]");
    }

    // ---- what else a piece is given

    @Test
    void aPieceCapturesWhatItNeeds() {
        assertThat(cut(table().capturing(Protos.float32(7), Protos.float32(8))
                        .map("a = Mul x l", "b = Exp a", "c = Sub b k", "-> c")))
                .containsExactly(
                        "map_1.1:mul Mul(x, 8.0) : float32[4,5]",
                        "map_1.2:exp Exp(x) : float32[4,5]",
                        "map_1.3:sub Sub(x, 7.0) : float32[4,5]");
        assertThat(cut(table().capturing(Protos.float32(7)).map("a = Exp x", "-> a k")))
                .containsExactly("map_1 Exp(x), 7.0 : float32[4,5], float32");
    }

    @Test
    void eachHasItsOwnOfWhatFollowsFromNoElement() {
        assertThat(cut(table().map("k = Neg 2.0", "a = Mul x k", "b = Exp a", "c = Mul b k", "-> c")))
                .containsExactly(
                        "map_1.1:mul Mul(x, Neg(2.0)) : float32[4,5]",
                        "map_1.2:exp Exp(x) : float32[4,5]",
                        "map_1.3:mul Mul(x, Neg(2.0)) : float32[4,5]");
    }

    @Test
    void callsBesideEachOtherAreThoseOfEachPiece() {
        assertThat(cut(table().calls(8).map("a = Exp x", "b = Neg a", "-> b")))
                .containsExactly(
                        "map_1.1:exp Exp(x) beside : float32[4,5]", "map_1.2:neg Neg(x) beside : float32[4,5]");
    }

    // ---- draws

    @Test
    void aDrawStandsWhereItIsReadAndNoCutBetweenTwoThatReadIt() {
        assertThat(cut(table().map(
                                "r = RandomUniform [] dtype=float32", "a = Exp x", "b = Mul a r", "c = Neg b", "-> c")))
                .containsExactly(
                        "map_1.1:exp Exp(x) : float32[4,5]",
                        "map_1.2:random_mul Mul(x, RandomUniform<float32>([])) : float32[4,5]",
                        "map_1.3:neg Neg(x) : float32[4,5]");
        assertThat(cut(table().map(
                                "r = RandomUniform [] dtype=float32",
                                "s = Neg r",
                                "a = Mul x r",
                                "b = Exp a",
                                "c = AddV2 b s",
                                "d = Neg c",
                                "-> d")))
                .hasSize(2)
                .last()
                .isEqualTo("map_1.2:neg Neg(x) : float32[4,5]");
    }

    @Test
    void aDrawThatIsReturnedIsAStepOfItsOwn() {
        assertThat(cut(table().map("r = RandomUniform [] dtype=float32", "a = Exp x", "b = Neg a", "-> b r")))
                .containsExactly(
                        "map_1.1:exp Exp(x) : float32[4,5]",
                        "map_1.2:neg Neg(x) : float32[4,5]",
                        "map_1.3:random_rest x, RandomUniform<float32>([]) : float32[4,5], float32");
    }

    // ---- what must run

    @Test
    void whatIsCheckedIsCheckedByThePieceThatHasIt() {
        assertThat(cut(table().map(
                                "m = Max x [0,1]",
                                "ok = Less m 9.0",
                                "check = Assert ok 'large'",
                                "a = Exp x ^check",
                                "b = Neg a",
                                "-> b")))
                .last()
                .isEqualTo("map_1.2:neg Neg(x) : float32[4,5]");
    }

    @Test
    void whatAPieceKeepsItSaysOfItself() {
        SplitPipeline split = split(table().map(
                        "m = Max x [0,1]",
                        "ok = Less m 9.0",
                        "check = Assert ok 'large'",
                        "a = Exp x ^check",
                        "b = Neg a",
                        "-> b")
                .graph());
        List<String> said = split.links().stream()
                .map(link -> new MapNode(split.graph().nodes().get(link.node()))
                        .function(split.graph().functions()))
                .map(SplitMapsTest::kept)
                .toList();

        assertThat(said).containsExactly("[check] [check] stateful", "[] [] ");
    }

    private static String kept(FunctionDef function) {
        return function.getControlRetMap().keySet() + " "
                + function.getSignature().getControlOutputList() + " "
                + (function.getSignature().getIsStateful() ? "stateful" : "");
    }

    // ---- what is not cut

    @Test
    void whatIsPinnedOrTakesBatchesStaysWhole() {
        assertThat(cut(table().named("keep_position_here").map("a = Exp x", "b = Neg a", "-> b")))
                .containsExactly("keep_position_here Neg(Exp(x)) : float32[4,5]");
        assertThat(cut(table().batch(2, true).map("a = Exp x", "b = Neg a", "-> b")))
                .containsExactly("batch_1 BatchDatasetV2 : float32[2,4,5]", "map_2 Neg(Exp(x)) : float32[2,4,5]");
        assertThat(cut(table().filter("m = Max x [0,1]", "ok = Less m 9.0", "-> ok")))
                .containsExactly("filter_1 where Less(Max(x, [0,1]), 9.0) : float32[4,5]");
    }

    @Test
    void whatReadsAVariableStaysWhole() {
        assertThat(cut(table().capturing(handle())
                        .map("r = ReadVariableOp k dtype=float32", "a = Mul x r", "b = Exp a", "-> b")))
                .hasSize(1);
    }

    static TensorProto handle() {
        return TensorProto.newBuilder().setDtype(DataType.DT_RESOURCE).build();
    }

    @Test
    void whatNothingIsInferredOfStaysWhole() {
        PipelineGraph known = table().map("a = Exp x", "b = Neg a", "-> b").graph();
        List<FunctionDef> unheard = known.functions().values().stream()
                .map(function -> {
                    FunctionDef.Builder other = function.toBuilder();
                    other.getNodeDefBuilder(0).setOp("UnheardOf");
                    return other.build();
                })
                .toList();
        PipelineGraph graph = new PipelineGraph(known.nodes().values(), unheard, known.root(), known.versions());
        List<StepDescription> told = new Variants(new DeclaredOps()).steps(graph);

        assertThat(told).hasSize(1).first().satisfies(step -> {
            assertThat(step.kind()).isEqualTo(StepKind.OPAQUE);
            assertThat(step.mayFail()).isTrue();
            assertThat(step.restructures()).isTrue();
            assertThat(List.of(step.reads(), step.writes())).isEqualTo(List.of(List.of(0), List.of(0)));
        });
        assertThat(split(graph).links()).extracting(SplitPipeline.Link::name).containsExactly("map_1");
    }

    @Test
    void uncutEachMapIsAStep() {
        SplitPipeline split = new SplitMaps(new DeclaredOps())
                .uncut(table().map("a = Exp x", "b = Neg a", "-> b").prefetch().graph());

        assertThat(split.names().values()).containsExactly("map_1", "prefetch_2");
        assertThat(split.links().stream()
                        .map(SplitPipeline.Link::transformation)
                        .collect(Collectors.toList()))
                .containsExactly("map_1", "prefetch_2");
    }
}
