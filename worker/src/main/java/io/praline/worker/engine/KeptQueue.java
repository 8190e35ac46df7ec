package io.praline.worker.engine;

import io.praline.worker.graph.caching.EntryLayout;
import io.praline.worker.graph.task.TaskNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.exceptions.TFOutOfRangeException;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;

/** Elements that are to be kept, out of the queue in a graph in which they wait. */
final class KeptQueue {
    /** So many are taken at once, or of so many bytes. */
    private static final int MOST = 256;

    private static final int MOST_BYTES = 8 << 20;

    private KeptQueue() {}

    /**
     * Takes what waits; waits for some where nothing does. A tensor for each component: of a fixed size the bytes of all
     * elements one behind the other, else strings. Empty where the queue was closed.
     *
     * @param waiting how many there are
     */
    static Optional<EngineBatch> taken(Session session, EntryLayout layout, int waiting) {
        int most = Math.max(1, Math.min(MOST, MOST_BYTES / Math.max(1, layout.headEnd())));
        Session.Runner runner = session.runner().setOptions(GraphSession.ON_CALLERS_THREAD);
        int last = layout.fields().size();
        for (int i = 0; i <= last; i++) {
            runner.fetch(TaskNodes.KEPT.take(), i);
        }
        Result result;
        try (TInt32 count = TInt32.scalarOf(Math.max(1, Math.min(most, waiting)))) {
            result = runner.feed(TaskNodes.KEPT.count(), count).run();
        } catch (TFOutOfRangeException closed) {
            return Optional.empty();
        }
        List<EngineTensor> fields = new ArrayList<>();
        for (int i = 0; i < last; i++) {
            boolean fixed = layout.fields().get(i).fixed();
            fields.add(NativeTensors.of(result.get(i), fixed ? DataType.DT_UINT8 : DataType.DT_STRING));
        }
        return Optional.of(new EngineBatch(NativeTensors.longs((TInt64) result.get(last)), 0, fields, result::close));
    }
}
