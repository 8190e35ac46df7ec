package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Makes chance a function of the element: a random op draws from
 *
 * <pre>
 *   key     = hash(job's seed, op's own seeds, place of the op in the pipeline, epoch)
 *   counter = (0, ticket)          the ticket in the high word, since the draw itself advances the low one
 * </pre>
 *
 * so that an element draws the same numbers on any worker, in any order, and others in the next epoch. Only where functions
 * hold the ticket of a single element; a function behind a batch draws as TensorFlow does. Shuffles take their seeds from
 * the job's seed and the epoch. Comes behind {@link TrackProvenance}.
 *
 * @param seed the job's
 * @param epoch counted from 0
 */
record DrawByElement(long seed, int epoch) implements Pass {
    /** Our random op for each of TensorFlow's that takes {@code seed} and {@code seed2}. */
    private static final Map<String, String> STATELESS = Map.of(
            "RandomUniform", "StatelessRandomUniformV2",
            "RandomUniformInt", "StatelessRandomUniformIntV2",
            "RandomStandardNormal", "StatelessRandomNormalV2",
            "TruncatedNormal", "StatelessTruncatedNormalV2");

    /** Ops that run a function on their inputs, with the place of its first argument among them. */
    private static final Map<String, Integer> CALLS = Map.of(
            "PartitionedCall", 0,
            "StatefulPartitionedCall", 0,
            "If", 1,
            "StatelessIf", 1,
            "Case", 1,
            "StatelessCase", 1);

    private static final Set<String> SEEDED_SHUFFLES = Set.of("ShuffleDataset", "ShuffleDatasetV3");

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Drawing drawing = new Drawing(new LinkedHashMap<>(pipeline.functions()));
        Scope scope = pipeline.scope();
        drawing.datasets(scope);
        return new PipelineGraph(scope.nodes(), drawing.functions.values(), pipeline.root(), pipeline.versions());
    }

    /** Four numbers as one that is far from that of any neighbours. */
    private long hash(long a, long b, long place, boolean perEpoch) {
        long state = mix(seed);
        state = mix(state ^ a);
        state = mix(state ^ b);
        state = mix(state ^ place);
        return perEpoch ? mix(state ^ epoch) : state;
    }

    /** The finaliser of SplitMix64, with its increment, so that 0 is moved too. */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private final class Drawing {
        private final Map<String, FunctionDef> functions;
        private final Map<String, String> calledWithTicket = new HashMap<>();
        private final Map<String, Boolean> drawing = new HashMap<>();
        private long place;

        Drawing(Map<String, FunctionDef> functions) {
            this.functions = functions;
        }

        /** All dataset nodes of a level, and those in the functions they call. */
        void datasets(Scope scope) {
            for (NodeDef node : scope.nodes()) {
                if (SEEDED_SHUFFLES.contains(node.getOp())) {
                    reseed(scope, node);
                } else if (DatasetOps.isDataset(node)) {
                    PipelineGraph.functionsOf(node)
                            .filter(functions::containsKey)
                            .forEach(name -> inFunction(name, node));
                }
            }
        }

        private void inFunction(String name, NodeDef caller) {
            FunctionDef function = functions.get(name);
            boolean holdsTicket = function.getSignature().getInputArgList().stream()
                    .anyMatch(argument -> argument.getName().equals(TrackProvenance.TICKET));
            if (holdsTicket) {
                if (isSingle(caller) && draws(name)) {
                    functions.put(name, drawn(function));
                }
                return;
            }
            boolean datasets = function.getNodeDefList().stream().anyMatch(DatasetOps::isDataset);
            if (datasets) {
                Scope body = Scope.ofFunction(function);
                datasets(body);
                functions.put(
                        name,
                        function.toBuilder()
                                .clearNodeDef()
                                .addAllNodeDef(body.nodes())
                                .build());
            }
        }

        /** Whether the ticket of what a dataset yields is that of one element, and no batch of them. */
        private boolean isSingle(NodeDef dataset) {
            List<ElementComponent> components = DatasetOps.components(dataset);
            ElementComponent ticket = components.get(components.size() - 1);
            return ticket.rankKnown() && ticket.shape().isEmpty();
        }

        private void reseed(Scope scope, NodeDef shuffle) {
            Optional<Long> first = Constants.integer(scope, shuffle.getInput(2));
            Optional<Long> second = Constants.integer(scope, shuffle.getInput(3));
            if (first.isEmpty() || second.isEmpty()) {
                return;
            }
            boolean perEpoch = shuffle.getAttrOrDefault("reshuffle_each_iteration", AttrValue.getDefaultInstance())
                    .getB();
            // 0 and 0 would mean: no seed
            long low = hash(first.get(), second.get(), ++place, perEpoch) | 1;
            long high = mix(low);
            scope.put(shuffle.toBuilder()
                    .setInput(2, scope.constant("seed", Protos.int64(low)))
                    .setInput(3, scope.constant("seed2", Protos.int64(high)))
                    .build());
        }

        private boolean draws(String name) {
            Boolean known = drawing.get(name);
            if (known == null) {
                drawing.put(name, false);
                known = functions.get(name).getNodeDefList().stream().anyMatch(this::draws);
                drawing.put(name, known);
            }
            return known;
        }

        private boolean draws(NodeDef node) {
            return STATELESS.containsKey(node.getOp())
                    || (CALLS.containsKey(node.getOp())
                            && PipelineGraph.functionsOf(node)
                                    .filter(functions::containsKey)
                                    .anyMatch(this::draws));
        }

        /** A function that holds the ticket, with its draws made by it. */
        private FunctionDef drawn(FunctionDef function) {
            FunctionDef.Builder drawn = function.toBuilder().clearNodeDef();
            drawn.addNodeDef(Protos.constant("praline_zero", Protos.uint64(0)))
                    .addNodeDef(Protos.node("praline_element", "Cast", TrackProvenance.TICKET)
                            .putAttr("SrcT", Protos.type(DataType.DT_INT64))
                            .putAttr("DstT", Protos.type(DataType.DT_UINT64)))
                    .addNodeDef(Protos.node("praline_counter", "Pack", "praline_zero:output:0", "praline_element:y:0")
                            .putAttr("N", Protos.number(2))
                            .putAttr("axis", Protos.number(0))
                            .putAttr("T", Protos.type(DataType.DT_UINT64)))
                    .addNodeDef(Protos.constant("praline_philox", Protos.int32(1)));
            for (NodeDef node : function.getNodeDefList()) {
                if (STATELESS.containsKey(node.getOp())) {
                    draw(drawn, node);
                } else if (draws(node)) {
                    drawn.addNodeDef(called(node));
                } else {
                    drawn.addNodeDef(node);
                }
            }
            return drawn.build();
        }

        private void draw(FunctionDef.Builder function, NodeDef node) {
            long key = hash(attribute(node, "seed"), attribute(node, "seed2"), ++place, true);
            String keyName = "praline_key_" + place;
            function.addNodeDef(Protos.constant(keyName, Protos.uint64s(key)));
            List<String> inputs = node.getInputList();
            NodeDef.Builder draw = Protos.node(
                    node.getName(),
                    STATELESS.get(node.getOp()),
                    inputs.get(0),
                    keyName + ":output:0",
                    "praline_counter:output:0",
                    "praline_philox:output:0");
            draw.addAllInput(inputs.subList(1, inputs.size()));
            draw.putAttr("Tshape", node.getAttrOrThrow("T"));
            draw.putAttr("dtype", node.getAttrOrThrow(node.containsAttr("Tout") ? "Tout" : "dtype"));
            function.addNodeDef(draw);
        }

        private long attribute(NodeDef node, String key) {
            return node.getAttrOrDefault(key, AttrValue.getDefaultInstance()).getI();
        }

        /** A call of functions that draw, given the ticket as one more argument. */
        private NodeDef called(NodeDef call) {
            int first = CALLS.get(call.getOp());
            int arguments = call.getAttrOrThrow("Tin").getList().getTypeCount();
            NodeDef.Builder changed = call.toBuilder().clearInput();
            List<String> inputs = new ArrayList<>(call.getInputList());
            inputs.add(first + arguments, TrackProvenance.TICKET);
            changed.addAllInput(inputs);
            AttrValue.Builder types = call.getAttrOrThrow("Tin").toBuilder();
            types.getListBuilder().addType(DataType.DT_INT64);
            changed.putAttr("Tin", types.build());
            call.getAttrMap().forEach((key, value) -> {
                if (value.hasFunc()) {
                    changed.putAttr(
                            key,
                            AttrValue.newBuilder()
                                    .setFunc(withTicket(value.getFunc()))
                                    .build());
                } else if (value.getList().getFuncCount() > 0) {
                    AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
                    value.getList().getFuncList().forEach(function -> list.addFunc(withTicket(function)));
                    changed.putAttr(key, AttrValue.newBuilder().setList(list).build());
                }
            });
            return changed.build();
        }

        private NameAttrList withTicket(NameAttrList called) {
            String known = calledWithTicket.get(called.getName());
            if (known == null) {
                FunctionDef function = functions.get(called.getName());
                known = called.getName() + "_drawn";
                FunctionDef.Builder widened = function.toBuilder().clearResourceArgUniqueId();
                OpDef.Builder signature = widened.getSignatureBuilder().setName(known);
                signature.addInputArg(Protos.arg(TrackProvenance.TICKET, DataType.DT_INT64));
                calledWithTicket.put(called.getName(), known);
                functions.put(known, draws(called.getName()) ? drawn(widened.build()) : widened.build());
            }
            return called.toBuilder().setName(known).build();
        }
    }
}
