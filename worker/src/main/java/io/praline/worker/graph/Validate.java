package io.praline.worker.graph;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Refuses what cannot run here, naming the transformation it is in. Changes nothing. */
record Validate(OpCatalogue ops) implements Pass {
    private static final Set<String> PYTHON = Set.of("PyFunc", "PyFuncStateless", "EagerPyFunc");

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        for (NodeDef node : pipeline.nodes().values()) {
            check(node, transformation(node), pipeline.functions(), new HashSet<>());
            requireContent(node, scope, pipeline.functions());
        }
        NodeDef root = pipeline.nodes().get(Scope.nodeOf(pipeline.root()));
        if (!DatasetOps.isDataset(root) && !root.getOp().equals("Identity")) {
            throw new RefusedPipeline("the pipeline must return a dataset, it returns the output of " + root.getName()
                    + " (" + root.getOp() + ")");
        }
        List<ElementComponent> components = pipeline.components();
        for (int i = 0; i < components.size(); i++) {
            DataType dtype = components.get(i).dtype();
            if (dtype == DataType.DT_VARIANT || dtype == DataType.DT_RESOURCE) {
                throw new RefusedPipeline(
                        "component " + i + " of the pipeline's elements is ragged, sparse or a dataset"
                                + " (" + components.get(i).dtypeName() + "): only dense tensors can be delivered,"
                                + " use to_tensor, to_dense or flat_map in " + transformation(root));
            }
            if (Carrier.of(dtype).isEmpty()) {
                throw new RefusedPipeline("component " + i + " of the pipeline's elements is "
                        + components.get(i).dtypeName() + ", which cannot be delivered: cast it in "
                        + transformation(root));
            }
        }
        return pipeline;
    }

    /** Of some resources, such as a DenseHashTable, the graph holds a handle only, which says nothing in another process. */
    private static void requireContent(NodeDef node, Scope scope, Map<String, FunctionDef> functions) {
        boolean callsFunction = PipelineGraph.functionsOf(node).anyMatch(functions::containsKey);
        boolean capturesHandle = node.getInputList().stream()
                .flatMap(input -> Constants.value(scope, input).stream())
                .anyMatch(constant -> constant.getDtype() == DataType.DT_RESOURCE);
        if (callsFunction && capturesHandle) {
            throw new RefusedPipeline(transformation(node)
                    + " uses a table or another resource of the Python process, whose content is not in the graph: use"
                    + " tf.lookup.StaticHashTable or a constant");
        }
    }

    private void check(NodeDef node, String within, Map<String, FunctionDef> functions, Set<String> seen) {
        if (PYTHON.contains(node.getOp())) {
            throw new RefusedPipeline(
                    within + " calls Python code (" + node.getOp() + " in node " + node.getName()
                            + "): it does not travel with the graph and cannot run here; write it with TensorFlow's operations");
        }
        if (!functions.containsKey(node.getOp()) && !ops.holds(node.getOp())) {
            throw new RefusedPipeline(within + " uses the operation " + node.getOp() + " (node " + node.getName()
                    + "), which TensorFlow " + ops.version() + " does not have; use another");
        }
        PipelineGraph.functionsOf(node)
                .map(name -> Optional.ofNullable(functions.get(name)))
                .flatMap(Optional::stream)
                .filter(function -> seen.add(function.getSignature().getName()))
                .flatMap(function -> function.getNodeDefList().stream())
                .forEach(inner -> check(inner, within, functions, seen));
    }

    private static String transformation(NodeDef node) {
        return DatasetOps.userName(node)
                .map(name -> "the transformation " + name)
                .orElseGet(() -> "the transformation " + DatasetOps.word(node.getOp()));
    }
}
