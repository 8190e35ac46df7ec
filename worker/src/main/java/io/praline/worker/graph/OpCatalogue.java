package io.praline.worker.graph;

/** Which ops the TensorFlow at hand can run. The edge to the native library. */
public interface OpCatalogue {

    /** Whether this TensorFlow has an op of that name. */
    boolean holds(String op);

    /** The version of this TensorFlow, such as {@code 2.18.0}, for messages. */
    String version();
}
