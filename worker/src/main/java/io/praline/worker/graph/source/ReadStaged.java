package io.praline.worker.graph.source;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Lets files be opened under other names: what reads a file by its name is given the name that a regular expression makes of
 * it. All else in the graph sees the name as it is, and names that do not match stay. Comes when the readers are where they
 * will be.
 */
public final class ReadStaged implements Pass {
    private final Renaming renaming;

    /**
     * Names of one kind into others.
     *
     * @param pattern what they look like, as TensorFlow takes it
     * @param rewrite what each becomes
     */
    public record Renaming(String pattern, String rewrite) {}

    public ReadStaged(Renaming renaming) {
        this.renaming = renaming;
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope graph = pipeline.scope();
        rename(graph);
        List<FunctionDef> functions = new ArrayList<>();
        for (FunctionDef function : pipeline.functions().values()) {
            Scope body = Scope.ofFunction(function);
            functions.add(
                    rename(body)
                            ? function.toBuilder()
                                    .clearNodeDef()
                                    .addAllNodeDef(body.nodes())
                                    .build()
                            : function);
        }
        return new PipelineGraph(graph.nodes(), functions, pipeline.root(), pipeline.versions());
    }

    private boolean rename(Scope scope) {
        boolean any = false;
        for (NodeDef node : scope.nodes()) {
            if (node.getOp().equals("ReadFile") || OpTraits.of(node).isReader()) {
                NodeDef.Builder renamed = Protos.node(scope.fresh("on_disk"), "StaticRegexReplace", node.getInput(0))
                        .putAttr("pattern", Protos.string(renaming.pattern()))
                        .putAttr("rewrite", Protos.string(renaming.rewrite()))
                        .putAttr("replace_global", Protos.bool(false));
                scope.put(node.toBuilder()
                        .setInput(0, scope.add(renamed, "output"))
                        .build());
                any = true;
            }
        }
        return any;
    }
}
