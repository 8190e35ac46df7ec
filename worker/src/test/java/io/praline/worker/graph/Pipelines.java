package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.source.opening.BindSplits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** The pipelines that Python wrote for the tests, and the files they read. */
public final class Pipelines {
    /** Takes every op for known. */
    public static final OpCatalogue ANY_OP = new OpCatalogue() {
        @Override
        public boolean holds(String op) {
            return !op.endsWith("FromTheFuture");
        }

        @Override
        public String version() {
            return "of the test";
        }
    };

    private Pipelines() {}

    public static Path folder() {
        try {
            return Path.of(Pipelines.class.getResource("/pipelines").toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The names of all pipelines that run. */
    public static List<String> running() {
        try (Stream<Path> files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".pb"))
                    .map(file -> file.substring(0, file.length() - ".pb".length()))
                    .sorted()
                    .toList();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    public static byte[] bytes(String name) {
        try {
            return Files.readAllBytes(folder().resolve(name + ".pb"));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    public static PipelineGraph parse(String name) {
        return PipelineGraph.parse(bytes(name), ANY_OP);
    }

    /** The same with file names that hold wherever the test runs. */
    public static PipelineGraph parseHere(String name) {
        return PipelineGraph.parse(bytesHere(name), ANY_OP);
    }

    /** A pipeline's bytes, with file names that hold wherever the test runs. */
    public static byte[] bytesHere(String name) {
        try {
            GraphDef.Builder graph = GraphDef.parseFrom(bytes(name)).toBuilder();
            graph.getNodeBuilderList().forEach(Pipelines::absolute);
            return graph.build().toByteArray();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The ops of a pipeline whose splits are bound, from its end to its source. */
    public static List<String> toTheSource(PipelineGraph pipeline) {
        List<String> ops = new ArrayList<>();
        NodeDef node = pipeline.nodes().get(pipeline.root());
        while (!BindSplits.isSource(node)) {
            ops.add(node.getOp());
            node = pipeline.nodes().get(node.getInput(0));
        }
        return ops;
    }

    /** Files of the data folder by a glob such as {@code data/numbers-*.tfrecord}, sorted. */
    public static List<String> files(String glob) {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + folder() + "/" + glob);
        try (Stream<Path> walk = Files.walk(folder().resolve("data"))) {
            return walk.filter(matcher::matches).map(Path::toString).sorted().toList();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static void absolute(NodeDef.Builder node) {
        if (!node.getOp().equals("Const")) {
            return;
        }
        TensorProto.Builder tensor = node.getAttrOrThrow("value").getTensor().toBuilder();
        if (tensor.getDtype() != DataType.DT_STRING) {
            return;
        }
        List<String> values = Constants.strings(tensor.build());
        if (values.stream().noneMatch(value -> value.startsWith("data/"))) {
            return;
        }
        tensor.clearTensorContent().clearStringVal();
        values.forEach(value -> tensor.addStringVal(
                ByteString.copyFromUtf8(folder().resolve(value).toString())));
        node.putAttr("value", AttrValue.newBuilder().setTensor(tensor).build());
    }

    /** The same with so many bytes more, in an attribute of the last transformation that TensorFlow leaves alone. */
    public static PipelineGraph withArrays(PipelineGraph pipeline, int bytes) {
        AttrValue arrays = AttrValue.newBuilder()
                .setS(ByteString.copyFrom(new byte[bytes]))
                .build();
        List<NodeDef> nodes = pipeline.nodes().values().stream()
                .map(node -> node.getName().equals(Scope.nodeOf(pipeline.root()))
                        ? node.toBuilder().putAttr("_arrays", arrays).build()
                        : node)
                .toList();
        return new PipelineGraph(nodes, pipeline.functions().values(), pipeline.root(), pipeline.versions());
    }
}
