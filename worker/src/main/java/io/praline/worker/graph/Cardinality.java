package io.praline.worker.graph;

import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/** How many elements a dataset has. */
public final class Cardinality {
    private Cardinality() {}

    /** Of a source whose elements are written down, a range or slices of a constant; empty of any other, and where nobody can tell. */
    public static Optional<Long> written(NodeDef source, Scope scope) {
        return switch (OpTraits.of(source).family()) {
            case RANGE -> range(source, scope);
            case SLICES ->
                Constants.value(scope, source.getInput(0))
                        .filter(constant -> constant.getTensorShape().getDimCount() > 0)
                        .map(constant -> constant.getTensorShape().getDim(0).getSize());
            default -> Optional.empty();
        };
    }

    private static Optional<Long> range(NodeDef range, Scope scope) {
        Optional<Long> from = Constants.integer(scope, range.getInput(0));
        Optional<Long> until = Constants.integer(scope, range.getInput(1));
        Optional<Long> step = Constants.integer(scope, range.getInput(2)).filter(each -> each != 0);
        if (from.isEmpty() || until.isEmpty() || step.isEmpty()) {
            return Optional.empty();
        }
        boolean none = step.get() > 0 ? until.get() <= from.get() : until.get() >= from.get();
        if (none) {
            return Optional.of(0L);
        }
        try {
            return Optional.of(-Math.floorDiv(Math.subtractExact(from.get(), until.get()), step.get()));
        } catch (ArithmeticException tooMany) {
            return Optional.empty();
        }
    }
}
