package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.Elementwise;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** What is made of nothing of a batch but of how many rows there are, of their numbers, and of chance. */
record RowSizes(Scope body, NodeDef node, List<RowPlace> inputs) {

    /** What comes out of these has no rows. */
    private static final Set<String> SIZES = Set.of("Rank", "Shape", "ShapeN", "Size");

    /** Of one thing, that thing. */
    private static final Set<String> SAME = Set.of(
            "Cast", "Identity", "Max", "Min", "Pack", "PlaceholderWithDefault", "Prod", "Reshape", "Squeeze", "Sum");

    /** Have the shape that their first input says, and nothing else of it. */
    private static final Set<String> SHAPED = Set.of("BroadcastTo", "Empty", "Fill", "TensorListReserve");

    /** Change no value, and not how many there are. */
    private static final Set<String> EACH = Set.of("ExpandDims", "Identity", "Squeeze", "StopGradient", "Transpose");

    static boolean asks(NodeDef node) {
        return SIZES.contains(node.getOp());
    }

    /** What is known of a size that something is asked for. */
    RowPlace asked() {
        boolean counted = inputs.stream().anyMatch(FreeValues::areCounted);
        if (inputs.stream().allMatch(RowPlace::isFree) && !counted) {
            return inputs.stream().anyMatch(RowPlace::isSize) || inputs.stream().anyMatch(RowPlace::numbered)
                    ? RowPlace.SIZE
                    : RowPlace.free(node.getOp().startsWith("Shape") ? 1 : 0);
        }
        RowPlace of = FreeValues.asRows(inputs.get(0));
        boolean rows = inputs.size() == 1
                && of.isRows()
                && of.axis() == 0
                && of.order().isEmpty();
        return switch (node.getOp()) {
            case "Rank" -> RowPlace.free(0);
            case "Shape" ->
                rows ? of.isPadded() ? RowPlace.SHAPE.padded() : RowPlace.SHAPE.ofEach(of.rank()) : RowPlace.SIZE;
            case "Size" -> rows && of.rank() == 1 ? RowPlace.COUNT : of.isPadded() ? RowPlace.LENGTH : RowPlace.SIZE;
            default -> RowPlace.SIZE;
        };
    }

    /** Of inputs none of which is made of a row. */
    RowPlace made() {
        String op = node.getOp();
        // by a seed that is told it gives the same for each batch
        boolean told = (op.startsWith("StatelessRandom") || op.equals("RandomIndexShuffle"))
                && inputs.stream().noneMatch(RowPlace::isDrawn);
        boolean draws = !told && (op.contains("Random") || OpTraits.of(node).draws() != OpTraits.Draws.NOTHING);
        if (draws || inputs.stream().anyMatch(RowPlace::isDrawn)) {
            return new FreeValues(body, node, inputs).drawn();
        }
        if (inputs.stream().anyMatch(RowPlace::numbered)) {
            return numbers();
        }
        if (inputs.stream().noneMatch(RowPlace::isSize)) {
            RowPlace made = new FreeValues(body, node, inputs).made();
            if (inputs.stream().noneMatch(RowPlace::isPadded)) {
                return made;
            }
            // values that are as many as the longest row has tell of its length where they are taken together
            boolean each = Elementwise.OPS.contains(op) || EACH.contains(op);
            return each ? made.padded() : RowPlace.LENGTH;
        }
        if (op.equals("StridedSlice")) {
            return part();
        }
        if (op.equals("GatherV2")) {
            return taken();
        }
        if (areLines()) {
            return RowPlace.LINES;
        }
        if (op.equals("Range")) {
            boolean all = isConstant(0, 0)
                    && (inputs.get(1).isCount() || inputs.get(1).isShape())
                    && isConstant(2, 1);
            return all ? RowPlace.PLACES : RowPlace.NUMBERED;
        }
        if (isShape()) {
            return RowPlace.SHAPE.ofEach(length());
        }
        boolean otherwise = op.equals("BroadcastTo")
                ? inputs.get(0).isSize()
                : inputs.size() > 1 && inputs.get(1).isSize();
        if (SHAPED.contains(op) && (op.equals("TensorListReserve") || !otherwise)) {
            RowPlace shaped = new FreeValues(body, node, inputs).ofSizes();
            return inputs.stream().anyMatch(RowPlace::isLength) ? shaped.padded() : shaped;
        }
        boolean same =
                SAME.contains(op) && inputs.stream().filter(RowPlace::isSize).count() == 1;
        boolean number = inputs.get(0).isCount() || (inputs.get(0).isLines() && !op.equals("Pack"));
        return same && number && (!op.equals("Pack") || inputs.size() == 1) ? inputs.get(0) : size();
    }

    /** What is made of sizes, among which may be the length of the longest row. */
    private RowPlace size() {
        return inputs.stream().anyMatch(RowPlace::isLength) ? RowPlace.LENGTH : RowPlace.SIZE;
    }

    /** Numbers of rows stay such, as long as each is still that of its row. */
    private RowPlace numbers() {
        RowPlace first = inputs.get(0);
        boolean kept = Set.of("Cast", "Identity").contains(node.getOp());
        if (kept) {
            return first;
        }
        // as TensorFlow writes the row that is gathered in each turn, where turns are made at once: the first of one
        // row
        boolean chosen = node.getOp().equals("SelectV2")
                && first.isSize()
                && inputs.get(1).arePlaces()
                && isConstant(2, 0);
        return chosen ? RowPlace.PLACES : RowPlace.NUMBERED;
    }

    /** Of a shape the first size is the batch's, the others are not. */
    private RowPlace part() {
        if (!inputs.get(0).isShape()) {
            return inputs.get(0).isSize() ? size() : RowPlace.NUMBERED;
        }
        OpInputs told = new OpInputs(body, node);
        Optional<Long> begin = told.number(1, 0).map(this::fromTheFirst);
        if (inputs.get(0).isPadded() && begin.filter(place -> place < 0).isPresent()) {
            return RowPlace.LENGTH;
        }
        boolean behind = begin.filter(place -> place > 0).isPresent() && told.attribute("begin_mask") == 0;
        if (behind) {
            // the length of the longest row, if they are filled up
            RowPlace size = told.attribute("shrink_axis_mask") == 1
                    ? RowPlace.free(0)
                    : RowPlace.free(1).ofEach(sizesFrom(begin.get(), told));
            return inputs.get(0).isPadded() ? RowPlace.LENGTH : size;
        }
        boolean first = begin.filter(place -> place == 0).isPresent();
        boolean one = told.attribute("shrink_axis_mask") == 1 || endsAt(told, 1);
        return !first ? RowPlace.SIZE : one ? RowPlace.COUNT : firstSizes(told);
    }

    /** How many sizes are taken of a shape from one on; -1 where that is not known. */
    private long sizesFrom(long begin, OpInputs slice) {
        long all = inputs.get(0).each();
        Optional<Long> end = slice.attribute("end_mask") == 1
                ? Optional.of(all)
                : node.getInputCount() > 2 ? slice.number(2, 0) : Optional.empty();
        boolean next = node.getInputCount() > 3 && slice.number(3, 0).equals(Optional.of(1L));
        return all > 0 && next && end.isPresent()
                ? Math.max(0, Math.min(all, end.get() < 0 ? end.get() + all : end.get()) - begin)
                : -1;
    }

    /** The first sizes of a shape, of which it is known how many it has. */
    private RowPlace firstSizes(OpInputs slice) {
        long sizes = slice.attribute("end_mask") == 0 ? sizesFrom(0, slice) : -1;
        return sizes > 0 ? RowPlace.SHAPE.ofEach(sizes) : RowPlace.SIZE;
    }

    /** Of a shape those sizes that are taken by their places: the number of rows may be the first of them, or is none. */
    private RowPlace taken() {
        OpInputs told = new OpInputs(body, node);
        Optional<TensorProto> places = told.constant(1);
        boolean plain = inputs.get(0).isShape()
                && inputs.get(0).each() > 0
                && places.isPresent()
                && told.number(2, 0).equals(Optional.of(0L))
                && told.attribute("batch_dims") == 0;
        if (!plain || told.numbers(1).isEmpty()) {
            return size();
        }
        List<Long> taken =
                told.numbers(1).get().stream().map(this::fromTheFirst).toList();
        boolean single = places.get().getTensorShape().getDimCount() == 0;
        if (taken.stream().allMatch(place -> place > 0)) {
            return RowPlace.free(single ? 0 : 1);
        }
        boolean behind = taken.get(0) == 0 && taken.stream().skip(1).allMatch(place -> place > 0);
        return !behind ? RowPlace.SIZE : single ? RowPlace.COUNT : RowPlace.SHAPE.ofEach(taken.size());
    }

    /** A shape in parts: the first has the number of rows. */
    List<RowPlace> split() {
        OpInputs told = new OpInputs(body, node);
        Optional<List<Long>> sizes = told.numbers(1).filter(all -> all.stream().allMatch(size -> size >= 0));
        boolean known = sizes.isPresent()
                && sizes.get().get(0) > 0
                && told.number(2, 0).equals(Optional.of(0L))
                && !inputs.get(0).isPadded();
        return known
                ? IntStream.range(0, sizes.get().size())
                        .mapToObj(part ->
                                part == 0 ? RowPlace.SHAPE.ofEach(sizes.get().get(0)) : RowPlace.free(1))
                        .toList()
                : List.of(size());
    }

    /** Whether it is the number of rows times a number that is the same for all batches. */
    private boolean areLines() {
        boolean plain = inputs.stream().noneMatch(each -> each.isLength() || each.isPadded());
        if (node.getOp().equals("Prod")) {
            return plain && inputs.get(0).isShape();
        }
        long numbers =
                inputs.stream().filter(each -> each.isCount() || each.isLines()).count();
        return plain
                && node.getOp().equals("Mul")
                && numbers == 1
                && inputs.stream().filter(RowPlace::isSize).count() == 1
                && inputs.stream().filter(each -> !each.isSize()).allMatch(each -> each.rank() == 0);
    }

    /** Of how many sizes a shape is put together; -1 where that is not known. */
    private long length() {
        if (node.getOp().equals("Pack")) {
            return inputs.size();
        }
        long all = 0;
        for (int i = 0; i < inputs.size() - 1; i++) {
            long part = isNothing(node.getInput(i)) ? 0 : length(i);
            if (part < 0) {
                return -1;
            }
            all += part;
        }
        return all;
    }

    private long length(int input) {
        RowPlace place = inputs.get(input);
        if (place.isCount()) {
            return 1;
        }
        if (place.isShape() || (place.rank() == 1 && place.each() >= 0)) {
            return place.each();
        }
        String ref = body.behindIdentities(node.getInput(input));
        return body.producer(ref)
                .map(made -> switch (made.getOp()) {
                    case "SplitV" -> part(made, ref);
                    case "Const" -> vector(ref);
                    case "GatherV2" -> vector(made.getInput(1));
                    case "Pack" -> Scope.given(made).count();
                    default -> -1L;
                })
                .orElse(-1L);
    }

    /** How many values a part of a list has. */
    private long part(NodeDef split, String ref) {
        int output = Integer.parseInt(ref.substring(ref.lastIndexOf(':') + 1));
        return new OpInputs(body, split)
                .numbers(1)
                .filter(sizes -> output < sizes.size())
                .map(sizes -> sizes.get(output))
                .orElse(-1L);
    }

    /** How many values a constant list has; -1 where it is none. */
    private long vector(String ref) {
        return Constants.value(body, ref)
                .map(TensorProto::getTensorShape)
                .filter(shape -> shape.getDimCount() == 1)
                .map(shape -> shape.getDim(0).getSize())
                .orElse(-1L);
    }

    /** Of a size that is counted from the last one; of so many as are not known, it may be the first. */
    private long fromTheFirst(long place) {
        return place < 0 ? place + Math.max(0, inputs.get(0).each()) : place;
    }

    private static boolean endsAt(OpInputs slice, long place) {
        return slice.attribute("end_mask") == 0 && slice.number(2, 0).equals(Optional.of(place));
    }

    /** Whether it is put together of the number of rows and of other sizes behind it. */
    private boolean isShape() {
        if (node.getOp().equals("Pack")) {
            return inputs.size() > 1
                    && inputs.get(0).isCount()
                    && inputs.stream().skip(1).noneMatch(RowPlace::isSize);
        }
        if (!node.getOp().equals("ConcatV2")) {
            return false;
        }
        List<Integer> there = IntStream.range(0, inputs.size() - 1)
                .filter(i -> !isNothing(node.getInput(i)))
                .boxed()
                .toList();
        return !there.isEmpty()
                && (inputs.get(there.get(0)).isCount()
                        || inputs.get(there.get(0)).isShape())
                && !inputs.get(there.get(0)).isPadded()
                && there.stream().skip(1).map(inputs::get).noneMatch(RowPlace::isSize);
    }

    /** Whether it is what stands before the first. */
    private boolean isNothing(String ref) {
        return vector(ref) == 0
                || body.producer(body.behindIdentities(ref))
                        .filter(each -> each.getOp().equals("StridedSlice"))
                        .filter(each -> endsAt(new OpInputs(body, each), 0))
                        .isPresent();
    }

    private boolean isConstant(int input, long number) {
        return Constants.integer(body, node.getInput(input))
                .filter(each -> each == number)
                .isPresent();
    }
}
