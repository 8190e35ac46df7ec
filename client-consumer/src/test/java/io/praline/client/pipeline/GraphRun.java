package io.praline.client.pipeline;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.tensorflow.Graph;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.exceptions.TFOutOfRangeException;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.GraphOptions;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.RewriterConfig;
import org.tensorflow.types.TBfloat16;
import org.tensorflow.types.TString;

/** Runs a serialised pipeline in a session of its own, and keeps what comes out. */
final class GraphRun {

    static final Path FIXTURES = Path.of("..", "worker", "src", "test", "resources", "pipelines");

    private GraphRun() {}

    /** One tensor: numbers as doubles, or texts. */
    record Value(DataType type, List<Long> shape, List<Object> values) {}

    /** The files that match, in the order of their names. */
    static List<String> data(String glob) {
        try (Stream<Path> files = Files.walk(FIXTURES.resolve("data"))) {
            return files.filter(file -> file.getFileSystem()
                            .getPathMatcher("glob:**/" + glob)
                            .matches(file))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pipeline that Python wrote, over these files. */
    static byte[] python(String name, List<String> files) {
        try {
            GraphDef.Builder graph = GraphDef.parseFrom(Files.readAllBytes(FIXTURES.resolve(name + ".pb"))).toBuilder();
            String names = graph.getNodeList().stream()
                    .filter(node -> node.getOp().equals("TensorSliceDataset"))
                    .findFirst()
                    .orElseThrow()
                    .getInput(0);
            for (NodeDef.Builder node : graph.getNodeBuilderList()) {
                if (node.getName().equals(names)) {
                    node.putAttr("value", Attributes.tensor(Attributes.vector(files)));
                }
            }
            return graph.build().toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<List<Value>> elements(Pipeline pipeline) {
        return elements(pipeline.graph());
    }

    static List<List<Value>> elements(byte[] serialised) {
        GraphDef graph;
        try {
            graph = GraphDef.parseFrom(serialised);
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
        NodeDef result = graph.getNode(graph.getNodeCount() - 1);
        NodeDef last = graph.getNodeList().stream()
                .filter(node -> node.getName().equals(result.getInput(0)))
                .findFirst()
                .orElseThrow();
        AttrValue types = last.getAttrOrDefault("output_types", last.getAttrOrDefault("Toutput_types", null));
        AttrValue shapes = last.getAttrOrThrow("output_shapes");
        GraphDef.Builder runnable = graph.toBuilder().removeNode(graph.getNodeCount() - 1);
        runnable.addNode(NodeDef.newBuilder()
                .setName("iterator")
                .setOp("IteratorV2")
                .putAttr("shared_name", Attributes.text("iterator"))
                .putAttr("container", Attributes.text(""))
                .putAttr("output_types", types)
                .putAttr("output_shapes", shapes));
        runnable.addNode(NodeDef.newBuilder()
                .setName("make")
                .setOp("MakeIterator")
                .addInput(last.getName())
                .addInput("iterator"));
        runnable.addNode(NodeDef.newBuilder()
                .setName("next")
                .setOp("IteratorGetNextSync")
                .addInput("iterator")
                .putAttr("output_types", types)
                .putAttr("output_shapes", shapes));
        ConfigProto config = ConfigProto.newBuilder()
                .setGraphOptions(GraphOptions.newBuilder()
                        .setRewriteOptions(RewriterConfig.newBuilder().setConstantFolding(RewriterConfig.Toggle.OFF)))
                .build();
        List<List<Value>> elements = new ArrayList<>();
        try (Graph imported = new Graph()) {
            imported.importGraphDef(runnable.build());
            try (Session session = new Session(imported, config)) {
                session.runner().addTarget("make").run().close();
                while (true) {
                    Session.Runner pull = session.runner();
                    for (int at = 0; at < types.getList().getTypeCount(); at++) {
                        pull.fetch("next", at);
                    }
                    try (Result pulled = pull.run()) {
                        List<Value> element = new ArrayList<>();
                        for (int at = 0; at < pulled.size(); at++) {
                            element.add(value(pulled.get(at)));
                        }
                        elements.add(element);
                    }
                }
            } catch (TFOutOfRangeException end) {
                return elements;
            }
        }
    }

    private static Value value(Tensor tensor) {
        List<Object> values = new ArrayList<>();
        DataType type = tensor.dataType();
        if (type == DataType.DT_STRING) {
            ((TString) tensor).scalars().forEach(text -> values.add(text.getObject()));
        } else if (type == DataType.DT_BFLOAT16) {
            ((TBfloat16) tensor).scalars().forEach(number -> values.add((double) number.getFloat()));
        } else {
            byte[] bytes = new byte[(int) tensor.numBytes()];
            tensor.asRawTensor().data().read(bytes);
            ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
            while (in.hasRemaining()) {
                values.add(
                        switch (type) {
                            case DT_INT64 -> (double) in.getLong();
                            case DT_INT32 -> (double) in.getInt();
                            case DT_FLOAT -> (double) in.getFloat();
                            case DT_UINT8 -> (double) (in.get() & 0xff);
                            case DT_BOOL -> (double) in.get();
                            default -> throw new IllegalArgumentException("no test reads " + type);
                        });
            }
        }
        List<Long> shape = new ArrayList<>();
        for (long size : tensor.shape().asArray()) {
            shape.add(size);
        }
        return new Value(type, shape, values);
    }
}
