package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.crop;
import static io.praline.policy.ordering.Steps.divide;
import static io.praline.policy.ordering.Steps.op;
import static io.praline.policy.ordering.Steps.resize;
import static io.praline.policy.ordering.Steps.resizeBy;
import static io.praline.policy.ordering.Steps.subtract;

import java.util.stream.Stream;

/** Rules and pairs of which sizes and values of constants decide. */
final class ConstantRows {
    private static final String COPIED = "value by value, and copies";
    private static final String MEAN = "affine, and a resize by weighted means";
    private static final String AREA = "affine, and a resize by areas";
    private static final String OPERANDS =
            "operands are scalars, or vectors along a last dimension that stays as it is";
    private static final String NEAR =
            "what is added is at most 1,024, so that few digits of a value are lost beside it";

    private static final TensorSpec ONE = TensorSpec.of("float32");
    private static final TensorSpec LINE = TensorSpec.of("float32", 5);

    private ConstantRows() {}

    static Stream<Row> all() {
        Steps areas = resizeBy("area", op("ResizeArea"));
        return Stream.of(
                // what a vector of one value makes of a single value is a vector
                Row.admits(COPIED, stretching(), copying("some", LINE, LINE)),
                Row.refuses(COPIED, OPERANDS, stretching(), copying("first", LINE, ONE)),
                Row.refuses(COPIED, OPERANDS, copying("line", ONE, LINE), stretching()),
                Row.admits(MEAN, adding("largest=1024.0"), resize("resize")),
                Row.refuses(MEAN, NEAR, adding("largest=1e6"), resize("resize")),
                Row.refuses(MEAN, NEAR, adding("value=7"), resize("resize")),
                Row.refuses(AREA, NEAR, adding("largest=NaN"), areas),
                Row.admits(AREA, subtract("sub"), areas));
    }

    private static Steps adding(String setting) {
        return divide("add").ops(op("AddV2", "operand=scalar", setting));
    }

    private static Steps stretching() {
        return copying("div", LINE, LINE)
                .kind(StepKind.ELEMENTWISE)
                .ops(op("RealDiv", "operand=scalar", "stretches=true"));
    }

    private static Steps copying(String name, TensorSpec before, TensorSpec after) {
        return crop(name).before(before, LABEL).after(after, LABEL);
    }
}
