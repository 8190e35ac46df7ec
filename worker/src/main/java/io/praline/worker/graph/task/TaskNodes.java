package io.praline.worker.graph.task;

import io.praline.worker.graph.Carrier;
import io.praline.worker.graph.source.opening.SplitField;

/** Names of the nodes of a task's graph that are fed, run or fetched. */
public final class TaskNodes {
    /** Makes the iterator. */
    public static final String MAKE = "praline/make";
    /** Yields the next element, a component an output. */
    public static final String NEXT = "praline/next";
    /** Yields TensorFlow's model of the iterator, serialised. */
    public static final String MODEL = "praline/model";
    /** What is told beside the elements. */
    public static final Taken TOLD = new Taken("praline/told");
    /** What filters before the cache point tell, where elements are kept behind it. */
    public static final Taken TOLD_BEFORE = new Taken("praline/told_before");
    /** What is told of splits whose elements are numbered as they come out; two outputs. */
    public static final Taken READ = new Taken("praline/read");
    /** What is to be kept: components as bytes, then the ticket. */
    public static final Taken KEPT = new Taken("praline/kept");
    /** Ends the queue of what is to be kept. */
    public static final String CLOSE_KEPT = "praline/kept/close";
    /** Lets short batches go on to the batches behind them. */
    public static final String ALLOW_TAIL = "praline/tail/allow";

    private TaskNodes() {}

    /** The nodes through which a queue inside the graph is taken from. */
    public record Taken(String prefix) {
        /** How much waits. */
        public String size() {
            return prefix + "/size";
        }

        /** Takes up to {@link #count} of it. */
        public String take() {
            return prefix + "/take";
        }

        /** Fed with how much to take, int32. */
        public String count() {
            return prefix + "/count";
        }
    }

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
