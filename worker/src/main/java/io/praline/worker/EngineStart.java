package io.praline.worker;

import com.google.protobuf.TextFormat;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import java.util.Optional;
import org.tensorflow.proto.GraphDef;

/**
 * Loads TensorFlow and runs a pipeline of eight integers once, so that the first job does not pay for it: seconds where the
 * native library has to be unpacked, half a second of first times otherwise.
 */
public final class EngineStart {
    private static final String EIGHT_INTEGERS = """
            node { name: "from" op: "Const"
              attr { key: "dtype" value { type: DT_INT64 } }
              attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 0 } } } }
            node { name: "until" op: "Const"
              attr { key: "dtype" value { type: DT_INT64 } }
              attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 8 } } } }
            node { name: "step" op: "Const"
              attr { key: "dtype" value { type: DT_INT64 } }
              attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 1 } } } }
            node { name: "range" op: "RangeDataset" input: "from" input: "until" input: "step"
              attr { key: "output_types" value { list { type: DT_INT64 } } }
              attr { key: "output_shapes" value { list { shape {} } } }
              attr { key: "replicate_on_split" value { b: false } } }
            node { name: "prefetched" op: "PrefetchDataset" input: "range" input: "step"
              attr { key: "output_types" value { list { type: DT_INT64 } } }
              attr { key: "output_shapes" value { list { shape {} } } } }
            node { name: "dataset" op: "_Retval" input: "prefetched"
              attr { key: "T" value { type: DT_VARIANT } }
              attr { key: "index" value { i: 0 } } }
            versions { producer: 1882 min_consumer: 12 }
            """;

    private EngineStart() {}

    /** The operations that TensorFlow has, once it is loaded and warm. Blocks for as long as that takes. */
    public static TensorFlowOps warm() {
        TensorFlowOps ops = new TensorFlowOps();
        GraphDef.Builder eightIntegers = GraphDef.newBuilder();
        try {
            TextFormat.merge(EIGHT_INTEGERS, eightIntegers);
        } catch (TextFormat.ParseException e) {
            throw new IllegalStateException("the graph above is wrong", e);
        }
        PipelineGraph pipeline = PipelineGraph.parse(eightIntegers.build().toByteArray(), ops);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        TaskSettings settings =
                TaskSettings.of(1).withTracked(analysis.exactlyOnce()).withPack(true);
        try (GraphSession session = new GraphSession(TaskGraphs.build(pipeline, analysis, settings))) {
            session.enqueue(FeedSplit.integers(0, 0, 0, 8, 1));
            session.closeQueue();
            for (Optional<EngineBatch> next = session.next(); next.isPresent(); next = session.next()) {
                next.get().close();
            }
        }
        return ops;
    }
}
