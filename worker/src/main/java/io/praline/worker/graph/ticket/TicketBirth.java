package io.praline.worker.graph.ticket;

import io.praline.identity.Ticket;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Birth;
import io.praline.worker.graph.source.Children;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.source.opening.SplitField;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Makes tickets in the function that opens a split, by a range that is zipped to what is numbered: the split's records, or
 * what comes out of the function ({@link Birth}). What is not wanted is left out there: of a split that is read for the first
 * time nothing is, and nothing is looked at.
 */
record TicketBirth(WidenedFunctions functions, Widening widening) {
    /** The node in the function that opens a split that yields the ticket of its first record. */
    private static final String BASE = "praline_base";

    /** The node in it that yields the numbers, as tickets or, of parents, as those that they would have. */
    static final String TICKETS = "praline_tickets";

    private static final AttrValue INT64 = Protos.type(DataType.DT_INT64);

    Carried source(Scope scope, NodeDef node) {
        FunctionDef open = functions.calledBy(node, "f");
        String result = open.getSignature().getOutputArg(0).getName();
        String ref = open.getRetOrThrow(result);
        Scope body = Scope.ofFunction(open);
        boolean parents = body.producer(Children.COUNTED).isPresent();
        Carried inner = parents
                ? toTheLast(body, parents(body, new FirstElements(functions, isExact(open))))
                : BindSplits.isNumbered(open)
                        ? toTheLast(body, numbered(body, ref, Optional.of(new FirstElements(functions, isExact(open)))))
                        : widening.carry(body, ref);
        functions.add(open.toBuilder()
                .clearNodeDef()
                .addAllNodeDef(body.nodes())
                .putRet(result, inner.ref())
                .build());
        return Widening.done(scope, node.toBuilder(), inner);
    }

    /** A split's records, with tickets, and without those that are not wanted. */
    Carried numbered(Scope scope, String ref) {
        return numbered(scope, ref, Optional.empty());
    }

    /** What a dataset from elsewhere in the graph consists of is not looked at. */
    private boolean isExact(FunctionDef open) {
        return open.getSignature().getInputArgList().stream()
                        .noneMatch(argument -> argument.getType() == DataType.DT_VARIANT)
                && ExactFractions.in(open.getNodeDefList(), functions.byName());
    }

    /** @param first tells of the first elements, where each is to be looked at once only: making it costs more than looking */
    private Carried numbered(Scope scope, String ref, Optional<FirstElements> first) {
        List<ElementComponent> components = new ArrayList<>(scope.components(ref));
        components.add(Carried.ticket(List.of()));
        String base = base(scope);
        String all = withTickets(scope, ref, base, components);
        if (first.isPresent()) {
            all = first.get().told(scope, all, base);
        }
        WantedRecords.Read read = first.isPresent() ? WantedRecords.Read.ONCE_AND_TOLD : WantedRecords.Read.BY_PLACE;
        String chosen = new WantedRecords(functions).chosen(scope, all, base, components, read);
        return new Carried(chosen, Carried.ticket(List.of()), Optional.empty());
    }

    /** A split's elements with the tickets of what they will become; the first are told by their own numbers. */
    private Carried parents(Scope scope, FirstElements first) {
        String ref = scope.output(Children.COUNTED, "handle");
        List<ElementComponent> components = new ArrayList<>(scope.components(ref));
        components.add(Carried.ticket(List.of()));
        String base = base(scope);
        String told = first.told(scope, withTickets(scope, ref, base, components), base);
        return new ChildCarry(functions).parents(scope, told, base);
    }

    private static String base(Scope scope) {
        return scope.add(
                Protos.node(
                                BASE,
                                "Mul",
                                SplitField.ORDINAL.argument(),
                                scope.constant("span", Protos.int64(1L << Ticket.RECORD_BITS)))
                        .putAttr("T", INT64),
                "z");
    }

    private static String withTickets(Scope scope, String ref, String base, List<ElementComponent> components) {
        String tickets = scope.addDataset(Protos.node(
                        TICKETS,
                        "RangeDataset",
                        base,
                        scope.constant("last", Protos.int64(Long.MAX_VALUE)),
                        scope.constant("step", Protos.int64(1)))
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))));
        return Widening.typed(
                scope,
                Protos.node("praline_all", "ZipDataset", ref, tickets).putAttr("N", Protos.number(2)),
                components);
    }

    /** Behind the last element of a split it is told that it was the last, and which one was the last that nobody wanted. */
    private Carried toTheLast(Scope scope, Carried elements) {
        List<ElementComponent> components = scope.components(elements.ref());
        String once = scope.addDataset(Protos.node(
                        "praline_once_at_the_end",
                        "RangeDataset",
                        scope.constant("end/first", Protos.int64(0)),
                        scope.constant("end/last", Protos.int64(1)),
                        scope.constant("end/step", Protos.int64(1)))
                .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))));
        String end = Widening.typed(
                scope,
                Protos.node(TrackProvenance.END, "FlatMapDataset", once, elements.ref(), BASE + ":z:0")
                        .putAttr("f", Protos.function(end(components)))
                        .putAttr("Targuments", Protos.types(List.of(DataType.DT_VARIANT, DataType.DT_INT64))),
                components);
        return elements.at(Widening.typed(
                scope, Protos.node("praline_to_the_last", "ConcatenateDataset", elements.ref(), end), components));
    }

    /** Tells the end, and yields nothing of what the others yield. */
    private String end(List<ElementComponent> components) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(functions.freshName("praline_end"))
                .setIsStateful(true)
                .addInputArg(Protos.arg("number", DataType.DT_INT64))
                .addInputArg(Protos.arg("elements", DataType.DT_VARIANT))
                .addInputArg(Protos.arg("base", DataType.DT_INT64))
                .addOutputArg(Protos.arg("nothing", DataType.DT_VARIANT));
        NodeDef.Builder none = Protos.node("none", "TakeDataset", "elements", "zero:output:0", "^tell");
        DatasetOps.setComponents(none, "output_types", components);
        function.addNodeDef(Told.readQueue("marks"))
                .addNodeDef(Protos.constant("offset", Protos.int64(Ticket.endOf(0))))
                .addNodeDef(Protos.sum("ticket", "base", "offset:output:0"))
                .addNodeDef(Protos.constant("zero", Protos.int64(0)))
                .addNodeDef(Protos.constant("no_ticket", Protos.int64(-1)))
                .addNodeDef(Told.leftOut())
                .addNodeDef(Protos.node(
                                "last", "LookupTableFindV2", "left_out:table_handle:0", "base", "no_ticket:output:0")
                        .putAttr("Tin", INT64)
                        .putAttr("Tout", INT64))
                .addNodeDef(Told.tell("QueueEnqueueV2", "ticket:z:0", "last:values:0"))
                .addNodeDef(none)
                .putRet("nothing", "none:handle:0");
        return functions.add(function.build());
    }
}
