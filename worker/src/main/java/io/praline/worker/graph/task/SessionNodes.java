package io.praline.worker.graph.task;

import io.praline.worker.graph.Carrier;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.caching.CacheRoads;
import io.praline.worker.graph.caching.EntryLayout;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.source.opening.SplitField;
import io.praline.worker.graph.ticket.Told;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/** Adds what a session feeds, runs and fetches: queues of splits in front, an iterator at the end. */
final class SessionNodes {
    private final GraphDef.Builder graph;
    private final PipelineGraph pipeline;

    SessionNodes(PipelineGraph pipeline) {
        this.pipeline = pipeline;
        this.graph = pipeline.toGraphDef();
    }

    GraphDef graph(int sources, boolean tells, Optional<TaskGraph.Roads> roads) {
        int queues = sources + (roads.isPresent() ? 1 : 0);
        for (int source = 0; source < queues; source++) {
            queue(source);
        }
        iterator();
        roads.filter(TaskGraph.Roads::keeps).ifPresent(each -> kept(each.layout()));
        if (tells) {
            told();
            tail();
        }
        return graph.build();
    }

    private void queue(int source) {
        String queue = "praline/splits_" + source + "/queue";
        graph.addNode(BindSplits.queue(queue, source));
        List<String> inputs = new ArrayList<>(List.of(queue));
        for (SplitField field : SplitField.values()) {
            String feed = TaskNodes.feed(source, field);
            inputs.add(feed);
            graph.addNode(Protos.node(feed, "Placeholder").putAttr("dtype", Protos.type(field.dtype())));
        }
        graph.addNode(Protos.node(TaskNodes.enqueue(source), "QueueEnqueueV2")
                .addAllInput(inputs)
                .putAttr("Tcomponents", Protos.types(SplitField.dtypes()))
                .putAttr("timeout_ms", Protos.number(-1)));
        graph.addNode(Protos.node(TaskNodes.close(source), "QueueCloseV2", queue)
                .putAttr("cancel_pending_enqueues", Protos.bool(false)));
        graph.addNode(Protos.node(TaskNodes.size(source), "QueueSizeV2", queue));
    }

    private void iterator() {
        List<ElementComponent> components = pipeline.components();
        AttrValue types =
                Protos.types(components.stream().map(ElementComponent::dtype).toList());
        AttrValue shapes =
                Protos.shapes(components.stream().map(DatasetOps::shape).toList());
        graph.addNode(Protos.node("praline/iterator", "IteratorV2")
                .putAttr("shared_name", Protos.string("praline_iterator"))
                .putAttr("container", Protos.string(""))
                .putAttr("output_types", types)
                .putAttr("output_shapes", shapes));
        graph.addNode(Protos.node(TaskNodes.MAKE, "MakeIterator", pipeline.root(), "praline/iterator"));
        graph.addNode(Protos.node(TaskNodes.NEXT, "IteratorGetNextSync", "praline/iterator")
                .putAttr("output_types", types)
                .putAttr("output_shapes", shapes));
        for (int i = 0; i < components.size(); i++) {
            DataType dtype = components.get(i).dtype();
            DataType carrier = Carrier.of(dtype).map(Carrier::dtype).orElse(dtype);
            if (carrier != dtype) {
                graph.addNode(Protos.node(TaskNodes.carried(i), "Bitcast", TaskNodes.NEXT + ":" + i)
                        .putAttr("T", Protos.type(dtype))
                        .putAttr("type", Protos.type(carrier)));
            }
        }
        graph.addNode(Protos.node(TaskNodes.MODEL, "IteratorGetModelProto", "praline/iterator"));
    }

    private void told() {
        taken(Told.queue("praline/told/queue"), TaskNodes.TOLD, 1);
        taken(Told.readQueue("praline/read/queue"), TaskNodes.READ, 2);
    }

    private void kept(EntryLayout layout) {
        taken(CacheRoads.keptQueue("praline/kept/queue", layout), TaskNodes.KEPT, CacheRoads.keptTypes(layout));
        taken(Told.queueBefore("praline/told_before/queue"), TaskNodes.TOLD_BEFORE, 1);
        // what still waits to be written when it is closed is wanted by nobody
        graph.addNode(Protos.node(TaskNodes.CLOSE_KEPT, "QueueCloseV2", "praline/kept/queue")
                .putAttr("cancel_pending_enqueues", Protos.bool(true)));
    }

    private void taken(NodeDef.Builder queue, TaskNodes.Taken nodes, int numbers) {
        taken(queue, nodes, Collections.nCopies(numbers, DataType.DT_INT64));
    }

    private void taken(NodeDef.Builder queue, TaskNodes.Taken nodes, List<DataType> types) {
        graph.addNode(queue);
        graph.addNode(Protos.node(nodes.size(), "QueueSizeV2", queue.getName()));
        graph.addNode(Protos.node(nodes.count(), "Placeholder").putAttr("dtype", Protos.type(DataType.DT_INT32)));
        graph.addNode(Protos.node(nodes.take(), "QueueDequeueUpToV2", queue.getName(), nodes.count())
                .putAttr("component_types", Protos.types(types))
                .putAttr("timeout_ms", Protos.number(-1)));
    }

    private void tail() {
        NodeDef queue = Told.tailQueue("praline/tail/queue").build();
        String yes = "praline/tail/yes";
        graph.addNode(queue);
        graph.addNode(Protos.constant(yes, Protos.int64(1)));
        graph.addNode(Protos.node(TaskNodes.ALLOW_TAIL, "QueueEnqueueV2", queue.getName(), yes)
                .putAttr("Tcomponents", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("timeout_ms", Protos.number(-1)));
    }
}
