package io.praline.worker.graph.ordering;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.ordering.Vectorise.Layout;
import io.praline.worker.graph.ordering.Vectorise.Now;
import io.praline.worker.graph.ordering.step.OpKinds;
import io.praline.worker.graph.ordering.step.StepKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** What each op becomes for a batch. An op without a rule here cannot stand behind one. */
final class BatchRules {
    private static final Set<String> REDUCES =
            Set.of("All", "Any", "ArgMax", "ArgMin", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum");

    /** Look at the last dimensions only, or take batches by themselves. */
    private static final Set<String> OF_LAST_DIMENSIONS = Set.of(
            "AdjustContrastv2",
            "AdjustHue",
            "AdjustSaturation",
            "DecodePaddedRaw",
            "DecodeRaw",
            "HSVToRGB",
            "RGBToHSV");

    private final Vectorise of;

    BatchRules(Vectorise of) {
        this.of = of;
    }

    void apply(NodeDef node, List<Now> inputs) {
        if (of.effects().mustRun(node)) {
            throw none(node);
        }
        boolean firstOnly = inputs.get(0).layout() != Layout.SAME
                && inputs.stream().skip(1).allMatch(input -> input.layout() == Layout.SAME);
        Layout layout = inputs.get(0).layout();
        if (REDUCES.contains(node.getOp())) {
            require(firstOnly, node);
            axes(node, 1);
            return;
        }
        if (OF_LAST_DIMENSIONS.contains(node.getOp())) {
            require(firstOnly, node);
            of.add(Vectorise.renamed(node, inputs), node, layout);
            return;
        }
        switch (node.getOp()) {
            case "ResizeArea",
                    "ResizeBicubic",
                    "ResizeBilinear",
                    "ResizeNearestNeighbor",
                    "ScaleAndTranslate",
                    "ImageProjectiveTransformV2",
                    "ImageProjectiveTransformV3" -> {
                require(firstOnly && layout == Layout.PICTURES, node);
                of.add(Vectorise.renamed(node, inputs), node, Layout.PICTURES);
            }
            case "ExpandDims" -> expandDims(node);
            case "Squeeze" -> squeeze(node, inputs.get(0));
            case "StridedSlice" -> stridedSlice(node, inputs, firstOnly);
            case "Slice" -> prefixed(node, firstOnly, List.of(1, 2), List.of(0L, -1L));
            case "Tile" -> prefixed(node, firstOnly, List.of(1), List.of(1L));
            case "ReverseV2" -> {
                require(firstOnly, node);
                axes(node, 1);
            }
            case "Transpose" -> transpose(node, firstOnly);
            case "Reshape" -> reshape(node, firstOnly);
            case "Pad", "PadV2", "MirrorPad" -> pad(node, firstOnly);
            case "Pack", "Unpack" -> {
                require(inputs.stream().allMatch(input -> input.layout() != Layout.SAME), node);
                of.add(shifted(Vectorise.with(node, rows(node)), 0), node, Layout.ROWS);
            }
            case "OneHot" -> {
                require(firstOnly, node);
                of.add(shifted(Vectorise.with(node, rows(node)), -1), node, Layout.ROWS);
            }
            case "ConcatV2" -> {
                int last = inputs.size() - 1;
                require(inputs.subList(0, last).stream().allMatch(input -> input.layout() != Layout.SAME), node);
                axes(node, last);
            }
            case "Split" -> {
                require(inputs.get(0).layout() == Layout.SAME, node);
                axes(node, 0);
            }
            case "SplitV" -> {
                require(firstOnly, node);
                axes(node, 2);
            }
            case "GatherV2" -> gather(node, inputs);
            case "EnsureShape" -> ensureShape(node);
            case "Shape", "Size", "Rank" -> shape(node);
            case "ParseExampleV2" -> {
                require(firstOnly && isDense(node) && of.rank(node.getInput(0), node) == 0, node);
                of.add(Vectorise.renamed(node, inputs), node, Layout.ROWS);
            }
            case "ParseSingleExample" -> parseSingle(node, inputs, firstOnly);
            case "ClipByValue", "Substr", "RegexReplace" -> {
                require(firstOnly && rank(node, 1) == 0 && rank(node, 2) == 0, node);
                of.add(Vectorise.renamed(node, inputs), node, layout);
            }
            case "AddN" -> {
                require(inputs.stream().allMatch(input -> input.layout() != Layout.SAME), node);
                of.add(Vectorise.with(node, rows(node)), node, Layout.ROWS);
            }
            case "Select" -> {
                int condition = rank(node, 0);
                require(condition == 0 || condition == rank(node, 1), node);
                aligned(node.toBuilder().setOp("SelectV2").build());
            }
            default -> calculated(node, inputs);
        }
    }

    private void calculated(NodeDef node, List<Now> inputs) {
        boolean elementwise =
                OpKinds.of(node).filter(StepKind.ELEMENTWISE::equals).isPresent()
                        || Set.of("StringToNumber", "StopGradient", "PreventGradient")
                                .contains(node.getOp());
        require(elementwise, node);
        if (inputs.size() == 1) {
            of.add(Vectorise.renamed(node, inputs), node, inputs.get(0).layout());
        } else {
            aligned(node);
        }
    }

    /** Operands meet by their last dimensions; those of one element would be met by the batch's dimension. */
    private void aligned(NodeDef node) {
        List<String> inputs = new ArrayList<>();
        int most = 0;
        for (int i = 0; i < node.getInputCount(); i++) {
            most = Math.max(most, rank(node, i));
        }
        List<String> rows = rows(node);
        for (int i = 0; i < node.getInputCount(); i++) {
            String ref = node.getInput(i);
            boolean same = of.layout(ref) == Layout.SAME;
            inputs.add(
                    same
                            ? rows.get(i)
                            : of.expanded(
                                    rows.get(i),
                                    most - rank(node, i),
                                    of.element(ref).dtype()));
        }
        of.add(Vectorise.with(node, inputs), node, Layout.ROWS);
    }

    private int rank(NodeDef node, int place) {
        return of.rank(node.getInput(place), node);
    }

    private List<String> rows(NodeDef node) {
        return node.getInputList().stream().map(of::rows).toList();
    }

    private static long behindBatch(long axis) {
        return axis < 0 ? axis : axis + 1;
    }

    /** @param unsaid the axis of a node that says none */
    private static NodeDef.Builder shifted(NodeDef.Builder node, long unsaid) {
        long axis = node.getAttrOrDefault("axis", Protos.number(unsaid)).getI();
        return node.putAttr("axis", Protos.number(behindBatch(axis)));
    }

    /** Lets an operand that counts dimensions count the batch's too. */
    private void axes(NodeDef node, int place) {
        List<String> inputs = new ArrayList<>(rows(node));
        String ref = node.getInput(place);
        List<Long> axes =
                of.literal(ref, node).stream().map(BatchRules::behindBatch).toList();
        inputs.set(place, of.constant(ref, node, of.element(ref).shape(), axes));
        of.add(Vectorise.with(node, inputs), node, Layout.ROWS);
    }

    /** Lets operands with a number for each dimension have one for the batch's. */
    private void prefixed(NodeDef node, boolean firstOnly, List<Integer> places, List<Long> values) {
        require(firstOnly, node);
        List<String> inputs = new ArrayList<>(rows(node));
        for (int i = 0; i < places.size(); i++) {
            String ref = node.getInput(places.get(i));
            inputs.set(places.get(i), of.prefixed(ref, node, List.of(values.get(i)), List.of(1L)));
        }
        of.add(Vectorise.with(node, inputs), node, Layout.ROWS);
    }

    private void expandDims(NodeDef node) {
        long axis = of.literal(node.getInput(1), node).get(0);
        if (axis == 0 || axis == -rank(node, 0) - 1) {
            of.replace(node, of.rows(node.getInput(0)), Layout.PICTURES);
        } else {
            axes(node, 1);
        }
    }

    private void squeeze(NodeDef node, Now input) {
        List<Long> dims = node.getAttrOrDefault("squeeze_dims", AttrValue.getDefaultInstance())
                .getList()
                .getIList();
        if (input.layout() == Layout.PICTURES && dims.equals(List.of(0L))) {
            of.replace(node, input.ref(), Layout.ROWS);
            return;
        }
        List<Long> dropped = new ArrayList<>();
        if (dims.isEmpty()) {
            ElementComponent element = of.element(node.getInput(0));
            require(element.isStatic(), node);
            for (int i = 0; i < element.shape().size(); i++) {
                if (element.shape().get(i) == 1) {
                    dropped.add(i + 1L);
                }
            }
        } else {
            dims.forEach(dim -> dropped.add(behindBatch(dim)));
        }
        String rows = of.rows(node.getInput(0));
        if (dropped.isEmpty()) {
            of.replace(node, rows, Layout.ROWS);
            return;
        }
        AttrValue.Builder list = AttrValue.newBuilder();
        list.getListBuilder().addAllI(dropped);
        of.add(Vectorise.with(node, List.of(rows)).putAttr("squeeze_dims", list.build()), node, Layout.ROWS);
    }

    private void stridedSlice(NodeDef node, List<Now> inputs, boolean firstOnly) {
        require(firstOnly, node);
        if (OpKinds.isNeutral(node, of.element(node.getInput(0)))) {
            boolean adds = OpKinds.mask(node, "new_axis_mask") == 1;
            if (adds && of.literal(node.getInput(1), node).size() == 1) {
                of.replace(node, of.rows(node.getInput(0)), Layout.PICTURES);
                return;
            }
            if (!adds
                    && inputs.get(0).layout() == Layout.PICTURES
                    && of.literal(node.getInput(1), node).size() == 1) {
                of.replace(node, inputs.get(0).ref(), Layout.ROWS);
                return;
            }
        }
        List<String> changed = new ArrayList<>(rows(node));
        long[] fronts = {0, 0, 1};
        for (int i = 1; i <= 3; i++) {
            changed.set(i, of.prefixed(node.getInput(i), node, List.of(fronts[i - 1]), List.of(1L)));
        }
        NodeDef.Builder sliced = Vectorise.with(node, changed);
        for (String key : List.of("begin_mask", "end_mask")) {
            sliced.putAttr(key, Protos.number((OpKinds.mask(node, key) << 1) | 1));
        }
        for (String key : List.of("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")) {
            sliced.putAttr(key, Protos.number(OpKinds.mask(node, key) << 1));
        }
        of.add(sliced, node, Layout.ROWS);
    }

    private void transpose(NodeDef node, boolean firstOnly) {
        require(firstOnly, node);
        List<Long> order = new ArrayList<>(List.of(0L));
        int rank = rank(node, 0);
        of.literal(node.getInput(1), node).forEach(axis -> order.add(axis < 0 ? axis + rank + 1 : axis + 1));
        String perm = of.constant(node.getInput(1), node, List.of((long) order.size()), order);
        of.add(Vectorise.with(node, List.of(of.rows(node.getInput(0)), perm)), node, Layout.ROWS);
    }

    private void reshape(NodeDef node, boolean firstOnly) {
        ElementComponent element = of.element(node.getInput(0));
        require(firstOnly, node);
        List<Long> wanted = of.literal(node.getInput(1), node);
        boolean asked = !element.isStatic()
                && element.rankKnown()
                && element.shape().size() == 1
                && wanted.stream().allMatch(size -> size >= 0);
        require(element.isStatic() || asked, node);
        long values = (asked ? wanted : element.shape()).stream().reduce(1L, (a, b) -> a * b);
        long known = wanted.stream().filter(size -> size >= 0).reduce(1L, (a, b) -> a * b);
        // of nothing it cannot be told how many there are
        require(values > 0 && known > 0, node);
        List<Long> sizes = new ArrayList<>(List.of(-1L));
        wanted.forEach(size -> sizes.add(size < 0 ? values / known : size));
        String shape = of.constant(node.getInput(1), node, List.of((long) sizes.size()), sizes);
        String rows = of.rows(node.getInput(0));
        // rows of another length could make as many values together
        String given = asked ? of.ensured(rows, element.dtype(), List.of(-1L, values)) : rows;
        of.add(Vectorise.with(node, List.of(given, shape)), node, Layout.ROWS);
    }

    private void pad(NodeDef node, boolean firstOnly) {
        require(firstOnly, node);
        List<String> inputs = new ArrayList<>(rows(node));
        inputs.set(1, of.prefixed(node.getInput(1), node, List.of(0L, 0L), List.of(1L, 2L)));
        of.add(Vectorise.with(node, inputs), node, Layout.ROWS);
    }

    private void gather(NodeDef node, List<Now> inputs) {
        require(OpKinds.mask(node, "batch_dims") == 0 && inputs.get(2).layout() == Layout.SAME, node);
        if (inputs.get(1).layout() == Layout.SAME) {
            axes(node, 2);
            return;
        }
        require(
                inputs.get(0).layout() == Layout.SAME
                        && of.literal(node.getInput(2), node).equals(List.of(0L)),
                node);
        of.add(Vectorise.with(node, rows(node)), node, Layout.ROWS);
    }

    private void ensureShape(NodeDef node) {
        TensorShapeProto shape = node.getAttrOrThrow("shape").getShape();
        NodeDef.Builder ensured = Vectorise.with(node, rows(node));
        if (!shape.getUnknownRank()) {
            TensorShapeProto.Builder all = TensorShapeProto.newBuilder()
                    .addDim(TensorShapeProto.Dim.newBuilder().setSize(-1))
                    .addAllDim(shape.getDimList());
            ensured.putAttr("shape", AttrValue.newBuilder().setShape(all).build());
        }
        of.add(ensured, node, Layout.ROWS);
    }

    /** All elements of a batch have one shape. */
    private void shape(NodeDef node) {
        ElementComponent element = of.element(node.getInput(0));
        require(node.getOp().equals("Rank") ? element.rankKnown() : element.isStatic(), node);
        List<Long> values =
                switch (node.getOp()) {
                    case "Shape" -> element.shape();
                    case "Size" -> List.of(element.shape().stream().reduce(1L, (a, b) -> a * b));
                    default -> List.of((long) element.shape().size());
                };
        boolean wide = node.getAttrOrDefault("out_type", Protos.type(DataType.DT_INT32))
                        .getType()
                == DataType.DT_INT64;
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setDtype(wide ? DataType.DT_INT64 : DataType.DT_INT32)
                .setTensorShape(node.getOp().equals("Shape") ? Protos.shape((long) values.size()) : Protos.SCALAR);
        values.forEach(value -> {
            if (wide) {
                tensor.addInt64Val(value);
            } else {
                tensor.addIntVal(Math.toIntExact(value));
            }
        });
        of.replace(node, of.constant(node.getName() + "_praline_shape", tensor.build()), Layout.SAME);
    }

    private static boolean isDense(NodeDef node) {
        boolean sparse = OpKinds.mask(node, "num_sparse") != 0;
        boolean ragged = node.containsAttr("ragged_value_types")
                && node.getAttrOrThrow("ragged_value_types").getList().getTypeCount() > 0;
        boolean open = node.getAttrOrThrow("dense_shapes").getList().getShapeList().stream()
                .anyMatch(shape ->
                        shape.getUnknownRank() || shape.getDimList().stream().anyMatch(dim -> dim.getSize() < 0));
        return !sparse && !ragged && !open;
    }

    private void parseSingle(NodeDef node, List<Now> inputs, boolean firstOnly) {
        require(firstOnly && isDense(node), node);
        String none = of.constant(node.getName() + "_praline_none", strings(AttrValue.getDefaultInstance()));
        String keys = of.constant(node.getName() + "_praline_keys", strings(node.getAttrOrThrow("dense_keys")));
        NodeDef.Builder parse = Protos.node(
                        node.getName(), "ParseExampleV2", of.rows(node.getInput(0)), none, none, keys, none)
                .addAllInput(inputs.stream().skip(1).map(Now::ref).toList())
                .putAttr("Tdense", node.getAttrOrThrow("Tdense"))
                .putAttr("num_sparse", Protos.number(0))
                .putAttr("sparse_types", Protos.types(List.of()))
                .putAttr("ragged_value_types", Protos.types(List.of()))
                .putAttr("ragged_split_types", Protos.types(List.of()))
                .putAttr("dense_shapes", node.getAttrOrThrow("dense_shapes"));
        of.add(parse, node, Layout.ROWS);
    }

    private static TensorProto strings(AttrValue list) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_STRING)
                .setTensorShape(Protos.shape((long) list.getList().getSCount()))
                .addAllStringVal(list.getList().getSList())
                .build();
    }

    private static void require(boolean met, NodeDef node) {
        if (!met) {
            throw none(node);
        }
    }

    private static RefusedRecipe none(NodeDef node) {
        return new RefusedRecipe(node.getOp() + " has no rule for batches as it is used here");
    }
}
