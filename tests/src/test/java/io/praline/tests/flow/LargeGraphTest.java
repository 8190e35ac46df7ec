package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.JobFailed;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.tests.rig.Cluster;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.VersionDef;

/** Pipelines that hold their data, as {@code from_tensor_slices((images, labels))} makes them of arrays. */
class LargeGraphTest {
    private static final int IMAGES = 60_000;
    private static final int BYTES = 784;

    private static Cluster cluster;

    @TempDir
    private Path graphs;

    @BeforeAll
    static void start() {
        cluster = Cluster.shared();
    }

    @Test
    void arraysOfManyMegabytesAreDeliveredEachElementOnce() {
        List<Long> seen = new ArrayList<>();
        try (PralineClient client = PralineClient.connect(cluster.config().withSharedDir(graphs));
                BatchStream stream = client.submit(JobSpec.of(slices(IMAGES)).components(List.of("image", "number")))) {
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    LongBuffer numbers = batch.component("number").longs();
                    ByteBuffer images = batch.component("image").bytes();
                    for (int i = 0; numbers.hasRemaining(); i++) {
                        long number = numbers.get();
                        seen.add(number);
                        assertThat(images.get(i * BYTES)).isEqualTo((byte) number);
                        assertThat(images.get(i * BYTES + BYTES - 1)).isEqualTo((byte) number);
                    }
                }
            }
            assertThat(stream.result().missing()).hasValue(0);
        }
        // sorted, since a comparison in any order looks for each among all
        assertThat(seen.stream().sorted().toList())
                .isEqualTo(LongStream.range(0, IMAGES).boxed().toList());
    }

    @Test
    void aGraphThatIsLargerThanWorkersTakeIsRefusedBeforeItIsSent() {
        try (PralineClient client = PralineClient.connect(cluster.config().withSharedDir(graphs))) {
            assertThatThrownBy(() -> client.submit(JobSpec.of(new byte[(256 << 20) + 1])))
                    .isInstanceOf(JobFailed.class)
                    .hasMessageContaining("more than the 268435456 that workers take: write its arrays to files");
        }
        assertThat(graphs).isEmptyDirectory();
    }

    private static byte[] slices(int images) {
        ByteBuffer pixels = ByteBuffer.allocate(images * BYTES);
        for (int image = 0; image < images; image++) {
            for (int pixel = 0; pixel < BYTES; pixel++) {
                pixels.put((byte) image);
            }
        }
        ByteString content = UnsafeByteOperations.unsafeWrap(pixels.flip());
        NodeDef data = Protos.constant(
                        "images",
                        TensorProto.newBuilder()
                                .setDtype(DataType.DT_UINT8)
                                .setTensorShape(Protos.shape(images, BYTES))
                                .setTensorContent(content)
                                .build())
                .build();
        NodeDef numbers = Protos.constant(
                        "numbers",
                        Protos.int64s(LongStream.range(0, images).boxed().toList()))
                .build();
        NodeDef.Builder slices = Protos.node("slices", "TensorSliceDataset", "images", "numbers")
                .putAttr("is_files", Protos.bool(false))
                .putAttr("replicate_on_split", Protos.bool(false))
                .putAttr("metadata", Protos.string(""));
        DatasetOps.setComponents(
                slices,
                "Toutput_types",
                List.of(
                        ElementComponent.of(DataType.DT_UINT8, Protos.shape(BYTES)),
                        ElementComponent.of(DataType.DT_INT64, Protos.SCALAR)));
        NodeDef.Builder batches = Protos.node("batches", "BatchDatasetV2", "slices", "size", "drop")
                .putAttr("parallel_copy", Protos.bool(false))
                .putAttr("metadata", Protos.string(""));
        DatasetOps.setComponents(
                batches,
                "output_types",
                List.of(
                        ElementComponent.of(DataType.DT_UINT8, Protos.shape(-1, BYTES)),
                        ElementComponent.of(DataType.DT_INT64, Protos.shape(-1))));
        return new PipelineGraph(
                        List.of(
                                data,
                                numbers,
                                slices.build(),
                                Protos.constant("size", Protos.int64(500)).build(),
                                Protos.constant("drop", Protos.flag(false)).build(),
                                batches.build()),
                        List.of(),
                        "batches",
                        VersionDef.newBuilder().setProducer(1882).build())
                .toBytes();
    }
}
