package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;

/** Where rows lie in what single ops make of them, told by where they lay in what the ops are given. */
class RowPlaceTest {
    private static final RowPlace ROWS = RowPlace.rows(2, 0);
    private static final RowPlace TURNED = ROWS.reversed();
    private static final RowPlace ASIDE = RowPlace.rows(2, 1);

    private static Scope scope(NodeDef.Builder... nodes) {
        return Scope.ofGraph(Stream.of(nodes).map(NodeDef.Builder::build).toList());
    }

    // ---- lists

    private static RowPlace list(String op, RowPlace... inputs) {
        NodeDef node = Protos.node("out", op, "list", "shape", "value").build();
        return new RowLists(scope(Protos.constant("shape", Protos.int32s(4, 5))), node, List.of(inputs)).made();
    }

    @Test
    void aListOfABatchHasARowInEachPlace() {
        assertThat(list("TensorListFromTensor", ROWS)).isEqualTo(RowPlace.LIST);
        assertThat(list("TensorListFromTensor", TURNED)).isEqualTo(RowPlace.LIST.inOrder(TURNED.order()));
        assertThat(list("TensorListFromTensor", ROWS.numbered(true))).isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(list("TensorListFromTensor", ROWS.padded())).isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(list("TensorListFromTensor", ASIDE)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(list("TensorListFromTensor", RowPlace.PLACES)).isEqualTo(RowPlace.PLACES);
        assertThat(list("TensorListReserve", RowPlace.FREE)).isEqualTo(RowPlace.FREE);
    }

    @Test
    void theItemOfATurnIsItsRow() {
        assertThat(list("TensorListGetItem", RowPlace.LIST, RowPlace.TURN)).isEqualTo(RowPlace.ROW);
        assertThat(list("TensorListGetItem", RowPlace.LIST.numbered(true), RowPlace.TURN))
                .isEqualTo(RowPlace.ROW.numbered(true));
        assertThat(list("TensorListGetItem", RowPlace.LIST, RowPlace.FREE)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(list("TensorListGetItem", ROWS, RowPlace.TURN)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(list("TensorListGetItem", RowPlace.PLACES, RowPlace.TURN)).isEqualTo(RowPlace.TURN);
        assertThat(list("TensorListGetItem", RowPlace.PLACES, RowPlace.FREE)).isEqualTo(RowPlace.NUMBERED);
        assertThat(list("TensorListGetItem", RowPlace.FREE, RowPlace.TURN)).isEqualTo(RowPlace.NUMBERED);
        assertThat(list("TensorListGetItem", RowPlace.FREE, RowPlace.FREE)).isEqualTo(RowPlace.FREE);
    }

    @Test
    void whatEachTurnPutsInItsPlaceIsAListOfRows() {
        RowPlace turn = RowPlace.TURN;
        assertThat(list("TensorListSetItem", RowPlace.FREE, turn, RowPlace.ROW)).isEqualTo(RowPlace.LIST);
        assertThat(list("TensorListSetItem", RowPlace.LIST, turn, RowPlace.ROW)).isEqualTo(RowPlace.LIST);
        assertThat(list("TensorListSetItem", RowPlace.FREE, turn, RowPlace.ROW.numbered(true)))
                .isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(list("TensorListSetItem", RowPlace.FREE, turn, RowPlace.COUNT))
                .isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(list("TensorListSetItem", RowPlace.NUMBERED, turn, RowPlace.FREE))
                .isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(list("TensorListSetItem", RowPlace.LIST, turn, RowPlace.FREE))
                .isEqualTo(RowPlace.LIST);
        assertThat(list("TensorListSetItem", RowPlace.LIST.inOrder("other"), turn, RowPlace.FREE))
                .isEqualTo(RowPlace.UNKNOWN);
        assertThat(list("TensorListSetItem", RowPlace.FREE, RowPlace.FREE, RowPlace.ROW))
                .isEqualTo(RowPlace.UNKNOWN);
        assertThat(list("TensorListSetItem", ROWS, turn, RowPlace.ROW)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(list("TensorListSetItem", RowPlace.FREE, turn, ROWS)).isEqualTo(RowPlace.UNKNOWN);
    }

    @Test
    void aListThatIsStackedHasRowsInFront() {
        assertThat(list("TensorListStack", RowPlace.LIST)).isEqualTo(RowPlace.rows(3, 0));
        assertThat(list("TensorListStack", RowPlace.LIST.inOrder("other").numbered(true)))
                .isEqualTo(RowPlace.rows(3, 0).inOrder("other").numbered(true));
        assertThat(list("TensorListStack", RowPlace.FREE)).isEqualTo(RowPlace.FREE);
        assertThat(list("TensorListStack", ROWS)).isEqualTo(RowPlace.UNKNOWN);
        NodeDef single = Protos.node("out", "TensorListStack", "list", "shape").build();
        Scope nobodyKnows = scope(Protos.constant("shape", Protos.int32(-1)));
        assertThat(new RowLists(nobodyKnows, single, List.of(RowPlace.LIST)).made())
                .isEqualTo(RowPlace.LEADING);
        Scope scalars = scope(Protos.constant("shape", Protos.int32s()));
        assertThat(new RowLists(scalars, single, List.of(RowPlace.LIST)).made()).isEqualTo(RowPlace.rows(1, 0));
    }

    // ---- datasets

    private static RowPlace dataset(String op, RowPlace... inputs) {
        return RowDatasets.made(Protos.node("out", op).build(), List.of(inputs));
    }

    @Test
    void slicesOfABatchAreItsRows() {
        assertThat(dataset("TensorSliceDataset", ROWS)).isEqualTo(RowPlace.LIST);
        assertThat(dataset("TensorSliceDataset", ROWS, RowPlace.free(0))).isEqualTo(RowPlace.LIST);
        assertThat(dataset("TensorSliceDataset", ROWS, RowPlace.free(1))).isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(dataset("TensorSliceDataset", RowPlace.free(1))).matches(RowDatasets::holdOthers);
        assertThat(dataset("TensorSliceDataset", ROWS.numbered(true))).isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(dataset("TensorSliceDataset", ROWS, TURNED)).isEqualTo(RowPlace.MIXED);
        assertThat(dataset("TensorSliceDataset", ROWS.padded())).isEqualTo(RowPlace.MIXED);
        assertThat(dataset("TensorSliceDataset", ASIDE)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(dataset("TensorSliceDataset", ROWS, RowPlace.UNKNOWN)).isEqualTo(RowPlace.UNKNOWN);
    }

    @Test
    void aDatasetOfTheWholeHasAllInOneElement() {
        assertThat(dataset("TensorDataset", ROWS)).isEqualTo(RowPlace.LIST);
        assertThat(dataset("TensorDataset", ROWS.numbered(true))).isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(dataset("TensorDataset", ROWS, TURNED)).isEqualTo(RowPlace.MIXED);
    }

    @Test
    void whatAFunctionOfRowsCapturesOfTheBatchIsAllOfItToEach() {
        assertThat(dataset("MapDataset", RowPlace.LIST)).isEqualTo(RowPlace.LIST);
        assertThat(dataset("MapDataset", RowPlace.LIST, RowPlace.free(1))).isEqualTo(RowPlace.LIST);
        assertThat(dataset("MapDataset", RowPlace.LIST, ROWS)).isEqualTo(RowPlace.MIXED);
        assertThat(dataset("MapDataset", RowPlace.LIST, RowPlace.NUMBERED)).isEqualTo(RowPlace.LIST.numbered(true));
        assertThat(dataset("TakeDataset", RowPlace.LIST, RowPlace.COUNT)).isEqualTo(RowPlace.LIST);
        assertThat(dataset("RangeDataset", RowPlace.FREE, RowPlace.COUNT, RowPlace.FREE))
                .matches(made -> made.numbered() && RowDatasets.holdOthers(made));
    }

    // ---- within rows

    private static RowPlace within(NodeDef.Builder node, RowPlace... inputs) {
        RowWithin within = new RowWithin(new OpInputs(scope(node), node.build()), List.of(inputs));
        return switch (node.getOp()) {
            case "GatherV2" -> within.gathered();
            case "CombinedNonMaxSuppression" -> within.boxes();
            default -> within.slid();
        };
    }

    private static NodeDef.Builder out(String op) {
        return Protos.node("out", op, "x", "y", "v");
    }

    @Test
    void aWindowThatSlidesOverRowsMixesThem() {
        assertThat(within(out("Conv2D"), RowPlace.rows(4, 0))).isEqualTo(RowPlace.rows(4, 0));
        assertThat(within(out("Conv2D"), RowPlace.rows(4, 1))).isEqualTo(RowPlace.MIXED);
        assertThat(within(out("MaxPool"), RowPlace.rows(4, 2))).isEqualTo(RowPlace.MIXED);
        assertThat(within(out("MaxPool"), RowPlace.rows(4, 3))).isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(out("MaxPool3D"), RowPlace.rows(5, 3))).isEqualTo(RowPlace.MIXED);
        assertThat(RowWithin.slides(out("AvgPool").build())).isTrue();
        assertThat(RowWithin.slides(out("Neg").build())).isFalse();
    }

    // of (rows, 4, 5) by (rows, 2) along the rows: (rows, 2, 5)
    @Test
    void ofEachRowIsTakenWhatItsOwnNumbersSay() {
        NodeDef.Builder gather = out("GatherV2").putAttr("batch_dims", Protos.number(1));
        RowPlace three = RowPlace.rows(3, 0);

        assertThat(within(gather, three, ROWS)).isEqualTo(RowPlace.rows(3, 0));
        assertThat(within(gather, three, ROWS.numbered(true)))
                .isEqualTo(RowPlace.rows(3, 0).numbered(true));
        assertThat(within(gather, three.numbered(true), ROWS))
                .isEqualTo(RowPlace.rows(3, 0).numbered(true));
        assertThat(within(gather, three, TURNED)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(gather, three, ASIDE)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(gather, RowPlace.rows(3, 1), ASIDE)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(gather, three.padded(), ROWS)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(gather, three, ROWS.padded())).isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(gather, three, RowPlace.free(2))).isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(gather, RowPlace.LEADING, ROWS)).isEqualTo(RowPlace.UNKNOWN);
    }

    @Test
    void ofEachRowsBoxesTheBestAreTaken() {
        RowPlace boxes = RowPlace.rows(4, 0);
        assertThat(within(out("CombinedNonMaxSuppression"), boxes, ROWS, RowPlace.FREE))
                .isEqualTo(RowPlace.LEADING);
        assertThat(within(out("CombinedNonMaxSuppression"), boxes.reversed(), TURNED, RowPlace.FREE))
                .isEqualTo(RowPlace.LEADING.inOrder(TURNED.order()));
        assertThat(within(out("CombinedNonMaxSuppression"), boxes, TURNED, RowPlace.FREE))
                .isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(out("CombinedNonMaxSuppression"), boxes, ROWS, ROWS)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(within(out("CombinedNonMaxSuppression"), RowPlace.rows(4, 1), ASIDE, RowPlace.FREE))
                .isEqualTo(RowPlace.UNKNOWN);
    }

    // ---- beside rows

    @Test
    void whatVariesAlongAsManyDimensionsMayHaveAnotherValueForEachRow() {
        RowPlace three = RowPlace.rows(3, 0);
        assertThat(RowPlace.free(2).differsBetween(three)).isFalse();
        assertThat(RowPlace.free(3).differsBetween(three)).isTrue();
        assertThat(RowPlace.free(3).varying(2).differsBetween(three)).isFalse();
        assertThat(RowPlace.free(3).varying(3).differsBetween(three)).isTrue();
        assertThat(RowPlace.FREE.differsBetween(three)).isTrue();
        assertThat(RowPlace.FREE.differsBetween(RowPlace.rows(-1, 0))).isFalse();
        assertThat(RowPlace.DRAWN.differsBetween(three)).isFalse();
        assertThat(three.differsBetween(three)).isFalse();
    }

    @Test
    void turnedTwiceRowsAreWhereTheyWere() {
        assertThat(TURNED.reversed()).isEqualTo(ROWS);
        assertThat(ROWS.isWholeBatch()).isTrue();
        assertThat(TURNED.isWholeBatch()).isTrue();
        assertThat(ROWS.inOrder("other").isWholeBatch()).isFalse();
        assertThat(ROWS.inOrder("other").reversed().reversed()).isEqualTo(ROWS.inOrder("other"));
    }

    @Test
    void ofSeveralThatMeetValueByValueRowsMustLieAlike() {
        assertThat(RowPlace.together(List.of(ROWS, RowPlace.free(0)))).isEqualTo(ROWS);
        assertThat(RowPlace.together(List.of(ROWS, RowPlace.LIST))).isEqualTo(RowPlace.UNKNOWN);
        assertThat(RowPlace.together(List.of(ROWS, RowPlace.chosen("x")))).isEqualTo(RowPlace.UNKNOWN);
        assertThat(RowPlace.together(List.of(ROWS, RowPlace.UNKNOWN))).isEqualTo(RowPlace.UNKNOWN);
        assertThat(RowPlace.together(List.of(ROWS, RowPlace.CHANCE))).isEqualTo(RowPlace.CHANCE);
        assertThat(RowPlace.together(List.of(ROWS, TURNED))).isEqualTo(RowPlace.MIXED);
        assertThat(RowPlace.together(List.of(ROWS, ASIDE))).isEqualTo(RowPlace.MIXED);
        assertThat(RowPlace.together(List.of(RowPlace.values(1, "a"), RowPlace.free(0))))
                .isEqualTo(RowPlace.values(1, "a"));
        assertThat(RowPlace.together(List.of(RowPlace.values(1, "a"), RowPlace.free(1))))
                .isEqualTo(RowPlace.UNKNOWN);
        assertThat(RowPlace.together(List.of(RowPlace.values(1, "a"), RowPlace.values(1, "b"))))
                .isEqualTo(RowPlace.UNKNOWN);
    }

    @Test
    void ofTwoBranchesWhatTellsNothingMayBeEither() {
        assertThat(RowPlace.either(ROWS, ROWS)).isEqualTo(ROWS);
        assertThat(RowPlace.either(ROWS, TURNED)).isEqualTo(RowPlace.UNKNOWN);
        assertThat(RowPlace.either(ROWS, RowPlace.MIXED)).isEqualTo(RowPlace.MIXED);
        assertThat(RowPlace.either(RowPlace.free(0), ROWS)).isEqualTo(ROWS);
        assertThat(RowPlace.either(ROWS, RowPlace.free(0))).isEqualTo(ROWS);
        assertThat(RowPlace.either(RowPlace.free(2), ROWS)).isEqualTo(ROWS.numbered(true));
        assertThat(RowPlace.either(ROWS, RowPlace.free(2))).isEqualTo(ROWS.numbered(true));
        assertThat(RowPlace.either(ROWS, RowPlace.COUNT)).isEqualTo(RowPlace.UNKNOWN);
    }
}
