package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Elementwise;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Rows of a batch that are not as long as each other: their values one behind another, beside what says which belong to which
 * row, as ragged and sparse tensors have them.
 */
record RowParts(Scope body, NodeDef node, List<RowPlace> inputs) {
    private static final Set<String> SEVERAL = Set.of(
            "DeserializeSparse",
            "ParseExampleV2",
            "ParseSequenceExampleV2",
            "RaggedTensorFromVariant",
            "StringSplitV2");

    /** Make rows of values and of which belong to which row: the place of the values among the inputs. */
    private static final Set<String> JOIN =
            Set.of("RaggedTensorToTensor", "RaggedTensorToVariant", "SerializeManySparse", "SparseToDense");

    /** Of values alone these are made one by one. */
    private static final Set<String> KEEP =
            Set.of("Identity", "StopGradient", "StringToNumber", "Bucketize", "LookupTableFindV2");

    /** With these TensorFlow writes which values belong to which row in another way, and checks it. */
    private static final Set<String> SAME_PARTS = Set.of(
            "AddV2",
            "Cast",
            "ConcatV2",
            "Cumsum",
            "DenseBincount",
            "ExpandDims",
            "Identity",
            "Max",
            "Maximum",
            "Min",
            "Minimum",
            "Mul",
            "Pack",
            "Reshape",
            "Squeeze",
            "StridedSlice",
            "Sub");

    /** Whether a node takes rows of a batch apart. */
    static boolean makesSeveral(NodeDef node) {
        return SEVERAL.contains(node.getOp());
    }

    static boolean isOfParts(NodeDef node, List<RowPlace> inputs) {
        return makesSeveral(node)
                || inputs.stream().anyMatch(each -> each.is(RowPlace.Kind.VALUES) || each.is(RowPlace.Kind.PARTS));
    }

    RowPlace made() {
        if (makesSeveral(node)) {
            RowPlace rows = inputs.get(0);
            boolean others = inputs.subList(1, inputs.size()).stream()
                    .allMatch(each -> each.isFree() && !each.numbered() && !each.isSize());
            boolean leading = rows.isRows() && rows.axis() == 0 && rows.order().isEmpty();
            boolean single = rows.rank() == 1 || node.getOp().equals("DeserializeSparse");
            return leading && single && others ? rows : RowPlace.UNKNOWN;
        }
        if (inputs.stream().anyMatch(each -> each.is(RowPlace.Kind.UNKNOWN) || each.is(RowPlace.Kind.LIST))) {
            return RowPlace.UNKNOWN;
        }
        if (JOIN.contains(node.getOp())) {
            return joined();
        }
        if (inputs.stream().allMatch(each -> each.is(RowPlace.Kind.PARTS) || (each.isFree() && !each.numbered()))) {
            return areLengths() ? RowPlace.rows(1, 0).ofEach(1) : keepsParts() ? RowPlace.PARTS : RowPlace.UNKNOWN;
        }
        if (inputs.stream().anyMatch(each -> each.is(RowPlace.Kind.PARTS))) {
            return RowPlace.UNKNOWN;
        }
        RowPlace values = inputs.stream()
                .filter(each -> each.is(RowPlace.Kind.VALUES))
                .findFirst()
                .orElseThrow();
        if (KEEP.contains(node.getOp())) {
            return inputs.stream().allMatch(each -> each.equals(values) || each.isFree()) ? values : RowPlace.UNKNOWN;
        }
        boolean one = Elementwise.OPS.contains(node.getOp())
                && !Set.of("Bitcast", "OneHot", "Select").contains(node.getOp());
        return one ? RowPlace.together(inputs) : RowPlace.UNKNOWN;
    }

    /** Every other place where a row begins would make one row of two, as other ops may. */
    private boolean keepsParts() {
        return SAME_PARTS.contains(node.getOp())
                && (!node.getOp().equals("StridedSlice")
                        || new OpInputs(body, node)
                                .numbers(3)
                                .filter(steps -> steps.stream().allMatch(step -> step == 1))
                                .isPresent());
    }

    /** Whether it takes where each row begins off where it ends. */
    private boolean areLengths() {
        if (!node.getOp().equals("Sub")) {
            return false;
        }
        Optional<NodeDef> ends = slice(node.getInput(0), 1, 0);
        Optional<NodeDef> begins = slice(node.getInput(1), 0, -1);
        return ends.isPresent()
                && begins.isPresent()
                && ends.get().getInput(0).equals(begins.get().getInput(0))
                && ends.get().getInput(0).matches(".*:(ragged_row_splits:\\d+|output_nested_splits:0)");
    }

    /** What takes all from a place on to another, or to the end where that is 0. */
    private Optional<NodeDef> slice(String ref, long from, long to) {
        return body.producer(body.behindIdentities(ref))
                .filter(each -> each.getOp().equals("StridedSlice"))
                .filter(each -> {
                    OpInputs told = new OpInputs(body, each);
                    boolean begins = told.number(1, 0).equals(Optional.of(from));
                    boolean ends = told.attribute("end_mask") == 1
                            ? to == 0
                            : told.number(2, 0).equals(Optional.of(to)) && to != 0;
                    return begins && ends && told.number(3, 0).equals(Optional.of(1L));
                });
    }

    private RowPlace joined() {
        long of = inputs.stream()
                .filter(each -> each.is(RowPlace.Kind.VALUES))
                .distinct()
                .count();
        boolean others = inputs.stream()
                .allMatch(each -> each.is(RowPlace.Kind.VALUES)
                        || each.is(RowPlace.Kind.PARTS)
                        || (each.isFree() && !each.numbered()));
        if (of != 1 || !others) {
            return RowPlace.UNKNOWN;
        }
        boolean numbered = inputs.stream().anyMatch(RowPlace::numbered);
        RowPlace made =
                switch (node.getOp()) {
                    case "RaggedTensorToVariant" -> RowPlace.rows(1, 0);
                    case "SerializeManySparse" -> RowPlace.rows(2, 0);
                    case "RaggedTensorToTensor" -> dense();
                    default -> RowPlace.LEADING.padded();
                };
        return made.numbered(numbered);
    }

    private RowPlace dense() {
        long levels = node.getAttrOrThrow("row_partition_types").getList().getSList().stream()
                .filter(type -> !type.toStringUtf8().equals("FIRST_DIM_SIZE"))
                .count();
        int rank = inputs.stream()
                .filter(each -> each.is(RowPlace.Kind.VALUES))
                .findFirst()
                .orElseThrow()
                .rank();
        RowPlace rows = rank < 0 ? RowPlace.LEADING : RowPlace.rows((int) levels + rank, 0);
        List<Optional<Long>> sizes = new OpInputs(body, node).sizes(0);
        // more rows than there are places for are left out
        if (!sizes.isEmpty() && !sizes.get(0).equals(Optional.of(-1L))) {
            return RowPlace.UNKNOWN;
        }
        boolean fixed = sizes.size() > 1
                && sizes.stream().skip(1).allMatch(size -> size.filter(each -> each >= 0)
                        .isPresent());
        return fixed ? rows : rows.padded();
    }

    /**
     * What one of the outputs of a node is that takes rows apart.
     *
     * @param rows what it takes apart, where that is known
     */
    static RowPlace output(NodeDef node, String ref, RowPlace rows) {
        if (!rows.isRows()) {
            return rows;
        }
        String[] parts = ref.split(":", -1);
        String of = node.getName();
        String number = parts.length > 2 ? parts[2] : "0";
        return switch (parts.length > 1 ? parts[1].replaceFirst("^(context|feature_list)_", "") : "") {
            case "values", "sparse_values", "ragged_values" -> RowPlace.values(1, of + parts[1] + number);
            case "output_dense_values" -> RowPlace.values(-1, of);
            case "indices",
                    "sparse_indices",
                    "ragged_row_splits",
                    "ragged_outer_splits",
                    "ragged_inner_splits",
                    "output_nested_splits" -> RowPlace.PARTS;
            case "shape", "sparse_shape", "sparse_shapes" -> RowPlace.LENGTH;
            case "dense_lengths" -> RowPlace.rows(1, 0).ofEach(1);
            case "dense_values" -> dense(node, parts[1], Integer.parseInt(number));
            default -> RowPlace.UNKNOWN;
        };
    }

    /** @param output such as {@code dense_values}, or that of the context or of the lists of a sequence */
    private static RowPlace dense(NodeDef node, String output, int number) {
        TensorShapeProto shape = node.getAttrOrThrow(output.replace("values", "shapes"))
                .getList()
                .getShape(number);
        if (shape.getUnknownRank()) {
            return RowPlace.LEADING;
        }
        boolean list = output.startsWith("feature_list");
        RowPlace dense = RowPlace.rows(shape.getDimCount() + (list ? 2 : 1), 0);
        return list || each(shape) < 0 ? dense.padded() : dense.ofEach(each(shape));
    }

    private static long each(TensorShapeProto shape) {
        boolean known = shape.getDimList().stream().allMatch(size -> size.getSize() >= 0);
        return known
                ? shape.getDimList().stream()
                        .mapToLong(TensorShapeProto.Dim::getSize)
                        .reduce(1, (a, b) -> a * b)
                : -1;
    }
}
