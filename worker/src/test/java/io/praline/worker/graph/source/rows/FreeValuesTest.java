package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;

/**
 * What is made of nothing of a batch: how many dimensions it has, and along how many of its last ones its values differ, said as
 * {@code 3 by 2}.
 */
class FreeValuesTest {
    private static final RowPlace MATRIX = RowPlace.free(2).varying(2);
    private static final RowPlace LINE = RowPlace.free(2).varying(1);
    private static final RowPlace ALIKE = RowPlace.free(2).varying(0);

    private static String made(NodeDef.Builder node, RowPlace... inputs) {
        Scope body = Scope.ofGraph(List.of(
                Protos.constant("zero", Protos.int32(0)).build(),
                Protos.constant("one", Protos.int32(1)).build(),
                Protos.constant("last", Protos.int32(-1)).build(),
                Protos.constant("both", Protos.int32s(0, 1)).build(),
                Protos.constant("shape", Protos.int32s(1, 1, 4, 5)).build(),
                Protos.node("asked", "Placeholder").build(),
                node.build()));
        RowPlace place = new FreeValues(body, node.build(), List.of(inputs)).made();
        return place.rank() + " by " + place.varies();
    }

    private static NodeDef.Builder out(String op, String... inputs) {
        return Protos.node("out", op, inputs);
    }

    @ParameterizedTest
    @CsvSource({"Range, 1", "LinSpace, 1", "Where, 2"})
    void numbersInARowDiffer(String op, int rank) {
        assertThat(made(out(op), RowPlace.FREE)).isEqualTo(rank + " by " + rank);
    }

    @ParameterizedTest
    @CsvSource({"ReverseV2", "Slice", "Transpose", "Softmax"})
    void whatIsMovedDiffersAlongAnyOfItsDimensionsUnlessItIsAlike(String op) {
        assertThat(made(out(op), LINE)).isEqualTo("2 by 2");
        assertThat(made(out(op), ALIKE)).isEqualTo("2 by 0");
        assertThat(made(out(op), RowPlace.FREE)).isEqualTo("-1 by -1");
    }

    @Test
    void whatIsFilledOrStretchedDiffersAsItsValuesDo() {
        assertThat(made(out("Fill", "shape", "zero"), RowPlace.free(1), RowPlace.free(0)))
                .isEqualTo("4 by 0");
        assertThat(made(out("BroadcastTo", "x", "shape"), LINE, RowPlace.free(1)))
                .isEqualTo("4 by 1");
        assertThat(made(out("BroadcastTo", "x", "asked"), LINE, RowPlace.free(1)))
                .isEqualTo("-1 by 1");
    }

    @Test
    void moreDimensionsAreOneMore() {
        assertThat(made(out("Pack", "x"), LINE)).isEqualTo("3 by 3");
        assertThat(made(out("OneHot", "x"), LINE)).isEqualTo("3 by 3");
        assertThat(made(out("ConcatV2", "x"), LINE)).isEqualTo("2 by 2");
        assertThat(made(out("Pack", "x"), RowPlace.FREE)).isEqualTo("-1 by -1");
        assertThat(made(out("ConcatV2", "x"), RowPlace.FREE)).isEqualTo("-1 by -1");
    }

    // a dimension in front of those that differ changes nothing, one among them comes to these
    @Test
    void aDimensionOfOneIsAddedWhereItIsSaid() {
        assertThat(made(out("ExpandDims", "x", "zero"), LINE)).isEqualTo("3 by 1");
        assertThat(made(out("ExpandDims", "x", "one"), LINE)).isEqualTo("3 by 1");
        assertThat(made(out("ExpandDims", "x", "last"), LINE)).isEqualTo("3 by 2");
        assertThat(made(out("ExpandDims", "x", "one"), MATRIX)).isEqualTo("3 by 3");
        assertThat(made(out("ExpandDims", "x", "last"), ALIKE)).isEqualTo("3 by 0");
        assertThat(made(out("ExpandDims", "x", "asked"), LINE)).isEqualTo("-1 by -1");
    }

    private static NodeDef.Builder squeeze(Long... dims) {
        AttrValue.Builder list = AttrValue.newBuilder();
        list.getListBuilder().addAllI(List.of(dims));
        return out("Squeeze", "x").putAttr("squeeze_dims", list.build());
    }

    @Test
    void dimensionsThatAreTakenAwayAreGoneWhereTheyAreSaid() {
        assertThat(made(squeeze(0L), MATRIX)).isEqualTo("1 by 1");
        assertThat(made(squeeze(0L, 1L), MATRIX)).isEqualTo("0 by 0");
        assertThat(made(squeeze(0L, 1L, 2L), MATRIX)).isEqualTo("-1 by -1");
        assertThat(made(squeeze(), MATRIX)).isEqualTo("-1 by -1");
        assertThat(made(squeeze(0L), RowPlace.FREE)).isEqualTo("-1 by -1");
    }

    @Test
    void whatIsSummedUpLosesItsAxes() {
        assertThat(made(out("Sum", "x", "zero"), MATRIX, RowPlace.free(0))).isEqualTo("1 by 1");
        assertThat(made(out("Max", "x", "both"), MATRIX, RowPlace.free(1))).isEqualTo("0 by 0");
        assertThat(made(out("Max", "x", "both").putAttr("keep_dims", Protos.bool(true)), MATRIX, RowPlace.free(1)))
                .isEqualTo("2 by 2");
        assertThat(made(out("Max", "x", "asked"), MATRIX, RowPlace.free(1))).isEqualTo("-1 by -1");
    }

    @Test
    void whatIsLookedUpHasTheDimensionsOfPlacesAndOfWhatStandsThere() {
        assertThat(made(out("GatherV2", "x", "y", "zero"), MATRIX, RowPlace.free(1)))
                .isEqualTo("2 by 2");
        assertThat(made(out("GatherV2", "x", "y", "zero"), MATRIX, RowPlace.free(0)))
                .isEqualTo("1 by 1");
        assertThat(made(out("GatherV2", "x", "y", "zero"), RowPlace.FREE, RowPlace.free(0)))
                .isEqualTo("-1 by -1");
        assertThat(made(
                        out("GatherV2", "x", "y", "zero").putAttr("batch_dims", Protos.number(1)),
                        MATRIX,
                        RowPlace.free(1)))
                .isEqualTo("-1 by -1");
        assertThat(made(out("LookupTableFindV2"), RowPlace.FREE, RowPlace.free(1), RowPlace.free(0)))
                .isEqualTo("1 by 1");
        assertThat(made(out("LookupTableFindV2"), RowPlace.FREE, RowPlace.FREE, RowPlace.free(0)))
                .isEqualTo("-1 by -1");
    }

    @Test
    void ofAShapeThatIsSaidTheOnesInFrontDoNotCount() {
        assertThat(made(out("Reshape", "x", "shape"), LINE, RowPlace.free(1))).isEqualTo("4 by 2");
        assertThat(made(out("Reshape", "x", "shape"), ALIKE, RowPlace.free(1))).isEqualTo("4 by 0");
        assertThat(made(out("Reshape", "x", "asked"), LINE, RowPlace.free(1))).isEqualTo("-1 by -1");
    }

    // a sum so far is another one in each place, of ones too
    @Test
    void whatIsCountedUpDiffersThoughItsValuesAreAlike() {
        assertThat(made(out("Cumsum", "shape", "zero"), RowPlace.free(1).varying(0), RowPlace.free(0)))
                .isEqualTo("1 by 1");
        assertThat(made(out("Cumsum", "asked", "zero"), RowPlace.FREE, RowPlace.free(0)))
                .isEqualTo("-1 by -1");
    }

    private static NodeDef.Builder slice(String... masks) {
        NodeDef.Builder slice = out("StridedSlice", "x", "both", "both", "both");
        for (String mask : masks) {
            slice.putAttr(
                    mask.substring(0, mask.indexOf('=')),
                    Protos.number(Long.parseLong(mask.substring(mask.indexOf('=') + 1))));
        }
        return slice;
    }

    @Test
    void aSliceDiffersWhereWhatIsLeftDiffers() {
        RowPlace cube = RowPlace.free(3).varying(2);
        assertThat(made(slice(), cube)).isEqualTo("3 by 2");
        assertThat(made(slice("shrink_axis_mask=1"), cube)).isEqualTo("2 by 2");
        assertThat(made(slice("shrink_axis_mask=2"), cube)).isEqualTo("2 by 1");
        assertThat(made(slice("new_axis_mask=1"), cube)).isEqualTo("4 by 2");
        assertThat(made(slice("new_axis_mask=2"), cube)).isEqualTo("4 by 2");
        assertThat(made(slice("ellipsis_mask=1", "shrink_axis_mask=2"), cube)).isEqualTo("2 by 1");
        assertThat(made(slice("ellipsis_mask=1", "new_axis_mask=2"), cube)).isEqualTo("4 by 3");
        assertThat(made(slice(), RowPlace.FREE)).isEqualTo("-1 by -1");
        assertThat(made(slice(), RowPlace.free(3).varying(0))).isEqualTo("3 by 0");
    }

    @Test
    void drawsDifferAndWhatNothingIsKnownOfMay() {
        assertThat(made(out("StatelessRandomUniformV2", "shape"), RowPlace.free(1)))
                .isEqualTo("4 by 4");
        assertThat(made(out("StatelessRandomUniformV2", "asked"), RowPlace.free(1)))
                .isEqualTo("-1 by -1");
        assertThat(made(out("Bitcast", "x"), ALIKE)).isEqualTo("-1 by -1");
        assertThat(made(out("UnheardOf", "x"), ALIKE)).isEqualTo("-1 by -1");
        assertThat(made(out("Neg", "x"), LINE)).isEqualTo("2 by 1");
        assertThat(made(out("ReadVariableOp", "x"), LINE)).isEqualTo("2 by 1");
    }
}
