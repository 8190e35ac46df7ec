package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.VersionDef;

/** Whether the name {@code out} may be a relative one. */
class NameOriginsTest {
    private static final DataType STRING = DataType.DT_STRING;

    private static NodeDef.Builder node(String name, String op, String... inputs) {
        return Protos.node(name, op, inputs);
    }

    private static NodeDef.Builder names(String node, String... names) {
        TensorProto.Builder tensor =
                TensorProto.newBuilder().setDtype(STRING).setTensorShape(Protos.shape((long) names.length));
        Stream.of(names).forEach(each -> tensor.addStringVal(ByteString.copyFromUtf8(each)));
        return Protos.constant(node, tensor.build());
    }

    /** What a file holds may be any name. */
    private static NodeDef.Builder read() {
        return node("read", "ReadFile", "file");
    }

    private static PipelineGraph graph(List<FunctionDef> functions, NodeDef.Builder... nodes) {
        List<NodeDef> all = Stream.concat(Stream.of(names("file", "/list")), Stream.of(nodes))
                .map(NodeDef.Builder::build)
                .toList();
        return new PipelineGraph(all, functions, "out", VersionDef.getDefaultInstance());
    }

    private static boolean mayBeRelative(NodeDef.Builder... nodes) {
        PipelineGraph graph = graph(List.of(), nodes);
        return new NameOrigins(graph, false).mayBeRelative("out", new NameOrigins.Place(graph.scope(), ""));
    }

    @ParameterizedTest
    @CsvSource({"/a, false", "s3://b/a, false", "a, true", "./a, true"})
    void whatIsWrittenIsAsItIsWritten(String name, boolean relative) {
        assertThat(mayBeRelative(names("out", "/0", name))).isEqualTo(relative);
    }

    @Test
    void numbersAreNoNames() {
        assertThat(mayBeRelative(Protos.constant("out", Protos.int64(1)))).isFalse();
    }

    @Test
    void whatIsReadOrComputedMayBeAnyName() {
        assertThat(mayBeRelative(node("out", "ReadFile", "file"))).isTrue();
        assertThat(mayBeRelative(node("out", "AsString", "file"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"StridedSlice", "GatherV2", "Unpack", "Reshape"})
    void whatIsMadeOfANameBeginsAsItDoes(String op) {
        assertThat(mayBeRelative(names("name", "/a"), node("out", op, "name"))).isFalse();
        assertThat(mayBeRelative(names("name", "a"), node("out", op, "name"))).isTrue();
    }

    // `regex_replace(name, "^/data/", "")` makes a relative name of an absolute one
    @ParameterizedTest
    @CsvSource({
        "images, masks, false",
        "'\\.jpg$', .png, false",
        "/images/, /masks/, false",
        "^/data/, '', true",
        "'.*/', '', true",
        "'[/a-z]+', x, true",
        "'i*/d', '', true",
        "'images|^/', '', true",
        "s3://bucket/, '', true"
    })
    void whatIsReplacedMayBeTheBeginning(String pattern, String rewrite, boolean relative) {
        NodeDef.Builder written = node("out", "StaticRegexReplace", "name")
                .putAttr("pattern", Protos.string(pattern))
                .putAttr("rewrite", Protos.string(rewrite));
        NodeDef.Builder given = node("out", "RegexReplace", "name", "pattern", "rewrite");
        NodeDef.Builder[] both = {
            Protos.constant("pattern", Protos.bytes(ByteString.copyFromUtf8(pattern))),
            Protos.constant("rewrite", Protos.bytes(ByteString.copyFromUtf8(rewrite)))
        };

        assertThat(mayBeRelative(names("name", "/a"), written)).isEqualTo(relative);
        assertThat(mayBeRelative(names("name", "/a"), both[0], both[1], given)).isEqualTo(relative);
        assertThat(mayBeRelative(names("name", "a"), written)).isTrue();
        assertThat(mayBeRelative(names("name", "/a"), read(), node("out", "RegexReplace", "name", "read", "read")))
                .isTrue();
    }

    @Test
    void whatIsJoinedBeginsAsItsFirstPart() {
        assertThat(mayBeRelative(names("part", "/a/"), read(), node("out", "StringJoin", "part", "read")))
                .isFalse();
        assertThat(mayBeRelative(names("part", "/a/"), read(), node("out", "StringJoin", "read", "part")))
                .isTrue();
        NodeDef.Builder added = node("out", "AddV2", "part", "read").putAttr("T", Protos.type(STRING));
        assertThat(mayBeRelative(names("part", "/a/"), read(), added)).isFalse();
        assertThat(mayBeRelative(names("part", "a/"), read(), added)).isTrue();
        assertThat(mayBeRelative(names("part", "/a/"), read(), node("out", "AddV2", "part", "read")))
                .isTrue();
    }

    @Test
    void anEmptyPartIsNoBeginning() {
        assertThat(mayBeRelative(names("part", ""), read(), node("out", "StringJoin", "part", "read")))
                .isTrue();
        assertThat(mayBeRelative(names("part", ""), names("more", "/a"), node("out", "StringJoin", "part", "more")))
                .isFalse();
        assertThat(mayBeRelative(names("part", ""), node("out", "StringJoin", "part", "part")))
                .isFalse();
    }

    @Test
    void whatIsFormattedBeginsAsItsTemplate() {
        NodeDef.Builder formatted = node("out", "StringFormat", "file");
        assertThat(mayBeRelative(formatted.putAttr("template", Protos.string("/a/{}"))))
                .isFalse();
        assertThat(mayBeRelative(formatted.putAttr("template", Protos.string("a/{}"))))
                .isTrue();
    }

    /** Of {@code x}, what the nodes make of it under the name {@code made}. */
    private static FunctionDef function(String name, String result, NodeDef.Builder... nodes) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(name)
                .addInputArg(Protos.arg("x", STRING))
                .addInputArg(Protos.arg("y", STRING))
                .addOutputArg(Protos.arg("first", STRING))
                .addOutputArg(Protos.arg("second", STRING));
        Stream.of(nodes).forEach(function::addNodeDef);
        return function.putRet("first", result).putRet("second", "y").build();
    }

    private static boolean ofCall(FunctionDef function, String result, String x, String y) {
        PipelineGraph graph = graph(
                List.of(function),
                names("one", x),
                names("other", y),
                node("call", "PartitionedCall", "one", "other").putAttr("f", Protos.function("f")),
                node("out", "Identity", result));
        return new NameOrigins(graph, false).mayBeRelative("out", new NameOrigins.Place(graph.scope(), ""));
    }

    @Test
    void whatAFunctionGivesIsFollowedIntoItAndOutAgain() {
        FunctionDef handsOn = function("f", "x");
        assertThat(ofCall(handsOn, "call", "/a", "b")).isFalse();
        assertThat(ofCall(handsOn, "call", "a", "/b")).isTrue();
        assertThat(ofCall(handsOn, "call:1", "/a", "b")).isTrue();
        assertThat(ofCall(handsOn, "call:1", "a", "/b")).isFalse();
        FunctionDef within =
                function("f", "made:output:0", names("dir", "/d/"), node("made", "StringJoin", "dir", "x"));
        assertThat(ofCall(within, "call", "a", "b")).isFalse();
    }

    /** Of a map over names with a captured one: whether {@code ref} in its function may be relative. */
    private static boolean inAMap(String ref, boolean listsReplaced, String captured, String... names) {
        FunctionDef function = function("f", "x");
        PipelineGraph graph = graph(
                List.of(function),
                names("listed", names),
                names("captured", captured),
                slices("listed"),
                node("out", "MapDataset", "slices", "captured")
                        .putAttr("f", Protos.function("f"))
                        .putAttr("Targuments", Protos.types(List.of(STRING))));
        return new NameOrigins(graph, listsReplaced).mayBeRelative(ref, NameOrigins.place(function));
    }

    private static NodeDef.Builder slices(String names) {
        return node("slices", "TensorSliceDataset", names)
                .putAttr("Toutput_types", Protos.types(List.of(STRING)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)));
    }

    @Test
    void aMapIsGivenWhatIsListedAndWhatItCaptures() {
        assertThat(inAMap("x", false, "c", "/a", "/b")).isFalse();
        assertThat(inAMap("x", false, "/c", "/a", "b")).isTrue();
        assertThat(inAMap("y", false, "/c", "a")).isFalse();
        assertThat(inAMap("y", false, "c", "/a")).isTrue();
    }

    @Test
    void ofAListThatIsReplacedByAbsoluteNamesNoneIsRelative() {
        assertThat(inAMap("x", true, "/c", "a", "b")).isFalse();
        assertThat(inAMap("y", true, "c", "a")).isTrue();
    }

    @Test
    void aFunctionThatNobodyRunsMayBeGivenAnything() {
        FunctionDef function = function("f", "x");
        PipelineGraph graph = graph(List.of(), names("out", "/a"));
        assertThat(new NameOrigins(graph, false).mayBeRelative("x", NameOrigins.place(function)))
                .isTrue();
    }

    /** Elements as a function of one component is given them, behind the datasets. */
    private static boolean behind(NodeDef.Builder... datasets) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName("f")
                .addInputArg(Protos.arg("x", STRING))
                .addOutputArg(Protos.arg("first", STRING));
        FunctionDef handsOn = function.putRet("first", "x").build();
        NodeDef.Builder[] all = Stream.concat(
                        Stream.of(datasets),
                        Stream.of(node("out", "MapDataset", "last").putAttr("f", Protos.function("f"))))
                .toArray(NodeDef.Builder[]::new);
        PipelineGraph graph = graph(List.of(handsOn), all);
        return new NameOrigins(graph, false).mayBeRelative("x", NameOrigins.place(handsOn));
    }

    private static NodeDef.Builder list(String name) {
        return node(name, "TensorSliceDataset", name + "_names")
                .putAttr("Toutput_types", Protos.types(List.of(STRING)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ShuffleDatasetV3",
                "TakeDataset",
                "RepeatDataset",
                "BatchDatasetV2",
                "CacheDatasetV2",
                "FilterDataset"
            })
    void whatOnlyPassesElementsGivesThoseThatItIsGiven(String op) {
        assertThat(behind(names("l_names", "/a"), list("l"), node("last", op, "l")))
                .isFalse();
        assertThat(behind(names("l_names", "a"), list("l"), node("last", op, "l")))
                .isTrue();
    }

    @Test
    void ofSeveralDatasetsOneWithARelativeNameIsEnough() {
        NodeDef.Builder[] both = {
            names("l_names", "/a"),
            list("l"),
            names("r_names", "b"),
            list("r"),
            node("last", "ConcatenateDataset", "l", "r")
        };
        assertThat(behind(both)).isTrue();
        both[2] = names("r_names", "/b");
        assertThat(behind(both)).isFalse();
        both[0] = names("l_names", "a");
        assertThat(behind(both)).isTrue();
    }

    // the first only says whose turn it is
    @Test
    void whoChoosesIsNotChosen() {
        NodeDef.Builder[] both = {
            names("l_names", "a"),
            list("l"),
            names("r_names", "/b"),
            list("r"),
            node("last", "DirectedInterleaveDataset", "l", "r")
        };
        assertThat(behind(both)).isFalse();
        both[2] = names("r_names", "b");
        assertThat(behind(both)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"l, r, false", "r, l, true"})
    void ofZippedDatasetsEachGivesItsOwnComponents(String first, String second, boolean relative) {
        NodeDef.Builder zip = node("last", "ZipDataset", first, second)
                .putAttr("N", AttrValue.newBuilder().setI(2).build());
        assertThat(behind(names("l_names", "/a"), list("l"), names("r_names", "b"), list("r"), zip))
                .isEqualTo(relative);
    }

    @Test
    void numbersInARowAreNoNamesAndUnknownDatasetsMayGiveAny() {
        assertThat(behind(Protos.constant("n", Protos.int64(1)), node("last", "RangeDataset", "n", "n", "n")))
                .isFalse();
        assertThat(behind(node("last", "TFRecordDataset", "file"))).isTrue();
    }

    @Test
    void namesThatMatchBeginAsTheirPattern() {
        assertThat(behind(names("p", "/a/*"), node("last", "MatchingFilesDataset", "p")))
                .isFalse();
        assertThat(behind(names("p", "a/*"), node("last", "MatchingFilesDataset", "p")))
                .isTrue();
    }

    @Test
    void whoReadsAListTwiceIsGivenTheSameNames() {
        assertThat(behind(names("l_names", "/a"), list("l"), node("last", "ConcatenateDataset", "l", "l")))
                .isFalse();
        assertThat(behind(names("l_names", "a"), list("l"), node("last", "ConcatenateDataset", "l", "l")))
                .isTrue();
    }
}
