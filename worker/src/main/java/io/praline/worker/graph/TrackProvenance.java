package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import io.praline.identity.Ticket;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Gives every element its ticket, as one more component at the end: an int64 for a single element, a vector for a batch.
 * The ticket is made where a split is opened, by a range zipped to the records, and carried on by widening the functions on
 * the way. Comes behind {@link BindSplits}.
 *
 * @param reportDrops whether filters put the tickets they drop into the side queue {@link #DROPS}
 */
record TrackProvenance(boolean reportDrops) implements Pass {
    /** The shared name of the queue of dropped tickets. */
    static final String DROPS = "praline_drops";

    /** The argument and the result of a widened function that hold the ticket. */
    static final String TICKET = "praline_ticket";

    /** The node in the function that opens a split that yields the ticket of its first record. */
    private static final String BASE = "praline_base";

    /** @throws Untrackable if a transformation on the way cannot carry tickets */
    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Widening widening = new Widening(reportDrops, new LinkedHashMap<>(pipeline.functions()));
        Scope scope = pipeline.scope();
        Widened root = widening.widen(scope, pipeline.root());
        return new PipelineGraph(scope.nodes(), widening.functions.values(), root.ref, pipeline.versions());
    }

    static NodeDef.Builder dropsQueue(String name) {
        return Protos.node(name, "FIFOQueueV2")
                .putAttr("component_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("shapes", Protos.shapes(List.of(Protos.SCALAR)))
                .putAttr("capacity", Protos.number(-1))
                .putAttr("shared_name", Protos.string(DROPS))
                .putAttr("container", Protos.string(""));
    }

    /**
     * A dataset that carries tickets.
     *
     * @param ref its output
     * @param ticket what its last component looks like
     */
    private record Widened(String ref, ElementComponent ticket) {}

    private static ElementComponent ticket(List<Long> shape) {
        return new ElementComponent(DataType.DT_INT64, true, shape);
    }

    /** The work on one pipeline. */
    private static final class Widening {
        private final boolean reportDrops;
        private final Map<String, FunctionDef> functions;
        private final IdentityHashMap<Scope, Widened> windows = new IdentityHashMap<>();
        private final IdentityHashMap<Scope, String> choosing = new IdentityHashMap<>();

        Widening(boolean reportDrops, Map<String, FunctionDef> functions) {
            this.reportDrops = reportDrops;
            this.functions = functions;
        }

        Widened widen(Scope scope, String ref) {
            Widened widened = node(scope, ref);
            boolean chooses = Scope.nodeOf(ref).equals(choosing.get(scope));
            return chooses ? wantedOnes(scope, Scope.nodeOf(ref), widened) : widened;
        }

        private Widened node(Scope scope, String ref) {
            Optional<NodeDef> producer = scope.producer(ref);
            if (producer.isEmpty()) {
                return Optional.ofNullable(windows.get(scope))
                        .filter(window -> window.ref.equals(ref))
                        .orElseThrow(() -> new Untrackable("a function yields its argument " + ref
                                + ", which elements cannot be followed through"));
            }
            NodeDef node = producer.get();
            String op = node.getOp();
            OpTraits.Family family = OpTraits.of(op).family();
            if (node.getName().equals(BindSplits.RECORDS) && scope.isFunction()) {
                return records(scope, ref);
            }
            if (BindSplits.isSource(node)) {
                return source(scope, node);
            }
            if (family == OpTraits.Family.MAP) {
                return map(scope, node);
            }
            if (family == OpTraits.Family.FILTER || family == OpTraits.Family.TAKE_WHILE) {
                return filter(scope, node);
            }
            if (family == OpTraits.Family.BATCH) {
                return batch(scope, node);
            }
            if (family == OpTraits.Family.PADDED_BATCH) {
                return paddedBatch(scope, node);
            }
            if (family == OpTraits.Family.UNBATCH) {
                return unbatch(scope, node);
            }
            if (family == OpTraits.Family.ZIP) {
                return zip(scope, node);
            }
            if (family == OpTraits.Family.CONCATENATE) {
                return several(scope, node, 0);
            }
            if (family == OpTraits.Family.CHOOSE) {
                return several(scope, node, 1);
            }
            if (family == OpTraits.Family.GROUP) {
                return groupByWindow(scope, node);
            }
            if (passesElements(family) || op.equals("Identity")) {
                Widened input = widen(scope, node.getInput(0));
                NodeDef.Builder changed = node.toBuilder().setInput(0, input.ref);
                if (op.equals("Identity")) {
                    scope.put(changed.build());
                    return new Widened(scope.output(node.getName(), "output"), input.ticket);
                }
                return done(scope, changed, input.ticket);
            }
            throw new Untrackable(named(node) + reason(family));
        }

        /** Whether elements leave as they came, so that only the node's types grow. */
        private static boolean passesElements(OpTraits.Family family) {
            return switch (family) {
                case SHUFFLE, TRANSPARENT, TAKE, SKIP, SHARD, CACHE -> true;
                default -> false;
            };
        }

        private static String reason(OpTraits.Family family) {
            return switch (family) {
                case INTERLEAVE -> " may make several elements of one, which have no identity of their own";
                case WINDOW -> " groups elements into datasets of their own";
                case SCAN -> " carries a state from element to element, which an attempt cannot take over";
                case REPEAT -> " yields each element several times";
                default -> " is an operation that elements cannot be followed through";
            };
        }

        private static String named(NodeDef node) {
            return DatasetOps.userName(node).orElseGet(() -> DatasetOps.word(node.getOp())) + " (" + node.getOp()
                    + ", node " + node.getName() + ")";
        }

        /** Writes a dataset node back with one more component. */
        private static Widened done(Scope scope, NodeDef.Builder node, ElementComponent ticket) {
            String key = DatasetOps.typesKey(node.build());
            List<ElementComponent> components = new ArrayList<>(DatasetOps.components(node.build()));
            components.add(ticket);
            DatasetOps.setComponents(node, key, components);
            return new Widened(scope.addDataset(node), ticket);
        }

        /** A split's records, with tickets, and without those that are not wanted unless a later node leaves them out. */
        private Widened records(Scope scope, String ref) {
            List<ElementComponent> components = new ArrayList<>(scope.components(ref));
            ElementComponent single = ticket(List.of());
            components.add(single);
            String base = scope.add(
                    Protos.node(
                                    BASE,
                                    "Mul",
                                    SplitField.ORDINAL.argument(),
                                    scope.constant("span", Protos.int64(1L << Ticket.RECORD_BITS)))
                            .putAttr("T", Protos.type(DataType.DT_INT64)),
                    "z");
            String tickets = scope.addDataset(Protos.node(
                            "praline_tickets",
                            "RangeDataset",
                            base,
                            scope.constant("last", Protos.int64(Long.MAX_VALUE)),
                            scope.constant("step", Protos.int64(1)))
                    .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                    .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))));
            String all = typed(
                    scope,
                    Protos.node("praline_all", "ZipDataset", ref, tickets).putAttr("N", Protos.number(2)),
                    components);
            if (choosing.containsKey(scope)) {
                return new Widened(all, single);
            }
            String mixed = typed(
                    scope,
                    Protos.node("praline_mixed_records", "TakeDataset", all, SplitField.MIXED.argument()),
                    components);
            String wanted = typed(
                    scope,
                    Protos.node("praline_wanted_records", "FilterDataset", mixed, SplitField.WANTED.argument(), base)
                            .putAttr("predicate", Protos.function(wanted(components)))
                            .putAttr("Targuments", Protos.types(List.of(DataType.DT_STRING, DataType.DT_INT64))),
                    components);
            String rest = typed(
                    scope, Protos.node("praline_rest", "SkipDataset", all, SplitField.HIGH.argument()), components);
            return new Widened(
                    typed(scope, Protos.node("praline_tracked", "ConcatenateDataset", wanted, rest), components),
                    single);
        }

        private static String typed(Scope scope, NodeDef.Builder node, List<ElementComponent> components) {
            DatasetOps.setComponents(node, "output_types", components);
            return scope.addDataset(node);
        }

        /** Whether the byte of a record in {@link SplitField#WANTED} is 1. */
        private String wanted(List<ElementComponent> components) {
            FunctionDef.Builder function = FunctionDef.newBuilder();
            elementArguments(function, components)
                    .addOutputArg(Protos.arg("keep", DataType.DT_BOOL))
                    .setName(freshName("praline_wanted"));
            marked(function, "index:z:0").putRet("keep", "equal:z:0");
            return add(function.build());
        }

        private static OpDef.Builder elementArguments(FunctionDef.Builder function, List<ElementComponent> components) {
            OpDef.Builder signature = function.getSignatureBuilder();
            for (int i = 0; i < components.size() - 1; i++) {
                signature.addInputArg(Protos.arg("x" + i, components.get(i).dtype()));
            }
            return signature
                    .addInputArg(Protos.arg(TICKET, DataType.DT_INT64))
                    .addInputArg(Protos.arg("wanted", DataType.DT_STRING))
                    .addInputArg(Protos.arg("base", DataType.DT_INT64));
        }

        /** The node {@code index}, a record's number in its split, and {@code equal}: whether the byte at a place is 1. */
        private static FunctionDef.Builder marked(FunctionDef.Builder function, String place) {
            return function.addNodeDef(Protos.constant("one", Protos.int64(1)))
                    .addNodeDef(Protos.constant("yes", Protos.bytes(ByteString.copyFrom(new byte[] {1}))))
                    .addNodeDef(
                            Protos.node("index", "Sub", TICKET, "base").putAttr("T", Protos.type(DataType.DT_INT64)))
                    .addNodeDef(Protos.node("mark", "Substr", "wanted", place, "one:output:0")
                            .putAttr("T", Protos.type(DataType.DT_INT64))
                            .putAttr("unit", Protos.string("BYTE")))
                    .addNodeDef(Protos.node("equal", "Equal", "mark:output:0", "yes:output:0")
                            .putAttr("T", Protos.type(DataType.DT_STRING))
                            .putAttr("incompatible_shape_error", Protos.bool(true)));
        }

        /**
         * The elements of a split that are wanted, behind a node that looks at their places in it: that node needs to see
         * them all, as it did when the split was first read.
         */
        private Widened wantedOnes(Scope scope, String node, Widened all) {
            if (!all.ticket.shape().isEmpty()) {
                throw new Untrackable(
                        named(scope.node(node))
                                + " looks at the places of batches within a file, which change when some elements are read again");
            }
            List<ElementComponent> components = scope.components(all.ref);
            NodeDef.Builder filter = Protos.node(
                            "praline_wanted_ones",
                            "FilterDataset",
                            all.ref,
                            SplitField.WANTED.argument(),
                            BASE + ":z:0",
                            SplitField.HIGH.argument())
                    .putAttr("predicate", Protos.function(wantedOrBehind(components)))
                    .putAttr(
                            "Targuments",
                            Protos.types(List.of(DataType.DT_STRING, DataType.DT_INT64, DataType.DT_INT64)));
            return new Widened(typed(scope, filter, components), all.ticket);
        }

        /**
         * Whether a record lies at {@link SplitField#HIGH} or behind, or its byte in {@link SplitField#WANTED} is 1, which
         * may be as long as that or empty.
         */
        private String wantedOrBehind(List<ElementComponent> components) {
            AttrValue int64 = Protos.type(DataType.DT_INT64);
            FunctionDef.Builder function = FunctionDef.newBuilder();
            OpDef.Builder signature = elementArguments(function, components)
                    .addInputArg(Protos.arg("high", DataType.DT_INT64))
                    .addOutputArg(Protos.arg("keep", DataType.DT_BOOL));
            signature.setName(freshName("praline_wanted_or_behind"));
            marked(function, "place:z:0")
                    .addNodeDef(Protos.node("length", "StringLength", "wanted").putAttr("unit", Protos.string("BYTE")))
                    .addNodeDef(Protos.node("end", "Cast", "length:output:0")
                            .putAttr("SrcT", Protos.type(DataType.DT_INT32))
                            .putAttr("DstT", int64))
                    .addNodeDef(Protos.node("place", "Minimum", "index:z:0", "end:y:0")
                            .putAttr("T", int64))
                    .addNodeDef(Protos.node("behind", "GreaterEqual", "index:z:0", "high")
                            .putAttr("T", int64))
                    .addNodeDef(Protos.node("either", "LogicalOr", "behind:z:0", "equal:z:0"))
                    .putRet("keep", "either:z:0");
            return add(function.build());
        }

        private Widened source(Scope scope, NodeDef node) {
            String name = node.getAttrOrThrow("f").getFunc().getName();
            FunctionDef open = functions.get(name);
            String result = open.getSignature().getOutputArg(0).getName();
            Scope body = Scope.ofFunction(open);
            lastThatLooksAtPlaces(body, open.getRetOrThrow(result)).ifPresent(last -> choosing.put(body, last));
            Widened inner = widen(body, open.getRetOrThrow(result));
            functions.put(
                    name,
                    open.toBuilder()
                            .clearNodeDef()
                            .addAllNodeDef(body.nodes())
                            .putRet(result, inner.ref)
                            .build());
            return done(scope, node.toBuilder(), inner.ticket);
        }

        private Widened map(Scope scope, NodeDef node) {
            int arity = scope.components(node.getInput(0)).size();
            Widened input = widen(scope, node.getInput(0));
            FunctionDef function =
                    functions.get(node.getAttrOrThrow("f").getFunc().getName());
            FunctionDef.Builder widened = withArgument(function, arity);
            widened.getSignatureBuilder().addOutputArg(Protos.arg(TICKET, DataType.DT_INT64));
            widened.putRet(TICKET, TICKET);
            return done(
                    scope,
                    node.toBuilder()
                            .setInput(0, input.ref)
                            .putAttr("f", FunctionArguments.called(node, "f", add(widened.build()))),
                    input.ticket);
        }

        private Widened filter(Scope scope, NodeDef node) {
            int arity = scope.components(node.getInput(0)).size();
            Widened input = widen(scope, node.getInput(0));
            FunctionDef function =
                    functions.get(node.getAttrOrThrow("predicate").getFunc().getName());
            FunctionDef.Builder widened = withArgument(function, arity);
            if (reportDrops) {
                enqueueDrops(widened);
            }
            return done(
                    scope,
                    node.toBuilder()
                            .setInput(0, input.ref)
                            .putAttr("predicate", FunctionArguments.called(node, "predicate", add(widened.build()))),
                    input.ticket);
        }

        /** Puts the ticket, or the batch of them, into the side queue where the predicate says no. */
        private static void enqueueDrops(FunctionDef.Builder predicate) {
            String result = predicate.getSignature().getOutputArg(0).getName();
            String keep = predicate.getRetOrThrow(result);
            AttrValue int32 = Protos.type(DataType.DT_INT32);
            AttrValue int64 = Protos.type(DataType.DT_INT64);
            predicate
                    .addNodeDef(dropsQueue("praline_drops"))
                    .addNodeDef(Protos.node("praline_no", "LogicalNot", keep))
                    .addNodeDef(Protos.node("praline_no_number", "Cast", "praline_no:y:0")
                            .putAttr("SrcT", Protos.type(DataType.DT_BOOL))
                            .putAttr("DstT", int32))
                    .addNodeDef(Protos.constant("praline_flat", Protos.int32s(-1)))
                    .addNodeDef(Protos.constant("praline_start", Protos.int32s(0)))
                    .addNodeDef(Protos.node("praline_row", "Reshape", TICKET, "praline_flat:output:0")
                            .putAttr("T", int64)
                            .putAttr("Tshape", int32))
                    .addNodeDef(Protos.node("praline_row_shape", "Shape", "praline_row:output:0")
                            .putAttr("T", int64)
                            .putAttr("out_type", int32))
                    .addNodeDef(
                            Protos.node("praline_dropped", "Mul", "praline_row_shape:output:0", "praline_no_number:y:0")
                                    .putAttr("T", int32))
                    .addNodeDef(Protos.node(
                                    "praline_rows",
                                    "Slice",
                                    "praline_row:output:0",
                                    "praline_start:output:0",
                                    "praline_dropped:z:0")
                            .putAttr("T", int64)
                            .putAttr("Index", int32))
                    .addNodeDef(Protos.node(
                                    "praline_enqueue",
                                    "QueueEnqueueManyV2",
                                    "praline_drops:handle:0",
                                    "praline_rows:output:0")
                            .putAttr("Tcomponents", Protos.types(List.of(DataType.DT_INT64)))
                            .putAttr("timeout_ms", Protos.number(-1)))
                    .addNodeDef(Protos.node("praline_keep", "Identity", keep, "^praline_enqueue")
                            .putAttr("T", Protos.type(DataType.DT_BOOL)))
                    .putRet(result, "praline_keep:output:0");
            predicate.getSignatureBuilder().setIsStateful(true);
        }

        private Widened batch(Scope scope, NodeDef node) {
            Widened input = widen(scope, node.getInput(0));
            return done(scope, node.toBuilder().setInput(0, input.ref), stacked(node, input.ticket));
        }

        /** The ticket's shape in a batch; the leading dimension is that of the other components. */
        private static ElementComponent stacked(NodeDef batch, ElementComponent ticket) {
            ElementComponent first = DatasetOps.components(batch).get(0);
            List<Long> shape = new ArrayList<>();
            shape.add(
                    first.rankKnown() && !first.shape().isEmpty()
                            ? first.shape().get(0)
                            : -1L);
            shape.addAll(ticket.shape());
            return ticket(shape);
        }

        private Widened paddedBatch(Scope scope, NodeDef node) {
            Widened input = widen(scope, node.getInput(0));
            boolean second = node.getOp().equals("PaddedBatchDatasetV2");
            int n = scope.producer(node.getName())
                    .map(DatasetOps::components)
                    .map(List::size)
                    .orElseThrow();
            List<String> inputs = node.getInputList();
            NodeDef.Builder changed = node.toBuilder().clearInput();
            changed.addInput(input.ref).addInput(inputs.get(1)).addAllInput(inputs.subList(2, 2 + n));
            changed.addInput(scope.constant(
                    "padded_shape",
                    Protos.int64s(input.ticket.shape().stream().map(size -> -1L).toList())));
            changed.addAllInput(inputs.subList(2 + n, 2 + 2 * n));
            changed.addInput(scope.constant("padding", Protos.int64(-1)));
            if (second) {
                changed.addInput(inputs.get(2 + 2 * n));
            }
            inputs.stream().filter(each -> each.startsWith("^")).forEach(changed::addInput);
            changed.putAttr("N", Protos.number(n + 1L));
            return done(scope, changed, stacked(node, input.ticket));
        }

        private Widened unbatch(Scope scope, NodeDef node) {
            Widened input = widen(scope, node.getInput(0));
            if (input.ticket.shape().isEmpty()) {
                throw new Untrackable(
                        named(node) + " makes several elements of one record, which have no identity of their own");
            }
            List<Long> shape = input.ticket.shape();
            return done(scope, node.toBuilder().setInput(0, input.ref), ticket(shape.subList(1, shape.size())));
        }

        /** Tickets come from the one input that reads splits; behind others they are moved to the end. */
        private Widened zip(Scope scope, NodeDef node) {
            int count = (int) node.getAttrOrThrow("N").getI();
            List<Integer> tracked = new ArrayList<>();
            int before = 0;
            int arity = 0;
            for (int i = 0; i < count; i++) {
                arity += scope.components(node.getInput(i)).size();
                if (readsSplits(scope, node.getInput(i))) {
                    tracked.add(i);
                    before = arity;
                }
            }
            if (tracked.size() != 1) {
                throw new Untrackable(named(node) + " pairs " + tracked.size() + " sources");
            }
            int at = tracked.get(0);
            Widened input = widen(scope, node.getInput(at));
            if (before == arity) {
                return done(scope, node.toBuilder().setInput(at, input.ref), input.ticket);
            }
            List<ElementComponent> components = DatasetOps.components(node);
            List<ElementComponent> zipped = new ArrayList<>(components);
            zipped.add(before, input.ticket);
            NodeDef.Builder changed =
                    node.toBuilder().setName(scope.fresh("zip")).setInput(at, input.ref);
            String inner = typed(scope, changed, zipped);
            // the node's own name goes to what its consumers read
            NodeDef.Builder ordered = Protos.node(node.getName(), "MapDataset", inner)
                    .putAttr("f", Protos.function(moveToEnd(zipped, before)))
                    .putAttr("Targuments", Protos.types(List.of()))
                    .putAttr("use_inter_op_parallelism", Protos.bool(false))
                    .putAttr("preserve_cardinality", Protos.bool(true));
            DatasetOps.setComponents(ordered, "output_types", components);
            return done(scope, ordered, input.ticket);
        }

        private String moveToEnd(List<ElementComponent> components, int ticket) {
            FunctionDef.Builder function = FunctionDef.newBuilder();
            OpDef.Builder signature = function.getSignatureBuilder().setName(freshName("praline_move"));
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < components.size(); i++) {
                signature.addInputArg(Protos.arg("x" + i, components.get(i).dtype()));
                if (i != ticket) {
                    order.add(i);
                }
            }
            order.add(ticket);
            for (int i : order) {
                signature.addOutputArg(Protos.arg("y" + i, components.get(i).dtype()));
                function.putRet("y" + i, "x" + i);
            }
            return add(function.build());
        }

        private Widened several(Scope scope, NodeDef node, int from) {
            NodeDef.Builder changed = node.toBuilder();
            List<Long> shape = List.of();
            for (int i = from; i < node.getInputCount(); i++) {
                if (node.getInput(i).startsWith("^")) {
                    continue;
                }
                Widened input = widen(scope, node.getInput(i));
                if (i > from && input.ticket.shape().size() != shape.size()) {
                    throw new Untrackable(named(node) + " mixes batches with single elements");
                }
                shape = i == from || input.ticket.shape().equals(shape)
                        ? input.ticket.shape()
                        : shape.stream().map(size -> -1L).toList();
                changed.setInput(i, input.ref);
            }
            return done(scope, changed, ticket(shape));
        }

        private Widened groupByWindow(Scope scope, NodeDef node) {
            List<ElementComponent> components = scope.components(node.getInput(0));
            Widened input = widen(scope, node.getInput(0));
            FunctionDef key =
                    functions.get(node.getAttrOrThrow("key_func").getFunc().getName());
            String widenedKey = add(withArgument(key, components.size()).build());

            FunctionDef reduce =
                    functions.get(node.getAttrOrThrow("reduce_func").getFunc().getName());
            String window = reduce.getSignature().getInputArg(1).getName();
            Scope body = Scope.ofFunction(reduce, Map.of(window, components));
            // the window that the function is given carries tickets already
            windows.put(body, new Widened(window, input.ticket));
            String result = reduce.getSignature().getOutputArg(0).getName();
            Widened inner = widen(body, reduce.getRetOrThrow(result));
            FunctionDef.Builder widenedReduce = reduce.toBuilder()
                    .clearNodeDef()
                    .addAllNodeDef(body.nodes())
                    .putRet(result, inner.ref);
            widenedReduce
                    .getSignatureBuilder()
                    .setName(freshName(reduce.getSignature().getName()));
            return done(
                    scope,
                    node.toBuilder()
                            .setInput(0, input.ref)
                            .putAttr("key_func", FunctionArguments.called(node, "key_func", widenedKey))
                            .putAttr(
                                    "reduce_func",
                                    FunctionArguments.called(node, "reduce_func", add(widenedReduce.build()))),
                    inner.ticket);
        }

        /**
         * The node nearest to a split's elements whose work depends on how many records came before, such as a take or an
         * enumerate inside a file; empty where all look at one record at a time.
         */
        private Optional<String> lastThatLooksAtPlaces(Scope open, String ref) {
            Optional<String> last = Optional.empty();
            boolean takes = false;
            Optional<NodeDef> next = open.producer(ref);
            while (next.isPresent() && !next.get().getName().equals(BindSplits.RECORDS)) {
                NodeDef node = next.get();
                OpTraits traits = OpTraits.of(node);
                takes |= traits.position();
                if (takes && traits.family() == OpTraits.Family.SHUFFLE) {
                    throw new Untrackable(
                            named(node) + " mixes a file of which a part is taken: another part each time");
                }
                if (last.isEmpty() && (takes || traits.family() == OpTraits.Family.ZIP)) {
                    last = Optional.of(node.getName());
                }
                next = node.getInputList().stream()
                        .filter(input -> !input.startsWith("^") && readsSplits(open, input))
                        .findFirst()
                        .flatMap(open::producer);
            }
            return last;
        }

        private boolean readsSplits(Scope scope, String ref) {
            Optional<NodeDef> node = scope.producer(ref);
            if (node.isEmpty()) {
                return windows.containsKey(scope) && windows.get(scope).ref.equals(ref);
            }
            return BindSplits.isSource(node.get())
                    || (scope.isFunction() && node.get().getName().equals(BindSplits.RECORDS))
                    || node.get().getInputList().stream()
                            .filter(input -> !input.startsWith("^"))
                            .anyMatch(input -> readsSplits(scope, input));
        }

        /** A copy of a function with the ticket as an argument behind the element's components; captured tensors stay last. */
        private FunctionDef.Builder withArgument(FunctionDef function, int arity) {
            FunctionDef.Builder widened = FunctionArguments.inserted(function, arity, TICKET);
            widened.getSignatureBuilder()
                    .setName(freshName(function.getSignature().getName()));
            return widened;
        }

        private String add(FunctionDef function) {
            functions.put(function.getSignature().getName(), function);
            return function.getSignature().getName();
        }

        /** Two nodes may share a function, so that a changed one needs a name of its own. */
        private String freshName(String name) {
            String fresh = name + "_tracked";
            int suffix = 1;
            while (functions.containsKey(fresh)) {
                fresh = name + "_tracked_" + suffix++;
            }
            return fresh;
        }
    }
}
