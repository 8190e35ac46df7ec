package io.praline.worker.engine;

import java.util.concurrent.locks.ReentrantLock;
import org.tensorflow.Graph;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.RewriterConfig;

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

    /** Of a session that runs it. */
    static ConfigProto config(GraphDef graph) {
        ConfigProto.Builder config = ConfigProto.newBuilder();
        RewriterConfig.Builder rewriting = config.getGraphOptionsBuilder().getRewriteOptionsBuilder();
        if (functionsCall(graph)) {
            rewriting.setConstantFolding(RewriterConfig.Toggle.OFF);
        } else {
            rewriting.setDisableMetaOptimizer(true);
        }
        return config.build();
    }

    private static boolean functionsCall(GraphDef graph) {
        return graph.getLibrary().getFunctionList().stream()
                .flatMap(function -> function.getNodeDefList().stream())
                .anyMatch(node -> node.getOp().endsWith("PartitionedCall"));
    }
}
