package io.praline.worker.graph.task;

import io.praline.worker.graph.Carrier;
import io.praline.worker.graph.source.SplitField;

/** Names of the nodes of a task's graph that are fed, run or fetched. */
public final class TaskNodes {
    /** Makes the iterator. */
    public static final String MAKE = "praline/make";
    /** Yields the next element, a component an output. */
    public static final String NEXT = "praline/next";
    /** Yields TensorFlow's model of the iterator, serialised. */
    public static final String MODEL = "praline/model";
    /** How much of what is told beside the elements waits. */
    public static final String TOLD_SIZE = "praline/told/size";
    /** Takes up to {@link #TOLD_COUNT} of it. */
    public static final String TOLD_TAKE = "praline/told/take";
    /** Fed with how much to take, int32. */
    public static final String TOLD_COUNT = "praline/told/count";
    /** Lets short batches go on to the batches behind them. */
    public static final String ALLOW_TAIL = "praline/tail/allow";

    private TaskNodes() {}

    /** The next element's component as its {@link Carrier}; there only where that is of another type. */
    public static String carried(int component) {
        return "praline/carried_" + component;
    }

    /** Puts one split into the queue of a source; fed through {@link #feed}. */
    public static String enqueue(int source) {
        return "praline/splits_" + source + "/enqueue";
    }

    /** The placeholder of one field of a split. */
    public static String feed(int source, SplitField field) {
        return "praline/splits_" + source + "/" + field.nodeName();
    }

    /** Closes the queue of a source. */
    public static String close(int source) {
        return "praline/splits_" + source + "/close";
    }

    /** How many splits wait in the queue of a source. */
    public static String size(int source) {
        return "praline/splits_" + source + "/size";
    }
}
