package io.praline.worker.graph.chance;

import io.praline.worker.graph.CanonicalForm;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;

/**
 * Writes at every place of chance where in the user's program it stands, before anything is rewritten: the path of calls from
 * the dataset node through the functions to the op, each by its place in the canonical form. A function that draws and is
 * called from two places becomes two, since each call draws numbers of its own; what two processes wrote down of one program
 * draws the same. A place that has its stamp keeps it: in another order of the same steps the same is drawn.
 *
 * <p>What stands upstream of a {@code cache} is marked as drawn once for all epochs: the user's cache would keep it.
 */
public final class StampDraws implements Pass {
    /** The attribute with the place, and 1 where each epoch draws anew. TensorFlow passes over names with an underscore. */
    private static final String STAMP = "_praline_draw";

    /**
     * Where a place of chance stands.
     *
     * @param place a hash of the path of calls
     * @param perEpoch whether each epoch draws anew
     */
    record Stamp(long place, boolean perEpoch) {}

    /** The stamp of a node; empty where nothing is drawn. */
    static Optional<Stamp> of(NodeDef node) {
        if (!node.containsAttr(STAMP)) {
            return Optional.empty();
        }
        List<Long> stamp = node.getAttrOrThrow(STAMP).getList().getIList();
        return Optional.of(new Stamp(stamp.get(0), stamp.get(1) == 1));
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Stamping stamping = new Stamping(pipeline);
        Set<String> everyEpoch = withoutCrossingACache(pipeline);
        Scope scope = pipeline.scope();
        for (NodeDef node : scope.nodes()) {
            scope.put(stamping.stamped("", node, 0, everyEpoch.contains(node.getName())));
        }
        return new PipelineGraph(scope.nodes(), stamping.functions.values(), pipeline.root(), pipeline.versions());
    }

    private static Set<String> withoutCrossingACache(PipelineGraph pipeline) {
        Set<String> reached = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(Scope.nodeOf(pipeline.root())));
        while (!open.isEmpty()) {
            NodeDef node = pipeline.nodes().get(open.pop());
            if (reached.add(node.getName()) && !OpTraits.of(node).isCache()) {
                node.getInputList().forEach(input -> open.push(Scope.nodeOf(input)));
            }
        }
        return reached;
    }

    /** The work on one pipeline. */
    private static final class Stamping {
        private final Map<String, Map<String, String>> places;
        private final Map<String, FunctionDef> functions;
        private final Map<String, Boolean> drawing = new HashMap<>();

        Stamping(PipelineGraph pipeline) {
            this.places = new CanonicalForm(pipeline).places();
            this.functions = new LinkedHashMap<>(pipeline.functions());
        }

        /** A node with its stamp, calling functions that are stamped for this call. */
        private NodeDef stamped(String within, NodeDef node, long path, boolean perEpoch) {
            String name = places.getOrDefault(within, Map.of()).getOrDefault(node.getName(), node.getName());
            long place = DrawKeys.along(path, name);
            NodeDef.Builder stamped = node.toBuilder();
            if (Chance.isDrawn(node) && of(node).isEmpty()) {
                stamped.putAttr(STAMP, stamp(place, perEpoch));
            }
            node.getAttrMap().forEach((key, value) -> {
                long called = DrawKeys.along(place, key);
                if (value.hasFunc()) {
                    stamped.putAttr(
                            key,
                            AttrValue.newBuilder()
                                    .setFunc(stamped(value.getFunc(), called, perEpoch))
                                    .build());
                } else if (value.getList().getFuncCount() > 0) {
                    AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
                    for (NameAttrList one : value.getList().getFuncList()) {
                        long branch = DrawKeys.along(called, Integer.toString(list.getFuncCount()));
                        list.addFunc(stamped(one, branch, perEpoch));
                    }
                    stamped.putAttr(key, AttrValue.newBuilder().setList(list).build());
                }
            });
            if (functions.containsKey(node.getOp())) {
                stamped.setOp(stamped(node.getOp(), place, perEpoch));
            }
            return stamped.build();
        }

        private NameAttrList stamped(NameAttrList called, long path, boolean perEpoch) {
            return called.toBuilder()
                    .setName(stamped(called.getName(), path, perEpoch))
                    .build();
        }

        private String stamped(String name, long path, boolean perEpoch) {
            FunctionDef function = functions.get(name);
            if (function == null || !draws(name)) {
                return name;
            }
            String copy = name + "_at_" + Long.toHexString(path);
            FunctionDef.Builder stamped = function.toBuilder().clearNodeDef();
            stamped.getSignatureBuilder().setName(copy);
            for (NodeDef node : function.getNodeDefList()) {
                stamped.addNodeDef(stamped(name, node, path, perEpoch));
            }
            functions.put(copy, stamped.build());
            return copy;
        }

        private boolean draws(String name) {
            Boolean known = drawing.get(name);
            if (known == null) {
                drawing.put(name, false);
                known = functions.get(name).getNodeDefList().stream()
                        .anyMatch(node -> Chance.isDrawn(node)
                                || PipelineGraph.functionsOf(node)
                                        .anyMatch(called -> functions.containsKey(called) && draws(called)));
                drawing.put(name, known);
            }
            return known;
        }

        private static AttrValue stamp(long place, boolean perEpoch) {
            return AttrValue.newBuilder()
                    .setList(AttrValue.ListValue.newBuilder().addI(place).addI(perEpoch ? 1 : 0))
                    .build();
        }
    }
}
