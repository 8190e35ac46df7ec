package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Children;
import io.praline.worker.graph.source.opening.BindSplits;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/** The walk that carries tickets from where they are born to the end of one pipeline, a family of ops after the other. */
final class Widening {
    private final TicketBirth birth;
    private final FunctionCarry byFunctions;
    private final BatchCarry batches;
    private final MergeCarry merges;
    private final RowCarry rows;
    private final ChildCarry children;
    private final IdentityHashMap<Scope, Carried> windows = new IdentityHashMap<>();
    private final IdentityHashMap<Scope, String> begun = new IdentityHashMap<>();

    Widening(WidenedFunctions functions) {
        this.birth = new TicketBirth(functions, this);
        this.byFunctions = new FunctionCarry(functions, this);
        this.batches = new BatchCarry(functions, this);
        this.merges = new MergeCarry(functions, this);
        this.rows = new RowCarry(functions, this);
        this.children = new ChildCarry(functions);
    }

    /** @throws Untrackable if a transformation on the way cannot carry tickets */
    Carried carry(Scope scope, String ref) {
        Optional<NodeDef> producer = scope.producer(ref);
        if (producer.isEmpty()) {
            Carried window = Optional.ofNullable(windows.get(scope))
                    .filter(each -> each.ref().equals(ref))
                    .orElseThrow(() -> new Untrackable(
                            "a function yields its argument " + ref + ", which elements cannot be followed through"));
            once(scope, ref);
            return window;
        }
        NodeDef node = producer.get();
        if (node.getName().equals(BindSplits.RECORDS) && scope.isFunction()) {
            return birth.numbered(scope, ref);
        }
        if (BindSplits.isSource(node)) {
            return birth.source(scope, node);
        }
        if (node.getOp().equals("Identity")) {
            Carried input = carry(scope, node.getInput(0));
            scope.put(node.toBuilder().setInput(0, input.ref()).build());
            return input.at(scope.output(node.getName(), "output"));
        }
        return switch (OpTraits.of(node).family()) {
            case MAP -> byFunctions.map(scope, node);
            case FILTER -> byFunctions.filter(scope, node);
            case GROUP -> byFunctions.group(scope, node);
            case INTERLEAVE ->
                Children.areMadeBy(node)
                        ? children.made(scope, node, carry(scope, node.getInput(0)))
                        : rows.slicing(scope, node);
            case SLICES -> rows.slices(scope, node);
            case BATCH -> batches.batch(scope, node);
            case PADDED_BATCH -> batches.padded(scope, node);
            case UNBATCH ->
                Children.areMadeBy(node)
                        ? children.rows(scope, node, carry(scope, node.getInput(0)))
                        : batches.unbatch(scope, node);
            case REBATCH -> batches.rebatch(scope, node);
            case ZIP -> merges.zip(scope, node);
            case CONCATENATE -> merges.several(scope, node, 0);
            case CHOOSE -> merges.several(scope, node, 1);
            case SHUFFLE, TRANSPARENT -> {
                Carried input = carry(scope, node.getInput(0));
                yield done(scope, node.toBuilder().setInput(0, input.ref()), input);
            }
            default -> throw new Untrackable(named(node) + reason(node));
        };
    }

    /** The same of batches that are taken apart. */
    Carried apart(Scope scope, String ref) {
        return rows.apart(scope, ref);
    }

    /** Of batches, those that are whole; the others too as soon as nothing is left that could complete them. */
    Carried wholeOnes(Scope scope, Carried input) {
        return batches.wholeOnes(scope, input);
    }

    /** In the scope of a function, the elements of a window that it is given carry tickets already. */
    void window(Scope scope, Carried window) {
        windows.put(scope, window);
    }

    /**
     * Tickets of what a function is given begin here.
     *
     * @throws Untrackable if they have begun somewhere else in it before, so that elements would have them twice
     */
    void once(Scope scope, String ref) {
        String before = begun.put(scope, ref);
        if (before != null) {
            throw new Untrackable("a function makes elements of what it is given twice, at " + Scope.nodeOf(before)
                    + " and at " + Scope.nodeOf(ref));
        }
    }

    /** Whether a dataset in a function has an element for each row of the batch that the function is given, in their order. */
    boolean yieldsRows(Scope scope, String ref) {
        return rows.yieldsRows(scope, ref);
    }

    boolean readsSplits(Scope scope, String ref) {
        Optional<NodeDef> node = scope.producer(ref);
        if (node.isEmpty()) {
            return windows.containsKey(scope) && windows.get(scope).ref().equals(ref);
        }
        return BindSplits.isSource(node.get())
                || rows.isOfRows(scope, node.get())
                || Scope.given(node.get()).anyMatch(input -> readsSplits(scope, input));
    }

    /** Writes a dataset node back with one more component. */
    static Carried done(Scope scope, NodeDef.Builder node, Carried carried) {
        String key = DatasetOps.typesKey(node.build());
        List<ElementComponent> components = new ArrayList<>(DatasetOps.components(node.build()));
        components.add(carried.ticket());
        DatasetOps.setComponents(node, key, components);
        return carried.at(scope.addDataset(node));
    }

    /** Adds a dataset node that yields these components. */
    static String typed(Scope scope, NodeDef.Builder node, List<ElementComponent> components) {
        DatasetOps.setComponents(node, "output_types", components);
        return scope.addDataset(node);
    }

    private static String reason(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case WINDOW -> " groups elements into datasets of their own";
            case SCAN -> " carries a state from element to element, which an attempt cannot take over";
            case REPEAT -> " yields each element several times";
            default -> " is an operation that elements cannot be followed through";
        };
    }

    static String named(NodeDef node) {
        return DatasetOps.userName(node).orElseGet(() -> DatasetOps.word(node.getOp())) + " (" + node.getOp()
                + ", node " + node.getName() + ")";
    }
}
