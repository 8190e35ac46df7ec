package io.praline.worker.graph.ticket;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.SplitField;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Which elements of a split that was read before are wanted, in functions that are given the fields {@link SplitField#WANTED},
 * {@link SplitField#HIGH} and {@link SplitField#MIXED} as {@code wanted}, {@code high} and {@code mixed}. The last component of
 * an element is its ticket.
 */
public record WantedRecords(WidenedFunctions functions) {
    private static final AttrValue INT64 = Protos.type(DataType.DT_INT64);

    private static final List<OpDef.ArgDef> MARKS =
            List.of(Protos.arg("wanted", DataType.DT_STRING), Protos.arg("base", DataType.DT_INT64));

    /** How the elements of a split are looked at. */
    public enum Read {
        /** An element lies at the place that its ticket says, and may be looked at again. */
        BY_PLACE,
        /** Each element is to be looked at once only, or lies not at the place that its ticket says. */
        ONCE,
        /** The same, and of those that are not wanted the last is told: how many there are nobody else knows. */
        ONCE_AND_TOLD
    }

    /**
     * Adds to the function that opens a split what is wanted of its elements: all of them, where it is read for the first time.
     *
     * @param all its elements, with tickets
     * @param base the ticket of the first one
     * @param read how the elements are looked at
     */
    public String chosen(Scope scope, String all, String base, List<ElementComponent> components, Read read) {
        String resumes = scope.add(
                Protos.node(
                                "praline_resumes",
                                "Greater",
                                SplitField.HIGH.argument(),
                                scope.constant("none", Protos.int64(0)))
                        .putAttr("T", INT64),
                "z");
        List<DataType> arguments = List.of(
                DataType.DT_VARIANT, DataType.DT_STRING, DataType.DT_INT64, DataType.DT_INT64, DataType.DT_INT64);
        String chosen = scope.add(
                Protos.node(
                                "praline_chosen",
                                "If",
                                resumes,
                                all,
                                SplitField.WANTED.argument(),
                                base,
                                SplitField.HIGH.argument(),
                                SplitField.MIXED.argument())
                        .putAttr("Tcond", Protos.type(DataType.DT_BOOL))
                        .putAttr("Tin", Protos.types(arguments))
                        .putAttr("Tout", Protos.types(List.of(DataType.DT_VARIANT)))
                        .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                        .putAttr(
                                "then_branch",
                                Protos.function(
                                        read == Read.BY_PLACE ? wanted(components) : wantedInOnePass(components, read)))
                        .putAttr("else_branch", Protos.function(asTheyAre())),
                "output");
        // a dataset that says what its elements consist of, which a branch does not
        return Widening.typed(
                scope,
                Protos.node("praline_tracked", "TakeDataset", chosen, scope.constant("all", Protos.int64(-1))),
                components);
    }

    /**
     * Adds the node {@code both}: of the first records those with a mark, of the others all.
     *
     * @param all the records of the split
     * @param base the ticket of the first one
     */
    void among(FunctionDef.Builder function, String all, String base, List<ElementComponent> components) {
        NodeDef.Builder mixed = Protos.node("mixed_records", "TakeDataset", all, "mixed");
        DatasetOps.setComponents(mixed, "output_types", components);
        NodeDef.Builder marked = Protos.node("marked", "FilterDataset", "mixed_records:handle:0", "wanted", base)
                .putAttr("predicate", Protos.function(hasMark(components)))
                .putAttr("Targuments", Protos.types(List.of(DataType.DT_STRING, DataType.DT_INT64)));
        DatasetOps.setComponents(marked, "output_types", components);
        NodeDef.Builder rest = Protos.node("rest", "SkipDataset", all, "high");
        DatasetOps.setComponents(rest, "output_types", components);
        NodeDef.Builder both = Protos.node("both", "ConcatenateDataset", "marked:handle:0", "rest:handle:0");
        DatasetOps.setComponents(both, "output_types", components);
        function.addNodeDef(mixed).addNodeDef(marked).addNodeDef(rest).addNodeDef(both);
    }

    /** Adds the node {@code marked_or_behind}: the same, where each element is looked at once only. */
    private void amongInOnePass(
            FunctionDef.Builder function, String all, String base, List<ElementComponent> components, Read read) {
        NodeDef.Builder chosen = Protos.node("marked_or_behind", "FilterDataset", all, "wanted", base, "high")
                .putAttr("predicate", Protos.function(hasMarkOrIsBehind(components, read)))
                .putAttr("Targuments", Protos.types(List.of(DataType.DT_STRING, DataType.DT_INT64, DataType.DT_INT64)));
        DatasetOps.setComponents(chosen, "output_types", components);
        function.addNodeDef(chosen);
    }

    /** Whether the byte of a record in {@link SplitField#WANTED} is 1. */
    private String hasMark(List<ElementComponent> components) {
        FunctionDef.Builder function = functions.predicate("praline_wanted", components, MARKS);
        return functions.add(marked(function, TrackProvenance.TICKET, "index:z:0")
                .putRet("keep", "equal:z:0")
                .build());
    }

    /**
     * Whether an element lies at {@link SplitField#HIGH} or behind, or its byte in {@link SplitField#WANTED} is 1, which may
     * be as long as that or empty.
     */
    private String hasMarkOrIsBehind(List<ElementComponent> components, Read read) {
        List<OpDef.ArgDef> captured = new ArrayList<>(MARKS);
        captured.add(Protos.arg("high", DataType.DT_INT64));
        FunctionDef.Builder function = functions.predicate("praline_wanted_or_behind", components, captured);
        either(function, TrackProvenance.TICKET).putRet("keep", "either:z:0");
        if (read == Read.ONCE_AND_TOLD) {
            function.addNodeDef(Protos.node("unless_wanted", "Switch", TrackProvenance.TICKET, "either:z:0")
                    .putAttr("T", INT64));
            leaveOut(function, "unless_wanted:output_false:0");
        }
        return functions.add(function.build());
    }

    /** Tells a number that is not wanted, which comes out of a switch: of others nothing runs. */
    static void leaveOut(FunctionDef.Builder function, String number) {
        function.addNodeDef(Protos.node("unwanted_number", "Identity", number).putAttr("T", INT64))
                .addNodeDef(Told.leftOut().addInput("^unwanted_number"))
                .addNodeDef(Told.leaveOut("base", "unwanted_number:output:0"))
                .putControlRet("leave_out", "leave_out");
        function.getSignatureBuilder().setIsStateful(true).addControlOutput("leave_out");
    }

    /** The node {@code either}, of any number of tickets: whether each is wanted. */
    static FunctionDef.Builder either(FunctionDef.Builder function, String tickets) {
        return marked(function, tickets, "place:z:0")
                .addNodeDef(Protos.node("length", "StringLength", "wanted").putAttr("unit", Protos.string("BYTE")))
                .addNodeDef(Protos.node("end", "Cast", "length:output:0")
                        .putAttr("SrcT", Protos.type(DataType.DT_INT32))
                        .putAttr("DstT", INT64))
                .addNodeDef(
                        Protos.node("place", "Minimum", "index:z:0", "end:y:0").putAttr("T", INT64))
                .addNodeDef(Protos.node("behind", "GreaterEqual", "index:z:0", "high")
                        .putAttr("T", INT64))
                .addNodeDef(Protos.node("either", "LogicalOr", "behind:z:0", "equal:z:0"));
    }

    /** The node {@code index}, an element's number in its split, and {@code equal}: whether the byte at a place is 1. */
    private static FunctionDef.Builder marked(FunctionDef.Builder function, String tickets, String place) {
        return function.addNodeDef(Protos.node("one", "OnesLike", "index:z:0").putAttr("T", INT64))
                .addNodeDef(Protos.constant("yes", Protos.bytes(ByteString.copyFrom(new byte[] {1}))))
                .addNodeDef(Protos.node("index", "Sub", tickets, "base").putAttr("T", INT64))
                .addNodeDef(Protos.node("mark", "Substr", "wanted", place, "one:y:0")
                        .putAttr("T", INT64)
                        .putAttr("unit", Protos.string("BYTE")))
                .addNodeDef(Protos.node("equal", "Equal", "mark:output:0", "yes:output:0")
                        .putAttr("T", Protos.type(DataType.DT_STRING))
                        .putAttr("incompatible_shape_error", Protos.bool(true)));
    }

    private static FunctionDef.Builder branch(String name) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(name)
                .addInputArg(Protos.arg("all", DataType.DT_VARIANT))
                .addInputArg(Protos.arg("wanted", DataType.DT_STRING))
                .addInputArg(Protos.arg("base", DataType.DT_INT64))
                .addInputArg(Protos.arg("high", DataType.DT_INT64))
                .addInputArg(Protos.arg("mixed", DataType.DT_INT64))
                .addOutputArg(Protos.arg("chosen", DataType.DT_VARIANT));
        return function;
    }

    private String asTheyAre() {
        return functions.add(branch(functions.freshName("praline_as_they_are"))
                .putRet("chosen", "all")
                .build());
    }

    /** Of the first records those with a mark, of the others all. */
    private String wanted(List<ElementComponent> components) {
        FunctionDef.Builder function = branch(functions.freshName("praline_resumed"));
        among(function, "all", "base", components);
        return functions.add(function.putRet("chosen", "both:handle:0").build());
    }

    private String wantedInOnePass(List<ElementComponent> components, Read read) {
        FunctionDef.Builder function = branch(functions.freshName("praline_resumed"));
        amongInOnePass(function, "all", "base", components, read);
        return functions.add(
                function.putRet("chosen", "marked_or_behind:handle:0").build());
    }
}
