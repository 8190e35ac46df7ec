package io.praline.worker.graph;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.Options;

/**
 * What the transformations behind the sources mean for accounting.
 *
 * @param orderPreserving whether elements of a split leave in the order in which they are read
 * @param dropRemainder whether a short last batch is dropped
 * @param filters whether elements may be rejected on the way
 * @param batched whether elements are batches at the end, as far as the ops tell
 */
record PathFacts(boolean orderPreserving, boolean dropRemainder, boolean filters, boolean batched) {

    static PathFacts of(PipelineGraph pipeline, Sources sources) {
        Survey survey = new Survey(pipeline.functions());
        Set<String> read = sources.found().stream().map(Sources.Found::node).collect(Collectors.toSet());
        Scope scope = pipeline.scope();
        for (NodeDef node : sources.path()) {
            if (sources.inside().contains(node.getName())) {
                continue;
            }
            if (!read.contains(node.getName())) {
                survey.node(node, scope);
            }
            survey.functions(node);
        }
        return new PathFacts(
                survey.orderPreserving, survey.dropRemainder, survey.filters, survey.unknown || survey.depth > 0);
    }

    private static final class Survey {
        private final Map<String, FunctionDef> functions;
        private boolean orderPreserving = true;
        private boolean dropRemainder;
        private boolean filters;
        private boolean unknown;
        private int depth;

        Survey(Map<String, FunctionDef> functions) {
            this.functions = functions;
        }

        void node(NodeDef node, Scope scope) {
            transformation(node, scope);
            switch (OpTraits.of(node).family()) {
                case BATCH, PADDED_BATCH -> depth++;
                case UNBATCH -> depth--;
                case GROUP, WINDOW, INTERLEAVE, PARSE, SPARSE_BATCH -> unknown = true;
                default -> {}
            }
        }

        /** The datasets inside the functions that a dataset calls: of each file, of each window. */
        void functions(NodeDef node) {
            for (String name : PipelineGraph.reachedFunctions(List.of(node), functions)) {
                Scope body = Scope.ofFunction(functions.get(name));
                for (NodeDef inner : body.nodes()) {
                    if (DatasetOps.isDataset(inner)) {
                        transformation(inner, body);
                        filters |= OpTraits.of(inner).drops() == OpTraits.Drops.POSITION;
                    }
                }
            }
        }

        private void transformation(NodeDef node, Scope scope) {
            OpTraits traits = OpTraits.of(node);
            orderPreserving &= traits.keepsOrder() && !reorders(node);
            filters |= switch (traits.drops()) {
                case PREDICATE, ERRORS, CHANCE -> true;
                case NOTHING, POSITION, REMAINDER -> false;
            };
            dropRemainder |= DatasetOps.dropsRemainder(node, scope).orElse(false);
        }

        /** Whether a node may yield its elements in another order at another time. */
        boolean reorders(NodeDef node) {
            String deterministic = node.getAttrOrDefault("deterministic", AttrValue.getDefaultInstance())
                    .getS()
                    .toStringUtf8();
            boolean sloppy = node.getAttrOrDefault("sloppy", AttrValue.getDefaultInstance())
                    .getB();
            return deterministic.equals("false")
                    || sloppy
                    || (node.getOp().equals("OptionsDataset") && unordered(node));
        }

        private static boolean unordered(NodeDef options) {
            try {
                Options parsed = Options.parseFrom(
                        options.getAttrOrThrow("serialized_options").getS());
                return parsed.getOptionalDeterministicCase() == Options.OptionalDeterministicCase.DETERMINISTIC
                        && !parsed.getDeterministic();
            } catch (InvalidProtocolBufferException unreadable) {
                return true;
            }
        }
    }
}
