package io.praline.worker.graph.task;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.BindSplits;
import io.praline.worker.graph.ticket.TrackProvenance;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Leaves out elements that cannot be made instead of ending the task: behind each transformation that runs a function on
 * single elements, and behind each source, so that one bad element never takes its batch along. Comes behind {@link
 * TrackProvenance}; what is missing at the end is found by its ticket. Where elements are numbered as they come out of a
 * split, what fails before has no ticket and could not be told of: there a failure ends the task as it would without this.
 */
final class SkipBad implements Pass {
    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Set<String> whole = BindSplits.readAsAWhole(scope);
        String root = pipeline.root();
        for (NodeDef node : scope.nodes()) {
            boolean mayFail = BindSplits.isSource(node)
                    ? !BindSplits.isNumbered(pipeline.functions()
                            .get(node.getAttrOrThrow("f").getFunc().getName()))
                    : runsOnElements(node) && !whole.contains(node.getName());
            // the split queue's own map ends by an error, which must stay one
            if (mayFail && !node.getName().startsWith("praline/")) {
                String name = scope.fresh("skip_bad");
                scope.redirect(node.getName(), name);
                NodeDef.Builder ignore = Protos.node(name, "IgnoreErrorsDataset", node.getName())
                        .putAttr("log_warning", Protos.bool(false));
                DatasetOps.setComponents(ignore, "output_types", DatasetOps.components(node));
                scope.addDataset(ignore);
                root = Scope.nodeOf(root).equals(node.getName()) ? name : root;
            }
        }
        return new PipelineGraph(scope.nodes(), pipeline.functions().values(), root, pipeline.versions());
    }

    private static boolean runsOnElements(NodeDef node) {
        OpTraits.Family family = OpTraits.of(node).family();
        return family == OpTraits.Family.MAP || family == OpTraits.Family.FILTER;
    }
}
