package io.praline.worker.engine;

import java.util.concurrent.locks.ReentrantLock;
import org.tensorflow.Graph;
import org.tensorflow.proto.GraphDef;

/** Gives TensorFlow a graph. */
final class GraphImport {
    private static final int LARGE_BYTES = 8 << 20;

    private static final ReentrantLock LARGE = new ReentrantLock();

    private GraphImport() {}

    /** A large one is written down in Java's heap on its way, which has room for one at a time. */
    static void into(Graph graph, GraphDef def) {
        if (def.getSerializedSize() < LARGE_BYTES) {
            graph.importGraphDef(def);
            return;
        }
        LARGE.lock();
        try {
            graph.importGraphDef(def);
        } finally {
            LARGE.unlock();
        }
    }
}
