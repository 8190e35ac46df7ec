package io.praline.worker.graph.ordering;

import com.google.protobuf.ByteString;
import io.praline.topics.Agreements;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.InlineCalls;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.analysis.Transformations;
import io.praline.worker.graph.chance.StampDraws;
import io.praline.worker.graph.ordering.SplitPipeline.Link;
import io.praline.worker.graph.ordering.function.Body;
import io.praline.worker.graph.ordering.function.Effects;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.Sources;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetMetadata;

/**
 * Cuts each map between the sources and the root into maps of one step, but for those that the user pinned, and those of
 * batches: what they make of a batch as a whole would not be seen any more.
 */
public final class SplitMaps {
    private final OpInference ops;

    public SplitMaps(OpInference ops) {
        this.ops = ops;
    }

    /**
     * The pipeline by steps.
     *
     * @param written the user's, or one of whose draws are stamped already
     */
    public SplitPipeline apply(PipelineGraph written) {
        return apply(written, true);
    }

    /** The pipeline with each of its maps as one step. */
    SplitPipeline uncut(PipelineGraph written) {
        return apply(written, false);
    }

    private SplitPipeline apply(PipelineGraph written, boolean cut) {
        PipelineGraph spelt = new SpellOut().apply(written);
        Map<String, String> names = Transformations.of(spelt).names();
        PipelineGraph pipeline = InlineCalls.ofUncompiled().apply(new StampDraws().apply(spelt));
        Set<String> sources =
                Sources.of(spelt).found().stream().map(FoundSource::node).collect(Collectors.toSet());
        Work work = new Work(pipeline);
        for (NodeDef node : chain(pipeline, sources)) {
            String name = names.getOrDefault(node.getName(), node.getName());
            if (cut
                    && MapNode.isMap(node)
                    && !isPinned(name)
                    && !DatasetOps.yieldsBatches(work.scope, node.getInput(0))) {
                work.cut(new MapNode(node), name);
            } else {
                work.put(node.toBuilder(), name, name);
            }
        }
        return new SplitPipeline(
                new PipelineGraph(work.scope.nodes(), work.functions.values(), pipeline.root(), pipeline.versions()),
                work.links);
    }

    static boolean isPinned(String name) {
        return name.startsWith(Agreements.KEEP_POSITION);
    }

    /** The datasets that elements pass one after another, from the first behind the source on. */
    private static List<NodeDef> chain(PipelineGraph pipeline, Set<String> sources) {
        Scope scope = pipeline.scope();
        Deque<NodeDef> chain = new ArrayDeque<>();
        NodeDef node = scope.producer(scope.behindIdentities(pipeline.root())).orElseThrow();
        while (!sources.contains(node.getName())) {
            chain.addFirst(node);
            List<NodeDef> inputs = Scope.given(node)
                    .flatMap(input -> scope.producer(scope.behindIdentities(input)).stream())
                    .filter(DatasetOps::isDataset)
                    .toList();
            // where several meet, or one is made, elements begin
            if (inputs.size() != 1) {
                break;
            }
            node = inputs.get(0);
        }
        return List.copyOf(chain);
    }

    /** The work on one pipeline. */
    private final class Work {
        private final PipelineGraph pipeline;
        private final Scope scope;
        private final Map<String, FunctionDef> functions;
        private final List<Link> links = new ArrayList<>();

        Work(PipelineGraph pipeline) {
            this.pipeline = pipeline;
            this.scope = pipeline.scope();
            this.functions = new LinkedHashMap<>(pipeline.functions());
        }

        void cut(MapNode map, String name) {
            FunctionDef function = map.function(functions);
            List<ElementComponent> before = scope.components(map.node().getInput(0));
            Effects effects = new Effects(pipeline.functions(), ops);
            List<Pieces.Piece> pieces = pieces(function, effects, before, map);
            if (pieces.isEmpty()) {
                put(map.node().toBuilder(), name, name);
                return;
            }
            String input = map.node().getInput(0);
            for (int i = 0; i < pieces.size(); i++) {
                Pieces.Piece piece = pieces.get(i);
                String called =
                        PipelineGraph.freshName(piece.function().getSignature().getName(), functions);
                FunctionDef.Builder renamed = piece.function().toBuilder();
                renamed.getSignatureBuilder().setName(called);
                functions.put(called, renamed.build());
                NodeDef.Builder node = map.running(called, input, piece.captured());
                if (i + 1 < pieces.size()) {
                    // tickets and bad elements are looked after at every node that is not Praline's own
                    node.setName(map.node().getName() + "/piece_" + (i + 1));
                    MapNode.setYielded(node, piece.yields());
                }
                put(node, name + "." + (i + 1) + ":" + piece.word(), name);
                input = node.getName();
            }
        }

        /** None where nothing can be cut, or TensorFlow infers nothing of the function by itself. */
        private List<Pieces.Piece> pieces(
                FunctionDef function, Effects effects, List<ElementComponent> before, MapNode map) {
            try {
                Map<String, ElementComponent> types = new FunctionTypes(ops, pipeline.versions(), pipeline.functions())
                        .of(function, before, map.constants(scope));
                return new Pieces(Body.of(function, effects), effects, types, before.size()).all();
            } catch (RefusedPipeline notByItself) {
                return List.of();
            }
        }

        void put(NodeDef.Builder node, String name, String transformation) {
            scope.put(named(node, name, ops).build());
            links.add(new Link(node.getName(), name, transformation));
        }
    }

    /** A dataset node under a name that {@code describe} shows. */
    static NodeDef.Builder named(NodeDef.Builder node, String name, OpInference ops) {
        boolean takesOne = ops.op(node.getOp()).getAttrList().stream()
                .anyMatch(attribute -> attribute.getName().equals("metadata"));
        if (takesOne) {
            ByteString metadata = DatasetMetadata.Metadata.newBuilder()
                    .setName(ByteString.copyFromUtf8(name))
                    .build()
                    .toByteString();
            node.putAttr("metadata", AttrValue.newBuilder().setS(metadata).build());
        }
        return node;
    }
}
