package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.ResourceHandleProto;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.proto.data.DatasetOptions.Options;

/** A pipeline whose elements are tensors of int64, written down step by step as TensorFlow's Python writes it. */
public final class IntegerGraph {
    private static final AttrValue INT64 = Protos.type(DataType.DT_INT64);
    private static final AttrValue VARIANT = Protos.type(DataType.DT_VARIANT);

    private final GraphDef.Builder graph = GraphDef.newBuilder();
    private String last = "";
    private int rank;

    private IntegerGraph() {
        graph.getVersionsBuilder().setProducer(1882).setMinConsumer(12);
    }

    /** The integers {@code from, from + step ...} up to {@code until}, exclusive. */
    public static IntegerGraph range(long from, long until, long step) {
        IntegerGraph made = new IntegerGraph();
        made.last = made.rangeNode(from, until, step, false);
        return made;
    }

    /** These values, as slices of a constant. */
    public static IntegerGraph slices(List<Long> values) {
        IntegerGraph made = new IntegerGraph();
        made.last = made.written(node("TensorSliceDataset", made.constant(Protos.int64s(values)))
                .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                .putAttr("is_files", Protos.bool(false))
                .putAttr("replicate_on_split", Protos.bool(false)));
        return made;
    }

    /** The first eight bytes of each record of TFRecord files, one file after another. */
    public static IntegerGraph files(List<String> names) {
        IntegerGraph made = new IntegerGraph();
        made.last = made.written(typed(
                node("FlatMapDataset", made.names(names))
                        .putAttr("f", Protos.function(made.open()))
                        .putAttr("Targuments", Protos.types(List.of())),
                DataType.DT_STRING,
                0));
        return made.decoded();
    }

    /** The same with so many files open at a time, and so many records taken of each in turn. */
    public static IntegerGraph interleaved(List<String> names, int cycle, int block) {
        IntegerGraph made = new IntegerGraph();
        made.last = made.written(typed(
                node("InterleaveDataset", made.names(names), made.number(cycle), made.number(block))
                        .putAttr("f", Protos.function(made.open()))
                        .putAttr("Targuments", Protos.types(List.of())),
                DataType.DT_STRING,
                0));
        return made.decoded();
    }

    /** The same of so many files at a time, each read by a thread of its own, in the order of {@link #interleaved}. */
    public static IntegerGraph readInParallel(List<String> names, int cycle, int block) {
        IntegerGraph made = new IntegerGraph();
        made.last = made.written(typed(
                node(
                                "ParallelInterleaveDatasetV4",
                                made.names(names),
                                made.number(cycle),
                                made.number(block),
                                made.number(-1),
                                made.number(-1),
                                made.number(cycle))
                        .putAttr("f", Protos.function(made.open()))
                        .putAttr("Targuments", Protos.types(List.of()))
                        .putAttr("deterministic", Protos.string("default")),
                DataType.DT_STRING,
                0));
        return made.decoded();
    }

    private String names(List<String> names) {
        TensorProto.Builder tensor =
                TensorProto.newBuilder().setDtype(DataType.DT_STRING).setTensorShape(Protos.shape((long) names.size()));
        names.forEach(each -> tensor.addStringVal(ByteString.copyFromUtf8(each)));
        return written(node("TensorSliceDataset", constant(tensor.build()))
                .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_STRING)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                .putAttr("is_files", Protos.bool(true))
                .putAttr("replicate_on_split", Protos.bool(false)));
    }

    private String open() {
        Body body = new Body("open", DataType.DT_STRING);
        return body.end(
                DataType.DT_VARIANT,
                body.add(
                        Protos.node(
                                "read",
                                "TFRecordDataset",
                                "x",
                                body.constant("compression", Protos.bytes(ByteString.EMPTY)),
                                body.constant("buffer", Protos.int64(-1))),
                        "handle"));
    }

    private IntegerGraph decoded() {
        Body body = new Body("decode", DataType.DT_STRING);
        String first = body.add(
                Protos.node(
                                "first",
                                "Substr",
                                "x",
                                body.constant("from", Protos.int32(0)),
                                body.constant("length", Protos.int32(8)))
                        .putAttr("T", Protos.type(DataType.DT_INT32)),
                "output");
        String vector = body.add(
                Protos.node("vector", "DecodeRaw", first)
                        .putAttr("out_type", INT64)
                        .putAttr("little_endian", Protos.bool(true)),
                "output");
        String scalar = body.add(
                Protos.node("scalar", "Reshape", vector, body.constant("shape", Protos.int32s()))
                        .putAttr("T", INT64)
                        .putAttr("Tshape", Protos.type(DataType.DT_INT32)),
                "output");
        return mapped(body.end(DataType.DT_INT64, scalar));
    }

    /** Each value times {@code factor} plus {@code addend}. */
    public IntegerGraph affine(long factor, long addend, boolean parallel) {
        Body body = new Body("affine", DataType.DT_INT64);
        String function =
                body.end(DataType.DT_INT64, body.sum(body.product("x", factor), body.int64("addend", addend)));
        return parallel ? mappedInParallel(function) : mapped(function);
    }

    private IntegerGraph mapped(String function) {
        return then(node("MapDataset", last)
                .putAttr("f", Protos.function(function))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("preserve_cardinality", Protos.bool(true)));
    }

    private IntegerGraph mappedInParallel(String function) {
        return then(node("ParallelMapDatasetV2", last, number(2))
                .putAttr("f", Protos.function(function))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("deterministic", Protos.string("default"))
                .putAttr("preserve_cardinality", Protos.bool(true)));
    }

    /** The values that leave another remainder. Of single values only. */
    public IntegerGraph without(long modulus, long remainder) {
        Body body = new Body("keep", DataType.DT_INT64);
        String left = body.rest("x", modulus);
        String kept = body.add(
                Protos.node("kept", "NotEqual", left, body.int64("remainder", remainder))
                        .putAttr("T", INT64),
                "z");
        return then(node("FilterDataset", last)
                .putAttr("predicate", Protos.function(body.end(DataType.DT_BOOL, kept)))
                .putAttr("Targuments", Protos.types(List.of())));
    }

    /** Of batches those whose first value leaves another remainder. */
    public IntegerGraph batchesWithout(long modulus, long remainder) {
        Body body = new Body("keep", DataType.DT_INT64);
        String first = body.add(
                Protos.node(
                                "first",
                                "GatherV2",
                                "x",
                                body.constant("place", Protos.int32(0)),
                                body.constant("axis", Protos.int32(0)))
                        .putAttr("Tparams", INT64)
                        .putAttr("Tindices", Protos.type(DataType.DT_INT32))
                        .putAttr("Taxis", Protos.type(DataType.DT_INT32))
                        .putAttr("batch_dims", Protos.number(0)),
                "output");
        String kept = body.add(
                Protos.node("kept", "NotEqual", body.rest(first, modulus), body.int64("remainder", remainder))
                        .putAttr("T", INT64),
                "z");
        return then(node("FilterDataset", last)
                .putAttr("predicate", Protos.function(body.end(DataType.DT_BOOL, kept)))
                .putAttr("Targuments", Protos.types(List.of())));
    }

    /** Of each batch every so many-th row; of a negative number from the last one on. */
    public IntegerGraph everySoManyRows(int step) {
        Body body = new Body("every", DataType.DT_INT64);
        String sliced = body.add(
                Protos.node(
                                "sliced",
                                "StridedSlice",
                                "x",
                                body.constant("begin", Protos.int32s(0)),
                                body.constant("end", Protos.int32s(0)),
                                body.constant("step", Protos.int32s(step)))
                        .putAttr("T", INT64)
                        .putAttr("Index", Protos.type(DataType.DT_INT32))
                        .putAttr("begin_mask", Protos.number(1))
                        .putAttr("end_mask", Protos.number(1)),
                "output");
        return mapped(body.end(DataType.DT_INT64, sliced));
    }

    /** Of each batch the rows from one on. */
    public IntegerGraph rowsFrom(int first) {
        Body body = new Body("from", DataType.DT_INT64);
        String sliced = body.add(
                Protos.node(
                                "sliced",
                                "Slice",
                                "x",
                                body.constant("begin", Protos.int32s(first)),
                                body.constant("size", Protos.int32s(-1)))
                        .putAttr("T", INT64)
                        .putAttr("Index", Protos.type(DataType.DT_INT32)),
                "output");
        return mapped(body.end(DataType.DT_INT64, sliced));
    }

    /** Of each batch its values less the largest of them. */
    public IntegerGraph lessTheLargest() {
        Body body = new Body("less", DataType.DT_INT64);
        String largest = body.add(
                Protos.node("largest", "Max", "x", body.constant("axes", Protos.int32s(0)))
                        .putAttr("T", INT64)
                        .putAttr("Tidx", Protos.type(DataType.DT_INT32))
                        .putAttr("keep_dims", Protos.bool(false)),
                "output");
        String less = body.add(Protos.node("less", "Sub", "x", largest).putAttr("T", INT64), "z");
        return mapped(body.end(DataType.DT_INT64, less));
    }

    /** Up to the first value that is not below a bound. Of single values only. */
    public IntegerGraph whileBelow(long bound) {
        Body body = new Body("below", DataType.DT_INT64);
        String below = body.add(
                Protos.node("below", "Less", "x", body.int64("bound", bound)).putAttr("T", INT64), "z");
        return then(node("TakeWhileDataset", last)
                .putAttr("predicate", Protos.function(body.end(DataType.DT_BOOL, below)))
                .putAttr("Targuments", Protos.types(List.of())));
    }

    public IntegerGraph batch(long size, boolean dropRemainder) {
        rank++;
        return then(node("BatchDatasetV2", last, number(size), flag(dropRemainder))
                .putAttr("parallel_copy", Protos.bool(false)));
    }

    public IntegerGraph paddedBatch(long size, long padding, boolean dropRemainder) {
        String shape = constant(Protos.int64s(Collections.nCopies(rank, -1L)));
        rank++;
        NodeDef.Builder node = node(
                        "PaddedBatchDatasetV2", last, number(size), shape, number(padding), flag(dropRemainder))
                .putAttr("N", Protos.number(1))
                .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(shape(rank))))
                .putAttr("parallel_copy", Protos.bool(false));
        last = written(node);
        return this;
    }

    public IntegerGraph unbatch() {
        rank--;
        return then(node("UnbatchDataset", last));
    }

    /** Of each batch a dataset of its rows. */
    public IntegerGraph rows() {
        rank--;
        Body body = new Body("rows", DataType.DT_INT64);
        return flatMapped(body.end(DataType.DT_VARIANT, body.rows()));
    }

    /** Of each batch a dataset of its rows, and then of its rows once more. */
    public IntegerGraph rowsTwice() {
        rank--;
        Body body = new Body("rows", DataType.DT_INT64);
        String both = body.add(
                typed(Protos.node("both", "ConcatenateDataset", body.rows(), body.rows()), DataType.DT_INT64, rank),
                "handle");
        return flatMapped(body.end(DataType.DT_VARIANT, both));
    }

    /** Of each batch a dataset of its first rows. */
    public IntegerGraph firstRows(long count) {
        rank--;
        Body body = new Body("rows", DataType.DT_INT64);
        String first = body.add(
                typed(
                        Protos.node("first", "TakeDataset", body.rows(), body.int64("count", count)),
                        DataType.DT_INT64,
                        rank),
                "handle");
        return flatMapped(body.end(DataType.DT_VARIANT, first));
    }

    /** The same with a function that others call. */
    public IntegerGraph with(FunctionDef function) {
        graph.getLibraryBuilder().addFunction(function);
        return this;
    }

    /** A map with a function that is given. */
    public IntegerGraph mapped(FunctionDef function) {
        graph.getLibraryBuilder().addFunction(function);
        return mapped(function.getSignature().getName());
    }

    /** A flat map of batches with a function that is given, into single values. */
    public IntegerGraph flatMapped(FunctionDef function) {
        rank = 0;
        graph.getLibraryBuilder().addFunction(function);
        return flatMapped(function.getSignature().getName());
    }

    private IntegerGraph flatMapped(String function) {
        return then(node("FlatMapDataset", last)
                .putAttr("f", Protos.function(function))
                .putAttr("Targuments", Protos.types(List.of())));
    }

    /** Of each {@code n} the numbers from {@code 10 n} on, {@code n} modulo {@code modulus} of them. */
    public IntegerGraph copies(long modulus) {
        return then(node("FlatMapDataset", last)
                .putAttr("f", Protos.function(copying(modulus)))
                .putAttr("Targuments", Protos.types(List.of())));
    }

    /** The same of so many numbers in turn. */
    public IntegerGraph copiesInTurn(long modulus, int cycle) {
        return then(node("InterleaveDataset", last, number(cycle), number(2))
                .putAttr("f", Protos.function(copying(modulus)))
                .putAttr("Targuments", Protos.types(List.of())));
    }

    private String copying(long modulus) {
        Body body = new Body("copies", DataType.DT_INT64);
        String from = body.product("x", 10);
        String until = body.sum(from, body.rest("x", modulus));
        String range = body.add(
                typed(Protos.node("range", "RangeDataset", from, until, body.int64("step", 1)), DataType.DT_INT64, 0),
                "handle");
        return body.end(DataType.DT_VARIANT, range);
    }

    /** The same numbers of each as one vector. */
    public IntegerGraph copiesInOne(long modulus) {
        Body body = new Body("vector", DataType.DT_INT64);
        String from = body.product("x", 10);
        String until = body.sum(from, body.rest("x", modulus));
        rank++;
        return mapped(body.end(
                DataType.DT_INT64,
                body.add(
                        Protos.node("range", "Range", from, until, body.int64("step", 1))
                                .putAttr("Tidx", INT64),
                        "output")));
    }

    /** Fails on multiples of a number, and keeps all else as it is. Of single values only. */
    public IntegerGraph failing(long modulus) {
        return mapped(failingOn("FloorDiv", modulus));
    }

    /** The same by a rest, in place of a quotient. */
    public IntegerGraph failingByRests(long modulus) {
        return mapped(failingOn("FloorMod", modulus));
    }

    /** The same and a batch, in one step. */
    public IntegerGraph failingAsBatched(long modulus, long size) {
        String function = failingOn("FloorDiv", modulus);
        rank++;
        return then(node("MapAndBatchDataset", last, number(size), number(2), flag(false))
                .putAttr("f", Protos.function(function))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("preserve_cardinality", Protos.bool(true)));
    }

    private String failingOn(String dividing, long modulus) {
        Body body = new Body("failing", DataType.DT_INT64);
        String quotient = body.add(
                Protos.node("quotient", dividing, "x", body.rest("x", modulus)).putAttr("T", INT64), "z");
        return body.end(DataType.DT_INT64, body.sum("x", body.product(quotient, 0)));
    }

    private String failingInside(Body body, String dataset, long modulus) {
        return body.add(
                typed(
                        Protos.node("failing", "MapDataset", dataset)
                                .putAttr("f", Protos.function(failingOn("FloorDiv", modulus)))
                                .putAttr("Targuments", Protos.types(List.of()))
                                .putAttr("preserve_cardinality", Protos.bool(true)),
                        DataType.DT_INT64,
                        0),
                "handle");
    }

    /** Of each batch a dataset of its rows, which fails on multiples of a number. */
    public IntegerGraph failingRows(long modulus) {
        rank--;
        Body body = new Body("rows", DataType.DT_INT64);
        return flatMapped(body.end(DataType.DT_VARIANT, failingInside(body, body.rows(), modulus)));
    }

    /** Of each {@code n} the numbers {@code 10 n} to {@code 10 n + 2}, but where they are multiples of a number: there it fails. */
    public IntegerGraph failingCopies(long modulus) {
        Body body = new Body("copies", DataType.DT_INT64);
        String from = body.product("x", 10);
        String until = body.sum(from, body.int64("three", 3));
        String range = body.add(
                typed(Protos.node("range", "RangeDataset", from, until, body.int64("step", 1)), DataType.DT_INT64, 0),
                "handle");
        return then(node("FlatMapDataset", last)
                .putAttr("f", Protos.function(body.end(DataType.DT_VARIANT, failingInside(body, range, modulus))))
                .putAttr("Targuments", Protos.types(List.of())));
    }

    /** Batches of values that leave one remainder, where it fails on multiples of another number. */
    public IntegerGraph failingGroups(long modulus, long size, long failing) {
        Body reduce = new Body("reduce", DataType.DT_INT64, DataType.DT_VARIANT);
        String group = failingInside(reduce, "y", failing);
        return grouped(modulus, size, reduce.end(DataType.DT_VARIANT, reduce.batch(group, size)));
    }

    /** Mixes elements; with a seed of 0, without one. */
    public IntegerGraph shuffle(long buffer, long seed) {
        TensorProto handle = TensorProto.newBuilder()
                .setDtype(DataType.DT_RESOURCE)
                .setTensorShape(Protos.SCALAR)
                .addResourceHandleVal(ResourceHandleProto.newBuilder()
                        .setDevice("/job:localhost/replica:0/task:0/device:CPU:0")
                        .setContainer("localhost")
                        .setName("ShuffleDatasetV3/SeedGenerator_" + graph.getNodeCount())
                        .setMaybeTypeName("N10tensorflow4data13SeedGeneratorE"))
                .build();
        return then(node(
                        "ShuffleDatasetV3",
                        last,
                        number(buffer),
                        number(seed),
                        number(seed == 0 ? 0 : 3),
                        constant(handle))
                .putAttr("reshuffle_each_iteration", Protos.bool(true)));
    }

    public IntegerGraph take(long count) {
        return then(node("TakeDataset", last, number(count)));
    }

    public IntegerGraph skip(long count) {
        return then(node("SkipDataset", last, number(count)));
    }

    public IntegerGraph shard(long count, long index) {
        return then(node("ShardDataset", last, number(count), number(index))
                .putAttr("require_non_empty", Protos.bool(false)));
    }

    public IntegerGraph repeat(long count) {
        return then(node("RepeatDataset", last, number(count)));
    }

    /** Keeps elements in memory. */
    public IntegerGraph cache() {
        return cache("");
    }

    /** Keeps elements in a file. */
    public IntegerGraph cache(String file) {
        return then(node("CacheDataset", last, constant(Protos.bytes(ByteString.copyFromUtf8(file)))));
    }

    public IntegerGraph prefetch(long buffer) {
        return then(node("PrefetchDataset", last, number(buffer)));
    }

    public IntegerGraph unique() {
        return then(node("UniqueDataset", last));
    }

    /** Options that leave the order to chance. */
    public IntegerGraph inAnyOrder() {
        return then(node("OptionsDataset", last)
                .putAttr(
                        "serialized_options",
                        AttrValue.newBuilder()
                                .setS(Options.newBuilder()
                                        .setDeterministic(false)
                                        .build()
                                        .toByteString())
                                .build()));
    }

    /** Then a range of integers, in batches of these sizes, one around the other. */
    public IntegerGraph concatenate(long from, long until, long... sizes) {
        String other = rangeNode(from, until, 1, false);
        for (int i = 0; i < sizes.length; i++) {
            NodeDef.Builder batches = node("BatchDatasetV2", other, number(sizes[i]), flag(false));
            other = written(typed(batches.putAttr("parallel_copy", Protos.bool(false)), DataType.DT_INT64, i + 1));
        }
        return then(node("ConcatenateDataset", last, other));
    }

    /** To each element's values {@code factor} times its place is added. */
    public IntegerGraph enumerate(long factor) {
        String counter = rangeNode(0, Long.MAX_VALUE, 1, true);
        last = zipped(List.of(counter, last), List.of(Protos.SCALAR, shape(rank)));
        Body body = new Body("numbered", DataType.DT_INT64, DataType.DT_INT64);
        return mapped(body.end(DataType.DT_INT64, body.sum("y", body.product("x", factor))));
    }

    /** To each element's values {@code factor} times a number of a range is added; ends with the shorter of both. */
    public IntegerGraph zip(long from, long until, long factor) {
        String numbers = rangeNode(from, until, 1, false);
        last = zipped(List.of(last, numbers), List.of(shape(rank), Protos.SCALAR));
        Body body = new Body("zipped", DataType.DT_INT64, DataType.DT_INT64);
        return mapped(body.end(DataType.DT_INT64, body.sum("x", body.product("y", factor))));
    }

    /** To each element's values one number is added, which stands before or behind them in a pair. */
    public IntegerGraph besideConstant(long value, boolean behind) {
        String one = written(Protos.node("", "TensorDataset", number(value))
                .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))));
        String ever = written(typed(node("RepeatDataset", one, number(-1)), DataType.DT_INT64, 0));
        last = behind
                ? zipped(List.of(last, ever), List.of(shape(rank), Protos.SCALAR))
                : zipped(List.of(ever, last), List.of(Protos.SCALAR, shape(rank)));
        Body body = new Body("beside", DataType.DT_INT64, DataType.DT_INT64);
        return mapped(body.end(DataType.DT_INT64, body.sum("x", "y")));
    }

    private String zipped(List<String> inputs, List<TensorShapeProto> shapes) {
        return written(node("ZipDataset", inputs.toArray(String[]::new))
                .putAttr("N", Protos.number(inputs.size()))
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64, DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(shapes)));
    }

    /** The sums of all values so far. Of single values only. */
    public IntegerGraph sums() {
        Body body = new Body("add", DataType.DT_INT64, DataType.DT_INT64);
        String sum = body.sum("x", "y");
        String function = body.end(DataType.DT_INT64, sum, sum);
        return then(node("ScanDataset", last, number(0))
                .putAttr("f", Protos.function(function))
                .putAttr("Tstate", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("preserve_cardinality", Protos.bool(true)));
    }

    /** Windows as batches. Of single values only. */
    public IntegerGraph windows(long size, long shift, boolean dropRemainder) {
        String windows = written(typed(
                node("WindowDataset", last, number(size), number(shift), number(1), flag(dropRemainder)),
                DataType.DT_VARIANT,
                0));
        Body body = new Body("window", DataType.DT_VARIANT);
        String function = body.end(DataType.DT_VARIANT, body.batch("x", size));
        rank++;
        return then(node("FlatMapDataset", windows)
                .putAttr("f", Protos.function(function))
                .putAttr("Targuments", Protos.types(List.of())));
    }

    /** Batches of values that leave one remainder. Of single values only. */
    public IntegerGraph groups(long modulus, long size) {
        return groups(modulus, size, false);
    }

    /** The same, where each group's values may come twice, one after the other. */
    public IntegerGraph groups(long modulus, long size, boolean twice) {
        Body reduce = new Body("reduce", DataType.DT_INT64, DataType.DT_VARIANT);
        String group = twice
                ? reduce.add(
                        typed(Protos.node("both", "ConcatenateDataset", "y", "y"), DataType.DT_INT64, rank), "handle")
                : "y";
        return grouped(modulus, size, reduce.end(DataType.DT_VARIANT, reduce.batch(group, size)));
    }

    /** Values that a function makes of each group of those that leave one remainder. Of single values only. */
    public IntegerGraph grouped(long modulus, long size, FunctionDef reduce) {
        with(reduce).grouped(modulus, size, reduce.getSignature().getName());
        rank = 0;
        return this;
    }

    /** What a function hands on of each group of elements, or makes of each of them. */
    public IntegerGraph handedOn(long modulus, long size, FunctionDef reduce) {
        rank--;
        return with(reduce).grouped(modulus, size, reduce.getSignature().getName());
    }

    /** Batches of values that leave one remainder, each given to a function that makes a batch of it. */
    public IntegerGraph groups(long modulus, long size, FunctionDef ofEach) {
        graph.getLibraryBuilder().addFunction(ofEach);
        Body reduce = new Body("reduce", DataType.DT_INT64, DataType.DT_VARIANT);
        String mapped = reduce.add(
                typed(
                        Protos.node("mapped", "MapDataset", reduce.batch("y", size))
                                .putAttr(
                                        "f",
                                        Protos.function(ofEach.getSignature().getName()))
                                .putAttr("Targuments", Protos.types(List.of())),
                        DataType.DT_INT64,
                        1),
                "handle");
        return grouped(modulus, size, reduce.end(DataType.DT_VARIANT, mapped));
    }

    private IntegerGraph grouped(long modulus, long size, String reduced) {
        Body key = new Body("key", DataType.DT_INT64);
        String keyed = key.end(DataType.DT_INT64, key.rest("x", modulus));
        Body window = new Body("size", DataType.DT_INT64);
        String sized = window.end(DataType.DT_INT64, window.int64("size", size));
        rank++;
        return then(node("GroupByWindowDataset", last)
                .putAttr("key_func", Protos.function(keyed))
                .putAttr("reduce_func", Protos.function(reduced))
                .putAttr("window_size_func", Protos.function(sized))
                .putAttr("Tkey_func_other_arguments", Protos.types(List.of()))
                .putAttr("Treduce_func_other_arguments", Protos.types(List.of()))
                .putAttr("Twindow_size_func_other_arguments", Protos.types(List.of())));
    }

    /** The graph as it is submitted. */
    public byte[] bytes() {
        return graph.clone()
                .addNode(Protos.node("dataset", "_Retval", last)
                        .putAttr("T", VARIANT)
                        .putAttr("index", Protos.number(0)))
                .build()
                .toByteArray();
    }

    private IntegerGraph then(NodeDef.Builder node) {
        last = written(typed(node, DataType.DT_INT64, rank));
        return this;
    }

    private static NodeDef.Builder typed(NodeDef.Builder node, DataType type, int rank) {
        return node.putAttr("output_types", Protos.types(List.of(type)))
                .putAttr("output_shapes", Protos.shapes(List.of(shape(rank))));
    }

    private static TensorShapeProto shape(int rank) {
        return Protos.shape(Collections.nCopies(rank, -1L));
    }

    private String rangeNode(long from, long until, long step, boolean counter) {
        return written(typed(
                node("RangeDataset", number(from), number(until), number(step))
                        .putAttr("replicate_on_split", Protos.bool(counter)),
                DataType.DT_INT64,
                0));
    }

    private String number(long value) {
        return constant(Protos.int64(value));
    }

    private String flag(boolean value) {
        return constant(Protos.flag(value));
    }

    private String constant(TensorProto value) {
        return written(Protos.constant("", value));
    }

    private static NodeDef.Builder node(String op, String... inputs) {
        return Protos.node("", op, inputs);
    }

    /** Adds a node to the graph, and gives its name. */
    private String written(NodeDef.Builder node) {
        String name = node.getOp() + "/_" + graph.getNodeCount();
        graph.addNode(node.setName(name));
        return name;
    }

    /** A function of {@code x}, or of {@code x} and {@code y}. */
    private final class Body {
        private final FunctionDef.Builder function = FunctionDef.newBuilder();

        Body(String name, DataType... arguments) {
            OpDef.Builder signature = function.getSignatureBuilder()
                    .setName("__inference_" + name + "_" + graph.getLibrary().getFunctionCount());
            for (int i = 0; i < arguments.length; i++) {
                signature.addInputArg(Protos.arg(i == 0 ? "x" : "y", arguments[i]));
            }
        }

        String add(NodeDef.Builder node, String output) {
            String name = node.getName() + "_" + function.getNodeDefCount();
            function.addNodeDef(node.setName(name));
            return name + ":" + output + ":0";
        }

        String constant(String name, TensorProto value) {
            return add(Protos.constant(name, value), "output");
        }

        String int64(String name, long value) {
            return constant(name, Protos.int64(value));
        }

        String sum(String left, String right) {
            return add(Protos.node("sum", "AddV2", left, right).putAttr("T", INT64), "z");
        }

        String product(String value, long factor) {
            return add(
                    Protos.node("product", "Mul", value, int64("factor", factor))
                            .putAttr("T", INT64),
                    "z");
        }

        String rest(String value, long modulus) {
            return add(
                    Protos.node("rest", "FloorMod", value, int64("modulus", modulus))
                            .putAttr("T", INT64),
                    "z");
        }

        /** Of the rank that the graph has behind the function. */
        String rows() {
            return add(
                    Protos.node("slices", "TensorSliceDataset", "x")
                            .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_INT64)))
                            .putAttr("output_shapes", Protos.shapes(List.of(shape(rank))))
                            .putAttr("is_files", Protos.bool(false))
                            .putAttr("replicate_on_split", Protos.bool(false)),
                    "handle");
        }

        String batch(String dataset, long size) {
            NodeDef.Builder node = Protos.node(
                    "batched", "BatchDatasetV2", dataset, int64("size", size), constant("drop", Protos.flag(false)));
            return add(typed(node, DataType.DT_INT64, 1), "handle");
        }

        /** Adds the function to the graph, and gives its name. */
        String end(DataType type, String... results) {
            List<String> outputs = new ArrayList<>();
            for (String result : results) {
                String output = "identity_" + outputs.size();
                outputs.add(output);
                function.getSignatureBuilder().addOutputArg(Protos.arg(output, type));
                function.putRet(output, result);
            }
            graph.getLibraryBuilder().addFunction(function);
            return function.getSignature().getName();
        }
    }
}
