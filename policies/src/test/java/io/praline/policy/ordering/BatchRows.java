package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.PICTURE;
import static io.praline.policy.ordering.Steps.RECORD;
import static io.praline.policy.ordering.Steps.SMALL;
import static io.praline.policy.ordering.Steps.batch;
import static io.praline.policy.ordering.Steps.cast;
import static io.praline.policy.ordering.Steps.clip;
import static io.praline.policy.ordering.Steps.crop;
import static io.praline.policy.ordering.Steps.divide;
import static io.praline.policy.ordering.Steps.op;
import static io.praline.policy.ordering.Steps.subtract;
import static io.praline.policy.ordering.Steps.typedOp;

import java.util.List;
import java.util.stream.Stream;

/** What the rules of batches say, condition by condition. */
final class BatchRows {
    private static final String POINTWISE = "value by value on a batch";
    static final String POINTWISE_ROUNDED = "value by value on a batch, up to rounding";
    private static final String COPYING = "copies on a batch";
    private static final String RESHAPING = "reshaped by the batch";
    private static final String COMPONENTS = "components made by the batch";
    private static final String PARSING = "records parsed by the batch";
    private static final String DECODING = "bytes decoded by the batch";
    private static final TensorSpec WEIGHT = TensorSpec.of("float32");
    private static final OrderOptions SKIPPING = new OrderOptions(true, List.of(), OrderOptions.Prices.USUAL);

    private BatchRows() {}

    private static Steps parse(String op, TensorSpec field) {
        return Steps.of("parse", StepKind.PARSE, RECORD, field, Steps.typedOp(op, "string", "int64"))
                .restructures()
                .mayFail(true);
    }

    private static Steps decodeRaw(String op) {
        return Steps.of(
                        "decode_raw",
                        StepKind.DECODE,
                        RECORD,
                        TensorSpec.of("uint8", -1),
                        Steps.typedOp(op, "string", "uint8"))
                .mayFail(true);
    }

    private static Steps gray(String name) {
        return Steps.of(name, StepKind.ELEMENTWISE, PICTURE, PICTURE, op("Square", "operand=scalar"));
    }

    static Stream<Row> rows() {
        Steps batch = batch("batch", SMALL);
        Steps padded = batch.ops(typedOp("PaddedBatchDatasetV2", "variant", "variant"))
                .before(PICTURE, LABEL)
                .after(TensorSpec.of("float32", -1, -1, -1, 3), TensorSpec.of("int64", -1));
        Steps equal = batch.ops(typedOp("PaddedBatchDatasetV2", "variant", "variant"));
        Steps div = divide("div");
        Steps smallCrop = crop("crop").before(SMALL, LABEL);
        String fails = "it cannot fail";
        String one = "it works on one component alone";
        String aligned = "operands are scalars, or vectors as long as the last dimension";
        String fits = "every value fits into what it is cast to, or integers keep their low bits";
        String parses = "ParseExampleV2 parses";
        String single = "records come one by one";
        String handed = "values are copied, or each gives the same bits wherever it stands";
        Steps halves = Steps.of("halves", StepKind.GEOMETRIC, SMALL, SMALL, op("StridedSlice"), op("StridedSlice"))
                .restructures();
        Steps flat =
                Steps.of("flat", StepKind.GEOMETRIC, SMALL, TensorSpec.of("float32", 224 * 224 * 3), op("Reshape"));
        String sized = "the graph says how large elements are in front of it and behind it";
        Steps shaped = decodeRaw("DecodeRaw")
                .ops(typedOp("DecodeRaw", "string", "uint8"), typedOp("Reshape", "uint8", "uint8"));
        return Stream.of(
                Row.refuses(POINTWISE, "neither is pinned by keep_position", div, batch.pinned()),
                Row.refuses(
                        POINTWISE,
                        "what it does is known and follows from the element alone",
                        div.stateful(true),
                        batch),
                Row.refuses(POINTWISE, "nothing is drawn", div.draws(true), batch),
                Row.refuses(
                                POINTWISE,
                                "the job leaves out no bad records, which a batch could not tell apart",
                                div,
                                batch)
                        .with(SKIPPING),
                Row.refuses(POINTWISE, "the batch pads nothing", div, padded),
                Row.refuses(
                        POINTWISE,
                        "each op can be made one of batches, as it is used",
                        div.ops(op("RealDiv", "operand=scalar", "operand_at=1", "single_elements=true")),
                        batch),
                Row.refuses(
                        POINTWISE,
                        "each op can be made one of batches, as it is used",
                        div.ops(op("RealDiv", "operand=scalar", "operand_at=1", "single_elements=")),
                        batch),
                // a worker that tells of no op had no place to say that what does nothing is of single elements
                Row.refuses(
                        COMPONENTS,
                        "each op can be made one of batches, as it is used",
                        div.ops()
                                .before(SMALL, LABEL)
                                .after(SMALL, LABEL)
                                .reads()
                                .writes(),
                        batch),
                Row.admits(POINTWISE, div, batch),
                Row.admits(POINTWISE, subtract("sub"), batch),
                Row.admits(POINTWISE, div.before(SMALL, LABEL).after(SMALL, LABEL), equal),
                Row.refuses(POINTWISE, "each value gives the same bits wherever it stands", clip("clip"), batch),
                Row.refuses(POINTWISE, fits, cast("cast", "float32", "uint8"), batch),
                Row.refuses(POINTWISE, aligned, div.ops(op("Mul", "operand=tensor")), batch),
                // vec[3] * scalar in a batch of 3 would give 3 numbers, where the user's order gives 3 times 3
                Row.refuses(POINTWISE, aligned, subtract("sub").before(WEIGHT, LABEL), batch("batch", WEIGHT)),
                Row.refuses(POINTWISE, one, div.reads(0, 1), batch),
                Row.refuses(POINTWISE, fails, div.mayFail(true), batch),
                Row.admits(POINTWISE_ROUNDED, clip("clip"), batch),
                Row.refuses(
                        POINTWISE_ROUNDED,
                        "each value is computed by itself, by ops of which that is known",
                        gray("square"),
                        batch),
                Row.refuses(POINTWISE_ROUNDED, fits, cast("cast", "float32", "uint8"), batch),
                Row.refuses(
                        POINTWISE_ROUNDED,
                        aligned,
                        clip("clip").ops(op("Pow", "operand=tensor", "operand_at=1", "value=2.0")),
                        batch),
                Row.refuses(POINTWISE_ROUNDED, one, clip("clip").reads(0, 1), batch),
                Row.refuses(POINTWISE_ROUNDED, fails, clip("clip").mayFail(true), batch),
                Row.admits(POINTWISE_ROUNDED, ConstantRows.exponential(), batch),
                Row.refuses(POINTWISE_ROUNDED, ConstantRows.NEAR, ConstantRows.exponential(), batch)
                        .behind(ConstantRows.adding("largest=1000.0")),
                Row.admits(COPYING, smallCrop, batch),
                // of a function that is chosen there is no one for batches
                Row.refuses(
                        COPYING,
                        "none of several functions is chosen",
                        smallCrop.ops(op("ReverseV2", "axis=0"), op("StatelessIf")),
                        batch),
                Row.refuses(
                        COPYING,
                        "values are only copied, and none is written that was not there",
                        smallCrop.ops(op("PadV2")),
                        batch),
                Row.refuses(COPYING, "the graph says how large elements are", crop("crop"), batch),
                Row.refuses(COPYING, one, smallCrop.reads(0, 1), batch),
                Row.refuses(COPYING, fails, smallCrop.mayFail(true), batch),
                Row.admits(RESHAPING, flat, batch),
                Row.refuses(RESHAPING, "values keep their order", flat.ops(op("Reshape"), op("Transpose")), batch),
                Row.refuses(RESHAPING, sized, flat.before(PICTURE, LABEL), batch),
                Row.refuses(RESHAPING, sized, flat.after(TensorSpec.of("float32", -1, 3), LABEL), batch),
                Row.refuses(RESHAPING, one, flat.reads(0, 1), batch),
                Row.refuses(RESHAPING, fails, flat.mayFail(true), batch),
                Row.admits(COMPONENTS, halves, batch),
                Row.admits(COMPONENTS, halves.ops(op("Mul")), batch),
                // as lambda fields: (fields["label"], fields["values"]) does where they come in that order
                Row.admits(
                        COMPONENTS,
                        div.ops(op("Identity"))
                                .before(SMALL, LABEL)
                                .after(SMALL, LABEL)
                                .reads()
                                .writes(),
                        batch),
                Row.refuses(COMPONENTS, handed, halves.ops(op("PadV2")), batch),
                Row.refuses(COMPONENTS, handed, halves.ops(op("Pack", "values=constant")), batch),
                Row.refuses(COMPONENTS, fits, halves.ops(typedOp("Cast", "float32", "uint8")), batch),
                Row.refuses(COMPONENTS, "the graph says how large elements are", halves.before(PICTURE, LABEL), batch),
                Row.refuses(COMPONENTS, fails, halves.mayFail(true), batch),
                Row.admits(PARSING, parse("ParseExampleV2", TensorSpec.of("int64", 129)), batch),
                Row.refuses(PARSING, parses, parse("ParseSingleExample", TensorSpec.of("int64", 129)), batch),
                Row.refuses(
                        PARSING,
                        single,
                        parse("ParseExampleV2", TensorSpec.of("int64", 129)).before(TensorSpec.of("string", 8), LABEL),
                        batch),
                Row.refuses(
                        PARSING,
                        "every field has a size in the graph",
                        parse("ParseExampleV2", TensorSpec.of("int64", -1)),
                        batch),
                Row.admits(DECODING, decodeRaw("DecodeRaw"), batch),
                Row.refuses(DECODING, "DecodeRaw decodes", decodeRaw("DecodePng"), batch),
                Row.admits(DECODING, shaped.after(TensorSpec.of("uint8", 28, 28), LABEL), batch),
                Row.refuses(DECODING, "what is reshaped has a size in the graph", shaped, batch),
                Row.refuses(DECODING, single, decodeRaw("DecodeRaw").before(TensorSpec.of("string", 8), LABEL), batch),
                Row.refuses(DECODING, one, decodeRaw("DecodeRaw").reads(0, 1), batch));
    }
}
