package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.GraphFaults;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What the first elements of a split are known again by, and where a split says that it came to its end. */
class FirstElementsTest {
    private static final ElementComponent TICKET = new ElementComponent(DataType.DT_INT64, true, List.of());

    private static ElementComponent scalar(DataType type) {
        return new ElementComponent(type, true, List.of());
    }

    private static ElementComponent vector(DataType type) {
        return new ElementComponent(type, true, List.of(-1L));
    }

    /** The function that tells of elements with these components and a ticket. */
    private static FunctionDef telling(boolean exact, ElementComponent... components) {
        List<ElementComponent> all = new ArrayList<>(List.of(components));
        all.add(TICKET);
        Scope scope = Scope.ofFunction(FunctionDef.getDefaultInstance());
        String elements = Widening.typed(scope, Protos.node("elements", "ConcatenateDataset", "some", "others"), all);
        WidenedFunctions functions = new WidenedFunctions(Map.of());
        String told = new FirstElements(functions, exact).told(scope, elements, "base");

        NodeDef filter = scope.producer(told).orElseThrow();
        assertThat(filter.getInputList()).containsExactly(elements, "base");
        assertThat(scope.components(told)).isEqualTo(all);
        return functions.calledBy(filter, "predicate");
    }

    /** What goes in: nodes whose outputs are taken a fingerprint of, in order. */
    private static List<String> goesIn(FunctionDef telling) {
        Scope body = Scope.ofFunction(telling);
        return telling.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("Fingerprint"))
                .map(node -> body.node(Scope.nodeOf(node.getInput(0))).getInput(0))
                .toList();
    }

    // the ticket, the values, and of all of these together one number
    @ParameterizedTest
    @CsvSource({
        "DT_BOOL",
        "DT_INT8",
        "DT_INT16",
        "DT_INT32",
        "DT_INT64",
        "DT_UINT8",
        "DT_UINT16",
        "DT_UINT32",
        "DT_UINT64",
    })
    void wholeNumbersGoInWithTheirValues(DataType type) {
        assertThat(goesIn(telling(false, scalar(type))))
                .containsExactly("ticket:output:0", "first_0:output_true:0", "parts:output:0");
    }

    @ParameterizedTest
    @CsvSource({"DT_HALF", "DT_BFLOAT16", "DT_FLOAT", "DT_DOUBLE"})
    void numbersWithAFractionWhereTheyAreTheSameOnEveryHost(DataType type) {
        assertThat(goesIn(telling(true, scalar(type))))
                .containsExactly("ticket:output:0", "first_0:output_true:0", "parts:output:0");
        assertThat(goesIn(telling(false, scalar(type)))).containsExactly("ticket:output:0");
        assertThat(goesIn(telling(false, vector(type))))
                .containsExactly("ticket:output:0", "first_0_shape:output:0", "parts:output:0");
    }

    @ParameterizedTest
    @CsvSource({"DT_COMPLEX64", "DT_COMPLEX128"})
    void ofComplexNumbersTheShapeAlone(DataType type) {
        assertThat(goesIn(telling(true, vector(type))))
                .containsExactly("ticket:output:0", "first_0_shape:output:0", "parts:output:0");
    }

    @ParameterizedTest
    @CsvSource({"DT_VARIANT", "DT_RESOURCE", "DT_QINT8"})
    void ofWhatHasNoBytesOfItsOwnNothing(DataType type) {
        FunctionDef telling = telling(true, vector(type));

        assertThat(goesIn(telling)).containsExactly("ticket:output:0");
        assertThat(telling.getNodeDefList()).noneMatch(node -> node.getName().startsWith("first_0"));
    }

    // a shape that nobody knows before goes in too
    @Test
    void eachComponentGoesInAfterTheOther() {
        ElementComponent anyRank = new ElementComponent(DataType.DT_STRING, false, List.of());

        assertThat(goesIn(telling(false, scalar(DataType.DT_STRING), vector(DataType.DT_INT32), anyRank)))
                .containsExactly(
                        "ticket:output:0",
                        "first_0_hashes:output:0",
                        "first_1_shape:output:0",
                        "first_1:output_true:0",
                        "first_2_shape:output:0",
                        "first_2_hashes:output:0",
                        "parts:output:0");
    }

    // four parts, and the axis along which they stand one behind the other
    @Test
    void allPartsTogetherMakeOneNumber() {
        FunctionDef telling = telling(false, scalar(DataType.DT_INT64), vector(DataType.DT_INT64));
        Scope body = Scope.ofFunction(telling);

        assertThat(body.node("parts").getInputList())
                .containsExactly(
                        "ticket_fingerprint:fingerprint:0",
                        "first_0_fingerprint:fingerprint:0",
                        "first_1_shape_fingerprint:fingerprint:0",
                        "first_1_fingerprint:fingerprint:0",
                        "axis:output:0");
        assertThat(body.node("parts").getAttrOrThrow("N").getI()).isEqualTo(4);
        assertThat(body.node("number").getInputList()).containsExactly("parts_fingerprint:fingerprint:0");
        assertThat(Scope.ofFunction(telling(false)).node("number").getInputList())
                .containsExactly("ticket_fingerprint:fingerprint:0");
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    private static String opening(PipelineGraph tracked) {
        return Tracked.made(Tracked.function(tracked, "praline_open_"));
    }

    // nothing is told of records, which lie where they lie
    @Test
    void aSplitsRecordsAreNumberedAndChosenAmong() {
        PipelineGraph tracked = Tracked.pipeline(numbers().affine(2, 1, false));

        assertThat(opening(tracked)).isEqualTo("TakeDataset");
        assertThat(Tracked.functions(tracked, "praline_first")).isEmpty();
        assertThat(Tracked.functions(tracked, "praline_end")).isEmpty();
        // as Python writes it, which yields what it opened once more
        assertThat(opening(Tracked.pipeline("map"))).isEqualTo("Identity(TakeDataset)");
    }

    // behind the last element the end
    @Test
    void whatComesOutOfASplitIsToldAndSoIsItsEnd() {
        PipelineGraph tracked = Tracked.pipeline(numbers().copies(3));
        FunctionDef end = Tracked.function(tracked, "praline_end");

        assertThat(opening(tracked))
                .isEqualTo("ConcatenateDataset(TakeDataset, FlatMapDataset(RangeDataset, TakeDataset))");
        assertThat(goesIn(Tracked.function(tracked, "praline_first")))
                .containsExactly("ticket:output:0", "first_0:output_true:0", "parts:output:0");
        assertThat(Tracked.made(end)).isEqualTo("TakeDataset");
        assertThat(GraphFaults.of(tracked)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"fractions_read, true", "fractions_computed, false"})
    void fractionsThatAreReadGoInAndThoseThatAreComputedDoNot(String name, boolean exact) {
        FunctionDef telling = Tracked.function(Tracked.pipeline(name), "praline_first");

        assertThat(goesIn(telling).contains("first_0:output_true:0")).isEqualTo(exact);
    }
}
