package io.praline.worker.graph.source.opening;

import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Opens relative names within the folder that {@link RelativeNames} put at the nodes that open files. All else in the graph sees
 * names as they were written. Comes when the readers are where they will be.
 */
public final class OpenWithin implements Pass {
    /** Neither from the root on nor an address. */
    private static final String RELATIVE = "(?s)^([^/:](?:[^:]|:[^/:]|:/[^/:])*:?)$";

    /** Without a folder; what such a pattern matches has this one in front. */
    private static final String BARE = "(?s)^([^/]+)$";

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope graph = pipeline.scope();
        boolean any = within(graph, new HashMap<>());
        List<FunctionDef> functions = new ArrayList<>();
        for (FunctionDef function : pipeline.functions().values()) {
            Scope body = Scope.ofFunction(function);
            Map<String, String> results = new HashMap<>(function.getRetMap());
            boolean changed = within(body, results);
            any |= changed;
            functions.add(
                    changed
                            ? function.toBuilder()
                                    .clearNodeDef()
                                    .addAllNodeDef(body.nodes())
                                    .putAllRet(results)
                                    .build()
                            : function);
        }
        return any ? new PipelineGraph(graph.nodes(), functions, pipeline.root(), pipeline.versions()) : pipeline;
    }

    /**
     * Whether anything was changed.
     *
     * @param results of the function; those that a pattern matches become others
     */
    private static boolean within(Scope scope, Map<String, String> results) {
        List<NodeDef> opening = new ArrayList<>();
        for (NodeDef node : scope.nodes()) {
            if (RelativeNames.directory(node).isPresent()
                    && RelativeNames.nameInput(node).isPresent()) {
                opening.add(node);
            }
        }
        for (NodeDef node : opening) {
            String directory = RelativeNames.directory(node).orElseThrow();
            int input = RelativeNames.nameInput(node).orElseThrow();
            boolean matches = node.getOp().equals("MatchingFiles");
            String given = matches ? replaced(scope, node.getInput(input), BARE, "./\\1") : node.getInput(input);
            String whole = replaced(scope, given, RELATIVE, directory.replace("\\", "\\\\") + "/\\1");
            scope.put(node.toBuilder().setInput(input, whole).build());
            if (matches) {
                String found = scope.output(node.getName(), "filenames");
                String hidden = "^\\Q" + directory.replace("\\E", "\\E\\\\E\\Q") + "/\\E";
                String named = scope.output(scope.fresh("found"), "output");
                scope.redirect(node.getName(), named);
                results.replaceAll((result, ref) -> ref.equals(found) ? named : ref);
                scope.put(regex(Scope.nodeOf(named), found, hidden, ""));
            }
        }
        return !opening.isEmpty();
    }

    private static String replaced(Scope scope, String name, String pattern, String rewrite) {
        NodeDef node = regex(scope.fresh("within"), name, pattern, rewrite);
        return scope.add(node.toBuilder(), "output");
    }

    private static NodeDef regex(String name, String input, String pattern, String rewrite) {
        return Protos.node(name, "StaticRegexReplace", input)
                .putAttr("pattern", Protos.string(pattern))
                .putAttr("rewrite", Protos.string(rewrite))
                .putAttr("replace_global", Protos.bool(false))
                .build();
    }
}
