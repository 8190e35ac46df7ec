package io.praline.worker.graph.ordering.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.Protos;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;

/** How near to zero and how far from it constants may lie, of a function's node {@code out}. */
class MagnitudeTest {
    /** Inference that nothing here asks. */
    private static final OpInference NONE = new OpInference() {
        @Override
        public OpDef op(String name) {
            throw new AssertionError("nobody asks for " + name);
        }

        @Override
        public List<ElementComponent> outputs(GraphDef graph, List<String> refs) {
            throw new AssertionError("nobody asks for " + refs);
        }
    };

    private static NodeDef.Builder doubles(String name, double... values) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setDtype(DataType.DT_DOUBLE)
                .setTensorShape(Protos.shape((long) values.length));
        DoubleStream.of(values).forEach(tensor::addDoubleVal);
        return Protos.constant(name, tensor.build());
    }

    private static Optional<Magnitude> of(NodeDef.Builder... nodes) {
        return of(Map.of(), nodes);
    }

    private static Optional<Magnitude> of(Map<String, NodeDef> captured, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", DataType.DT_DOUBLE))
                .addOutputArg(Protos.arg("y", DataType.DT_DOUBLE));
        Stream.of(nodes).forEach(function::addNodeDef);
        FunctionDef made = function.putRet("y", "out:o:0").build();
        Body body = Body.of(made, new Effects(Map.of("f", made), NONE));
        return Magnitude.of("out:o:0", body, captured);
    }

    private static NodeDef.Builder out(String op, String... inputs) {
        return Protos.node("out", op, inputs);
    }

    @Test
    void ofAConstantItIsThatOfItsValuesWhateverTheirSigns() {
        assertThat(of(doubles("out", -4, 0.5, 2))).contains(new Magnitude(0.5, 4));
        assertThat(of(doubles("out", 0))).contains(new Magnitude(0, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "AddV2, 0, 14",
        "Add, 0, 14",
        "Sub, 0, 14",
        "Mul, 2.5, 40",
        "RealDiv, 0.05, 0.8",
        "Div, 0.05, 0.8",
    })
    void ofWhatIsCalculatedItIsThatOfTheExtremes(String op, double smallest, double largest) {
        assertThat(of(doubles("one", -4, 0.5), doubles("other", 5, -10), out(op, "one:o:0", "other:o:0")))
                .contains(new Magnitude(smallest, largest));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Cast", "Neg", "Abs", "Reshape", "ExpandDims", "Squeeze", "StridedSlice", "Slice"})
    void whatIsTakenOrTurnedHasThatOfAll(String op) {
        assertThat(of(doubles("one", -4, 0.5), out(op, "one:o:0"))).contains(new Magnitude(0.5, 4));
    }

    @Test
    void ofADivisionByWhatMayBeZeroNothingIsKnown() {
        assertThat(of(doubles("one", 1), doubles("other", 0, 5), out("RealDiv", "one:o:0", "other:o:0")))
                .isEmpty();
    }

    @Test
    void whereOneSideIsUnknownAllIs() {
        assertThat(of(doubles("one", 1), out("Mul", "one:o:0", "x"))).isEmpty();
        assertThat(of(doubles("one", 1), out("Mul", "x", "one:o:0"))).isEmpty();
        assertThat(of(doubles("one", 1), out("AddV2", "one:o:0", "x"))).isEmpty();
        assertThat(of(doubles("one", 1), out("AddV2", "x", "one:o:0"))).isEmpty();
        assertThat(of(doubles("one", 1), out("RealDiv", "x", "one:o:0"))).isEmpty();
        assertThat(of(doubles("one", 1), out("Exp", "one:o:0"))).isEmpty();
        assertThat(of(out("Identity", "x"))).isEmpty();
    }

    @Test
    void whatIsTooLargeOrNoNumberIsUnknownFromThereOn() {
        assertThat(of(doubles("out", 1e30))).contains(new Magnitude(1e30, 1e30));
        assertThat(of(doubles("out", 1.1e30))).isEmpty();
        assertThat(of(doubles("out", 1, Double.NaN))).isEmpty();
        assertThat(of(doubles("out", 1, Double.NEGATIVE_INFINITY))).isEmpty();
        assertThat(of(doubles("one", 1e20), out("Mul", "one:o:0", "one:o:0"))).isEmpty();
        assertThat(of(
                        doubles("one", 1e20),
                        Protos.node("large", "Mul", "one:o:0", "one:o:0"),
                        out("RealDiv", "one:o:0", "large:o:0")))
                .isEmpty();
    }

    @Test
    void aCapturedConstantIsOneToo() {
        NodeDef constant = doubles("anything", 3, -7).build();

        assertThat(of(Map.of("x", constant), out("Neg", "x"))).contains(new Magnitude(3, 7));
    }
}
