package io.praline.worker.graph;

import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.proto.data.DatasetMetadata;
import org.tensorflow.proto.data.DatasetOptions.Options;

/** Dataset nodes as they are written down: what they yield, what they are called. What they do is in {@link OpTraits}. */
public final class DatasetOps {
    private static final Pattern TENSORFLOWS_NAME = Pattern.compile(".*:\\d+");

    private DatasetOps() {}

    /** Named like datasets, and yield none. */
    private static final Set<String> NO_DATASETS = Set.of(
            "InitializeTableFromDataset", "ReduceDataset", "RegisterDataset", "RegisterDatasetV2", "SaveDataset");

    /** Whether a node yields a dataset, by the name of its op: so all of them are named, and a few others. */
    public static boolean isDataset(NodeDef node) {
        return isDataset(node.getOp());
    }

    public static boolean isDataset(String op) {
        return (op.endsWith("Dataset") || op.matches(".*DatasetV\\d+")) && !NO_DATASETS.contains(op);
    }

    /** Whether a dataset node draws by two seeds among its inputs. */
    public static boolean isDrawn(NodeDef node) {
        return isDataset(node) && OpTraits.of(node).inputs().containsKey(OpTraits.Input.SEED);
    }

    /** Whether a dataset node that draws has no seeds of the user's. */
    public static boolean isUnseeded(NodeDef node, Scope scope) {
        return Stream.of(OpTraits.Input.SEED, OpTraits.Input.SEED2)
                .allMatch(seed ->
                        number(node, seed, scope).filter(given -> given == 0).isPresent());
    }

    /** The integer that an input of a dataset op says; empty where it has none such, or only running it would tell. */
    public static Optional<Long> number(NodeDef node, OpTraits.Input input, Scope scope) {
        return OpTraits.of(node).input(node, input).flatMap(given -> Constants.integer(scope, given));
    }

    /**
     * Whether each iteration of a dataset that draws is another: of a shuffle by itself, of random numbers where it is asked for.
     */
    public static boolean drawsAnew(NodeDef dataset) {
        // without the attribute a shuffle is another each time, and what chooses among elements has none
        boolean unsaid = OpTraits.of(dataset).drops() != OpTraits.Drops.CHANCE && !isRandom(dataset);
        AttrValue anew = dataset.getAttrOrDefault(drawsAnewKey(dataset), Protos.bool(unsaid));
        return isDrawn(dataset) && anew.getB();
    }

    /** The attribute that says it. */
    public static String drawsAnewKey(NodeDef dataset) {
        return isRandom(dataset) ? "rerandomize_each_iteration" : "reshuffle_each_iteration";
    }

    private static boolean isRandom(NodeDef dataset) {
        return OpTraits.of(dataset).family() == OpTraits.Family.RANDOM;
    }

    /** Whether a node leaves out a short last batch; empty where it makes none, true where only running it would tell. */
    public static Optional<Boolean> dropsRemainder(NodeDef node, Scope scope) {
        return OpTraits.of(node).input(node, OpTraits.Input.REMAINDER).map(input -> Constants.bool(scope, input)
                .orElse(true));
    }

    /** How many elements a node puts into a batch; empty where it makes none, or only running it would tell. */
    public static Optional<Long> batchSize(NodeDef node, Scope scope) {
        return OpTraits.of(node).isBatch() ? number(node, OpTraits.Input.SIZE, scope) : Optional.empty();
    }

    /** How many elements a whole batch has that a node makes, also of others' rows; empty where they differ, too. */
    public static Optional<Long> wholeSize(NodeDef node, Scope scope) {
        if (OpTraits.of(node).family() != OpTraits.Family.REBATCH) {
            return batchSize(node, scope);
        }
        return OpTraits.of(node)
                .input(node, OpTraits.Input.SIZE)
                .flatMap(sizes -> Constants.value(scope, sizes))
                .map(sizes -> Constants.integers(sizes).stream().distinct().toList())
                .filter(sizes -> sizes.size() == 1)
                .map(sizes -> sizes.get(0));
    }

    /** Whether elements are batches, whatever was made of them meanwhile. */
    public static boolean yieldsBatches(Scope scope, String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        return switch (OpTraits.of(node).family()) {
            case BATCH, PADDED_BATCH -> true;
            case MAP, FILTER, SHUFFLE, CACHE, REPEAT, TRANSPARENT, ASSERT, TAKE, SKIP, SHARD ->
                yieldsBatches(scope, node.getInput(0));
            default -> false;
        };
    }

    /** The key of the attribute that lists what an element consists of. */
    public static String typesKey(NodeDef node) {
        return node.containsAttr("Toutput_types") ? "Toutput_types" : "output_types";
    }

    public static List<ElementComponent> components(NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        if (traits.isReader() || traits.family() == OpTraits.Family.MATCHING_FILES) {
            return List.of(ElementComponent.of(DataType.DT_STRING, Protos.SCALAR));
        }
        if (traits.family() == OpTraits.Family.SPARSE_SLICES) {
            ElementComponent vector = new ElementComponent(DataType.DT_INT64, true, List.of(-1L));
            return List.of(
                    new ElementComponent(DataType.DT_INT64, true, List.of(-1L, -1L)),
                    new ElementComponent(node.getAttrOrThrow("Tvalues").getType(), true, List.of(-1L)),
                    vector);
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
    public static void setComponents(NodeDef.Builder node, String typesKey, List<ElementComponent> components) {
        node.putAttr(
                typesKey,
                Protos.types(components.stream().map(ElementComponent::dtype).toList()));
        node.putAttr(
                "output_shapes",
                Protos.shapes(components.stream().map(DatasetOps::shape).toList()));
    }

    public static TensorShapeProto shape(ElementComponent component) {
        return component.rankKnown()
                ? Protos.shape(component.shape())
                : TensorShapeProto.newBuilder().setUnknownRank(true).build();
    }

    /** The name the user gave a transformation: TensorFlow's own ones end in a colon and a number. */
    public static Optional<String> userName(NodeDef node) {
        if (!node.containsAttr("metadata")) {
            return Optional.empty();
        }
        try {
            byte[] metadata = node.getAttrOrThrow("metadata").getS().toByteArray();
            String name = DatasetMetadata.Metadata.parseFrom(metadata).getName().toString(StandardCharsets.UTF_8);
            return name.isEmpty() || TENSORFLOWS_NAME.matcher(name).matches() ? Optional.empty() : Optional.of(name);
        } catch (InvalidProtocolBufferException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether a node may leave a dataset that it reads before its end: a cache keeps nothing then. */
    public static boolean mayLeave(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case TAKE, TAKE_WHILE, ZIP, CHOOSE, OTHER -> true;
            default -> node.getOp().startsWith("Iterator");
        };
    }

    /**
     * Whether a node leaves out what cannot be made, without a word: of a file also all that lies behind a record that cannot be
     * read, which other parts of it would not know of.
     */
    public static boolean ignoresErrors(NodeDef node) {
        return OpTraits.of(node).drops() == OpTraits.Drops.ERRORS;
    }

    /** Whether a node itself lets its elements overtake each other. */
    public static boolean overtakes(NodeDef node) {
        return node.getAttrOrDefault("deterministic", AttrValue.getDefaultInstance())
                .getS()
                .toStringUtf8()
                .equals("false");
    }

    /** Whether a node lets elements overtake each other, or says so of those above it. */
    public static boolean losesOrder(NodeDef node) {
        return overtakes(node) || !ordered(node).orElse(true);
    }

    /** Whether a map has as many elements as what it is made of, also where its function finds an end. */
    public static boolean keepsCardinality(NodeDef map) {
        return map.getAttrOrDefault("preserve_cardinality", AttrValue.getDefaultInstance())
                .getB();
    }

    /** What an options node says of the order: whether it is to be kept; empty where it says nothing, and of other nodes. */
    public static Optional<Boolean> ordered(NodeDef node) {
        return options(node)
                .filter(options ->
                        options.getOptionalDeterministicCase() == Options.OptionalDeterministicCase.DETERMINISTIC)
                .map(Options::getDeterministic);
    }

    /** Whether a node holds options; they hold for the whole pipeline wherever they stand. */
    public static boolean isOptions(NodeDef node) {
        return node.getOp().equals("OptionsDataset");
    }

    /** What an options node says; empty where it cannot be read, and of other nodes. */
    public static Optional<Options> options(NodeDef node) {
        if (!isOptions(node)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    Options.parseFrom(node.getAttrOrThrow("serialized_options").getS()));
        } catch (InvalidProtocolBufferException unreadable) {
            // TensorFlow says so when it runs
            return Optional.empty();
        }
    }

    /** The op in one word or some, as the user would say it: {@code map} for {@code ParallelMapDatasetV2}. */
    public static String word(String op) {
        String stem = op.replaceAll("V\\d+$", "").replaceAll("Dataset$", "");
        stem = stem.replaceFirst("^(Legacy)?(Parallel|Experimental)", "");
        if (stem.equals("TensorSlice")) {
            return "slices";
        }
        return stem.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
