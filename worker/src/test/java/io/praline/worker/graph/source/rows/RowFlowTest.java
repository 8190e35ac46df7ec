package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * Functions of a batch of single values {@code x} and of vectors {@code v}: is a row of what they make made of several rows, or may it be? A node
 * is named {@code out}, or what its user calls it.
 */
class RowFlowTest {
    private static final ElementComponent VALUES = new ElementComponent(DataType.DT_INT64, true, List.of(-1L));
    private static final ElementComponent VECTORS = new ElementComponent(DataType.DT_INT64, true, List.of(-1L, 3L));

    private static FunctionDef.Builder function(List<String> returned, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", DataType.DT_INT64))
                .addInputArg(Protos.arg("v", DataType.DT_INT64))
                .addInputArg(Protos.arg("captured", DataType.DT_INT64));
        for (NodeDef.Builder node : nodes) {
            function.addNodeDef(node);
        }
        for (int i = 0; i < returned.size(); i++) {
            function.getSignatureBuilder().addOutputArg(Protos.arg("y" + i, DataType.DT_INT64));
            function.putRet("y" + i, returned.get(i));
        }
        return function;
    }

    private static boolean mixes(List<String> returned, NodeDef.Builder... nodes) {
        return course(returned, Map.of(), nodes) == RowFlow.Course.MIXED;
    }

    private static RowFlow.Course course(
            List<String> returned, Map<String, FunctionDef> functions, NodeDef.Builder... nodes) {
        return RowFlow.course(function(returned, nodes).build(), batch(0, VALUES, VECTORS), List.of(), functions);
    }

    private static RowFlow.Rows batch(int axis, ElementComponent... components) {
        return new RowFlow.Rows(
                List.of(components),
                axis,
                Set.of(),
                Set.of(),
                Set.of(),
                List.of(Optional.of(Protos.int64(7))),
                Set.of());
    }

    private static boolean mixes(NodeDef.Builder... nodes) {
        return mixes(List.of("out:o:0"), nodes);
    }

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static NodeDef.Builder out(String op, String... inputs) {
        return node("out", op, inputs);
    }

    private static NodeDef.Builder numbers(String name, Integer... numbers) {
        return Protos.constant(name, Protos.int32s(numbers));
    }

    private static NodeDef.Builder minusRow() {
        return node("turned", "ReverseV2", "x", "axis:o:0");
    }

    // ---- value by value

    @Test
    void valuesOfOneRowMakeARow() {
        assertThat(mixes(node("square", "Mul", "x", "x"), out("Sub", "square:o:0", "captured")))
                .isFalse();
        assertThat(mixes(out("SelectV2", "x", "x", "captured"))).isFalse();
        assertThat(mixes(numbers("axis", 1), node("each", "ExpandDims", "x", "axis:o:0"), out("Mul", "v", "each:o:0")))
                .isFalse();
    }

    @Test
    void eachRowWithEachOtherMixesThem() {
        assertThat(mixes(numbers("axis", 1), node("each", "ExpandDims", "x", "axis:o:0"), out("Sub", "each:o:0", "x")))
                .isTrue();
        assertThat(mixes(out("Sub", "v", "x"))).isTrue();
    }

    @Test
    void rowsWithThoseInAnotherOrderAreMixedAndTurnedTwiceTheyAreNot() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder again = node("again", "ReverseV2", "turned:o:0", "axis:o:0");
        assertThat(mixes(axis, minusRow(), out("AddV2", "x", "turned:o:0"))).isTrue();
        assertThat(mixes(List.of("x", "turned:o:0"), axis, minusRow())).isTrue();

        assertThat(mixes(List.of("turned:o:0"), axis, minusRow())).isFalse();
        assertThat(mixes(axis, minusRow(), again, out("AddV2", "x", "again:o:0")))
                .isFalse();
        assertThat(mixes(
                        numbers("axis", 1),
                        node("turned", "ReverseV2", "v", "axis:o:0"),
                        out("AddV2", "v", "turned:o:0")))
                .isFalse();
    }

    // ---- beside what is the same for all batches

    private static NodeDef.Builder shaped(String name, List<Long> sizes, Integer... numbers) {
        return Protos.constant(
                name,
                Protos.int32s(numbers).toBuilder()
                        .setTensorShape(Protos.shape(sizes))
                        .build());
    }

    @Test
    void aNumberOfItsOwnForEachPlaceOfABatchMixesPlacesIn() {
        assertThat(mixes(numbers("weights", 1, 2, 3), out("Mul", "x", "weights:o:0")))
                .isTrue();
        assertThat(mixes(numbers("weights", 1, 2, 3), out("SelectV2", "weights:o:0", "x", "x")))
                .isTrue();
        assertThat(mixes(shaped("weights", List.of(3L, 1L), 1, 2, 3), out("Mul", "v", "weights:o:0")))
                .isTrue();
        assertThat(mixes(
                        numbers("weights", 1, 2, 3),
                        numbers("column", 1),
                        node("each", "ExpandDims", "weights:o:0", "column:o:0"),
                        out("Mul", "v", "each:o:0")))
                .isTrue();
        assertThat(mixes(
                        numbers("zero", 0),
                        numbers("one", 1),
                        numbers("many", 7),
                        node("places", "Range", "zero:o:0", "many:o:0", "one:o:0"),
                        out("Pack", "x", "places:o:0").putAttr("axis", Protos.number(1))))
                .isTrue();
    }

    @Test
    void numbersForTheColumnsOfARowAndOneNumberForAllDoNot() {
        assertThat(mixes(numbers("mean", 1, 2, 3), out("Sub", "v", "mean:o:0"))).isFalse();
        assertThat(mixes(shaped("mean", List.of(1L, 3L), 1, 2, 3), out("Sub", "v", "mean:o:0")))
                .isFalse();
        assertThat(mixes(numbers("weights", 2, 2, 2), out("Mul", "x", "weights:o:0")))
                .isFalse();
        assertThat(mixes(shaped("weights", List.of(3L), 2), out("Mul", "x", "weights:o:0")))
                .isFalse();
        assertThat(mixes(
                        numbers("mean", 1, 2, 3),
                        numbers("row", 0),
                        node("each", "ExpandDims", "mean:o:0", "row:o:0"),
                        out("Sub", "v", "each:o:0")))
                .isFalse();
    }

    /** Of single values and of vectors, times {@code out} of a constant {@code c} of three numbers. */
    private static List<Boolean> byPlace(NodeDef.Builder... made) {
        List<NodeDef.Builder> nodes = new ArrayList<>(List.of(made));
        nodes.add(numbers("c", 1, 2, 3));
        nodes.add(node("values", "Mul", "x", "out:o:0"));
        nodes.add(node("vectors", "Mul", "v", "out:o:0"));
        NodeDef.Builder[] all = nodes.toArray(NodeDef.Builder[]::new);
        return List.of(mixes(List.of("values:o:0"), all), mixes(List.of("vectors:o:0"), all));
    }

    private static NodeDef.Builder part(String of, long whole, long added, long dropped, long open) {
        return out("StridedSlice", of, "zeroes:o:0", "ones:o:0", "ones:o:0")
                .putAttr("begin_mask", Protos.number(whole))
                .putAttr("end_mask", Protos.number(whole))
                .putAttr("new_axis_mask", Protos.number(added))
                .putAttr("shrink_axis_mask", Protos.number(dropped))
                .putAttr("ellipsis_mask", Protos.number(open));
    }

    private static List<Boolean> byPlaceOfPart(NodeDef.Builder part) {
        return byPlace(
                shaped("square", List.of(3L, 3L), 1, 2, 3, 4, 5, 6, 7, 8, 9),
                numbers("zeroes", 0, 0),
                numbers("ones", 1, 1),
                part);
    }

    @Test
    void ofAConstantThatIsGivenAnotherShapeIsKnownAlongWhatItDiffers() {
        // a column, whose numbers meet rows, and a row, whose numbers meet columns
        assertThat(byPlace(numbers("shape", 3, 1), out("Reshape", "c", "shape:o:0")))
                .containsExactly(true, true);
        assertThat(byPlace(numbers("shape", 1, 3), out("Reshape", "c", "shape:o:0")))
                .containsExactly(true, false);
        assertThat(byPlace(numbers("axis", -1), out("ExpandDims", "c", "axis:o:0")))
                .containsExactly(true, true);
        assertThat(byPlace(numbers("axis", 0), out("ExpandDims", "c", "axis:o:0")))
                .containsExactly(true, false);
    }

    @Test
    void ofAPartOfAConstantIsKnownAlongWhatItDiffers() {
        assertThat(byPlaceOfPart(part("c", 1, 2, 0, 0))).containsExactly(true, true);
        assertThat(byPlaceOfPart(part("c", 2, 1, 0, 0))).containsExactly(true, false);
        // a column and a row of a square, and a column by an ellipsis
        assertThat(byPlaceOfPart(part("square", 1, 0, 2, 0))).containsExactly(true, false);
        assertThat(byPlaceOfPart(part("square", 2, 0, 1, 0))).containsExactly(true, false);
        assertThat(byPlaceOfPart(part("square", 0, 0, 2, 1))).containsExactly(true, false);
        assertThat(byPlaceOfPart(part("square", 3, 0, 0, 0))).containsExactly(true, true);
        // one number of it
        assertThat(byPlaceOfPart(part("square", 0, 0, 3, 0))).containsExactly(false, false);
    }

    @Test
    void whatIsMadeOfConstantsDiffersByPlacesUnlessTheyAreAlike() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder alike = numbers("alike", 2, 2, 2);
        NodeDef.Builder one = Protos.constant("one", Protos.int32(1));
        assertThat(byPlace(axis, out("ReverseV2", "c", "axis:o:0"))).containsExactly(true, false);
        assertThat(byPlace(axis, alike, out("ReverseV2", "alike:o:0", "axis:o:0")))
                .containsExactly(false, false);
        assertThat(byPlace(axis, alike, out("GatherV2", "c", "alike:o:0", "axis:o:0")))
                .containsExactly(true, false);
        assertThat(byPlace(axis, out("ConcatV2", "c", "c", "axis:o:0"))).containsExactly(true, false);
        assertThat(byPlace(one, out("Pack", "one:o:0", "one:o:0"))).containsExactly(true, false);
        assertThat(byPlace(one, out("OneHot", "one:o:0", "one:o:0"))).containsExactly(true, false);
        assertThat(byPlace(numbers("sizes", 3), one, out("Fill", "sizes:o:0", "one:o:0")))
                .containsExactly(false, false);
        assertThat(byPlace(numbers("sizes", 3), out("BroadcastTo", "c", "sizes:o:0")))
                .containsExactly(true, false);
        assertThat(byPlace(out("AddV2", "c", "c"))).containsExactly(true, false);
    }

    @Test
    void whatIsMadeOfNumbersThatAreAlikeMayDifferByPlaces() {
        NodeDef.Builder alike = numbers("alike", 2, 2, 2);
        assertThat(byPlace(alike, out("Cumsum", "alike:o:0"))).containsExactly(true, false);
        NodeDef.Builder square = shaped("square", List.of(3L, 3L), 1);
        assertThat(byPlace(square, out("MatrixBandPart", "square:o:0"))).containsExactly(true, true);
        NodeDef.Builder one = shaped("square", List.of(1L, 3L), 1);
        assertThat(byPlace(one, out("MatrixBandPart", "square:o:0"))).containsExactly(true, false);
        assertThat(byPlace(out("LinSpace"))).containsExactly(true, false);
    }

    @Test
    void ofNumbersThatAreTakenTogetherOrLookedUpIsKnownHowManyDimensionsTheyHave() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder square = shaped("square", List.of(3L, 3L), 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(byPlace(axis, out("Max", "c", "axis:o:0"))).containsExactly(false, false);
        assertThat(byPlace(axis, square, out("Max", "square:o:0", "axis:o:0"))).containsExactly(true, false);
        NodeDef.Builder kept = out("Max", "square:o:0", "axis:o:0").putAttr("keep_dims", Protos.bool(true));
        assertThat(byPlace(axis, square, kept)).containsExactly(true, true);
        assertThat(byPlace(square, out("Max", "square:o:0", "unknown"))).containsExactly(true, true);

        NodeDef.Builder otherwise = Protos.constant("otherwise", Protos.int32(0));
        assertThat(byPlace(otherwise, out("LookupTableFindV2", "captured", "c", "otherwise:o:0")))
                .containsExactly(true, false);
        assertThat(byPlace(out("LookupTableFindV2", "captured", "c", "c"))).containsExactly(true, true);
    }

    @Test
    void whatNothingIsKnownOfMayDifferByThePlacesOfRowsBesideIt() {
        assertThat(byPlace(out("MakeSomething", "c"))).containsExactly(true, true);
        assertThat(byPlace(node("made", "MakeSomething", "c"), out("AddV2", "c", "made:o:0")))
                .containsExactly(true, true);
        assertThat(byPlace(node("drawn", "RandomUniform", "c"), out("AddV2", "c", "drawn:o:0")))
                .containsExactly(false, false);
    }

    @Test
    void oneOfTwoBranchesMayGiveANumberForEachPlace() {
        FunctionDef.Builder rows = function(List.of("x"), new NodeDef.Builder[0]);
        rows.getSignatureBuilder().setName("rows");
        for (boolean alike : List.of(true, false)) {
            FunctionDef.Builder numbers =
                    function(List.of("numbers:o:0"), numbers("numbers", alike ? 2 : 1, 2, alike ? 2 : 3));
            numbers.getSignatureBuilder().setName("numbers");
            Map<String, FunctionDef> functions = Map.of("rows", rows.build(), "numbers", numbers.build());
            for (List<String> branches : List.of(List.of("rows", "numbers"), List.of("numbers", "rows"))) {
                NodeDef.Builder chosen = node("chosen", "StatelessIf", "captured", "x", "v", "captured")
                        .putAttr("then_branch", Protos.function(branches.get(0)))
                        .putAttr("else_branch", Protos.function(branches.get(1)));
                assertThat(course(List.of("chosen:output:0"), functions, chosen))
                        .isEqualTo(alike ? RowFlow.Course.KEPT : RowFlow.Course.MIXED);
            }
        }
    }

    @Test
    void rowsThatMayBeSingleValuesMeetANumberForEachPlace() {
        ElementComponent unknown = new ElementComponent(DataType.DT_INT64, false, List.of());
        FunctionDef times =
                function(List.of("out:o:0"), out("Mul", "x", "captured")).build();
        assertThat(RowFlow.course(times, capturing(unknown, Protos.int32s(1, 2, 3)), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.MIXED);
        assertThat(RowFlow.course(times, capturing(unknown, Protos.int32s(2, 2, 2)), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.KEPT);
    }

    @Test
    void aVariableHasANumberForEachPlaceIfItBeginsSo() {
        FunctionDef times = function(
                        List.of("out:o:0"), node("read", "ReadVariableOp", "captured"), out("Mul", "x", "read:value:0"))
                .build();
        assertThat(RowFlow.course(times, capturing(VALUES, Protos.int32s(1, 2, 3)), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.MIXED);
        assertThat(RowFlow.course(times, capturing(VECTORS, Protos.int32s(1, 2, 3)), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.KEPT);
        RowFlow.Rows unknown = new RowFlow.Rows(
                List.of(VALUES, VALUES), 0, Set.of(), Set.of(), Set.of(), List.of(Optional.empty()), Set.of());
        assertThat(RowFlow.course(times, unknown, List.of(), Map.of())).isEqualTo(RowFlow.Course.MIXED);
    }

    @Test
    void aCapturedNumberForEachPlaceMixesPlacesInToo() {
        FunctionDef times =
                function(List.of("out:o:0"), out("Mul", "x", "captured")).build();
        assertThat(RowFlow.course(times, capturing(VALUES, Protos.int32s(1, 2, 3)), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.MIXED);
        assertThat(RowFlow.course(times, capturing(VALUES, Protos.int32(3)), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.KEPT);
        FunctionDef product = function(
                        List.of("out:o:0"), out("Einsum", "x", "captured").putAttr("equation", Protos.string("i,i->i")))
                .build();
        assertThat(RowFlow.course(product, capturing(VALUES, Protos.int32s(1, 2, 3)), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.MIXED);
        assertThat(RowFlow.course(product, capturing(VALUES, Protos.int32s(2, 2, 2)), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.KEPT);
    }

    private static RowFlow.Rows capturing(ElementComponent component, TensorProto captured) {
        // of the two components that functions here have the second is not used
        return new RowFlow.Rows(
                List.of(component, component),
                0,
                Set.of(),
                Set.of(),
                Set.of(),
                List.of(Optional.of(captured)),
                Set.of());
    }

    @Test
    void asManyNumbersBesideABatchAsItHasRowsAreThoseOfItsPlaces() {
        ElementComponent whole = new ElementComponent(DataType.DT_INT64, true, List.of(3L));
        for (boolean alike : List.of(false, true)) {
            FunctionDef labelled = function(
                            List.of("x", "labels:o:0"), numbers("labels", alike ? 2 : 1, 2, alike ? 2 : 3))
                    .build();
            assertThat(RowFlow.course(labelled, batch(0, whole), List.of(whole, whole), Map.of()))
                    .isEqualTo(alike ? RowFlow.Course.KEPT : RowFlow.Course.MIXED);
            RowFlow.Rows others =
                    new RowFlow.Rows(List.of(VALUES), 0, Set.of(), Set.of(), Set.of(), List.of(), Set.of(5L));
            assertThat(RowFlow.course(labelled, others, List.of(VALUES, whole), Map.of()))
                    .isEqualTo(RowFlow.Course.KEPT);
        }
    }

    @Test
    void noiseBySeedsThatAreConstantIsThatOfPlacesAndByOthersItIsChance() {
        ElementComponent whole = new ElementComponent(DataType.DT_INT64, true, List.of(3L));
        for (boolean told : List.of(true, false)) {
            FunctionDef noisy = function(
                            List.of("noise:o:0"),
                            numbers("sizes", 3),
                            numbers("one", 1, 2),
                            node("noise", "StatelessRandomUniform", "sizes:o:0", told ? "one:o:0" : "v"))
                    .build();
            RowFlow.Rows batch =
                    new RowFlow.Rows(List.of(whole, whole), 0, Set.of(), Set.of(1), Set.of(), List.of(), Set.of());
            assertThat(RowFlow.course(noisy, batch, List.of(whole), Map.of()))
                    .isEqualTo(told ? RowFlow.Course.MIXED : RowFlow.Course.KEPT);
        }
    }

    @Test
    void placesThatAreShuffledByConstantSeedsAreThoseOfOthersAndByDrawnOnesThoseThatChanceChooses() {
        for (boolean told : List.of(true, false)) {
            FunctionDef partners = function(
                            List.of("out:o:0"),
                            numbers("places", 0, 1, 2),
                            numbers("seed", 1, 2, 3),
                            numbers("last", 2),
                            numbers("axis", 0),
                            node("drawn", "RandomUniformInt", "seed:o:0"),
                            node(
                                    "others",
                                    "RandomIndexShuffle",
                                    "places:o:0",
                                    told ? "seed:o:0" : "drawn:o:0",
                                    "last:o:0"),
                            out("GatherV2", "x", "others:o:0", "axis:o:0"))
                    .build();
            assertThat(RowFlow.course(partners, batch(0, VALUES, VALUES), List.of(VALUES), Map.of()))
                    .isEqualTo(told ? RowFlow.Course.MIXED : RowFlow.Course.CHANCE);
        }
    }

    @Test
    void slicesOfABatchAndOfNumbersAreThoseOfPlaces() {
        NodeDef.Builder slices = node("slices", "TensorSliceDataset", "x", "numbers:o:0");
        assertThat(mixes(List.of("slices:handle:0"), numbers("numbers", 1, 2, 3), slices))
                .isTrue();
        assertThat(mixes(List.of("slices:handle:0"), numbers("numbers", 2, 2, 2), slices))
                .isFalse();
    }

    // ---- rows in their places

    private static boolean keepsPlaces(List<String> returned, NodeDef.Builder... nodes) {
        return RowFlow.keepsPlaces(function(returned, nodes).build(), batch(0, VALUES, VECTORS), Map.of());
    }

    @Test
    void rowsThatAreMadeOfThoseThatLayThereKeepTheirPlaces() {
        assertThat(keepsPlaces(List.of("out:o:0", "v"), out("Mul", "x", "captured")))
                .isTrue();
        assertThat(keepsPlaces(List.of("x", "captured"))).isTrue();
        assertThat(keepsPlaces(List.of("out:o:0"), numbers("weights", 1, 2, 3), out("Mul", "x", "weights:o:0")))
                .isTrue();
    }

    @Test
    void rowsThatLieOtherwiseAreMixedOrAreNoneDoNot() {
        assertThat(keepsPlaces(List.of("turned:o:0"), numbers("axis", 0), minusRow()))
                .isFalse();
        assertThat(keepsPlaces(List.of("out:o:0"), numbers("axis", 0), out("Cumsum", "x", "axis:o:0")))
                .isFalse();
        assertThat(keepsPlaces(List.of("out:o:0"), numbers("order", 1, 0), out("Transpose", "v", "order:o:0")))
                .isFalse();
        assertThat(keepsPlaces(List.of("out:o:0"), out("RandomShuffle", "x"))).isFalse();
        assertThat(keepsPlaces(List.of("out:o:0"), numbers("axis", 0), out("ConcatV2", "x", "x", "axis:o:0")))
                .isFalse();
        assertThat(keepsPlaces(List.of("captured"))).isFalse();
        assertThat(keepsPlaces(List.of("x", "out:o:0"), out("MakeSomething", "v")))
                .isFalse();
    }

    // ---- along an axis

    @ParameterizedTest
    @ValueSource(strings = {"Cumsum", "Cumprod", "CumulativeLogsumexp", "Sum", "Mean", "ArgMax"})
    void whatGoesAlongTheRowsMixesThemAndAlongOthersDoesNot(String op) {
        assertThat(mixes(numbers("axis", 0), out(op, "v", "axis:o:0"))).isTrue();
        assertThat(mixes(numbers("axis", -2), out(op, "v", "axis:o:0"))).isTrue();
        assertThat(mixes(numbers("axis", 1), out(op, "v", "axis:o:0"))).isFalse();
        assertThat(mixes(numbers("axis", -1), out(op, "v", "axis:o:0"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Softmax", "LogSoftmax", "TopKV2", "FFT"})
    void alongTheLastAxisSingleValuesAreMixed(String op) {
        assertThat(mixes(out(op, "x"))).isTrue();
        assertThat(mixes(out(op, "v"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unique", "UniqueV2", "L2Loss", "Bincount", "HistogramFixedWidth", "UnsortedSegmentSum"})
    void whatIsMadeOfAllMixesThem(String op) {
        assertThat(mixes(out(op, "x", "captured"))).isTrue();
        assertThat(mixes(out(op, "captured", "captured"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"StringJoin", "Igamma", "LeftShift", "CheckNumerics", "Snapshot", "NextAfter"})
    void whatIsMadeOfValuesAtOnePlaceIsMadeOfOneRow(String op) {
        assertThat(mixes(out(op, "x", "x"))).isFalse();
        assertThat(mixes(numbers("axis", 0), minusRow(), out(op, "x", "turned:o:0")))
                .isTrue();
        assertThat(mixes(numbers("weights", 1, 2, 3), out(op, "x", "weights:o:0")))
                .isTrue();
    }

    @Test
    void ofSeveralThingsThatAreGivenOnEachIsWhatItWas() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder sum = node("sum", "Cumsum", "x", "axis:o:0");
        NodeDef.Builder both = out("IdentityN", "x", "sum:o:0");
        assertThat(mixes(List.of("out:output:0"), axis, sum, both)).isFalse();
        assertThat(mixes(List.of("out:output:1"), axis, sum, both)).isTrue();
    }

    @Test
    void vectorsAndMatricesOfOneRowAreMadeByThemselvesAndThoseAlongRowsMixThem() {
        NodeDef.Builder last = numbers("axis", -1);
        NodeDef.Builder matrix = node("matrix", "ExpandDims", "v", "axis:o:0");
        assertThat(mixes(out("MatrixDiag", "v"))).isFalse();
        assertThat(mixes(out("MatrixDiag", "x"))).isTrue();
        assertThat(mixes(out("NthElement", "v", "captured"))).isFalse();
        assertThat(mixes(out("NthElement", "x", "captured"))).isTrue();
        assertThat(mixes(last, matrix, out("MatrixInverse", "matrix:o:0"))).isFalse();
        assertThat(mixes(out("MatrixInverse", "v"))).isTrue();
        assertThat(mixes(last, matrix, out("MatrixDiagPart", "matrix:o:0"))).isFalse();
        assertThat(mixes(out("MatrixDiagPart", "v"))).isTrue();
        assertThat(mixes(out("Cross", "v", "v"))).isFalse();
        assertThat(mixes(out("Cross", "v", "x"))).isTrue();
        assertThat(mixes(out("InTopKV2", "v", "x", "captured"))).isFalse();
        assertThat(mixes(out("InTopKV2", "captured", "x", "captured"))).isTrue();
    }

    @Test
    void howMuchOfARowIsTurnedItSaysItself() {
        NodeDef.Builder rows = out("ReverseSequence", "v", "x").putAttr("seq_dim", Protos.number(1));
        assertThat(mixes(rows.putAttr("batch_dim", Protos.number(0)))).isFalse();
        assertThat(mixes(rows.putAttr("seq_dim", Protos.number(0)).putAttr("batch_dim", Protos.number(1))))
                .isTrue();
    }

    @Test
    void rowsOfAVariableAreThoseThatARowNames() {
        assertThat(mixes(out("ResourceGather", "captured", "x"))).isFalse();
        assertThat(mixes(out("ResourceGather", "captured", "x").putAttr("batch_dims", Protos.number(1))))
                .isTrue();
    }

    // how much is put behind each row may be computed; in front of the rows and behind them stands nothing
    @Test
    void whatIsPutBesideRowsIsKnownOfWhatIsPutTogetherToo() {
        NodeDef.Builder none = numbers("none", 0, 0);
        NodeDef.Builder zero = numbers("zero", 0);
        NodeDef.Builder some = node("some", "Pack", "zero:o:0", "captured");
        assertThat(mixes(none, zero, some, node("all", "Pack", "none:o:0", "some:o:0"), out("Pad", "v", "all:o:0")))
                .isFalse();
        assertThat(mixes(none, zero, some, node("all", "Pack", "some:o:0", "none:o:0"), out("Pad", "v", "all:o:0")))
                .isTrue();
        NodeDef.Builder flat = node("flat", "Pack", "zero:o:0", "zero:o:0", "zero:o:0", "captured");
        NodeDef.Builder all = node("all", "Reshape", "flat:o:0", "none:o:0");
        assertThat(mixes(none, zero, flat, all, out("Pad", "v", "all:o:0"))).isFalse();
    }

    @Test
    void rollingMixesThemWithTheirNeighbours() {
        assertThat(mixes(numbers("axis", 0), out("Roll", "v", "captured", "axis:o:0")))
                .isTrue();
        assertThat(mixes(numbers("axis", 1), out("Roll", "v", "captured", "axis:o:0")))
                .isFalse();
        assertThat(mixes(out("Roll", "v", "captured", "captured"))).isTrue();
    }

    @Test
    void axesAreFollowedWhereTensorsAreTurned() {
        NodeDef.Builder turned = node("turned", "Transpose", "v", "order:o:0");
        assertThat(mixes(numbers("order", 1, 0), numbers("axis", 0), turned, out("Sum", "turned:o:0", "axis:o:0")))
                .isFalse();
        assertThat(mixes(numbers("order", 1, 0), numbers("axis", 1), turned, out("Sum", "turned:o:0", "axis:o:0")))
                .isTrue();
        assertThat(mixes(numbers("order", 1, 0), turned, out("Softmax", "turned:o:0")))
                .isTrue();
    }

    @Test
    void axesAreFollowedWhereDimensionsComeAndGo() {
        NodeDef.Builder before = node("before", "ExpandDims", "x", "axis:o:0");
        assertThat(mixes(numbers("axis", 0), before, out("Softmax", "before:o:0")))
                .isTrue();
        assertThat(mixes(numbers("axis", -1), before, out("Softmax", "before:o:0")))
                .isFalse();
        NodeDef.Builder gone = node("gone", "Squeeze", "before:o:0").putAttr("squeeze_dims", integers(0));
        assertThat(mixes(numbers("axis", 0), numbers("sum", 0), before, gone, out("Sum", "gone:o:0", "sum:o:0")))
                .isTrue();
        NodeDef.Builder pack = node("pack", "Pack", "x", "x").putAttr("axis", Protos.number(0));
        assertThat(mixes(numbers("axis", 0), pack, out("Sum", "pack:o:0", "axis:o:0")))
                .isFalse();
        assertThat(mixes(numbers("axis", 1), pack, out("Sum", "pack:o:0", "axis:o:0")))
                .isTrue();
        NodeDef.Builder kept = node("kept", "Sum", "v", "axis:o:0").putAttr("keep_dims", Protos.bool(true));
        assertThat(mixes(numbers("axis", 1), kept, out("Softmax", "kept:o:0"))).isFalse();
        NodeDef.Builder least = node("least", "Min", "v", "axis:o:0");
        assertThat(mixes(numbers("axis", 1), least, out("Softmax", "least:o:0")))
                .isTrue();
        NodeDef.Builder hot =
                node("hot", "OneHot", "x", "captured", "captured", "captured").putAttr("axis", Protos.number(-1));
        assertThat(mixes(hot, out("Softmax", "hot:o:0"))).isFalse();
    }

    private static AttrValue integers(long... numbers) {
        AttrValue.Builder list = AttrValue.newBuilder();
        for (long number : numbers) {
            list.getListBuilder().addI(number);
        }
        return list.build();
    }

    // ---- products

    @Test
    void productsOfRowsWithEachOtherMixThem() {
        assertThat(mixes(out("MatMul", "v", "v").putAttr("transpose_b", Protos.bool(true))))
                .isTrue();
        assertThat(mixes(out("BatchMatMulV2", "v", "v").putAttr("adj_y", Protos.bool(true))))
                .isTrue();
        assertThat(mixes(out("Einsum", "x", "x").putAttr("equation", Protos.string("i,j->ij"))))
                .isTrue();
        assertThat(mixes(out("Einsum", "v", "x").putAttr("equation", Protos.string("bi,b->i"))))
                .isTrue();
    }

    @Test
    void productsWithWeightsDoNot() {
        assertThat(mixes(out("MatMul", "v", "captured"))).isFalse();
        assertThat(mixes(out("MatMul", "captured", "v").putAttr("transpose_b", Protos.bool(true))))
                .isFalse();
        assertThat(mixes(out("Einsum", "v", "v").putAttr("equation", Protos.string("bi,bi->b"))))
                .isFalse();
        assertThat(mixes(out("Einsum", "v", "captured").putAttr("equation", Protos.string("bi,io->bo"))))
                .isFalse();

        assertThat(mixes(out("MatMul", "captured", "v"))).isTrue();
        assertThat(mixes(out("MatMul", "v", "captured").putAttr("transpose_a", Protos.bool(true))))
                .isTrue();
    }

    // ---- parts

    private static NodeDef.Builder strided(String value, long begins, long ends, long drops, long adds) {
        return out("StridedSlice", value, "begin:o:0", "end:o:0", "step:o:0")
                .putAttr("begin_mask", Protos.number(begins))
                .putAttr("end_mask", Protos.number(ends))
                .putAttr("shrink_axis_mask", Protos.number(drops))
                .putAttr("new_axis_mask", Protos.number(adds));
    }

    private static boolean takes(NodeDef.Builder slice) {
        return mixes(
                node("of", "Cast", "v"), numbers("begin", 0, 1), numbers("end", 0, 2), numbers("step", 1, 1), slice);
    }

    @Test
    void rowsThatAreTakenByTheirPlacesMixThemBehindOtherStepsToo() {
        assertThat(takes(strided("of:o:0", 1, 1, 0, 0))).isFalse();
        assertThat(takes(strided("of:o:0", 0, 1, 0, 0))).isFalse(); // from 0 on
        assertThat(takes(strided("of:o:0", 1, 0, 0, 0))).isTrue();
        assertThat(takes(strided("of:o:0", 1, 1, 1, 0))).isTrue();
        assertThat(takes(strided("of:o:0", 1, 1, 2, 0))).isFalse();
        // a new dimension before them: the second entry is of the rows
        assertThat(takes(strided("of:o:0", 0, 0, 0, 1))).isTrue();
        assertThat(takes(strided("of:o:0", 2, 2, 0, 1))).isFalse();
    }

    @Test
    void anEllipsisStandsForAsManyDimensionsAsThereAre() {
        NodeDef.Builder last = strided("of:o:0", 0, 0, 2, 0).putAttr("ellipsis_mask", Protos.number(1));
        assertThat(takes(last)).isFalse();
        NodeDef.Builder firstOfAll = strided("of:o:0", 0, 0, 1, 0).putAttr("ellipsis_mask", Protos.number(2));
        assertThat(takes(firstOfAll)).isTrue();
    }

    @Test
    void aSliceOfSomeRowsMixesThemAndOneOfAllDoesNot() {
        NodeDef.Builder shape = node("shape", "Shape", "x");
        NodeDef.Builder count = node("count", "StridedSlice", "shape:o:0", "zero:o:0", "one:o:0", "one:o:0");
        NodeDef.Builder half = node("half", "FloorDiv", "count:o:0", "captured");
        NodeDef.Builder all = node("size", "Pack", "count:o:0");
        NodeDef.Builder some = node("size", "Pack", "half:o:0");
        NodeDef.Builder zero = numbers("zero", 0);
        NodeDef.Builder one = numbers("one", 1);
        assertThat(mixes(zero, one, shape, count, all, out("Slice", "x", "zero:o:0", "size:o:0")))
                .isFalse();
        assertThat(mixes(zero, one, shape, count, half, some, out("Slice", "x", "zero:o:0", "size:o:0")))
                .isTrue();
        assertThat(mixes(zero, one, out("Slice", "x", "zero:o:0", "one:o:0"))).isTrue();
        assertThat(mixes(zero, numbers("rest", -1), out("Slice", "x", "zero:o:0", "rest:o:0")))
                .isFalse();
        assertThat(mixes(numbers("rest", -1), out("Slice", "x", "captured", "rest:o:0")))
                .isTrue();
    }

    @Test
    void rowsThatAreTakenApartOrGatheredByConstantPlacesAreMixed() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder halves = out("Split", "axis:o:0", "v").putAttr("num_split", Protos.number(2));
        assertThat(mixes(axis, halves)).isTrue();
        assertThat(mixes(numbers("axis", 1), halves)).isFalse();
        assertThat(mixes(out("Unpack", "v").putAttr("axis", Protos.number(0)))).isTrue();
        assertThat(mixes(out("Unpack", "v").putAttr("axis", Protos.number(1)))).isFalse();
        assertThat(mixes(axis, numbers("places", 2, 0), out("GatherV2", "v", "places:o:0", "axis:o:0")))
                .isTrue();
        assertThat(mixes(numbers("axis", 1), numbers("places", 2, 0), out("GatherV2", "v", "places:o:0", "axis:o:0")))
                .isFalse();
        assertThat(mixes(axis, out("GatherV2", "v", "captured", "axis:o:0"))).isTrue();
    }

    @Test
    void valuesThatComeTogetherInALongerRowAreMixed() {
        assertThat(mixes(numbers("shape", -1, 2), out("Reshape", "x", "shape:o:0")))
                .isTrue();
        assertThat(mixes(numbers("shape", -1, 1), out("Reshape", "x", "shape:o:0")))
                .isFalse();
        assertThat(mixes(numbers("shape", -1, 3, 1), out("Reshape", "v", "shape:o:0")))
                .isFalse();
    }

    @Test
    void rowsBehindRowsStayOnes() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder both = node("both", "ConcatV2", "x", "x", "axis:o:0");
        NodeDef.Builder again = node("again", "ConcatV2", "x", "x", "axis:o:0");
        assertThat(mixes(List.of("both:o:0", "again:o:0"), axis, both, again)).isFalse();
        NodeDef.Builder wide = out("ConcatV2", "v", "v", "axis:o:0");
        assertThat(mixes(numbers("axis", 1), wide)).isFalse();
        NodeDef.Builder turned = node("turned", "ReverseV2", "v", "first:o:0");
        assertThat(mixes(
                        numbers("first", 0),
                        numbers("axis", 1),
                        turned,
                        out("ConcatV2", "v", "turned:o:0", "axis:o:0")))
                .isTrue();
    }

    // ---- what is followed to the end

    private static boolean follows(NodeDef.Builder... nodes) {
        return !mixes(nodes);
    }

    @Test
    void rowsThatAreMadeOfTheSameRowAreFollowed() {
        assertThat(follows(out("Mul", "x", "captured"))).isTrue();
        assertThat(follows(
                        node("shape", "Shape", "v"),
                        node("seed", "RandomUniformInt", "captured"),
                        node("noise", "StatelessRandomUniformV2", "shape:o:0", "seed:o:0"),
                        out("AddV2", "v", "noise:o:0")))
                .isTrue();
    }

    @Test
    void whatNothingIsKnownOfAndWhatIsMixedIsNotFollowed() {
        assertThat(follows(out("MakeSomething", "x"))).isFalse();
        assertThat(follows(out("TopKV2", "x"))).isFalse();
    }

    @Test
    void placesInTheBatchAreNotFollowedAndPlacesInARowAre() {
        NodeDef.Builder shape = node("shape", "Shape", "v");
        assertThat(follows(shape, node("rows", "Range", "captured", "shape:o:0"), out("Mul", "x", "rows:o:0")))
                .isFalse();
        assertThat(follows(shape, out("Range", "captured", "shape:o:0"))).isFalse();
        assertThat(follows(
                        shape,
                        numbers("second", 1),
                        node("columns", "StridedSlice", "shape:o:0", "second:o:0"),
                        node("places", "Range", "captured", "columns:o:0"),
                        out("AddV2", "v", "places:o:0")))
                .isTrue();
    }

    // ---- how many rows there are, and their numbers

    private static NodeDef.Builder[] counted(NodeDef.Builder... more) {
        List<NodeDef.Builder> nodes = new ArrayList<>(List.of(
                numbers("zeroes", 0),
                numbers("ones", 1),
                Protos.constant("zero", Protos.int32(0)),
                Protos.constant("one", Protos.int32(1)),
                Protos.constant("two", Protos.int32(2)),
                node("shape", "Shape", "v"),
                node("count", "StridedSlice", "shape:o:0", "zeroes:o:0", "ones:o:0", "ones:o:0")
                        .putAttr("shrink_axis_mask", Protos.number(1)),
                node("numbers", "Range", "zero:o:0", "count:o:0", "one:o:0")));
        nodes.addAll(List.of(more));
        return nodes.toArray(NodeDef.Builder[]::new);
    }

    @Test
    void aRowThatIsMadeWithTheNumberOfRowsHangsOnIt() {
        assertThat(mixes(counted(node("size", "Cast", "count:o:0"), out("RealDiv", "x", "size:o:0"))))
                .isTrue();
        assertThat(mixes(counted(node("half", "FloorDiv", "count:o:0", "two:o:0"), out("Mul", "x", "half:o:0"))))
                .isTrue();
        assertThat(mixes(counted(node("dims", "Pack", "count:o:0"), out("Fill", "dims:o:0", "count:o:0"))))
                .isTrue();

        assertThat(mixes(counted(
                        node("dims", "Pack", "count:o:0"),
                        node("same", "Fill", "dims:o:0", "two:o:0"),
                        out("Mul", "x", "same:o:0"))))
                .isFalse();
        assertThat(mixes(counted(node("dims", "Pack", "count:o:0", "one:o:0"), out("Reshape", "x", "dims:o:0"))))
                .isFalse();
    }

    @Test
    void whatABranchMakesThatTheNumberOfRowsDecidesHangsOnIt() {
        Map<String, FunctionDef> functions =
                Map.of("kept", function(List.of("x")).build());
        NodeDef.Builder branch = out("StatelessIf", "full:o:0", "x")
                .putAttr("then_branch", Protos.function("kept"))
                .putAttr("else_branch", Protos.function("kept"));
        assertThat(mixes(functions, "out:output:0", counted(node("full", "Equal", "count:o:0", "two:o:0"), branch)))
                .isTrue();
        assertThat(mixes(functions, "out:output:0", counted(node("full", "Equal", "captured", "two:o:0"), branch)))
                .isFalse();
    }

    @Test
    void theNumberOfARowIsItsPlaceAndTheRowOfANumberIsThatRow() {
        assertThat(mixes(counted(out("Identity", "numbers:o:0")))).isTrue();
        assertThat(mixes(counted(out("GatherV2", "v", "numbers:o:0", "zero:o:0"))))
                .isFalse();
        assertThat(mixes(counted(
                        node("next", "AddV2", "numbers:o:0", "one:o:0"), out("GatherV2", "v", "next:o:0", "zero:o:0"))))
                .isTrue();
        assertThat(mixes(counted(
                        node("half", "FloorDiv", "count:o:0", "two:o:0"),
                        node("first", "Range", "zero:o:0", "half:o:0", "one:o:0"),
                        out("GatherV2", "v", "first:o:0", "zero:o:0"))))
                .isTrue();
    }

    /** As TensorFlow writes {@code tf.vectorized_map}. */
    @Test
    void rowsThatAreTakenAtOnceAreThoseRows() {
        NodeDef.Builder several = node("several", "Greater", "count:o:0", "one:o:0");
        NodeDef.Builder each = node("each", "SelectV2", "several:o:0", "numbers:o:0", "zero:o:0");
        assertThat(mixes(counted(several, each, out("GatherV2", "v", "each:o:0", "zero:o:0"))))
                .isFalse();
        NodeDef.Builder other = node("each", "SelectV2", "several:o:0", "numbers:o:0", "one:o:0");
        assertThat(mixes(counted(several, other, out("GatherV2", "v", "each:o:0", "zero:o:0"))))
                .isTrue();
    }

    @Test
    void rowsThatChanceChoosesAreThoseOfChance() {
        assertThat(course(List.of("out:o:0"), Map.of(), out("RandomShuffle", "x")))
                .isEqualTo(RowFlow.Course.CHANCE);
        assertThat(course(
                        List.of("out:o:0"),
                        Map.of(),
                        counted(
                                node("mixed", "RandomShuffle", "numbers:o:0"),
                                node("of", "GatherV2", "x", "mixed:o:0", "zero:o:0"),
                                out("Sub", "x", "of:o:0"))))
                .isEqualTo(RowFlow.Course.CHANCE);
        assertThat(course(List.of("out:o:0"), Map.of(), out("AddV2", "x", "x"))).isEqualTo(RowFlow.Course.KEPT);
    }

    // ---- loops

    private static FunctionDef.Builder loop(String name, String... arguments) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder().setName(name);
        for (String argument : arguments) {
            function.getSignatureBuilder().addInputArg(Protos.arg(argument, DataType.DT_INT64));
        }
        return function;
    }

    private static FunctionDef returning(FunctionDef.Builder function, String... refs) {
        for (int i = 0; i < refs.length; i++) {
            function.getSignatureBuilder().addOutputArg(Protos.arg("r" + i, DataType.DT_INT64));
            function.putRet("r" + i, refs[i]);
        }
        return function.build();
    }

    /** As {@code tf.map_fn}: what each turn puts into the list is an op of two things. */
    private static boolean loopMixes(String op, String one, String other) {
        return loopMixes("count", "turn", op, one, other);
    }

    private static boolean loopMixes(String limit, String place, String op, String one, String other) {
        String[] variables = {"turn", "made", "limit", "rows", "batch"};
        FunctionDef condition =
                returning(loop("condition", variables).addNodeDef(node("less", "Less", "turn", "limit")), "less:z:0");
        FunctionDef turn = returning(
                loop("body", variables)
                        .addNodeDef(Protos.constant("one", Protos.int32(1)))
                        .addNodeDef(node("next", "AddV2", "turn", "one:output:0"))
                        .addNodeDef(node("row", "TensorListGetItem", "rows", place, "one:output:0"))
                        .addNodeDef(node("before", "TensorListGetItem", "made", place, "one:output:0"))
                        .addNodeDef(node("of", op, one, other))
                        .addNodeDef(node("set", "TensorListSetItem", "made", "turn", "of:z:0")),
                "next:z:0",
                "set:output_handle:0",
                "limit",
                "rows",
                "batch");
        Map<String, FunctionDef> functions = Map.of("condition", condition, "body", turn);
        return mixes(
                functions,
                "out:tensor:0",
                counted(
                        numbers("none"),
                        node("half", "FloorDiv", "count:o:0", "two:o:0"),
                        node("rows", "TensorListFromTensor", "x", "none:o:0"),
                        node("list", "TensorListReserve", "none:o:0", "count:o:0"),
                        node("loop", "StatelessWhile", "zero:o:0", "list:o:0", limit + ":o:0", "rows:o:0", "v")
                                .putAttr("cond", Protos.function("condition"))
                                .putAttr("body", Protos.function("body")),
                        out("TensorListStack", "loop:output:1", "none:o:0")));
    }

    @Test
    void aLoopThatMakesARowOfEachRowMixesNone() {
        assertThat(loopMixes("Mul", "row:item:0", "row:item:0")).isFalse();
        assertThat(loopMixes("AnythingAtAll", "row:item:0", "one:output:0")).isFalse();
    }

    @Test
    void aLoopThatKnowsTheTurnOrTheBatchOrWhatWasMadeBeforeMixesThem() {
        assertThat(loopMixes("Mul", "row:item:0", "turn")).isTrue();
        assertThat(loopMixes("Mul", "row:item:0", "limit")).isTrue();
        assertThat(loopMixes("Mul", "row:item:0", "batch")).isTrue();
        assertThat(loopMixes("count", "one:output:0", "Mul", "row:item:0", "row:item:0"))
                .isTrue();
        assertThat(loopMixes("count", "one:output:0", "Mul", "before:item:0", "one:output:0"))
                .isTrue();
        assertThat(loopMixes("half", "turn", "Mul", "row:item:0", "row:item:0")).isTrue();
    }

    @Test
    void theRowOfATurnMayBeTakenOfTheBatch() {
        FunctionDef condition = returning(
                loop("condition", "turn", "made", "limit", "batch").addNodeDef(node("less", "Less", "turn", "limit")),
                "less:z:0");
        assertThat(rowsTakenMix(condition, "turn")).isFalse();
        assertThat(rowsTakenMix(condition, "next:z:0")).isTrue();
    }

    private static boolean rowsTakenMix(FunctionDef condition, String place) {
        FunctionDef turn = returning(
                loop("body", "turn", "made", "limit", "batch")
                        .addNodeDef(Protos.constant("zero", Protos.int32(0)))
                        .addNodeDef(Protos.constant("one", Protos.int32(1)))
                        .addNodeDef(node("next", "AddV2", "turn", "one:output:0"))
                        .addNodeDef(node("row", "GatherV2", "batch", place, "zero:output:0"))
                        .addNodeDef(node("set", "TensorListSetItem", "made", "turn", "row:output:0")),
                "next:z:0",
                "set:output_handle:0",
                "limit",
                "batch");
        return mixes(
                Map.of("condition", condition, "body", turn),
                "out:tensor:0",
                counted(
                        numbers("none"),
                        node("list", "TensorListReserve", "none:o:0", "count:o:0"),
                        node("loop", "StatelessWhile", "zero:o:0", "list:o:0", "count:o:0", "v")
                                .putAttr("cond", Protos.function("condition"))
                                .putAttr("body", Protos.function("body")),
                        out("TensorListStack", "loop:output:1", "none:o:0")));
    }

    @Test
    void rowsThatEachChooseThemselvesAreStillThoseRows() {
        NodeDef.Builder[] chosen = counted(
                node("even", "Equal", "x", "captured"),
                node("where", "Where", "even:o:0"),
                node("places", "Squeeze", "where:o:0"),
                node("odd", "NotEqual", "x", "captured"),
                node("others", "Where", "odd:o:0"),
                node("kept", "GatherV2", "v", "places:o:0", "zero:o:0"),
                node("beside", "GatherV2", "x", "places:o:0", "zero:o:0"),
                node("other", "GatherV2", "x", "others:o:0", "zero:o:0"));
        assertThat(mixes(List.of("kept:o:0", "beside:o:0"), chosen)).isFalse();
        assertThat(mixes(List.of("kept:o:0", "other:o:0"), chosen)).isTrue();
        assertThat(mixes(List.of("kept:o:0", "x"), chosen)).isTrue();
        assertThat(mixes(List.of("places:o:0"), chosen)).isTrue();
    }

    // ---- beside what looks like the same for all rows

    @Test
    void whatALoopCarriesThatIsAnotherInEachTurnIsThatOfAPlace() {
        for (boolean carried : List.of(true, false)) {
            FunctionDef condition = returning(
                    loop("condition", "turn", "made", "limit", "batch", "weight")
                            .addNodeDef(node("less", "Less", "turn", "limit")),
                    "less:z:0");
            FunctionDef turn = returning(
                    loop("body", "turn", "made", "limit", "batch", "weight")
                            .addNodeDef(Protos.constant("zero", Protos.int32(0)))
                            .addNodeDef(Protos.constant("one", Protos.int32(1)))
                            .addNodeDef(node("next", "AddV2", "turn", "one:output:0"))
                            .addNodeDef(node("less", "Mul", "weight", "weight"))
                            .addNodeDef(node("row", "GatherV2", "batch", "turn", "zero:output:0"))
                            .addNodeDef(node("of", "Mul", "row:output:0", "weight"))
                            .addNodeDef(node("set", "TensorListSetItem", "made", "turn", "of:z:0")),
                    "next:z:0",
                    "set:output_handle:0",
                    "limit",
                    "batch",
                    carried ? "less:z:0" : "weight");
            assertThat(mixes(
                            Map.of("condition", condition, "body", turn),
                            "out:tensor:0",
                            counted(
                                    numbers("none"),
                                    node("list", "TensorListReserve", "none:o:0", "count:o:0"),
                                    node("loop", "StatelessWhile", "zero:o:0", "list:o:0", "count:o:0", "v", "two:o:0")
                                            .putAttr("cond", Protos.function("condition"))
                                            .putAttr("body", Protos.function("body")),
                                    out("TensorListStack", "loop:output:1", "none:o:0"))))
                    .isEqualTo(carried);
        }
    }

    /** Divided by a size of a shape that is counted from the last. */
    private static boolean dividedBySize(String of, int place) {
        return mixes(
                node("shape", "Shape", of),
                numbers("begin", place),
                numbers("end", place + 1),
                numbers("step", 1),
                node("size", "StridedSlice", "shape:o:0", "begin:o:0", "end:o:0", "step:o:0")
                        .putAttr("shrink_axis_mask", Protos.number(1)),
                out("FloorDiv", of, "size:o:0"));
    }

    @Test
    void aSizeThatIsCountedFromTheLastMayBeTheNumberOfRows() {
        assertThat(dividedBySize("x", -1)).isTrue();
        assertThat(dividedBySize("v", -2)).isTrue();
        assertThat(dividedBySize("v", -1)).isFalse();
        assertThat(dividedBySize("v", 1)).isFalse();
    }

    @Test
    void ofEachRowAsMuchAsThereAreRowsHangsOnHowManyThereAre() {
        NodeDef.Builder[] strided = counted(
                numbers("begin", 0, 0),
                numbers("step", 1, 1),
                node("end", "Pack", "zero:o:0", "count:o:0"),
                out("StridedSlice", "v", "begin:o:0", "end:o:0", "step:o:0")
                        .putAttr("begin_mask", Protos.number(3))
                        .putAttr("end_mask", Protos.number(1)));
        assertThat(mixes(strided)).isTrue();
        NodeDef.Builder[] columns = counted(
                numbers("begin", 0, 0),
                node("size", "Pack", "two:o:0", "count:o:0"),
                out("Slice", "v", "begin:o:0", "size:o:0"));
        assertThat(mixes(columns)).isTrue();
        NodeDef.Builder[] rows = counted(
                numbers("begin", 0, 0),
                node("size", "Pack", "count:o:0", "two:o:0"),
                out("Slice", "v", "begin:o:0", "size:o:0"));
        assertThat(mixes(rows)).isFalse();
        assertThat(mixes(counted(node("made", "OneHot", "x", "count:o:0", "two:o:0", "zero:o:0")
                        .setName("out")
                        .putAttr("axis", Protos.number(-1)))))
                .isTrue();
    }

    @Test
    void otherRowsThanThoseOfTheBatchAreNotAsManyAsItHas() {
        NodeDef.Builder shape = node("sizes", "Pack", "count:o:0", "two:o:0");
        NodeDef.Builder reshaped = out("Reshape", "of:o:0", "sizes:o:0");
        assertThat(mixes(counted(node("of", "ConcatV2", "x", "x", "zero:o:0"), shape, reshaped)))
                .isTrue();
        assertThat(mixes(counted(node("of", "Neg", "v"), shape, reshaped))).isFalse();
        assertThat(mixes(counted(node("of", "ReverseV2", "v", "axis:o:0"), numbers("axis", 0), shape, reshaped)))
                .isFalse();
        NodeDef.Builder twice = numbers("twice", 2);
        NodeDef.Builder turned = node("turned", "ReverseV2", "x", "axis:o:0");
        assertThat(mixes(
                        numbers("axis", 0),
                        twice,
                        turned,
                        node("tiled", "Tile", "x", "twice:o:0"),
                        node("other", "Tile", "turned:o:0", "twice:o:0"),
                        out("Sub", "tiled:o:0", "other:o:0")))
                .isTrue();
    }

    @Test
    void aVectorThatChoosesAmongRowsHasAChoiceForEachPlace() {
        NodeDef.Builder chosen = node("chosen", "Select", "choice:o:0", "ones:o:0", "ones:o:0");
        assertThat(mixes(
                        numbers("choice", 1, 0, 1),
                        shaped("ones", List.of(3L, 3L), 1),
                        chosen,
                        out("AddV2", "v", "chosen:o:0")))
                .isTrue();
        assertThat(mixes(
                        Protos.constant("choice", Protos.int32(1)),
                        shaped("ones", List.of(3L, 3L), 1),
                        chosen,
                        out("AddV2", "v", "chosen:o:0")))
                .isFalse();
    }

    @Test
    void picturesMetByFiltersMadeOfThemOrMovedEachByItsOwnAreMixed() {
        ElementComponent pictures = new ElementComponent(DataType.DT_FLOAT, true, List.of(-1L, 4L, 4L, 1L));
        RowFlow.Rows rows = batch(0, pictures, pictures);
        for (boolean itself : List.of(true, false)) {
            FunctionDef met = function(
                            List.of("out:o:0"),
                            shaped("filter", List.of(2L, 2L, 1L, 1L), 1),
                            out("Conv2D", "x", itself ? "v" : "filter:o:0"))
                    .build();
            assertThat(RowFlow.course(met, rows, List.of(), Map.of()) == RowFlow.Course.MIXED)
                    .isEqualTo(itself);
            FunctionDef moved = function(
                            List.of("out:o:0"),
                            shaped("moves", List.of(itself ? 2L : 1L, 2L), 1, 2, 3, 4),
                            numbers("size", 4, 4),
                            out("ImageProjectiveTransformV3", "x", "moves:o:0", "size:o:0"))
                    .build();
            assertThat(RowFlow.course(moved, rows, List.of(), Map.of()) == RowFlow.Course.MIXED)
                    .isEqualTo(itself);
        }
    }

    @Test
    void onADiagonalEachRowGivesWhatStandsInItsPlace() {
        assertThat(mixes(out("Einsum", "v").putAttr("equation", Protos.string("ii->i"))))
                .isTrue();
        assertThat(mixes(out("Einsum", "v").putAttr("equation", Protos.string("ij->i"))))
                .isFalse();
    }

    @Test
    void whatIsAddedAlongTheDimensionInWhichRowsLieHasAValueForEachPlace() {
        NodeDef.Builder order = numbers("order", 1, 0);
        NodeDef.Builder turned = node("turned", "Transpose", "v", "order:o:0");
        NodeDef.Builder bias = numbers("bias", 1, 2, 3);
        assertThat(mixes(order, turned, bias, out("BiasAdd", "turned:o:0", "bias:o:0")))
                .isTrue();
        assertThat(mixes(bias, out("BiasAdd", "v", "bias:o:0"))).isFalse();
    }

    @Test
    void aTableGivesAsManyValuesForAKeyAsForOneThatItDoesNotHave() {
        NodeDef.Builder otherwise = numbers("otherwise", 0, 0, 0);
        NodeDef.Builder found = node("found", "LookupTableFindV2", "captured", "x", "otherwise:o:0");
        assertThat(mixes(otherwise, found, numbers("mean", 1, 2, 3), out("Sub", "found:o:0", "mean:o:0")))
                .isFalse();
        assertThat(mixes(otherwise, found, out("Sub", "found:o:0", "x"))).isTrue();
    }

    @Test
    void whatIsBesideAllBatchesIsNoRowOfThem() {
        RowFlow.Rows batch =
                new RowFlow.Rows(List.of(VALUES, VALUES), 0, Set.of(), Set.of(), Set.of(1), List.of(), Set.of());
        assertThat(RowFlow.course(
                        function(List.of("out:o:0"), out("Mul", "x", "v")).build(), batch, List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.MIXED);
    }

    // ---- rows of unequal length

    @Test
    void wordsOfLinesAreOfTheirRowsAsLongAsTheyStayBesideThem() {
        NodeDef.Builder none = Protos.constant("none", Protos.int64(0));
        NodeDef.Builder split = node("split", "StringSplitV2", "x", "none:output:0");
        NodeDef.Builder found = node("found", "LookupTableFindV2", "captured", "split:values:0", "none:output:0");
        NodeDef.Builder dense =
                node("dense", "SparseToDense", "split:indices:0", "split:shape:0", "found:values:0", "none:output:0");
        assertThat(mixes(List.of("dense:dense:0"), none, split, found, dense)).isFalse();
        assertThat(mixes(List.of("found:values:0"), none, split, found)).isTrue();
        assertThat(mixes(List.of("split:indices:0"), none, split)).isTrue();
        NodeDef.Builder sorted = node("found", "Unique", "split:values:0");
        assertThat(mixes(List.of("dense:dense:0"), none, split, sorted, dense)).isTrue();
    }

    @Test
    void examplesAreParsedRowByRow() {
        NodeDef.Builder keys = numbers("keys", 0);
        NodeDef.Builder parsed = node("parsed", "ParseExampleV2", "x", "keys:output:0")
                .putAttr("dense_shapes", Protos.shapes(List.of(Protos.shape(4L))));
        NodeDef.Builder sum = out("Sum", "parsed:dense_values:0", "axis:o:0");
        assertThat(mixes(List.of("parsed:dense_values:0"), keys, parsed)).isFalse();
        assertThat(mixes(List.of("out:o:0"), numbers("axis", 1), keys, parsed, sum))
                .isFalse();
        assertThat(mixes(List.of("out:o:0"), numbers("axis", 0), keys, parsed, sum))
                .isTrue();
    }

    // ---- shapes

    @Test
    void valuesMayBeGivenMoreDimensionsOnAnySide() {
        assertThat(mixes(numbers("shape", 1, -1, 1), out("Reshape", "x", "shape:o:0")))
                .isFalse();
        assertThat(mixes(numbers("shape", -1, 3), out("Reshape", "v", "shape:o:0")))
                .isFalse();
        assertThat(mixes(numbers("shape", -1, 6), out("Reshape", "v", "shape:o:0")))
                .isTrue();
        assertThat(mixes(numbers("shape", -1), out("Reshape", "v", "shape:o:0")))
                .isTrue();
        // a stretch of rows for each of two devices
        assertThat(mixes(numbers("shape", 2, -1, 3), out("Reshape", "v", "shape:o:0")))
                .isFalse();
    }

    @Test
    void picturesAreResizedEachByItself() {
        ElementComponent pictures = new ElementComponent(DataType.DT_UINT8, true, List.of(-1L, 8L, 8L, 3L));
        FunctionDef resized = function(List.of("out:o:0"), out("ResizeBilinear", "x", "captured"))
                .build();
        assertThat(RowFlow.course(resized, batch(0, pictures), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.KEPT);
        assertThat(RowFlow.course(resized, batch(1, pictures), List.of(), Map.of()))
                .isEqualTo(RowFlow.Course.MIXED);
    }

    @Test
    void rowsThatLieAlongAnotherDimensionAreMoved() {
        assertThat(course(List.of("out:o:0"), Map.of(), numbers("order", 1, 0), out("Transpose", "v", "order:o:0")))
                .isEqualTo(RowFlow.Course.MOVED);
        assertThat(course(List.of("out:o:0"), Map.of(), numbers("shape", 1, -1), out("Reshape", "x", "shape:o:0")))
                .isEqualTo(RowFlow.Course.MOVED);
        assertThat(course(List.of("out:o:0"), Map.of(), numbers("shape", 2, -1), out("Reshape", "x", "shape:o:0")))
                .isEqualTo(RowFlow.Course.MOVED);
        assertThat(course(List.of("out:o:0"), Map.of(), numbers("shape", -1, 1), out("Reshape", "x", "shape:o:0")))
                .isEqualTo(RowFlow.Course.KEPT);
    }

    // ---- rows that are filled up

    private static RowFlow.Course padded(NodeDef.Builder... nodes) {
        ElementComponent words = new ElementComponent(DataType.DT_INT64, true, List.of(-1L, -1L));
        FunctionDef function = function(List.of("out:o:0"), nodes).build();
        return RowFlow.course(
                function,
                new RowFlow.Rows(
                        List.of(words, words),
                        0,
                        Set.of(0, 1),
                        Set.of(),
                        Set.of(),
                        List.of(Optional.of(Protos.int64(7))),
                        Set.of()),
                List.of(),
                Map.of());
    }

    private static NodeDef.Builder columns(long begins, long ends, long drops) {
        return out("StridedSlice", "x", "begin:o:0", "end:o:0", "step:o:0")
                .putAttr("begin_mask", Protos.number(1 | begins << 1))
                .putAttr("end_mask", Protos.number(1 | ends << 1))
                .putAttr("shrink_axis_mask", Protos.number(drops << 1));
    }

    private static RowFlow.Course columns(int begin, int end, NodeDef.Builder slice) {
        return padded(numbers("begin", 0, begin), numbers("end", 0, end), numbers("step", 1, 1), slice);
    }

    @Test
    void whatHangsOnTheLengthOfTheLongestRowHangsOnTheBatch() {
        assertThat(padded(numbers("axis", 1), out("Mean", "x", "axis:o:0"))).isEqualTo(RowFlow.Course.MIXED);
        assertThat(padded(out("Softmax", "x"))).isEqualTo(RowFlow.Course.MIXED);
        assertThat(padded(numbers("axis", 1), out("ReverseV2", "x", "axis:o:0")))
                .isEqualTo(RowFlow.Course.MIXED);
        assertThat(columns(0, -1, columns(1, 0, 0))).isEqualTo(RowFlow.Course.MIXED);
        assertThat(columns(-1, 0, columns(0, 0, 1))).isEqualTo(RowFlow.Course.MIXED);
        assertThat(padded(
                        numbers("one", 1),
                        numbers("two", 2),
                        node("shape", "Shape", "x"),
                        node("length", "StridedSlice", "shape:o:0", "one:o:0", "two:o:0", "one:o:0")
                                .putAttr("shrink_axis_mask", Protos.number(1)),
                        out("Mul", "x", "length:o:0")))
                .isEqualTo(RowFlow.Course.MIXED);
    }

    @Test
    void howLongTheLongestRowIsHangsOnTheBatchAndHowManyThereAreDoesNot() {
        ElementComponent words = new ElementComponent(DataType.DT_INT64, true, List.of(-1L, -1L));
        ElementComponent single = new ElementComponent(DataType.DT_INT32, true, List.of());
        for (Set<Integer> padded : List.of(Set.of(0), Set.<Integer>of())) {
            for (int dimension : List.of(0, 1)) {
                FunctionDef size = function(
                                List.of("more:o:0"),
                                numbers("from", dimension),
                                numbers("to", dimension + 1),
                                numbers("step", 1),
                                node("shape", "Shape", "x"),
                                node("size", "StridedSlice", "shape:o:0", "from:o:0", "to:o:0", "step:o:0")
                                        .putAttr("shrink_axis_mask", Protos.number(1)),
                                node("more", "AddV2", "size:o:0", "step:o:0"))
                        .build();
                RowFlow.Rows batch =
                        new RowFlow.Rows(List.of(words, words), 0, padded, Set.of(), Set.of(), List.of(), Set.of());
                assertThat(RowFlow.course(size, batch, List.of(single), Map.of()))
                        .isEqualTo(dimension == 1 && !padded.isEmpty() ? RowFlow.Course.MIXED : RowFlow.Course.KEPT);
            }
        }
    }

    @Test
    void onesForEachValueOfRowsThatAreFilledUpTellHowLongTheLongestIs() {
        NodeDef.Builder shape = node("shape", "Shape", "x");
        NodeDef.Builder one = Protos.constant("one", Protos.int32(1));
        NodeDef.Builder ones = node("ones", "Fill", "shape:o:0", "one:o:0");
        NodeDef.Builder twos = node("twos", "AddV2", "ones:o:0", "one:o:0");
        NodeDef.Builder axis = numbers("axis", 1);
        assertThat(padded(shape, one, ones, twos, axis, out("Sum", "twos:o:0", "axis:o:0")))
                .isEqualTo(RowFlow.Course.MIXED);
        assertThat(padded(shape, one, ones, twos, out("AddV2", "x", "twos:o:0")))
                .isEqualTo(RowFlow.Course.KEPT);
        NodeDef.Builder vectors = node("shape", "Shape", "v");
        assertThat(mixes(vectors, one, ones, twos, axis, out("Sum", "twos:o:0", "axis:o:0")))
                .isFalse();
    }

    /** Of a value for each row a function is made as of rows: where these meet it tells how many there are. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "v"})
    void onesForEachRowTellHowManyThereAreWhereTheyMeet(String rows) {
        NodeDef.Builder shape = node("shape", "Shape", rows);
        NodeDef.Builder one = Protos.constant("one", Protos.int64(1));
        NodeDef.Builder ones = node("ones", "Fill", "shape:o:0", "one:o:0");
        NodeDef.Builder twos = node("twos", "AddV2", "ones:o:0", "one:o:0");
        NodeDef.Builder first = numbers("first", 0);
        NodeDef.Builder all = node("all", "Sum", "twos:o:0", "first:o:0").putAttr("keep_dims", Protos.bool(true));
        assertThat(mixes(shape, one, ones, twos, first, all, out("Mul", rows, "all:o:0")))
                .isTrue();
        assertThat(mixes(shape, one, ones, twos, first, out("Cumsum", "twos:o:0", "first:o:0")))
                .isTrue();
        assertThat(mixes(shape, one, ones, twos, out("MatrixDiagV3", "twos:o:0", "one:o:0", "one:o:0", "one:o:0")))
                .isEqualTo(rows.equals("x"));
        assertThat(mixes(shape, one, ones, twos, node("size", "Size", "twos:o:0"), out("Mul", rows, "size:o:0")))
                .isTrue();

        assertThat(mixes(List.of("twos:o:0"), shape, one, ones, twos)).isFalse();
        assertThat(mixes(shape, one, ones, twos, out("Mul", rows, "twos:o:0"))).isFalse();
        NodeDef.Builder second = numbers("second", 1);
        NodeDef.Builder column = node("column", "ExpandDims", "twos:o:0", "second:o:0");
        assertThat(mixes(shape, one, ones, twos, second, column, out("Sum", "column:o:0", "second:o:0")))
                .isFalse();
    }

    /** As {@code tf.ones([tf.shape(x)[0], 4])} and {@code tf.ones([4, tf.shape(x)[0]])} write it. */
    @Test
    void soDoOnesOfAShapeThatIsPutTogether() {
        NodeDef.Builder one = Protos.constant("one", Protos.int64(1));
        NodeDef.Builder four = Protos.constant("four", Protos.int32(4));
        NodeDef.Builder size = node("size", "Size", "x");
        NodeDef.Builder first = numbers("first", 0);
        NodeDef.Builder second = numbers("second", 1);
        NodeDef.Builder each = node("shape", "Pack", "size:o:0", "four:output:0");
        NodeDef.Builder turned = node("shape", "Pack", "four:output:0", "size:o:0");
        NodeDef.Builder ones = node("ones", "Fill", "shape:o:0", "one:output:0");
        NodeDef.Builder alongFirst = node("sum", "Sum", "ones:o:0", "first:output:0");
        NodeDef.Builder alongSecond = node("sum", "Sum", "ones:o:0", "second:output:0");
        assertThat(mixes(List.of("x", "sum:o:0"), one, four, size, first, each, ones, alongFirst))
                .isTrue();
        assertThat(mixes(List.of("x", "sum:o:0"), one, four, size, second, turned, ones, alongSecond))
                .isTrue();
        assertThat(mixes(List.of("x", "sum:o:0"), one, four, size, second, each, ones, alongSecond))
                .isFalse();
        assertThat(mixes(List.of("x", "ones:o:0"), one, four, size, each, ones)).isFalse();
    }

    /** Of {@code ones} of the shape {@code [1, n]}, where {@code n} is how many rows there are. */
    private static NodeDef.Builder[] across(NodeDef.Builder... more) {
        List<NodeDef.Builder> nodes = new ArrayList<>(List.of(
                Protos.constant("one", Protos.int32(1)),
                numbers("second", 1),
                node("size", "Size", "x"),
                node("shape", "Pack", "one:output:0", "size:o:0"),
                node("ones", "Fill", "shape:o:0", "one:output:0"),
                node("column", "ExpandDims", "x", "second:output:0")));
        nodes.addAll(List.of(more));
        return nodes.toArray(NodeDef.Builder[]::new);
    }

    @Test
    void onesThatLieAcrossRowsMakeAsManyOfEachAsThereAre() {
        assertThat(mixes(List.of("x", "ones:o:0"), across())).isTrue();
        NodeDef.Builder spread = node("spread", "Mul", "column:o:0", "ones:o:0");
        assertThat(mixes(across(spread, out("Sum", "spread:o:0", "second:output:0"))))
                .isTrue();
        assertThat(mixes(across(out("MatMul", "column:o:0", "ones:o:0")))).isTrue();
        assertThat(mixes(across(out("Einsum", "x", "ones:o:0").putAttr("equation", Protos.string("i,kj->ij")))))
                .isTrue();
        // each its own
        assertThat(mixes(across(
                        node("shape_of_x", "Shape", "x"),
                        node("each", "Fill", "shape_of_x:o:0", "one:output:0"),
                        out("Einsum", "x", "each:o:0").putAttr("equation", Protos.string("i,i->i")))))
                .isFalse();
    }

    @Test
    void drawsForEachRowTellHowManyThereAreAsTheirNumberAndAsOnesLikeThem() {
        NodeDef.Builder shape = node("shape", "Shape", "x");
        NodeDef.Builder three = numbers("three", 3);
        NodeDef.Builder first = numbers("first", 0);
        for (boolean each : List.of(true, false)) {
            NodeDef.Builder noise = node("noise", "RandomStandardNormal", each ? "shape:o:0" : "three:output:0");
            NodeDef.Builder scaled = node("scaled", "Mul", "noise:o:0", "noise:o:0");
            NodeDef.Builder size = node("size", "Size", "scaled:o:0");
            assertThat(mixes(shape, three, noise, scaled, size, out("Mul", "x", "size:o:0")))
                    .isEqualTo(each);
            assertThat(mixes(
                            shape,
                            three,
                            first,
                            noise,
                            node("ones", "OnesLike", "noise:o:0"),
                            node("sum", "Sum", "ones:o:0", "first:output:0"),
                            out("Mul", "x", "sum:o:0")))
                    .isEqualTo(each);
            assertThat(mixes(shape, three, noise, scaled, out("Mul", "x", "scaled:o:0")))
                    .isFalse();
        }
    }

    /** What a flag chooses of what two branches make, times {@code x}, or added up before. */
    private static boolean chosen(boolean added, NodeDef.Builder one, NodeDef.Builder other) {
        List<FunctionDef> branches = new ArrayList<>();
        for (NodeDef.Builder made : List.of(one, other)) {
            FunctionDef.Builder branch = function(
                    List.of("out:o:0"),
                    node("shape", "Shape", "x"),
                    Protos.constant("number", Protos.int64(1)),
                    numbers("three", 3),
                    numbers("two", 1, 2),
                    made.setName("out"));
            branch.getSignatureBuilder().setName("branch_" + branches.size());
            branches.add(branch.build());
        }
        Map<String, FunctionDef> functions = Map.of("branch_0", branches.get(0), "branch_1", branches.get(1));
        NodeDef.Builder either = node("either", "StatelessIf", "captured", "x", "v", "captured")
                .putAttr("then_branch", Protos.function("branch_0"))
                .putAttr("else_branch", Protos.function("branch_1"));
        NodeDef.Builder sum = node("sum", "Sum", "either:output:0", "first:output:0");
        return mixes(
                functions,
                "out:o:0",
                numbers("first", 0),
                either,
                sum,
                out("Mul", "x", added ? "sum:o:0" : "either:output:0"));
    }

    @Test
    void whatEitherOfTwoBranchesMakesIsWhatOneOfThemTells() {
        NodeDef.Builder ones = out("Fill", "shape:o:0", "number:output:0");
        NodeDef.Builder alike = out("Fill", "three:output:0", "number:output:0");
        NodeDef.Builder places = out("Range", "three:output:0", "three:output:0", "three:output:0");
        NodeDef.Builder noise = out("RandomUniform", "three:output:0");
        for (List<NodeDef.Builder> both : List.of(List.of(ones, alike), List.of(alike, ones))) {
            assertThat(chosen(true, both.get(0), both.get(1))).isTrue();
            assertThat(chosen(false, both.get(0), both.get(1))).isFalse();
        }
        for (NodeDef.Builder beside : List.of(alike, noise)) {
            assertThat(chosen(false, places, beside)).isTrue();
            assertThat(chosen(false, beside, places)).isTrue();
        }
        assertThat(chosen(false, noise, alike)).isFalse();
        assertThat(chosen(false, alike, noise)).isFalse();
    }

    @Test
    void rowsThatChanceBringsIntoAnotherOrderAreAllOfThemWhereTheyMeet() {
        NodeDef.Builder first = numbers("first", 0);
        NodeDef.Builder second = numbers("second", 1);
        NodeDef.Builder mixed = node("mixed", "RandomShuffle", "v");
        assertThat(course(List.of("mixed:o:0"), Map.of(), mixed)).isEqualTo(RowFlow.Course.CHANCE);
        assertThat(course(List.of("out:o:0"), Map.of(), second, mixed, out("Max", "mixed:o:0", "second:output:0")))
                .isEqualTo(RowFlow.Course.CHANCE);
        assertThat(mixes(first, mixed, out("Max", "mixed:o:0", "first:output:0")))
                .isTrue();
    }

    /** As many as there are, and not as many as were asked for of each. */
    @Test
    void rowsThatChanceChoosesComeOnceForEachBatchUnlessThereIsOneForEach() {
        NodeDef.Builder shape = node("shape", "Shape", "x");
        NodeDef.Builder three = numbers("three", 3);
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder each = node("drawn", "RandomUniformInt", "shape:o:0");
        NodeDef.Builder some = node("drawn", "RandomUniformInt", "three:output:0");
        NodeDef.Builder taken = out("GatherV2", "x", "drawn:o:0", "axis:output:0");
        assertThat(adds("out:o:0", shape, axis, each, taken)).isFalse();
        assertThat(adds("out:o:0", three, axis, some, taken)).isTrue();
        assertThat(adds("mixed:o:0", node("mixed", "RandomShuffle", "x"))).isFalse();
        assertThat(adds("out:h:0", node("mixed", "RandomShuffle", "x"), out("TensorSliceDataset", "mixed:o:0")))
                .isFalse();
    }

    /** Joined to others they are more than were asked for. */
    @Test
    void besideMoreRowsThanABatchHasAnyNumbersMayBeThoseOfPlaces() {
        ElementComponent four = new ElementComponent(DataType.DT_INT64, true, List.of(4L));
        FunctionDef both = function(
                        List.of("views:o:0", "labels:output:0"),
                        numbers("axis", 0),
                        node("views", "ConcatV2", "x", "x", "axis:output:0"),
                        numbers("labels", 1, 2, 3, 4))
                .build();
        RowFlow.Rows twos =
                new RowFlow.Rows(List.of(VALUES, VECTORS), 0, Set.of(), Set.of(), Set.of(), List.of(), Set.of(2L));
        assertThat(RowFlow.course(both, twos, List.of(VALUES, four), Map.of())).isEqualTo(RowFlow.Course.MIXED);
    }

    @Test
    void whatRowsOfADatasetAreGivenBesideThemIsToldThemUnlessTheyAreOnlyMixed() {
        NodeDef.Builder size = node("size", "Size", "x");
        NodeDef.Builder slices = node("slices", "TensorSliceDataset", "x");
        for (String op : List.of("MapDataset", "FilterDataset", "RepeatDataset")) {
            assertThat(mixes(List.of("out:h:0"), size, slices, out(op, "slices:h:0", "size:o:0")))
                    .isTrue();
            assertThat(mixes(List.of("out:h:0"), slices, out(op, "slices:h:0", "captured")))
                    .isFalse();
        }
        for (String op : List.of("ShuffleDataset", "BatchDataset")) {
            assertThat(mixes(List.of("out:h:0"), size, slices, out(op, "slices:h:0", "size:o:0")))
                    .isFalse();
        }
        assertThat(mixes(List.of("out:h:0"), slices, out("FlatMapDataset", "slices:h:0", "slices:h:0")))
                .isTrue();
        assertThat(mixes(List.of("out:h:0"), slices, out("ConcatenateDataset", "slices:h:0", "slices:h:0")))
                .isFalse();
    }

    private static boolean hasPlaces(Set<Long> asked, ElementComponent first, ElementComponent result) {
        FunctionDef function = function(List.of("x", "weights:output:0"), numbers("weights", 1, 2, 3))
                .build();
        RowFlow.Rows batch =
                new RowFlow.Rows(List.of(first, VECTORS), 0, Set.of(), Set.of(), Set.of(), List.of(), asked);
        return RowFlow.hasPlaces(function, batch, List.of(first, result), Map.of());
    }

    /** Of so many as are not known it may be one for each. */
    @Test
    void whatIsTheSameForAllHasOneForEachPlaceWhereItHasOrMayHaveAsManyAsABatch() {
        ElementComponent three = new ElementComponent(DataType.DT_INT32, true, List.of(3L));
        ElementComponent open = new ElementComponent(DataType.DT_INT32, true, List.of(-1L));
        ElementComponent nothing = new ElementComponent(DataType.DT_INT32, false, List.of());
        ElementComponent single = new ElementComponent(DataType.DT_INT32, true, List.of());
        for (ElementComponent first : List.of(VALUES, single, nothing)) {
            assertThat(hasPlaces(Set.of(3L), first, three)).isTrue();
            assertThat(hasPlaces(Set.of(3L, 5L), first, three)).isTrue();
            assertThat(hasPlaces(Set.of(), first, three)).isTrue();
            assertThat(hasPlaces(Set.of(5L), first, open)).isTrue();
            assertThat(hasPlaces(Set.of(5L), first, nothing)).isTrue();

            assertThat(hasPlaces(Set.of(5L), first, three)).isFalse();
        }
        ElementComponent whole = new ElementComponent(DataType.DT_INT64, true, List.of(3L));
        assertThat(hasPlaces(Set.of(), whole, three)).isTrue();
        assertThat(hasPlaces(Set.of(), new ElementComponent(DataType.DT_INT64, true, List.of(5L)), three))
                .isFalse();
    }

    private static boolean adds(String result, NodeDef.Builder... nodes) {
        return RowFlow.addsRows(function(List.of(result), nodes).build(), batch(0, VALUES, VECTORS), Map.of());
    }

    /** As many for each batch, whatever it holds. */
    @Test
    void whatIsMadeOfNothingOfABatchComesOnceForEach() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder marks = numbers("marks", 1, 2);
        NodeDef.Builder joined = node("joined", "ConcatV2", "x", "marks:output:0", "axis:output:0");
        NodeDef.Builder slices = node("slices", "TensorSliceDataset", "x");
        NodeDef.Builder others = node("others", "TensorSliceDataset", "marks:output:0");
        NodeDef.Builder both = node("both", "ConcatenateDataset", "slices:h:0", "others:h:0");
        assertThat(adds("joined:o:0", axis, marks, joined)).isTrue();
        assertThat(adds("again:o:0", axis, marks, joined, node("again", "Neg", "joined:o:0")))
                .isTrue();
        assertThat(adds("marks:output:0", marks)).isTrue();
        assertThat(adds("both:h:0", marks, slices, others, both)).isTrue();
        assertThat(adds("out:h:0", marks, slices, others, both, out("PrefetchDataset", "both:h:0", "captured")))
                .isTrue();
        assertThat(adds("out:h:0", axis, marks, joined, out("TensorSliceDataset", "joined:o:0")))
                .isTrue();
        assertThat(adds("out:h:0", axis, marks, joined, out("TensorDataset", "joined:o:0")))
                .isTrue();
        assertThat(adds("out:h:0", slices, others, marks, out("MapDataset", "slices:h:0", "others:h:0")))
                .isFalse();
    }

    @Test
    void whatHasSomethingForEachRowDoesNot() {
        NodeDef.Builder axis = numbers("axis", 0);
        NodeDef.Builder shape = node("shape", "Shape", "x");
        NodeDef.Builder one = Protos.constant("one", Protos.int64(1));
        NodeDef.Builder ones = node("ones", "Fill", "shape:o:0", "one:output:0");
        NodeDef.Builder twice = out("ConcatV2", "x", "x", "axis:output:0");
        assertThat(adds("out:o:0", axis, twice)).isFalse();
        assertThat(adds("ones:o:0", shape, one, ones)).isFalse();
        assertThat(adds("out:o:0", axis, shape, one, ones, out("ConcatV2", "x", "ones:o:0", "axis:output:0")))
                .isFalse();
        assertThat(adds("out:h:0", shape, one, ones, out("TensorSliceDataset", "ones:o:0")))
                .isFalse();
        assertThat(adds("out:h:0", out("TensorSliceDataset", "x", "captured"))).isFalse();
        assertThat(adds("out:o:0", numbers("shape", 3), out("RandomUniform", "shape:output:0")))
                .isFalse();
    }

    @Test
    void ofAListOfOnesForEachRowOneIsOne() {
        NodeDef.Builder shape = node("shape", "Shape", "x");
        NodeDef.Builder one = Protos.constant("one", Protos.int64(1));
        NodeDef.Builder zero = numbers("zero", 0);
        NodeDef.Builder ones = node("ones", "Fill", "shape:o:0", "one:output:0");
        NodeDef.Builder list = node("list", "TensorListFromTensor", "ones:o:0", "zero:output:0");
        NodeDef.Builder item = node("item", "TensorListGetItem", "list:o:0", "zero:output:0", "zero:output:0");
        assertThat(mixes(shape, one, zero, ones, list, item, out("Mul", "x", "item:o:0")))
                .isFalse();
    }

    @Test
    void ofWhatAFunctionMakesIsToldWhichRowsAreFilledUp() {
        ElementComponent words = new ElementComponent(DataType.DT_INT64, true, List.of(-1L, -1L));
        NodeDef.Builder keys = Protos.constant("keys", Protos.bytes(ByteString.copyFromUtf8("a")));
        NodeDef.Builder parsed = node("parsed", "ParseExampleV2", "x", "keys:output:0")
                .putAttr("dense_shapes", Protos.shapes(List.of(Protos.shape(4L), Protos.shape(-1L))));
        FunctionDef parse = function(List.of("parsed:dense_values:0", "parsed:dense_values:1"), keys, parsed)
                .build();
        assertThat(RowFlow.padded(parse, batch(0, VALUES, VECTORS), Map.of())).containsExactly(1);

        FunctionDef turned = function(List.of("v", "x"), new NodeDef.Builder[0]).build();
        assertThat(RowFlow.padded(turned, batch(0, words, words), Map.of())).isEmpty();
        RowFlow.Rows second =
                new RowFlow.Rows(List.of(words, words), 0, Set.of(1), Set.of(), Set.of(), List.of(), Set.of());
        assertThat(RowFlow.padded(turned, second, Map.of())).containsExactly(0);
        RowFlow.Rows fixed =
                new RowFlow.Rows(List.of(VECTORS, VECTORS), 0, Set.of(1), Set.of(), Set.of(), List.of(), Set.of());
        assertThat(RowFlow.padded(turned, fixed, Map.of())).isEmpty();
    }

    @Test
    void slicesOfRowsThatAreFilledUpHangOnTheLongest() {
        assertThat(padded(node("out", "TensorSliceDataset", "x"))).isEqualTo(RowFlow.Course.MIXED);
        assertThat(mixes(List.of("out:handle:0"), node("out", "TensorSliceDataset", "x")))
                .isFalse();
    }

    @Test
    void whatIsMadeOfEachValueOfARowThatIsFilledUpDoesNot() {
        assertThat(padded(out("LookupTableFindV2", "captured", "x", "captured")))
                .isEqualTo(RowFlow.Course.KEPT);
        assertThat(padded(out("AddV2", "x", "captured"))).isEqualTo(RowFlow.Course.KEPT);
        assertThat(padded(numbers("axis", 2), out("ExpandDims", "x", "axis:o:0")))
                .isEqualTo(RowFlow.Course.KEPT);
        assertThat(columns(1, 0, columns(0, 1, 0))).isEqualTo(RowFlow.Course.KEPT);
        assertThat(columns(0, 5, columns(1, 0, 0))).isEqualTo(RowFlow.Course.KEPT);
        assertThat(columns(0, 0, columns(0, 0, 1))).isEqualTo(RowFlow.Course.KEPT);
    }

    // ---- datasets of rows

    @Test
    void aDatasetOfRowsHoldsThemUnlessItsFunctionIsGivenTheWholeBatch() {
        NodeDef.Builder slices = node("slices", "TensorSliceDataset", "x");
        assertThat(mixes(List.of("slices:handle:0"), slices)).isFalse();
        assertThat(mixes(List.of("map:handle:0"), slices, node("map", "MapDataset", "slices:handle:0", "captured")))
                .isFalse();
        assertThat(mixes(List.of("map:handle:0"), slices, node("map", "MapDataset", "slices:handle:0", "v")))
                .isTrue();
    }

    // ---- what is not known, calls, branches

    @Test
    void whatIsNotKnownMayMixRowsAndWhatIsMixedStaysSo() {
        assertThat(mixes(out("MakeSomething", "x"))).isTrue();
        assertThat(mixes(out("MakeSomething", "captured"))).isFalse();
        assertThat(mixes(node("sorted", "TopKV2", "x"), out("MakeSomething", "sorted:o:0")))
                .isTrue();
        // what is only checked changes nothing
        assertThat(mixes(
                        node("made", "MakeSomething", "x"),
                        node("check", "Assert", "made:o:0"),
                        out("Identity", "x", "^check")))
                .isFalse();
    }

    @Test
    void oneValueThatIsMadeOfTheBatchIsMadeOfAllOfIt() {
        ElementComponent single = new ElementComponent(DataType.DT_INT64, true, List.of());
        FunctionDef made =
                function(List.of("out:o:0"), out("MakeSomething", "x")).build();
        FunctionDef size = function(List.of("out:o:0"), out("Size", "x")).build();
        FunctionDef twice = function(List.of("out:o:0"), out("AddV2", "x", "x")).build();
        assertThat(courseOf(made, single)).isEqualTo(RowFlow.Course.MIXED);
        assertThat(courseOf(twice, single)).isEqualTo(RowFlow.Course.MIXED);
        assertThat(courseOf(twice, VALUES)).isEqualTo(RowFlow.Course.KEPT);
        assertThat(courseOf(size, single)).isEqualTo(RowFlow.Course.KEPT);
    }

    private static RowFlow.Course courseOf(FunctionDef function, ElementComponent result) {
        return RowFlow.course(function, batch(0, VALUES, VECTORS), List.of(result), Map.of());
    }

    @Test
    void callsAndBranchesAreLookedInto() {
        FunctionDef kept = function(List.of("x", "v")).build();
        FunctionDef sorted =
                function(List.of("x", "out:o:0"), out("TopKV2", "x")).build();
        Map<String, FunctionDef> functions = Map.of("kept", kept, "sorted", sorted);
        NodeDef.Builder call =
                node("call", "PartitionedCall", "x", "v", "captured").putAttr("f", Protos.function("sorted"));
        NodeDef.Builder byName = node("call", "sorted", "x", "v", "captured");
        NodeDef.Builder branch = node("call", "StatelessIf", "captured", "x", "v", "captured")
                .putAttr("then_branch", Protos.function("kept"))
                .putAttr("else_branch", Protos.function("sorted"));
        assertThat(mixes(functions, "call:output:0", call)).isFalse();
        assertThat(mixes(functions, "call:output:1", call)).isTrue();
        assertThat(mixes(functions, "call:y0:0", byName)).isFalse();
        assertThat(mixes(functions, "call:y1:0", byName)).isTrue();
        assertThat(mixes(functions, "call:output:0", branch)).isFalse();
        assertThat(mixes(functions, "call:output:1", branch)).isTrue();
        NodeDef.Builder decided = node("call", "StatelessIf", "largest:o:0", "x", "v", "captured")
                .putAttr("then_branch", Protos.function("kept"))
                .putAttr("else_branch", Protos.function("kept"));
        assertThat(mixes(functions, "call:output:0", node("largest", "TopKV2", "x"), decided))
                .isTrue();
        NodeDef.Builder cases = node("call", "StatelessCase", "captured", "x", "v", "captured")
                .putAttr(
                        "branches",
                        AttrValue.newBuilder()
                                .setList(AttrValue.ListValue.newBuilder()
                                        .addFunc(NameAttrList.newBuilder().setName("kept"))
                                        .addFunc(NameAttrList.newBuilder().setName("sorted")))
                                .build());
        assertThat(mixes(functions, "call:output:1", cases)).isTrue();
    }

    private static boolean mixes(Map<String, FunctionDef> functions, String returned, NodeDef.Builder... nodes) {
        return course(List.of(returned), functions, nodes) == RowFlow.Course.MIXED;
    }

    @Test
    void aFunctionOfManyOpsIsFollowedToItsEnd() {
        List<NodeDef.Builder> nodes = new ArrayList<>();
        String last = "x";
        for (int i = 0; i < 20_000; i++) {
            nodes.add(node("n" + i, "Neg", last));
            last = "n" + i + ":o:0";
        }
        nodes.add(out("TopKV2", last));
        assertThat(mixes(nodes.toArray(NodeDef.Builder[]::new))).isTrue();
    }
}
