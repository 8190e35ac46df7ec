package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.source.opening.SplitField;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Lets elements be counted where {@link Counting} allows it: they carry no tickets, and cost nothing for it. In the function
 * that opens a split, behind the reader,
 *
 * <pre>
 *   bounded  = If(take &lt; 0, records, Take(records, take))
 *   checked  = AssertCardinality(bounded, counted)              fails where the split holds more or less than was counted
 *   chosen   = If(high > 0, those that are wanted, checked)
 * </pre>
 *
 * Who feeds the splits says how many records each has, and by that knows which element comes out. Comes behind {@link
 * BindSplits}, in place of {@link TrackProvenance}.
 */
public final class CountTickets implements Pass {
    private static final AttrValue INT64 = Protos.type(DataType.DT_INT64);

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        WidenedFunctions functions = new WidenedFunctions(pipeline.functions());
        Scope scope = pipeline.scope();
        for (NodeDef node : scope.nodes()) {
            if (BindSplits.isSource(node)) {
                functions.add(new Opening(functions).counted(functions.calledBy(node, "f")));
            }
        }
        return new PipelineGraph(scope.nodes(), functions.all(), pipeline.root(), pipeline.versions());
    }

    /** The work on one function that opens splits. */
    private record Opening(WidenedFunctions functions) {

        FunctionDef counted(FunctionDef open) {
            Scope body = Scope.ofFunction(open);
            NodeDef take = body.node(BindSplits.RECORDS);
            List<ElementComponent> components = DatasetOps.components(take);
            String none = body.constant("count/none", Protos.int64(0));
            String all = body.add(compared("praline_reads_all", "Less", SplitField.TAKE.argument(), none), "z");
            String bounded = chosen(
                    body,
                    "praline_bounded",
                    all,
                    List.of(take.getInput(0), SplitField.TAKE.argument()),
                    asTheyAre(List.of(DataType.DT_INT64)),
                    taken(components));
            NodeDef.Builder check =
                    Protos.node("praline_checked", "AssertCardinalityDataset", bounded, SplitField.COUNTED.argument());
            DatasetOps.setComponents(check, "output_types", components);
            String checked = body.addDataset(check);
            String resumes = body.add(compared("praline_resumes", "Greater", SplitField.HIGH.argument(), none), "z");
            String wanted = chosen(
                    body,
                    "praline_chosen",
                    resumes,
                    List.of(
                            checked,
                            SplitField.WANTED.argument(),
                            SplitField.HIGH.argument(),
                            SplitField.MIXED.argument()),
                    resumed(components),
                    asTheyAre(List.of(DataType.DT_STRING, DataType.DT_INT64, DataType.DT_INT64)));
            body.redirect(BindSplits.RECORDS, wanted);
            FunctionDef.Builder counted =
                    open.toBuilder().clearNodeDef().clearRet().clearControlRet();
            for (NodeDef node : body.nodes()) {
                if (!node.getName().equals(BindSplits.RECORDS)) {
                    counted.addNodeDef(node);
                }
            }
            open.getRetMap()
                    .forEach((result, ref) ->
                            counted.putRet(result, Scope.nodeOf(ref).equals(BindSplits.RECORDS) ? wanted : ref));
            open.getControlRetMap()
                    .forEach((end, node) ->
                            counted.putControlRet(end, node.equals(BindSplits.RECORDS) ? Scope.nodeOf(wanted) : node));
            return counted.build();
        }

        private static NodeDef.Builder compared(String name, String op, String one, String other) {
            return Protos.node(name, op, one, other).putAttr("T", INT64);
        }

        /** What one of two functions makes of a dataset and of what stands behind it. */
        private static String chosen(
                Scope body, String name, String which, List<String> arguments, Made then, Made otherwise) {
            return body.add(
                    Protos.node(name, "If", which)
                            .addAllInput(arguments)
                            .putAttr("Tcond", Protos.type(DataType.DT_BOOL))
                            .putAttr("Tin", Protos.types(then.takes()))
                            .putAttr("Tout", Protos.types(List.of(DataType.DT_VARIANT)))
                            .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                            .putAttr("then_branch", Protos.function(then.name()))
                            .putAttr("else_branch", Protos.function(otherwise.name())),
                    "output");
        }

        /** A function that makes a dataset of one and of what these types stand for. */
        private record Made(String name, List<DataType> takes) {}

        private Made made(FunctionDef.Builder function) {
            List<DataType> takes = function.getSignature().getInputArgList().stream()
                    .map(OpDef.ArgDef::getType)
                    .toList();
            return new Made(functions.add(function.build()), takes);
        }

        private FunctionDef.Builder function(String name, OpDef.ArgDef... behind) {
            FunctionDef.Builder function = FunctionDef.newBuilder();
            function.getSignatureBuilder()
                    .setName(functions.freshName(name))
                    .addInputArg(Protos.arg("all", DataType.DT_VARIANT))
                    .addAllInputArg(List.of(behind))
                    .addOutputArg(Protos.arg("chosen", DataType.DT_VARIANT));
            return function;
        }

        private Made asTheyAre(List<DataType> behind) {
            OpDef.ArgDef[] arguments = new OpDef.ArgDef[behind.size()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = Protos.arg("unused_" + i, behind.get(i));
            }
            return made(function("praline_as_they_are", arguments).putRet("chosen", "all"));
        }

        private Made taken(List<ElementComponent> components) {
            NodeDef.Builder taken = Protos.node("taken", "TakeDataset", "all", "most");
            DatasetOps.setComponents(taken, "output_types", components);
            return made(function("praline_taken", Protos.arg("most", DataType.DT_INT64))
                    .addNodeDef(taken)
                    .putRet("chosen", "taken:handle:0"));
        }

        /** Numbers the elements, leaves out those that are not wanted, and takes the numbers off again. */
        private Made resumed(List<ElementComponent> components) {
            List<ElementComponent> numbered = new ArrayList<>(components);
            numbered.add(Carried.ticket(List.of()));
            FunctionDef.Builder function = function(
                    "praline_resumed",
                    Protos.arg("wanted", DataType.DT_STRING),
                    Protos.arg("high", DataType.DT_INT64),
                    Protos.arg("mixed", DataType.DT_INT64));
            NodeDef.Builder zip = Protos.node("numbered", "ZipDataset", "all", "numbers:handle:0")
                    .putAttr("N", Protos.number(2));
            DatasetOps.setComponents(zip, "output_types", numbered);
            NodeDef.Builder bare = Protos.node("bare", "MapDataset", "both:handle:0")
                    .putAttr("f", Protos.function(functions.withoutLast(numbered)))
                    .putAttr("Targuments", Protos.types(List.of()))
                    .putAttr("use_inter_op_parallelism", Protos.bool(false))
                    .putAttr("preserve_cardinality", Protos.bool(true));
            DatasetOps.setComponents(bare, "output_types", components);
            function.addNodeDef(Protos.constant("zero", Protos.int64(0)))
                    .addNodeDef(Protos.constant("last", Protos.int64(Long.MAX_VALUE)))
                    .addNodeDef(Protos.constant("step", Protos.int64(1)))
                    .addNodeDef(
                            Protos.node("numbers", "RangeDataset", "zero:output:0", "last:output:0", "step:output:0")
                                    .putAttr("output_types", Protos.types(List.of(DataType.DT_INT64)))
                                    .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR))))
                    .addNodeDef(zip);
            new WantedRecords(functions).among(function, "numbered:handle:0", "zero:output:0", numbered);
            return made(function.addNodeDef(bare).putRet("chosen", "bare:handle:0"));
        }
    }
}
