package io.praline.worker.graph;

import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.proto.data.DatasetMetadata;

/** What is known of TensorFlow's dataset ops by their names. */
final class DatasetOps {
    static final Set<String> MAPS = Set.of("MapDataset", "ParallelMapDataset", "ParallelMapDatasetV2");
    static final Set<String> BATCHES = Set.of("BatchDataset", "BatchDatasetV2", "ParallelBatchDataset");
    static final Set<String> SHUFFLES = Set.of("ShuffleDataset", "ShuffleDatasetV2", "ShuffleDatasetV3");

    /** Ops that keep their input's elements, in memory or in files, for the next time. */
    static final Set<String> CACHES = Set.of("CacheDataset", "CacheDatasetV2", "SnapshotDataset", "SnapshotDatasetV2");

    /** Ops that run a function for each element and yield what the datasets it returns yield. */
    static final Set<String> INTERLEAVES = Set.of(
            "FlatMapDataset",
            "InterleaveDataset",
            "ParallelInterleaveDataset",
            "ParallelInterleaveDatasetV2",
            "ParallelInterleaveDatasetV3",
            "ParallelInterleaveDatasetV4",
            "LegacyParallelInterleaveDatasetV2");

    static final Set<String> TFRECORD_READERS = Set.of("TFRecordDataset", "TFRecordDatasetV2");
    static final Set<String> READERS = Set.of(
            "TFRecordDataset",
            "TFRecordDatasetV2",
            "TextLineDataset",
            "FixedLengthRecordDataset",
            "FixedLengthRecordDatasetV2");

    /** Ops that yield their input's elements as they are, all of them, whatever their order. */
    static final Set<String> TRANSPARENT = Set.of(
            "PrefetchDataset",
            "SleepDataset",
            "ExperimentalSleepDataset",
            "OptionsDataset",
            "ModelDataset",
            "FinalizeDataset",
            "IgnoreErrorsDataset",
            "IgnoreErrorsDatasetV2",
            "PrivateThreadPoolDataset",
            "MaxIntraOpParallelismDataset",
            "ThreadPoolDataset");

    /** Ops whose effect depends on how many elements came before, or on which, over the whole dataset. */
    static final Set<String> GLOBAL_POSITION = Set.of(
            "TakeDataset",
            "SkipDataset",
            "ShardDataset",
            "TakeWhileDataset",
            "ExperimentalTakeWhileDataset",
            "UniqueDataset",
            "ExperimentalUniqueDataset");

    private static final Set<String> WITHOUT_TYPES = Set.of(
            "TFRecordDataset",
            "TFRecordDatasetV2",
            "TextLineDataset",
            "FixedLengthRecordDataset",
            "FixedLengthRecordDatasetV2");

    private DatasetOps() {}

    static boolean isDataset(NodeDef node) {
        return node.getOp().endsWith("Dataset") || node.getOp().matches(".*DatasetV\\d+");
    }

    /** Whether a node leaves out a short last batch; empty where it makes none, true where only running it would tell. */
    static Optional<Boolean> dropsRemainder(NodeDef node, Scope scope) {
        int input =
                switch (node.getOp()) {
                    case "BatchDatasetV2" -> 2;
                    case "WindowDataset" -> 4;
                    case "ParallelBatchDataset" -> 3;
                    case "PaddedBatchDatasetV2" ->
                        (int) node.getInputList().stream()
                                        .filter(each -> !each.startsWith("^"))
                                        .count()
                                - 1;
                    default -> -1;
                };
        return input < 0
                ? Optional.empty()
                : Optional.of(Constants.bool(scope, node.getInput(input)).orElse(true));
    }

    /** How many elements a node puts into a batch; empty where it makes none, or only running it would tell. */
    static Optional<Long> batchSize(NodeDef node, Scope scope) {
        return BATCHES.contains(node.getOp()) || node.getOp().startsWith("PaddedBatch")
                ? Constants.integer(scope, node.getInput(1))
                : Optional.empty();
    }

    /** The key of the attribute that lists what an element consists of. */
    static String typesKey(NodeDef node) {
        return node.containsAttr("Toutput_types") ? "Toutput_types" : "output_types";
    }

    static List<ElementComponent> components(NodeDef node) {
        if (WITHOUT_TYPES.contains(node.getOp())) {
            return List.of(ElementComponent.of(DataType.DT_STRING, Protos.SCALAR));
        }
        List<DataType> types = node.getAttrOrDefault(typesKey(node), AttrValue.getDefaultInstance())
                .getList()
                .getTypeList();
        List<TensorShapeProto> shapes = node.getAttrOrDefault("output_shapes", AttrValue.getDefaultInstance())
                .getList()
                .getShapeList();
        if (types.isEmpty() || types.size() != shapes.size()) {
            throw new RefusedPipeline("the dataset " + node.getName() + " (" + node.getOp()
                    + ") does not say what its elements consist of");
        }
        List<ElementComponent> components = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            components.add(ElementComponent.of(types.get(i), shapes.get(i)));
        }
        return components;
    }

    /** Writes what an element consists of into the attributes of a dataset node. */
    static void setComponents(NodeDef.Builder node, String typesKey, List<ElementComponent> components) {
        node.putAttr(
                typesKey,
                Protos.types(components.stream().map(ElementComponent::dtype).toList()));
        node.putAttr(
                "output_shapes",
                Protos.shapes(components.stream().map(DatasetOps::shape).toList()));
    }

    static TensorShapeProto shape(ElementComponent component) {
        return component.rankKnown()
                ? Protos.shape(component.shape())
                : TensorShapeProto.newBuilder().setUnknownRank(true).build();
    }

    /** The name the user gave a transformation: TensorFlow's own ones hold a colon, the user's cannot. */
    static Optional<String> userName(NodeDef node) {
        if (!node.containsAttr("metadata")) {
            return Optional.empty();
        }
        try {
            byte[] metadata = node.getAttrOrThrow("metadata").getS().toByteArray();
            String name = DatasetMetadata.Metadata.parseFrom(metadata).getName().toString(StandardCharsets.UTF_8);
            return name.isEmpty() || name.contains(":") ? Optional.empty() : Optional.of(name);
        } catch (InvalidProtocolBufferException unreadable) {
            return Optional.empty();
        }
    }

    /** The op in one word or some, as the user would say it: {@code map} for {@code ParallelMapDatasetV2}. */
    static String word(String op) {
        String stem = op.replaceAll("V\\d+$", "").replaceAll("Dataset$", "");
        stem = stem.replaceFirst("^(Legacy)?(Parallel|Experimental)", "");
        if (stem.equals("TensorSlice")) {
            return "slices";
        }
        if (stem.equals("TFRecord")) {
            return "tfrecord";
        }
        return stem.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
