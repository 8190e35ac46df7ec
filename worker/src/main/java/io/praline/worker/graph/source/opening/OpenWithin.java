package io.praline.worker.graph.source.opening;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Opens relative names within the folder that {@link RelativeNames} put at the nodes that open files. All else in the graph sees
 * names as they were written, and what a relative pattern matches as that pattern would have it. Comes when the readers are where
 * they will be.
 */
public final class OpenWithin implements Pass {
    /** Neither from the root on nor an address. */
    private static final String RELATIVE = "(?s)^([^/:](?:[^:]|:[^/:]|:/[^/:])*:?)$";

    /** Without a folder; what such a pattern matches has this one in front. */
    private static final String BARE = "(?s)^([^/]+)$";

    /** Between the folder and a pattern: what an absolute pattern matches in the same folder has no such thing in it. */
    private static final String HERE = "/././";

    /** Begins the names of functions that make names of what a pattern matches. */
    private static final String FOUND = "praline_found_";

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope graph = pipeline.scope();
        Map<String, String> root = new HashMap<>(Map.of("", pipeline.root()));
        Map<String, FunctionDef> found = new LinkedHashMap<>();
        boolean any = within(graph, root, found);
        List<FunctionDef> functions = new ArrayList<>();
        for (FunctionDef function : pipeline.functions().values()) {
            Scope body = Scope.ofFunction(function);
            Map<String, String> results = new HashMap<>(function.getRetMap());
            boolean changed = within(body, results, found);
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
        functions.addAll(found.values());
        return any ? new PipelineGraph(graph.nodes(), functions, root.get(""), pipeline.versions()) : pipeline;
    }

    /**
     * Whether anything was changed.
     *
     * @param results of the function; those that a pattern matches become others
     * @param found gets the functions that datasets of them run, by folders
     */
    private static boolean within(Scope scope, Map<String, String> results, Map<String, FunctionDef> found) {
        List<String> opening = new ArrayList<>();
        for (NodeDef node : scope.nodes()) {
            if (RelativeNames.directory(node).isPresent()
                    && RelativeNames.nameInput(node).isPresent()) {
                opening.add(node.getName());
            }
        }
        for (String name : opening) {
            NodeDef node = scope.node(name);
            String directory = RelativeNames.directory(node).orElseThrow();
            int input = RelativeNames.nameInput(node).orElseThrow();
            boolean matches = RelativeNames.matches(node);
            String given = matches ? replaced(scope, node.getInput(input), BARE, "./\\1") : node.getInput(input);
            String folder = directory.replace("\\", "\\\\") + (matches ? HERE : "/");
            String whole = replaced(scope, given, RELATIVE, folder + "\\1");
            scope.put(node.toBuilder().setInput(input, whole).build());
            if (matches) {
                NodeDef named = DatasetOps.isDataset(node)
                        ? mapped(scope, node, found.computeIfAbsent(directory, each -> shown(each, found.size())))
                        : regex(scope.fresh("found"), scope.output(node.getName(), "filenames"), hidden(directory), "");
                String output = scope.output(named.getName(), DatasetOps.isDataset(node) ? "handle" : "output");
                scope.redirect(node.getName(), output);
                results.replaceAll((result, ref) -> Scope.nodeOf(ref).equals(node.getName()) ? output : ref);
                scope.put(named);
            }
        }
        return !opening.isEmpty();
    }

    /** A dataset of files that match with their names as the pattern has them. */
    private static NodeDef mapped(Scope scope, NodeDef matching, FunctionDef shown) {
        NodeDef.Builder map = Protos.node(
                        scope.fresh("found"), "MapDataset", scope.output(matching.getName(), "handle"))
                .putAttr("f", Protos.function(shown.getSignature().getName()))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("use_inter_op_parallelism", Protos.bool(true))
                .putAttr("preserve_cardinality", Protos.bool(true));
        DatasetOps.setComponents(map, "output_types", DatasetOps.components(matching));
        return map.build();
    }

    private static FunctionDef shown(String directory, int number) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(FOUND + number)
                .addInputArg(Protos.arg("path", DataType.DT_STRING))
                .addOutputArg(Protos.arg("name", DataType.DT_STRING));
        return function.addNodeDef(regex("shown", "path", hidden(directory), ""))
                .putRet("name", "shown:output:0")
                .build();
    }

    /** What is in front of a relative pattern. */
    private static String hidden(String directory) {
        return "^\\Q" + directory.replace("\\E", "\\E\\\\E\\Q") + HERE + "\\E";
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
