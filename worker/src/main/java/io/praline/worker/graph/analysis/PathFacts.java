package io.praline.worker.graph.analysis;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * What the transformations behind the sources mean for accounting.
 *
 * @param drops where elements may be left out behind the birth of tickets, from the sources on
 * @param batched whether elements are batches at the end, as far as the ops tell
 */
record PathFacts(List<Drop> drops, boolean batched) {
    PathFacts {
        drops = List.copyOf(drops);
    }

    /** @param names of transformations, by the names of their nodes */
    static PathFacts of(PipelineGraph pipeline, Sources sources, Map<String, String> names) {
        Survey survey = new Survey(pipeline.functions(), names);
        Map<String, FoundSource.How> read =
                sources.found().stream().collect(Collectors.toMap(FoundSource::node, FoundSource::how));
        Scope scope = pipeline.scope();
        for (NodeDef node : sources.path()) {
            FoundSource.How how = read.get(node.getName());
            if (how == null && !sources.inside().contains(node.getName())) {
                survey.node(node, scope);
                survey.functions(node, Drop.Where.GROUP);
            } else if (how == FoundSource.How.FUNCTION) {
                survey.functions(node, Drop.Where.FILE);
            }
        }
        return new PathFacts(survey.drops, survey.unknown || survey.depth > 0);
    }

    private static final class Survey {
        private final Map<String, FunctionDef> functions;
        private final Map<String, String> names;
        private final List<Drop> drops = new ArrayList<>();
        private boolean unknown;
        private int depth;

        Survey(Map<String, FunctionDef> functions, Map<String, String> names) {
            this.functions = functions;
            this.names = names;
        }

        void node(NodeDef node, Scope scope) {
            transformation(node, node, scope, Drop.Where.PATH);
            switch (OpTraits.of(node).family()) {
                case BATCH, PADDED_BATCH -> depth++;
                case UNBATCH -> depth--;
                case GROUP, WINDOW, INTERLEAVE, PARSE, SPARSE_BATCH -> unknown = true;
                default -> {}
            }
        }

        /** The datasets inside the functions that a dataset calls: of each file, of each window. */
        void functions(NodeDef node, Drop.Where where) {
            for (String name : PipelineGraph.reachedFunctions(List.of(node), functions)) {
                Scope body = Scope.ofFunction(functions.get(name));
                for (NodeDef inner : body.nodes()) {
                    if (DatasetOps.isDataset(inner)) {
                        transformation(node, inner, body, where);
                    }
                }
            }
        }

        private void transformation(NodeDef caller, NodeDef node, Scope scope, Drop.Where where) {
            OpTraits traits = OpTraits.of(node);
            boolean drops =
                    switch (traits.drops()) {
                        case PREDICATE, ERRORS, CHANCE, POSITION -> true;
                        case REMAINDER -> DatasetOps.dropsRemainder(node, scope).orElse(false);
                        case NOTHING -> false;
                    };
            if (drops) {
                this.drops.add(new Drop(
                        names.getOrDefault(caller.getName(), caller.getName()), node.getOp(), traits.drops(), where));
            }
        }
    }
}
