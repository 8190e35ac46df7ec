package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.PICTURE;
import static io.praline.policy.ordering.Steps.cast;
import static io.praline.policy.ordering.Steps.clip;
import static io.praline.policy.ordering.Steps.crop;
import static io.praline.policy.ordering.Steps.divide;
import static io.praline.policy.ordering.Steps.flip;
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
    private static final String AFFINE =
            "constants are added, subtracted, multiplied or divided by, and nothing else is done";
    private static final String MEANS = "the resize is bilinear, bicubic, lanczos or antialiased";
    private static final String ROUNDED = "value by value up to rounding, and copies";
    private static final String KNOWN = "each value is computed by itself, by ops of which that is known";
    private static final String MIRROR = "a flip, and bilinear resize";
    static final String NEAR =
            "values lie at most five times as far from zero as they spread (bytes over 255, others over 1 as far as is known),"
                    + " so that few digits are lost";
    static final String SIZES =
            "the graph tells sizes of pictures by which rounding comes to at most 1e-4 of the range";

    private static final TensorSpec ONE = TensorSpec.of("float32");
    private static final TensorSpec SQUARE = TensorSpec.of("float32", 3, 3);
    private static final TensorSpec LINE = TensorSpec.of("float32", 5);

    private ConstantRows() {}

    static Stream<Row> all() {
        Steps areas = resizeBy("area", op("ResizeArea"));
        Steps bytes = cast("bytes", "uint8", "float32");
        return Stream.of(
                // what a vector of one value makes of a single value is a vector
                Row.admits(COPIED, stretching(), copying("some", LINE, LINE)),
                Row.refuses(COPIED, OPERANDS, stretching(), copying("first", LINE, ONE)),
                Row.refuses(
                        COPIED,
                        OPERANDS,
                        stretching().ops(op("RealDiv", "operand=scalar", "stretches=")),
                        copying("first", LINE, ONE)),
                Row.refuses(COPIED, OPERANDS, copying("line", ONE, LINE), stretching()),
                Row.admits(MEAN, adding("largest=4.0"), resize("resize")),
                Row.refuses(MEAN, NEAR, adding("largest=1e6"), resize("resize")),
                // a whole picture of a constant, as tf.fill makes one
                Row.refuses(MEAN, NEAR, divide("div"), resize("resize")).behind(adding("operand=tensor")),
                Row.admits(MEAN, divide("div"), resize("resize")).behind(adding("operand=drawn")),
                Row.refuses(MEAN, NEAR, adding("value=7"), resize("resize")),
                Row.refuses(MEAN, NEAR, adding("operand=vector:3"), resize("resize")),
                // of bytes, a fifth of which spreads over 51: 200 is four times as far
                Row.admits(MEAN, fifth("largest=200.0"), resize("resize")).behind(bytes),
                Row.refuses(MEAN, NEAR, fifth("largest=1000.0"), resize("resize"))
                        .behind(bytes),
                Row.admits(MEAN, adding("largest=1000.0"), resize("resize")).behind(bytes),
                Row.refuses(MIRROR, NEAR, flip("flip"), resize("resize").sized(80, 80))
                        .behind(adding("largest=1000.0")),
                Row.refuses(ROUNDED, NEAR, exponential(), crop("crop")).behind(adding("largest=1000.0")),
                Row.admits(ROUNDED, clip("clip"), crop("crop")).behind(adding("largest=1000.0")),
                // a mirror image's pixels are as far as 2^-23 of the side from where they were: 800 of it are 9.5e-5
                Row.admits(MIRROR, flip("flip"), resize("resize").sized(4_000, 800)),
                Row.refuses(MIRROR, SIZES, flip("flip"), resize("resize").sized(4_000, 900)),
                Row.refuses(MIRROR, SIZES, flip("flip"), resize("resize")),
                Row.refuses(
                        MIRROR,
                        SIZES,
                        flip("flip").ops(op("ReverseV2", "axis=drawn")),
                        resize("resize").sized(4_000, 80)),
                Row.refuses(
                        MIRROR,
                        SIZES,
                        flip("flip"),
                        resize("twice").ops(bilinear(), bilinear()).sized(80, 80)),
                // weights of an area are as far from one in all as 2^-23 of as many as there are
                Row.admits(AREA, subtract("sub"), areas.sized(4_000, 4_000)),
                Row.refuses(
                        AREA,
                        SIZES,
                        subtract("sub"),
                        areas.sized(4_000, 4_000).after(TensorSpec.of("float32", 1_000, 1_000, 3), LABEL)),
                Row.refuses(AREA, SIZES, subtract("sub"), areas.after(PICTURE, LABEL)),
                // a mean of 65,535 / 224 pixels and more of either side
                Row.refuses(
                        MEAN,
                        SIZES,
                        subtract("sub"),
                        scaled("kernel_type=triangle", "antialias=true", "scale=shape", "translation=0.0,0.0")),
                Row.admits(
                        MEAN,
                        subtract("sub"),
                        scaled("kernel_type=triangle", "antialias=false", "scale=shape", "translation=0.0,0.0")),
                Row.refuses(
                        AREA,
                        NEAR,
                        adding("largest=NaN"),
                        areas.sized(64, 64).after(TensorSpec.of("float32", 16, 16, 3), LABEL)),
                Row.admits(AREA, subtract("sub"), areas),
                // 255 / x of a mean is not the mean of 255 / x
                Row.refuses(MEAN, AFFINE, divided(), resize("resize")),
                Row.refuses(AREA, AFFINE, divided(), areas),
                // beside a picture that is moved aside, or is smaller than its place, there are zeros
                Row.admits(
                        MEAN,
                        subtract("sub"),
                        scaled("kernel_type=triangle", "scale=constant", "translation=0.0,0.0")
                                .sized(300, 400)),
                Row.refuses(
                        MEAN,
                        MEANS,
                        subtract("sub"),
                        scaled("kernel_type=triangle", "scale=constant", "translation=2.0,0.0")
                                .sized(300, 400)),
                Row.refuses(
                        MEAN,
                        MEANS,
                        subtract("sub"),
                        scaled("kernel_type=triangle", "scale=0.5,0.5", "translation=0.0,0.0")
                                .sized(300, 400)),
                // what is just below zero to the power of 2.5 is none, or 0 where many are computed at once
                Row.admits(ROUNDED, power("operand_at=1", "value=2.0"), crop("crop")),
                Row.admits(ROUNDED, power("operand_at=0", "value=1.5"), crop("crop")),
                Row.refuses(ROUNDED, KNOWN, power("operand_at=0", "value=0.0"), crop("crop")),
                Row.refuses(ROUNDED, KNOWN, power("operand_at=0", "value=-2.0"), crop("crop")),
                Row.refuses(ROUNDED, KNOWN, power("operand_at=1", "value=2.5"), crop("crop")));
    }

    /** A vector lies along the last of 3 times 3 values, of which another one, or a part, may come out as 3 times 3. */
    static Stream<Row> places() {
        Steps sub = subtract("sub").before(SQUARE, LABEL).after(SQUARE, LABEL);
        StepOp firstOnly = op("StridedSlice", "begin=0", "strides=1", "new_axis_mask=1", "shrink_axis_mask=0");
        StepOp first = op("StridedSlice", "begin=0", "strides=1", "new_axis_mask=0", "shrink_axis_mask=1");
        StepOp column = op("StridedSlice", "begin=0,0", "strides=1,1", "new_axis_mask=0", "shrink_axis_mask=0");
        StepOp nearest = op("ResizeNearestNeighbor");
        Steps drawn = copying("drawn", SQUARE, SQUARE).draws(true);
        return Stream.of(
                Row.admits(COPIED, sub, square(firstOnly, first)),
                Row.admits(COPIED, sub, square(column)),
                // x[None, :, 0]
                Row.refuses(
                        COPIED,
                        OPERANDS,
                        sub,
                        square(op(
                                "StridedSlice",
                                "begin=0,0,0",
                                "strides=1,1,1",
                                "new_axis_mask=1",
                                "shrink_axis_mask=4"))),
                Row.refuses(COPIED, OPERANDS, sub, square(column, op("Squeeze"), op("ExpandDims"))),
                Row.admits(COPIED, sub, drawn.ops(op("ReverseV2", "axis=0"), op("SelectV2"))),
                Row.refuses(COPIED, OPERANDS, sub, drawn.ops(column, op("SelectV2"))),
                Row.refuses(COPIED, OPERANDS, sub, drawn.ops(op("ExpandDims"), first, op("SelectV2"))),
                Row.admits(
                        COPIED,
                        sub,
                        square(op("ExpandDims"), nearest, op("Squeeze")).kind(StepKind.RESAMPLE)),
                Row.refuses(
                        COPIED,
                        OPERANDS,
                        sub,
                        square(op("ExpandDims"), nearest, nearest, op("Squeeze"))
                                .kind(StepKind.RESAMPLE)));
    }

    private static Steps square(StepOp... ops) {
        return copying("copy", SQUARE, SQUARE).ops(ops);
    }

    private static Steps divided() {
        return divide("div").ops(op("RealDiv", "operand=scalar", "operand_at=0", "value=255.0"));
    }

    private static Steps power(String place, String value) {
        return divide("power").ops(op("Pow", "operand=scalar", place, value));
    }

    static Steps scaled(String... settings) {
        return resizeBy("scale", op("ScaleAndTranslate", settings));
    }

    static Steps adding(String setting) {
        return divide("add").ops(op("AddV2", "operand=scalar", setting));
    }

    private static Steps fifth(String setting) {
        return divide("fifth")
                .ops(
                        op("RealDiv", "operand=scalar", "operand_at=1", "value=5.0"),
                        op("AddV2", "operand=scalar", setting));
    }

    static Steps exponential() {
        return divide("exp").ops(op("Exp"));
    }

    private static StepOp bilinear() {
        return op("ResizeBilinear", "half_pixel_centers=true");
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
