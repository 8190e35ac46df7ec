package io.praline.worker.graph.spelling;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * Writes a table of several CSV files as a flat map over their names, with a function that opens one: each has its own header, and
 * the rows of one come behind those of the one before.
 */
final class CsvFiles {
    private CsvFiles() {}

    /** Whether there were such; settings that are no constants stay where they are. */
    static boolean opened(Scope scope, Map<String, FunctionDef> functions) {
        boolean changed = false;
        for (NodeDef node : scope.nodes()) {
            if (node.getOp().matches("(Experimental)?CSVDataset(V2)?") && isOfSeveral(node, scope)) {
                open(node, scope, functions);
                changed = true;
            }
        }
        return changed;
    }

    private static boolean isOfSeveral(NodeDef table, Scope scope) {
        boolean several = Constants.value(scope, table.getInput(0))
                .filter(names -> names.getDtype() == DataType.DT_STRING
                        && names.getTensorShape().getDimCount() == 1
                        && names.getTensorShape().getDim(0).getSize() > 1)
                .isPresent();
        return several
                && table.getInputList().stream().skip(1).allMatch(input -> setting(input, scope)
                        .isPresent());
    }

    private static Optional<TensorProto> setting(String input, Scope scope) {
        return input.startsWith("^") ? Optional.empty() : Constants.value(scope, input);
    }

    private static void open(NodeDef table, Scope scope, Map<String, FunctionDef> functions) {
        String name = PipelineGraph.freshName("praline_table", functions);
        functions.put(name, opening(name, table, scope));
        NodeDef.Builder names = Protos.node(scope.fresh("files"), "TensorSliceDataset", table.getInput(0))
                .putAttr("is_files", Protos.bool(true))
                .putAttr("replicate_on_split", Protos.bool(false));
        DatasetOps.setComponents(
                names, "Toutput_types", List.of(ElementComponent.of(DataType.DT_STRING, Protos.SCALAR)));
        RelativeNames.copied(table, names);
        NodeDef.Builder tables = Protos.node(table.getName(), "FlatMapDataset", scope.addDataset(names))
                .putAttr("f", Protos.function(name))
                .putAttr("Targuments", Protos.types(List.of()));
        DatasetOps.setComponents(tables, "output_types", DatasetOps.components(table));
        if (table.containsAttr("metadata")) {
            tables.putAttr("metadata", table.getAttrOrThrow("metadata"));
        }
        scope.put(tables.build());
    }

    private static FunctionDef opening(String name, NodeDef table, Scope scope) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        NodeDef.Builder opened = table.toBuilder().setName("table").setInput(0, "file");
        for (int i = 1; i < table.getInputCount(); i++) {
            function.addNodeDef(Protos.constant(
                    "setting_" + i, setting(table.getInput(i), scope).orElseThrow()));
            opened.setInput(i, "setting_" + i + ":output:0");
        }
        function.addNodeDef(opened).putRet("rows", "table:handle:0");
        function.getSignatureBuilder()
                .setName(name)
                .addInputArg(Protos.arg("file", DataType.DT_STRING))
                .addOutputArg(Protos.arg("rows", DataType.DT_VARIANT));
        return function.build();
    }
}
