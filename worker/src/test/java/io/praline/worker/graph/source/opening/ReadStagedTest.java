package io.praline.worker.graph.source.opening;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.FunctionText;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** By which names files are opened: those on this worker's disk, and those within the folder of the pipeline's program. */
class ReadStagedTest {
    private static final ReadStaged STAGED = new ReadStaged(new ReadStaged.Renaming("whole", "w", "range", "r"));

    /** What a function of {@code x} and of a split gives, of which nodes {@code out} is returned. */
    private static FunctionDef function(NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", DataType.DT_STRING))
                .addInputArg(Protos.arg(SplitField.PATHS.argument(), DataType.DT_STRING))
                .addInputArg(Protos.arg(SplitField.FROM.argument(), DataType.DT_INT64))
                .addOutputArg(Protos.arg("y", DataType.DT_STRING));
        Stream.of(nodes).forEach(function::addNodeDef);
        String output = nodes[nodes.length - 1].getOp().equals("MatchingFiles") ? "filenames" : "handle";
        return function.putRet("y", "out:" + output + ":0").build();
    }

    private static PipelineGraph graph(FunctionDef function) {
        NodeDef source = Protos.node("source", "TensorDataset").build();
        NodeDef map = Protos.node("map", "FlatMapDataset", "source")
                .putAttr("f", Protos.function("f"))
                .build();
        return new PipelineGraph(List.of(source, map), List.of(function), "map", VersionDef.getDefaultInstance());
    }

    private static String shown(PipelineGraph graph) {
        return FunctionText.shown(graph.functions().get("f"), List.of("x", "paths", "from"));
    }

    private static String staged(NodeDef.Builder... nodes) {
        return shown(STAGED.apply(graph(function(nodes))));
    }

    private static NodeDef.Builder out(String op, String... inputs) {
        return Protos.node("out", op, inputs);
    }

    @Test
    void whatReadsAFileByItsNameIsGivenItsNameOnDisk() {
        String name = "StaticRegexReplace<pattern=whole rewrite=w>(x)";
        assertThat(staged(out("ReadFile", "x"))).isEqualTo("ReadFile(" + name + ")");
        assertThat(staged(out("TextLineDataset", "x", "x"))).isEqualTo("TextLineDataset(" + name + ", x)");
    }

    // a range of an object lies apart from another one: which it is, its first byte tells
    @Test
    void theReaderOfASplitIsGivenTheRangesNameOnDisk() {
        assertThat(staged(out("TFRecordDataset", SplitField.PATHS.argument())))
                .isEqualTo("TFRecordDataset(StaticRegexReplace<pattern=\\n"
                        + "[0-9]+$>(StaticRegexReplace<pattern=range rewrite=r>(StringJoin<separator=\n"
                        + ">(paths, AsString(from)))))");
    }

    @Test
    void whatReadsNoFileStaysAsItIs() {
        PipelineGraph graph = graph(function(out("StringLower", "x")));

        assertThat(STAGED.apply(graph).functions()).isEqualTo(graph.functions());
        assertThat(ReadStaged.openings(graph)).isZero();
        assertThat(ReadStaged.openings(graph(function(out("ReadFile", "x"))))).isEqualTo(1);
    }

    @Test
    void filesOfTheGraphItselfAreOpenedSoToo() {
        NodeDef name = Protos.constant("name", Protos.int64(1)).build();
        NodeDef read = Protos.node("read", "TextLineDataset", "name").build();
        PipelineGraph graph =
                new PipelineGraph(List.of(name, read), List.of(), "read", VersionDef.getDefaultInstance());

        assertThat(STAGED.apply(graph).nodes().get("read").getInput(0)).isEqualTo("praline/on_disk");
    }

    // ---- within a folder

    private static NodeDef.Builder within(String op, String... inputs) {
        return RelativeNames.in("/home", out(op, inputs).build()).toBuilder();
    }

    @Test
    void aRelativeNameIsOpenedWithinItsFolder() {
        String opened = shown(new OpenWithin().apply(graph(function(within("ReadFile", "x")))));

        assertThat(opened)
                .startsWith("ReadFile(StaticRegexReplace<pattern=(?s)^")
                .endsWith(" rewrite=/home/\\1>(x))");
    }

    @Test
    void whatMatchesHasTheNameThatThePatternHas() {
        String opened = shown(new OpenWithin().apply(graph(function(within("MatchingFiles", "x")))));

        assertThat(opened)
                .startsWith("StaticRegexReplace<pattern=^\\Q/home/././\\E>(MatchingFiles(StaticRegexReplace<");
    }

    @Test
    void withoutAFolderNothingChanges() {
        PipelineGraph graph = graph(function(out("ReadFile", "x")));

        assertThat(new OpenWithin().apply(graph)).isSameAs(graph);
    }
}
