package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.FunctionText;
import io.praline.worker.graph.Protos;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What stands in the place of an op that draws: of the key 7 and the identity {@code id}, and of what the op is given. */
class ChanceTest {
    private static final AttrValue FLOAT = Protos.type(DataType.DT_FLOAT);
    private static final AttrValue INT = Protos.type(DataType.DT_INT32);

    private static final String BY_COUNTER = "[7], Pack(0, Cast<uint64>(id)), 1";
    private static final String BY_SEED = "Pack(7, id)";

    private static NodeDef.Builder draw(String op, String... inputs) {
        return Protos.node("draw", op, inputs)
                .putAttr("seed", Protos.number(3))
                .putAttr("seed2", Protos.number(4))
                .putAttr("_praline_draw", Protos.number(5));
    }

    private static FunctionDef made(NodeDef.Builder node) {
        FunctionDef.Builder function = FunctionDef.newBuilder().putRet("drawn", "draw:output:0");
        function.getSignatureBuilder()
                .addInputArg(Protos.arg("id", DataType.DT_INT64))
                .addInputArg(Protos.arg("x", DataType.DT_INT32))
                .addInputArg(Protos.arg("y", DataType.DT_FLOAT))
                .addInputArg(Protos.arg("v", DataType.DT_FLOAT))
                .addOutputArg(Protos.arg("drawn", DataType.DT_FLOAT));
        Chance.keyed(function, node.build(), 7, "id", 2);
        return function.build();
    }

    private static String keyed(NodeDef.Builder node) {
        return FunctionText.shown(made(node), List.of("id", "x", "y", "v"));
    }

    private static NodeDef node(NodeDef.Builder node) {
        List<NodeDef> nodes = made(node).getNodeDefList();
        return nodes.get(nodes.size() - 1);
    }

    @Test
    void whatDrawsOfAShapeDrawsOfItByKeyAndCounter() {
        assertThat(keyed(draw("RandomUniform", "x").putAttr("T", INT).putAttr("dtype", FLOAT)))
                .isEqualTo("StatelessRandomUniformV2<float32>(x, " + BY_COUNTER + ")");
        assertThat(keyed(draw("RandomStandardNormal", "x").putAttr("T", INT).putAttr("dtype", FLOAT)))
                .isEqualTo("StatelessRandomNormalV2<float32>(x, " + BY_COUNTER + ")");
        assertThat(keyed(draw("RandomUniformInt", "x", "y", "v")
                        .putAttr("T", INT)
                        .putAttr("Tout", Protos.type(DataType.DT_INT64))))
                .isEqualTo("StatelessRandomUniformIntV2<int64>(x, " + BY_COUNTER + ", y, v)");
        assertThat(keyed(draw("RandomShuffle", "x").putAttr("T", INT)))
                .isEqualTo("StatelessShuffle(x, " + BY_COUNTER + ")");
    }

    // the ops without a key append the shape of the parameter themselves
    @Test
    void aDrawForEachParameterIsOfTheParametersShapeToo() {
        assertThat(keyed(draw("RandomGamma", "x", "y").putAttr("S", INT).putAttr("T", FLOAT)))
                .isEqualTo("StatelessRandomGammaV3<float32>(ConcatV2(x, Shape<int32>(y), 0), " + BY_COUNTER + ", y)");
        assertThat(keyed(draw("RandomPoissonV2", "x", "y")
                        .putAttr("S", INT)
                        .putAttr("R", FLOAT)
                        .putAttr("dtype", Protos.type(DataType.DT_INT64))))
                .isEqualTo("StatelessRandomPoisson<int64>(ConcatV2(x, Shape<int32>(y), 0), " + BY_SEED + ", y)");
        NodeDef older = node(draw("RandomPoisson", "x", "y").putAttr("S", INT).putAttr("dtype", FLOAT));
        assertThat(older.getAttrOrThrow("Rtype")).isEqualTo(FLOAT);
        assertThat(older.getAttrOrThrow("T")).isEqualTo(INT);
    }

    @Test
    void whatTakesASeedIsGivenKeyAndIdentityForOne() {
        assertThat(keyed(draw("Multinomial", "y", "x").putAttr("T", FLOAT).putAttr("output_dtype", INT)))
                .isEqualTo("StatelessMultinomial(y, x, " + BY_SEED + ")");
        NodeDef box = node(draw("SampleDistortedBoundingBoxV2", "x", "y", "v")
                .putAttr("T", INT)
                .putAttr("max_attempts", Protos.number(9)));
        assertThat(box.getInputList()).containsExactly("x", "y", "v", "praline_draw_2_seed:output:0");
        assertThat(box.getAttrMap().keySet()).containsExactlyInAnyOrder("T", "max_attempts", "Tseed");
        assertThat(box.getAttrOrThrow("Tseed")).isEqualTo(Protos.type(DataType.DT_INT64));
    }

    // the older op says in an attribute what the newer one takes as an input, 0.1 where it says nothing
    @Test
    void theLeastPartThatABoxCoversIsAnInput() {
        AttrValue half = AttrValue.newBuilder().setF(0.5f).build();
        NodeDef.Builder box = draw("SampleDistortedBoundingBox", "x", "y").putAttr("T", INT);
        assertThat(keyed(box)).isEqualTo("StatelessSampleDistortedBoundingBox(x, y, 0.1, " + BY_SEED + ")");
        assertThat(keyed(box.putAttr("min_object_covered", half)))
                .isEqualTo("StatelessSampleDistortedBoundingBox(x, y, 0.5, " + BY_SEED + ")");
        assertThat(node(box).getAttrMap().keySet()).containsExactlyInAnyOrder("T", "Tseed");
    }

    @Test
    void nothingIsLeftOfSeedsAndStamps() {
        assertThat(node(draw("RandomShuffle", "x").putAttr("T", INT))
                        .getAttrMap()
                        .keySet())
                .containsExactly("T");
    }

    // 0 and 0 would mean that there is none
    @Test
    void withAnotherSeedItIsTheSameOp() {
        NodeDef reseeded = Chance.reseeded(draw("RandomUniform", "x").build(), 8);

        assertThat(Chance.seed(reseeded)).isEqualTo(9);
        assertThat(Chance.seed2(reseeded)).isEqualTo(DrawKeys.mix(8));
        assertThat(reseeded.getOp()).isEqualTo("RandomUniform");
    }

    @Test
    void whatHasSeedsDrawsUnlessItMayBeDeterministic() {
        assertThat(Chance.isDrawn(draw("Dropout", "x").build())).isTrue();
        assertThat(Chance.isDrawn(draw("FractionalMaxPool", "x")
                        .putAttr("deterministic", Protos.bool(true))
                        .build()))
                .isFalse();
        assertThat(Chance.isDrawn(Protos.node("n", "Neg", "x")
                        .putAttr("seed", Protos.number(1))
                        .build()))
                .isFalse();
        assertThat(Chance.isDrawn(Protos.node("n", "RandomUniform", "x").build()))
                .isTrue();
        assertThat(Chance.isDrawn(Protos.node("n", "ShuffleDatasetV3", "x").build()))
                .isTrue();
    }
}
