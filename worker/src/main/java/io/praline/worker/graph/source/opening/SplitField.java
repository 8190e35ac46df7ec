package io.praline.worker.graph.source.opening;

import io.praline.worker.graph.Protos;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.TensorShapeProto;

/** The fields of a split as it travels through the graph's queue, in the queue's order. All kinds of splits share them. */
public enum SplitField {
    /** The split's number within its plan: the high part of its tickets. */
    ORDINAL(DataType.DT_INT64),
    /** File names, a vector; empty where nothing is read. */
    PATHS(DataType.DT_STRING),
    /** First byte, value or index. */
    FROM(DataType.DT_INT64),
    /** Bound of values or indexes, exclusive; of a range of a file how many bytes follow it, where that is known. */
    UNTIL(DataType.DT_INT64),
    /** Difference between neighbours. */
    STEP(DataType.DT_INT64),
    /** How many records to read from the first one on; -1: all. */
    TAKE(DataType.DT_INT64),
    /** How many records there are, counted beside the graph; -1: nobody counted them. */
    COUNTED(DataType.DT_INT64),
    /** How many elements are numbered as they come out; -1: all. Nothing where records are numbered. */
    LIMIT(DataType.DT_INT64),
    /** How many records at the start hold some that are not wanted: from there on all are wanted. */
    HIGH(DataType.DT_INT64),
    /** {@link #HIGH} where some records below it are wanted and some are not; 0 where none of them is wanted. */
    MIXED(DataType.DT_INT64),
    /** Which of the first {@link #MIXED} records are wanted: a byte each, 1 where wanted. */
    WANTED(DataType.DT_STRING);

    private final DataType dtype;

    SplitField(DataType dtype) {
        this.dtype = dtype;
    }

    public DataType dtype() {
        return dtype;
    }

    boolean isVector() {
        return this == PATHS;
    }

    public String nodeName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its name as an argument of the function that opens a split. */
    public String argument() {
        return "praline_" + nodeName();
    }

    public static List<DataType> dtypes() {
        return Stream.of(values()).map(SplitField::dtype).toList();
    }

    static List<TensorShapeProto> shapes() {
        return Stream.of(values())
                .map(field -> field.isVector() ? Protos.shape(-1L) : Protos.SCALAR)
                .toList();
    }
}
