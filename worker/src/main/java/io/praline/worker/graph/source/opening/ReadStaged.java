package io.praline.worker.graph.source.opening;

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
 * will be. What a split's own reader is given tells where it begins too: a range of an object lies apart from another one.
 */
public final class ReadStaged implements Pass {
    private final Renaming renaming;

    /**
     * Names of one kind into others.
     *
     * @param pattern what they look like, as TensorFlow takes it
     * @param rewrite what each becomes
     * @param rangePattern what a name looks like with the first byte that is read of it behind a line feed
     * @param rangeRewrite what each of those becomes
     */
    public record Renaming(String pattern, String rewrite, String rangePattern, String rangeRewrite) {}

    /** The first byte behind what is none of {@link Renaming#rangePattern}. */
    private static final String FIRST_BYTE = "\\n[0-9]+$";

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
            if (opens(node)) {
                String name = node.getInput(0).equals(SplitField.PATHS.argument())
                        ? ofSplit(scope)
                        : replaced(scope, node.getInput(0), renaming.pattern(), renaming.rewrite());
                scope.put(node.toBuilder().setInput(0, name).build());
                any = true;
            }
        }
        return any;
    }

    private String ofSplit(Scope scope) {
        String from = scope.add(
                Protos.node(scope.fresh("first_byte"), "AsString", SplitField.FROM.argument())
                        .putAttr("T", Protos.type(SplitField.FROM.dtype())),
                "output");
        String both = scope.add(
                Protos.node(scope.fresh("from_byte"), "StringJoin", SplitField.PATHS.argument(), from)
                        .putAttr("N", Protos.number(2))
                        .putAttr("separator", Protos.string("\n")),
                "output");
        String renamed = replaced(scope, both, renaming.rangePattern(), renaming.rangeRewrite());
        return replaced(scope, renamed, FIRST_BYTE, "");
    }

    private static String replaced(Scope scope, String name, String pattern, String rewrite) {
        return scope.add(
                Protos.node(scope.fresh("on_disk"), "StaticRegexReplace", name)
                        .putAttr("pattern", Protos.string(pattern))
                        .putAttr("rewrite", Protos.string(rewrite))
                        .putAttr("replace_global", Protos.bool(false)),
                "output");
    }

    private static boolean opens(NodeDef node) {
        return node.getOp().equals("ReadFile") || OpTraits.of(node).isReader();
    }

    /** How many nodes of a pipeline open files by their names. */
    public static long openings(PipelineGraph pipeline) {
        return pipeline.work().filter(ReadStaged::opens).count();
    }
}
